/*
 * veu execution unit: which handler an instruction has.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/program/type.h"

/* Codes of the relation that have rows; gt and ge are lt and le, turned. */
enum {
    RELATION_GT = 2,
    RELATION_GE = 3
};

#define TYPE(name) (1u << VEU_TYPE_##name)
#define DWORDS     (TYPE(UD) | TYPE(D))
#define QUADS      (TYPE(UQ) | TYPE(Q))
#define PREDICATE  (1u << VEU_TYPE_BOOL)
#define ANY_CODE   (-1)

/* Which instructions a row of handler_rows.h is for. */
typedef struct Match {
    uint8_t row;
    uint8_t operation;
    int8_t code;  /* relation or MINMAX, or ANY_CODE */
    bool negated; /* the second source is subtracted */
    uint32_t dst; /* types */
    uint32_t src; /* types of all sources in registers */
} Match;

#define MATCH(row_, operation_, dst_, src_)                                \
    {                                                                      \
        .row = VEU_HANDLER_ROW_##row_, .code = ANY_CODE,                   \
        .operation = VEU_OPERATION_##operation_, .dst = dst_, .src = src_, \
    }
#define CODED(row_, operation_, code_, dst_, src_)                         \
    {                                                                      \
        .row = VEU_HANDLER_ROW_##row_, .code = code_,                      \
        .operation = VEU_OPERATION_##operation_, .dst = dst_, .src = src_, \
    }
#define SUBTRACT(row_, types_)                                        \
    {                                                                 \
        .row = VEU_HANDLER_ROW_##row_, .code = ANY_CODE,              \
        .operation = VEU_OPERATION_ADD, .dst = types_, .src = types_, \
        .negated = true,                                              \
    }
#define RELATION(eq, ne, lt, le, types)                                       \
    CODED(eq, CMP, 0, PREDICATE, types), CODED(ne, CMP, 1, PREDICATE, types), \
        CODED(lt, CMP, 2, PREDICATE, types),                                  \
        CODED(le, CMP, 3, PREDICATE, types),                                  \
        CODED(lt, CMP, 4, PREDICATE, types),                                  \
        CODED(le, CMP, 5, PREDICATE, types)

