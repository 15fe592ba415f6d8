/*
 * veu tests: a second implementation of the rules for legal programs of
 * instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Written from docs/spec.md, 7.5, 17.1 and 17.2, for programs with arbitrary
 * changes. It shares no code with hw/veu/eu.
 */
#ifndef VEU_TEST_ISA_CHECK_H
#define VEU_TEST_ISA_CHECK_H

#include "tests/lib/isa.h"

#define ISA_MAX_REASONS 16
/* A detail that the specification leaves open. */
#define ISA_ANY_DETAIL  UINT32_MAX

/* A reason to refuse a program. */
typedef struct IsaReason {
    uint16_t code;
    uint32_t detail;
} IsaReason;

/*
 * The possible reasons of the first error. If it is in an instruction, each of
 * its operands may have one.
 */
typedef struct IsaRefusal {
    IsaReason reasons[ISA_MAX_REASONS];
    unsigned count;
    uint32_t offset; /* of the instruction, or VEU_FAULT_NOT_APPLICABLE */
    bool unknown;    /* the model does not have it: samplers */
} IsaRefusal;

/*
 * Returns true if the @bytes at @program, which are 4-byte aligned, are legal.
 */
bool isa_check(const uint8_t *program, uint32_t bytes, IsaRefusal *refusal);
bool isa_refusal_has(const IsaRefusal *refusal, uint16_t code, uint32_t detail);

/* The parts of a program that checks of instructions need. */
typedef struct IsaChecker {
    const uint8_t *program;
    uint32_t bytes;
    struct veu_program_header header;
    struct veu_section sections[VEU_SECTION_FUNCTIONS + 1]; /* by type */
    struct veu_variable predefined[VEU_FIRST_VARIABLE];
    RefProgram messages;
    IsaRefusal *refusal;
} IsaChecker;

/* Returns an entry of a section. */
const void *isa_entry(const IsaChecker *c, unsigned type, unsigned index,
                      unsigned bytes);
unsigned isa_entry_count(const IsaChecker *c, unsigned type, unsigned bytes);
/* Adds a reason; returns false. */
bool isa_refuse(IsaChecker *c, uint16_t code, uint32_t detail);

/*
 * isa_check_operand.c: checks operand @n of @i, whose lanes and row are known.
 */
bool isa_source_ok(const IsaChecker *c, const IsaInstruction *i,
                   const IsaOperand *o, unsigned n);
bool isa_destination_ok(const IsaChecker *c, const IsaInstruction *i,
                        const IsaOperand *o);
bool isa_is_null(const IsaOperand *o);
bool isa_may_be_modified(const IsaOperand *o);
/* Returns the set of its type; @is_address is true for &V32 of addr_add. */
uint32_t isa_type_set(const IsaChecker *c, const IsaInstruction *i,
                      const IsaOperand *o, bool is_address);

/*
 * isa_check_instruction.c: checks the instruction at @code, which has @bytes;
 * returns false with reasons. @i receives what the graph of routines needs.
 */
bool isa_check_instruction(IsaChecker *c, const uint8_t *code, uint32_t bytes,
                           IsaInstruction *i);

#endif
