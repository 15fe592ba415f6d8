/*
 * veu execution unit: messages whose lanes each access an element of a buffer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * This is common to the fast paths of GATHER and SCATTER, their SCALED forms,
 * QW_GATHER and QW_SCATTER.
 */
#ifndef VEU_EU_FAST_ELEMENTS_H
#define VEU_EU_FAST_ELEMENTS_H

#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/message/fast_path.h"
#include "hw/veu/eu/message/fast_avx2.h"

/* The buffer that the message accesses, and how its indices become offsets. */
typedef struct VeuElements {
    VeuView view;
    unsigned shift;
    uint32_t last; /* index of the last element */
} VeuElements;

static inline unsigned veu_element_shift(const VeuMessage *m)
{
    return m->info->unit == VEU_UNIT_ELEMENT ? __builtin_ctz(m->element_bytes) :
                                               0;
}

/* Measures the buffer in @e->view. Returns false if no element fits into it. */
VEU_CLONED bool veu_elements_measure(const VeuMessage *m, VeuElements *e)
{
    uint64_t last = e->view.bytes - m->element_bytes;

    if (e->view.bytes < m->element_bytes) {
        return false;
    }
    e->shift = veu_element_shift(m);
    last >>= e->shift;
    e->last = last < UINT32_MAX ? last : UINT32_MAX;
    return true;
}

/* Finds the buffer. A buffer without any element is left to the executor. */
VEU_CLONED bool veu_elements_find(VeuThread *t, const VeuMessage *m,
                                  enum veu_access access, VeuElements *e)
{
    return veu_view_find(t, m, access, &e->view) && veu_elements_measure(m, e);
}

static inline unsigned veu_element_lane_bytes(const VeuMessage *m)
{
    return m->element_bytes < 4 ? 4 : m->element_bytes;
}

/* Places the lanes that are inside. Returns false to give up. */
static inline bool veu_elements_place(VeuThread *t, const VeuMessage *m,
                                      const VeuElements *e,
                                      enum veu_access access,
                                      uint8_t *at[VEU_MAX_LANES],
                                      uint32_t *inside)
{
    *inside = 0;
    VEU_FOR_EACH_LANE(lane, t->active) {
        uint32_t index = e->view.global + veu_lane_dword(t, &m->address, lane);

        if (index <= e->last) {
            at[lane] = veu_view_at(t, &e->view, (uint64_t)index << e->shift,
                                   m->element_bytes, access);
            if (!at[lane]) {
                return false;
            }
            *inside |= 1u << lane;
        }
    }
    return true;
}

#ifdef VEU_HAS_AVX2

/*
 * Returns true if the offsets of elements that are inside have 32 bits, and
 * @bytes may be read at each of them.
 */
VEU_CLONED bool veu_elements_suit_groups(const VeuElements *e,
                                         const VeuMessage *m, unsigned bytes)
{
    return e->view.host && e->last <= UINT32_MAX >> e->shift &&
           e->view.spare_bytes + m->element_bytes >= bytes;
}

/* The byte offsets of a group's elements, and which of them are inside. */
VEU_AVX2 __m256i veu_elements_offsets(const VeuThread *t, const VeuMessage *m,
                                      const VeuElements *e, unsigned lane,
                                      __m256i on, __m256i *inside)
{
    __m256i index = _mm256_add_epi32(
        _mm256_set1_epi32(e->view.global),
        veu_load_group(t->registers + m->address.register_byte + lane * 4));

    *inside = _mm256_and_si256(on, veu_group_at_most(index, _mm256_set1_epi32(
                                                                e->last)));
    return _mm256_sll_epi32(index, _mm_cvtsi32_si128(e->shift));
}

/*
 * Places the lanes of a buffer in one extent, and determines which of them are
 * inside. Returns false if an element is not aligned.
 */
VEU_AVX2 bool veu_elements_place_groups(const VeuThread *t, const VeuMessage *m,
                                        const VeuElements *e, unsigned lanes,
                                        VeuTargets *to, uint32_t *bits)
{
    __m256i low_bits = _mm256_set1_epi32((uintptr_t)e->view.host);

    *bits = 0;
    for (unsigned i = 0; i < lanes / 8; i++) {
        __m256i in;
        __m256i offset = veu_elements_offsets(
            t, m, e, i * 8, veu_group_of(t->active >> (i * 8)), &in);

        *bits |= veu_bits_of(in) << (i * 8);
        low_bits = _mm256_or_si256(low_bits, _mm256_and_si256(offset, in));
        veu_targets_set_group(to, i * 8, e->view.host, offset, in);
    }
    return _mm256_testz_si256(low_bits,
                              _mm256_set1_epi32(m->element_bytes - 1));
}

/*
 * @m follows a message whose buffer is @e. Makes @e the buffer of @m. Returns
 * true if @bytes may be accessed at each of its elements.
 */
VEU_CLONED bool veu_elements_follow(VeuThread *t, const VeuMessage *m,
                                    unsigned bytes, enum veu_access access,
                                    VeuElements *e)
{
    return m->surface == m[-1].surface ||
           (veu_view_find_cached(t, m, access, &e->view) &&
            veu_elements_measure(m, e) &&
            veu_elements_suit_groups(e, m, bytes));
}

/* Like veu_follow_finish(), for messages that moved @moved elements. */
VEU_CLONED bool veu_elements_finish(VeuThread *t, const VeuMessage *first,
                                    const VeuMessage *end, unsigned moved)
{
    return veu_follow_finish(t, first, end, moved * first->element_bytes);
}

#endif
#endif
