/*
 * veu execution unit: loading a program of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_LOAD_INSTRUCTIONS_H
#define VEU_EU_LOAD_INSTRUCTIONS_H

#include "hw/veu/eu/fault.h"
#include "hw/veu/eu/program/program.h"

/*
 * Reads the sections that only such programs have. Returns false with a fault.
 */
bool veu_program_read_sections(VeuProgram *program, const uint8_t *bytes,
                               const struct veu_section *sections,
                               VeuFault *fault);

/* Like veu_program_decode(). */
VeuLoad veu_program_decode_instructions(VeuProgram *program, unsigned budget,
                                        VeuFault *fault, uint32_t *offset);

#endif
