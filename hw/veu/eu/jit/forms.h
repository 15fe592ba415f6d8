/*
 * veu execution unit: forms of host code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A row of handler_rows.h is an operation on one type. Host code has a row for
 * it (rows.c) with a form: a function that writes the host's instructions for
 * one vector of lanes, and the vector instructions that the form uses. Results
 * have the same bits as those of the row's handlers.
 */
#ifndef VEU_EU_JIT_FORMS_H
#define VEU_EU_JIT_FORMS_H

#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/jit/code.h"

typedef struct VeuJitRow VeuJitRow;

/* The lanes of a step that fit a vector register. */
typedef struct VeuJitPart {
    VeuJit *t;
    const VeuInstruction *instruction;
    const VeuHandlerStep *step;
    const VeuJitRow *row;
    unsigned first; /* lane of the step */
    unsigned lanes;
    VeuVectorLength length; /* of the longest of its vectors */
    /* Vector registers; 0 if the form itself loads the source. */
    unsigned source[VEU_HANDLER_SOURCES];
    unsigned shape;
} VeuJitPart;

/* Returns the register with the result, which nothing else needs. */
typedef unsigned VeuJitForm(const VeuJitPart *p);

struct VeuJitRow {
    VeuJitForm *form;
    uint8_t to_bytes;
    uint8_t from_bytes;
    uint8_t sources;
    bool has_nans;  /* the result may be any NaN */
    bool is_float;  /* it reads F or DF, whose subnormals %cr0 may flush */
    bool rounds;    /* right only where the host rounds to nearest */
    bool has_sign;  /* small elements are signed */
    uint8_t number; /* immediate byte of @op, or VEU_RELATION_ bits */
    VeuVectorOp op;
    VeuVectorOp op2; /* the same with an immediate count, or another step */
};

/* How veu_form_ones_avx2() compares integers. */
enum {
    VEU_RELATION_SWAPPED = 1,
    VEU_RELATION_INVERTED = 2,
    VEU_RELATION_EXTREME = 4, /* the first source with the result of @op2 */
    VEU_RELATION_FLIPPED = 8, /* unsigned quad words */
};

/* Relations of integers, and of floats. */
enum {
    EQUAL,
    LESS,
    LESS_OR_EQUAL,
    NOT_EQUAL = 4
};
enum {
    F_EQUAL,
    F_LESS = 17,
    F_LESS_OR_EQUAL = 18,
    F_UNORDERED = 3,
    F_NOT_EQUAL = 4,
    F_GREATER_OR_EQUAL = 29,
    F_GREATER = 30
};

VeuJitForm veu_form_copy;
VeuJitForm veu_form_unary;
VeuJitForm veu_form_unary_number;
VeuJitForm veu_form_binary;
VeuJitForm veu_form_and_not;
VeuJitForm veu_form_not;
VeuJitForm veu_form_negate;
VeuJitForm veu_form_two_steps;
VeuJitForm veu_form_fused;
VeuJitForm veu_form_inverse;
VeuJitForm veu_form_shift;
VeuJitForm veu_form_high;
VeuJitForm veu_form_extreme;
VeuJitForm veu_form_to_d;
VeuJitForm veu_form_extend;
VeuJitForm veu_form_select;
VeuJitForm veu_form_narrow;
/* With AVX-512. */
VeuJitForm veu_form_divide;
VeuJitForm veu_form_modulo;
VeuJitForm veu_form_ones_avx512;
VeuJitForm veu_form_to_ud_avx512;
VeuJitForm veu_form_compare_avx512;
VeuJitForm veu_form_carry_avx512;
/* With AVX2. */
VeuJitForm veu_form_ones_avx2;
VeuJitForm veu_form_to_ud_avx2;
VeuJitForm veu_form_compare_avx2;
VeuJitForm veu_form_carry_avx2;
VeuJitForm veu_form_rotate;
VeuJitForm veu_form_multiply_q;
VeuJitForm veu_form_shift_sign_q;
VeuJitForm veu_form_f_of_ud;
VeuJitForm veu_form_df_of_ud;

/*
 * A register with the same floats, in which each NaN is the positive quiet NaN.
 */
unsigned veu_part_without_nans(const VeuJitPart *part, unsigned from);

/* A register that has a source of 1 or 2 bytes, extended, in all lanes. */
unsigned veu_part_same_small(const VeuJitPart *part);

/* Stores the result of the part's lanes to the variable at byte @to. */
void veu_part_store(const VeuJitPart *part, unsigned from, uint32_t to);

#endif
