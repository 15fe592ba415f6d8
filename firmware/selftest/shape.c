/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Shapes: the registers, masks and predicates with which messages are tried.
 */
#include "shape.h"

/*
 * Masks start at multiples of 4 lanes; messages of 8 lanes and more need larger
 * multiples.
 */
static unsigned mask_step(unsigned lanes)
{
    return lanes == 32 ? 8 : lanes == 16 ? 4 : lanes == 8 ? 2 : 1;
}

static uint32_t random_mask(struct bench *bench)
{
    switch (bench_below(bench, 6)) {
    case 0:
        return 0;
    case 1:
        return ~0u;
    default:
        return bench_random(bench) >> 13;
    }
}

struct shape shape_random(struct bench *bench, unsigned grf_bytes,
                          unsigned lanes, bool may_predicate)
{
    static const uint16_t combine[] = { 0, VEU_PRED_ANY, VEU_PRED_ALL };
    unsigned step = mask_step(lanes);
    struct shape shape = {
        .grf_bytes = grf_bytes,
        .simd = 32,
        .exec = {
            .lanes = lanes,
            .mask = 1 + step * bench_below(bench, 8 / step),
            .no_mask = bench_below(bench, 4) == 0,
        },
        .exec_mask = random_mask(bench),
    };

    if (may_predicate && bench_below(bench, 3)) {
        shape.predicated = true;
        shape.pred_value = random_mask(bench);
        shape.pred_flags = combine[bench_below(bench, 3)] |
                           (bench_below(bench, 2) ? VEU_PRED_NOT : 0);
    }
    return shape;
}

static bool predicate_lane(const struct shape *s, unsigned first, unsigned lane)
{
    bool any = false, all = true, value;

    for (unsigned i = 0; i < s->exec.lanes; i++) {
        bool bit = s->pred_value >> (first + i) & 1;

        any |= bit;
        all &= bit;
    }
    value = s->pred_flags & VEU_PRED_ANY ? any :
            s->pred_flags & VEU_PRED_ALL ? all :
                                           s->pred_value >> (first + lane) & 1;
    return s->pred_flags & VEU_PRED_NOT ? !value : value;
}

uint32_t shape_enabled(const struct shape *s)
{
    unsigned first = (s->exec.mask - 1) * 4;
    uint32_t enabled = 0;

    for (unsigned i = 0; i < s->exec.lanes; i++) {
        bool on = s->exec.no_mask || (s->exec_mask >> (first + i) & 1);

        if (s->predicated) {
            on &= predicate_lane(s, first, i);
        }
        enabled |= (uint32_t)on << i;
    }
    return enabled;
}
