/*
 * veu tests: instructions some of whose forms have handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_HANDLER_CASES_H
#define VEU_TEST_HANDLER_CASES_H

#include "tests/lib/code_builder.h"

/* An instruction some of whose forms have handlers. */
typedef struct HandlerCase {
    const char *mnemonic;
    uint8_t number; /* the relation, or minimum or maximum */
    uint8_t dst;    /* type */
    uint8_t src;
    uint8_t sources;
    uint8_t modifier; /* of source @modified */
    uint8_t modified;
    bool carries; /* it has a second destination */
} HandlerCase;

extern const HandlerCase handler_cases[];
extern const unsigned handler_case_count;

/* Bytes of an operand's variable: 32 quad words. */
#define HANDLER_PLACE  256
/* Registers of the results, of three sources, and of a second destination. */
#define HANDLER_PLACES 5

/* Random numbers, and numbers at the limits of F and D, fill the registers. */
void handler_fill(GRand *rand, CodeRun *run);
uint64_t handler_edge(GRand *rand);

/* A variable that fills the place @place of the registers. */
uint32_t handler_variable(Code *code, unsigned place, uint8_t type);

/*
 * The operands of a case, in the order of the encoding. Bit k of @shape makes
 * source k a scalar; source @immediate is the number *value.
 */
void handler_operands(Code *code, const HandlerCase *c, unsigned shape,
                      unsigned immediate, const uint64_t *value, Op ops[7]);

/* A program of one such instruction of @lanes lanes, and a ret. */
void handler_build(Code *code, const HandlerCase *c, unsigned shape,
                   unsigned lanes, unsigned immediate, const uint64_t *value);

/* Like handler_variable(), for elements of any type. */
uint32_t handler_any_variable(Code *code, unsigned place, uint8_t type);

/* Appends an instruction with random types and regions; it may be illegal. */
void handler_add_random(GRand *rand, Code *code);
/*
 * A program of one such instruction, and a ret. With @addresses, operands may
 * be at addresses.
 */
void handler_random_form(GRand *rand, Code *code, bool addresses);

/* The predicate of its source that decides, or 0. */
unsigned handler_predicate(const HandlerCase *c);

#endif
