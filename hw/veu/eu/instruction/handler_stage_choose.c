/*
 * veu execution unit: the choice of a staged handler.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The executor computes integers exactly, in 128 bits, and floats exactly, and
 * then rounds once to the type of the destination. An instruction is staged
 * where lanes of 32 or 64 bits give the same bits:
 *
 *   - sums, products and logic of integers, in lanes as wide as the result;
 *   - comparisons, and other operations that depend on values, in lanes that
 *     hold the values of all sources;
 *   - half floats in floats, whose 24 bits are two more than twice the 11 of a
 *     half: a sum, product, quotient or root that is rounded twice is the same
 *     as one rounded once. A mad needs doubles for that.
 */
#include <string.h>
#include "hw/veu/eu/instruction/handler_copy.h"
#include "hw/veu/eu/instruction/handler_match.h"
#include "hw/veu/eu/instruction/handler_parts.h"
#include "hw/veu/eu/instruction/handler_stage.h"
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/instruction/real.h"
#include "hw/veu/eu/program/type.h"

#define UNSIGNED_D (VEU_TYPE_BIT(UB) | VEU_TYPE_BIT(UW) | VEU_TYPE_BIT(UD))
#define UNSIGNED_Q (UNSIGNED_D | VEU_TYPE_BIT(UQ))
#define INTEGERS_D (VEU_TYPES_SMALL | VEU_TYPES_D)
#define REAL       (VEU_TYPE_BIT(HF) | VEU_TYPE_BIT(F) | VEU_TYPE_BIT(DF))

static bool is_in(uint8_t type, uint32_t types)
{
    return types >> type & 1;
}

static bool saturates(const VeuInstruction *i)
{
    return i->dst.modifier == VEU_MODIFIER_SAT;
}

static bool sources_are_in(const VeuInstruction *i, uint32_t types)
{
    for (unsigned k = 0; k < i->source_count; k++) {
        if (!is_in(veu_operand_type(&i->src[k]), types)) {
            return false;
        }
    }
    return true;
}

/* ---- operands ---- */

/* Elements in registers at equal distances get the plainest region. */
static void straighten(VeuOperand *o, unsigned lanes)
{
    unsigned step = lanes < 2 ? 0 : o->width_shift == 0 ? o->row_step : o->step;

    if (o->class == VEU_OPERAND_IMMEDIATE) {
        o->width_shift = 5;
        o->step = 0;
        o->row_step = 0;
    } else if (!o->by_row && step <= UINT8_MAX &&
               veu_handler_has_step(o, lanes, step)) {
        o->width_shift = 5;
        o->step = step;
        o->row_step = 0;
    }
}

static bool is_readable(const VeuOperand *o)
{
    return !o->null && !o->is_address &&
           (o->class == VEU_OPERAND_GENERAL ||
            o->class == VEU_OPERAND_INDIRECT ||
            o->class == VEU_OPERAND_IMMEDIATE ||
            o->class == VEU_OPERAND_PREDICATE);
}

static bool has_readable_sources(const VeuInstruction *i)
{
    for (unsigned k = 0; k < i->source_count; k++) {
        if (!is_readable(&i->src[k])) {
            return false;
        }
    }
    return i->source_count <= VEU_HANDLER_SOURCES;
}

static bool has_destination(const VeuInstruction *i)
{
    return !i->dst.null && i->dst2.null &&
           (i->dst.class == VEU_OPERAND_GENERAL ||
            i->dst.class == VEU_OPERAND_INDIRECT ||
            i->dst.class == VEU_OPERAND_PREDICATE);
}

/* ---- contents of lanes ---- */

static VeuStageType stage_of(uint32_t types)
{
    return types & VEU_TYPE_BIT(DF) ? VEU_STAGE_DF :
           types & VEU_TYPE_BIT(F)  ? VEU_STAGE_F :
           types & VEU_TYPES_Q      ? VEU_STAGE_Q :
                                      VEU_STAGE_D;
}

/*
 * Returns true if lanes of the row's type can hold every value of the source.
 */
static bool holds_value(const VeuHandlerMatch *m, const VeuOperand *o)
{
    uint8_t type = veu_operand_type(o);

    switch (m->src) {
    case VEU_TYPE_BIT(D):
        return is_in(type, VEU_TYPES_SMALL) ||
               (type == VEU_TYPE_D && !o->modifier);
    case VEU_TYPE_BIT(UD):
        return is_in(type, UNSIGNED_D) && !o->modifier;
    case VEU_TYPE_BIT(Q):
        return is_in(type, INTEGERS_D) || (type == VEU_TYPE_Q && !o->modifier);
    case VEU_TYPE_BIT(UQ):
        return is_in(type, UNSIGNED_Q) && !o->modifier;
    default:
        return false;
    }
}

