/*
 * veu execution unit: the fast ways of SVM GATHER, SCATTER, GATHER4SCALED,
 * SCATTER4SCALED.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/fast.h"
#include "hw/veu/eu/fast_avx2.h"
#include "hw/veu/eu/guest_copy.h"

#define MAX_PIECES 8

/*
 * What a lane moves: pieces of one size, at these bytes from its address and in
 * the registers of lane 0.
 */
typedef struct Pieces {
    unsigned bytes; /* of a piece: 1, 2, 4, 8 */
    unsigned count;
    unsigned lane_bytes; /* registers from one lane to the next */
    unsigned span_bytes; /* memory from the address to the last piece's end */
    uint64_t base;       /* is added to addresses */
    uint8_t memory[MAX_PIECES];
    uint32_t registers[MAX_PIECES];
} Pieces;

/* Blocks of one byte stand together in a lane; others by block. */
VEU_CLONED bool open_blocks(VeuThread *t, const VeuMessage *m, Pieces *p)
{
    bool is_bytes = m->element_bytes == 1;

    p->bytes = is_bytes ? m->blocks : m->element_bytes;
    p->count = is_bytes ? 1 : m->blocks;
    p->lane_bytes = p->bytes < 4 ? 4 : p->bytes;
    p->span_bytes = p->bytes * p->count;
    p->base = 0;
    for (unsigned j = 0; j < p->count; j++) {
        p->memory[j] = j * p->bytes;
        p->registers[j] = m->data.register_byte + j * m->lanes * p->bytes;
    }
    return true;
}

/* Channels: dwords in a row, of which some are not moved. */
VEU_CLONED bool open_channels(VeuThread *t, const VeuMessage *m, Pieces *p)
{
    unsigned lowest = __builtin_ctz(m->channels) * 4;

    if (!veu_window_scalar(t, &m->global_offset, &p->base)) {
        return false;
    }
    p->base += lowest;
    p->bytes = 4;
    p->count = 0;
    p->lane_bytes = 4;
    VEU_FOR_EACH_LANE(c, m->channels) {
        p->memory[p->count] = c * 4 - lowest;
        p->registers[p->count] = m->data.register_byte +
                                 p->count * m->channel_stride * 4;
        p->span_bytes = c * 4 - lowest + 4;
        p->count++;
    }
    return true;
}

/* Where the lanes go; false: give up. */
static bool place_lanes(VeuThread *t, const VeuMessage *m, const Pieces *p,
                        enum veu_access access, uint8_t *at[VEU_MAX_LANES])
{
    VEU_FOR_EACH_LANE(lane, t->active) {
        uint64_t iova = p->base + veu_lane_qword(t, &m->address, lane);
        const VeuExtent *e;

        if (m->align_bytes && iova % m->align_bytes) {
            return false;
        }
        e = veu_mem_find(t->mem, iova, p->span_bytes, access);
        if (!e) {
            return false;
        }
        at[lane] = e->host + (iova - e->iova);
        if (access == VEU_ACCESS_WRITE) {
            veu_mem_note(t->mem, e, at[lane], p->span_bytes);
        }
    }
    return true;
}

static bool finish(VeuThread *t, const Pieces *p)
{
    t->moved_bytes = __builtin_popcount(t->active) * p->bytes * p->count;
    return true;
}

/* What the upper bytes of small elements are. */
static uint32_t undefined_dword(const VeuThread *t)
{
    return t->config->undefined * UINT32_C(0x01010101);
}

static void load_lane(VeuThread *t, const Pieces *p, unsigned lane,
                      const uint8_t *at)
{
    for (unsigned i = 0; i < p->count; i++) {
        uint64_t value = p->bytes < 4 ? undefined_dword(t) : 0;

        veu_guest_load(&value, at + p->memory[i], p->bytes);
        memcpy(t->registers + p->registers[i] + lane * p->lane_bytes, &value,
               p->lane_bytes);
    }
}

static bool gather(VeuThread *t, const VeuMessage *m, const Pieces *p)
{
    uint8_t *at[VEU_MAX_LANES];

    if (!place_lanes(t, m, p, VEU_ACCESS_READ, at)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        load_lane(t, p, lane, at[lane]);
    }
    return finish(t, p);
}

/* In the order of the lanes: the highest one wins. */
static bool scatter(VeuThread *t, const VeuMessage *m, const Pieces *p)
{
    uint8_t *at[VEU_MAX_LANES];

    if (!place_lanes(t, m, p, VEU_ACCESS_WRITE, at)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        for (unsigned i = 0; i < p->count; i++) {
            veu_guest_store(at[lane] + p->memory[i],
                            t->registers + p->registers[i] +
                                lane * p->lane_bytes,
                            p->bytes);
        }
    }
    return finish(t, p);
}

