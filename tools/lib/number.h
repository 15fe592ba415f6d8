/*
 * veu tools: numbers, as users write them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_LIB_NUMBER_H
#define VEU_TOOLS_LIB_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parses a number and nothing else: decimal, or hexadecimal after 0x. A suffix
 * K, M or G multiplies by 2^10, 2^20 or 2^30. Returns false if the text is not
 * a number, or too large.
 */
bool number_parse(const char *text, uint64_t *value);

/* Like number_parse(), with an optional sign. */
bool number_parse_signed(const char *text, int64_t *value);

/* Parses a floating-point number: decimal or hexadecimal, inf, nan. */
bool number_parse_double(const char *text, double *value);

/*
 * The shortest decimal text that reads back as the same double; "nan", "inf",
 * "-inf". The caller frees it.
 */
char *number_from_double(double value);
/*
 * Like number_from_double(), for a float: 0.1 rather than the double
 * 0.10000000149011612.
 */
char *number_from_float(float value);

#endif
