/*
 * veu device model: what the fields of a dispatch or inline message may say.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_LAUNCH_RULES_H
#define VEU_DEVICE_LAUNCH_RULES_H

#include "hw/veu/eu/program/program.h"
#include "veu/ring.h"

/* Byte offset in the command of the first illegal field, or 0. */
uint32_t veu_dispatch_bad_field(const struct veu_command_dispatch *command);
uint32_t veu_message_bad_field(const struct veu_command_message *command);
/* The same, of what an inline message does not use of its command. */
uint32_t veu_message_bad_rest(const struct veu_command_message *command);

/* Payload and result against the program: offset in the launch, or 0. */
uint32_t veu_launch_bad_size(const struct veu_launch *launch,
                             const VeuProgram *program);

/* Offset of the registers in a payload, bytes. */
static inline uint32_t veu_payload_registers_at(const VeuProgram *program)
{
    uint32_t bytes = program->predicate_count * sizeof(uint32_t) +
                     program->address_element_count * sizeof(uint16_t);

    return sizeof(struct veu_payload_header) + (bytes + 63) / 64 * 64;
}

#endif
