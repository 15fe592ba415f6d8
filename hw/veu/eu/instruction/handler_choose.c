/*
 * veu execution unit: the choice of an instruction's handler.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/handler_choose.h"
#include "hw/veu/eu/instruction/handler_goto.h"
#include "hw/veu/eu/instruction/handler_match.h"
#include "hw/veu/eu/instruction/handler_message.h"
#include "hw/veu/eu/instruction/handler_parts.h"
#include "hw/veu/eu/instruction/handler_stage.h"
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/program/type.h"

#define TYPE(name) VEU_TYPE_BIT(name)
#define DWORDS     VEU_TYPES_D
#define QUADS      VEU_TYPES_Q

/* ---- operands ---- */

static bool is_number(const VeuOperand *o)
{
    return o->class == VEU_OPERAND_IMMEDIATE && o->type != VEU_TYPE_V &&
           o->type != VEU_TYPE_UV && o->type != VEU_TYPE_VF;
}

/* Types of immediates whose values fit the type of a row. */
static uint32_t numbers_of(uint32_t types)
{
    uint32_t positive = TYPE(UB) | TYPE(UW);

    switch (types) {
    case TYPE(UD):
        return positive | TYPE(UD);
    case TYPE(D):
        return positive | TYPE(B) | TYPE(W) | TYPE(D);
    case TYPE(UQ):
        return positive | TYPE(UD) | TYPE(UQ);
    case TYPE(Q):
        return positive | TYPE(B) | TYPE(W) | DWORDS | TYPE(Q);
    case DWORDS:
    case QUADS:
        return positive | TYPE(B) | TYPE(W) | DWORDS | QUADS;
    default:
        return types;
    }
}

/* What is shifted, or divided, keeps the width and sign of its own type. */
static bool keeps_type(const VeuInstruction *i, unsigned k)
{
    VeuOperation o = i->info->operation;

    return k == 0 && (o == VEU_OPERATION_SHL || o == VEU_OPERATION_SHR ||
                      o == VEU_OPERATION_ASR || o == VEU_OPERATION_ROL ||
                      o == VEU_OPERATION_ROR || o == VEU_OPERATION_DIV);
}

static bool takes_immediate(const VeuInstruction *i, const VeuHandlerMatch *m,
                            unsigned k)
{
    const VeuOperand *o = &i->src[k];

    return is_number(o) &&
           ((keeps_type(i, k) ? m->src : numbers_of(m->src)) >> o->type & 1);
}

/* Returns true if no lane reads what another lane writes. */
static inline bool is_independent(const VeuInstruction *i, const VeuOperand *to,
                                  const VeuOperand *o)
{
    uint32_t bytes = veu_type_bytes(o->type);
    uint32_t to_bytes = veu_type_bytes(to->type);

    return to->null || to->class == VEU_OPERAND_PREDICATE ||
           (o->at == to->at && bytes == to_bytes) ||
           !veu_handler_overlaps(to->at, to_bytes * i->lanes, o->at,
                                 bytes * i->lanes);
}

/* Returns true if source @k is V or B, and sets its bit of the shape. */
static bool take_source(const VeuInstruction *i, const VeuHandlerMatch *m,
                        unsigned k, VeuHandlerStep *step, unsigned *shape)
{
    const VeuOperand *o = &i->src[k];
    uint8_t modifier = m->modified == k ? m->modifier : VEU_MODIFIER_NONE;
    unsigned to = m->turned ? 1 - k : k;

    if (o->null || o->modifier != modifier) {
        return false;
    }
    if (step->immediate == VEU_MAX_SOURCES && takes_immediate(i, m, k)) {
        step->immediate = to;
        step->value = o->value;
        *shape |= 1u << to;
        return true;
    }
    if (o->class != VEU_OPERAND_GENERAL || !(m->src >> o->type & 1)) {
        return false;
    }
    step->from[to] = o->at;
    if (veu_handler_has_step(o, i->lanes, 0)) {
        *shape |= 1u << to;
        return true;
    }
    return veu_handler_has_step(o, i->lanes, 1) &&
           is_independent(i, &i->dst, o) && is_independent(i, &i->dst2, o);
}

static bool operand_has_cr0(const VeuProgram *p, const VeuInstruction *i,
                            const VeuOperand *o)
{
    uint32_t elements = (i->lanes - 1) * o->step + 1;

    return !o->null && o->class == VEU_OPERAND_GENERAL &&
           veu_handler_has_cr0(p, o->at, veu_type_bytes(o->type) * elements);
}

/*
 * Handlers read %cr0 when they start; after such an instruction they start
 * again. Few programs have %cr0.
 */
