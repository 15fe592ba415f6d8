/*
 * veu device model: the commands that launch: MESSAGE, DISPATCH and KERNEL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What they do is in launch.c. The rules of their fields are checked with the
 * state of the launch: launch_rules.c, kernel.c.
 */
#include "hw/veu/device/command_row.h"
#include "hw/veu/device/launch.h"

const VeuCommandInfo veu_command_row_message = {
    VEU_COMMAND_ROW(MESSAGE, message, launch.reserved),
    .is_launch = true,
    .progress = VEU_PROGRESS_BEGUN,
    .faults = { VEU_COMMAND_FAULT_RANGE(MESSAGE_OPCODE, RESULT_MEMORY) },
    .run = veu_launch_run,
    .summary = "Runs one message that stands in the command.",
};

const VeuCommandInfo veu_command_row_dispatch = {
    VEU_COMMAND_ROW(DISPATCH, dispatch, launch.reserved),
    .is_launch = true,
    .progress = VEU_PROGRESS_BEGUN,
    .faults = { VEU_COMMAND_FAULT_RANGE(PROGRAM_MEMORY, PROGRAM_HANDLE),
                VEU_COMMAND_FAULT_RANGE(MESSAGE_OPCODE, RESULT_MEMORY) },
    .run = veu_launch_run,
    .summary = "Runs a program on groups * threads EU threads.",
};

const VeuCommandInfo veu_command_row_kernel = {
    VEU_COMMAND_ROW(KERNEL, kernel, reserved),
    .is_launch = true,
    .progress = VEU_PROGRESS_BEGUN,
    .faults = { VEU_COMMAND_FAULT_RANGE(PROGRAM_MEMORY, PROGRAM_HANDLE),
                VEU_COMMAND_FAULT_RANGE(MESSAGE_OPCODE, PAYLOAD_MEMORY) },
    .run = veu_launch_run,
    .summary = "Runs a program of kind 1 on a grid of groups.",
};
