/*
 * veu device model: the fields of the command KERNEL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_KERNEL_H
#define VEU_DEVICE_KERNEL_H

#include "hw/veu/eu/program/program.h"
#include "veu/ring.h"

/*
 * Returns true if a field is illegal, with the byte offset of the first one in
 * *at.
 */
bool veu_kernel_bad_field(const struct veu_command_kernel *command,
                          uint32_t *at);

/*
 * Like veu_kernel_bad_field(), for a legal command together with its program.
 */
bool veu_kernel_misfit(const struct veu_command_kernel *command,
                       const VeuProgram *program, uint32_t *at);

/* Converts the fields that a dispatch has, too; the rest is 0. */
void veu_kernel_to_launch(const struct veu_command_kernel *command,
                          struct veu_launch *launch);

#endif
