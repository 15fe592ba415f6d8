/*
 * veu tests: tables that are given to the project, beside its source.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/lib/data_file.h"

char **test_data_lines(const char *name)
{
    const char *folder = g_getenv("VEU_TEST_DATA");
    g_autofree char *path = NULL;
    g_autofree char *text = NULL;

    path = g_build_filename(folder ? folder : "../shared/data", name, NULL);
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return NULL;
    }
    return g_strsplit(text, "\n", 0);
}
