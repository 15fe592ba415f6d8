/*
 * veu execution unit: host code for instructions that have a row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/jit/elements.h"
#include "hw/veu/eu/jit/forms.h"
#include "hw/veu/eu/jit/lanes.h"
#include "hw/veu/eu/jit/rows.h"

static const VeuJitRow *row_of(const VeuInstruction *i)
{
    return i->row < VEU_HANDLER_ROWS ? veu_jit_row_of(i->row) : NULL;
}

uint32_t veu_jit_unless(const VeuInstruction *i)
{
    const VeuJitRow *r = row_of(i);
    uint32_t flush = r && r->from_bytes == 8 ? VEU_FLOATS_FLUSH_DF :
                                               VEU_FLOATS_FLUSH_F;

    return r ? (r->is_float ? flush : 0) | (r->rounds ? VEU_FLOATS_ROUND : 0) :
               0;
}

static unsigned load_staged(const VeuJitPart *p, unsigned k)
{
    const VeuInstruction *i = p->instruction;
    unsigned from = i->stage.turned ? 1 - k : k;

    return veu_elements_load(p->t, &i->src[from], i->stage.type[from], p->first,
                             p->lanes);
}

static unsigned load_same_one(const VeuJitPart *p, unsigned k)
{
    VeuValues *v = &p->t->values;
    bool is_narrowed = p->row->to_bytes &&
                       p->row->to_bytes < p->row->from_bytes;
    unsigned bytes = is_narrowed ? p->row->to_bytes : p->row->from_bytes;

    if (p->instruction->is_staged) {
        return load_staged(p, k);
    }
    if (bytes < 4) {
        return veu_part_same_small(p);
    }
    return p->step->immediate == k ?
               veu_values_number(v, p->step->value, bytes) :
               veu_values_same(v, p->step->from[k], bytes);
}

/*
 * Loads the sources that are the same for all lanes. They are read before any
 * lane of the result is stored.
 */
static void load_same(VeuJitPart *p)
{
    for (unsigned k = 0; k < p->row->sources; k++) {
        if (p->shape >> k & 1) {
            p->source[k] = load_same_one(p, k);
        }
    }
}

/* The form itself loads elements of 1 and 2 bytes. */
static void load_vectors(VeuJitPart *p)
{
    unsigned bytes = p->row->from_bytes;

    for (unsigned k = 0; k < p->row->sources && bytes >= 4; k++) {
        if (!(p->shape >> k & 1)) {
            p->source[k] = p->instruction->is_staged ?
                               load_staged(p, k) :
                               veu_values_bytes(&p->t->values,
                                                p->step->from[k] +
                                                    p->first * bytes,
                                                p->lanes * bytes);
        }
    }
}

/* Sources that are the same for all lanes stay for the next part. */
static void release_vectors(VeuJitPart *p)
{
    veu_values_release(&p->t->values);
    for (unsigned k = 0; k < p->row->sources; k++) {
        if (p->shape >> k & 1) {
            veu_values_keep(&p->t->values, p->source[k]);
        }
    }
}

/* The registers that are not sources were for loading them. */
static void keep_sources(const VeuJitPart *p)
{
    veu_values_release(&p->t->values);
    for (unsigned k = 0; k < p->row->sources; k++) {
        if (p->source[k]) {
            veu_values_keep(&p->t->values, p->source[k]);
        }
    }
}

static void compile_part(VeuJitPart *p)
{
    unsigned result;

    load_vectors(p);
    keep_sources(p);
    result = p->row->form(p);
    if (p->row->has_nans) {
        result = veu_part_without_nans(p, result);
    }
    if (p->row->to_bytes) {
        veu_part_store(p, result, p->step->to);
    }
}

