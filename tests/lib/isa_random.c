/*
 * veu tests: random legal instructions, as bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/isa_random.h"

/* Types that a variable may have. */
static const uint8_t types[] = {
    VEU_TYPE_UD, VEU_TYPE_D, VEU_TYPE_UW, VEU_TYPE_W, VEU_TYPE_UB, VEU_TYPE_B,
    VEU_TYPE_DF, VEU_TYPE_F, VEU_TYPE_UQ, VEU_TYPE_Q, VEU_TYPE_HF, VEU_TYPE_BF,
};

#define TYPES G_N_ELEMENTS(types)

/* The same variables again, starting at other bytes. */
static const uint8_t starts[] = { 0, 1, 6, 40 };

/* The state of an instruction that is being written. */
typedef struct Writer {
    Code *code;
    GRand *r;
    const IsaRow *row;
    unsigned lanes;
    uint32_t dst_types;
    uint32_t src_types[ISA_MAX_SOURCES];
    unsigned sources;
    bool has_dst; /* the second destination is next */
} Writer;

void isa_declare(Code *code)
{
    code->surface_count = ISA_RANDOM_STATES;
    for (unsigned s = 0; s < G_N_ELEMENTS(starts); s++) {
        for (unsigned n = 0; n < TYPES; n++) {
            code_variable(code, starts[s],
                          (ISA_RANDOM_REGISTERS - starts[s]) /
                              isa_type_bytes(types[n]),
                          types[n]);
        }
    }
}

void isa_put(Code *code, uint64_t value, unsigned bytes)
{
    for (unsigned n = 0; n < bytes; n++) {
        g_assert_cmpuint(code->count, <, CODE_MAX_BYTES);
        code->bytes[code->count++] = value >> 8 * n;
    }
}

void isa_put_return(Code *code, unsigned lanes)
{
    isa_put(code, 0x34, 1);
    isa_put(code, __builtin_ctz(lanes), 1);
    isa_put(code, 0, 2);
}

void isa_put_operand(Code *code, const IsaOperand *o)
{
    isa_put(code, o->class | o->modifier << 3, 1);
    switch (o->class) {
    case ISA_GENERAL:
        isa_put(code, o->id, 4);
        isa_put(code, o->row, 1);
        isa_put(code, o->column, 1);
        isa_put(code, o->region, 2);
        break;
    case ISA_ADDRESS:
        isa_put(code, o->id, 2);
        isa_put(code, o->column, 1);
        isa_put(code, o->row, 1);
        break;
    case ISA_PREDICATE:
        isa_put(code, o->id, 2);
        break;
    case ISA_INDIRECT:
        isa_put(code, o->id, 2);
        isa_put(code, o->column, 1);
        isa_put(code, (uint16_t)o->add, 2);
        isa_put(code, o->type, 1);
        isa_put(code, o->region, 2);
        break;
    case ISA_IMMEDIATE:
        isa_put(code, o->type, 1);
        isa_put(code, o->immediate, isa_type_bytes(o->type) == 8 ? 8 : 4);
        break;
    default:
        isa_put(code, o->type, 1);
        isa_put(code, o->id, 2);
        isa_put(code, o->column, 1);
    }
}

static unsigned type_index(uint8_t type)
{
    unsigned n = 0;

    while (types[n] != type) {
        n++;
    }
    return n;
}

uint32_t isa_whole_variable(uint8_t type)
{
    return VEU_FIRST_VARIABLE + type_index(type);
}

IsaOperand isa_lanes_at(uint8_t type, unsigned at)
{
    unsigned bytes = isa_type_bytes(type);

    g_assert_cmpuint(at % bytes, ==, 0);
    return (IsaOperand){
        .class = ISA_GENERAL,
        .id = isa_whole_variable(type),
        .row = at / 32,
        .column = at % 32 / bytes,
        .region = 0x222,
    };
}

static unsigned below(Writer *w, unsigned end)
{
    return g_rand_int(w->r) % end;
}

static uint8_t pick_type(Writer *w, uint32_t mask)
{
    uint8_t type;

    do {
        type = below(w, 16);
    } while (!(mask >> type & 1));
    return type;
}

/* Chooses the combination of types; mov seldom has a predicate. */
static void choose_types(Writer *w)
{
    const IsaTypes *t;

    do {
        t = &isa_types[below(w, isa_types_count)];
    } while (t->types != w->row->types ||
             (t->types == 'v' && t->src[0] == ISA_BOOLEANS && below(w, 4)));
    w->dst_types = t->dst;
    memcpy(w->src_types, t->src, sizeof(w->src_types));
}

static unsigned code_of(unsigned number)
{
    return number ? __builtin_ctz(number) + 2 : 1;
}

/* The elements that a region spans from its first one. */
typedef struct Region {
    unsigned v, w, h;
    bool by_row; /* one address for each row */
} Region;

