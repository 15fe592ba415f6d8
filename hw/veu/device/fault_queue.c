/*
 * veu device model: the fault queue of a ring.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/ring_shared.h"

static struct veu_fault_record make_record(const VeuRing *ring,
                                           const VeuFault *f,
                                           const VeuFaultPlace *place)
{
    static const VeuFaultPlace nowhere = {
        .group = VEU_FAULT_NOT_APPLICABLE,
        .thread = VEU_FAULT_NOT_APPLICABLE,
        .message_offset = VEU_FAULT_NOT_APPLICABLE,
    };
    VeuHost *host = ring->device->host;

    place = place ? place : &nowhere;
    return (struct veu_fault_record){
        .code = f->code,
        .ring = ring->number,
        .slot = ring->command.slot,
        .tag = ring->command.header.tag,
        .command = ring->command.header.opcode,
        .access = f->access,
        .lane = f->lane,
        .element = f->element,
        .group = place->group,
        .thread = place->thread,
        .message_offset = place->message_offset,
        .message_opcode = place->opcode,
        .message_sub = place->sub,
        .address = f->address,
        .bytes = f->bytes,
        .bytes_done = f->bytes_done,
        .lanes = f->lanes,
        .detail = f->detail,
        .time = host->now_ns(host),
    };
}

/* Returns false if the queue has no room or is not in writable memory. */
static bool write_record(VeuRing *ring, const struct veu_fault_record *record)
{
    uint32_t records = ring->fault_records;
    uint32_t place = ring->fault_tail & (records - 1);
    uint64_t failed;
    uint32_t head;

    if (!records ||
        !veu_shared_load(ring, offsetof(struct veu_ring_shared, fault_head),
                         &head) ||
        ring->fault_tail - head >= records) {
        return false;
    }
    return veu_mem_write(veu_context_own(&ring->context),
                         veu_ring_get(ring, VEU_ROW_RING_FAULTS) +
                             (uint64_t)place * sizeof(*record),
                         record, sizeof(*record), &failed);
}

void veu_fault_record(VeuRing *ring, const VeuFault *fault,
                      const VeuFaultPlace *place)
{
    const VeuFaultInfo *info = veu_fault_info(fault->code);
    struct veu_fault_record record = make_record(ring, fault, place);

    veu_emit(ring->device, &(VeuEvent){ .kind = VEU_EVENT_FAULT,
                                        .ring = ring->number,
                                        .name = info->name,
                                        .at = fault->address,
                                        .value = fault->detail,
                                        .record = &record });
    ring->counted[VEU_COUNTER_FAULTS]++;
    ring->last_fault = record;
    veu_register_set(ring->reg, VEU_ROW_RING_LAST_FAULT, fault->code);
    veu_register_set(ring->reg, VEU_ROW_RING_LAST_DETAIL, fault->detail);
    veu_register_set(ring->reg, VEU_ROW_RING_FAULT_COUNT,
                     (uint32_t)(veu_ring_get(ring, VEU_ROW_RING_FAULT_COUNT) +
                                1));
    if (write_record(ring, &record)) {
        ring->fault_tail++;
    } else {
        ring->fault_overflow++;
    }
    ring->publish = true;
    ring->interrupt = true;
}
