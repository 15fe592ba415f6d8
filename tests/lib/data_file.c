/*
 * veu tests: the tables of tests/data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/lib/data_file.h"

char **test_data_lines(const char *name)
{
    g_autofree char *path = g_build_filename(TEST_DATA_DIR, name, NULL);
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;

    if (!g_file_get_contents(path, &text, NULL, &error)) {
        g_error("%s", error->message);
    }
    return g_strsplit(text, "\n", 0);
}
