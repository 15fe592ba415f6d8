/*
 * veu execution unit: the fast paths of GATHER, GATHER_SCALED and QW_GATHER.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/message/fast_avx512.h"
#include "hw/veu/eu/message/fast_elements.h"
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

    if (!veu_elements_open(t, m, veu_window_open, VEU_ACCESS_READ, &e) ||
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
            _mm256_setzero_si256(),
            (const int *)veu_signed_base(e->window.host),
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
 * Executes a message whose buffer is in several pages, and those that follow
 * it.
 */
VEU_AVX2 bool gather_pages(VeuThread *t, const VeuMessage *m,
                           const VeuElements *e, unsigned lanes)
{
    const VeuMessage *first = m;
    unsigned moved = 0;
    VeuTargets from;
    uint32_t bits;

    if (!veu_elements_suit_pages(t, e)) {
        return gather_lanes(t, m);
    }
    memset(from.sink, 0, sizeof(uint64_t));
    do {
        if (!veu_pages_place_elements(t, m, e, VEU_ACCESS_READ, lanes, &from,
                                      &bits)) {
            break;
        }
        veu_load_page_lanes(t->registers + m->data.register_byte, &from, 0,
                            m->element_bytes, t->active, lanes,
                            veu_undefined_dword(t));
        moved += __builtin_popcount(bits);
    } while (veu_goes_on(t, &m) && m->surface == m[-1].surface);
    return m == first ? gather_lanes(t, m) :
                        veu_elements_finish(t, first, m, moved);
}

VEU_AVX2 bool gather_dwords(VeuThread *t, const VeuMessage *m, unsigned lanes,
                            VeuOpenWindow *open, VeuFast *otherwise)
{
    const VeuMessage *first = m;
    unsigned moved = 0;
    VeuElements e;

    if (!veu_elements_open(t, m, open, VEU_ACCESS_READ, &e)) {
        return otherwise(t, m);
    }
    if (!veu_elements_suit_groups(&e, m, 4)) {
        return gather_pages(t, m, &e, lanes);
    }
    do {
        moved += gather_one(t, m, &e, lanes);
    } while (veu_goes_on(t, &m) &&
             veu_elements_go_on(t, m, 4, VEU_ACCESS_READ, &e));
    return veu_elements_finish(t, first, m, moved);
}

/* Like the dword variant, for qwords, whose indices count bytes. */
VEU_AVX2 bool gather_qwords(VeuThread *t, const VeuMessage *m, unsigned lanes,
                            VeuOpenWindow *open, VeuFast *otherwise)
{
    const __m256i sign = _mm256_set1_epi32(VEU_SIGN_BIT);
    uint8_t *to = t->registers + m->data.register_byte;
    __m256i offset[4], inside[4];
    uint32_t moved = 0;
    VeuElements e;

    if (!veu_elements_open(t, m, open, VEU_ACCESS_READ, &e)) {
        return otherwise(t, m);
    }
    if (!veu_elements_suit_groups(&e, m, 8)) {
        return gather_pages(t, m, &e, lanes);
    }
    for (unsigned i = 0; i < lanes / 8; i++) {
        offset[i] = veu_elements_offsets(t, m, &e, i * 8,
                                         veu_group_of(t->active >> (i * 8)),
                                         &inside[i]);
        moved += __builtin_popcount(veu_bits_of(inside[i]));
        offset[i] = _mm256_xor_si256(offset[i], sign);
    }
    for (unsigned i = 0; i < lanes / 4; i++) {
        __m256i value = _mm256_mask_i32gather_epi64(
            _mm256_setzero_si256(),
            (const long long *)veu_signed_base(e.window.host),
            veu_half_of(offset[i / 2], i % 2),
            _mm256_cvtepi32_epi64(veu_half_of(inside[i / 2], i % 2)), 1);

        veu_store_group(to + i * 32, value,
                        veu_half_group_of(t->active >> (i * 4)));
    }
    t->moved_bytes = moved * 8;
    return true;
}

VEU_ELEMENTS_BY_LANES(gather_8, gather_dwords, 8)
VEU_ELEMENTS_BY_LANES(gather_16, gather_dwords, 16)
VEU_ELEMENTS_BY_LANES(gather_32, gather_dwords, 32)
VEU_ELEMENTS_BY_LANES(gather_qwords_8, gather_qwords, 8)
VEU_ELEMENTS_BY_LANES(gather_qwords_16, gather_qwords, 16)
VEU_WIDE(gather, 16)
VEU_WIDE(gather, 32)

#else
#define gather_8         gather_lanes
#define gather_16        gather_lanes
#define gather_32        gather_lanes
#define gather_qwords_8  gather_lanes
#define gather_qwords_16 gather_lanes
#define wide_gather_16   gather_lanes
#define wide_gather_32   gather_lanes
#endif

VEU_FAST_TABLE_WIDE(gathers, gather_lanes, gather_8, gather_16, gather_32,
                    wide_gather_16, wide_gather_32);
VEU_FAST_TABLE(qword_gathers, gather_lanes, gather_qwords_8, gather_qwords_16,
               NULL);

VeuFast *veu_fast_gather(const VeuMessage *m)
{
    return veu_fast_pick(m->element_bytes == 8 ? qword_gathers : gathers, m);
}
