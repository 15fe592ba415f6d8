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

/*
 * A function veu_steps_find_*(), with clones for each level of the CPU. If all
 * lanes run, which is common, neighbours are compared, the middle ones twice,
 * so that there is one vector for each half.
 */
#define FIND(function, name, type)                                            \
    typedef type __attribute__((aligned(1), may_alias)) name##_word;          \
                                                                              \
    VEU_CLONED bool name##_all(const name##_word *index, VeuSteps *s,         \
                               unsigned lanes)                                \
    {                                                                         \
        const name##_word *upper = index + lanes / 2;                         \
        type first = index[0], step = index[1] - first, others = 0, last;     \
                                                                              \
        for (unsigned n = 0; n < lanes / 2; n++) {                            \
            others |= (index[n + 1] - index[n] - step) |                      \
                      (upper[n] - upper[(int)n - 1] - step);                  \
        }                                                                     \
        s->first = first;                                                     \
        s->last = index[lanes - 1];                                           \
        s->step = step;                                                       \
        return !others && !__builtin_mul_overflow(step, lanes - 1, &last) &&  \
               !__builtin_add_overflow(first, last, &last);                   \
    }                                                                         \
                                                                              \
    VEU_CLONED bool name##_some(const name##_word *index, VeuSteps *s,        \
                                unsigned lanes)                               \
    {                                                                         \
        unsigned low = __builtin_ctz(s->active);                              \
        unsigned high = 31 - __builtin_clz(s->active);                        \
        type step = s->active >> low & 2 ? index[low + 1] - index[low] : 0;   \
        type first = index[low] - low * step, others = 0, last;               \
                                                                              \
        for (unsigned n = 0; n < lanes; n++) {                                \
            others |= (index[n] - (first + n * step)) &                       \
                      -(type)(s->active >> n & 1);                            \
        }                                                                     \
        s->first = index[low];                                                \
        s->last = index[high];                                                \
        s->step = step;                                                       \
        return !others && !__builtin_mul_overflow(step, high - low, &last) && \
               !__builtin_add_overflow(index[low], last, &last);              \
    }                                                                         \
                                                                              \
    /* The usual numbers of lanes are constants. */                           \
    VEU_CLONED bool name##_by_size(const name##_word *index, VeuSteps *s,     \
                                   unsigned lanes)                            \
    {                                                                         \
        return lanes == 16 ? name##_all(index, s, 16) :                       \
               lanes == 8  ? name##_all(index, s, 8) :                        \
                             name##_all(index, s, lanes);                      \
    }                                                                         \
                                                                              \
    VEU_CPU_CLONES(bool, name##_by_size,                                      \
                   (const name##_word *index, VeuSteps *s, unsigned lanes),   \
                   (index, s, lanes));                                        \
    VEU_CPU_CLONES(bool, name##_some,                                         \
                   (const name##_word *index, VeuSteps *s, unsigned lanes),   \
                   (index, s, lanes));                                        \
                                                                              \
    bool function(const uint8_t *lane0, unsigned lanes, VeuSteps *s)          \
    {                                                                         \
        const name##_word *index = (const name##_word *)lane0;                \
        bool all = lanes > 1 && s->active == UINT32_MAX >> (32 - lanes);      \
                                                                              \
        return all ? name##_by_size_clones[veu_cpu](index, s, lanes) :        \
                     name##_some_clones[veu_cpu](index, s, lanes);            \
    }

FIND(veu_steps_find_dwords, dwords, uint32_t)
FIND(veu_steps_find_qwords, qwords, uint64_t)

/* --- Lines --------------------------------------------------------------- */

/* Returns true if there is no gap between the active lanes. */
static bool is_contiguous(uint32_t active)
{
    uint32_t low = active >> __builtin_ctz(active);

    return !(low & (low + 1));
}

bool veu_steps_lines(const VeuSteps *s, uint32_t *lines)
{
    uint64_t of_one;

    if (s->step <= VEU_LINE_BYTES && is_contiguous(s->active)) {
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
    uint32_t step = s->step / 4;

    if (s->step % 4) {
        return false;
    }
    *conflicts = 0;
    /* Consecutive dwords, and those of any odd distance, are in all banks. */
    for (unsigned half = 0; step && !(step & 1) && half < VEU_MAX_LANES;
         half += VEU_BANKS) {
        *conflicts += (s->bytes + 3) / 4 *
                      (turns_of(s->active >> half & 0xffff, step) - 1);
    }
    return true;
}
