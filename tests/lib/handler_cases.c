/*
 * veu tests: instructions some of whose forms have handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/handler_cases.h"

#define T(name) VEU_TYPE_##name
#define CASE(mnemonic_, number_, dst_, src_, sources_, ...)               \
    {                                                                     \
        .mnemonic = mnemonic_, .number = number_, .dst = VEU_TYPE_##dst_, \
        .src = VEU_TYPE_##src_, .sources = sources_, __VA_ARGS__          \
    }
#define SUBTRACTS .modifier = VEU_MODIFIER_NEG, .modified = 1
#define NEGATES   .modifier = VEU_MODIFIER_NEG
#define INVERTS   .modifier = VEU_MODIFIER_NOT, .modified = 1
#define CARRIES   .carries = true
#define INTEGERS(mnemonic, n)                                     \
    CASE(mnemonic, 0, D, D, n, ), CASE(mnemonic, 0, UD, UD, n, ), \
        CASE(mnemonic, 0, Q, Q, n, ), CASE(mnemonic, 0, UQ, UQ, n, )
#define RELATIONS_ONES(dst, type)                                       \
    CASE("cmp", 0, dst, type, 2, ), CASE("cmp", 1, dst, type, 2, ),     \
        CASE("cmp", 2, dst, type, 2, ), CASE("cmp", 3, dst, type, 2, ), \
        CASE("cmp", 4, dst, type, 2, ), CASE("cmp", 5, dst, type, 2, )
#define RELATIONS(type)                                                   \
    CASE("cmp", 0, BOOL, type, 2, ), CASE("cmp", 1, BOOL, type, 2, ),     \
        CASE("cmp", 2, BOOL, type, 2, ), CASE("cmp", 3, BOOL, type, 2, ), \
        CASE("cmp", 4, BOOL, type, 2, ), CASE("cmp", 5, BOOL, type, 2, )

const HandlerCase handler_cases[] = {
    INTEGERS("mov", 1),
    CASE("mov", 0, F, F, 1, ),
    CASE("mov", 0, DF, DF, 1, ),
    CASE("mov", 0, D, UB, 1, ),
    CASE("mov", 0, D, B, 1, ),
    CASE("mov", 0, UD, UW, 1, ),
    CASE("mov", 0, UD, W, 1, ),
    CASE("mov", 0, Q, UD, 1, ),
    CASE("mov", 0, UQ, D, 1, ),
    CASE("mov", 0, D, Q, 1, ),
    CASE("mov", 0, F, D, 1, ),
    CASE("mov", 0, F, UD, 1, ),
    CASE("mov", 0, DF, D, 1, ),
    CASE("mov", 0, DF, UD, 1, ),
    CASE("mov", 0, D, F, 1, ),
    CASE("mov", 0, UD, F, 1, ),
    INTEGERS("sel", 2),
    CASE("sel", 0, F, F, 2, ),
    CASE("sel", 0, DF, DF, 2, ),
    INTEGERS("add", 2),
    CASE("add", 0, D, D, 2, SUBTRACTS),
    CASE("add", 0, UQ, UQ, 2, SUBTRACTS),
    CASE("add", 0, UD, D, 2, NEGATES),
    CASE("add", 0, Q, UQ, 2, NEGATES),
    CASE("mov", 0, UD, D, 1, NEGATES),
    CASE("addc", 0, UD, UD, 2, CARRIES),
    CASE("subb", 0, UD, UD, 2, CARRIES),
    CASE("and", 0, D, UD, 2, INVERTS),
    CASE("and", 0, UQ, Q, 2, INVERTS),
    CASE("rol", 0, D, D, 2, ),
    CASE("ror", 0, UD, D, 2, ),
    CASE("div", 0, D, D, 2, ),
    CASE("div", 0, UD, UD, 2, ),
    CASE("mod", 0, D, D, 2, ),
    CASE("mod", 0, UD, UD, 2, ),
    CASE("lzd", 0, UD, UD, 1, ),
    CASE("fbl", 0, UD, UD, 1, ),
    CASE("cbit", 0, UD, UD, 1, ),
    CASE("bfrev", 0, UD, UD, 1, ),
    INTEGERS("mul", 2),
    CASE("mad", 0, D, D, 3, ),
    CASE("mad", 0, UD, UD, 3, ),
    CASE("add3", 0, D, D, 3, ),
    CASE("mulh", 0, D, D, 2, ),
    CASE("mulh", 0, UD, UD, 2, ),
    INTEGERS("and", 2),
    INTEGERS("or", 2),
    INTEGERS("xor", 2),
    CASE("not", 0, UD, UD, 1, ),
    INTEGERS("shl", 2),
    INTEGERS("shr", 2),
    INTEGERS("asr", 2),
    CASE("min", 0, D, D, 2, ),
    CASE("min", 1, D, D, 2, ),
    CASE("min", 0, UD, UD, 2, ),
    CASE("min", 1, UD, UD, 2, ),
    RELATIONS(D),
    RELATIONS(UD),
    RELATIONS_ONES(D, D),
    RELATIONS_ONES(F, UD),
    RELATIONS_ONES(F, F),
    RELATIONS(Q),
    RELATIONS(UQ),
    CASE("add", 0, F, F, 2, ),
    CASE("add", 0, F, F, 2, SUBTRACTS),
    CASE("mul", 0, F, F, 2, ),
    CASE("mad", 0, F, F, 3, ),
    CASE("div", 0, F, F, 2, ),
    CASE("divm", 0, F, F, 2, ),
    CASE("inv", 0, F, F, 1, ),
    CASE("sqrt", 0, F, F, 1, ),
    CASE("rsqrt", 0, F, F, 1, ),
    CASE("exp", 0, F, F, 1, ),
    CASE("log", 0, F, F, 1, ),
    CASE("pow", 0, F, F, 2, ),
    CASE("sin", 0, F, F, 1, ),
    CASE("cos", 0, F, F, 1, ),
    CASE("min", 0, F, F, 2, ),
    CASE("min", 1, F, F, 2, ),
    CASE("rndd", 0, F, F, 1, ),
    CASE("rndu", 0, F, F, 1, ),
    CASE("rnde", 0, F, F, 1, ),
    CASE("rndz", 0, F, F, 1, ),
    RELATIONS(F),
    CASE("add", 0, DF, DF, 2, ),
    CASE("add", 0, DF, DF, 2, SUBTRACTS),
    CASE("add", 0, F, F, 2, NEGATES),
    CASE("add", 0, DF, DF, 2, NEGATES),
    CASE("mul", 0, DF, DF, 2, ),
    CASE("mad", 0, DF, DF, 3, ),
    CASE("div", 0, DF, DF, 2, ),
    RELATIONS(DF),
};

const unsigned handler_case_count = G_N_ELEMENTS(handler_cases);

/* ---- values ---- */

