/*
 * veu tests: random programs with control flow, as bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/isa_random.h"

#define MAX_ROUTINES 4
/* The number of instructions of any row. */
#define MIXTURE      16
#define MAX_BLOCKS   5

/* The offsets of the lanes' data: a dword each. */
#define HASH_AT      0
#define FUEL_AT      128
#define BITS_AT      256
/* A count that all lanes share, and the addresses of the functions. */
#define TOGETHER_AT  384
#define FUNCTIONS_AT 512

#define INVERSE 0x8000
#define ANY     0x2000
#define ALL     0x4000

/* P1: no fuel is left; P2: taken. */
enum {
    EMPTY = 1,
    TAKEN = 2
};

typedef struct Maker {
    Code *code;
    GRand *r;
    unsigned lanes;
    bool alone; /* lanes share nothing */
    bool mixed;
    unsigned routine_count;
    unsigned routine; /* the one that is being written */
    bool is_function[MAX_ROUTINES];
    unsigned id[MAX_ROUTINES]; /* of the label, or function */
    unsigned first_block;      /* its label; the last block is the exit */
    unsigned block_count;
} Maker;

static unsigned below(Maker *m, unsigned end)
{
    return g_rand_int(m->r) % end;
}

static unsigned full_size(const Maker *m)
{
    return __builtin_ctz(m->lanes);
}

static IsaOperand lanes_at(unsigned at)
{
    return isa_lanes_at(VEU_TYPE_UD, at);
}

static IsaOperand number(uint32_t value)
{
    return (IsaOperand){
        .class = ISA_IMMEDIATE,
        .type = VEU_TYPE_UD,
        .immediate = value,
    };
}

static IsaOperand scalar_at(uint8_t type, unsigned at)
{
    IsaOperand o = isa_lanes_at(type, at);

    o.region = 0x121;
    return o;
}

/* Appends dst = dst operation value, in all lanes. */
static void put_operation(Maker *m, uint8_t opcode, unsigned at, uint32_t value)
{
    IsaOperand dst = lanes_at(at), src = number(value);

    isa_put(m->code, opcode, 1);
    isa_put(m->code, full_size(m), 1);
    isa_put(m->code, 0, 2);
    isa_put_operand(m->code, &dst);
    isa_put_operand(m->code, &dst);
    isa_put_operand(m->code, &src);
}

/* Appends bits of the hash, by which lanes choose their paths. */
static void put_bits(Maker *m, uint32_t mask)
{
    IsaOperand dst = lanes_at(BITS_AT), hash = lanes_at(HASH_AT);
    IsaOperand src = number(mask);

    isa_put(m->code, 0x20, 1);
    isa_put(m->code, full_size(m), 1);
    isa_put(m->code, 0, 2);
    isa_put_operand(m->code, &dst);
    isa_put_operand(m->code, &hash);
    isa_put_operand(m->code, &src);
}

static void put_compare(Maker *m, unsigned relation, unsigned predicate,
                        unsigned at)
{
    IsaOperand dst = { .class = ISA_PREDICATE, .id = predicate };
    IsaOperand src = lanes_at(at), zero = number(0);

    isa_put(m->code, 0x2c, 1);
    isa_put(m->code, full_size(m), 1);
    isa_put(m->code, relation, 1);
    isa_put_operand(m->code, &dst);
    isa_put_operand(m->code, &src);
    isa_put_operand(m->code, &zero);
}

static void put_branch(Maker *m, uint8_t opcode, unsigned size,
                       unsigned predicate, unsigned target)
{
    isa_put(m->code, opcode, 1);
    isa_put(m->code, size, 1);
    isa_put(m->code, predicate, 2);
    isa_put(m->code, target, 2);
}

/*
 * Appends a predicate that some lanes have, evaluated for all lanes together or
 * each.
 */
static unsigned random_predicate(Maker *m)
{
    static const unsigned together[] = { 0, ANY, ALL };
    unsigned control = TAKEN | below(m, 2) * INVERSE;

    put_bits(m, 1u << below(m, 8) | 1u << below(m, 8));
    put_compare(m, below(m, 2), TAKEN, BITS_AT);
    return m->alone ? control : control | together[below(m, 3)];
}