/* A shift count has 6 bits if a quad word is shifted or produced. */
static bool shifts_quads(const VeuInstruction *i)
{
    return veu_type_bytes(veu_operand_type(&i->src[0])) == 8 ||
           veu_type_bytes(i->dst.type) == 8;
}

static bool takes_integer(const VeuInstruction *i, const VeuHandlerMatch *m,
                          VeuHandlerWidth width, const VeuOperand *o)
{
    bool shifted = o == &i->src[0];
    bool wide = m->src & VEU_TYPES_Q;

    switch (width) {
    case VEU_WIDTH_RING:
        return true;
    case VEU_WIDTH_VALUE:
        return holds_value(m, o);
    case VEU_WIDTH_LEFT:
        return wide == shifts_quads(i);
    case VEU_WIDTH_RIGHT:
    case VEU_WIDTH_SIGN:
        /* Packed immediates are only read as signed numbers. */
        return wide == shifts_quads(i) &&
               !(shifted && (o->modifier || o->type == VEU_TYPE_V));
    default:
        return is_in(veu_operand_type(o), m->src) && !o->modifier;
    }
}

/* Functions would round twice on the way to a half float. */
static bool is_function(VeuOperation operation)
{
    return operation == VEU_OPERATION_EXP || operation == VEU_OPERATION_LOG ||
           operation == VEU_OPERATION_POW || operation == VEU_OPERATION_SIN ||
           operation == VEU_OPERATION_COS;
}

/*
 * Half floats take lanes of floats, or of doubles for a mad; other types do
 * not.
 */
static bool takes_real(const VeuInstruction *i, const VeuHandlerMatch *m)
{
    bool halves = sources_are_in(i, VEU_TYPE_BIT(HF));
    bool mad = i->info->operation == VEU_OPERATION_MAD;
    VeuStageType stage = stage_of(m->src);

    if (i->info->operation == VEU_OPERATION_SEL) {
        return is_in(i->dst.type, m->src) && sources_are_in(i, m->src);
    }
    if (i->dst.type == VEU_TYPE_HF) {
        return halves && !is_function(i->info->operation) &&
               stage == (mad ? VEU_STAGE_DF : VEU_STAGE_F);
    }
    return stage == VEU_STAGE_DF ?
               sources_are_in(i, VEU_TYPE_BIT(DF)) :
               sources_are_in(i, VEU_TYPE_BIT(F) | VEU_TYPE_BIT(HF));
}

/* The type as which a shift reads the elements of src0. */
static uint8_t type_shifted(VeuHandlerWidth width, uint8_t type)
{
    static const uint8_t without_sign[] = {
        [VEU_TYPE_B] = VEU_TYPE_UB,
        [VEU_TYPE_W] = VEU_TYPE_UW,
        [VEU_TYPE_D] = VEU_TYPE_UD,
        [VEU_TYPE_Q] = VEU_TYPE_UQ,
    };
    static const uint8_t with_sign[] = {
        [VEU_TYPE_UB] = VEU_TYPE_B,
        [VEU_TYPE_UW] = VEU_TYPE_W,
        [VEU_TYPE_UD] = VEU_TYPE_D,
        [VEU_TYPE_UQ] = VEU_TYPE_Q,
    };

    if (width == VEU_WIDTH_RIGHT &&
        is_in(type, VEU_TYPES_INTEGER & ~UNSIGNED_Q)) {
        return without_sign[type];
    }
    return width == VEU_WIDTH_SIGN && is_in(type, UNSIGNED_Q) ?
               with_sign[type] :
               type;
}

/* ---- rows ---- */

static bool takes_sources(VeuInstruction *i, const VeuHandlerMatch *m,
                          VeuHandlerWidth width)
{
    VeuStageType stage = stage_of(m->src);

    if ((m->src & REAL) && !takes_real(i, m)) {
        return false;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        const VeuOperand *o = &i->src[k];
        uint8_t type = o->type;

        if (o->class == VEU_OPERAND_PREDICATE ||
            (!(m->src & REAL) && !takes_integer(i, m, width, o))) {
            return false;
        }
        type = k == 0 ? type_shifted(width, type) : type;
        i->stage.type[k] = type;
        i->stage.load[k] = veu_stage_load(type, stage);
        if (!i->stage.load[k]) {
            return false;
        }
    }
    return true;
}

