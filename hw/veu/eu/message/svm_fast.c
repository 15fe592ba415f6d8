/*
 * veu execution unit: the fast paths of SVM GATHER, SCATTER, GATHER4SCALED,
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

    if (!veu_fast_scalar(t, &m->global_offset, &p->base)) {
        return false;
    }
    p->base += lowest;
    p->bytes = 4;
    p->span_bytes = 0;
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
        at[lane] = veu_mem_lane_at(t->mem, iova, p->span_bytes, access);
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

static bool gather_blocks(VeuThread *t, const VeuMessage *m)
{
    VeuPieces p;

    return open_blocks(t, m, &p) && gather(t, m, &p);
}

static bool gather_dword(VeuThread *t, const VeuMessage *m)
{
    VeuPieces p;

    return open_dword(t, m, &p) && gather(t, m, &p);
}

static bool gather_qword(VeuThread *t, const VeuMessage *m)
{
    VeuPieces p;

    return open_qword(t, m, &p) && gather(t, m, &p);
}

static bool gather_channels(VeuThread *t, const VeuMessage *m)
{
    VeuPieces p;

    return open_channels(t, m, &p) && gather(t, m, &p);
}

static bool scatter_blocks(VeuThread *t, const VeuMessage *m)
{
    VeuPieces p;

    return open_blocks(t, m, &p) && scatter(t, m, &p);
}

static bool scatter_dword(VeuThread *t, const VeuMessage *m)
{
    VeuPieces p;

    return open_dword(t, m, &p) && scatter(t, m, &p);
}

static bool scatter_qword(VeuThread *t, const VeuMessage *m)
{
    VeuPieces p;

    return open_qword(t, m, &p) && scatter(t, m, &p);
}

static bool scatter_channels(VeuThread *t, const VeuMessage *m)
{
    VeuPieces p;

    return open_channels(t, m, &p) && scatter(t, m, &p);
}

#ifdef VEU_HAS_AVX2

VEU_CLONED uint64_t lane_address(const VeuThread *t, const VeuMessage *m,
                                 uint64_t base, unsigned lane)
{
    uint64_t address;

    memcpy(&address,
           t->registers + m->address.register_byte + lane * sizeof(address),
           sizeof(address));
    return base + address;
}

/*
 * Returns true if an extent that was not used last may have all lanes. In a
 * context with page tables, only a page of 2 MiB is likely to: one that is
 * known, and has the first and the last lane.
 */
VEU_CLONED bool may_share_extent(const VeuThread *t, const VeuMessage *m,
                                 uint64_t base, enum veu_access access)
{
    const VeuHostPages *pages = t->mem->host_pages;
    uint64_t needs = access == VEU_ACCESS_WRITE ? VEU_HOST_PAGE_WRITE :
                                                  VEU_HOST_PAGE_READ;
    uint64_t first, last;

    if (!pages || !__atomic_load_n(&pages->has_parts, __ATOMIC_RELAXED)) {
        return !pages;
    }
    first = lane_address(t, m, base, __builtin_ctz(t->active));
    last = lane_address(t, m, base, 31 - __builtin_clz(t->active));
    return !((first ^ last) >> VEU_MEM_BLOCK_BITS) &&
           (veu_host_page_find(pages, first, 1, needs) & VEU_HOST_PAGE_PART);
}

/* The extent that all lanes may be in, or NULL. */
VEU_CLONED const VeuExtent *find_extent(VeuThread *t, const VeuMessage *m,
                                        const VeuPieces *p,
                                        enum veu_access access)
{
    const VeuExtent *last = &t->mem->kept[access == VEU_ACCESS_WRITE].last;
    uint64_t first = lane_address(t, m, p->base, __builtin_ctz(t->active));

    return veu_extent_has(last, first, p->span_bytes) ?
               last :
           may_share_extent(t, m, p->base, access) ?
               veu_mem_look(t->mem, first, p->span_bytes, access) :
               NULL;
}

/*
 * Finds all lanes, in one extent or each in a page of its own, and marks the
 * pages that they write. Returns false to refuse the message.
 */
VEU_AVX2 bool place_groups(VeuThread *t, const VeuMessage *m,
                           const VeuPieces *p, enum veu_access access,
                           unsigned lanes, VeuTargets *to)
{
    const VeuExtent *extent = find_extent(t, m, p, access);

    if (!extent || !veu_pieces_place(t, m, p, extent, access, lanes, to)) {
        return t->mem->host_pages &&
               veu_pages_place_pieces(t, m, p, access, lanes, to);
    }
    if (access == VEU_ACCESS_WRITE) {
        veu_targets_note(t, extent, t->active, lanes, to);
    }
    return true;
}

