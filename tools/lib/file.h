/*
 * veu tools: whole files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_LIB_FILE_H
#define VEU_TOOLS_LIB_FILE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The content of a file, or of standard input where @path is NULL or "-", with
 * a 0 byte after it; the caller frees it. NULL with *why, which the caller
 * frees, where it cannot be read or is longer than @max_bytes.
 */
uint8_t *file_read(const char *path, uint64_t max_bytes, uint64_t *bytes,
                   char **why);

/* Standard output where @path is NULL or "-". False with *why. */
bool file_write(const char *path, const void *data, uint64_t bytes, char **why);

#endif
