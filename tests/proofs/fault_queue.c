/*
 * veu proofs: the index of the fault queue.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/fault_queue.c"
#include "tests/proofs/proof.h"

static VeuDevice device;
static VeuMem own;
static VeuRing *const ring = &device.ring[0];
static uint64_t base;
static uint64_t records;
static uint32_t head;
static unsigned written;

bool veu_shared_load(VeuRing *r, uint32_t offset, uint32_t *value)
{
    head = nondet_u32();
    *value = head;
    return nondet_bool();
}

VeuMem *veu_context_own(VeuContext *context)
{
    return &own;
}

bool veu_mem_write(VeuMem *mem, uint64_t iova, const void *from, uint64_t bytes,
                   uint64_t *failed)
{
    uint32_t unread = nondet_u32();
    uint32_t mask = records - 1;
    uint64_t place = ring->fault_tail & mask;

    PROVE(bytes == sizeof(struct veu_fault_record), "a record is written");
    PROVE(iova == base + place * sizeof(struct veu_fault_record),
          "record n is at place n modulo the queue's size");
    PROVE(iova >= base && iova - base <= records * bytes - bytes,
          "a record is in the queue");
    PROVE(unread - head >= ring->fault_tail - head || (unread & mask) != place,
          "a record that is not read yet stays");
    written++;
    return nondet_bool();
}

/* Any queue that ring_start.c accepts, at any tail. */
void records_are_in_the_queue(void)
{
    unsigned log2 = nondet_u32();
    struct veu_fault_record record;
    bool good;

    ASSUME(log2 <= 16);
    records = UINT64_C(1) << log2;
    base = nondet_u64();
    ASSUME(base <= UINT64_MAX - records * sizeof(record));
    ring->device = &device;
    ring->reg[VEU_ROW_RING_FAULTS] = base;
    ring->fault_records = nondet_bool() ? records : 0;
    ring->fault_tail = nondet_u32();
    good = write_record(ring, &record);
    REACHED(good && records == 1);
    REACHED(good && ring->fault_tail < head);
    REACHED(!good && !written && ring->fault_records);
    PROVE(!good || written == 1, "what is recorded was written");
}
