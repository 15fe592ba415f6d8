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
    VeuWindow window;
    unsigned shift;
    uint32_t last; /* index of the last element */
} VeuElements;

static inline unsigned veu_element_shift(const VeuMessage *m)
{
    return m->info->unit == VEU_UNIT_ELEMENT ? __builtin_ctz(m->element_bytes) :
                                               0;
}

typedef bool VeuOpenWindow(VeuThread *t, const VeuMessage *m,
                           enum veu_access access, VeuWindow *window);

/* Opens the buffer. A buffer without any element is left to the executor. */
VEU_CLONED bool veu_elements_open(VeuThread *t, const VeuMessage *m,
                                  VeuOpenWindow *open, enum veu_access access,
                                  VeuElements *e)
{
    uint64_t last;

    if (!open(t, m, access, &e->window) || e->window.bytes < m->element_bytes) {
        return false;
    }
    e->shift = veu_element_shift(m);
    last = (e->window.bytes - m->element_bytes) >> e->shift;
    e->last = last < UINT32_MAX ? last : UINT32_MAX;
    return true;
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
        uint32_t index = e->window.global +
                         veu_lane_dword(t, &m->address, lane);

        if (index <= e->last) {
            at[lane] = veu_window_at(t, &e->window, (uint64_t)index << e->shift,
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
    return e->window.host && e->last <= UINT32_MAX >> e->shift &&
           e->window.spare_bytes + m->element_bytes >= bytes;
}

/* The byte offsets of a group's elements, and which of them are inside. */
VEU_AVX2 __m256i veu_elements_offsets(const VeuThread *t, const VeuMessage *m,
                                      const VeuElements *e, unsigned lane,
                                      __m256i on, __m256i *inside)
{
    __m256i index = _mm256_add_epi32(
        _mm256_set1_epi32(e->window.global),
        veu_load_group(t->registers + m->address.register_byte + lane * 4));

    *inside = _mm256_and_si256(on, veu_group_at_most(index, _mm256_set1_epi32(
                                                                e->last)));
    return _mm256_sll_epi32(index, _mm_cvtsi32_si128(e->shift));
}

/*
 * @m follows a message that has opened @e. Changes @e for the buffer of @m.
 * Returns true if @bytes may be read at each of its elements; otherwise @m is
 * executed by itself.
 */
VEU_CLONED bool veu_elements_go_on(VeuThread *t, const VeuMessage *m,
                                   unsigned bytes, enum veu_access access,
                                   VeuElements *e)
{
    return m->surface == m[-1].surface ||
           (veu_elements_open(t, m, veu_window_open_usual, access, e) &&
            veu_elements_suit_groups(e, m, bytes));
}

/*
 * Completes the messages from @first to before @end, which moved @moved
 * elements.
 */
VEU_CLONED bool veu_elements_finish(VeuThread *t, const VeuMessage *first,
                                    const VeuMessage *end, unsigned moved)
{
    t->more = end - first - 1;
    t->moved_bytes = moved * first->element_bytes;
    return true;
}

static inline bool veu_fast_give_up(VeuThread *t, const VeuMessage *m)
{
    return false;
}

/* Selects the variant for a common buffer, or else for any. */
#define VEU_ELEMENTS_BY_LANES(name, body, lanes)                              \
    VEU_TARGET_AVX2 static bool name##_any(VeuThread *t, const VeuMessage *m) \
    {                                                                         \
        return body(t, m, lanes, veu_window_open, veu_fast_give_up);          \
    }                                                                         \
    VEU_TARGET_AVX2 static bool name(VeuThread *t, const VeuMessage *m)       \
    {                                                                         \
        return body(t, m, lanes, veu_window_open_usual, name##_any);          \
    }

#endif
#endif
