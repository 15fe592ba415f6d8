/*
 * veu device model: the combined meaning of the fields of a legal KERNEL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_KERNEL_ARGS_H
#define VEU_DEVICE_KERNEL_ARGS_H

#include <sys/param.h>
#include "hw/veu/eu/program/program.h"
#include "veu/ring.h"

/* The number of groups of a legal grid. */
static inline uint32_t veu_kernel_groups(const struct veu_command_kernel *c)
{
    return c->group_count[0] * c->group_count[1] * c->group_count[2];
}

/* The maximum number of groups in flight; there may be fewer groups. */
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
