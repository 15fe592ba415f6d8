/*
 * veu execution unit: fast paths through messages to the SLM of kernels.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * In programs of instructions, only the low 16 bits of a lane's or a block's
 * offset count (docs/spec.md, 17.4), so these functions use wrapped offsets.
 * SLM is contiguous and in no extent, and only one slice at a time runs the
 * group that owns it, so elements are plain memory here.
 */
#include <string.h>
#include "hw/veu/eu/message/atomic.h"
#include "hw/veu/eu/message/fast_path.h"
#include "hw/veu/eu/message/message.h"

#define OFFSETS      UINT16_MAX
#define MAX_CHANNELS 4
#define DWORD_BYTES  4

typedef uint64_t __attribute__((aligned(1), may_alias)) Qword;

/* The lanes that are inside, and their places; other lanes are at 0. */
typedef struct SlmLanes {
    uint32_t inside;
    VEU_ALIGNED_LANES uint32_t at[VEU_MAX_LANES];
} SlmLanes;

/*
 * Places @bytes at each lane's offset << @shift. Returns false to give up: if
 * an offset is not aligned, or if a lane has no SLM.
 */
VEU_CLONED bool place_lanes(VeuThread *t, const VeuMessage *m, unsigned lanes,
                            unsigned shift, unsigned bytes, SlmLanes *l)
{
    const VeuWord *offsets = (const VeuWord *)(t->registers +
                                               m->address.register_byte);
    uint32_t active = t->active, last = t->slm_bytes - bytes;
    uint32_t low_bits = 0, inside = 0;
    uint64_t global;

    if (t->slm_bytes < bytes ||
        !veu_fast_scalar(t, &m->global_offset, &global)) {
        return false;
    }
    for (unsigned i = 0; i < lanes; i++) {
        uint32_t offset = ((uint32_t)global + offsets[i]) << shift & OFFSETS;
        uint32_t is_active = -(active >> i & 1);
        uint32_t is_in = -(uint32_t)(offset <= last) & is_active;

        low_bits |= offset & is_active;
        inside |= is_in & 1u << i;
        l->at[i] = offset & is_in;
    }
    l->inside = inside;
    return !m->align_bytes || low_bits % m->align_bytes == 0;
}

/* --- Elements ------------------------------------------------------------- */

/* A lane out of bounds reads 0; the bytes above the element are undefined. */
#define LOAD_LANES(element, word)                                    \
    do {                                                             \
        VEU_ALIGNED_LANES word value[VEU_MAX_LANES];                 \
        word *to = (word *)(t->registers + m->data.register_byte);   \
                                                                     \
        for (unsigned i = 0; i < lanes; i++) {                       \
            element e;                                               \
                                                                     \
            memcpy(&e, t->slm + l->at[i], sizeof(e));                \
            value[i] = (e & -(element)(l->inside >> i & 1)) | above; \
        }                                                            \
        for (unsigned i = 0; i < lanes; i++) {                       \
            to[i] = t->active >> i & 1 ? value[i] : to[i];           \
        }                                                            \
    } while (0)

VEU_CLONED void load_lanes(VeuThread *t, const VeuMessage *m, unsigned lanes,
                           const SlmLanes *l)
{
    uint32_t above = m->element_bytes < 4 ?
                         veu_undefined_dword(t) << 8 * m->element_bytes :
                         0;

    switch (m->element_bytes) {
    case 1:
        LOAD_LANES(uint8_t, VeuWord);
        break;
    case 2:
        LOAD_LANES(uint16_t, VeuWord);
        break;
    case 4:
        LOAD_LANES(uint32_t, VeuWord);
        break;
    default:
        LOAD_LANES(uint64_t, Qword);
        break;
    }
}

/* Lanes are stored in order, so the highest one wins. */
#define STORE_LANES(element, word)                                \
    do {                                                          \
        const word *from = (const word *)(t->registers +          \
                                          m->data.register_byte); \
                                                                  \
        VEU_FOR_EACH_LANE(lane, l->inside) {                      \
            element e = from[lane];                               \
                                                                  \
            memcpy(t->slm + l->at[lane], &e, sizeof(e));          \
        }                                                         \
    } while (0)

