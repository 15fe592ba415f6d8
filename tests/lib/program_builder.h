/*
 * veu tests: programs in memory: include/veu/program.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_PROGRAM_BUILDER_H
#define VEU_TEST_PROGRAM_BUILDER_H

#include "tests/lib/encode.h"

#define PROGRAM_MAX_VARIABLES  16
#define PROGRAM_MAX_PREDICATES 16
#define PROGRAM_MAX_ADDRESSES  16
#define PROGRAM_MAX_CODE       16384

/* The parts of a program; all fields may be set to anything. */
typedef struct TestProgram {
    /* the builder sets bytes and section_count */
    struct veu_program_header header;
    unsigned variable_count;
    struct veu_variable variables[PROGRAM_MAX_VARIABLES];
    unsigned predicate_count;
    struct veu_predicate predicates[PROGRAM_MAX_PREDICATES];
    unsigned address_count;
    struct veu_address addresses[PROGRAM_MAX_ADDRESSES];
    uint32_t code_bytes;
    uint8_t code[PROGRAM_MAX_CODE];
} TestProgram;

/* Where test_program_build() puts the sections, in this order. */
#define PROGRAM_CODE_SECTION_AT       32u
#define PROGRAM_VARIABLES_SECTION_AT  48u
#define PROGRAM_PREDICATES_SECTION_AT 64u
#define PROGRAM_ADDRESSES_SECTION_AT  80u
#define PROGRAM_SECTIONS_END          96u
#define PROGRAM_MAX_BYTES             (PROGRAM_MAX_CODE + 1024)

/* Makes a program with 1024 bytes of 32-byte registers and nothing else. */
void test_program_init(TestProgram *program);
/*
 * Declares the next variable (from V32), predicate (from P1) or address
 * variable (from A0).
 */
uint32_t test_program_variable(TestProgram *program, uint32_t offset,
                               unsigned elements, uint8_t type);
unsigned test_program_predicate(TestProgram *program, unsigned bits);
unsigned test_program_address(TestProgram *program, unsigned elements);
/* Appends a message; returns its offset in the code. */
uint32_t test_program_add(TestProgram *program, const TestMessage *message);

/*
 * Writes the program to @to: header, four sections' entries, variables,
 * predicates, address variables, code. Returns its size.
 */
uint32_t test_program_build(const TestProgram *program,
                            uint8_t to[PROGRAM_MAX_BYTES]);

#endif
