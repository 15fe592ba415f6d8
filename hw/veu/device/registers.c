/*
 * veu device model: the register table, and reads and writes over it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/device/counters.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/ring.h"

/* The register that an access hits. */
typedef struct Target {
    const VeuRegister *row;
    unsigned number;  /* of the row in its block */
    uint64_t *values; /* of the block's instance */
    VeuRing *ring;    /* where it is a ring's */
    bool scanout;     /* it is the scanout's */
    bool is_context;  /* it is a context's */
    unsigned shift;   /* of the accessed bytes in the register, bits */
} Target;

/* Finds the row at @offset in a block of @count rows. */
static bool find_row(const VeuRegister *rows, unsigned count, uint32_t offset,
                     unsigned bytes, Target *target)
{
    for (unsigned i = 0; i < count; i++) {
        if (offset >= rows[i].offset &&
            offset + bytes <= rows[i].offset + rows[i].bytes) {
            target->row = &rows[i];
            target->number = i;
            target->shift = (offset - rows[i].offset) * 8;
            return true;
        }
    }
    return false;
}

static bool find_target(VeuDevice *d, uint32_t offset, unsigned bytes,
                        Target *target)
{
    uint32_t ring = (offset - VEU_RING_BLOCK) / VEU_RING_BLOCK_STRIDE;
    uint32_t context = (offset - VEU_CONTEXT_BLOCK) / VEU_CONTEXT_BLOCK_STRIDE;

    *target = (Target){ 0 };
    if ((bytes != 4 && bytes != 8) || offset % bytes) {
        return false;
    }
    if (offset < VEU_RING_BLOCK) {
        target->values = d->reg;
        return find_row(veu_device_registers, VEU_DEVICE_ROWS, offset, bytes,
                        target);
    }
    if (ring < d->config.rings) {
        target->ring = &d->ring[ring];
        target->values = target->ring->reg;
        return find_row(veu_ring_registers, VEU_RING_ROWS,
                        offset % VEU_RING_BLOCK_STRIDE, bytes, target);
    }
    if (offset >= VEU_CONTEXT_BLOCK && context < d->config.rings) {
        target->is_context = true;
        target->values = d->context_reg[context];
        return find_row(veu_context_registers, VEU_CONTEXT_ROWS,
                        offset % VEU_CONTEXT_BLOCK_STRIDE, bytes, target);
    }
    if (offset - VEU_SCANOUT_BLOCK < VEU_SCANOUT_BLOCK_BYTES &&
        d->host->screen) {
        target->scanout = true;
        target->values = d->scanout.reg;
        return find_row(veu_scanout_registers, VEU_SCANOUT_ROWS,
                        offset - VEU_SCANOUT_BLOCK, bytes, target);
    }
    return false;
}

static void ignore_access(VeuDevice *d, const char *why, uint32_t offset,
                          uint64_t value)
{
    veu_emit(d, &(VeuEvent){ .kind = VEU_EVENT_REGISTER,
                             .ring = VEU_EVENT_NO_RING,
                             .name = why,
                             .at = offset,
                             .value = value });
}

uint64_t veu_device_read(VeuDevice *d, uint32_t offset, unsigned bytes)
{
    Target target;
    uint64_t value;

    if (!find_target(d, offset, bytes, &target)) {
        ignore_access(d, "read of no register", offset, 0);
        return 0;
    }
    if (target.row == &veu_device_registers[VEU_ROW_TIME]) {
        value = d->host->now_ns(d->host);
    } else {
        value = veu_register_get(target.values, target.number);
    }
    value >>= target.shift;
    return bytes == 4 ? (uint32_t)value : value;
}

static bool is_writable(const VeuDevice *d, const Target *target)
{
    if (target->row == &veu_scanout_registers[VEU_ROW_SCANOUT_FLIP]) {
        return veu_scanout_is_enabled(&d->scanout);
    }
    switch (target->row->access) {
    case VEU_REGISTER_RW:
        return true;
    case VEU_REGISTER_RWD:
        return veu_ring_get(target->ring, VEU_ROW_RING_STATE) ==
               VEU_RING_DISABLED;
    default:
        return false;
    }
}

/*
 * What a write of a context's register does, beside being stored. Of registers
 * of 8 bytes that is done by the lower half.
 */

/* The write ends the step that is under way, and with it all extents. */
static void invalidate(VeuDevice *d, uint32_t context, uint64_t value)
{
    veu_tlb_forget(&d->tlbs[context], value & -VEU_PAGE_BYTES, value & 0x3f);
}

static const struct {
    unsigned row;
    bool reads_0; /* in its lower half */
    void (*act)(VeuDevice *d, uint32_t context, uint64_t value);
} context_actions[] = {
    { VEU_ROW_CONTEXT_INVALIDATE, true, invalidate },
    { VEU_ROW_CONTEXT_RESPONSE, true, veu_request_respond },
    { VEU_ROW_CONTEXT_QUEUE, false, veu_request_reset_queue },
};

static void write_context(VeuDevice *d, const Target *target, uint64_t value)
{
    uint32_t context = (const uint64_t(*)[VEU_CONTEXT_ROWS])target->values -
                       d->context_reg;

    veu_register_set(target->values, target->number, value);
    for (unsigned i = 0;
         i < sizeof(context_actions) / sizeof(context_actions[0]); i++) {
        if (context_actions[i].row == target->number && target->shift == 0) {
            context_actions[i].act(d, context, value);
            if (context_actions[i].reads_0) {
                veu_register_set(target->values, target->number,
                                 value & ~(uint64_t)UINT32_MAX);
            }
        }
    }
}

void veu_device_write(VeuDevice *d, uint32_t offset, uint64_t value,
                      unsigned bytes)
{
    uint64_t mask = bytes == 4 ? UINT32_MAX : UINT64_MAX;
    uint64_t old;
    Target target;

    if (!find_target(d, offset, bytes, &target)) {
        ignore_access(d, "write to no register", offset, value);
        return;
    }
    if (!is_writable(d, &target)) {
        ignore_access(d, target.row->name, offset, value);
        return;
    }
    old = veu_register_get(target.values, target.number);
    mask = (mask << target.shift) & target.row->writable;
    value = (old & ~mask) | ((value << target.shift) & mask);
    if (target.row == &veu_device_registers[VEU_ROW_CONTROL]) {
        if (value & VEU_CONTROL_RESET) {
            veu_device_reset(d);
        }
    } else if (target.row == &veu_device_registers[VEU_ROW_COUNTER_CONTROL]) {
        if (value & VEU_COUNTER_SNAPSHOT) {
            veu_counters_snapshot(d);
        }
    } else if (target.row == &veu_ring_registers[VEU_ROW_RING_CONTROL]) {
        veu_ring_control(target.ring, value);
    } else if (target.is_context) {
        write_context(d, &target, value);
    } else if (target.scanout) {
        veu_scanout_write(d, target.number, value);
    } else {
        veu_register_set(target.values, target.number, value);
    }
}
