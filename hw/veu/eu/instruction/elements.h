/*
 * veu execution unit: where the elements of an operand are, and copies of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, section 17.2. The operands are general or indirect: in the
 * register file.
 */
#ifndef VEU_EU_INSTRUCTION_ELEMENTS_H
#define VEU_EU_INSTRUCTION_ELEMENTS_H

#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/message/execute.h"

/* The most frequent execution size, whose loops become vector instructions. */
#define VEU_COMMON_LANES 16

/* Where the elements of an operand are: bytes of the register file. */
typedef struct VeuPlaces {
    bool even; /* element n is at @first + n * @distance */
    uint32_t first;
    uint32_t distance;
    uint32_t at[VEU_MAX_LANES]; /* otherwise */
} VeuPlaces;

/*
 * The place of element @n. Returns false with a fault if it is outside the
 * registers.
 */
bool veu_operand_byte(VeuThread *thread, const VeuOperand *operand, unsigned n,
                      uint32_t *at);

/*
 * The places of elements @active. Lanes before the last one of them have a
 * place as well, which may be read. Returns false with a fault if one of the
 * elements is outside the registers.
 */
bool veu_place_elements(VeuThread *thread, const VeuOperand *operand,
                        uint32_t active, VeuPlaces *places);

/*
 * Loads elements @active, and any bits for the lanes between them. Integers are
 * extended to 64 bits by their type. Returns false like veu_place_elements().
 */
bool veu_load_elements(VeuThread *thread, const VeuOperand *operand,
                       uint32_t active, uint64_t *bits);

/* Stores elements @active, of which there is at least one. */
void veu_store_elements(VeuThread *thread, uint8_t type, uint32_t active,
                        const VeuPlaces *places, const uint64_t *bits);

#endif
