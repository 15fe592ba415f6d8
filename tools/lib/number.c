/*
 * veu tools: numbers, as users write them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <glib.h>
#include <math.h>
#include <string.h>
#include "tools/lib/number.h"

/* The power of two that a suffix stands for, or -1. */
static int suffix_shift(const char *suffix)
{
    static const char units[] = "KMG";
    const char *unit;

    if (!*suffix) {
        return 0;
    }
    unit = strchr(units, g_ascii_toupper(*suffix));
    return unit && !suffix[1] ? 10 * (int)(unit - units + 1) : -1;
}

bool number_parse(const char *text, uint64_t *value)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? text + 2 : text;
    char *end;
    int shift;

    if (hex ? !g_ascii_isxdigit(*digits) : !g_ascii_isdigit(*digits)) {
        return false;
    }
    errno = 0;
    *value = g_ascii_strtoull(digits, &end, hex ? 16 : 10);
    shift = suffix_shift(end);
    if (errno || shift < 0 || *value > UINT64_MAX >> shift) {
        return false;
    }
    *value <<= shift;
    return true;
}

bool number_parse_signed(const char *text, int64_t *value)
{
    bool negative = *text == '-';
    uint64_t size;

    if (!number_parse(text + (negative || *text == '+'), &size) ||
        size > (uint64_t)INT64_MAX + negative) {
        return false;
    }
    *value = negative ? (int64_t)(0 - size) : (int64_t)size;
    return true;
}

bool number_parse_double(const char *text, double *value)
{
    char *end;

    if (!*text || g_ascii_isspace(*text)) {
        return false;
    }
    *value = g_ascii_strtod(text, &end);
    return !*end;
}

/* Handled here because printf() would show the sign of a NaN. */
static char *special(double value)
{
    return g_strdup(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static char *with_digits(double value, int digits)
{
    char format[16];
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    g_snprintf(format, sizeof(format), "%%.%dg", digits);
    return g_strdup(g_ascii_formatd(text, sizeof(text), format, value));
}

/* Digits before the point, up to @most; with fewer, 20 would become 2e+01. */
static int whole_digits(double value, int most)
{
    int digits = 1;

    for (value = fabs(value); value >= 10 && digits < most; value /= 10) {
        digits++;
    }
    return digits;
}

char *number_from_double(double value)
{
    if (!isfinite(value)) {
        return special(value);
    }
    for (int digits = whole_digits(value, 15); digits < 17; digits++) {
        g_autofree char *text = with_digits(value, digits);

        if (g_ascii_strtod(text, NULL) == value) {
            return g_steal_pointer(&text);
        }
    }
    return with_digits(value, 17);
}

char *number_from_float(float value)
{
    if (!isfinite(value)) {
        return special(value);
    }
    for (int digits = whole_digits(value, 7); digits < 9; digits++) {
        g_autofree char *text = with_digits(value, digits);

        if ((float)g_ascii_strtod(text, NULL) == value) {
            return g_steal_pointer(&text);
        }
    }
    return with_digits(value, 9);
}