static const Match matches[] = {
    MATCH(mov_d, MOV, DWORDS, DWORDS),
    MATCH(mov_d, MOV, TYPE(F), TYPE(F)),
    MATCH(mov_q, MOV, QUADS, QUADS),
    MATCH(mov_q, MOV, TYPE(DF), TYPE(DF)),
    MATCH(mov_d_ub, MOV, DWORDS, TYPE(UB)),
    MATCH(mov_d_b, MOV, DWORDS, TYPE(B)),
    MATCH(mov_d_uw, MOV, DWORDS, TYPE(UW)),
    MATCH(mov_d_w, MOV, DWORDS, TYPE(W)),
    MATCH(mov_q_ud, MOV, QUADS, TYPE(UD)),
    MATCH(mov_q_d, MOV, QUADS, TYPE(D)),
    MATCH(mov_d_q, MOV, DWORDS, QUADS),
    MATCH(mov_f_d, MOV, TYPE(F), TYPE(D)),
    MATCH(mov_f_ud, MOV, TYPE(F), TYPE(UD)),
    MATCH(mov_df_d, MOV, TYPE(DF), TYPE(D)),
    MATCH(mov_df_ud, MOV, TYPE(DF), TYPE(UD)),
    MATCH(mov_d_f, MOV, TYPE(D), TYPE(F)),
    MATCH(mov_ud_f, MOV, TYPE(UD), TYPE(F)),
    MATCH(sel_d, SEL, DWORDS, DWORDS),
    MATCH(sel_d, SEL, TYPE(F), TYPE(F)),
    MATCH(sel_q, SEL, QUADS, QUADS),
    MATCH(sel_q, SEL, TYPE(DF), TYPE(DF)),
    MATCH(add_d, ADD, DWORDS, DWORDS),
    SUBTRACT(sub_d, DWORDS),
    MATCH(mul_d, MUL, DWORDS, DWORDS),
    MATCH(mad_d, MAD, DWORDS, DWORDS),
    MATCH(add3_d, ADD3, DWORDS, DWORDS),
    MATCH(mulh_d, MULH, DWORDS, TYPE(D)),
    MATCH(mulh_ud, MULH, DWORDS, TYPE(UD)),
    MATCH(and_d, AND, DWORDS, DWORDS),
    MATCH(or_d, OR, DWORDS, DWORDS),
    MATCH(xor_d, XOR, DWORDS, DWORDS),
    MATCH(not_d, NOT, DWORDS, DWORDS),
    MATCH(shl_d, SHL, DWORDS, DWORDS),
    MATCH(shr_d, SHR, DWORDS, DWORDS),
    MATCH(asr_d, ASR, DWORDS, DWORDS),
    CODED(min_d, MINMAX, 0, DWORDS, TYPE(D)),
    CODED(max_d, MINMAX, 1, DWORDS, TYPE(D)),
    CODED(min_ud, MINMAX, 0, DWORDS, TYPE(UD)),
    CODED(max_ud, MINMAX, 1, DWORDS, TYPE(UD)),
    RELATION(eq_d, ne_d, lt_d, le_d, TYPE(D)),
    RELATION(eq_d, ne_d, lt_ud, le_ud, TYPE(UD)),
    MATCH(add_q, ADD, QUADS, QUADS),
    SUBTRACT(sub_q, QUADS),
    MATCH(mul_q, MUL, QUADS, QUADS),
    MATCH(and_q, AND, QUADS, QUADS),
    MATCH(or_q, OR, QUADS, QUADS),
    MATCH(xor_q, XOR, QUADS, QUADS),
    MATCH(shl_q, SHL, QUADS, QUADS),
    MATCH(shr_q, SHR, QUADS, QUADS),
    MATCH(asr_q, ASR, QUADS, QUADS),
    RELATION(eq_q, ne_q, lt_q, le_q, TYPE(Q)),
    RELATION(eq_q, ne_q, lt_uq, le_uq, TYPE(UQ)),
    MATCH(add_f, ADD, TYPE(F), TYPE(F)),
    SUBTRACT(sub_f, TYPE(F)),
    MATCH(mul_f, MUL, TYPE(F), TYPE(F)),
    MATCH(mad_f, MAD, TYPE(F), TYPE(F)),
    MATCH(div_f, DIV, TYPE(F), TYPE(F)),
    MATCH(inv_f, INV, TYPE(F), TYPE(F)),
    MATCH(sqrt_f, SQRT, TYPE(F), TYPE(F)),
    CODED(min_f, MINMAX, 0, TYPE(F), TYPE(F)),
    CODED(max_f, MINMAX, 1, TYPE(F), TYPE(F)),
    MATCH(rndd_f, RNDD, TYPE(F), TYPE(F)),
    MATCH(rndu_f, RNDU, TYPE(F), TYPE(F)),
    MATCH(rnde_f, RNDE, TYPE(F), TYPE(F)),
    MATCH(rndz_f, RNDZ, TYPE(F), TYPE(F)),
    RELATION(eq_f, ne_f, lt_f, le_f, TYPE(F)),
    MATCH(add_df, ADD, TYPE(DF), TYPE(DF)),
    SUBTRACT(sub_df, TYPE(DF)),
    MATCH(mul_df, MUL, TYPE(DF), TYPE(DF)),
    MATCH(mad_df, MAD, TYPE(DF), TYPE(DF)),
    MATCH(div_df, DIV, TYPE(DF), TYPE(DF)),
    RELATION(eq_df, ne_df, lt_df, le_df, TYPE(DF)),
};

/* ---- operands ---- */

/* Element n of the source is @step * n elements from its first, or false. */
static bool has_step(const VeuOperand *o, unsigned lanes, unsigned step)
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

/* What is shifted is shifted at the width of its own type. */
static bool is_shifted(const VeuInstruction *i, unsigned k)
{
    VeuOperation o = i->info->operation;

    return k == 0 && (o == VEU_OPERATION_SHL || o == VEU_OPERATION_SHR ||
                      o == VEU_OPERATION_ASR);
}