/*
 * Sums and logic of dwords are exact in quad-word lanes, and are saturated from
 * there.
 */
static bool takes_saturation(const VeuInstruction *i, const VeuHandlerMatch *m,
                             VeuHandlerWidth width)
{
    return !saturates(i) || (m->src & REAL) ||
           (width == VEU_WIDTH_RING && stage_of(m->src) == VEU_STAGE_Q &&
            sources_are_in(i, INTEGERS_D));
}

static bool takes_destination(VeuInstruction *i, const VeuHandlerMatch *m,
                              VeuHandlerWidth width)
{
    VeuStageType stage = stage_of(m->src);
    bool predicate = i->dst.class == VEU_OPERAND_PREDICATE;

    /* All ones are not a number that could be converted. */
    if (i->info->operation == VEU_OPERATION_CMP && !predicate) {
        return false;
    }
    if (predicate || (m->dst & VEU_TYPE_BIT(BOOL))) {
        i->stage.store = NULL;
        return predicate && (m->dst & VEU_TYPE_BIT(BOOL)) &&
               veu_handler_has_own_lanes(i);
    }
    if (!takes_saturation(i, m, width)) {
        return false;
    }
    i->stage.store = veu_stage_store(stage, i->dst.type, saturates(i));
    return i->stage.store &&
           is_in(i->dst.type, VEU_TYPES_INTEGER) == !(m->src & REAL);
}

/*
 * The handler that computes on consecutive lanes. One lane is the same for all.
 * The other lanes of a predicate keep their bits; those of the stages may have
 * any result.
 */
static VeuHandler *compute(const VeuInstruction *i, const VeuHandlerMatch *m)
{
    bool some = i->dst.class == VEU_OPERAND_PREDICATE;
    unsigned scalars = (1u << i->source_count) - 1;
    VeuHandlerSize size = i->lanes == 1  ? VEU_HANDLER_1 :
                          i->lanes == 16 ? VEU_HANDLER_16 :
                                           VEU_HANDLER_EIGHTS;

    return veu_handler_table()[m->row][some][i->lanes == 1 ? scalars : 0][size];
}

static bool stage_row(VeuInstruction *i, const VeuHandlerMatch *m,
                      VeuHandlerWidth width, VeuHandlerStep *step)
{
    if (m->modifier || (m->code != VEU_ANY_CODE && m->code != i->code) ||
        !takes_sources(i, m, width) || !takes_destination(i, m, width)) {
        return false;
    }
    i->stage.compute = compute(i, m);
    i->stage.in_dwords = stage_of(m->src) == VEU_STAGE_D;
    i->stage.turned = m->turned;
    i->row = m->row;
    step->from[0] = m->turned ? VEU_STAGE_BYTES : 0;
    step->from[1] = m->turned ? 0 : VEU_STAGE_BYTES;
    return true;
}

static bool stage_rows(VeuInstruction *i, VeuHandlerStep *step)
{
    const VeuHandlerList *list = veu_handler_list(i->info->operation);
    const VeuHandlerMatch *m = list->match;

    while (m && m->dst && !stage_row(i, m, list->width, step)) {
        m++;
    }
    return m && m->dst;
}

/* ---- mov ---- */

/* The integer type as which elements are read if only their bits are copied. */
static uint8_t type_copied(uint8_t type)
{
    return type == VEU_TYPE_DF                              ? VEU_TYPE_UQ :
           type == VEU_TYPE_F                               ? VEU_TYPE_UD :
           is_in(type, VEU_TYPE_BIT(HF) | VEU_TYPE_BIT(BF)) ? VEU_TYPE_UW :
                                                              type;
}

static bool stage_copy(VeuInstruction *i, uint8_t from, uint8_t to)
{
    VeuStageType stage = is_in(from, VEU_TYPES_Q) || is_in(to, VEU_TYPES_Q) ||
                                 saturates(i) || from == VEU_TYPE_BOOL ?
                             VEU_STAGE_Q :
                             VEU_STAGE_D;

    /* Quad words may have values that signed lanes cannot hold. */
    if (saturates(i) && is_in(from, VEU_TYPES_Q) &&
        (from == VEU_TYPE_UQ || i->src[0].modifier)) {
        return false;
    }
    i->stage.type[0] = from;
    i->stage.in_dwords = stage == VEU_STAGE_D;
    i->row = VEU_HANDLER_ROW_mov_d;
    i->stage.load[0] = veu_stage_load(i->src[0].type == VEU_TYPE_V ||
                                              i->src[0].type == VEU_TYPE_UV ?
                                          i->src[0].type :
                                          from,
                                      stage);
    i->stage.store = veu_stage_store(stage, to, saturates(i));
    return i->stage.load[0] && i->stage.store;
}

