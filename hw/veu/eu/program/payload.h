/*
 * veu execution unit: the layout of a program's payload.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_EU_PAYLOAD_H
#define VEU_EU_PAYLOAD_H

#include "hw/veu/eu/program/program.h"

/* Offset of the registers in a payload, bytes. */
static inline uint32_t veu_payload_registers_at(const VeuProgram *program)
{
    uint32_t bytes = program->predicate_count * sizeof(uint32_t) +
                     program->address_element_count * sizeof(uint16_t);

    return sizeof(struct veu_payload_header) + (bytes + 63) / 64 * 64;
}

#endif
