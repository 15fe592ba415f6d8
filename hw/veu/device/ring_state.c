/*
 * veu device model: rings: their states.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/ring_state.h"

void veu_ring_set_state(VeuRing *ring, enum veu_ring_state state)
{
    ring->state = state;
    ring->publish = true;
    veu_emit(ring->device,
             &(VeuEvent){
                 .kind = VEU_EVENT_STATE,
                 .ring = ring->number,
                 .name = veu_ring_value_name(VEU_ROW_RING_STATE, state) });
}

void veu_ring_forget_run(VeuRing *ring)
{
    ring->last_fault = (struct veu_fault_record){ .code = VEU_FAULT_NONE };
    ring->fault_records = 0;
    ring->fault_tail = 0;
    ring->fault_overflow = 0;
    ring->command = (VeuCommand){ .info = NULL };
    ring->request = (VeuRequest){ 0 };
    ring->blocked = false;
    ring->hides_head = false;
    veu_context_unbind(&ring->context);
}

void veu_ring_halt(VeuRing *ring, const VeuFault *fault)
{
    ring->command = (VeuCommand){
        .slot = veu_ring_get(ring, VEU_ROW_RING_HEAD),
    };
    veu_fault_record(ring, fault, NULL);
    veu_ring_set_state(ring, VEU_RING_HALTED);
}

void veu_ring_halt_memory(VeuRing *ring, uint64_t address, uint32_t bytes,
                          enum veu_access access)
{
    VeuFault fault;

    veu_fault_address(&fault, VEU_FAULT_RING_MEMORY, address, bytes, access);
    veu_ring_halt(ring, &fault);
}
