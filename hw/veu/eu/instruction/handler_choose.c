/*
 * veu execution unit: which handler an instruction has.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/instruction/handler_choose.h"
#include "hw/veu/eu/instruction/handler_match.h"
#include "hw/veu/eu/instruction/handler_stage.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/program/type.h"

#define TYPE(name) VEU_TYPE_BIT(name)
#define DWORDS     VEU_TYPES_D
#define QUADS      VEU_TYPES_Q

/* ---- operands ---- */

bool veu_handler_has_step(const VeuOperand *o, unsigned lanes, unsigned step)
{
    for (unsigned n = 0; n < lanes; n++) {
        unsigned in_row = n & ((1u << o->width_shift) - 1);

        if ((n >> o->width_shift) * o->row_step + in_row * o->step !=
            n * step) {
            return false;
        }
    }
    return true;
}

static bool is_number(const VeuOperand *o)
{
    return o->class == VEU_OPERAND_IMMEDIATE && o->type != VEU_TYPE_V &&
           o->type != VEU_TYPE_UV && o->type != VEU_TYPE_VF;
}

/* Types of immediates whose numbers the type of a row has, too. */
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

/* What is shifted, or divided, has the width and the sign of its own type. */
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
    uint32_t types = keeps_type(i, k) ? m->src : numbers_of(m->src);

    return is_number(o) && (types >> o->type & 1) &&
           i->immediate == VEU_MAX_SOURCES;
}

static bool overlaps(uint32_t at, uint32_t bytes, uint32_t other,
                     uint32_t other_bytes)
{
    return at < other + other_bytes && other < at + bytes;
}

/* What a lane writes is read by no other lane, or is what it reads itself. */
static bool is_independent(const VeuInstruction *i, const VeuOperand *to,
                           const VeuOperand *o)
{
    uint32_t bytes = veu_type_bytes(o->type);
    uint32_t to_bytes = veu_type_bytes(to->type);

    return to->null || to->class == VEU_OPERAND_PREDICATE ||
           (o->at == to->at && bytes == to_bytes) ||
           !overlaps(to->at, to_bytes * i->lanes, o->at, bytes * i->lanes);
}

/* Whether source @k is V or B; sets its bit of the shape. */
static bool take_source(VeuInstruction *i, const VeuHandlerMatch *m, unsigned k,
                        unsigned to, unsigned *shape)
{
    const VeuOperand *o = &i->src[k];
    uint8_t modifier = m->modified == k ? m->modifier : VEU_MODIFIER_NONE;

    if (o->null || o->modifier != modifier) {
        return false;
    }
    if (takes_immediate(i, m, k)) {
        i->immediate = to;
        i->value = o->value;
        *shape |= 1u << to;
        return true;
    }
    if (o->class != VEU_OPERAND_GENERAL || !(m->src >> o->type & 1)) {
        return false;
    }
    i->from[to] = o->at;
    if (veu_handler_has_step(o, i->lanes, 0)) {
        *shape |= 1u << to;
        return true;
    }
    return veu_handler_has_step(o, i->lanes, 1) &&
           is_independent(i, &i->dst, o) && is_independent(i, &i->dst2, o);
}

/* %cr0 is read before handlers run: it is read again after those. */
static bool writes_cr0(const VeuProgram *p, const VeuInstruction *i,
                       const VeuOperand *o)
{
    const struct veu_variable *v = &p->predefined[VEU_PREDEFINED_CR0];
    uint32_t elements = (i->lanes - 1) * o->step + 1;

    return !o->null && o->class == VEU_OPERAND_GENERAL &&
           overlaps(o->at, veu_type_bytes(o->type) * elements, v->offset,
                    v->elements * veu_type_bytes(v->type));
}

static bool is_consecutive(const VeuInstruction *i, const VeuOperand *o)
{
    return o->class == VEU_OPERAND_GENERAL && (o->step == 1 || i->lanes == 1);
}

static bool take_destination(VeuInstruction *i, const VeuHandlerMatch *m)
{
    const VeuOperand *o = &i->dst;

    i->to = o->at;
    if (!i->dst2.null) {
        i->from[2] = i->dst2.at;
    }
    return !o->null && !o->modifier && (m->dst >> o->type & 1) &&
           (o->class == VEU_OPERAND_PREDICATE || is_consecutive(i, o));
}

/* The second destination, a carry, is beside the first. */
static bool take_carry(const VeuInstruction *i)
{
    bool carries = i->info->operation == VEU_OPERATION_ADDC ||
                   i->info->operation == VEU_OPERATION_SUBB;
    uint32_t bytes = i->lanes * 4;

    return carries ? !i->dst2.null && is_consecutive(i, &i->dst2) &&
                         !overlaps(i->dst.at, bytes, i->dst2.at, bytes) :
                     i->dst2.null;
}

/* ---- choice ---- */

