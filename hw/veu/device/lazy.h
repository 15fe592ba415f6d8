/*
 * veu device model: memory that costs nothing until it is used.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A device has megabytes for programs, launches and page tables, and an unused
 * ring or context should cost none of it. calloc() also leaves such memory
 * untouched, but not if MALLOC_PERTURB_ is set, and it aligns to 16 bytes only.
 */
#ifndef VEU_DEVICE_LAZY_H
#define VEU_DEVICE_LAZY_H

#include <stddef.h>

/*
 * Allocates zero bytes, aligned to a page; NULL: no memory. @bytes must not be
 * 0.
 */
void *veu_lazy_new(size_t bytes);

/* NULL is fine. */
void veu_lazy_free(void *memory, size_t bytes);

#endif