VEU_AVX2 bool gather_one(VeuThread *t, const VeuMessage *m, const VeuPieces *p,
                         unsigned lanes)
{
    VeuTargets from;

    if (!place_groups(t, m, p, VEU_ACCESS_READ, lanes, &from)) {
        return false;
    }
    for (unsigned i = 0; i < p->count; i++) {
        veu_targets_load(t->registers + p->registers[i], &from, p->memory[i],
                         p->bytes, t->active, lanes, veu_undefined_dword(t));
    }
    return true;
}

#define STORE_PIECES(type)                                                 \
    for (unsigned lane = 0; lane < lanes; lane++) {                        \
        for (unsigned i = 0; i < p->count; i++) {                          \
            type value;                                                    \
                                                                           \
            memcpy(&value,                                                 \
                   t->registers + p->registers[i] + lane * sizeof(value),  \
                   sizeof(value));                                         \
            __atomic_store_n((type *)(to->at[lane] + p->memory[i]), value, \
                             __ATOMIC_RELAXED);                            \
        }                                                                  \
    }

/* Lane by lane, because pieces of two lanes may overlap. */
VEU_CLONED void store_pieces(const VeuThread *t, const VeuPieces *p,
                             unsigned lanes, const VeuTargets *to)
{
    if (p->bytes == 8) {
        STORE_PIECES(uint64_t)
    } else {
        STORE_PIECES(uint32_t)
    }
}

VEU_AVX2 bool scatter_one(VeuThread *t, const VeuMessage *m, const VeuPieces *p,
                          unsigned lanes)
{
    VeuTargets to;

    if (m->element_bytes == 1 ||
        !place_groups(t, m, p, VEU_ACCESS_WRITE, lanes, &to)) {
        return false;
    }
    store_pieces(t, p, lanes, &to);
    return true;
}

typedef bool OpenPieces(VeuThread *t, const VeuMessage *m, VeuPieces *p);
typedef bool MovePieces(VeuThread *t, const VeuMessage *m, const VeuPieces *p,
                        unsigned lanes);

/* Executes a message, and those that follow it. Each has its own pieces. */
VEU_AVX2 bool move_each(VeuThread *t, const VeuMessage *m, unsigned lanes,
                        OpenPieces *open, MovePieces *move)
{
    VeuFollow f = veu_follow_open(t, m);
    uint32_t moved_bytes = 0;
    VeuPieces p;

    while (open(t, f.m, &p) && move(t, f.m, &p, lanes)) {
        moved_bytes += veu_lane_count(t->active) * p.bytes * p.count;
        if (!veu_follow_next(&f)) {
            break;
        }
    }
    return veu_follow_finish(t, m, f.m, moved_bytes);
}

VEU_TARGET_AVX2 static bool gather_blocks_avx2(VeuThread *t,
                                               const VeuMessage *m)
{
    return (m->lanes == 16 && move_each(t, m, 16, open_blocks, gather_one)) ||
           (m->lanes == 8 && move_each(t, m, 8, open_blocks, gather_one)) ||
           gather_blocks(t, m);
}

VEU_TARGET_AVX2 static bool gather_dword_avx2(VeuThread *t, const VeuMessage *m)
{
    return (m->lanes == 16 && move_each(t, m, 16, open_dword, gather_one)) ||
           (m->lanes == 8 && move_each(t, m, 8, open_dword, gather_one)) ||
           gather_dword(t, m);
}

VEU_TARGET_AVX2 static bool gather_qword_avx2(VeuThread *t, const VeuMessage *m)
{
    return (m->lanes == 16 && move_each(t, m, 16, open_qword, gather_one)) ||
           (m->lanes == 8 && move_each(t, m, 8, open_qword, gather_one)) ||
           gather_qword(t, m);
}

VEU_TARGET_AVX2 static bool gather_channels_avx2(VeuThread *t,
                                                 const VeuMessage *m)
{
    return (m->lanes == 16 && move_each(t, m, 16, open_channels, gather_one)) ||
           (m->lanes == 8 && move_each(t, m, 8, open_channels, gather_one)) ||
           gather_channels(t, m);
}

VEU_TARGET_AVX2 static bool scatter_blocks_avx2(VeuThread *t,
                                                const VeuMessage *m)
{
    return (m->lanes == 16 && move_each(t, m, 16, open_blocks, scatter_one)) ||
           (m->lanes == 8 && move_each(t, m, 8, open_blocks, scatter_one)) ||
           scatter_blocks(t, m);
}

VEU_TARGET_AVX2 static bool scatter_dword_avx2(VeuThread *t,
                                               const VeuMessage *m)
{
    return (m->lanes == 16 && move_each(t, m, 16, open_dword, scatter_one)) ||
           (m->lanes == 8 && move_each(t, m, 8, open_dword, scatter_one)) ||
           scatter_dword(t, m);
}

