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

void *veu_pool_take(VeuPool *pool, size_t bytes)
{
    if (pool->count == VEU_POOL_BLOCKS || !bytes || bytes > pool->bytes) {
        return NULL;
    }
    bytes = (bytes + VEU_POOL_ALIGN - 1) / VEU_POOL_ALIGN * VEU_POOL_ALIGN;
    for (uint32_t i = 0; i <= pool->count; i++) {
        uint32_t at = gap_at(pool, i);

        if (bytes <= gap_end(pool, i) - at) {
            insert(pool, i, (VeuPoolBlock){ at, bytes });
            return pool->memory + at;
        }
    }
    return NULL;
}

void veu_pool_give(VeuPool *pool, const void *block)
{
    for (uint32_t i = 0; block && i < pool->count; i++) {
        if (pool->memory + pool->blocks[i].at == block) {
            pool->count--;
            memmove(&pool->blocks[i], &pool->blocks[i + 1],
                    (pool->count - i) * sizeof(pool->blocks[0]));
            return;
        }
    }
}