void veu_jit_store_predicate(VeuJit *t, const VeuHandlerStep *s,
                             const VeuLanes *lanes)
{
    VeuEmit *e = t->emit;
    uint32_t bits = s->all_lanes << s->mask_offset;
    int32_t at = veu_predicate_at(s->to);

    if (lanes->is_some) {
        veu_masks_general(&t->masks, VEU_LANES, lanes);
        veu_emit_with_number(e, VEU_NUMBER_AND, VEU_LANES, s->all_lanes, false);
        veu_emit_shift(e, VEU_SHIFT_LEFT, VEU_LANES, s->mask_offset, false);
        veu_emit_general(e, VEU_GENERAL_AND, VEU_RAX, VEU_LANES, false);
        veu_emit_unary(e, VEU_UNARY_NOT, VEU_LANES);
        veu_emit_with_memory(e, VEU_GENERAL_AND, VEU_LANES, VEU_PREDICATES, at,
                             false);
        veu_emit_general(e, VEU_GENERAL_OR, VEU_RAX, VEU_LANES, false);
    } else if (bits != UINT32_MAX) {
        veu_emit_with_number(e, VEU_NUMBER_AND, VEU_RAX, bits, false);
        veu_emit_load(e, VEU_LANES, VEU_PREDICATES, at, false);
        veu_emit_with_number(e, VEU_NUMBER_AND, VEU_LANES, ~bits, false);
        veu_emit_general(e, VEU_GENERAL_OR, VEU_RAX, VEU_LANES, false);
    }
    veu_emit_store(e, VEU_RAX, VEU_PREDICATES, at, false);
    veu_jit_forget_predicate(t, s->to);
}

/* Bits of a comparison, in rax, become those of the predicate. */
static void store_bits(const VeuJitPart *p)
{
    VeuLanes lanes = veu_jit_step_lanes(p->t, p->step, 0);

    veu_masks_need_predicates(&p->t->masks);
    veu_emit_shift(p->t->emit, VEU_SHIFT_LEFT, VEU_RAX, p->step->mask_offset,
                   false);
    veu_jit_store_predicate(p->t, p->step, &lanes);
}

static unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Bits of the parts before the current one are in VEU_BITS. */
static void collect_bits(VeuJitPart *p)
{
    if (p->first) {
        veu_emit_shift(p->t->emit, VEU_SHIFT_LEFT, VEU_RAX, p->first, false);
        veu_emit_general(p->t->emit, VEU_GENERAL_OR, VEU_RAX, VEU_BITS, false);
    }
    if (p->first + p->lanes < p->step->lanes) {
        veu_emit_general(p->t->emit, VEU_GENERAL_MOVE, VEU_BITS, VEU_RAX,
                         false);
    }
}

/* Bit k is set if source k of the row is the same for all lanes. */
static unsigned shape_of(const VeuInstruction *i)
{
    unsigned shape = 0;

    if (!i->is_staged) {
        return i->shape;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        shape |= (unsigned)veu_element_is_same(&i->src[k])
                 << (i->stage.turned ? 1 - k : k);
    }
    return shape;
}

/* The bytes that a lane takes in the longest of the instruction's vectors. */
static unsigned lane_bytes(const VeuInstruction *i)
{
    const VeuJitRow *row = veu_jit_row_of(i->row);
    unsigned bytes = max(row->to_bytes, row->from_bytes);

    if (!i->is_staged) {
        return bytes;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        bytes = max(bytes, veu_element_bytes(&i->src[k], i->lanes));
    }
    return row->to_bytes ? max(bytes, veu_element_bytes(&i->dst, i->lanes)) :
                           bytes;
}

/* The lanes of which the longest vector has all bytes. */
static unsigned part_lanes(const VeuInstruction *i)
{
    return (16u << veu_emit_longest()) / lane_bytes(i);
}

static bool is_staged_in_dwords(const VeuInstruction *i)
{
    return !i->is_staged ||
           (i->stage.in_dwords && veu_jit_takes_elements(i, part_lanes(i)));
}

/* A selection may combine the bits of its predicate. */
bool veu_jit_takes_row(const VeuInstruction *i)
{
    const VeuJitRow *r = row_of(i);

    return r && r->form &&
           (r->form != veu_form_select ||
            i->predication.combine == VEU_COMBINE_NONE) &&
           is_staged_in_dwords(i);
}

void veu_jit_row(VeuJit *t, const VeuInstruction *i, const VeuHandlerStep *step)
{
    const VeuJitRow *row = veu_jit_row_of(i->row);
    unsigned bytes = max(row->to_bytes, row->from_bytes);
    unsigned lanes = part_lanes(i);
    VeuJitPart p = {
        .t = t, .instruction = i, .step = step, .row = row, .shape = shape_of(i)
    };

    p.lanes = step->lanes < lanes ? step->lanes : lanes;
    p.length = step->lanes == 1 ? t->emit->longest :
                                  veu_vector_length(p.lanes * bytes);
    load_same(&p);
    for (p.first = 0; p.first < step->lanes; p.first += p.lanes) {
        compile_part(&p);
        if (!row->to_bytes) {
            collect_bits(&p);
        }
        release_vectors(&p);
    }
    if (!row->to_bytes) {
        store_bits(&p);
    }
    veu_values_release(&t->values);
}
