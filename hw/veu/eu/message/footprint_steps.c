/*
 * veu execution unit: the footprint of lanes at equal distances.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/param.h>
#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/message/footprint_steps.h"
#include "hw/veu/eu/simd/cpu.h"

/* --- Finding them -------------------------------------------------------- */

/* Returns 0 if each active lane n has index first + n * step. */
#define COMPARE(name, type)                                                  \
    typedef type __attribute__((aligned(1), may_alias)) name##_word;         \
                                                                             \
    VEU_CLONED type name##_lanes(const name##_word *index, uint32_t active,  \
                                 type first, type step, unsigned lanes)      \
    {                                                                        \
        type others = 0;                                                     \
                                                                             \
        for (unsigned n = 0; n < lanes; n++) {                               \
            others |= (index[n] - (first + n * step)) &                      \
                      -(type)(active >> n & 1);                              \
        }                                                                    \
        return others;                                                       \
    }                                                                        \
                                                                             \
    VEU_CLONED bool name(const name##_word *index, uint32_t active,          \
                         type first, type step, unsigned lanes)              \
    {                                                                        \
        return (lanes == 16 ? name##_lanes(index, active, first, step, 16) : \
                lanes == 8  ? name##_lanes(index, active, first, step, 8) :  \
                              name##_lanes(index, active, first, step,       \
                                           lanes)) == 0;                      \
    }                                                                        \
                                                                             \
    VEU_CPU_CLONES(bool, name,                                               \
                   (const name##_word *index, uint32_t active, type first,   \
                    type step, unsigned lanes),                              \
                   (index, active, first, step, lanes))

/* A function veu_steps_find_*(). */
#define FIND(name, type, compare)                                           \
    COMPARE(compare, type);                                                 \
                                                                            \
    bool name(const uint8_t *lane0, unsigned lanes, VeuSteps *s)            \
    {                                                                       \
        const compare##_word *index = (const compare##_word *)lane0;        \
        unsigned low = __builtin_ctz(s->active);                            \
        unsigned high = 31 - __builtin_clz(s->active);                      \
        type step = s->active >> low & 2 ? index[low + 1] - index[low] : 0; \
        type span;                                                          \
                                                                            \
        s->first = index[low];                                              \
        s->last = index[high];                                              \
        s->step = step;                                                     \
        return !__builtin_mul_overflow(step, high - low, &span) &&          \
               s->first <= s->last && s->last - s->first == span &&         \
               compare##_clones[veu_cpu](index, s->active,                  \
                                         index[low] - low * step, step,     \
                                         lanes);                            \
    }

FIND(veu_steps_find_dwords, uint32_t, compare_dwords)
FIND(veu_steps_find_qwords, uint64_t, compare_qwords)

/* --- Lines --------------------------------------------------------------- */

static uint64_t lines_between(uint64_t first, uint64_t end)
{
    return (end - 1) / VEU_LINE_BYTES - first / VEU_LINE_BYTES + 1;
}

/* Returns true if there is no gap between the active lanes. */
static bool is_contiguous(uint32_t active)
{
    uint32_t low = active >> __builtin_ctz(active);

    return !(low & (low + 1));
}

bool veu_steps_lines(const VeuSteps *s, uint32_t *lines)
{
    uint64_t of_one = lines_between(s->first, s->first + s->bytes);

    if (s->step <= VEU_LINE_BYTES && is_contiguous(s->active)) {
        *lines = lines_between(s->first, s->last + s->bytes);
        return true;
    }
    /* All lanes are at the same place of their lines. */
    if (s->step % VEU_LINE_BYTES == 0 && s->step / VEU_LINE_BYTES >= of_one) {
        *lines = veu_lane_count(s->active) * of_one;
        return true;
    }
    return false;
}

/* --- Banks --------------------------------------------------------------- */

/* The turns that 16 lanes take, @step dwords apart. */
static unsigned turns_of(uint32_t lanes, uint32_t step)
{
    unsigned same = MIN(VEU_BANKS, step & -step);
    unsigned period = VEU_BANKS / same, turns = 1;
    uint32_t pattern = 0xffff / ((1u << period) - 1);

    if (same == 1) {
        return 1;
    }
    for (unsigned n = 0; n < period; n++) {
        turns = MAX(turns, veu_lane_count(lanes & pattern << n));
    }
    return turns;
}

bool veu_steps_conflicts(const VeuSteps *s, uint32_t *conflicts)
{
    unsigned dwords = (s->bytes + 3) / 4;

    if (s->step % 4) {
        return false;
    }
    *conflicts = 0;
    for (unsigned half = 0; s->step && half < VEU_MAX_LANES;
         half += VEU_BANKS) {
        *conflicts += dwords *
                      (turns_of(s->active >> half & 0xffff, s->step / 4) - 1);
    }
    return true;
}