/*
 * Chooses all lanes of the size, or size 1, where bit 0 of the predicate
 * decides for all.
 */
static unsigned random_size(Maker *m)
{
    return m->alone || below(m, 4) ? full_size(m) : 0;
}

static void put_goto(Maker *m)
{
    unsigned predicate = below(m, 4) ? random_predicate(m) : 0;
    bool jump = !m->alone && below(m, 6) == 0;

    put_branch(m, jump ? 0x32 : 0x6c, random_size(m), predicate,
               m->first_block + below(m, m->block_count));
}

static void put_ifcall(Maker *m, unsigned size, unsigned predicate,
                       unsigned callee)
{
    IsaOperand address = scalar_at(VEU_TYPE_UQ, FUNCTIONS_AT + 8 * callee);

    isa_put(m->code, 0x4f, 1);
    isa_put(m->code, size, 1);
    isa_put(m->code, predicate, 2);
    isa_put_operand(m->code, &address);
    isa_put(m->code, 0, 2);
}

/* Calls only a later routine, so that none calls itself. */
static void put_call(Maker *m)
{
    unsigned left = m->routine_count - m->routine - 1;
    unsigned callee = m->routine + 1 + (left ? below(m, left) : 0);
    unsigned predicate, size;

    if (!left) {
        return;
    }
    predicate = below(m, 3) ? random_predicate(m) : 0;
    size = random_size(m);
    if (!m->is_function[callee]) {
        put_branch(m, 0x33, size, predicate, m->id[callee]);
    } else if (below(m, 2)) {
        put_ifcall(m, size, predicate, callee);
    } else {
        put_branch(m, 0x67, size, predicate, m->id[callee]);
        isa_put(m->code, 0, 2);
    }
}

static void put_return(Maker *m, unsigned size, unsigned predicate)
{
    isa_put(m->code, m->is_function[m->routine] ? 0x68 : 0x34, 1);
    isa_put(m->code, size, 1);
    isa_put(m->code, predicate, 2);
}

/* Counts the executions of this place, no matter which lanes run. */
static void put_together(Maker *m)
{
    IsaOperand dst = isa_lanes_at(VEU_TYPE_UD, TOGETHER_AT);
    IsaOperand src = scalar_at(VEU_TYPE_UD, TOGETHER_AT), one = number(1);

    isa_put(m->code, 0x01, 1);
    isa_put(m->code, 0x80, 1);
    isa_put(m->code, 0, 2);
    isa_put_operand(m->code, &dst);
    isa_put_operand(m->code, &src);
    isa_put_operand(m->code, &one);
}

static void put_item(Maker *m)
{
    switch (below(m, 8)) {
    case 0:
    case 1:
    case 2:
        put_call(m);
        break;
    case 3:
        put_return(m, full_size(m), random_predicate(m));
        break;
    case 4:
        if (!m->alone) {
            put_together(m);
        }
        break;
    case 5:
        put_operation(m, 0x22, HASH_AT, below(m, 1 << 30));
        break;
    default:
        put_goto(m);
    }
}

static void put_block(Maker *m, unsigned block)
{
    unsigned exit = m->first_block + m->block_count - 1;

    code_add_label(m->code, m->first_block + block);
    put_operation(m, 0x10, HASH_AT, 2654435761u);
    put_operation(m, 0x01, HASH_AT, below(m, 1 << 30));
    put_operation(m, 0x80, HASH_AT, 13);
    put_operation(m, 0x01, FUEL_AT, UINT32_MAX);
    put_compare(m, 0, EMPTY, FUEL_AT);
    put_branch(m, 0x6c, full_size(m), EMPTY, exit);
    for (unsigned n = below(m, 4); n; n--) {
        put_item(m);
    }
}

