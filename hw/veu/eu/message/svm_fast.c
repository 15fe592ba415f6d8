/*
 * veu execution unit: the fast paths of SVM GATHER, SCATTER, GATHER4SCALED and
 * SCATTER4SCALED.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/message/fast_path.h"
#include "hw/veu/eu/message/fast_avx512_svm.h"
#include "hw/veu/eu/message/fast_pages.h"
#include "hw/veu/eu/message/fast_pieces.h"
#include "hw/veu/eu/memory/guest_copy.h"

/* Blocks of one byte are grouped by lane; others by block. */
VEU_CLONED bool open_blocks(VeuThread *t, const VeuMessage *m, VeuPieces *p)
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

/* One block of 4 or 8 bytes: everything except the places is constant. */
VEU_CLONED bool open_block(const VeuMessage *m, unsigned bytes, VeuPieces *p)
{
    p->bytes = bytes;
    p->count = 1;
    p->lane_bytes = bytes;
    p->span_bytes = bytes;
    p->base = 0;
    p->memory[0] = 0;
    p->registers[0] = m->data.register_byte;
    return true;
}

VEU_CLONED bool open_dword(VeuThread *t, const VeuMessage *m, VeuPieces *p)
{
    return open_block(m, 4, p);
}

VEU_CLONED bool open_qword(VeuThread *t, const VeuMessage *m, VeuPieces *p)
{
    return open_block(m, 8, p);
}

/* Channels: consecutive dwords, some of which are not moved. */
VEU_CLONED bool open_channels(VeuThread *t, const VeuMessage *m, VeuPieces *p)
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

/* Finds the places of the lanes. Returns false to give up. */
static bool place_lanes(VeuThread *t, const VeuMessage *m, const VeuPieces *p,
                        enum veu_access access, uint8_t *at[VEU_MAX_LANES])
{
    VEU_FOR_EACH_LANE(lane, t->active) {
        uint64_t iova = p->base + veu_lane_qword(t, &m->address, lane);

        if (m->align_bytes && iova % m->align_bytes) {
            return false;
        }
        at[lane] = veu_mem_at(t->mem, iova, p->span_bytes, access);
        if (!at[lane]) {
            return false;
        }
    }
    return true;
}

VEU_CLONED bool finish(VeuThread *t, const VeuPieces *p)
{
    t->moved_bytes = __builtin_popcount(t->active) * p->bytes * p->count;
    return true;
}

static void load_lane(VeuThread *t, const VeuPieces *p, unsigned lane,
                      const uint8_t *at)
{
    for (unsigned i = 0; i < p->count; i++) {
        uint64_t value = p->bytes < 4 ? veu_undefined_dword(t) : 0;

        veu_guest_load(&value, at + p->memory[i], p->bytes);
        memcpy(t->registers + p->registers[i] + lane * p->lane_bytes, &value,
               p->lane_bytes);
    }
}

static bool gather(VeuThread *t, const VeuMessage *m, const VeuPieces *p)
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

/* Lanes are stored in order, so the highest one wins. */
static bool scatter(VeuThread *t, const VeuMessage *m, const VeuPieces *p)
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
        VeuPieces p;                                    \
                                                        \
        return open(t, m, &p) && body(t, m, &p);        \
    }
WAY(gather_blocks, open_blocks, gather)
WAY(scatter_blocks, open_blocks, scatter)
WAY(gather_dword, open_dword, gather)
WAY(scatter_dword, open_dword, scatter)
WAY(gather_qword, open_qword, gather)
WAY(scatter_qword, open_qword, scatter)
WAY(gather_channels, open_channels, gather)
WAY(scatter_channels, open_channels, scatter)

#ifdef VEU_HAS_AVX2

/* Handles lanes in several pages. Returns false if nothing was done. */
VEU_AVX2 bool gather_pages(VeuThread *t, const VeuMessage *m,
                           const VeuPieces *p, unsigned lanes)
{
    VeuTargets from;

    if (!veu_pages_place_pieces(t, m, p, VEU_ACCESS_READ, lanes, &from)) {
        return false;
    }
    for (unsigned i = 0; i < p->count; i++) {
        veu_load_page_lanes(t->registers + p->registers[i], &from, p->memory[i],
                            p->bytes, t->active, lanes, veu_undefined_dword(t));
    }
    return true;
}

VEU_AVX2 bool scatter_pages(VeuThread *t, const VeuMessage *m,
                            const VeuPieces *p, unsigned lanes)
{
    VeuTargets to;

    if (m->element_bytes == 1 ||
        !veu_pages_place_pieces(t, m, p, VEU_ACCESS_WRITE, lanes, &to)) {
        return false;
    }
    veu_note_page_targets(t, t->active, lanes, &to);
    veu_pieces_store_targets(t->registers, p, lanes, &to);
    return true;
}

VEU_AVX2 bool gather_groups(VeuThread *t, const VeuMessage *m,
                            const VeuPieces *p, unsigned lanes)
{
    return veu_pieces_suit_pages(t, m, p, VEU_ACCESS_READ) ?
               gather_pages(t, m, p, lanes) :
               veu_gather_pieces(t, m, p, lanes);
}

VEU_AVX2 bool scatter_groups(VeuThread *t, const VeuMessage *m,
                             const VeuPieces *p, unsigned lanes)
{
    return veu_pieces_suit_pages(t, m, p, VEU_ACCESS_WRITE) ?
               scatter_pages(t, m, p, lanes) :
               veu_scatter_pieces(t, m, p, lanes);
}

