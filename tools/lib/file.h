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
 * Returns the content of a file, or of standard input if @path is NULL or "-",
 * followed by a 0 byte; the caller frees it. Returns NULL with *why, which the
 * caller frees, if it cannot be read or is longer than @max_bytes.
 */
uint8_t *file_read(const char *path, uint64_t max_bytes, uint64_t *bytes,
                   char **why);

/*
 * Writes to standard output if @path is NULL or "-". Returns false with *why.
 */
bool file_write(const char *path, const void *data, uint64_t bytes, char **why);

#endif
