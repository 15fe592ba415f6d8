/*
 * veu device model: rings: how an enabled one starts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/device/counters.h"
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/ring_publish.h"
#include "hw/veu/device/ring_start.h"
#include "hw/veu/device/ring_state.h"
#include "hw/veu/eu/range.h"

static bool is_power_of_two(uint64_t n)
{
    return n && !(n & (n - 1));
}

/*
 * Returns the first illegal register of the fault queue, or 0. A ring needs no
 * queue.
 */
static uint32_t bad_fault_register(const VeuRing *ring)
{
    uint64_t records = veu_ring_get(ring, VEU_ROW_RING_FAULT_RECORDS);

    if ((records && !is_power_of_two(records)) ||
        records > VEU_LIMIT_FAULT_RECORDS) {
        return VEU_REG_RING_FAULT_RECORDS;
    }
    if (veu_range_wraps(veu_ring_get(ring, VEU_ROW_RING_FAULTS),
                        records * sizeof(struct veu_fault_record))) {
        return VEU_REG_RING_FAULTS;
    }
    return 0;
}

uint32_t veu_ring_bad_register(const VeuRing *ring)
{
    uint64_t slots = veu_ring_get(ring, VEU_ROW_RING_SLOTS);
    uint64_t vector = veu_ring_get(ring, VEU_ROW_RING_VECTOR);

    if (!is_power_of_two(slots) || slots > VEU_LIMIT_RING_SLOTS) {
        return VEU_REG_RING_SLOTS;
    }
    if (veu_range_wraps(veu_ring_get(ring, VEU_ROW_RING_BASE),
                        slots * VEU_SLOT_BYTES)) {
        return VEU_REG_RING_BASE;
    }
    if (veu_range_wraps(veu_ring_get(ring, VEU_ROW_RING_SHARED),
                        sizeof(struct veu_ring_shared))) {
        return VEU_REG_RING_SHARED;
    }
    if (veu_range_wraps(veu_ring_get(ring, VEU_ROW_RING_TIMES),
                        slots * sizeof(struct veu_command_times))) {
        return VEU_REG_RING_TIMES;
    }
    if (vector >= ring->device->config.vectors && vector != VEU_NO_VECTOR) {
        return VEU_REG_RING_VECTOR;
    }
    if (veu_ring_get(ring, VEU_ROW_RING_POLICY) > VEU_POLICY_SKIP_COMMAND) {
        return VEU_REG_RING_POLICY;
    }
    return bad_fault_register(ring);
}

/* Binds the ring's context as it is now. */
static bool bind_context(VeuRing *ring, VeuFault *fault)
{
    VeuDevice *d = ring->device;
    uint64_t number = veu_ring_get(ring, VEU_ROW_RING_CONTEXT);

    if (number >= d->config.rings) {
        return veu_fault_form(fault, VEU_FAULT_RING_CONFIG,
                              VEU_REG_RING_CONTEXT);
    }
    return veu_context_bind(&ring->context, d->host, number,
                            d->context_reg[number], fault);
}

static void begin_anew(VeuRing *ring)
{
    veu_counters_settle(ring);
    ring->asleep = ring->device->host->wants_kicks;
    ring->tail = veu_ring_get(ring, VEU_ROW_RING_HEAD);
    veu_ring_forget_run(ring);
    veu_register_set(ring->reg, VEU_ROW_RING_LAST_FAULT, VEU_FAULT_NONE);
    veu_register_set(ring->reg, VEU_ROW_RING_LAST_DETAIL, 0);
    veu_register_set(ring->reg, VEU_ROW_RING_FAULT_COUNT, 0);
}

void veu_ring_enable(VeuRing *ring)
{
    VeuFault fault;

    begin_anew(ring);
    ring->start = bind_context(ring, &fault);
    if (!ring->start) {
        veu_ring_halt(ring, &fault);
    }
}

void veu_ring_begin(VeuRing *ring)
{
    uint32_t bad = veu_ring_bad_register(ring);
    VeuFault fault;

    /* The state came from a device that copied the context here. */
    if (!ring->context.mem.map) {
        veu_ring_enable(ring);
    }
    if (!ring->start) {
        return;
    }
    ring->start = false;
    if (!bad_fault_register(ring)) {
        ring->fault_records = veu_ring_get(ring, VEU_ROW_RING_FAULT_RECORDS);
    }
    if (bad) {
        veu_fault_form(&fault, VEU_FAULT_RING_CONFIG, bad);
        veu_ring_halt(ring, &fault);
        return;
    }
    veu_shared_publish(ring);
}

/*
 * This may happen in the middle of a command: between two steps, a launch has
 * decoded what it needs and holds no pointers. A refused context leaves no
 * memory: a fault record then finds no fault_head, as if the queue had no room.
 */
void veu_ring_reload_context(VeuRing *ring)
{
    uint64_t control = veu_ring_get(ring, VEU_ROW_RING_CONTROL);
    VeuFault fault;

    if (veu_ring_is_at_work(ring)) {
        veu_counters_settle(ring);
        if (bind_context(ring, &fault)) {
            veu_request_forget(ring);
        } else {
            ring->start = false;
            veu_ring_halt(ring, &fault);
        }
    }
    veu_register_set(ring->reg, VEU_ROW_RING_CONTROL,
                     control & ~VEU_RING_RELOAD);
}
