/*
 * veu device tests: LOAD, UNLOAD and KERNEL in a storm.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/kernel_work.h"
#include "tests/device/storm.h"

/* There are few handles, so that some are in use. */
#define HANDLES 4

static uint8_t *random_slot(Rig *r)
{
    return r->slots + storm_below(RIG_SLOTS - 3) * VEU_SLOT_BYTES;
}

static void flip_bits(void *memory, uint32_t bytes)
{
    for (unsigned i = storm_below(4); i; i--) {
        ((uint8_t *)memory)[storm_below(bytes)] ^= 1u << storm_below(8);
    }
}

static KernelWork place(Rig *r)
{
    KernelWork work;

    kernel_work_place(r, &work);
    return work;
}

void storm_write_load(Storm *s)
{
    KernelWork work = place(s->rig);
    struct veu_command_load command = kernel_work_load(&work,
                                                       storm_below(HANDLES));

    if (storm_below(4) == 0) {
        flip_bits(&command, sizeof(command));
        flip_bits(work.kernel.program, work.kernel.program_bytes);
    }
    memcpy(random_slot(s->rig), &command, sizeof(command));
}

void storm_write_unload(Storm *s)
{
    struct veu_command_unload command = veu_make_unload(0,
                                                        storm_below(HANDLES));

    if (storm_below(8) == 0) {
        flip_bits(&command, sizeof(command));
    }
    memcpy(random_slot(s->rig), &command, sizeof(command));
}

/*
 * This includes many groups, and more groups in flight than there is room for.
 */
void storm_write_kernel(Storm *s)
{
    Rig *r = s->rig;
    KernelWork work = place(r);
    struct veu_command_kernel command =
        kernel_work_make(&work, storm_below(64), 1 + storm_below(HANDLES),
                         (uint32_t *)r->arena, (uint32_t *)r->result, 1024);

    if (storm_below(2)) {
        command.code_address = veu_port_device_address(work.kernel.program);
        command.code_bytes = work.kernel.program_bytes;
        command.program = 0;
    }
    command.group_count[storm_below(3)] = 1 + storm_below(1000);
    command.groups_in_flight = 1 + storm_below(100);
    command.threads = 1 + storm_below(storm_below(4) ? 4 : 1100);
    if (storm_below(2)) {
        flip_bits(&command, sizeof(command));
        flip_bits(work.memory, 0x1000);
    }
    memcpy(random_slot(r), &command, sizeof(command));
}
