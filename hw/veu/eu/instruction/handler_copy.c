/*
 * veu execution unit: handlers of moves whose elements are not contiguous.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/instruction/handler_copy.h"
#include "hw/veu/eu/instruction/handler_element.h"
#include "hw/veu/eu/instruction/handler_match.h"
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/program/type.h"

#if !defined(__clang__)
#pragma GCC optimize("tree-loop-vectorize")
#endif

/*
 * Each element is in a larger one of its own, @value bits from its lowest bit.
 */
#define NARROW(name, to_, from_)                                       \
    static VEU_HANDLER(name)                                           \
    {                                                                  \
        const ELEMENT(from_) *from = (void *)(registers + i->from[0]); \
        ELEMENT(to_) *to = (void *)(registers + i->to);                \
        unsigned shift = i->value;                                     \
                                                                       \
        SEPARATE                                                       \
        for (unsigned n = 0; n < 16; n++) {                            \
            to[n] = (to_)(from[n] >> shift);                           \
        }                                                              \
        VEU_NEXT_STEP();                                               \
    }
NARROW(narrow_b_d_16, uint8_t, uint32_t)
NARROW(narrow_w_d_16, uint16_t, uint32_t)
NARROW(narrow_d_q_16, uint32_t, uint64_t)

/* Dwords become every second one; those between them are not written. */
static VEU_HANDLER(spread_d_eights)
{
    const ELEMENT(uint32_t) *from = (void *)(registers + i->from[0]);
    ELEMENT(uint32_t) *to = (void *)(registers + i->to);

    for (unsigned first = 0; first < i->lanes; first += 8) {
        SEPARATE
        for (unsigned n = first; n < first + 8; n++) {
            to[2 * n] = from[n];
        }
    }
    VEU_NEXT_STEP();
}

static const struct {
    uint8_t bytes;    /* of an element */
    uint8_t distance; /* of the source's elements, in bytes */
    uint8_t step;     /* of the destination's elements */
    uint8_t lanes;    /* 0: a multiple of 8 */
    VeuHandler *handler;
} copies[] = {
    { 1, 4, 1, 16, narrow_b_d_16 },
    { 2, 4, 1, 16, narrow_w_d_16 },
    { 4, 8, 1, 16, narrow_d_q_16 },
    { 4, 4, 2, 0, spread_d_eights },
};

static VeuHandler *find_copy(unsigned bytes, unsigned distance, unsigned step,
                             unsigned lanes)
{
    for (unsigned n = 0; n < VEU_ARRAY_SIZE(copies); n++) {
        if (copies[n].bytes == bytes && copies[n].distance == distance &&
            copies[n].step == step &&
            (copies[n].lanes ? copies[n].lanes == lanes : lanes % 8 == 0)) {
            return copies[n].handler;
        }
    }
    return NULL;
}

/* Returns true if the low bits of each element are the result. */
static bool copies_bits(const VeuInstruction *i, const VeuOperand *o)
{
    bool same = o->type == i->dst.type;

    return o->class == VEU_OPERAND_GENERAL &&
           i->dst.class == VEU_OPERAND_GENERAL && o->width_shift == 5 &&
           !o->modifier && !i->dst.modifier &&
           (same || (veu_type_is_integer(o->type) &&
                     veu_type_is_integer(i->dst.type))) &&
           veu_type_bytes(i->dst.type) <= veu_type_bytes(o->type);
}

/* Whatever is copied lies in aligned elements of @distance bytes. */
VeuHandler *veu_copy_choose(const VeuInstruction *i, VeuHandlerStep *step)
{
    const VeuOperand *o = &i->src[0], *to = &i->dst;
    uint32_t bytes = veu_type_bytes(to->type);
    uint32_t distance = veu_type_bytes(o->type) * o->step;
    uint32_t skipped = distance ? o->at % distance : 0;

    if (!copies_bits(i, o) || skipped + bytes > distance ||
        veu_handler_overlaps(to->at, bytes * to->step * i->lanes,
                             o->at - skipped, distance * i->lanes)) {
        return NULL;
    }
    step->from[0] = o->at - skipped;
    step->to = to->at;
    step->value = 8 * skipped;
    return find_copy(bytes, distance, to->step, i->lanes);
}
