/*
 * veu-bench: the limit, in steps that each process all lanes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compiled with vectorisation, several times, for one kind of CPU each. Bounds
 * are checked without branches: accesses outside go to a separate place, and
 * read 0.
 */
#include "tools/veu-bench/loops-each.h"

/* The places of lanes: offsets in memory, and all bits set or none. */
typedef struct Lanes {
    uint64_t at[MAX_LANES];
    uint32_t keep[MAX_LANES];
} Lanes;

/* The target of writes by lanes out of bounds. */
static uint8_t sink[64];

INLINE void check_offsets(const BenchLoop *l, const uint8_t *operands,
                          unsigned lanes, unsigned unit, unsigned bytes,
                          Lanes *to)
{
    uint64_t units = (l->bytes - bytes) / unit + 1;
    uint32_t end = units < UINT32_MAX ? units : UINT32_MAX;

    for (unsigned i = 0; i < lanes; i++) {
        uint32_t offset = lane32(operands, i);
        uint32_t keep = offset < end ? UINT32_MAX : 0;

        to->at[i] = (uint64_t)(offset & keep) * unit;
        to->keep[i] = keep;
    }
}

INLINE void check_texels(const BenchLoop *l, const uint8_t *operands,
                         unsigned lanes, Lanes *to)
{
    for (unsigned i = 0; i < lanes; i++) {
        uint32_t u = lane32(operands, i);
        uint32_t v = lane32(operands, lanes + i);
        uint32_t keep = (u < l->width ? UINT32_MAX : 0) &
                        (v < l->height ? UINT32_MAX : 0);

        to->at[i] = (v * l->pitch + u * 4) & keep;
        to->keep[i] = keep;
    }
}

/* All must be inside; an access outside would be a fault. */
INLINE bool check_addresses(BenchLoop *l, const uint8_t *operands,
                            unsigned lanes, unsigned bytes, Lanes *to)
{
    uint64_t end = l->bytes - bytes;
    uint64_t outside = 0;

    for (unsigned i = 0; i < lanes; i++) {
        uint64_t offset = lane64(operands, i) - l->start;

        outside |= offset | (end - offset);
        to->at[i] = offset;
    }
    if (outside >> 63) {
        l->failed = true;
        return false;
    }
    return true;
}

/* --- Elements ------------------------------------------------------------ */

INLINE void load_lanes(const BenchLoop *l, const Lanes *from, unsigned lanes,
                       uint32_t *values)
{
    for (unsigned i = 0; i < lanes; i++) {
        values[i] = load32(l->memory + from->at[i]);
    }
}

INLINE void gather_units(BenchLoop *l, const uint8_t *operands, unsigned lanes,
                         unsigned unit)
{
    uint32_t values[MAX_LANES];
    Lanes from;

    check_offsets(l, operands, lanes, unit, 4, &from);
    load_lanes(l, &from, lanes, values);
    for (unsigned i = 0; i < lanes; i++) {
        values[i] &= from.keep[i];
    }
    memcpy(l->data, values, lanes * 4);
}

INLINE uint8_t *store_at(const BenchLoop *l, const Lanes *to, unsigned lane)
{
    return to->keep[lane] ? l->memory + to->at[lane] : sink;
}

INLINE void scatter_units(BenchLoop *l, const uint8_t *operands, unsigned lanes,
                          unsigned unit)
{
    Lanes to;

    check_offsets(l, operands, lanes, unit, 4, &to);
    for (unsigned i = 0; i < lanes; i++) {
        store32(store_at(l, &to, i), lane32(l->data, i));
    }
}

INLINE void gather(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    gather_units(l, operands, lanes, 4);
}

INLINE void gather_bytes(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    gather_units(l, operands, lanes, 1);
}

INLINE void scatter(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    scatter_units(l, operands, lanes, 4);
}

INLINE void scatter_bytes(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    scatter_units(l, operands, lanes, 1);
}

INLINE void gather8(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    Lanes from;

    check_offsets(l, operands, lanes, 1, 8, &from);
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t value = load64(l->memory + from.at[i]);

        store64(l->data + i * 8, from.keep[i] ? value : 0);
    }
}

INLINE void scatter8(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    Lanes to;

    check_offsets(l, operands, lanes, 1, 8, &to);
    for (unsigned i = 0; i < lanes; i++) {
        store64(store_at(l, &to, i), lane64(l->data, i));
    }
}

typedef uint32_t Dwords4 __attribute__((vector_size(16), aligned(4)));

INLINE void gather4(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    uint32_t values[MAX_LANES][4];
    Lanes from;

    check_offsets(l, operands, lanes, 1, 16, &from);
    for (unsigned i = 0; i < lanes; i++) {
        memcpy(values[i], l->memory + from.at[i], 16);
    }
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned i = 0; i < lanes; i++) {
            store32(l->data + (c * lanes + i) * 4, values[i][c] & from.keep[i]);
        }
    }
}

INLINE void scatter4(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    Lanes to;

    check_offsets(l, operands, lanes, 1, 16, &to);
    for (unsigned i = 0; i < lanes; i++) {
        Dwords4 value = { lane32(l->data, i), lane32(l->data, lanes + i),
                          lane32(l->data, 2 * lanes + i),
                          lane32(l->data, 3 * lanes + i) };

        *(Dwords4 *)store_at(l, &to, i) = value;
    }
}

INLINE void svm_gather(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    uint32_t values[MAX_LANES];
    Lanes from;

    if (check_addresses(l, operands, lanes, 4, &from)) {
        load_lanes(l, &from, lanes, values);
        memcpy(l->data, values, lanes * 4);
    }
}

