/*
 * veu tools: the common part of veu-as and veu-dis: options, files, errors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_TOOL_H
#define VEU_TOOLS_VISA_TOOL_H

#include <glib.h>
#include "tools/visa/error.h"

/* Parses the command line. Returns false after printing an error. */
bool vt_parse(const char *summary, const GOptionEntry *entries, int *argc,
              char ***argv);

/* Returns the content of a file, or NULL after printing an error. */
uint8_t *vt_read(const char *path, uint64_t *bytes);
/* Returns false after printing an error. */
bool vt_write(const char *path, const void *data, uint64_t bytes);

/* Prints an error in the text of a file; returns false. */
bool vt_show(const VisaError *error, const char *path, const char *text);

/* Answers lines like visa_hex_assemble(), with the declarations in a file. */
bool vt_answer(const char *path, unsigned grf_bytes,
               bool (*answer)(const char *declarations, unsigned grf_bytes,
                              VisaError *error));

#endif