/* Numbers at the limits of F and D, in one half or both halves of 8 bytes. */
uint64_t handler_edge(GRand *r)
{
    static const uint32_t edges[] = {
        0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000,
        0x3f800000, 0xbf800000, 0x7f7fffff, 0x7f800000, 0xff800000,
        0x7fc00000, 0xffa00001, 0x4f000000, 0xcf000000, 0x4f800000,
        0x7fffffff, 0xffffffff, 0x3fffffff, 0x00c00000, 0x33800001,
    };
    uint32_t low = edges[g_rand_int(r) % G_N_ELEMENTS(edges)];
    uint32_t high = edges[g_rand_int(r) % G_N_ELEMENTS(edges)];

    /* DF: exponent 0, and the largest exponent */
    high = g_rand_boolean(r) ? high : high & 0x800fffff;
    high = g_rand_int(r) % 4 ? high : high | 0x7ff00000;
    return (uint64_t)high << 32 | low;
}

void handler_fill(GRand *r, CodeRun *run)
{
    for (unsigned at = 0; at < HANDLER_PLACES * HANDLER_PLACE; at += 8) {
        uint64_t value = (uint64_t)g_rand_int(r) << 32 | g_rand_int(r);

        if (g_rand_boolean(r)) {
            value = handler_edge(r);
        }
        memcpy(run->registers + at, &value, sizeof(value));
    }
    for (unsigned n = 0; n < G_N_ELEMENTS(run->predicates); n++) {
        run->predicates[n] = g_rand_int(r);
    }
}

/* ---- instructions ---- */

uint32_t handler_variable(Code *code, unsigned place, uint8_t type)
{
    unsigned bytes = type == T(UB) || type == T(B)                 ? 1 :
                     type == T(UW) || type == T(W)                 ? 2 :
                     type == T(D) || type == T(UD) || type == T(F) ? 4 :
                                                                     8;
    uint32_t offset = place * HANDLER_PLACE;

    for (unsigned n = 0; n < code->variable_count; n++) {
        const struct veu_variable *v = &code->variables[n];

        if (v->offset == offset && v->type == type) {
            return VEU_FIRST_VARIABLE + n;
        }
    }
    return code_variable(code, offset, HANDLER_PLACE / bytes, type);
}

/* Source @k: a vector, a scalar, or an immediate if @value is not NULL. */
static Op source(Code *code, const HandlerCase *c, unsigned k, bool scalar,
                 const uint64_t *value)
{
    uint32_t id = handler_variable(code, 1 + k, c->src);
    Op op = value  ? op_imm(c->src, *value) :
            scalar ? op_scalar(id) :
                     op_lanes(id);

    return k == c->modified ? op_with(op, c->modifier) : op;
}

void handler_operands(Code *code, const HandlerCase *c, unsigned shape,
                      unsigned immediate, const uint64_t *value, Op ops[7])
{
    bool predicate = c->dst == T(BOOL);
    unsigned count = 0;

    ops[count++] = predicate ? op_pred(2) :
                               op_dst(handler_variable(code, 0, c->dst));
    if (c->carries) {
        ops[count++] = op_dst(
            handler_variable(code, HANDLER_PLACES - 1, c->dst));
    }
    for (unsigned k = 0; k < c->sources; k++) {
        ops[count++] = source(code, c, k, shape >> k & 1,
                              immediate == k ? value : NULL);
    }
}