static unsigned reach(const Region *g, unsigned lanes)
{
    unsigned row = (lanes - 1) / g->w;

    return (g->by_row ? 0 : row * g->v) + (MIN(g->w, lanes) - 1) * g->h + 1;
}

static uint16_t encode(const Region *g)
{
    return (g->by_row ? 0 : code_of(g->v)) | code_of(g->w) << 4 |
           code_of(g->h) << 8;
}

/* All legal regions, often those that compilers write. */
static Region source_region(Writer *w)
{
    static const Region usual[] = { { 1, 1, 0, false },
                                    { 0, 1, 0, false },
                                    { 2, 1, 0, false } };
    Region g = usual[below(w, 3)];

    if (below(w, 2)) {
        return g;
    }
    do {
        g.w = 1u << below(w, 5);
    } while (g.w > w->lanes);
    g.v = below(w, 7) ? 1u << below(w, 6) : 0;
    g.h = below(w, 4) ? 1u << below(w, 3) : 0;
    return g;
}

static unsigned grf_bytes(const Writer *w)
{
    return w->code->grf_bytes ? w->code->grf_bytes : 32;
}

/* Finds a place for @elements of a type; the class is NULL if there is none. */
static bool place(Writer *w, uint8_t type, unsigned elements, IsaOperand *o)
{
    unsigned start = below(w, G_N_ELEMENTS(starts));
    unsigned bytes = isa_type_bytes(type);
    unsigned room = (ISA_RANDOM_REGISTERS - starts[start]) / bytes;
    unsigned near = below(w, 2) ? 64 : ISA_RANDOM_REGISTERS;
    unsigned at;

    if (elements > room) {
        return false;
    }
    at = below(w, MIN(room - elements + 1, near));
    o->class = ISA_GENERAL;
    o->id = VEU_FIRST_VARIABLE + start * TYPES + type_index(type);
    o->row = at * bytes / grf_bytes(w);
    o->column = at - o->row * grf_bytes(w) / bytes;
    return true;
}

static uint8_t modifier_of(Writer *w)
{
    static const uint8_t arithmetic[] = { ISA_ABS, ISA_NEG, ISA_NEG_ABS };

    if (below(w, 3)) {
        return ISA_PLAIN;
    }
    if (w->row->modifiers == 'a') {
        return arithmetic[below(w, 3)];
    }
    return w->row->modifiers == 'l' ? ISA_NOT : ISA_PLAIN;
}

static uint64_t interesting(Writer *w, uint8_t type)
{
    uint64_t random = (uint64_t)g_rand_int(w->r) << 32 | g_rand_int(w->r);

    switch (below(w, 4)) {
    case 0:
        return below(w, 70);
    case 1:
        return -(uint64_t)below(w, 70);
    case 2:
        return UINT64_C(1) << (8 * isa_type_bytes(type) - 1);
    default:
        return random;
    }
}

static bool immediate(Writer *w, uint32_t mask, IsaOperand *o)
{
    static const struct {
        uint8_t packed, as;
    } vectors[] = { { VEU_TYPE_V, VEU_TYPE_W },
                    { VEU_TYPE_UV, VEU_TYPE_UW },
                    { VEU_TYPE_VF, VEU_TYPE_F } };
    unsigned n = below(w, 10);

    o->class = ISA_IMMEDIATE;
    if (n < G_N_ELEMENTS(vectors) && (mask >> vectors[n].as & 1)) {
        o->type = vectors[n].packed;
        o->immediate = g_rand_int(w->r);
        return true;
    }
    o->type = pick_type(w, mask);
    o->immediate = interesting(w, o->type);
    return true;
}

/* A0 has 16 elements. */
static bool indirect(Writer *w, uint8_t type, Region g, IsaOperand *o)
{
    unsigned rows;

    g.by_row = below(w, 2);
    rows = g.by_row ? (w->lanes - 1) / g.w + 1 : 1;
    if (rows > 16) {
        return false;
    }
    *o = (IsaOperand){
        .class = ISA_INDIRECT,
        .type = type,
        .column = below(w, 17 - rows),
        .add = (int)below(w, 64) - 32,
        .region = encode(&g),
    };
    return true;
}

static bool general(Writer *w, uint8_t type, Region g, IsaOperand *o)
{
    o->region = encode(&g);
    return place(w, type, reach(&g, w->lanes), o);
}

static IsaOperand predicate_operand(Writer *w, bool inverse)
{
    return (IsaOperand){
        .class = ISA_PREDICATE,
        .id = (1 + below(w, 4)) | (inverse && below(w, 4) == 0) << 15,
    };
}

