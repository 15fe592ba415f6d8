/*
 * veu device model: memory that costs nothing before it is used.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A device has megabytes for programs, launches and page tables, of which a
 * ring or a context that is not used should cost none. calloc() leaves such
 * memory untouched, too, but not where MALLOC_PERTURB_ is set.
 */
#ifndef VEU_DEVICE_LAZY_H
#define VEU_DEVICE_LAZY_H

#include <stddef.h>

/* Zero bytes, aligned to a page; NULL: there is no memory. @bytes is not 0. */
void *veu_lazy_new(size_t bytes);

/* NULL is fine. */
void veu_lazy_free(void *memory, size_t bytes);

#endif