static bool takes_immediate(const VeuInstruction *i, const Match *m, unsigned k)
{
    const VeuOperand *o = &i->src[k];
    uint32_t types = is_shifted(i, k) ? m->src : numbers_of(m->src);

    return is_number(o) && (types >> o->type & 1) &&
           i->immediate == VEU_MAX_SOURCES;
}

static bool overlaps(uint32_t at, uint32_t bytes, uint32_t other,
                     uint32_t other_bytes)
{
    return at < other + other_bytes && other < at + bytes;
}

/* What a lane writes is read by no other lane, or is what it reads itself. */
static bool is_independent(const VeuInstruction *i, const VeuOperand *o)
{
    uint32_t bytes = veu_type_bytes(o->type);
    uint32_t to_bytes = veu_type_bytes(i->dst.type);

    return i->dst.class == VEU_OPERAND_PREDICATE ||
           (o->at == i->dst.at && bytes == to_bytes) ||
           !overlaps(i->dst.at, to_bytes * i->lanes, o->at, bytes * i->lanes);
}

/* Whether source @k is V or B; sets its bit of the shape. */
static bool take_source(VeuInstruction *i, const Match *m, unsigned k,
                        unsigned to, unsigned *shape)
{
    const VeuOperand *o = &i->src[k];
    uint8_t modifier = m->negated && k == 1 ? VEU_MODIFIER_NEG :
                                              VEU_MODIFIER_NONE;

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
    if (has_step(o, i->lanes, 0)) {
        *shape |= 1u << to;
        return true;
    }
    return has_step(o, i->lanes, 1) && is_independent(i, o);
}

/* %cr0 is read before a handler runs: those that write it have none. */
static bool writes_cr0(const VeuProgram *p, const VeuInstruction *i)
{
    const struct veu_variable *v = &p->predefined[VEU_PREDEFINED_CR0];

    return overlaps(i->dst.at, veu_type_bytes(i->dst.type) * i->lanes,
                    v->offset, v->elements * veu_type_bytes(v->type));
}

static bool take_destination(const VeuProgram *p, VeuInstruction *i,
                             const Match *m)
{
    const VeuOperand *o = &i->dst;

    i->to = o->at;
    if (o->null || o->modifier || !(m->dst >> o->type & 1)) {
        return false;
    }
    return o->class == VEU_OPERAND_PREDICATE ||
           (o->class == VEU_OPERAND_GENERAL &&
            (o->step == 1 || i->lanes == 1) && !writes_cr0(p, i));
}

/* ---- choice ---- */

static bool is_turned(const Match *m)
{
    return m->operation == VEU_OPERATION_CMP &&
           (m->code == RELATION_GT || m->code == RELATION_GE);
}

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

static const VeuHandlerSet *table(void)
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

static bool matches_row(const VeuProgram *p, VeuInstruction *i, const Match *m)
{
    unsigned shape = 0;
    VeuHandlerSize size;

    i->immediate = VEU_MAX_SOURCES;
    if (m->operation != i->info->operation ||
        (m->code != ANY_CODE && m->code != i->code) || !size_of(i, &size) ||
        !take_destination(p, i, m)) {
        return false;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        if (!take_source(i, m, k, is_turned(m) ? 1 - k : k, &shape)) {
            return false;
        }
    }
    i->handler = table()[m->row][0][shape][size];
    i->masked = table()[m->row][1][shape][size];
    return i->handler;
}

static void do_nothing(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
}

void veu_handler_choose(const VeuProgram *p, VeuInstruction *i)
{
    if (i->info->operation == VEU_OPERATION_NONE ||
        i->info->operation == VEU_OPERATION_LABEL) {
        i->handler = do_nothing;
        i->masked = do_nothing;
        return;
    }
    if (i->reads_clock || !i->dst2.null) {
        return;
    }
    for (unsigned n = 0; n < sizeof(matches) / sizeof(matches[0]); n++) {
        if (matches_row(p, i, &matches[n])) {
            return;
        }
    }
}