/* Returns an address variable, or the address of another one. */
static IsaOperand address_operand(Writer *w, bool is_destination)
{
    unsigned size = below(w, 5);
    IsaOperand o = { .class = ISA_GENERAL, .region = 0x121 };

    if (is_destination) {
        size = __builtin_ctz(w->lanes);
    }
    if (is_destination || below(w, 2)) {
        return (IsaOperand){
            .class = ISA_ADDRESS,
            .row = size,
            .column = below(w, 17 - MIN(1u << size, w->lanes)),
        };
    }
    place(w, VEU_TYPE_UD, 1, &o);
    return o;
}

static IsaOperand state_operand(Writer *w)
{
    return (IsaOperand){
        .class = ISA_STATE,
        .id = VEU_FIRST_SURFACE + below(w, ISA_RANDOM_STATES),
    };
}

/* Makes an operand that has no type. Returns false if it has one. */
static bool special_operand(Writer *w, uint32_t mask, bool is_destination)
{
    IsaOperand o;

    if (mask == ISA_BOOLEANS) {
        o = predicate_operand(w, !is_destination);
    } else if (mask == ISA_ADDRESSES) {
        o = address_operand(w, is_destination);
    } else if (mask == ISA_STATES) {
        o = state_operand(w);
    } else {
        return false;
    }
    isa_put_operand(w->code, &o);
    return true;
}

/*
 * p, q and r are at a multiple of 16 bytes, u and v at a register; any region
 * is legal.
 */
static IsaOperand plane_operand(Writer *w, unsigned n)
{
    unsigned bytes = n ? 8 * w->lanes : 16;
    unsigned align = n ? grf_bytes(w) : 16;
    unsigned at = below(w, (ISA_RANDOM_REGISTERS - bytes) / align) * align;
    IsaOperand o = {
        .class = ISA_GENERAL,
        .id = isa_whole_variable(VEU_TYPE_F),
        .row = at / grf_bytes(w),
        .column = at % grf_bytes(w) / 4,
    };

    switch (below(w, 6)) {
    case 0:
        immediate(w, ISA_MASK(F), &o);
        break;
    case 1:
        indirect(w, VEU_TYPE_F, (Region){ 1, 1, 0, false }, &o);
        break;
    }
    if (o.class != ISA_IMMEDIATE) {
        o.region = g_rand_int(w->r);
    }
    return o;
}

static void put_source(Writer *w)
{
    unsigned n = w->sources++;
    uint32_t mask = w->src_types[n];
    IsaOperand o;
    bool ok;

    if (special_operand(w, mask, false)) {
        return;
    }
    if (w->row->types == 'P') {
        o = plane_operand(w, n);
        isa_put_operand(w->code, &o);
        return;
    }
    do {
        uint8_t type = pick_type(w, mask);
        unsigned kind = below(w, 10);

        memset(&o, 0, sizeof(o));
        ok = kind < 2 ? immediate(w, mask, &o) :
             kind < 4 ? indirect(w, type, source_region(w), &o) :
                        general(w, type, source_region(w), &o);
    } while (!ok);
    if ((mask & ISA_MASK(UD)) && below(w, 30) == 0) {
        o = (IsaOperand){ .class = ISA_GENERAL, .region = 0x121 }; /* %null */
    }
    if (o.class != ISA_IMMEDIATE) {
        o.modifier = modifier_of(w);
    }
    isa_put_operand(w->code, &o);
}

static bool may_saturate(Writer *w, uint8_t type)
{
    return w->row->saturation == 'y' ||
           (w->row->saturation == 'f' && isa_is_float(type));
}

static bool destination(Writer *w, uint8_t type, IsaOperand *o)
{
    Region g = { .w = w->lanes, .h = 1u << below(w, 3) };

    /* madw: the high dwords need a distance, the low ones are consecutive */
    if (w->row->opcode == 0x91 || below(w, 3)) {
        g.h = 1;
    }
    if (w->row->opcode != 0x91 && below(w, 8) == 0) {
        g.by_row = false;
        g.w = 1;
        *o = (IsaOperand){
            .class = ISA_INDIRECT,
            .type = type,
            .column = below(w, 16),
            .region = encode(&g),
        };
        return true;
    }
    o->region = code_of(g.h) << 8 | 0x22;
    /* the high dwords of madw begin whole registers later */
    return place(w, type,
                 reach(&g, w->lanes) + (w->row->opcode == 0x91 ?
                                            MAX(grf_bytes(w) / 4, w->lanes) :
                                            0),
                 o);
}

/* The second destination is a predicate. */
static bool is_early_out(const IsaRow *row)
{
    return row->types == 'm' && !strncmp(row->fields, "epdd", 4);
}

