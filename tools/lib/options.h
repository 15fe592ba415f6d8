/*
 * veu tools: the command line, and errors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_LIB_OPTIONS_H
#define VEU_TOOLS_LIB_OPTIONS_H

#include <glib.h>
#include <stdbool.h>

/*
 * Prints "TOOL: ", the text and a line feed on standard error; returns false.
 * TOOL is the name that g_set_prgname() has set. Control characters, which may
 * come from names in hostile files, are replaced.
 */
bool tool_error(const char *format, ...) G_GNUC_PRINTF(1, 2);

/*
 * Parses the command line, and removes the options from it. @context has the
 * texts of --help, and is freed; @entries are the options besides --help and
 * --version, which end the tool. Returns false when an error has been printed.
 */
bool tool_parse_options(GOptionContext *context, const GOptionEntry *entries,
                        int *argc, char ***argv);

/*
 * Returns true if everything that was written to standard output has arrived.
 * Otherwise prints an error.
 */
bool tool_flush_output(void);

#endif