unsigned handler_predicate(const HandlerCase *c)
{
    return !strcmp(c->mnemonic, "sel") ? 1 : 0;
}

void handler_build(Code *code, const HandlerCase *c, unsigned shape,
                   unsigned lanes, unsigned immediate, const uint64_t *value)
{
    Op ops[7] = { 0 };

    memset(code, 0, sizeof(*code));
    handler_operands(code, c, shape, immediate, value, ops);
    code_add(code, c->mnemonic, size_m1(lanes), handler_predicate(c), c->number,
             ops);
    code_add(code, "ret", size_m1(1), 0, 0, ops);
}

/* ---- random forms ---- */

/* Any type that variables may have. */
static uint8_t random_type(GRand *r)
{
    static const uint8_t types[] = {
        T(UB), T(B), T(UW), T(W), T(UD), T(D), T(UQ), T(Q), T(HF), T(F), T(DF),
    };

    return types[g_rand_int(r) % G_N_ELEMENTS(types)];
}

uint32_t handler_any_variable(Code *code, unsigned place, uint8_t type)
{
    static const uint8_t bytes[] = {
        [T(UB)] = 1, [T(B)] = 1,  [T(UW)] = 2, [T(W)] = 2,
        [T(HF)] = 2, [T(UD)] = 4, [T(D)] = 4,  [T(F)] = 4,
        [T(UQ)] = 8, [T(Q)] = 8,  [T(DF)] = 8,
    };

    return code_variable(code, place * HANDLER_PLACE,
                         HANDLER_PLACE / bytes[type], type);
}

/* The elements at address element 0, or each row at one of its own. */
static Op at_address(GRand *r, Op op, uint8_t type, bool is_source)
{
    Op at = {
        .class = VEU_OPERAND_INDIRECT,
        .type = type,
        .modifier = op.modifier,
        .region = op.region,
        .add_byte = g_rand_int_range(r, -16, 16),
    };

    if (is_source && g_rand_boolean(r)) {
        at.region = VEU_REGION(VEU_REGION_NONE, 2, op.region >> 8);
    }
    return at;
}

static Op random_source(GRand *r, Code *code, unsigned k, uint8_t type)
{
    static const uint8_t regions[][3] = { { 1, 1, 0 }, { 2, 1, 0 }, { 4, 1, 0 },
                                          { 0, 1, 0 }, { 4, 4, 1 }, { 8, 4, 2 },
                                          { 0, 4, 1 }, { 2, 2, 1 } };
    const uint8_t *region = regions[g_rand_int(r) % G_N_ELEMENTS(regions)];
    VeuModifier modifier = g_rand_boolean(r) ? g_rand_int(r) % 6 : 0;
    uint32_t id = handler_any_variable(code, 1 + k, type);
    Op op = op_v(id, g_rand_int(r) % 3, region[0], region[1], region[2]);

    switch (g_rand_int(r) % 12) {
    case 0:
        return op_imm(type, handler_edge(r));
    case 1:
        return op_imm(g_rand_boolean(r) ? VEU_TYPE_V : VEU_TYPE_UV,
                      g_rand_int(r));
    case 2:
        return op_pred(1);
    default:
        op = op_with(op, modifier == VEU_MODIFIER_SAT ? 0 : modifier);
        return code->has_no_clock && g_rand_boolean(r) ?
                   at_address(r, op, type, true) :
                   op;
    }
}

/* Most sources have the same type, as compilers write them. */
void handler_add_random(GRand *r, Code *code)
{
    const HandlerCase *c = &handler_cases[g_rand_int(r) % handler_case_count];
    uint8_t type = random_type(r), to = random_type(r);
    unsigned lanes = 1u << g_rand_int(r) % 6;
    Op ops[7] = { 0 };
    unsigned count = 0;

    to = g_rand_boolean(r) ? type : to;
    ops[count] = c->dst == T(BOOL) ? op_pred(2) :
                                     op_v(handler_any_variable(code, 0, to), 0,
                                          0, 1, 1u << g_rand_int(r) % 3);
    if (ops[count].class == VEU_OPERAND_GENERAL && g_rand_int(r) % 4 == 0) {
        ops[count].modifier = VEU_MODIFIER_SAT;
    }
    if (code->has_no_clock && c->dst != T(BOOL) && g_rand_boolean(r)) {
        ops[count] = at_address(r, ops[count], to, false);
    }
    count++;
    for (unsigned k = 0; k < c->sources; k++) {
        ops[count++] = random_source(r, code, k,
                                     g_rand_int(r) % 4 ? type : random_type(r));
    }
    code_add(code, c->mnemonic, size_m1(lanes),
             !strcmp(c->mnemonic, "sel") ? 1 : 0, c->number, ops);
}

void handler_random_form(GRand *r, Code *code, bool addresses)
{
    memset(code, 0, sizeof(*code));
    code->has_no_clock = addresses;
    handler_add_random(r, code);
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
}
