/*
 * veu tools: what veu-as and veu-dis have in common: options, files, errors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_TOOL_H
#define VEU_TOOLS_VISA_TOOL_H

#include <glib.h>
#include "tools/visa/error.h"

/* Options of the command line; false when an error has been printed. */
bool vt_parse(const char *summary, const GOptionEntry *entries, int *argc,
              char ***argv);

/* The content of a file, or NULL when an error has been printed. */
uint8_t *vt_read(const char *path, uint64_t *bytes);
/* False when an error has been printed. */
bool vt_write(const char *path, const void *data, uint64_t bytes);

/* Prints an error in the text of a file; returns false. */
bool vt_show(const VisaError *error, const char *path, const char *text);

/* Answers lines, as visa_hex_assemble(), with declarations of a file. */
bool vt_answer(const char *path, unsigned grf_bytes,
               bool (*answer)(const char *declarations, unsigned grf_bytes,
                              VisaError *error));

#endif
