/*
 * veu device model: the command table, and what all commands have in common.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/command.h"
#include "hw/veu/device/command_row.h"
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/rule.h"
#include "hw/veu/eu/zero.h"

const VeuCommandInfo *const veu_commands[] = {
#define ROW(name, structure, opcode) [opcode] = &veu_command_row_##structure,
    VEU_COMMANDS(ROW)
#undef ROW
};

const unsigned veu_command_count = VEU_ARRAY_SIZE(veu_commands);

#define ONE(name, structure, opcode) +1
_Static_assert(VEU_ARRAY_SIZE(veu_commands) == 0 VEU_COMMANDS(ONE),
               "opcodes leave no gaps");
#undef ONE

const VeuCommandInfo *veu_command_find(uint8_t opcode)
{
    return opcode < veu_command_count ? veu_commands[opcode] : NULL;
}

bool veu_command_may_fault(const VeuCommandInfo *info, uint16_t code)
{
    /* Those of rings and of all commands. */
    if (code <= VEU_FAULT_COMMAND_FIELD || code == VEU_FAULT_BUDGET) {
        return true;
    }
    if (code == VEU_FAULT_COMMAND_MEMORY) {
        return info->access[0].how != VEU_ACCESS_NONE;
    }
    for (unsigned i = 0; i < VEU_COMMAND_FAULTS; i++) {
        if (code >= info->faults[i].first && code <= info->faults[i].last) {
            return true;
        }
    }
    return false;
}

/* The number of bytes that a command of VEU_PROGRESS_BYTES moves. */
static uint32_t all_bytes(const VeuCommand *c)
{
    uint32_t bytes = 0;

    if (c->info->progress == VEU_PROGRESS_BYTES) {
        memcpy(&bytes, c->bytes + c->info->access[0].bytes_at, sizeof(bytes));
    }
    return bytes;
}

bool veu_command_progress_is_legal(const VeuRing *ring, bool waits)
{
    const VeuCommand *c = &ring->command;
    VeuProgress progress = c->info->progress;
    bool begins = progress == VEU_PROGRESS_BEGUN ||
                  progress == VEU_PROGRESS_WAIT;
    uint32_t at;

    if (waits && (progress != VEU_PROGRESS_WAIT || !c->begun)) {
        return false;
    }
    if (c->begun &&
        (!begins || (c->info->bad_field && c->info->bad_field(ring, &at)))) {
        return false;
    }
    return c->bytes_done <= all_bytes(c);
}

/* A ring without an array for times stores none. */
static bool bad_flags(const VeuRing *ring)
{
    uint16_t others = ring->command.header.flags & ~VEU_COMMAND_INTERRUPT;

    return others && (others != VEU_COMMAND_TIMES ||
                      !veu_ring_get(ring, VEU_ROW_RING_TIMES));
}

bool veu_command_bad_field(const VeuRing *ring, const VeuCommandInfo *info,
                           uint32_t *at)
{
    const VeuCommand *c = &ring->command;

    VEU_RULE(struct veu_command_header, slots, c->header.slots != info->slots);
    VEU_RULE(struct veu_command_header, flags, bad_flags(ring));
    *at = info->reserved_at;
    return !veu_is_zero(c->bytes + info->reserved_at, info->reserved_bytes);
}
