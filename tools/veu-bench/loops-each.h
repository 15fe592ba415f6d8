/*
 * veu-bench: the common part of all loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_BENCH_LOOPS_EACH_H
#define VEU_TOOLS_BENCH_LOOPS_EACH_H

#include <string.h>
#include "tools/veu-bench/loops.h"

#define INLINE static inline __attribute__((always_inline))

#define MAX_LANES    32
#define BLOCK_BYTES  128
#define MEDIA_WIDTH  32
#define MEDIA_HEIGHT 8

typedef void BenchMessage(BenchLoop *l, const uint8_t *operands,
                          unsigned lanes);

/* All results of a message exist before the next one begins. */
INLINE void each_message(BenchLoop *l, unsigned lanes, BenchMessage *message)
{
    const uint8_t *operands = l->operands;

    for (uint32_t i = 0; i < l->messages; i++) {
        message(l, operands, lanes);
        operands += l->operand_bytes;
        __asm__ volatile("" ::: "memory");
    }
}

/* The number of lanes is a constant inside the loop. */
INLINE void each(BenchLoop *l, BenchMessage *message)
{
    if (l->lanes == 8) {
        each_message(l, 8, message);
    } else if (l->lanes == 16) {
        each_message(l, 16, message);
    } else if (l->lanes == 32) {
        each_message(l, 32, message);
    } else {
        each_message(l, 1, message);
    }
}

INLINE uint32_t load32(const void *from)
{
    uint32_t value;

    memcpy(&value, from, sizeof(value));
    return value;
}

INLINE uint64_t load64(const void *from)
{
    uint64_t value;

    memcpy(&value, from, sizeof(value));
    return value;
}

INLINE void store32(void *to, uint32_t value)
{
    memcpy(to, &value, sizeof(value));
}

INLINE void store64(void *to, uint64_t value)
{
    memcpy(to, &value, sizeof(value));
}

INLINE uint32_t lane32(const uint8_t *registers, unsigned lane)
{
    return load32(registers + lane * 4);
}

INLINE uint64_t lane64(const uint8_t *registers, unsigned lane)
{
    return load64(registers + lane * 8);
}

#endif
