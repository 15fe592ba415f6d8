/*
 * veu tests: random legal messages, and registers that take them somewhere.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_RANDOM_MESSAGE_H
#define VEU_TEST_RANDOM_MESSAGE_H

#include "tests/lib/random_world.h"

/* Every field has a legal value; operands may overlap. */
TestMessage random_message(const World *w, TestKind kind);

/*
 * Fills the registers that @message, decoded, reads: addresses around the
 * surface and its ends, around RAM and its ends, mostly aligned.
 */
void random_operands(World *w, const TestMessage *message,
                     const RefMessage *decoded);

#endif