static bool writes_cr0(const VeuProgram *p, const VeuInstruction *i)
{
    return p->predefined[VEU_PREDEFINED_CR0].elements &&
           (operand_has_cr0(p, i, &i->dst) || operand_has_cr0(p, i, &i->dst2));
}

static bool is_consecutive(const VeuInstruction *i, const VeuOperand *o)
{
    return o->class == VEU_OPERAND_GENERAL && (o->step == 1 || i->lanes == 1);
}

static bool take_destination(const VeuInstruction *i, VeuHandlerStep *step)
{
    const VeuOperand *o = &i->dst;

    step->to = o->at;
    if (!i->dst2.null) {
        step->from[2] = i->dst2.at;
    }
    return !o->null && !o->modifier &&
           (o->class == VEU_OPERAND_PREDICATE || is_consecutive(i, o));
}

/* The second destination, a carry, is adjacent to the first. */
static bool take_carry(const VeuInstruction *i)
{
    bool carries = i->info->operation == VEU_OPERATION_ADDC ||
                   i->info->operation == VEU_OPERATION_SUBB;
    uint32_t bytes = i->lanes * 4;

    return carries ?
               !i->dst2.null && is_consecutive(i, &i->dst2) &&
                   !veu_handler_overlaps(i->dst.at, bytes, i->dst2.at, bytes) :
               i->dst2.null;
}

/* ---- choice ---- */

/* Handlers of 2 and 4 lanes would write beyond them. */
static bool size_of(const VeuInstruction *i, VeuHandlerSize *size)
{
    *size = i->lanes == 1  ? VEU_HANDLER_1 :
            i->lanes == 16 ? VEU_HANDLER_16 :
                             VEU_HANDLER_EIGHTS;
    return i->lanes == 1 || i->lanes >= 8;
}

static bool matches_row(const VeuProgram *p, VeuInstruction *i,
                        const VeuHandlerMatch *m, VeuHandlerSize size,
                        VeuHandlerStep *step)
{
    const VeuHandlerSet *set;
    unsigned shape = 0;

    step->immediate = VEU_MAX_SOURCES;
    if ((m->code != VEU_ANY_CODE && m->code != i->code) ||
        !(m->dst >> i->dst.type & 1)) {
        return false;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        if (!take_source(i, m, k, step, &shape)) {
            return false;
        }
    }
    set = &veu_handler_table()[m->row];
    veu_handler_set(p, step, (*set)[0][shape][size], (*set)[1][shape][size]);
    if (!step->handler[0]) {
        return false;
    }
    i->row = m->row;
    i->shape = shape;
    return true;
}

static bool choose_row(const VeuProgram *p, VeuInstruction *i,
                       VeuHandlerStep *step)
{
    const VeuHandlerMatch *m = veu_handler_list(i->info->operation)->match;
    VeuHandlerSize size;

    if (!m || !veu_handler_has_own_lanes(i) || !size_of(i, &size) ||
        !take_carry(i) || !take_destination(i, step)) {
        return false;
    }
    while (m->dst && !matches_row(p, i, m, size, step)) {
        m++;
    }
    return m->dst;
}

/* ---- handlers without lanes ---- */

static VEU_HANDLER(set_state)
{
    if (veu_step_lanes(t, i)) {
        t->flow->states[i->to] = i->value;
    }
    VEU_NEXT_STEP();
}

/*
 * Source @k of a logic operation. from[2] has a bit for each source that is
 * inverted, and @value the lanes that they have.
 */
static uint32_t predicate_source(const VeuThread *t, const VeuHandlerStep *i,
                                 unsigned k)
{
    return (t->predicates[i->from[k]] ^ -(i->from[2] >> k & 1)) &
           (uint32_t)(i->value >> 32 * k);
}

/* The other lanes of a predicate keep their bits. */
#define LOGIC(name, expression)                                  \
    static VEU_HANDLER(name)                                     \
    {                                                            \
        uint32_t a = predicate_source(t, i, 0);                  \
        uint32_t b = predicate_source(t, i, 1);                  \
        uint32_t lanes = veu_step_lanes(t, i) << i->mask_offset; \
                                                                 \
        t->predicates[i->to] = (t->predicates[i->to] & ~lanes) | \
                               ((expression)&lanes);             \
        VEU_NEXT_STEP();                                         \
    }
LOGIC(and_predicates, a &b)
LOGIC(or_predicates, a | b)
LOGIC(xor_predicates, a ^ b)

static void set_both(VeuHandlerStep *step, VeuHandler *handler)
{
    step->handler[0] = handler;
    step->handler[1] = handler;
    step->is_empty = handler == veu_handler_nothing;
}

