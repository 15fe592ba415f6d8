/*
 * veu tools: alignments of variables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_ALIGN_H
#define VEU_TOOLS_VISA_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name of a code, as in align=GRF, or NULL if there is none. */
const char *visa_align_name(unsigned code);
/*
 * Finds the code of a name, or of a number of bytes. Returns false if there is
 * none.
 */
bool visa_align_by_name(const char *name, size_t length, uint8_t *code);
bool visa_align_by_bytes(uint64_t bytes, uint8_t *code);
/* Returns bytes; 1 for a code that does not exist. */
uint32_t visa_align_bytes(unsigned code, uint32_t grf_bytes);

#endif
