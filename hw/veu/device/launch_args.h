/*
 * veu device model: the arguments of a launch, in whichever command.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_LAUNCH_ARGS_H
#define VEU_DEVICE_LAUNCH_ARGS_H

#include <stddef.h>
#include "hw/veu/device/model.h"

static inline bool veu_launch_is_kernel(const VeuRing *ring)
{
    return ring->command.header.opcode == VEU_COMMAND_KERNEL;
}

/*
 * The arguments of the launch; a dispatch and an inline message have them at
 * the same place.
 */
static inline const struct veu_launch *veu_launch_args(const VeuRing *ring)
{
    return veu_launch_is_kernel(ring) ? &ring->launch->kernel_args :
                                        &ring->command.dispatch.launch;
}

_Static_assert(offsetof(struct veu_command_dispatch, launch) ==
                   offsetof(struct veu_command_message, launch),
               "veu_launch_args() serves both");

/* A dispatch of a loaded program, whose handle is its code_address. */
static inline bool veu_launch_is_of_loaded(const VeuRing *ring)
{
    return veu_launch_args(ring)->code_bytes == 0;
}

static inline bool veu_launch_is_inline(const VeuRing *ring)
{
    return ring->command.header.opcode == VEU_COMMAND_MESSAGE;
}

#endif
