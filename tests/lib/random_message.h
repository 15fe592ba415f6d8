/*
 * veu tests: random legal messages, and registers with addresses for them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_RANDOM_MESSAGE_H
#define VEU_TEST_RANDOM_MESSAGE_H

#include "tests/lib/random_world.h"

/*
 * Returns a message whose fields all have legal values; operands may overlap.
 */
TestMessage random_message(const World *w, TestKind kind);

/*
 * Fills the registers that the decoded @message reads with addresses around the
 * surface and its ends, and around RAM and its ends, mostly aligned.
 */
void random_operands(World *w, const TestMessage *message,
                     const RefMessage *decoded);

#endif
