/*
 * veu device model: the memory of loaded programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/pool.h"

/* The end of the block before block @i, where a gap may begin. */
static uint32_t gap_at(const VeuPool *pool, uint32_t i)
{
    return i ? pool->blocks[i - 1].at + pool->blocks[i - 1].bytes : 0;
}

static uint32_t gap_end(const VeuPool *pool, uint32_t i)
{
    return i < pool->count ? pool->blocks[i].at : pool->bytes;
}

static void insert(VeuPool *pool, uint32_t i, VeuPoolBlock block)
{
    memmove(&pool->blocks[i + 1], &pool->blocks[i],
            (pool->count - i) * sizeof(block));
    pool->blocks[i] = block;
    pool->count++;
}

static size_t round_up(size_t bytes)
{
    return (bytes + VEU_POOL_ALIGN - 1) / VEU_POOL_ALIGN * VEU_POOL_ALIGN;
}

void *veu_pool_take(VeuPool *pool, size_t bytes)
{
    if (pool->count == VEU_POOL_BLOCKS || !bytes || bytes > pool->bytes) {
        return NULL;
    }
    bytes = round_up(bytes);
    for (uint32_t i = 0; i <= pool->count; i++) {
        uint32_t at = gap_at(pool, i);

        if (bytes <= gap_end(pool, i) - at) {
            insert(pool, i, (VeuPoolBlock){ at, bytes });
            return pool->memory + at;
        }
    }
    return NULL;
}

/* The index of a block; the number of blocks if it is none. */
static uint32_t find(const VeuPool *pool, const void *block)
{
    uint32_t i = 0;

    while (i < pool->count && pool->memory + pool->blocks[i].at != block) {
        i++;
    }
    return i;
}

void veu_pool_shrink(VeuPool *pool, const void *block, size_t bytes)
{
    uint32_t i = find(pool, block);

    if (i < pool->count && round_up(bytes) < pool->blocks[i].bytes) {
        pool->blocks[i].bytes = round_up(bytes);
    }
}

void veu_pool_give(VeuPool *pool, const void *block)
{
    uint32_t i = find(pool, block);

    if (block && i < pool->count) {
        pool->count--;
        memmove(&pool->blocks[i], &pool->blocks[i + 1],
                (pool->count - i) * sizeof(pool->blocks[0]));
    }
}
