/*
 * veu device model: the memory of loaded programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Blocks of one piece of memory, which is set aside when the device is made.
 * A block is the first gap that is large enough. What a guest has loaded
 * decides what fits, and nothing else: where it stands depends on no pointer.
 */
#ifndef VEU_DEVICE_POOL_H
#define VEU_DEVICE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hw/veu/eu/limits.h"

/* A program has its bytes in one block, what is decoded in another. */
#define VEU_POOL_BLOCKS (2 * VEU_LIMIT_PROGRAMS)
#define VEU_POOL_ALIGN  64

typedef struct VeuPoolBlock {
    uint32_t at; /* bytes from the beginning, a multiple of VEU_POOL_ALIGN */
    uint32_t bytes;
} VeuPoolBlock;

typedef struct VeuPool {
    uint8_t *memory; /* aligned to VEU_POOL_ALIGN; NULL where bytes is 0 */
    uint32_t bytes;
    uint32_t count;
    VeuPoolBlock blocks[VEU_POOL_BLOCKS]; /* ascending */
} VeuPool;

/* A block, not cleared; NULL where no gap is large enough. */
void *veu_pool_take(VeuPool *pool, size_t bytes);

/* Gives back a block that was taken; NULL: nothing. */
void veu_pool_give(VeuPool *pool, const void *block);

#endif
