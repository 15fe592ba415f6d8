/*
 * veu execution unit: the fast paths of SCATTER, SCATTER_SCALED and QW_SCATTER.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/message/fast_avx512.h"
#include "hw/veu/eu/message/fast_elements.h"
#include "hw/veu/eu/message/fast_pages.h"
#include "hw/veu/eu/memory/guest_copy.h"

static bool scatter_lanes(VeuThread *t, const VeuMessage *m)
{
    const uint8_t *from = t->registers + m->data.register_byte;
    unsigned lane_bytes = veu_element_lane_bytes(m);
    uint8_t *at[VEU_MAX_LANES];
    uint32_t inside;
    VeuElements e;

    if (!veu_elements_open(t, m, veu_window_open, VEU_ACCESS_WRITE, &e) ||
        !veu_elements_place(t, m, &e, VEU_ACCESS_WRITE, at, &inside)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, inside) {
        veu_guest_store(at[lane], from + lane * lane_bytes, m->element_bytes);
    }
    t->moved_bytes = __builtin_popcount(inside) * m->element_bytes;
    return true;
}

#ifdef VEU_HAS_AVX2

/*
 * Finds the lanes that are stored, and their places. Returns false if an
 * element is not aligned.
 */
VEU_AVX2 bool target_lanes(const VeuThread *t, const VeuMessage *m,
                           const VeuElements *e, unsigned lanes, VeuTargets *to,
                           uint32_t *bits)
{
    __m256i host = _mm256_set1_epi64x((uintptr_t)e->window.host);
    uintptr_t noted = e->window.extent ? e->window.extent->noted : 0;
    __m256i all = _mm256_setzero_si256();

    *bits = 0;
    for (unsigned i = 0; i < lanes / 8; i++) {
        __m256i in;
        __m256i offset = veu_elements_offsets(
            t, m, e, i * 8, veu_group_of(t->active >> (i * 8)), &in);

        *bits |= veu_bits_of(in) << (i * 8);
        for (unsigned half = 0; half < 2; half++) {
            __m256i at = _mm256_add_epi64(host, _mm256_cvtepu32_epi64(
                                                    veu_half_of(offset, half)));

            at = veu_set_targets(to, i * 8 + half * 4, noted, at,
                                 _mm256_cvtepi32_epi64(veu_half_of(in, half)));
            all = _mm256_or_si256(all, at);
        }
    }
    return _mm256_testz_si256(all, _mm256_set1_epi64x(m->element_bytes - 1));
}

/* Lanes are stored in order, so the highest one wins. */
#define STORE_LANES(type, lane_bytes)                              \
    for (unsigned lane = 0; lane < lanes; lane++) {                \
        VEU_STORE(type, to->at[lane], from + lane * (lane_bytes)); \
    }

VEU_CLONED void store_targets(const uint8_t *from, unsigned element_bytes,
                              unsigned lanes, const VeuTargets *to)
{
    switch (element_bytes) {
    case 1:
        STORE_LANES(uint8_t, 4);
        break;
    case 2:
        STORE_LANES(uint16_t, 4);
        break;
    case 4:
        STORE_LANES(uint32_t, 4);
        break;
    default:
        STORE_LANES(uint64_t, 8);
        break;
    }
}

/* Handles a buffer in several pages. */
VEU_AVX2 bool scatter_pages(VeuThread *t, const VeuMessage *m,
                            const VeuElements *e, unsigned lanes)
{
    uint32_t bits;
    VeuTargets to;

    if (!veu_elements_suit_pages(t, e) ||
        !veu_pages_place_elements(t, m, e, VEU_ACCESS_WRITE, lanes, &to,
                                  &bits)) {
        return scatter_lanes(t, m);
    }
    veu_note_page_targets(t, bits, lanes, &to);
    store_targets(t->registers + m->data.register_byte, m->element_bytes, lanes,
                  &to);
    t->moved_bytes = __builtin_popcount(bits) * m->element_bytes;
    return true;
}

VEU_AVX2 bool scatter_groups(VeuThread *t, const VeuMessage *m, unsigned lanes,
                             VeuOpenWindow *open, VeuFast *otherwise)
{
    uint32_t bits;
    VeuTargets to;
    VeuElements e;

    if (!veu_elements_open(t, m, open, VEU_ACCESS_WRITE, &e)) {
        return otherwise(t, m);
    }
    if (!veu_elements_suit_groups(&e, m, m->element_bytes)) {
        return scatter_pages(t, m, &e, lanes);
    }
    if (!target_lanes(t, m, &e, lanes, &to, &bits)) {
        return scatter_lanes(t, m);
    }
    veu_note_window(t, &e.window, bits, lanes, &to);
    store_targets(t->registers + m->data.register_byte, m->element_bytes, lanes,
                  &to);
    t->moved_bytes = __builtin_popcount(bits) * m->element_bytes;
    return true;
}

VEU_ELEMENTS_BY_LANES(scatter_8, scatter_groups, 8)
VEU_ELEMENTS_BY_LANES(scatter_16, scatter_groups, 16)
VEU_ELEMENTS_BY_LANES(scatter_32, scatter_groups, 32)
VEU_WIDE(scatter, 16)
VEU_WIDE(scatter, 32)

#else
#define scatter_8       scatter_lanes
#define scatter_16      scatter_lanes
#define scatter_32      scatter_lanes
#define wide_scatter_16 scatter_lanes
#define wide_scatter_32 scatter_lanes
#endif

VEU_FAST_TABLE(scatters, scatter_lanes, scatter_8, scatter_16, scatter_32);
VEU_FAST_TABLE_WIDE(dword_scatters, scatter_lanes, scatter_8, scatter_16,
                    scatter_32, wide_scatter_16, wide_scatter_32);

VeuFast *veu_fast_scatter(const VeuMessage *m)
{
    return veu_fast_pick(m->element_bytes == 4 ? dword_scatters : scatters, m);
}