VEU_CLONED void store_lanes(VeuThread *t, const VeuMessage *m, unsigned lanes,
                            const SlmLanes *l)
{
    switch (m->element_bytes) {
    case 1:
        STORE_LANES(uint8_t, VeuWord);
        break;
    case 2:
        STORE_LANES(uint16_t, VeuWord);
        break;
    case 4:
        STORE_LANES(uint32_t, VeuWord);
        break;
    default:
        STORE_LANES(uint64_t, Qword);
        break;
    }
}

typedef void MoveLanes(VeuThread *t, const VeuMessage *m, unsigned lanes,
                       const SlmLanes *l);

VEU_CLONED bool move_elements(VeuThread *t, const VeuMessage *m, unsigned lanes,
                              MoveLanes *move)
{
    unsigned shift = m->info->unit == VEU_UNIT_ELEMENT ?
                         __builtin_ctz(m->element_bytes) :
                         0;
    SlmLanes l;

    if (!place_lanes(t, m, lanes, shift, m->element_bytes, &l)) {
        return false;
    }
    move(t, m, lanes, &l);
    t->moved_bytes = veu_lane_count(l.inside) * m->element_bytes;
    return true;
}

/* --- Channels ------------------------------------------------------------- */

/*
 * Handles lanes whose channels are all inside; other lanes need the general
 * path.
 */
VEU_CLONED void load_channels(VeuThread *t, const VeuMessage *m, unsigned lanes,
                              const SlmLanes *l)
{
    VEU_FOR_EACH_LANE(c, m->channels) {
        VeuWord *to = (VeuWord *)(t->registers + m->data.register_byte) +
                      m->first_lane[c];

        for (unsigned i = 0; i < lanes; i++) {
            uint32_t dword;

            memcpy(&dword, t->slm + l->at[i] + c * DWORD_BYTES, sizeof(dword));
            to[i] = t->active >> i & 1 ? dword : to[i];
        }
    }
}

VEU_CLONED void store_channels(VeuThread *t, const VeuMessage *m,
                               unsigned lanes, const SlmLanes *l)
{
    VEU_FOR_EACH_LANE(lane, l->inside) {
        VEU_FOR_EACH_LANE(c, m->channels) {
            memcpy(t->slm + l->at[lane] + c * DWORD_BYTES,
                   t->registers + m->data.register_byte +
                       (m->first_lane[c] + lane) * DWORD_BYTES,
                   DWORD_BYTES);
        }
    }
}

VEU_CLONED bool move_channels(VeuThread *t, const VeuMessage *m, unsigned lanes,
                              MoveLanes *move)
{
    unsigned bytes = (32 - __builtin_clz(m->channels)) * DWORD_BYTES;
    SlmLanes l;

    if (!place_lanes(t, m, lanes, 0, bytes, &l) || l.inside != t->active) {
        return false;
    }
    move(t, m, lanes, &l);
    t->moved_bytes = veu_lane_count(l.inside) * veu_lane_count(m->channels) *
                     DWORD_BYTES;
    return true;
}

/* --- Atomics -------------------------------------------------------------- */

VEU_CLONED bool perform(VeuThread *t, const VeuMessage *m, unsigned lanes)
{
    VeuAtomicLanes words;
    SlmLanes l;

    if (t->config->strict_types ||
        !place_lanes(t, m, lanes, 0, m->element_bytes, &l)) {
        return false;
    }
    words.live = l.inside;
    for (unsigned i = 0; i < lanes; i++) {
        words.at[i] = t->slm + l.at[i];
    }
    t->moved_bytes = veu_atomic_perform_lanes(t, m, &words,
                                              t->active & ~l.inside);
    return true;
}

/* --- Blocks --------------------------------------------------------------- */

