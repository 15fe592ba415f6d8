/*
 * veu execution unit: handlers that convert what they read and write.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A handler of handler_loops.h reads consecutive elements of one type. If the
 * elements of an instruction are not contiguous, or have other types or
 * modifiers, a staged handler copies them to lanes of 32 or 64 bits, lets such
 * a handler compute, and converts its result to the destination. That takes
 * some 10 ns more, and still is many times faster than the executor. As all
 * sources are read before anything is written, operands may overlap.
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_STAGE_H
#define VEU_EU_INSTRUCTION_HANDLER_STAGE_H

#include "hw/veu/eu/program/program.h"

/* The types of lanes that are computed on. */
typedef enum VeuStageType {
    VEU_STAGE_D,
    VEU_STAGE_Q,
    VEU_STAGE_F,
    VEU_STAGE_DF,
    VEU_STAGE_TYPES
} VeuStageType;

/* Bytes of the lanes of a source or result. */
#define VEU_STAGE_BYTES  (32 * 8)
/* The lanes of the result follow those of the sources. */
#define VEU_STAGE_RESULT (VEU_HANDLER_SOURCES * VEU_STAGE_BYTES)

/*
 * The function that copies elements of @type (enum veu_type; BOOL: a predicate)
 * to lanes of @stage, and applies the operand's modifier, or NULL.
 */
VeuStageLoad *veu_stage_load(uint8_t type, VeuStageType stage);

/*
 * The function that converts lanes of @stage to elements of @type, saturating
 * them with @saturates, or NULL. Integer lanes are signed.
 */
VeuStageStore *veu_stage_store(VeuStageType stage, uint8_t type,
                               bool saturates);

/*
 * Like veu_stage_store(), for lanes of unsigned quad words that become floats.
 */
VeuStageStore *veu_stage_store_unsigned(uint8_t type);

/*
 * Gives @instruction a staged handler. Returns false if there is none for its
 * form.
 */
bool veu_stage_choose(const VeuProgram *program, VeuInstruction *instruction,
                      VeuHandlerStep *step);

#endif