static void put_destination(Writer *w)
{
    uint8_t type;
    IsaOperand o;

    if (w->has_dst && is_early_out(w->row)) {
        special_operand(w, ISA_BOOLEANS, true);
        return;
    }
    if (special_operand(w, w->dst_types, true)) {
        return;
    }
    do {
        memset(&o, 0, sizeof(o));
        type = pick_type(w, w->dst_types);
    } while (!destination(w, type, &o));
    if (below(w, 40) == 0) {
        type = VEU_TYPE_UD; /* of %null */
        o = (IsaOperand){ .class = ISA_GENERAL, .region = 0x200 };
    }
    if (may_saturate(w, type) && !w->has_dst && below(w, 3) == 0) {
        o.modifier = ISA_SAT;
    }
    w->has_dst = true;
    isa_put_operand(w->code, &o);
}

/* Address variables have 16 elements; sad2 takes pairs, plane 8 or 16. */
static unsigned random_size(Writer *w)
{
    switch (w->row->types) {
    case 'A':
        return below(w, 5);
    case 's':
        return 1 + below(w, 5);
    case 'P':
        return 3 + below(w, 2);
    default:
        return below(w, 6);
    }
}

static void put_size(Writer *w)
{
    unsigned size = random_size(w);
    unsigned offset = below(w, 8);

    offset -= offset % MAX(1, (1u << size) / 4);
    w->lanes = 1u << size;
    isa_put(w->code, size | (offset & 7) << 4 | (below(w, 4) == 0) << 7, 1);
}

static void put_predicate(Writer *w)
{
    unsigned control = 0;

    if (below(w, 2) && w->dst_types != ISA_BOOLEANS) {
        control = (1 + below(w, 4)) | below(w, 3) << 13 | below(w, 2) << 15;
    }
    isa_put(w->code, control, 2);
}

static void put_byte(Writer *w)
{
    unsigned end = w->row->opcode == 0x2c ? 6 :
                   w->row->opcode == 0x45 ? 2 :
                                            256;

    isa_put(w->code, below(w, end), 1);
}

void isa_random_instruction(Code *code, GRand *r, const IsaRow *row)
{
    Writer w = { .code = code, .r = r, .row = row };

    choose_types(&w);
    isa_put(code, row->opcode, 1);
    for (const char *f = row->fields; *f; f++) {
        switch (*f) {
        case 'e':
            put_size(&w);
            break;
        case 'p':
            put_predicate(&w);
            break;
        case 'b':
            put_byte(&w);
            break;
        case 'd':
            put_destination(&w);
            break;
        default:
            g_assert_cmpint(*f, ==, 's');
            put_source(&w);
        }
    }
}

/* Fills 32 bytes with plausible numbers of one type, or with anything. */
static void fill_row(GRand *r, uint8_t *row)
{
    static const uint64_t special[] = {
        0x7f800000ff800000, 0x7fc00001ff800001, 0x0000000180000000,
        0x807fffff00800000, 0x3f8000013f7fffff, 0x4f0000005f000000,
        0x7f7fffffbf000000, 0x7c00fc007e00fc01, 0x0001800103ff0400,
        0x7bff3c00bc003555, 0x7ff0000000000000, 0xfff8000000000001,
        0x000fffffffffffff, 0x8000000000000001, 0x3ff0000000000001,
        0x7fefffffffffffff, 0x43e0000000000000, 0x3800000000000000,
        0x8000000000000000, 0x7fffffffffffffff, 0x8000000080000000,
        0xc0490fdb40c90fdb, 0x3f00000040200000, 0x4b000001ca800000,
    };
    unsigned kind = g_rand_int(r) % 5;

    for (unsigned n = 0; n < 32; n += 8) {
        uint64_t bits = (uint64_t)g_rand_int(r) << 32 | g_rand_int(r);

        if (kind == 0) {
            bits = special[g_rand_int(r) % G_N_ELEMENTS(special)];
        } else if (kind == 1) {
            /* floats near 1, and near each other */
            bits = (bits & UINT64_C(0x80ffffff80ffffff)) |
                   UINT64_C(0x3f0000003f000000);
        } else if (kind == 2) {
            bits = (bits & UINT64_C(0x800fffffffffffff)) |
                   UINT64_C(0x3fe0000000000000);
        } else if (kind == 3) {
            bits = (bits & UINT64_C(0x003f003f003f003f));
        }
        memcpy(row + n, &bits, sizeof(bits));
    }
}

void isa_random_registers(GRand *r, uint8_t *registers)
{
    for (unsigned at = 0; at < ISA_RANDOM_REGISTERS; at += 32) {
        fill_row(r, registers + at);
    }
}

void isa_random_addresses(GRand *r, uint16_t *addresses)
{
    for (unsigned n = 0; n < 16; n++) {
        addresses[n] = g_rand_int(r) % 16 == 0 ?
                           g_rand_int(r) :
                           g_rand_int(r) % (ISA_RANDOM_REGISTERS - 200) + 40;
    }
}
