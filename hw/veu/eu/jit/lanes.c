/*
 * veu execution unit: lanes as host code's vector instructions take them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/jit/lanes.h"
#include "hw/veu/eu/jit/vector_ops.h"

static const VeuVectorOp blend[2] = { D38(0x64), Q38(0x64) };
static const VeuVectorOp blend_vectors = D3A(0x4a);
static const VeuVectorOp and_d = D(0xdb);
/* [0] for elements of 4 bytes, [1] for those of 8. */
static const VeuVectorOp equal[2] = { D(0x76), D38(0x29) };

/* The bit of each lane. */
static const _Alignas(32) uint32_t bits_d[] = { 1, 2, 4, 8, 16, 32, 64, 128 };
static const _Alignas(32) uint64_t bits_q[] = { 1, 2, 4, 8 };

/* ---- lanes of a step ---- */

bool veu_jit_runs_whole(const VeuJit *t, const VeuHandlerStep *s,
                        unsigned lanes)
{
    return s->always ||
           (!t->some && s->mask_offset + lanes <= t->program->simd);
}

VeuLanes veu_jit_step_lanes(const VeuJit *t, const VeuHandlerStep *s,
                            unsigned first)
{
    bool runs = !veu_jit_runs_whole(t, s, s->lanes);

    return (VeuLanes){ .is_some = runs || s->predicated,
                       .runs = runs,
                       .has_predicate = s->predicated,
                       .inverse = s->predicated && s->predication.inverse,
                       .predicate = s->predicated ? s->predication.index : 0,
                       .is_one = s->lanes == 1,
                       .first = s->mask_offset + first };
}

/* ---- lanes as values ---- */

#define RUNS          (1u << 24)
#define HAS_PREDICATE (1u << 25)
#define INVERSE       (1u << 26)
#define IS_ONE        (1u << 27)

/* Lanes, which are some, as a number. */
static uint32_t number_of(const VeuLanes *l)
{
    return l->predicate | (uint32_t)l->first << 16 | (l->runs ? RUNS : 0) |
           (l->has_predicate ? HAS_PREDICATE : 0) | (l->inverse ? INVERSE : 0) |
           (l->is_one ? IS_ONE : 0);
}

static VeuLanes lanes_of_number(uint32_t number)
{
    return (VeuLanes){ .is_some = true,
                       .runs = number & RUNS,
                       .has_predicate = number & HAS_PREDICATE,
                       .inverse = number & INVERSE,
                       .is_one = number & IS_ONE,
                       .predicate = (uint16_t)number,
                       .first = (uint8_t)(number >> 16) };
}

static VeuVectorOperands with_bits(const VeuEmit *e, unsigned to)
{
    return (VeuVectorOperands){ .length = e->longest,
                                .reg = to,
                                .vector = to,
                                .rm = VEU_LANES,
                                .is_memory = true };
}

static void load(VeuMasks *m, unsigned to, const VeuLanes *l, unsigned bytes)
{
    const void *bits = bytes == 8 ? (const void *)bits_q : bits_d;
    VeuEmit *e = m->emit;

    veu_masks_general(m, VEU_RAX, l);
    if (l->is_one) {
        veu_emit_unary(e, VEU_UNARY_NEG, VEU_RAX);
        veu_emit_broadcast(e, to, VEU_RAX, 4);
        return;
    }
    veu_emit_broadcast(e, to, VEU_RAX, bytes);
    veu_emit_number(e, VEU_LANES, (uintptr_t)bits);
    veu_emit_vector(e, and_d, with_bits(e, to));
    veu_emit_vector(e, equal[bytes == 8], with_bits(e, to));
}

unsigned veu_jit_lanes(VeuJit *t, const VeuLanes *l, unsigned bytes)
{
    bool has_them;
    unsigned n;

    if (veu_emit_has_masks(t->emit) || !l->is_some) {
        return veu_masks_lanes(&t->masks, l);
    }
    n = veu_values_lanes(&t->values, number_of(l), bytes, &has_them);
    if (!has_them) {
        load(&t->masks, n, l, bytes);
    }
    return n;
}

void veu_jit_restore_lanes(VeuJitCall *c)
{
    for (unsigned n = 0; n < c->values.count; n++) {
        const VeuValue *v = &c->values.in[n];

        if (v->kind == VEU_VALUE_LANES) {
            VeuLanes lanes = lanes_of_number((uint32_t)v->number);

            load(&c->masks, c->values.first + n, &lanes, v->bytes);
        }
    }
}

/* Forgets lanes whose number has @value in the bits of @mask. */
static void forget(VeuValues *values, uint32_t mask, uint32_t value)
{
    for (unsigned n = 0; n < values->count; n++) {
        VeuValue *v = &values->in[n];

        if (v->kind == VEU_VALUE_LANES && (v->number & mask) == value) {
            v->kind = VEU_VALUE_NONE;
        }
    }
}

void veu_jit_forget_predicate(VeuJit *t, uint32_t predicate)
{
    veu_masks_forget(&t->masks, predicate);
    forget(&t->values, HAS_PREDICATE | UINT16_MAX, HAS_PREDICATE | predicate);
}

void veu_jit_change_lanes(VeuJit *t)
{
    veu_masks_change_lanes(&t->masks);
    forget(&t->values, RUNS, RUNS);
}

/* ---- their use ---- */

void veu_jit_choose(VeuEmit *e, VeuVectorOperands o, unsigned mask,
                    unsigned bytes)
{
    if (veu_emit_has_masks(e)) {
        o.mask = mask;
        veu_emit_vector(e, blend[bytes == 8], o);
    } else {
        veu_emit_vector(e, blend_vectors, o);
        veu_emit_byte(e, mask << 4);
    }
}

void veu_jit_store_lanes(VeuJit *t, unsigned from, uint32_t at, unsigned lanes,
                         unsigned bytes, const VeuLanes *some)
{
    unsigned mask = veu_jit_lanes(t, some, bytes), old;
    VeuVectorOperands o = { .length = veu_vector_length(lanes * bytes) };

    if (mask) {
        old = veu_values_bytes(&t->values, at, lanes * bytes);
        o.reg = o.vector = old;
        o.rm = from;
        veu_jit_choose(t->emit, o, mask, bytes);
        from = old;
    }
    veu_values_store(&t->values, from, at, lanes * bytes);
}
