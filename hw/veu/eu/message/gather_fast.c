/*
 * veu execution unit: the fast paths of GATHER, GATHER_SCALED, QW_GATHER.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/message/fast_avx512_gather.h"
#include "hw/veu/eu/message/fast_elements.h"
#include "hw/veu/eu/message/fast_map.h"
#include "hw/veu/eu/message/fast_pages.h"
#include "hw/veu/eu/memory/guest_copy.h"

static bool gather_lanes(VeuThread *t, const VeuMessage *m)
{
    uint8_t *to = t->registers + m->data.register_byte;
    unsigned lane_bytes = veu_element_lane_bytes(m);
    uint8_t *at[VEU_MAX_LANES];
    uint64_t value[VEU_MAX_LANES];
    uint32_t inside;
    VeuElements e;

    if (!veu_elements_find(t, m, VEU_ACCESS_READ, &e) ||
        !veu_elements_place(t, m, &e, VEU_ACCESS_READ, at, &inside)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        value[lane] = lane_bytes == 4 ? veu_undefined_dword(t) : 0;
        if (inside & (1u << lane)) {
            veu_guest_load(&value[lane], at[lane], m->element_bytes);
        } else {
            memset(&value[lane], 0, m->element_bytes);
        }
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        memcpy(to + lane * lane_bytes, &value[lane], lane_bytes);
    }
    t->moved_bytes = __builtin_popcount(inside) * m->element_bytes;
    return true;
}

#ifdef VEU_HAS_AVX2

/* Cuts the elements of this many bytes out of dwords. */
VEU_AVX2 __m256i cut_elements(const VeuThread *t, const VeuMessage *m,
                              __m256i dwords)
{
    uint32_t element = UINT32_MAX >> (32 - 8 * m->element_bytes);
    __m256i undefined = _mm256_set1_epi32(veu_undefined_dword(t) & ~element);

    return _mm256_or_si256(_mm256_and_si256(dwords, _mm256_set1_epi32(element)),
                           undefined);
}

/*
 * Gathers elements of up to 4 bytes, each of which is read as 4 bytes. Returns
 * their number.
 */
VEU_AVX2 unsigned gather_one(VeuThread *t, const VeuMessage *m,
                             const VeuElements *e, unsigned lanes)
{
    const __m256i sign = _mm256_set1_epi32(VEU_SIGN_BIT);
    uint8_t *to = t->registers + m->data.register_byte;
    __m256i offset[4], inside[4];
    unsigned moved = 0;

    for (unsigned lane = 0; lane < lanes; lane += 8) {
        offset[lane / 8] = veu_elements_offsets(t, m, e, lane,
                                                veu_group_of(t->active >> lane),
                                                &inside[lane / 8]);
    }
    for (unsigned lane = 0; lane < lanes; lane += 8) {
        __m256i in = inside[lane / 8];
        __m256i value = _mm256_mask_i32gather_epi32(
            _mm256_setzero_si256(), (const int *)veu_signed_base(e->view.host),
            _mm256_xor_si256(offset[lane / 8], sign), in, 1);

        if (m->element_bytes < 4) {
            value = cut_elements(t, m, value);
        }
        veu_store_group(to + lane * 4, value, veu_group_of(t->active >> lane));
        moved += __builtin_popcount(veu_bits_of(in));
    }
    return moved;
}

/*
 * Executes a message, and those that follow it. @pages: for a buffer in several
 * pages; otherwise NULL.
 */
VEU_AVX2 bool gather_each(VeuThread *t, const VeuMessage *m, VeuElements e,
                          const VeuPageBuffer *pages, unsigned lanes)
{
    VeuFollow f = veu_follow_open(t, m);
    unsigned moved = 0;
    VeuTargets from;
    uint32_t bits;

    veu_targets_clear_sink(&from);
    do {
        if (!(pages ?
                  veu_pages_place_elements(t, f.m, &e, pages, lanes, &from,
                                           &bits) :
                  veu_elements_place_groups(t, f.m, &e, lanes, &from, &bits))) {
            break;
        }
        veu_targets_load(t->registers + f.m->data.register_byte, &from, 0,
                         m->element_bytes, t->active, lanes,
                         veu_undefined_dword(t));
        moved += veu_lane_count(bits);
    } while (veu_follow_next(&f) &&
             veu_elements_continue(t, m, f.m, pages, VEU_ACCESS_READ, &e));
    return veu_elements_finish(t, m, f.m, moved) || gather_lanes(t, m);
}

