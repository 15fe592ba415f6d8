/*
 * veu execution unit: host addresses of all lanes of a message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A fast path that does not use gathers and scatters of the CPU works in three
 * steps. First it finds where each lane goes: in a buffer, in pages, at
 * addresses or in SLM. Lanes that do not run or are out of bounds go to the
 * sink, so that the other steps need no branches. Then it marks the pages that
 * it will write. Last it loads or stores, lane after lane: where lanes collide
 * the highest one wins.
 *
 * Each element is one access of the CPU, so addresses are aligned to it.
 */
#ifndef VEU_EU_FAST_TARGETS_H
#define VEU_EU_FAST_TARGETS_H

#include "hw/veu/eu/message/fast_path.h"

/* The places that lanes are loaded from or stored to. */
typedef struct VeuTargets {
    _Alignas(32) uint64_t at[VEU_MAX_LANES];
    _Alignas(64) uint8_t sink[64];
} VeuTargets;

/* Lanes that are in the sink read 0. */
VEU_CLONED void veu_targets_clear_sink(VeuTargets *to)
{
    memset(to->sink, 0, 16);
}

VEU_CLONED uint8_t *veu_target_at(const VeuTargets *to, unsigned lane)
{
    return (uint8_t *)(uintptr_t)to->at[lane];
}

/* --- Dirty pages ---------------------------------------------------------- */

/* Marks the pages of lanes @bits, whose blocks are all listed, as dirty. */
VEU_CLONED void veu_targets_mark(uintptr_t noted, uint32_t bits, unsigned lanes,
                                 const VeuTargets *to)
{
    if (bits == UINT32_MAX >> (32 - lanes)) {
        VEU_UNROLL
        for (unsigned lane = 0; lane < lanes; lane++) {
            *(uint8_t *)(noted + (to->at[lane] >> VEU_PAGE_BITS)) = 1;
        }
    } else {
        VEU_FOR_EACH_LANE(lane, bits) {
            *(uint8_t *)(noted + (to->at[lane] >> VEU_PAGE_BITS)) = 1;
        }
    }
}

/* Lists the blocks of lanes @bits; nearly always all of them are listed. */
VEU_CLONED void veu_targets_list(VeuThread *t, const VeuExtent *extent,
                                 uint32_t bits, const VeuTargets *to)
{
    uint8_t all = 1;

    if (!extent->listed) {
        return;
    }
    VEU_FOR_EACH_LANE(lane, bits) {
        all &= *(const uint8_t *)(extent->listed +
                                  (to->at[lane] >> VEU_NOTE_BITS));
    }
    if (!all) {
        VEU_FOR_EACH_LANE(lane, bits) {
            veu_mem_list_blocks(t->mem, extent, veu_target_at(to, lane), 1);
        }
    }
}

/* A page that is marked is in a block that is listed. */
VEU_CLONED bool veu_targets_are_marked(uintptr_t noted, uint32_t bits,
                                       unsigned lanes, const VeuTargets *to)
{
    uint8_t all = 1;

    if (bits == UINT32_MAX >> (32 - lanes)) {
        VEU_UNROLL
        for (unsigned lane = 0; lane < lanes; lane++) {
            all &= *(const uint8_t *)(noted + (to->at[lane] >> VEU_PAGE_BITS));
        }
    } else {
        VEU_FOR_EACH_LANE(lane, bits) {
            all &= *(const uint8_t *)(noted + (to->at[lane] >> VEU_PAGE_BITS));
        }
    }
    return all;
}

/*
 * Fetches the lines of lanes @bits all at once, because a store that misses the
 * cache holds up the marks after it.
 */
VEU_CLONED void veu_targets_fetch(uint32_t bits, const VeuTargets *to)
{
    VEU_FOR_EACH_LANE(lane, bits) {
        __builtin_prefetch(veu_target_at(to, lane), 1);
    }
}

/* Marks the pages of lanes @bits, which are in @extent, as dirty. */
VEU_CLONED void veu_targets_note(VeuThread *t, const VeuExtent *extent,
                                 uint32_t bits, unsigned lanes,
                                 const VeuTargets *to)
{
    if (extent->noted &&
        !veu_targets_are_marked(extent->noted, bits, lanes, to)) {
        veu_targets_fetch(bits, to);
        veu_targets_list(t, extent, bits, to);
        veu_targets_mark(extent->noted, bits, lanes, to);
    }
}

/*
 * Like veu_targets_note(), for lanes that are in a buffer: does nothing if all
 * its pages are known to be dirty.
 */
