/*
 * veu device model: the memory of loaded programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Blocks come from one piece of memory, which is reserved when the device is
 * created. A block takes the first gap that is large enough. What fits depends
 * only on what the guest has loaded, never on pointers.
 */
#ifndef VEU_DEVICE_POOL_H
#define VEU_DEVICE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hw/veu/eu/limits.h"

/* A program takes one block for its bytes and one for its decoded form. */
#define VEU_POOL_BLOCKS (2 * VEU_LIMIT_PROGRAMS)
#define VEU_POOL_ALIGN  64

typedef struct VeuPoolBlock {
    uint32_t at; /* offset, a multiple of VEU_POOL_ALIGN */
    uint32_t bytes;
} VeuPoolBlock;

typedef struct VeuPool {
    uint8_t *memory; /* aligned to VEU_POOL_ALIGN; NULL if bytes is 0 */
    uint32_t bytes;
    uint32_t count;
    VeuPoolBlock blocks[VEU_POOL_BLOCKS]; /* ascending */
} VeuPool;

/* Takes a block, which is not cleared; NULL if no gap is large enough. */
void *veu_pool_take(VeuPool *pool, size_t bytes);

/* Gives back what follows the first @bytes of a block. */
void veu_pool_shrink(VeuPool *pool, const void *block, size_t bytes);

/* Gives a block back. Does nothing for NULL. */
void veu_pool_give(VeuPool *pool, const void *block);

#endif
