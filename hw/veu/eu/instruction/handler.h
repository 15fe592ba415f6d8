/*
 * veu execution unit: handlers, which execute frequent instructions fast.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An executor (executors.h) follows the rules for every form of an instruction,
 * lane by lane. A handler is a loop over all lanes for one form: one operation
 * on one type, sources that are contiguous (V) or the same for all lanes (B),
 * one execution size. It gives the same bits. Decoding chooses it; instructions
 * without one are executed by the rules.
 *
 * Handlers compute floats with the host's arithmetic: no fused operation except
 * `mad`, subnormal numbers and NaNs replaced explicitly (docs/spec.md, section
 * 17.6). While they run, the host's thread rounds as %cr0 specifies
 * (VeuThread.rounding). A handler that does not hold for that, because it
 * approximates, or has steps that are rounded, calls the executor then.
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_H
#define VEU_EU_INSTRUCTION_HANDLER_H

#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/simd/cpu.h"

/* The sizes of handlers. Those of eights take as many lanes as the step has. */
typedef enum VeuHandlerSize {
    VEU_HANDLER_1,
    VEU_HANDLER_16,
    VEU_HANDLER_EIGHTS,
    VEU_HANDLER_SIZES
} VeuHandlerSize;

/* Bit k of a shape is set if source k is the same for all lanes. */
#define VEU_HANDLER_SHAPES 8

/* What handlers compute: the rows of handler_rows.h. */
typedef enum VeuHandlerRow {
#define VEU_HANDLER_ROW(name, ...) VEU_HANDLER_ROW_##name,
#include "hw/veu/eu/instruction/handler_rows.h"
#undef VEU_HANDLER_ROW
    VEU_HANDLER_ROWS,
    /* Handlers of other forms, which are also compiled. */
    VEU_HANDLER_ROW_STATE = VEU_HANDLER_ROWS,
    VEU_HANDLER_ROW_AND,
    VEU_HANDLER_ROW_OR,
    VEU_HANDLER_ROW_XOR,
    VEU_HANDLER_ROW_NONE
} VeuHandlerRow;

/* The handlers of a row: [masked][shape][size]; NULL if there is none. */
typedef VeuHandler *VeuHandlerSet[2][VEU_HANDLER_SHAPES][VEU_HANDLER_SIZES];

/* One function for each CPU level; only x86 has the last two. */
extern const VeuHandlerSet veu_handlers_scalar[VEU_HANDLER_ROWS];
extern const VeuHandlerSet veu_handlers_avx2[VEU_HANDLER_ROWS];
extern const VeuHandlerSet veu_handlers_avx512[VEU_HANDLER_ROWS];

#endif