/* A state variable that is set to a number. */
static bool choose_state(VeuInstruction *i, VeuHandlerStep *step)
{
    if (i->dst.null || i->dst.class != VEU_OPERAND_STATE ||
        !is_number(&i->src[0])) {
        return false;
    }
    step->value = veu_operand_integer(&i->src[0], i->src[0].value);
    step->to = i->dst.at;
    i->row = VEU_HANDLER_ROW_STATE;
    set_both(step, set_state);
    return true;
}

/* Returns true if both sources are predicates. */
static bool take_predicates(const VeuProgram *p, const VeuInstruction *i,
                            VeuHandlerStep *step)
{
    for (unsigned k = 0; k < 2; k++) {
        const VeuOperand *o = &i->src[k];

        if (o->class != VEU_OPERAND_PREDICATE) {
            return false;
        }
        step->from[k] = o->at;
        step->from[2] |= (uint32_t)o->inverse << k;
        step->value |= (uint64_t)(UINT32_MAX >> (32 - p->predicate_bits[o->at]))
                       << 32 * k;
    }
    return true;
}

/* A logic operation on predicates. */
static bool choose_logic(const VeuProgram *p, VeuInstruction *i,
                         VeuHandlerRow row, VeuHandler *handler,
                         VeuHandlerStep *step)
{
    if (i->dst.null || i->dst.class != VEU_OPERAND_PREDICATE ||
        !take_predicates(p, i, step)) {
        return false;
    }
    step->to = i->dst.at;
    i->row = row;
    set_both(step, handler);
    return true;
}

/* Returns true if all running lanes take it, except for a predicate. */
static bool is_for_all(const VeuProgram *p, const VeuInstruction *i)
{
    return i->lanes == 1 || (i->lanes == p->simd && i->mask_offset == 0);
}

static void choose_goto(const VeuProgram *p, const VeuInstruction *i,
                        VeuHandlerStep *step)
{
    bool all = is_for_all(p, i);
    bool own = i->predication.combine == VEU_COMBINE_NONE;
    VeuHandler *handler;

    step->to = i->target;
    step->value = (uint64_t)i->all_lanes << i->mask_offset;
    if (!i->predication.used) {
        handler = all ? veu_handler_goto_always : veu_handler_goto;
    } else if (own) {
        handler = i->lanes == 1 ? veu_handler_goto_first : veu_handler_goto_own;
    } else {
        handler = veu_handler_goto;
    }
    set_both(step, handler);
}

static void choose_ret(const VeuProgram *p, const VeuInstruction *i,
                       VeuHandlerStep *step)
{
    bool always = !i->predication.used && is_for_all(p, i);

    set_both(step, always ? veu_handler_ret_always : veu_handler_ret);
}

static bool choose_plain(const VeuProgram *p, VeuInstruction *i,
                         VeuHandlerStep *step)
{
    switch (i->info->operation) {
    case VEU_OPERATION_NONE:
    case VEU_OPERATION_LABEL:
        set_both(step, veu_handler_nothing);
        return true;
    case VEU_OPERATION_RET:
        choose_ret(p, i, step);
        return true;
    case VEU_OPERATION_BARRIER:
        set_both(step, veu_handler_barrier);
        return true;
    case VEU_OPERATION_GOTO:
        choose_goto(p, i, step);
        return true;
    case VEU_OPERATION_AND:
        return choose_logic(p, i, VEU_HANDLER_ROW_AND, and_predicates, step);
    case VEU_OPERATION_OR:
        return choose_logic(p, i, VEU_HANDLER_ROW_OR, or_predicates, step);
    case VEU_OPERATION_XOR:
        return choose_logic(p, i, VEU_HANDLER_ROW_XOR, xor_predicates, step);
    case VEU_OPERATION_MOVS:
        return choose_state(i, step);
    default:
        return false;
    }
}

/* ---- stops of handlers ---- */

/*
 * The most steps that handlers execute without checking the cost. Closing them
 * is a bounded piece of work.
 */
#define MOST_STEPS 1024

static VeuInstructionStop stop_of(const VeuProgram *p, const VeuInstruction *i,
                                  bool has_handler)
{
    VeuOperation o = i->info ? i->info->operation : VEU_OPERATION_NONE;
    uint32_t open = i - p->instructions - p->first_open_step;
    bool ends;

    if (!i->info) {
        return VEU_STOP_MESSAGE;
    }
    if (o == VEU_OPERATION_GOTO || o == VEU_OPERATION_RET) {
        return VEU_STOP_FLOW;
    }
    ends = writes_cr0(p, i) || open == MOST_STEPS;
    if (!has_handler || o == VEU_OPERATION_BARRIER ||
        (ends && i->stage.may_fault)) {
        return VEU_STOP_RULES;
    }
    return ends ? VEU_STOP_ALONE : VEU_STOP_NONE;
}

