/*
 * veu tools: numbers, as people write them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_LIB_NUMBER_H
#define VEU_TOOLS_LIB_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A number and nothing else: decimal, or hexadecimal behind 0x; K, M or G
 * after it multiply by 2^10, 2^20, 2^30. False where it is none, or too large.
 */
bool number_parse(const char *text, uint64_t *value);

/* The same with a sign before it. */
bool number_parse_signed(const char *text, int64_t *value);

/* A floating-point number: decimal or hexadecimal, inf, nan. */
bool number_parse_double(const char *text, double *value);

/*
 * The shortest decimal text that reads back as the same double; "nan", "inf",
 * "-inf". The caller frees it.
 */
char *number_from_double(double value);
/* The same for a float: 0.1, where the double is 0.10000000149011612. */
char *number_from_float(float value);

#endif