static bool size_of(const VeuInstruction *i, VeuHandlerSize *size)
{
    static const uint8_t lanes[VEU_HANDLER_SIZES] = { 1, 8, 16, 32 };

    for (*size = 0; *size < VEU_HANDLER_SIZES; ++*size) {
        if (lanes[*size] == i->lanes) {
            return true;
        }
    }
    return false;
}

const VeuHandlerSet *veu_handler_table(void)
{
    static const VeuHandlerSet *const tables[VEU_CPU_COUNT] = {
        [VEU_CPU_SCALAR] = veu_handlers_scalar,
#if defined(__x86_64__)
        [VEU_CPU_AVX2] = veu_handlers_avx2,
        [VEU_CPU_AVX512] = veu_handlers_avx512,
#endif
    };

    return tables[veu_cpu];
}

static bool matches_row(VeuInstruction *i, const VeuHandlerMatch *m,
                        VeuHandlerSize size)
{
    const VeuHandlerSet *set = &veu_handler_table()[m->row];
    unsigned shape = 0;

    i->immediate = VEU_MAX_SOURCES;
    if ((m->code != VEU_ANY_CODE && m->code != i->code) ||
        !take_destination(i, m)) {
        return false;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        if (!take_source(i, m, k, m->turned ? 1 - k : k, &shape)) {
            return false;
        }
    }
    i->handler = (*set)[0][shape][size];
    i->masked = (*set)[1][shape][size];
    return i->handler;
}

static bool choose_row(VeuInstruction *i)
{
    const VeuHandlerMatch *m = veu_handler_list(i->info->operation)->match;
    VeuHandlerSize size;

    if (!m || !size_of(i, &size) || !take_carry(i)) {
        return false;
    }
    while (m->dst && !matches_row(i, m, size)) {
        m++;
    }
    return m->dst;
}

/* ---- handlers without lanes ---- */

static void do_nothing(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
}

static void set_state(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    if (active) {
        t->flow->states[i->to] = i->value;
    }
}

/* The other lanes of a predicate stay as they are. */
#define LOGIC(name, expression)                                              \
    static void name(VeuThread *t, const VeuInstruction *i, uint32_t active) \
    {                                                                        \
        uint32_t a = veu_predicate_operand(t, &i->src[0]);                   \
        uint32_t b = veu_predicate_operand(t, &i->src[1]);                   \
        uint32_t lanes = active << i->mask_offset;                           \
                                                                             \
        t->predicates[i->to] = (t->predicates[i->to] & ~lanes) |             \
                               ((expression)&lanes);                         \
    }
LOGIC(and_predicates, a &b)
LOGIC(or_predicates, a | b)
LOGIC(xor_predicates, a ^ b)

static VeuHandler *logic(const VeuInstruction *i)
{
    if (i->dst.null || i->dst.class != VEU_OPERAND_PREDICATE) {
        return NULL;
    }
    switch (i->info->operation) {
    case VEU_OPERATION_AND:
        return and_predicates;
    case VEU_OPERATION_OR:
        return or_predicates;
    case VEU_OPERATION_XOR:
        return xor_predicates;
    default:
        return NULL;
    }
}

/* A number that a state variable gets. */
static bool choose_state(VeuInstruction *i)
{
    if (i->info->operation != VEU_OPERATION_MOVS || i->dst.null ||
        i->dst.class != VEU_OPERAND_STATE || !is_number(&i->src[0])) {
        return false;
    }
    i->value = veu_operand_integer(&i->src[0], i->src[0].value);
    i->to = i->dst.at;
    i->handler = set_state;
    i->masked = set_state;
    return true;
}

static bool choose_plain(VeuInstruction *i)
{
    VeuOperation o = i->info->operation;
    VeuHandler *handler = o == VEU_OPERATION_NONE || o == VEU_OPERATION_LABEL ?
                              do_nothing :
                              logic(i);

    if (!handler) {
        return choose_state(i);
    }
    i->to = i->dst.at;
    i->handler = handler;
    i->masked = handler;
    return true;
}

/* Handlers for which the loop stops, and then continues. */
static void choose_stop(const VeuProgram *p, VeuInstruction *i)
{
    if (i->info->operation == VEU_OPERATION_GOTO ||
        i->info->operation == VEU_OPERATION_RET) {
        i->stop = VEU_STOP_FLOW;
    } else if (i->handler &&
               (writes_cr0(p, i, &i->dst) || writes_cr0(p, i, &i->dst2))) {
        i->stop = VEU_STOP_MODE;
        /* It is not called without lanes. */
        i->masked = i->lanes == 1 ? i->handler : i->masked;
        i->handler = NULL;
    }
}

void veu_handler_choose(const VeuProgram *p, VeuInstruction *i)
{
    if (!i->reads_clock && !choose_plain(i) && !choose_row(i)) {
        veu_stage_choose(i);
    }
    choose_stop(p, i);
}