#define WAY(name, open, body)                           \
    static bool name(VeuThread *t, const VeuMessage *m) \
    {                                                   \
        Pieces p;                                       \
                                                        \
        return open(t, m, &p) && body(t, m, &p);        \
    }
WAY(gather_blocks, open_blocks, gather)
WAY(scatter_blocks, open_blocks, scatter)
WAY(gather_channels, open_channels, gather)
WAY(scatter_channels, open_channels, scatter)

#ifdef VEU_HAS_AVX2

/* Lanes that are in one extent, 4 by 4. */
typedef struct Lanes {
    const VeuExtent *extent;
    __m256i on[4];
    __m256i at[4]; /* from the beginning of the extent */
} Lanes;

/* Where @a > @b, unsigned. */
VEU_AVX2 __m256i half_group_above(__m256i a, uint64_t b)
{
    const __m256i sign = _mm256_set1_epi64x(INT64_MIN);

    return _mm256_cmpgt_epi64(_mm256_xor_si256(a, sign),
                              _mm256_set1_epi64x(b ^ UINT64_C(1) << 63));
}

/*
 * False: a lane is not aligned, or has not @bytes in the extent of the first
 * one. There is a lane that runs.
 */
VEU_AVX2 bool find_lanes(VeuThread *t, const VeuMessage *m, const Pieces *p,
                         enum veu_access access, unsigned bytes, unsigned lanes,
                         Lanes *l)
{
    const uint8_t *addresses = t->registers + m->address.register_byte;
    __m256i mask = _mm256_set1_epi64x(m->align_bytes ? m->align_bytes - 1 : 0);
    __m256i bad = _mm256_setzero_si256();
    uint64_t first = p->base +
                     veu_lane_qword(t, &m->address, __builtin_ctz(t->active));
    __m256i base;

    l->extent = veu_mem_find(t->mem, first, bytes, access);
    if (!l->extent) {
        return false;
    }
    base = _mm256_set1_epi64x(p->base - l->extent->iova);
    mask = _mm256_set1_epi64x(m->align_bytes ? m->align_bytes - 1 : 0);
    for (unsigned i = 0; i < lanes / 4; i++) {
        __m256i iova = veu_load_group(addresses + i * 32);

        l->on[i] = veu_half_group_of(t->active >> (i * 4));
        l->at[i] = _mm256_add_epi64(iova, base);
        iova = _mm256_add_epi64(iova, _mm256_set1_epi64x(p->base));
        bad = _mm256_or_si256(
            bad,
            _mm256_and_si256(l->on[i],
                             _mm256_or_si256(_mm256_and_si256(iova, mask),
                                             half_group_above(l->at[i],
                                                              l->extent->bytes -
                                                                  bytes))));
    }
    return _mm256_testz_si256(bad, bad);
}

/* The low dwords of qwords. */
VEU_AVX2 __m128i low_dwords(__m256i qwords)
{
    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);

    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(qwords, even));
}

VEU_AVX2 void gather_dwords(VeuThread *t, const Pieces *p, const Lanes *l,
                            unsigned i, unsigned piece)
{
    uint32_t element = UINT32_MAX >> (32 - 8 * p->bytes);
    __m128i on = low_dwords(l->on[i]);
    __m128i *to = (__m128i *)(t->registers + p->registers[piece] + i * 16);
    __m128i value = _mm256_mask_i64gather_epi32(
        _mm_setzero_si128(), (const int *)(l->extent->host + p->memory[piece]),
        l->at[i], on, 1);

    value = _mm_and_si128(value, _mm_set1_epi32(element));
    value = _mm_or_si128(value, _mm_set1_epi32(undefined_dword(t) & ~element));
    _mm_storeu_si128(to, _mm_blendv_epi8(_mm_loadu_si128(to), value, on));
}

VEU_AVX2 void gather_qwords(VeuThread *t, const Pieces *p, const Lanes *l,
                            unsigned i, unsigned piece)
{
    __m256i value = _mm256_mask_i64gather_epi64(
        _mm256_setzero_si256(),
        (const long long *)(l->extent->host + p->memory[piece]), l->at[i],
        l->on[i], 1);

    veu_store_group(t->registers + p->registers[piece] + i * 32, value,
                    l->on[i]);
}