static void put_mov(Maker *m, unsigned size, unsigned predicate,
                    const IsaOperand *dst, const IsaOperand *src)
{
    isa_put(m->code, 0x29, 1);
    isa_put(m->code, size, 1);
    isa_put(m->code, predicate, 2);
    isa_put_operand(m->code, dst);
    isa_put_operand(m->code, src);
}

/*
 * Gives a lane without fuel one unit, with which it leaves the caller. Some
 * returns name fewer lanes than run: the others continue in the next routine,
 * or return past the last one.
 */
static void put_exit(Maker *m)
{
    IsaOperand fuel = lanes_at(FUEL_AT), one = number(1);

    code_add_label(m->code, m->first_block + m->block_count - 1);
    put_compare(m, 0, EMPTY, FUEL_AT);
    put_mov(m, full_size(m), EMPTY, &fuel, &one);
    put_return(m, below(m, 4) ? full_size(m) : below(m, full_size(m)), 0);
}

/* The kernel starts by taking the addresses of all functions. */
static void put_addresses(Maker *m)
{
    for (unsigned n = 1; n < m->routine_count; n++) {
        IsaOperand dst = isa_lanes_at(VEU_TYPE_UQ, FUNCTIONS_AT + 8 * n);

        if (m->is_function[n]) {
            isa_put(m->code, 0x50, 1);
            isa_put(m->code, m->id[n], 2);
            isa_put_operand(m->code, &dst);
        }
    }
}

/* All rows may occur; damage to the fuel is repaired. */
static void put_mixture(Maker *m)
{
    IsaOperand cr0 = { .class = ISA_GENERAL,
                       .id = VEU_PREDEFINED_CR0,
                       .region = 0x222 };
    IsaOperand mode = number(below(m, 0x1500) & 0x14f0);
    IsaOperand fuel = lanes_at(FUEL_AT), some = number(6);

    for (unsigned n = 0; n < MIXTURE; n++) {
        const IsaRow *row;

        do {
            row = &isa_rows[below(m, isa_row_count)];
        } while (row->types == '-');
        isa_random_instruction(m->code, m->r, row);
    }
    put_mov(m, 0x80, 0, &cr0, &mode);
    put_mov(m, 0x80 | full_size(m), 0, &fuel, &some);
}

static void put_routine(Maker *m, unsigned routine)
{
    m->routine = routine;
    m->block_count = 2 + below(m, MAX_BLOCKS - 1);
    m->first_block = m->code->label_count;
    for (unsigned n = 0; n < m->block_count; n++) {
        code_new_label(m->code, VEU_LABEL_BLOCK);
    }
    if (routine == 0) {
        if (m->mixed) {
            put_mixture(m);
        }
        put_addresses(m);
    } else if (m->is_function[routine]) {
        m->code->functions[m->id[routine]].offset = m->code->count;
    } else {
        code_add_label(m->code, m->id[routine]);
    }
    for (unsigned n = 0; n + 1 < m->block_count; n++) {
        put_block(m, n);
    }
    put_exit(m);
}

void isa_random_flow(Code *code, GRand *r, unsigned lanes, IsaFlowKind kind)
{
    Maker m = { .code = code,
                .r = r,
                .lanes = lanes,
                .alone = kind == ISA_FLOW_ALONE,
                .mixed = kind == ISA_FLOW_MIXED };

    memset(code, 0, sizeof(*code));
    isa_declare(code);
    m.routine_count = 2 + below(&m, MAX_ROUTINES - 1);
    for (unsigned n = 1; n < m.routine_count; n++) {
        m.is_function[n] = below(&m, 2);
        m.id[n] = m.is_function[n] ? code->function_count++ :
                                     code_new_label(code, VEU_LABEL_SUBROUTINE);
    }
    for (unsigned n = 0; n < m.routine_count; n++) {
        put_routine(&m, n);
    }
}

void isa_random_fuel(GRand *r, uint8_t *registers)
{
    for (unsigned lane = 0; lane < 32; lane++) {
        uint32_t fuel = 1 + g_rand_int(r) % 60;

        memcpy(registers + FUEL_AT + 4 * lane, &fuel, sizeof(fuel));
    }
}
