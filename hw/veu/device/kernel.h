/*
 * veu device model: the fields of the command KERNEL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_KERNEL_H
#define VEU_DEVICE_KERNEL_H

#include <sys/param.h>
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

/* The number of groups of a legal grid. */
static inline uint32_t veu_kernel_groups(const struct veu_command_kernel *c)
{
    return c->group_count[0] * c->group_count[1] * c->group_count[2];
}

/* The most groups in flight; there may be fewer groups. */
static inline uint32_t veu_kernel_places(const struct veu_command_kernel *c)
{
    return MIN(c->groups_in_flight, veu_kernel_groups(c));
}

/* The bytes that are written to an EU thread's registers, from byte 0 on. */
static inline uint32_t veu_kernel_image_bytes(
    const struct veu_command_kernel *command, const VeuProgram *program)
{
    return program->grf_bytes + command->local_id_bytes +
           command->cross_thread_bytes;
}

#endif