INLINE void svm_scatter(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    Lanes to;

    if (check_addresses(l, operands, lanes, 4, &to)) {
        for (unsigned i = 0; i < lanes; i++) {
            store32(l->memory + to.at[i], lane32(l->data, i));
        }
    }
}

/* --- Texels: R8G8B8A8_UNORM ---------------------------------------------- */

INLINE void typed_read(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    float values[4][MAX_LANES];
    uint32_t texels[MAX_LANES];
    Lanes from;

    check_texels(l, operands, lanes, &from);
    load_lanes(l, &from, lanes, texels);
    for (unsigned i = 0; i < lanes; i++) {
        uint32_t texel = (texels[i] & from.keep[i]) |
                         (~from.keep[i] & 0xff000000);

        values[0][i] = (int32_t)(texel & 0xff) / 255.0f;
        values[1][i] = (int32_t)(texel >> 8 & 0xff) / 255.0f;
        values[2][i] = (int32_t)(texel >> 16 & 0xff) / 255.0f;
        values[3][i] = (int32_t)(texel >> 24) / 255.0f;
    }
    for (unsigned c = 0; c < 4; c++) {
        memcpy(l->data + c * lanes * 4, values[c], lanes * 4);
    }
}

/* Adding 1.5 * 2^23 rounds to an integer, with ties to even. */
INLINE uint32_t unorm8(const uint8_t *at)
{
    float value;

    memcpy(&value, at, 4);
    value = value > 0.0f ? value : 0.0f;
    value = value < 1.0f ? value : 1.0f;
    value = value * 255.0f + 12582912.0f;
    return load32(&value) & 0xff;
}

INLINE void typed_write(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    uint32_t texels[MAX_LANES];
    Lanes to;

    check_texels(l, operands, lanes, &to);
    for (unsigned i = 0; i < lanes; i++) {
        const uint8_t *data = l->data + i * 4;

        texels[i] = unorm8(data) | unorm8(data + lanes * 4) << 8 |
                    unorm8(data + lanes * 8) << 16 |
                    unorm8(data + lanes * 12) << 24;
    }
    for (unsigned i = 0; i < lanes; i++) {
        store32(store_at(l, &to, i), texels[i]);
    }
}

/* --- Atomics ------------------------------------------------------------- */

INLINE void add_lanes(BenchLoop *l, const Lanes *to, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        uint32_t old = 0;

        if (to->keep[i]) {
            old = __atomic_fetch_add((uint32_t *)(l->memory + to->at[i]),
                                     lane32(l->data, lanes + i),
                                     __ATOMIC_SEQ_CST);
        }
        store32(l->data + i * 4, old);
    }
}

INLINE void atomic(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    Lanes to;

    check_offsets(l, operands, lanes, 1, 4, &to);
    add_lanes(l, &to, lanes);
}

INLINE void typed_atomic(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    Lanes to;

    check_texels(l, operands, lanes, &to);
    add_lanes(l, &to, lanes);
}

INLINE void svm_atomic(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    Lanes to;

    memset(to.keep, 0xff, sizeof(to.keep));
    if (check_addresses(l, operands, lanes, 4, &to)) {
        add_lanes(l, &to, lanes);
    }
}

/* --- Blocks -------------------------------------------------------------- */

INLINE void block_load(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    uint64_t offset = (uint64_t)load32(operands) * 16;

    if (offset + BLOCK_BYTES <= l->bytes) {
        memcpy(l->data, l->memory + offset, BLOCK_BYTES);
    } else {
        memset(l->data, 0, BLOCK_BYTES);
    }
}

INLINE void block_store(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    uint64_t offset = (uint64_t)load32(operands) * 16;

    if (offset + BLOCK_BYTES <= l->bytes) {
        memcpy(l->memory + offset, l->data, BLOCK_BYTES);
    }
}

INLINE void svm_block_load(BenchLoop *l, const uint8_t *operands,
                           unsigned lanes)
{
    Lanes from;

    if (check_addresses(l, operands, 1, BLOCK_BYTES, &from)) {
        memcpy(l->data, l->memory + from.at[0], BLOCK_BYTES);
    }
}

INLINE void svm_block_store(BenchLoop *l, const uint8_t *operands,
                            unsigned lanes)
{
    Lanes to;

    if (check_addresses(l, operands, 1, BLOCK_BYTES, &to)) {
        memcpy(l->memory + to.at[0], l->data, BLOCK_BYTES);
    }
}

/*
 * Returns true if the rectangle at X, Y is within the surface. It is never
 * partly inside.
 */
INLINE bool media_inside(const BenchLoop *l, const uint8_t *operands,
                         uint64_t *at)
{
    uint32_t x = load32(operands);
    uint32_t y = load32(operands + 4);

    *at = (uint64_t)y * l->pitch + x;
    return x <= l->width - MEDIA_WIDTH && y <= l->height - MEDIA_HEIGHT;
}

INLINE void media_load(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    uint64_t at;

    if (!media_inside(l, operands, &at)) {
        memset(l->data, 0, MEDIA_WIDTH * MEDIA_HEIGHT);
        return;
    }
    for (unsigned row = 0; row < MEDIA_HEIGHT; row++) {
        memcpy(l->data + row * MEDIA_WIDTH, l->memory + at + row * l->pitch,
               MEDIA_WIDTH);
    }
}

INLINE void media_store(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    uint64_t at;

    if (!media_inside(l, operands, &at)) {
        return;
    }
    for (unsigned row = 0; row < MEDIA_HEIGHT; row++) {
        memcpy(l->memory + at + row * l->pitch, l->data + row * MEDIA_WIDTH,
               MEDIA_WIDTH);
    }
}

#include "tools/veu-bench/loops-table.inc"
