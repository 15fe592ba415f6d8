/*
 * veu device model: reads and writes of registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The rows of register_table.c determine which bytes of a register a write
 * changes. Here, each block has one more column: the effect of the write.
 */
#include <stddef.h>
#include "hw/veu/device/counters.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/ring.h"

typedef struct Block Block;

/* The register that an access hits. */
typedef struct Target {
    const Block *block;
    const VeuRegister *row;
    unsigned number;   /* number of the row in its block */
    uint32_t instance; /* number of the ring or context, or 0 */
    uint64_t *values;  /* of that instance */
    unsigned shift;    /* shift of the accessed bytes in the register, bits */
} Target;

/* ---- effects of writes ---- */

/* @value is the value of the whole register after the write. */
typedef void Write(VeuDevice *d, const Target *target, uint64_t value);

static void store(const Target *target, uint64_t value)
{
    veu_register_set(target->values, target->number, value);
}

static void write_control(VeuDevice *d, const Target *target, uint64_t value)
{
    if (value & VEU_CONTROL_RESET) {
        veu_device_reset(d);
    }
}

static void write_counter_control(VeuDevice *d, const Target *target,
                                  uint64_t value)
{
    if (value & VEU_COUNTER_SNAPSHOT) {
        veu_counters_snapshot(d);
    }
    if (value & VEU_COUNTER_SNAPSHOT_RINGS) {
        veu_counters_snapshot_rings(d);
    }
}

static void write_ring_control(VeuDevice *d, const Target *target,
                               uint64_t value)
{
    veu_ring_control(&d->ring[target->instance], value);
}

/*
 * Handles a register of 8 bytes that acts when its lower half is written; that
 * half reads as 0 afterwards. Returns true if it acts.
 */
static bool take_value(const Target *target, uint64_t value)
{
    bool acts = target->shift == 0;

    store(target, acts ? value & ~(uint64_t)UINT32_MAX : value);
    return acts;
}

/*
 * Extents end with the current step. This write ends that step, or the step
 * belongs to another context.
 */
static void write_invalidate(VeuDevice *d, const Target *target, uint64_t value)
{
    if (take_value(target, value)) {
        veu_tlb_forget(&d->tlbs[target->instance], value & -VEU_PAGE_BYTES,
                       value & 0x3f);
    }
}

static void write_response(VeuDevice *d, const Target *target, uint64_t value)
{
    if (take_value(target, value)) {
        veu_request_respond(d, target->instance, value);
    }
}

static void write_queue(VeuDevice *d, const Target *target, uint64_t value)
{
    store(target, value);
    if (target->shift == 0) {
        veu_request_reset_queue(d, target->instance, value);
    }
}

static void write_scanout_control(VeuDevice *d, const Target *target,
                                  uint64_t value)
{
    store(target, value);
    veu_scanout_control(d);
}

static void write_scanout_flip(VeuDevice *d, const Target *target,
                               uint64_t value)
{
    store(target, value);
    veu_scanout_begin_flip(d);
}

/* Indexed by row; NULL: the value is stored, without other effects. */
static Write *const device_writes[VEU_DEVICE_ROWS] = {
    [VEU_ROW_CONTROL] = write_control,
    [VEU_ROW_COUNTER_CONTROL] = write_counter_control,
};
static Write *const ring_writes[VEU_RING_ROWS] = {
    [VEU_ROW_RING_CONTROL] = write_ring_control,
};
static Write *const context_writes[VEU_CONTEXT_ROWS] = {
    [VEU_ROW_CONTEXT_INVALIDATE] = write_invalidate,
    [VEU_ROW_CONTEXT_RESPONSE] = write_response,
    [VEU_ROW_CONTEXT_QUEUE] = write_queue,
};
static Write *const scanout_writes[VEU_SCANOUT_ROWS] = {
    [VEU_ROW_SCANOUT_CONTROL] = write_scanout_control,
    [VEU_ROW_SCANOUT_FLIP] = write_scanout_flip,
};

/* ---- the register of an access ---- */

struct Block {
    const VeuRegister *rows;
    unsigned count;
    Write *const *writes; /* for each row */
};

