/*
 * veu tools: texts of files, for a terminal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <stdbool.h>
#include <string.h>
#include "tools/lib/printable.h"

/* U+0080 to U+009F, in UTF-8. */
static bool is_c1_control(const char *c)
{
    return (guchar)c[0] == 0xc2 && (guchar)c[1] < 0xa0;
}

char *printable(const char *text, const char *kept)
{
    char *copy = g_utf8_make_valid(text, -1);

    for (char *c = copy; *c; c++) {
        if (is_c1_control(c)) {
            *c++ = '?';
            *c = '?';
        } else if (g_ascii_iscntrl(*c) && !strchr(kept, *c)) {
            *c = '?';
        }
    }
    return copy;
}