/*
 * Compilers set a surface's state variable to a number right before a message
 * that uses it: the message most likely finds that number there.
 */
static void guess_surface(VeuMessage *m, const VeuHandlerStep *before)
{
    if (before->handler[0] == set_state && before->to == m->state &&
        m->surface >= VEU_FIRST_SURFACE && before->value < VEU_LIMIT_SURFACES) {
        m->surface = VEU_FIRST_SURFACE + before->value;
    }
}

/*
 * A message may write to %cr0 if its data begin before the end of %cr0; one
 * with a handler of its own, if any of its data is there.
 */
static void choose_message(VeuProgram *p, VeuInstruction *i,
                           VeuHandlerStep *step)
{
    const struct veu_variable *cr0 = &p->predefined[VEU_PREDEFINED_CR0];
    uint32_t cr0_bytes = cr0->elements * veu_type_bytes(cr0->type);
    VeuMessage *m = &p->messages[i->target];
    uint32_t data = m->data.register_byte;
    VeuHandler *handler = veu_handler_of_message(m, step);

    if (step > p->steps) {
        guess_surface(m, step - 1);
    }
    step->to = i->target;
    step->writes_cr0 = cr0->elements && data < cr0->offset + cr0_bytes;
    if (step->writes_cr0 &&
        veu_handler_has_cr0(p, data, VEU_HANDLER_MESSAGE_BYTES)) {
        handler = veu_handler_message;
    }
    i->alone = veu_handler_message;
    set_both(step, handler);
}

static bool is_cr0(const VeuProgram *p, const VeuOperand *o)
{
    const struct veu_variable *v = &p->predefined[VEU_PREDEFINED_CR0];

    return v->elements && o->class == VEU_OPERAND_GENERAL &&
           o->at == v->offset && o->modifier == VEU_MODIFIER_NONE &&
           veu_type_bytes(v->type) == sizeof(uint32_t) && DWORDS >> o->type & 1;
}

/* Sets bits of %cr0, as compilers do where a kernel begins. */
static bool sets_cr0(const VeuProgram *p, const VeuInstruction *i,
                     const VeuHandlerStep *step)
{
    return i->info->operation == VEU_OPERATION_OR && !i->is_staged &&
           step->immediate == 1 && i->lanes == 1 && i->no_mask &&
           !i->predicated && is_cr0(p, &i->dst) && is_cr0(p, &i->src[0]);
}

static void choose_stop(VeuProgram *p, VeuInstruction *i, VeuHandlerStep *step)
{
    uint32_t at = i - p->instructions;

    i->stop = stop_of(p, i, step->handler[0]);
    switch (i->stop) {
    case VEU_STOP_NONE:
        return;
    case VEU_STOP_RULES:
        if (step->handler[0] && !i->stage.may_fault) {
            break;
        }
        set_both(step, veu_handler_stop);
        veu_handler_close(p, at);
        p->first_open_step = at + 1;
        return;
    case VEU_STOP_MESSAGE:
        choose_message(p, i, step);
        break;
    case VEU_STOP_ALONE:
        i->alone = step->handler[1];
        set_both(step,
                 sets_cr0(p, i, step) ? veu_handler_or_cr0 : veu_handler_alone);
        break;
    default:
        break;
    }
    veu_handler_close(p, at + 1);
}

void veu_handler_close(VeuProgram *p, uint32_t end)
{
    uint32_t ahead = 0;

    for (uint32_t n = end; n > p->first_open_step; n--) {
        ahead += p->instructions[n - 1].cost;
        p->steps[n - 1].ahead = ahead;
    }
    p->first_open_step = end;
}

void veu_handler_choose(VeuProgram *p, VeuInstruction *i)
{
    VeuHandlerStep *step = &p->steps[i - p->instructions];

    *step = (VeuHandlerStep){
        .immediate = VEU_MAX_SOURCES,
        .all_lanes = i->all_lanes,
        .predication = i->predication,
        .lanes = i->lanes,
        .mask_offset = i->mask_offset,
        .always = -(uint32_t)i->no_mask,
        .predicated = i->predicated,
    };
    i->row = VEU_HANDLER_ROW_NONE;
    if (i->info && !i->reads_clock && !choose_plain(p, i, step) &&
        !choose_row(p, i, step)) {
        veu_stage_choose(p, i, step);
    }
    choose_stop(p, i, step);
}