static const Block device_block = { veu_device_registers, VEU_DEVICE_ROWS,
                                    device_writes };
static const Block ring_block = { veu_ring_registers, VEU_RING_ROWS,
                                  ring_writes };
static const Block context_block = { veu_context_registers, VEU_CONTEXT_ROWS,
                                     context_writes };
static const Block scanout_block = { veu_scanout_registers, VEU_SCANOUT_ROWS,
                                     scanout_writes };

/* Finds the row at @offset in a block. */
static bool find_row(const Block *block, uint32_t offset, unsigned bytes,
                     Target *target)
{
    const VeuRegister *rows = block->rows;

    for (unsigned i = 0; i < block->count; i++) {
        if (offset >= rows[i].offset &&
            offset + bytes <= rows[i].offset + rows[i].bytes) {
            target->block = block;
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
        return find_row(&device_block, offset, bytes, target);
    }
    if (ring < d->config.rings) {
        target->instance = ring;
        target->values = d->ring[ring].reg;
        return find_row(&ring_block, offset % VEU_RING_BLOCK_STRIDE, bytes,
                        target);
    }
    if (offset >= VEU_CONTEXT_BLOCK && context < d->config.rings) {
        target->instance = context;
        target->values = d->context_reg[context];
        return find_row(&context_block, offset % VEU_CONTEXT_BLOCK_STRIDE,
                        bytes, target);
    }
    if (offset - VEU_SCANOUT_BLOCK < VEU_SCANOUT_BLOCK_BYTES &&
        d->host->screen) {
        target->values = d->scanout.reg;
        return find_row(&scanout_block, offset - VEU_SCANOUT_BLOCK, bytes,
                        target);
    }
    return false;
}

/* ---- accesses ---- */

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
        return veu_register_get(target->values, VEU_ROW_RING_STATE) ==
               VEU_RING_DISABLED;
    default:
        return false;
    }
}

/*
 * The value of the register after a write; bits that are not writable are
 * preserved.
 */
static uint64_t merge(const Target *target, uint64_t value, unsigned bytes)
{
    uint64_t old = veu_register_get(target->values, target->number);
    uint64_t mask = bytes == 4 ? UINT32_MAX : UINT64_MAX;

    mask = (mask << target->shift) & target->row->writable;
    return (old & ~mask) | ((value << target->shift) & mask);
}

static bool is_in_use(VeuDevice *d, uint32_t context)
{
    return __atomic_fetch_add(&d->context_in_use, 0, __ATOMIC_ACQ_REL) ==
           context;
}

/*
 * Work under way may still use an entry that was dropped, for instance a page
 * that it found earlier. So the write is not performed concurrently with work
 * of its context. If such work has begun since, even if it has ended, the
 * caller pauses the device and writes again.
 */
bool veu_device_write_beside(VeuDevice *d, uint32_t offset, uint64_t value,
                             unsigned bytes)
{
    Target target;
    const VeuTlb *tlb;
    uint32_t uses;

    if (!find_target(d, offset, bytes, &target) ||
        target.block != &context_block ||
        target.number != VEU_ROW_CONTEXT_INVALIDATE) {
        return false;
    }
    tlb = &d->tlbs[target.instance];
    uses = veu_tlb_uses(tlb);
    if (is_in_use(d, target.instance)) {
        return false;
    }
    write_invalidate(d, &target, merge(&target, value, bytes));
    return !is_in_use(d, target.instance) && veu_tlb_uses(tlb) == uses;
}

void veu_device_write(VeuDevice *d, uint32_t offset, uint64_t value,
                      unsigned bytes)
{
    Target target;
    Write *write;

    if (!find_target(d, offset, bytes, &target)) {
        ignore_access(d, "write to no register", offset, value);
        return;
    }
    if (!is_writable(d, &target)) {
        ignore_access(d, target.row->name, offset, value);
        return;
    }
    value = merge(&target, value, bytes);
    write = target.block->writes[target.number];
    if (write) {
        write(d, &target, value);
    } else {
        store(&target, value);
    }
}
