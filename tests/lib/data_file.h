/*
 * veu tests: the tables of tests/data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_DATA_FILE_H
#define VEU_TEST_DATA_FILE_H

/*
 * Returns the lines of the file @name in tests/data; the program ends if it
 * cannot be read. Free them with g_strfreev().
 */
char **test_data_lines(const char *name);

#endif
