/*
 * veu device model: what a row of the command table is written with.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A command is a row of VEU_COMMANDS with its structure in include/veu/ring.h,
 * and one file, which has the rules of its fields, what it does, and at its end
 * its row: `const VeuCommandInfo veu_command_row_<structure>`.
 */
#ifndef VEU_DEVICE_COMMAND_ROW_H
#define VEU_DEVICE_COMMAND_ROW_H

#include <stddef.h>
#include "hw/veu/device/model.h"

#define ROW(name, structure, opcode) \
    extern const VeuCommandInfo veu_command_row_##structure;
VEU_COMMANDS(ROW)
#undef ROW

/* What its declarations give; @reserved is the field that has to be 0. */
#define VEU_COMMAND_ROW(name_, structure, reserved)                    \
    .opcode = VEU_COMMAND_##name_, .name = #structure,                 \
    .slots = sizeof(struct veu_command_##structure) / VEU_SLOT_BYTES,  \
    .reserved_at = offsetof(struct veu_command_##structure, reserved), \
    .reserved_bytes = sizeof(((struct veu_command_##structure *)0)->reserved)

/* An access of 8 bytes at the address in @field; @how: READ or WRITE. */
#define VEU_COMMAND_WORD(structure, field, how_)                       \
    {                                                                  \
        .address_at = offsetof(struct veu_command_##structure, field), \
        .how = VEU_ACCESS_##how_                                       \
    }

/* Likewise, of as many bytes as the command's field "bytes" says. */
#define VEU_COMMAND_RANGE(structure, field, how_)                      \
    {                                                                  \
        .address_at = offsetof(struct veu_command_##structure, field), \
        .bytes_at = offsetof(struct veu_command_##structure, bytes),   \
        .how = VEU_ACCESS_##how_                                       \
    }

/* The faults from @first to @last, in the order of their codes. */
#define VEU_COMMAND_FAULT_RANGE(first, last) \
    {                                        \
        VEU_FAULT_##first, VEU_FAULT_##last  \
    }

#endif
