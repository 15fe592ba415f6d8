/*
 * veu execution unit: which host code the rows of handlers have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_JIT_ROWS_H
#define VEU_EU_JIT_ROWS_H

#include "hw/veu/eu/jit/forms.h"
#include "hw/veu/eu/jit/vector_ops.h"

/* Only files with tables of rows include this: its names are short. */
#define ROW(name, form_, to, from, sources_, ...)     \
    [VEU_HANDLER_ROW_##name] = { .form = form_,       \
                                 .to_bytes = to,      \
                                 .from_bytes = from,  \
                                 .sources = sources_, \
                                 __VA_ARGS__ }
#define BINARY(name, bytes, op_) \
    ROW(name, veu_form_binary, bytes, bytes, 2, .op = op_)
#define SHIFT(name, bytes, op_, count) \
    ROW(name, veu_form_shift, bytes, bytes, 2, .op = op_, .op2 = count)
#define CONVERT(name, to, from, op_) \
    ROW(name, veu_form_unary, to, from, 1, .op = op_)

/* Rows that take other instructions, or other forms, with AVX2 and AVX-512. */
extern const VeuJitRow veu_jit_rows_avx2[VEU_HANDLER_ROWS];
extern const VeuJitRow veu_jit_rows_avx512[VEU_HANDLER_ROWS];

#endif
