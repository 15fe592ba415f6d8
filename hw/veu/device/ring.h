/*
 * veu device model: what the parts of a ring need from each other.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_RING_H
#define VEU_DEVICE_RING_H

#include <stddef.h>
#include "hw/veu/device/model.h"

/* What all commands have in common: is it broken, and at which offset? */
bool veu_command_bad_field(const VeuCommandInfo *info,
                           const VeuCommand *command, uint32_t *at);

/* Records a fault of the command in progress, which ends it. */
VeuRun veu_command_fault(VeuRing *ring, uint16_t code, uint32_t detail);

/*
 * For an access of @bytes that the gate has refused at @address: asks for the
 * pages, and returns VEU_RUN_BLOCKED; or records a fault that ends the command.
 */
VeuRun veu_command_memory_fault(VeuRing *ring, uint16_t code, uint64_t address,
                                uint32_t bytes, enum veu_access access);

/* Units that RING_BUDGET leaves the command; UINT32_MAX: any number. */
uint32_t veu_command_budget_left(const VeuRing *ring);
/* Like veu_command_fault(): the budget is spent before the command is done. */
VeuRun veu_command_overrun(VeuRing *ring);

/* Marks what was written; pointers to memory are no good any more. */
static inline void veu_ring_flush(VeuRing *ring)
{
    ring->device->host->flush(ring->device->host);
    veu_mem_forget(&ring->context.mem);
}

/* Pieces of COPY and FILL. */
VeuRun veu_copy_run(VeuRing *ring);
VeuRun veu_fill_run(VeuRing *ring);

/* The offset of a WAIT's field that is illegal, or 0. */
uint32_t veu_wait_bad_field(const VeuRing *ring);
/* Looks at the word of a WAIT. */
VeuRun veu_wait_run(VeuRing *ring);
/* Cheap: would it say VEU_RUN_WAIT again? */
bool veu_wait_goes_on(VeuRing *ring);

static inline bool veu_launch_is_kernel(const VeuRing *ring)
{
    return ring->command.header.opcode == VEU_COMMAND_KERNEL;
}

/* What a launch says: a dispatch and an inline message at the same place. */
static inline const struct veu_launch *veu_launch_args(const VeuRing *ring)
{
    return veu_launch_is_kernel(ring) ? &ring->launch->kernel_args :
                                        &ring->command.dispatch.launch;
}

_Static_assert(offsetof(struct veu_command_dispatch, launch) ==
                   offsetof(struct veu_command_message, launch),
               "veu_launch_args() serves both");

static inline bool veu_launch_is_inline(const VeuRing *ring)
{
    return ring->command.header.opcode == VEU_COMMAND_MESSAGE;
}

/* A fault of the ring itself: it stops, whatever the policy. */
void veu_ring_halt(VeuRing *ring, const VeuFault *fault);

/* The same: what the ring itself needs is not in RAM. */
void veu_ring_halt_memory(VeuRing *ring, uint64_t address, uint32_t bytes,
                          enum veu_access access);

/* Would a step do anything? Cheap; for rings that are idle. */
bool veu_ring_has_work(VeuRing *ring);

/*
 * What a write of ENABLE does to a disabled ring at once: it forgets its last
 * run and copies its context. A context that is not legal halts it.
 */
void veu_ring_enable(VeuRing *ring);

/*
 * What is left to do in the first step after the ring was enabled, because it
 * may write to memory: the VM runs then.
 */
void veu_ring_start(VeuRing *ring);

/* May it use its context? */
static inline bool veu_ring_is_at_work(const VeuRing *ring)
{
    return ring->state == VEU_RING_RUNNING || ring->state == VEU_RING_DRAINING;
}

/* The driver has it do nothing, and keep its state. */
static inline bool veu_ring_is_paused(const VeuRing *ring)
{
    return veu_ring_get(ring, VEU_ROW_RING_CONTROL) & VEU_RING_PAUSE;
}

/*
 * The context is still to be copied: the ring was loaded from a state whose
 * device did that in the next step, and not in the write of RELOAD.
 */
static inline bool veu_ring_is_to_reload(const VeuRing *ring)
{
    return veu_ring_get(ring, VEU_ROW_RING_CONTROL) & VEU_RING_RELOAD;
}

void veu_ring_reload(VeuRing *ring);

/* The name of a value of ring register @row, or NULL: it is just a number. */
const char *veu_ring_value_name(unsigned row, uint64_t value);

/* The offset of the first register that does not describe a ring, or 0. */
uint32_t veu_ring_bad_register(const VeuRing *ring);

/* Where the tail is, or NULL; the pointer lives as one of VeuHost.map(). */
const uint32_t *veu_shared_tail(VeuRing *ring);

/* A word of struct veu_ring_shared that the driver writes. */
bool veu_shared_load(VeuRing *ring, uint32_t offset, uint32_t *value);

/* Stores the words that the device writes; a ring that cannot is halted. */
void veu_shared_publish(VeuRing *ring);

/* Tells the driver that it has to kick; the host fences afterwards. */
void veu_shared_sleep(VeuRing *ring);

/* The driver need not kick any more: it hears of that at once. */
void veu_shared_wake(VeuRing *ring);

/* The ring has had a turn: ring->cost. */
void veu_schedule_charge(VeuRing *ring);

#endif