static bool stage_from_integer(VeuInstruction *i)
{
    const VeuOperand *o = &i->src[0];
    uint8_t type = veu_operand_type(o);

    if (saturates(i) || (is_in(type, VEU_TYPES_Q) && o->modifier)) {
        return false;
    }
    i->stage.load[0] = veu_stage_load(o->type, VEU_STAGE_Q);
    i->stage.store = type == VEU_TYPE_UQ ?
                         veu_stage_store_unsigned(i->dst.type) :
                         veu_stage_store(VEU_STAGE_Q, i->dst.type, false);
    return i->stage.load[0] && i->stage.store;
}

static bool stage_from_real(VeuInstruction *i)
{
    uint8_t from = i->src[0].type, to = i->dst.type;
    VeuStageType stage = from == VEU_TYPE_DF || !is_in(to, REAL) ||
                                 to == VEU_TYPE_DF ?
                             VEU_STAGE_DF :
                             VEU_STAGE_F;

    i->stage.load[0] = veu_stage_load(from, stage);
    i->stage.store = veu_stage_store(stage, to, saturates(i));
    return i->stage.load[0] && i->stage.store;
}

static bool stage_mov(VeuInstruction *i)
{
    const VeuOperand *o = &i->src[0];
    uint8_t from = veu_operand_type(o), to = i->dst.type;
    bool keeps_bits = from == to && !o->modifier && !saturates(i) &&
                      o->type != VEU_TYPE_VF;

    i->stage.compute = NULL;
    if (i->dst.class == VEU_OPERAND_PREDICATE) {
        return false;
    }
    if (o->class == VEU_OPERAND_PREDICATE) {
        return stage_copy(i, VEU_TYPE_BOOL, to);
    }
    if (keeps_bits) {
        return stage_copy(i, type_copied(from), type_copied(to));
    }
    if (is_in(from, VEU_TYPES_INTEGER)) {
        return is_in(to, VEU_TYPES_INTEGER) ? stage_copy(i, from, to) :
                                              stage_from_integer(i);
    }
    return is_in(from, REAL) && stage_from_real(i);
}

/* ---- rounding ---- */

/*
 * Returns true if the stages are not those of other roundings: halves are
 * rounded to nearest, floats that become integers toward zero, and compilers
 * may convert quad words to floats in steps that are rounded, or to -0.
 */
static bool is_nearest(const VeuInstruction *i)
{
    VeuOperation o = i->info->operation;
    bool from_real = is_in(veu_operand_type(&i->src[0]), REAL);

    return veu_real_operation(o)->nearest || i->dst.type == VEU_TYPE_HF ||
           (o == VEU_OPERATION_MOV && from_real != is_in(i->dst.type, REAL));
}

/* ---- staged handlers ---- */

/*
 * The byte in the registers at which @bytes at the operand's address begin.
 * Returns false if they are outside.
 */
static bool place_at_address(const VeuThread *t, const VeuOperand *o,
                             uint32_t bytes, uint32_t *at)
{
    int32_t first = t->addresses[o->at] + o->add_byte;

    *at = first;
    return first >= 0 && first + bytes <= t->program->register_bytes;
}

/* Bytes of elements at equal distances. */
static uint32_t extent_of(const VeuOperand *o, unsigned lanes)
{
    return veu_type_bytes(o->type) * ((lanes - 1) * o->step + 1);
}

/*
 * Loads a source at addresses. Returns false if a lane that runs reads outside
 * the registers.
 */
static __attribute__((noinline)) bool load_indirect(VeuThread *t,
                                                    const VeuOperand *o,
                                                    VeuStageLoad *load,
                                                    unsigned lanes,
                                                    uint32_t active, void *to)
{
    uint64_t bits[VEU_MAX_LANES];
    VeuOperand loaded = *o;

    if (!o->by_row && o->width_shift == 5 &&
        place_at_address(t, o, extent_of(o, lanes), &loaded.at)) {
        load(t, &loaded, t->registers + loaded.at, lanes, to);
        return true;
    }
    loaded.at = 0;
    loaded.width_shift = 5;
    loaded.step = sizeof(bits[0]) / veu_type_bytes(o->type);
    memset(bits, 0, sizeof(bits));
    if (!veu_operand_load_lanes(t, o, active, bits)) {
        return false;
    }
    load(t, &loaded, bits, lanes, to);
    return true;
}