/* Finds the message's block. Returns NULL to give up. */
static uint8_t *find_block(VeuThread *t, const VeuMessage *m, uint32_t bytes)
{
    uint64_t global;
    uint32_t offset;

    if (!veu_fast_scalar(t, &m->global_offset, &global)) {
        return NULL;
    }
    offset = m->info->unit == VEU_UNIT_OWORD ? global * m->element_bytes :
                                               global;
    offset &= OFFSETS;
    if ((m->align_bytes && offset % m->align_bytes) ||
        offset + bytes > t->slm_bytes) {
        return NULL;
    }
    return t->slm + offset;
}

static bool slm_load_block(VeuThread *t, const VeuMessage *m)
{
    uint32_t bytes = m->element_bytes * m->blocks;
    const uint8_t *from = find_block(t, m, bytes);

    if (!from) {
        return false;
    }
    memcpy(t->registers + m->data.register_byte, from, bytes);
    t->moved_bytes = bytes;
    return true;
}

static bool slm_store_block(VeuThread *t, const VeuMessage *m)
{
    uint32_t bytes = m->element_bytes * m->blocks;
    uint8_t *to = find_block(t, m, bytes);

    if (!to) {
        return false;
    }
    memcpy(to, t->registers + m->data.register_byte, bytes);
    t->moved_bytes = bytes;
    return true;
}

/* --- With a constant number of lanes, for each level --------------------- */

VEU_CLONED bool slm_gather(VeuThread *t, const VeuMessage *m)
{
    return VEU_FOR_LANES(t, m, move_elements(t, m, m->lanes, load_lanes),
                         move_elements, load_lanes);
}

VEU_CLONED bool slm_scatter(VeuThread *t, const VeuMessage *m)
{
    return VEU_FOR_LANES(t, m, move_elements(t, m, m->lanes, store_lanes),
                         move_elements, store_lanes);
}

VEU_CLONED bool slm_gather4(VeuThread *t, const VeuMessage *m)
{
    return VEU_FOR_LANES(t, m, move_channels(t, m, m->lanes, load_channels),
                         move_channels, load_channels);
}

VEU_CLONED bool slm_scatter4(VeuThread *t, const VeuMessage *m)
{
    return VEU_FOR_LANES(t, m, move_channels(t, m, m->lanes, store_channels),
                         move_channels, store_channels);
}

VEU_CLONED bool slm_atomic(VeuThread *t, const VeuMessage *m)
{
    return VEU_FOR_LANES(t, m, perform(t, m, m->lanes), perform);
}

VEU_FAST_LEVELS(gathers, slm_gather_scalar, slm_gather_avx2, slm_gather_avx512,
                slm_gather(t, m));
VEU_FAST_LEVELS(scatters, slm_scatter_scalar, slm_scatter_avx2,
                slm_scatter_avx512, slm_scatter(t, m));
VEU_FAST_LEVELS(gather4s, slm_gather4_scalar, slm_gather4_avx2,
                slm_gather4_avx512, slm_gather4(t, m));
VEU_FAST_LEVELS(scatter4s, slm_scatter4_scalar, slm_scatter4_avx2,
                slm_scatter4_avx512, slm_scatter4(t, m));
VEU_FAST_LEVELS(atomics, slm_atomic_scalar, slm_atomic_avx2, slm_atomic_avx512,
                slm_atomic(t, m));

VeuFast *veu_slm_gather(const VeuMessage *m)
{
    return veu_fast_pick(gathers, m);
}

VeuFast *veu_slm_scatter(const VeuMessage *m)
{
    return veu_fast_pick(scatters, m);
}

VeuFast *veu_slm_gather4(const VeuMessage *m)
{
    return veu_fast_pick(gather4s, m);
}

VeuFast *veu_slm_scatter4(const VeuMessage *m)
{
    return veu_fast_pick(scatter4s, m);
}

VeuFast *veu_slm_dword_atomic(const VeuMessage *m)
{
    return m->address.null ? NULL : atomics[veu_cpu];
}

VeuFast *veu_slm_oword_ld(const VeuMessage *m)
{
    return m->data.null ? NULL : slm_load_block;
}

VeuFast *veu_slm_oword_st(const VeuMessage *m)
{
    return m->data.null ? NULL : slm_store_block;
}
