/*
 * veu tools: texts of files, for a terminal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A name in a file may contain escape sequences that a terminal obeys.
 */
#ifndef VEU_TOOLS_LIB_PRINTABLE_H
#define VEU_TOOLS_LIB_PRINTABLE_H

/*
 * Returns a copy of @text, which the caller frees, in which '?' replaces each
 * byte of a control character that is not in @kept. Invalid UTF-8 becomes
 * U+FFFD.
 */
char *printable(const char *text, const char *kept);

#endif