/* Of small elements whole dwords are read. */
VEU_AVX2 bool gather_groups(VeuThread *t, const VeuMessage *m, const Pieces *p,
                            unsigned lanes)
{
    unsigned bytes = p->span_bytes < 4 ? 4 : p->span_bytes;
    Lanes l;

    if (!find_lanes(t, m, p, VEU_ACCESS_READ, bytes, lanes, &l)) {
        return gather(t, m, p);
    }
    for (unsigned piece = 0; piece < p->count; piece++) {
        for (unsigned i = 0; i < lanes / 4; i++) {
            if (p->bytes == 8) {
                gather_qwords(t, p, &l, i, piece);
            } else {
                gather_dwords(t, p, &l, i, piece);
            }
        }
    }
    return finish(t, p);
}

/* False: a lane is in two pages. */
VEU_AVX2 bool target_lanes(const Pieces *p, const Lanes *l, unsigned lanes,
                           VeuTargets *to)
{
    __m256i host = _mm256_set1_epi64x((uintptr_t)l->extent->host);
    __m256i crosses = _mm256_setzero_si256();

    for (unsigned i = 0; i < lanes / 4; i++) {
        __m256i at = veu_set_targets(to, i * 4, l->extent->noted,
                                     _mm256_add_epi64(host, l->at[i]),
                                     l->on[i]);

        crosses = _mm256_or_si256(crosses, veu_crosses_page(at, p->span_bytes));
    }
    return _mm256_testz_si256(crosses, crosses);
}

#define STORE_LANES(type)                                                 \
    for (unsigned lane = 0; lane < lanes; lane++) {                       \
        for (unsigned i = 0; i < p->count; i++) {                         \
            VEU_STORE(type, to->at[lane] + p->memory[i],                  \
                      registers + p->registers[i] + lane * sizeof(type)); \
        }                                                                 \
    }

VEU_CLONED void store_targets(const uint8_t *registers, const Pieces *p,
                              unsigned lanes, const VeuTargets *to)
{
    if (p->bytes == 8) {
        STORE_LANES(uint64_t)
    } else {
        STORE_LANES(uint32_t)
    }
}

VEU_AVX2 bool scatter_groups(VeuThread *t, const VeuMessage *m, const Pieces *p,
                             unsigned lanes)
{
    VeuTargets to;
    Lanes l;

    if (m->element_bytes == 1 ||
        !find_lanes(t, m, p, VEU_ACCESS_WRITE, p->span_bytes, lanes, &l) ||
        !target_lanes(p, &l, lanes, &to)) {
        return scatter(t, m, p);
    }
    if (l.extent->noted) {
        veu_list_targets(t, l.extent, t->active, &to);
        veu_note_targets(&to, lanes);
    }
    store_targets(t->registers, p, lanes, &to);
    return finish(t, p);
}

#define BY_LANES(name, open, body, lanes)                               \
    VEU_TARGET_AVX2 static bool name(VeuThread *t, const VeuMessage *m) \
    {                                                                   \
        Pieces p;                                                       \
                                                                        \
        return open(t, m, &p) && body(t, m, &p, lanes);                 \
    }
BY_LANES(gather_blocks_8, open_blocks, gather_groups, 8)
BY_LANES(gather_blocks_16, open_blocks, gather_groups, 16)
BY_LANES(scatter_blocks_8, open_blocks, scatter_groups, 8)
BY_LANES(scatter_blocks_16, open_blocks, scatter_groups, 16)
BY_LANES(gather_channels_8, open_channels, gather_groups, 8)
BY_LANES(gather_channels_16, open_channels, gather_groups, 16)
BY_LANES(scatter_channels_8, open_channels, scatter_groups, 8)
BY_LANES(scatter_channels_16, open_channels, scatter_groups, 16)

#else
#define gather_blocks_8     gather_blocks
#define gather_blocks_16    gather_blocks
#define scatter_blocks_8    scatter_blocks
#define scatter_blocks_16   scatter_blocks
#define gather_channels_8   gather_channels
#define gather_channels_16  gather_channels
#define scatter_channels_8  scatter_channels
#define scatter_channels_16 scatter_channels
#endif

#define CHOOSER(name, way)                                   \
    VeuFast *name(const VeuMessage *m)                       \
    {                                                        \
        VEU_FAST_TABLE(table, way, way##_8, way##_16, NULL); \
                                                             \
        return veu_fast_pick(table, m);                      \
    }
CHOOSER(veu_fast_svm_gather, gather_blocks)
CHOOSER(veu_fast_svm_scatter, scatter_blocks)
CHOOSER(veu_fast_svm_gather4, gather_channels)
CHOOSER(veu_fast_svm_scatter4, scatter_channels)