static inline bool load_stage(VeuThread *t, const VeuInstruction *i, unsigned k,
                              uint32_t active, void *to)
{
    const VeuOperand *o = &i->src[k];

    if (__builtin_expect(o->class == VEU_OPERAND_INDIRECT, 0)) {
        return load_indirect(t, o, i->stage.load[k], i->lanes, active, to);
    }
    i->stage.load[k](t, o,
                     o->class == VEU_OPERAND_IMMEDIATE ?
                         (const void *)&o->value :
                         t->registers + o->at,
                     i->lanes, to);
    return true;
}

/*
 * The place of the first result. Returns NULL if the executor must write: where
 * a lane is outside, or may write to %cr0.
 */
static uint8_t *place_results(const VeuThread *t, const VeuInstruction *i)
{
    const VeuOperand *o = &i->dst;
    uint32_t bytes = extent_of(o, i->lanes), at;

    if (__builtin_expect(o->class != VEU_OPERAND_INDIRECT, 1)) {
        return t->registers + o->at;
    }
    if (!place_at_address(t, o, bytes, &at) ||
        veu_handler_has_cr0(t->program, at, bytes)) {
        return NULL;
    }
    return t->registers + at;
}

/*
 * Writes the results to @to. Returns false without an effect if the executor
 * must execute it.
 */
static __attribute__((noinline)) bool run_stages(VeuThread *t,
                                                 const VeuHandlerStep *i,
                                                 uint32_t active, uint8_t *to)
{
    const VeuInstruction *instruction = veu_step_instruction(t, i);
    const VeuStage *stage = &instruction->stage;
    const VeuHandlerStep *end = t->steps_end;
    VeuWait *wait = t->wait, none = { 0 };
    uint64_t lanes[VEU_HANDLER_SOURCES + 1][VEU_STAGE_BYTES / 8];
    for (unsigned k = 0; k < instruction->source_count; k++) {
        /* A loop of 8 lanes computes all of them. */
        if (i->lanes < 8 && i->lanes > 1) {
            memset(lanes[k], 0, 8 * sizeof(lanes[k][0]));
        }
        if (!load_stage(t, instruction, k, active, lanes[k])) {
            return false;
        }
    }
    if (stage->compute) {
        t->steps_end = i + 1;
        t->wait = &none;
        stage->compute(t, i, (uint8_t *)lanes, 1);
        t->steps_end = end;
        t->wait = wait;
    }
    if (stage->store) {
        stage->store(t, instruction, active,
                     lanes[stage->compute ? VEU_HANDLER_SOURCES : 0], to);
    }
    return true;
}

static VEU_HANDLER(run_staged)
{
    const VeuInstruction *instruction = veu_step_instruction(t, i);
    uint32_t active = veu_step_lanes(t, i);
    uint8_t *to = place_results(t, instruction);

    if (!to) {
        return i;
    }
    if (__builtin_expect(t->floats & VEU_FLOATS_ROUND, 0) &&
        instruction->stage.is_nearest) {
        VEU_TAIL return veu_handler_by_rules(t, i, registers, some);
    }
    if (active && !run_stages(t, i, active, to)) {
        return i;
    }
    VEU_NEXT_STEP();
}

bool veu_stage_choose(const VeuProgram *p, VeuInstruction *i,
                      VeuHandlerStep *step)
{
    bool mov = i->info->operation == VEU_OPERATION_MOV;
    VeuHandler *copy;

    if (!has_destination(i) || !has_readable_sources(i)) {
        return false;
    }
    step->immediate = VEU_MAX_SOURCES;
    step->from[0] = 0;
    step->from[1] = VEU_STAGE_BYTES;
    step->from[2] = 2 * VEU_STAGE_BYTES;
    step->to = i->dst.class == VEU_OPERAND_PREDICATE ? i->dst.at :
                                                       VEU_STAGE_RESULT;
    if (!(mov ? stage_mov(i) : stage_rows(i, step))) {
        return false;
    }
    i->stage.is_nearest = is_nearest(i);
    i->stage.may_fault = i->dst.class == VEU_OPERAND_INDIRECT;
    for (unsigned k = 0; k < i->source_count; k++) {
        i->stage.may_fault |= i->src[k].class == VEU_OPERAND_INDIRECT;
        straighten(&i->src[k], i->lanes);
    }
    copy = mov ? veu_copy_choose(i, step) : NULL;
    veu_handler_set(p, step, copy ? copy : run_staged, run_staged);
    i->is_staged = true;
    return true;
}