/*
 * @way handles uncommon lanes. It opens the pieces again: the pieces of the
 * groups are passed to no other function, so that their constants stay
 * constants.
 */
#define BY_LANES(way, open, groups, lanes)                          \
    VEU_TARGET_AVX2 static bool way##_##lanes(VeuThread *t,         \
                                              const VeuMessage *m)  \
    {                                                               \
        VeuPieces p;                                                \
                                                                    \
        if (!open(t, m, &p)) {                                      \
            return false;                                           \
        }                                                           \
        return groups(t, m, &p, lanes) ? finish(t, &p) : way(t, m); \
    }
BY_LANES(gather_blocks, open_blocks, gather_groups, 8)
BY_LANES(gather_blocks, open_blocks, gather_groups, 16)
BY_LANES(scatter_blocks, open_blocks, scatter_groups, 8)
BY_LANES(scatter_blocks, open_blocks, scatter_groups, 16)
BY_LANES(gather_dword, open_dword, gather_groups, 8)
BY_LANES(gather_dword, open_dword, gather_groups, 16)
BY_LANES(gather_qword, open_qword, gather_groups, 8)
BY_LANES(gather_qword, open_qword, gather_groups, 16)
BY_LANES(scatter_dword, open_dword, scatter_groups, 8)
BY_LANES(scatter_dword, open_dword, scatter_groups, 16)
BY_LANES(scatter_qword, open_qword, scatter_groups, 8)
BY_LANES(scatter_qword, open_qword, scatter_groups, 16)
BY_LANES(gather_channels, open_channels, gather_groups, 8)
BY_LANES(gather_channels, open_channels, gather_groups, 16)
BY_LANES(scatter_channels, open_channels, scatter_groups, 8)
BY_LANES(scatter_channels, open_channels, scatter_groups, 16)

/* Tries the extent that was found last, then the first lane's extent. */
#define WIDE(way, access)                                                    \
    VEU_TARGET_AVX512 static                                                 \
        __attribute__((noinline)) bool wide_##way##_any(VeuThread *t,        \
                                                        const VeuMessage *m) \
    {                                                                        \
        return (!t->mem->host_pages && veu_wide_look(t, m, access) &&        \
                veu_wide_##way(t, m)) ||                                     \
               way##_16(t, m);                                               \
    }                                                                        \
    VEU_TARGET_AVX512 static bool wide_##way(VeuThread *t,                   \
                                             const VeuMessage *m)            \
    {                                                                        \
        return veu_wide_##way(t, m) || wide_##way##_any(t, m);               \
    }
WIDE(gather_dword, VEU_ACCESS_READ)
WIDE(scatter_dword, VEU_ACCESS_WRITE)

#else
#define gather_blocks_8     gather_blocks
#define gather_blocks_16    gather_blocks
#define scatter_blocks_8    scatter_blocks
#define scatter_blocks_16   scatter_blocks
#define gather_dword_8      gather_dword
#define gather_dword_16     gather_dword
#define gather_qword_8      gather_qword
#define gather_qword_16     gather_qword
#define scatter_dword_8     scatter_dword
#define scatter_dword_16    scatter_dword
#define scatter_qword_8     scatter_qword
#define scatter_qword_16    scatter_qword
#define gather_channels_8   gather_channels
#define gather_channels_16  gather_channels
#define scatter_channels_8  scatter_channels
#define scatter_channels_16 scatter_channels
#define wide_gather_dword   gather_dword
#define wide_scatter_dword  scatter_dword
#endif

#define TABLE(way) VEU_FAST_TABLE(way##_ways, way, way##_8, way##_16, NULL)
#define WIDE_TABLE(way)                                                       \
    VEU_FAST_TABLE_WIDE(way##_ways, way, way##_8, way##_16, NULL, wide_##way, \
                        NULL)
TABLE(gather_blocks);
TABLE(scatter_blocks);
WIDE_TABLE(gather_dword);
WIDE_TABLE(scatter_dword);
TABLE(gather_qword);
TABLE(scatter_qword);
TABLE(gather_channels);
TABLE(scatter_channels);

/* The size of the block if each lane has one block of 4 or 8 bytes, else 0. */
static unsigned only_block(const VeuMessage *m)
{
    return m->blocks == 1 && m->element_bytes >= 4 ? m->element_bytes : 0;
}

VeuFast *veu_fast_svm_gather(const VeuMessage *m)
{
    unsigned bytes = only_block(m);

    return veu_fast_pick(bytes == 4 ? gather_dword_ways :
                         bytes == 8 ? gather_qword_ways :
                                      gather_blocks_ways,
                         m);
}

VeuFast *veu_fast_svm_scatter(const VeuMessage *m)
{
    unsigned bytes = only_block(m);

    return veu_fast_pick(bytes == 4 ? scatter_dword_ways :
                         bytes == 8 ? scatter_qword_ways :
                                      scatter_blocks_ways,
                         m);
}

VeuFast *veu_fast_svm_gather4(const VeuMessage *m)
{
    return veu_fast_pick(gather_channels_ways, m);
}

VeuFast *veu_fast_svm_scatter4(const VeuMessage *m)
{
    return veu_fast_pick(scatter_channels_ways, m);
}
