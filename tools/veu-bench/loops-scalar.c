/*
 * veu-bench: the limit, lane by lane.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compiled without vectorisation.
 */
#include <math.h>
#include "tools/veu-bench/loops-each.h"

/* The place of a lane's access of @bytes, or NULL if out of bounds. */
INLINE uint8_t *at_offset(const BenchLoop *l, uint64_t offset, unsigned bytes)
{
    return offset + bytes <= l->bytes ? l->memory + offset : NULL;
}

INLINE uint8_t *at_address(BenchLoop *l, uint64_t address, unsigned bytes)
{
    uint8_t *at = at_offset(l, address - l->start, bytes);

    if (!at) {
        l->failed = true;
    }
    return at;
}

INLINE uint8_t *at_texel(const BenchLoop *l, const uint8_t *operands,
                         unsigned lane, unsigned lanes)
{
    uint32_t u = lane32(operands, lane);
    uint32_t v = lane32(operands, lanes + lane);

    return u < l->width && v < l->height ?
               l->memory + (uint64_t)v * l->pitch + u * 4 :
               NULL;
}

/* --- Elements ------------------------------------------------------------ */

INLINE void gather_units(BenchLoop *l, const uint8_t *operands, unsigned lanes,
                         unsigned unit, unsigned bytes)
{
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t offset = (uint64_t)lane32(operands, i) * unit;
        const uint8_t *at = at_offset(l, offset, bytes);

        if (bytes == 8) {
            store64(l->data + i * 8, at ? load64(at) : 0);
        } else {
            store32(l->data + i * 4, at ? load32(at) : 0);
        }
    }
}

INLINE void scatter_units(BenchLoop *l, const uint8_t *operands, unsigned lanes,
                          unsigned unit, unsigned bytes)
{
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t offset = (uint64_t)lane32(operands, i) * unit;
        uint8_t *at = at_offset(l, offset, bytes);

        if (at) {
            memcpy(at, l->data + i * bytes, bytes);
        }
    }
}

INLINE void gather(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    gather_units(l, operands, lanes, 4, 4);
}

INLINE void gather_bytes(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    gather_units(l, operands, lanes, 1, 4);
}

INLINE void gather8(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    gather_units(l, operands, lanes, 1, 8);
}

INLINE void scatter(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    scatter_units(l, operands, lanes, 4, 4);
}

INLINE void scatter_bytes(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    scatter_units(l, operands, lanes, 1, 4);
}

INLINE void scatter8(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    scatter_units(l, operands, lanes, 1, 8);
}

INLINE void gather4(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        const uint8_t *at = at_offset(l, lane32(operands, i), 16);

        for (unsigned c = 0; c < 4; c++) {
            store32(l->data + (c * lanes + i) * 4, at ? load32(at + c * 4) : 0);
        }
    }
}

INLINE void scatter4(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        uint8_t *at = at_offset(l, lane32(operands, i), 16);

        for (unsigned c = 0; at && c < 4; c++) {
            store32(at + c * 4, lane32(l->data, c * lanes + i));
        }
    }
}

INLINE void svm_gather(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        const uint8_t *at = at_address(l, lane64(operands, i), 4);

        if (at) {
            store32(l->data + i * 4, load32(at));
        }
    }
}

INLINE void svm_scatter(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        uint8_t *at = at_address(l, lane64(operands, i), 4);

        if (at) {
            store32(at, lane32(l->data, i));
        }
    }
}

/* --- Texels: R8G8B8A8_UNORM ---------------------------------------------- */

INLINE void typed_read(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        const uint8_t *at = at_texel(l, operands, i, lanes);

        for (unsigned c = 0; c < 4; c++) {
            float value = at ? at[c] / 255.0f : c == 3;

            memcpy(l->data + (c * lanes + i) * 4, &value, 4);
        }
    }
}

INLINE uint8_t unorm8(float value)
{
    if (!(value > 0)) {
        return 0;
    }
    return (int)rintf((value < 1 ? value : 1) * 255);
}

INLINE void typed_write(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        uint8_t *at = at_texel(l, operands, i, lanes);

        for (unsigned c = 0; at && c < 4; c++) {
            float value;

            memcpy(&value, l->data + (c * lanes + i) * 4, 4);
            at[c] = unorm8(value);
        }
    }
}

/* --- Atomics ------------------------------------------------------------- */

INLINE void add(BenchLoop *l, uint8_t *at, unsigned lane, unsigned lanes)
{
    uint32_t old = 0;

    if (at) {
        old = __atomic_fetch_add((uint32_t *)at, lane32(l->data, lanes + lane),
                                 __ATOMIC_SEQ_CST);
    }
    store32(l->data + lane * 4, old);
}

INLINE void atomic(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        add(l, at_offset(l, lane32(operands, i), 4), i, lanes);
    }
}

INLINE void typed_atomic(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        add(l, at_texel(l, operands, i, lanes), i, lanes);
    }
}

INLINE void svm_atomic(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        add(l, at_address(l, lane64(operands, i), 4), i, lanes);
    }
}

/* --- Blocks, dword by dword ---------------------------------------------- */

INLINE void copy(uint8_t *to, const uint8_t *from, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i += 4) {
        store32(to + i, load32(from + i));
    }
}

INLINE void block_load(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    const uint8_t *at = at_offset(l, (uint64_t)load32(operands) * 16,
                                  BLOCK_BYTES);

    if (at) {
        copy(l->data, at, BLOCK_BYTES);
    } else {
        memset(l->data, 0, BLOCK_BYTES);
    }
}

INLINE void block_store(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    uint8_t *at = at_offset(l, (uint64_t)load32(operands) * 16, BLOCK_BYTES);

    if (at) {
        copy(at, l->data, BLOCK_BYTES);
    }
}

INLINE void svm_block_load(BenchLoop *l, const uint8_t *operands,
                           unsigned lanes)
{
    const uint8_t *at = at_address(l, load64(operands), BLOCK_BYTES);

    if (at) {
        copy(l->data, at, BLOCK_BYTES);
    }
}

INLINE void svm_block_store(BenchLoop *l, const uint8_t *operands,
                            unsigned lanes)
{
    uint8_t *at = at_address(l, load64(operands), BLOCK_BYTES);

    if (at) {
        copy(at, l->data, BLOCK_BYTES);
    }
}

/* A row of a rectangle that is either inside or outside the surface. */
INLINE uint8_t *media_row(const BenchLoop *l, const uint8_t *operands,
                          unsigned row)
{
    uint32_t x = load32(operands);
    uint32_t y = load32(operands + 4) + row;

    return x <= l->width - MEDIA_WIDTH && y < l->height ?
               l->memory + (uint64_t)y * l->pitch + x :
               NULL;
}

INLINE void media_load(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    for (unsigned row = 0; row < MEDIA_HEIGHT; row++) {
        const uint8_t *at = media_row(l, operands, row);
        uint8_t *to = l->data + row * MEDIA_WIDTH;

        if (at) {
            copy(to, at, MEDIA_WIDTH);
        } else {
            memset(to, 0, MEDIA_WIDTH);
        }
    }
}

INLINE void media_store(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    for (unsigned row = 0; row < MEDIA_HEIGHT; row++) {
        uint8_t *at = media_row(l, operands, row);

        if (at) {
            copy(at, l->data + row * MEDIA_WIDTH, MEDIA_WIDTH);
        }
    }
}

#define BENCH_TABLE bench_scalar_loops
#include "tools/veu-bench/loops-table.inc"
