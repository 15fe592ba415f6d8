/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults of a ring and of its commands.
 */
#include "fault_plan.h"

/* ---- the ring ---- */

/* Enables a ring that bench_start_ring() would refuse, and reads its fault. */
static void start_bad_ring(struct plan *p, const struct veu_ring_config *config)
{
    struct veu_device *device = &p->b->device;
    struct veu_ring *ring = &p->b->ring;
    unsigned control = veu_ring_register(0, VEU_REG_RING_CONTROL);

    veu_write32(device, control, VEU_RING_RESET);
    __builtin_memset(config->shared, 0, sizeof(*config->shared));
    veu_write64(device, veu_ring_register(0, VEU_REG_RING_BASE),
                (uintptr_t)config->slots);
    veu_write64(device, veu_ring_register(0, VEU_REG_RING_SHARED),
                veu_port_device_address(config->shared));
    veu_write64(device, veu_ring_register(0, VEU_REG_RING_FAULTS),
                veu_port_device_address(config->faults));
    veu_write32(device, veu_ring_register(0, VEU_REG_RING_SLOTS),
                config->slot_count);
    veu_write32(device, veu_ring_register(0, VEU_REG_RING_FAULT_RECORDS),
                config->fault_count);
    veu_write32(device, control, VEU_RING_ENABLE);
    ring->tail = 1;
    ring->fault_head = 0;
    veu_ring_submit(ring);
    veu_ring_kick(ring);
    if (veu_ring_wait(ring, BENCH_TIMEOUT_NS) == VEU_FAULTED) {
        veu_ring_read_fault(ring, &p->got);
    }
    bench_start_ring(p->b, VEU_POLICY_HALT);
}

static void ring_memory(struct plan *p)
{
    struct veu_ring_config config = p->b->config;

    config.slots = (void *)BENCH_HOLE;
    plan_expect_address(p, BENCH_HOLE, VEU_SLOT_BYTES, VEU_ACCESS_READ);
    start_bad_ring(p, &config);
}

static void ring_tail_too_far(struct plan *p)
{
    struct veu_ring *ring = &p->b->ring;

    p->expect.slot = ring->tail;
    ring->tail += BENCH_SLOTS + 1;
    veu_ring_submit(ring);
    if (veu_ring_wait(ring, BENCH_TIMEOUT_NS) == VEU_FAULTED) {
        veu_ring_read_fault(ring, &p->got);
    }
    bench_start_ring(p->b, VEU_POLICY_HALT);
}

static void ring_tail_in_command(struct plan *p)
{
    struct veu_ring *ring = &p->b->ring;

    plan_good(p);
    p->expect.tag = p->expect.command = 0; /* the fault is one of the ring */
    p->expect.slot = ring->tail;
    bench_put(p->b, &p->dispatch.header);
    ring->tail--;
    veu_ring_submit(ring);
    if (veu_ring_wait(ring, BENCH_TIMEOUT_NS) == VEU_FAULTED) {
        veu_ring_read_fault(ring, &p->got);
    }
    bench_start_ring(p->b, VEU_POLICY_HALT);
}

/* ---- commands ---- */

static void command_opcode(struct plan *p)
{
    struct veu_command_nop nop = veu_make_nop(p->b->tag++);

    nop.header.opcode = 0x7f;
    p->expect.command = 0x7f;
    p->expect.tag = nop.header.tag;
    plan_submit(p, &nop.header);
}

static void command_flags(struct plan *p)
{
    struct veu_command_nop nop = veu_make_nop(p->b->tag++);

    nop.header.flags = 0x8000;
    p->expect.tag = nop.header.tag;
    p->expect.detail = offsetof(struct veu_command_header, flags);
    plan_submit(p, &nop.header);
}

static void command_threads(struct plan *p)
{
    plan_good(p);
    p->dispatch.launch.threads = 0;
    p->expect.detail = offsetof(struct veu_command_dispatch, launch.threads);
    plan_submit_dispatch(p);
}

static void fence_to(struct plan *p, uint64_t address)
{
    struct veu_command_fence fence = veu_make_fence(p->b->tag++, NULL, 1);

    fence.address = address;
    p->expect.command = VEU_COMMAND_FENCE;
    p->expect.tag = fence.header.tag;
    plan_expect_address(p, address, 8, VEU_ACCESS_WRITE);
    plan_submit(p, &fence.header);
}

static void fence_to_hole(struct plan *p)
{
    fence_to(p, BENCH_HOLE);
}

static void fence_to_rom(struct plan *p)
{
    fence_to(p, 0xfffffff0);
}

static void fence_to_itself(struct plan *p)
{
    fence_to(p, veu_pci_bar_address(p->b->device.function, VEU_BAR_REGS));
}

const struct fault_case ring_fault_cases[] = {
    { VEU_FAULT_RING_TAIL, "more slots than there are", ring_tail_too_far },
    { VEU_FAULT_RING_TAIL, "half a command", ring_tail_in_command },
    { VEU_FAULT_RING_MEMORY, "slots in a hole", ring_memory },
    { VEU_FAULT_COMMAND_OPCODE, "opcode 0x7f", command_opcode },
    { VEU_FAULT_COMMAND_FIELD, "unknown flag", command_flags },
    { VEU_FAULT_COMMAND_FIELD, "no threads", command_threads },
    { VEU_FAULT_COMMAND_MEMORY, "fence into a hole", fence_to_hole },
    { VEU_FAULT_COMMAND_MEMORY, "fence into ROM", fence_to_rom },
    { VEU_FAULT_COMMAND_MEMORY, "fence into registers", fence_to_itself },
    { 0 },
};
