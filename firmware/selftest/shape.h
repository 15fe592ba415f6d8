/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Shapes: the registers, masks and predicates with which messages are tried.
 */
#ifndef SHAPE_H
#define SHAPE_H

#include "bench.h"

struct shape {
    unsigned grf_bytes;
    unsigned simd;
    struct veu_exec exec;
    uint32_t exec_mask;
    bool predicated;
    uint16_t pred_flags; /**< VEU_PRED_ANY, _ALL, _NOT */
    uint32_t pred_value;
};

/**
 * Returns a random legal shape of @lanes lanes; with @may_predicate it may have
 * a predicate.
 */
struct shape shape_random(struct bench *bench, unsigned grf_bytes,
                          unsigned lanes, bool may_predicate);

/**
 * Returns the lanes that run, bit i = lane i: semantics.md, section 1: ChEn[i]
 * = (NM ? 1 : EM[offset + i]) & pred[i].
 */
uint32_t shape_enabled(const struct shape *shape);

#endif /* SHAPE_H */