VEU_CLONED void veu_targets_note_view(VeuThread *t, const VeuView *view,
                                      uint32_t bits, unsigned lanes,
                                      const VeuTargets *to)
{
    const VeuExtent *e = view->extent;

    if (!e || !e->noted) {
        return;
    }
    if (view->bytes > VEU_SMALL_BYTES) {
        veu_targets_note(t, e, bits, lanes, to);
    } else if (!veu_mem_is_noted(t->mem, e, view->host, view->bytes)) {
        veu_mem_list_all(t->mem, e, view->host, view->bytes);
        veu_targets_mark(e->noted, bits, lanes, to);
    }
}

/* --- Loads ---------------------------------------------------------------- */

/*
 * Lane @lane_: @type from memory, with @upper above it, as @lane_type. @place
 * is a function that returns the place of a lane of @from.
 */
#define VEU_LOAD_TARGET(place, type, lane_type)                                \
    do {                                                                       \
        lane_type value_ = __atomic_load_n((const type *)(place(from, lane_) + \
                                                          offset),             \
                                           __ATOMIC_RELAXED) |                 \
                           (lane_type)upper;                                   \
                                                                               \
        memcpy(to + lane_ * sizeof(value_), &value_, sizeof(value_));          \
    } while (0)

#define VEU_LOAD_TARGETS(place, type, lane_type)           \
    if (on == UINT32_MAX >> (32 - lanes)) {                \
        VEU_UNROLL                                         \
        for (unsigned lane_ = 0; lane_ < lanes; lane_++) { \
            VEU_LOAD_TARGET(place, type, lane_type);       \
        }                                                  \
    } else {                                               \
        VEU_FOR_EACH_LANE(lane_, on) {                     \
            VEU_LOAD_TARGET(place, type, lane_type);       \
        }                                                  \
    }

#define VEU_LOAD_BY_SIZE(bytes, place)               \
    switch (bytes) {                                 \
    case 1:                                          \
        VEU_LOAD_TARGETS(place, uint8_t, uint32_t);  \
        break;                                       \
    case 2:                                          \
        VEU_LOAD_TARGETS(place, uint16_t, uint32_t); \
        break;                                       \
    case 4:                                          \
        VEU_LOAD_TARGETS(place, uint32_t, uint32_t); \
        break;                                       \
    default:                                         \
        VEU_LOAD_TARGETS(place, uint64_t, uint64_t); \
        break;                                       \
    }

/*
 * Loads @bytes at @offset from where lanes @on are, into the lanes at @to;
 * fewer than 4 bytes are the lower part of a dword, whose upper part is of
 * @undefined.
 */
VEU_CLONED void veu_targets_load(uint8_t *to, const VeuTargets *from,
                                 unsigned offset, unsigned bytes, uint32_t on,
                                 unsigned lanes, uint32_t undefined)
{
    uint64_t upper = bytes < 4 ? undefined & UINT32_MAX << 8 * bytes : 0;

    VEU_LOAD_BY_SIZE(bytes, veu_target_at);
}

/* --- Stores --------------------------------------------------------------- */

#define VEU_STORE_TARGETS(place, type, lane_bytes)                    \
    VEU_UNROLL                                                        \
    for (unsigned lane_ = 0; lane_ < lanes; lane_++) {                \
        type value_;                                                  \
                                                                      \
        memcpy(&value_, from + lane_ * (lane_bytes), sizeof(value_)); \
        __atomic_store_n((type *)(place(to, lane_) + offset), value_, \
                         __ATOMIC_RELAXED);                           \
    }

#define VEU_STORE_BY_SIZE(bytes, place)        \
    switch (bytes) {                           \
    case 1:                                    \
        VEU_STORE_TARGETS(place, uint8_t, 4);  \
        break;                                 \
    case 2:                                    \
        VEU_STORE_TARGETS(place, uint16_t, 4); \
        break;                                 \
    case 4:                                    \
        VEU_STORE_TARGETS(place, uint32_t, 4); \
        break;                                 \
    default:                                   \
        VEU_STORE_TARGETS(place, uint64_t, 8); \
        break;                                 \
    }

/* Stores @bytes of each lane at @from, at @offset from where the lane is. */
VEU_CLONED void veu_targets_store(const VeuTargets *to, const uint8_t *from,
                                  unsigned offset, unsigned bytes,
                                  unsigned lanes)
{
    VEU_STORE_BY_SIZE(bytes, veu_target_at);
}

#endif
