/*
 * veu tests: a second opinion on which programs of instructions are legal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Written from docs/spec.md, 7.5, 17.1 and 17.2, for programs that have been
 * changed anywhere. It shares no code with hw/veu/eu.
 */
#ifndef VEU_TEST_ISA_CHECK_H
#define VEU_TEST_ISA_CHECK_H

#include "tests/lib/isa.h"

#define ISA_MAX_REASONS 16
/* A detail that the specification leaves open. */
#define ISA_ANY_DETAIL  UINT32_MAX

/* Why a program may be refused. */
typedef struct IsaReason {
    uint16_t code;
    uint32_t detail;
} IsaReason;

/*
 * The reasons that the first thing has that is wrong. Where it is an
 * instruction, each of its operands may have one.
 */
typedef struct IsaRefusal {
    IsaReason reasons[ISA_MAX_REASONS];
    unsigned count;
    uint32_t offset; /* of the instruction, or VEU_FAULT_NOT_APPLICABLE */
    bool unknown;    /* it is one that the model does not have: samplers */
} IsaRefusal;

/* Whether the @bytes at @program, which are 4-byte aligned, are legal. */
bool isa_check(const uint8_t *program, uint32_t bytes, IsaRefusal *refusal);
bool isa_refusal_has(const IsaRefusal *refusal, uint16_t code, uint32_t detail);

/* What checks of instructions need of a program. */
typedef struct IsaChecker {
    const uint8_t *program;
    uint32_t bytes;
    struct veu_program_header header;
    struct veu_section sections[VEU_SECTION_FUNCTIONS + 1]; /* by type */
    struct veu_variable predefined[VEU_FIRST_VARIABLE];
    RefProgram messages;
    IsaRefusal *refusal;
} IsaChecker;

/* An entry of a section. */
const void *isa_entry(const IsaChecker *c, unsigned type, unsigned index,
                      unsigned bytes);
unsigned isa_entry_count(const IsaChecker *c, unsigned type, unsigned bytes);
/* Returns false. */
bool isa_refuse(IsaChecker *c, uint16_t code, uint32_t detail);

/* isa_check_operand.c: operand @n of @i, whose lanes and row are known. */
bool isa_source_ok(const IsaChecker *c, const IsaInstruction *i,
                   const IsaOperand *o, unsigned n);
bool isa_destination_ok(const IsaChecker *c, const IsaInstruction *i,
                        const IsaOperand *o);
bool isa_is_null(const IsaOperand *o);
bool isa_may_be_modified(const IsaOperand *o);
/* The set that it is of; @is_address: &V32 of addr_add. */
uint32_t isa_type_set(const IsaChecker *c, const IsaInstruction *i,
                      const IsaOperand *o, bool is_address);

/*
 * isa_check_instruction.c: the one at @code, of which there are @bytes; false
 * with reasons. @i is what the graph of routines needs of it.
 */
bool isa_check_instruction(IsaChecker *c, const uint8_t *code, uint32_t bytes,
                           IsaInstruction *i);

#endif
