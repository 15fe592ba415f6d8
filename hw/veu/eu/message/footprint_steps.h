/*
 * veu execution unit: the footprint of lanes at equal distances.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Most messages access consecutive elements, one element, or one of each row.
 * The lines that they touch follow from the distance, without a check of each
 * lane.
 */
#ifndef VEU_EU_FOOTPRINT_STEPS_H
#define VEU_EU_FOOTPRINT_STEPS_H

#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/simd/cpu.h"

#define VEU_LINE_BYTES 64
#define VEU_BANKS      16

/* Lane n of @active accesses @bytes at @first + n * @step, all in bytes. */
typedef struct VeuSteps {
    uint32_t active;
    uint32_t bytes;
    uint64_t first; /* of the lowest lane in @active */
    uint64_t last;  /* of the highest one */
    uint64_t step;
} VeuSteps;

/* The number of lines that have bytes from @first to before @end. */
static inline uint64_t veu_lines_between(uint64_t first, uint64_t end)
{
    return (end - 1) / VEU_LINE_BYTES - first / VEU_LINE_BYTES + 1;
}

/*
 * Functions veu_steps_find_*(), which find @first and @step of the dwords or
 * qwords at @lane0, in units of them, modulo 2^32 or 2^64. They return false if
 * the lanes are not at equal distances, or if the lane after the first one does
 * not run, unless all have the same place. Those with _all are for messages
 * whose lanes all run.
 */
#define VEU_STEPS_FIND(name, type)                                          \
    typedef type __attribute__((aligned(1), may_alias)) name##_word;        \
                                                                            \
    VEU_CLONED bool name##_all(const uint8_t *lane0, unsigned lanes,        \
                               VeuSteps *s)                                 \
    {                                                                       \
        const name##_word *index = (const name##_word *)lane0;              \
        type first = index[0], step = index[1] - first, others = 0;         \
                                                                            \
        for (unsigned n = 0; n < lanes; n++) {                              \
            others |= index[n] ^ (first + n * step);                        \
        }                                                                   \
        s->first = first;                                                   \
        s->step = step;                                                     \
        return !others;                                                     \
    }                                                                       \
                                                                            \
    VEU_CLONED bool name##_some(const uint8_t *lane0, unsigned lanes,       \
                                VeuSteps *s)                                \
    {                                                                       \
        const name##_word *index = (const name##_word *)lane0;              \
        unsigned low = __builtin_ctz(s->active);                            \
        type step = s->active >> low & 2 ? index[low + 1] - index[low] : 0; \
        type first = index[low] - low * step, others = 0;                   \
                                                                            \
        for (unsigned n = 0; n < lanes; n++) {                              \
            others |= (index[n] ^ (first + n * step)) &                     \
                      -(type)(s->active >> n & 1);                          \
        }                                                                   \
        s->first = index[low];                                              \
        s->step = step;                                                     \
        return !others;                                                     \
    }

VEU_STEPS_FIND(veu_steps_find_dwords, uint32_t)
VEU_STEPS_FIND(veu_steps_find_qwords, uint64_t)

/* The number of steps from the lowest to the highest lane. */
static inline unsigned veu_steps_between(uint32_t active)
{
    return 31 - __builtin_clz(active) - __builtin_ctz(active);
}

/* Returns true if there is no gap between the active lanes. */
static inline bool veu_steps_are_contiguous(uint32_t active)
{
    uint32_t low = active >> __builtin_ctz(active);

    return !(low & (low + 1));
}

/*
 * Counts the distinct lines that the lanes touch. Returns false if they must be
 * counted one by one. No lane may wrap.
 */
static inline bool veu_steps_lines(const VeuSteps *s, uint32_t *lines)
{
    uint64_t of_one;

    if (s->step <= VEU_LINE_BYTES && veu_steps_are_contiguous(s->active)) {
        *lines = veu_lines_between(s->first, s->last + s->bytes);
        return true;
    }
    /* All lanes are at the same place of their lines. */
    of_one = veu_lines_between(s->first, s->first + s->bytes);
    if (s->step % VEU_LINE_BYTES == 0 && s->step / VEU_LINE_BYTES >= of_one) {
        *lines = veu_lane_count(s->active) * of_one;
        return true;
    }
    return false;
}

/* Like veu_steps_conflicts(), for an even number of dwords. */
uint32_t veu_steps_conflicts_even(uint32_t active, uint32_t bytes,
                                  uint32_t dwords);

/*
 * Like veu_steps_lines(), for bank conflicts of lanes in shared local memory.
 * Consecutive dwords, and those of any odd distance, are in all banks.
 */
static inline bool veu_steps_conflicts(const VeuSteps *s, uint32_t *conflicts)
{
    if (s->step % 4) {
        return false;
    }
    *conflicts = s->step && s->step % 8 == 0 ?
                     veu_steps_conflicts_even(s->active, s->bytes,
                                              s->step / 4) :
                     0;
    return true;
}

#endif
