/*
 * veu tests: random legal instructions, as bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The bytes are written here, without an encoder of hw/veu/eu.
 */
#ifndef VEU_TEST_ISA_RANDOM_H
#define VEU_TEST_ISA_RANDOM_H

#include <glib.h>
#include "tests/lib/code_builder.h"
#include "tests/lib/isa.h"

/* Registers that random operands access; %cr0, %tsc, %ce0 are above. */
#define ISA_RANDOM_REGISTERS 4000

/* The number of surface variables. */
#define ISA_RANDOM_STATES 4

/* Declares the variables that random operands name, of all types. */
void isa_declare(Code *code);

/* Appends bytes of an instruction that a test writes itself. */
void isa_put(Code *code, uint64_t value, unsigned bytes);
void isa_put_operand(Code *code, const IsaOperand *o);
/* Appends `ret (M1, lanes)`, without a predicate. */
void isa_put_return(Code *code, unsigned lanes);

/* Returns the id of the variable of @type that covers all registers. */
uint32_t isa_whole_variable(uint8_t type);
/*
 * Returns the region <1;1,1> or <1> of @type from byte @at on, which is
 * aligned.
 */
IsaOperand isa_lanes_at(uint8_t type, unsigned at);

/* Appends a random instruction of a row that has operands. */
void isa_random_instruction(Code *code, GRand *r, const IsaRow *row);

/*
 * A program of several routines, each a random graph of blocks, reducible or
 * not, for @lanes. Every lane has fuel, of which each block takes one, and
 * leaves its routine when it has none, so that programs end.
 */
typedef enum IsaFlowKind {
    ISA_FLOW_ALONE,    /* lanes share no data */
    ISA_FLOW_TOGETHER, /* any, all, size 1, NoMask */
    /* the above, with any other instructions and %cr0 before */
    ISA_FLOW_MIXED,
} IsaFlowKind;

void isa_random_flow(Code *code, GRand *r, unsigned lanes, IsaFlowKind kind);
/* Puts the lanes' fuel, up to 60, into the registers. */
void isa_random_fuel(GRand *r, uint8_t *registers);

/*
 * Fills registers with numbers of all types, including small and special ones.
 */
void isa_random_registers(GRand *r, uint8_t *registers);
/* Fills address elements, most of which point into the registers. */
void isa_random_addresses(GRand *r, uint16_t *addresses);

#endif
