/*
 * veu execution unit: a program that has been copied from guest memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_LOAD_H
#define VEU_EU_LOAD_H

#include "hw/veu/eu/fault.h"
#include "hw/veu/eu/program/program.h"

/*
 * Checks header, sections, variables and predicates of the program in @bytes.
 * The bytes must stay until the last message is decoded.
 */
bool veu_program_open(VeuProgram *program, const uint8_t *bytes,
                      uint32_t byte_count, uint32_t simd, VeuFault *fault);

/* Makes the program of an inline message, by the same rules. */
bool veu_program_open_inline(VeuProgram *program, uint32_t simd,
                             uint32_t grf_bytes,
                             const struct veu_variable *variables,
                             uint32_t variable_count, uint32_t predicate_count,
                             const uint8_t *code, uint32_t code_bytes,
                             VeuFault *fault);

/* Decodes up to @budget messages. Sets @offset to that of an illegal one. */
VeuLoad veu_program_decode(VeuProgram *program, unsigned budget,
                           VeuFault *fault, uint32_t *offset);

#endif
