/*
 * veu tests: tables that are given to the project, beside its source.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_DATA_FILE_H
#define VEU_TEST_DATA_FILE_H

/*
 * The lines of a file in the folder that VEU_TEST_DATA names, or NULL where
 * there is none: a test then says SKIP. Free with g_strfreev().
 */
char **test_data_lines(const char *name);

#endif