/* Like gather_each(), for a buffer that has a map. */
VEU_AVX2 bool gather_mapped(VeuThread *t, const VeuMessage *m, VeuElements e,
                            const VeuPageMap *map, unsigned lanes)
{
    VeuFollow f = veu_follow_open(t, m);
    VeuMapLanes from;
    unsigned moved = 0;
    uint32_t bits;

    veu_map_open(t, map, m->element_bytes, lanes, &from);
    while (veu_map_place_elements(t, f.m, &e, lanes, &from, &bits)) {
        veu_map_load(t->registers + f.m->data.register_byte, &from, 0,
                     m->element_bytes, t->active, lanes,
                     veu_undefined_dword(t));
        moved += veu_lane_count(bits);
        if (!veu_follow_closely(&f)) {
            break;
        }
    }
    return veu_elements_finish(t, m, f.m, moved) || gather_lanes(t, m);
}

VEU_AVX2 bool gather_pages(VeuThread *t, const VeuMessage *m, VeuElements e,
                           unsigned lanes)
{
    const VeuPageMap *map;
    VeuPageBuffer pages;

    if (!veu_elements_suit_pages(t, &e)) {
        return gather_lanes(t, m);
    }
    map = veu_mem_find_map(t->mem, e.view.base, e.view.bytes,
                           VEU_HOST_PAGE_READ);
    if (map) {
        return gather_mapped(t, m, e, map, lanes);
    }
    veu_pages_open_elements(t, m, &e, VEU_ACCESS_READ, NULL, &pages);
    return gather_each(t, m, e, &pages, lanes);
}

VEU_AVX2 bool gather_dwords(VeuThread *t, const VeuMessage *m, unsigned lanes)
{
    VeuFollow f = veu_follow_open(t, m);
    unsigned moved = 0;
    VeuElements e;

    if (!veu_elements_find(t, m, VEU_ACCESS_READ, &e)) {
        return false;
    }
    if (!veu_elements_suit_groups(&e, m, 4)) {
        return gather_pages(t, m, e, lanes);
    }
    do {
        moved += gather_one(t, f.m, &e, lanes);
    } while (veu_follow_next(&f) &&
             veu_elements_follow(t, f.m, 4, VEU_ACCESS_READ, &e));
    return veu_elements_finish(t, m, f.m, moved);
}

/* Elements of 8 bytes, which the CPU loads one by one. */
VEU_AVX2 bool gather_qwords(VeuThread *t, const VeuMessage *m, unsigned lanes)
{
    VeuElements e;

    if (!veu_elements_find(t, m, VEU_ACCESS_READ, &e)) {
        return false;
    }
    return veu_elements_suit_groups(&e, m, m->element_bytes) ?
               gather_each(t, m, e, NULL, lanes) :
               gather_pages(t, m, e, lanes);
}

VEU_TARGET_AVX2 static bool gather_avx2(VeuThread *t, const VeuMessage *m)
{
    return VEU_FOR_LANES(t, m, gather_lanes(t, m), gather_dwords);
}

/* Elements of 8 bytes, or of up to 4 if @bytes is 4. */
VEU_AVX512 bool avx512_gather_lanes(VeuThread *t, const VeuMessage *m,
                                    unsigned lanes, unsigned bytes)
{
    VeuElements e;

    if (!veu_elements_find(t, m, VEU_ACCESS_READ, &e)) {
        return false;
    }
    return veu_elements_suit_groups(&e, m, bytes) ?
               veu_avx512_gather(t, m, e, lanes, bytes) :
               gather_pages(t, m, e, lanes);
}

VEU_AVX512 bool avx512_gather(VeuThread *t, const VeuMessage *m, unsigned bytes)
{
    return VEU_FOR_LANES(t, m, gather_lanes(t, m), avx512_gather_lanes, bytes);
}

VEU_TARGET_AVX512 static bool gather_avx512(VeuThread *t, const VeuMessage *m)
{
    return avx512_gather(t, m, 4);
}

VEU_TARGET_AVX512 static bool gather_qwords_avx512(VeuThread *t,
                                                   const VeuMessage *m)
{
    return avx512_gather(t, m, 8);
}

VEU_TARGET_AVX2 static bool gather_qwords_avx2(VeuThread *t,
                                               const VeuMessage *m)
{
    return m->lanes == 16 ? gather_qwords(t, m, 16) :
           m->lanes == 8  ? gather_qwords(t, m, 8) :
                            gather_lanes(t, m);
}

#endif

static VeuFastTable gathers = {
    [VEU_CPU_SCALAR] = gather_lanes,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = gather_avx2,
    [VEU_CPU_AVX512] = gather_avx512,
#endif
};

static VeuFastTable qword_gathers = {
    [VEU_CPU_SCALAR] = gather_lanes,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = gather_qwords_avx2,
    [VEU_CPU_AVX512] = gather_qwords_avx512,
#endif
};

VeuFast *veu_fast_gather(const VeuMessage *m)
{
    return veu_fast_pick(m->element_bytes == 8 ? qword_gathers : gathers, m);
}
