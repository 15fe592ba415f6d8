/*
 * veu execution unit: scatters of lanes with four channels, to owords.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * If a buffer begins at a multiple of 16 bytes and its size is one, a lane
 * whose offset is a multiple of 16 is inside or out of bounds as a whole, and
 * in one page. Messages of such lanes are executed in a loop.
 */
#ifndef VEU_EU_FAST_OWORDS_H
#define VEU_EU_FAST_OWORDS_H

#include <sys/param.h>
#include "hw/veu/eu/memory/guest_copy.h"
#include "hw/veu/eu/message/fast_avx2.h"

#ifdef VEU_HAS_AVX2

#define VEU_OWORD_BYTES 16

/*
 * Stores 8 lanes in their order: those that collide leave the highest. Their
 * channels are @pitch bytes apart at @from. Each lane is one access
 * (guest_copy.h).
 */
VEU_AVX2 void veu_store_oword_lanes(const uint8_t *from, unsigned pitch,
                                    const uint64_t *at)
{
    __m256i r = veu_load_group(from);
    __m256i g = veu_load_group(from + pitch);
    __m256i b = veu_load_group(from + 2 * pitch);
    __m256i a = veu_load_group(from + 3 * pitch);
    __m256i low_rg = _mm256_unpacklo_epi32(r, g);
    __m256i low_ba = _mm256_unpacklo_epi32(b, a);
    __m256i high_rg = _mm256_unpackhi_epi32(r, g);
    __m256i high_ba = _mm256_unpackhi_epi32(b, a);
    /* lane n, and lane n + 4 in the upper half */
    const __m256i lanes[4] = { _mm256_unpacklo_epi64(low_rg, low_ba),
                               _mm256_unpackhi_epi64(low_rg, low_ba),
                               _mm256_unpacklo_epi64(high_rg, high_ba),
                               _mm256_unpackhi_epi64(high_rg, high_ba) };

    VEU_UNROLL
    for (unsigned i = 0; i < 8; i++) {
        __m128i lane = veu_half_of(lanes[i % 4], i / 4);

        veu_guest_store_oword((void *)(uintptr_t)at[i], &lane);
    }
}

/* Returns true if lanes may be owords of a buffer. */
VEU_AVX2 bool veu_suits_owords(const VeuView *view)
{
    return view->host && view->bytes &&
           ((uintptr_t)view->host | view->bytes) % VEU_OWORD_BYTES == 0;
}

/*
 * Places the lanes in the buffer, and determines which of them are inside.
 * Returns false if a lane is no oword.
 */
VEU_AVX2 bool veu_place_owords(const VeuThread *t, const VeuMessage *m,
                               const VeuView *view, unsigned lanes,
                               VeuTargets *to, uint32_t *bits)
{
    const uint8_t *offsets = t->registers + m->address.register_byte;
    const uint32_t last = MIN(view->bytes - VEU_OWORD_BYTES, UINT32_MAX);
    __m256i low_bits = _mm256_setzero_si256();

    *bits = 0;
    for (unsigned i = 0; i < lanes / 8; i++) {
        __m256i on = veu_group_of(t->active >> (i * 8));
        __m256i offset = _mm256_add_epi32(_mm256_set1_epi32(view->global),
                                          veu_load_group(offsets + i * 32));
        __m256i in = _mm256_and_si256(
            on, veu_group_at_most(offset, _mm256_set1_epi32(last)));

        low_bits = _mm256_or_si256(low_bits, _mm256_and_si256(offset, on));
        *bits |= veu_bits_of(in) << (i * 8);
        veu_targets_set_group(to, i * 8, view->host, offset, in);
    }
    return _mm256_testz_si256(low_bits, _mm256_set1_epi32(VEU_OWORD_BYTES - 1));
}

/*
 * The lanes whose pages are to be marked as dirty: if all are inside and in one
 * page, as in rows, the first one. The sink is in none of these pages.
 */
VEU_AVX2 uint32_t veu_oword_lanes_to_note(const VeuTargets *to, unsigned lanes,
                                          uint32_t bits)
{
    const __m256i page = _mm256_set1_epi64x(-(1 << VEU_PAGE_BITS));
    const __m256i first = _mm256_set1_epi64x(to->at[0]);
    __m256i differ = _mm256_setzero_si256();

    for (unsigned lane = 0; lane < lanes; lane += 4) {
        __m256i at = *(const __m256i *)(to->at + lane);

        differ = _mm256_or_si256(differ, _mm256_xor_si256(first, at));
    }
    return _mm256_testz_si256(differ, page) ? bits & 1 : bits;
}

/*
 * Executes messages as long as their lanes are owords and they follow closely.
 * Returns true if it stops at a message for another reason.
 */
VEU_AVX2 bool veu_scatter_owords(VeuThread *t, VeuFollow *f,
                                 const VeuView *view, unsigned lanes,
                                 uint32_t *moved_bytes)
{
    const unsigned pitch = f->m->channel_stride * sizeof(uint32_t);
    uint8_t *const registers = t->registers;
    VeuTargets to;
    uint32_t bits;

    do {
        const uint8_t *from = registers + f->m->data.register_byte;

        if (!veu_place_owords(t, f->m, view, lanes, &to, &bits)) {
            return true;
        }
        veu_targets_note_view(t, view,
                              veu_oword_lanes_to_note(&to, lanes, bits), lanes,
                              &to);
        for (unsigned i = 0; i < lanes; i += 8) {
            veu_store_oword_lanes(from + i * sizeof(uint32_t), pitch,
                                  to.at + i);
        }
        *moved_bytes += __builtin_popcount(bits) * VEU_OWORD_BYTES;
    } while (veu_follow_closely(f));
    return false;
}

#endif
#endif
