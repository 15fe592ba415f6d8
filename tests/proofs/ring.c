/*
 * veu proofs: ring indexes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/ring.c"
#include "hw/veu/device/ring_state.c"
#include "tests/proofs/proof.h"

static VeuDevice device;
static VeuRing *const ring = &device.ring[0];
static uint64_t base;
static uint64_t slots;

/*
 * The functions of other files that ring.c needs; memory is read in the ring.
 */
VeuMem *veu_context_own(VeuContext *context)
{
    return NULL;
}

bool veu_mem_read(VeuMem *mem, uint64_t iova, void *to, uint64_t bytes,
                  uint64_t *failed)
{
    uint64_t at = (uint8_t *)to - ring->command.bytes;

    PROVE(iova >= base && bytes <= slots * 64 &&
              iova - base <= slots * 64 - bytes,
          "slots that are read lie in the ring");
    PROVE((iova - base) % 64 == 0 && bytes % 64 == 0, "whole slots are read");
    PROVE(at <= sizeof(ring->command.bytes) &&
              bytes <= sizeof(ring->command.bytes) - at,
          "they fit the command");
    *failed = iova;
    return nondet_bool();
}

void veu_fault_record(VeuRing *r, const VeuFault *fault,
                      const VeuFaultPlace *place)
{
}

const char *veu_ring_value_name(unsigned row, uint64_t value)
{
    return NULL;
}

bool veu_fault_form(VeuFault *fault, uint16_t code, uint32_t detail)
{
    return false;
}

bool veu_fault_address(VeuFault *fault, uint16_t code, uint64_t address,
                       uint32_t bytes, enum veu_access access)
{
    return false;
}

bool veu_shared_load(VeuRing *r, uint32_t offset, uint32_t *value)
{
    *value = nondet_u32();
    return nondet_bool();
}

/* Any ring that RING_SLOTS and RING_BASE permit, at any head. */
static void take_ring(void)
{
    static VeuHost host;
    unsigned log2 = nondet_u32();

    ASSUME(log2 <= 20);
    slots = UINT64_C(1) << log2;
    base = nondet_u64();
    ASSUME(base <= UINT64_MAX - slots * 64);
    device.host = &host;
    ring->device = &device;
    ring->reg[VEU_ROW_RING_SLOTS] = slots;
    ring->reg[VEU_ROW_RING_BASE] = base;
    ring->reg[VEU_ROW_RING_HEAD] = nondet_u32();
    ring->tail = nondet_u32();
}

void slots_that_are_offered_are_in_the_ring(void)
{
    uint32_t offered;
    bool good;

    take_ring();
    good = slots_offered(ring, &offered);
    REACHED(good && offered == slots);
    REACHED(!good && ring->state == VEU_RING_HALTED);
    PROVE(!good || offered <= slots, "a run of slots is not beyond the ring");
    PROVE(!good ||
              (uint32_t)(ring->reg[VEU_ROW_RING_HEAD] + offered) == ring->tail,
          "a run of slots ends at the tail");
}

void slots_that_are_read_are_in_the_ring(void)
{
    uint32_t offered = nondet_u32();
    uint32_t count = nondet_u32();
    uint32_t copied;

    take_ring();
    ASSUME(offered >= 1 && offered <= slots);
    ring->command.slot = ring->reg[VEU_ROW_RING_HEAD];
    copied = copy_first(ring, offered);
    REACHED(copied == 4);
    REACHED(copied == 1 && offered == slots && slots == 1u << 20);
    PROVE(copied <= offered && copied <= 4,
          "not more is copied than is offered, and than a command may have");
    ASSUME(copied && count <= offered && count <= 4);
    copy_rest(ring, copied, count);
}
