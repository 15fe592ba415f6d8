/*
 * veu tests: reading lines of vISA text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For lines as compilers write them, where every name equals its number. It
 * shares nothing with the assembler of tools/.
 */
#ifndef VEU_TEST_VISA_TEXT_H
#define VEU_TEST_VISA_TEXT_H

#include "tests/lib/encode.h"

/* False for a spelling that it does not know. */
bool test_visa_text(const char *line, TestMessage *message);

#endif