VEU_TARGET_AVX2 static bool scatter_qword_avx2(VeuThread *t,
                                               const VeuMessage *m)
{
    return (m->lanes == 16 && move_each(t, m, 16, open_qword, scatter_one)) ||
           (m->lanes == 8 && move_each(t, m, 8, open_qword, scatter_one)) ||
           scatter_qword(t, m);
}

VEU_TARGET_AVX2 static bool scatter_channels_avx2(VeuThread *t,
                                                  const VeuMessage *m)
{
    return (m->lanes == 16 &&
            move_each(t, m, 16, open_channels, scatter_one)) ||
           (m->lanes == 8 && move_each(t, m, 8, open_channels, scatter_one)) ||
           scatter_channels(t, m);
}

/* Tries the extent that was found last, then the first lane's extent. */
VEU_AVX512 bool gather_dwords(VeuThread *t, const VeuMessage *m, unsigned lanes)
{
    return veu_avx512_gather_dword(t, m, lanes) ||
           (may_share_extent(t, m, 0, VEU_ACCESS_READ) &&
            veu_avx512_look(t, m, VEU_ACCESS_READ) &&
            veu_avx512_gather_dword(t, m, lanes));
}

VEU_AVX512 bool scatter_dwords(VeuThread *t, const VeuMessage *m,
                               unsigned lanes)
{
    return veu_avx512_scatter_dword(t, m, lanes) ||
           (may_share_extent(t, m, 0, VEU_ACCESS_WRITE) &&
            veu_avx512_look(t, m, VEU_ACCESS_WRITE) &&
            veu_avx512_scatter_dword(t, m, lanes));
}

VEU_TARGET_AVX512 static bool gather_dword_avx512(VeuThread *t,
                                                  const VeuMessage *m)
{
    return (m->lanes == 16 && gather_dwords(t, m, 16)) ||
           (m->lanes == 8 && gather_dwords(t, m, 8)) || gather_dword_avx2(t, m);
}

VEU_TARGET_AVX512 static bool scatter_dword_avx512(VeuThread *t,
                                                   const VeuMessage *m)
{
    return (m->lanes == 16 && scatter_dwords(t, m, 16)) ||
           (m->lanes == 8 && scatter_dwords(t, m, 8)) ||
           scatter_dword_avx2(t, m);
}

#endif

static VeuFastTable gather_blocks_levels = {
    [VEU_CPU_SCALAR] = gather_blocks,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = gather_blocks_avx2,
#endif
};

static VeuFastTable gather_dword_levels = {
    [VEU_CPU_SCALAR] = gather_dword,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = gather_dword_avx2,
    [VEU_CPU_AVX512] = gather_dword_avx512,
#endif
};

static VeuFastTable gather_qword_levels = {
    [VEU_CPU_SCALAR] = gather_qword,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = gather_qword_avx2,
#endif
};

static VeuFastTable gather_channels_levels = {
    [VEU_CPU_SCALAR] = gather_channels,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = gather_channels_avx2,
#endif
};

static VeuFastTable scatter_blocks_levels = {
    [VEU_CPU_SCALAR] = scatter_blocks,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = scatter_blocks_avx2,
#endif
};

static VeuFastTable scatter_dword_levels = {
    [VEU_CPU_SCALAR] = scatter_dword,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = scatter_dword_avx2,
    [VEU_CPU_AVX512] = scatter_dword_avx512,
#endif
};

static VeuFastTable scatter_qword_levels = {
    [VEU_CPU_SCALAR] = scatter_qword,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = scatter_qword_avx2,
#endif
};

static VeuFastTable scatter_channels_levels = {
    [VEU_CPU_SCALAR] = scatter_channels,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = scatter_channels_avx2,
#endif
};

/* The size of the block if each lane has one block of 4 or 8 bytes, else 0. */
static unsigned only_block(const VeuMessage *m)
{
    return m->blocks == 1 && m->element_bytes >= 4 ? m->element_bytes : 0;
}

VeuFast *veu_fast_svm_gather(const VeuMessage *m)
{
    unsigned bytes = only_block(m);

    return veu_fast_pick(bytes == 4 ? gather_dword_levels :
                         bytes == 8 ? gather_qword_levels :
                                      gather_blocks_levels,
                         m);
}

VeuFast *veu_fast_svm_scatter(const VeuMessage *m)
{
    unsigned bytes = only_block(m);

    return veu_fast_pick(bytes == 4 ? scatter_dword_levels :
                         bytes == 8 ? scatter_qword_levels :
                                      scatter_blocks_levels,
                         m);
}

VeuFast *veu_fast_svm_gather4(const VeuMessage *m)
{
    return veu_fast_pick(gather_channels_levels, m);
}

VeuFast *veu_fast_svm_scatter4(const VeuMessage *m)
{
    return veu_fast_pick(scatter_channels_levels, m);
}
