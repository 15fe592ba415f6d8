/*
 * veu tests: reading lines of vISA text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * It reads lines as compilers write them, in which every name equals its
 * number. It shares no code with the assembler of tools/.
 */
#ifndef VEU_TEST_VISA_TEXT_H
#define VEU_TEST_VISA_TEXT_H

#include "tests/lib/encode.h"

/* Returns false for an unknown spelling. */
bool test_visa_text(const char *line, TestMessage *message);

#endif
