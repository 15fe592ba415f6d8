/*
 * veu device model: the register table, and reads and writes over it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/device/counters.h"
#include "hw/veu/device/request.h"
#include "hw/veu/eu/limits.h"

/* The reset value of a capability comes from set_capabilities(). */
#define CAP 0
#define ROW(name_, offset_, bytes_, access_, reset_, writable_, text_) \
    [VEU_ROW_##name_] = {                                              \
        .name = #name_,                                                \
        .offset = (offset_),                                           \
        .bytes = (bytes_),                                             \
        .access = VEU_REGISTER_##access_,                              \
        .reset = (reset_),                                             \
        .writable = (writable_),                                       \
        .text = text_,                                                 \
    },

/* Each counter has a register, which its snapshot is read from. */
#define COUNTER_ROW(name, number, text) \
    ROW(COUNTER_##name, VEU_REG_COUNTER_##name, 8, RO, 0, 0, text)

const VeuRegister veu_device_registers[VEU_DEVICE_ROWS] = { VEU_DEVICE_REGS(
    ROW) VEU_COUNTERS(COUNTER_ROW) };
const VeuRegister veu_ring_registers[VEU_RING_ROWS] = { VEU_RING_REGS(ROW) };
const VeuRegister veu_context_registers[VEU_CONTEXT_ROWS] = { VEU_CONTEXT_REGS(
    ROW) };

/* The capabilities of a scanout are its limits, the same for both sides. */
#undef CAP
#define CAP VEU_LIMIT_SCANOUT_SIDE
const VeuRegister veu_scanout_registers[VEU_SCANOUT_ROWS] = { VEU_SCANOUT_REGS(
    ROW) };
#undef COUNTER_ROW
#undef ROW
#undef CAP

void veu_registers_reset(const VeuRegister *rows, unsigned count,
                         uint64_t *values)
{
    for (unsigned i = 0; i < count; i++) {
        veu_register_set(values, i, rows[i].reset);
    }
}

void veu_ring_reset(VeuRing *ring)
{
    veu_registers_reset(veu_ring_registers, VEU_RING_ROWS, ring->reg);
    ring->state = VEU_RING_DISABLED;
    ring->start = false;
    ring->asleep = false;
    ring->tail = 0;
    ring->last_fault.code = VEU_FAULT_NONE;
    ring->publish = false;
    ring->interrupt = false;
    veu_context_unbind(&ring->context);
    ring->fault_records = 0;
    ring->fault_tail = 0;
    ring->fault_overflow = 0;
    ring->command.info = NULL;
    ring->request = (VeuRequest){ 0 };
    ring->blocked = false;
    ring->hides_head = false;
    ring->pass = 0;
    veu_emit(ring->device, &(VeuEvent){ .kind = VEU_EVENT_RESET,
                                        .ring = ring->number,
                                        .name = "ring" });
}

/* Register CAP_FLAGS: what the guest can observe of how the device was made. */
static uint32_t flags(const VeuDevice *d)
{
    const VeuConfig *eu = &d->config.eu;

    return d->config.host_flags |
           (eu->strict_types ? VEU_FLAG_STRICT_TYPES : 0) |
           (d->host->wants_kicks ? VEU_FLAG_DETERMINISTIC : 0) |
           (uint32_t)eu->undefined << VEU_FLAG_UNDEFINED_SHIFT;
}

static void set_capabilities(const VeuDevice *d, uint64_t *values)
{
    const struct {
        unsigned row;
        uint32_t value;
    } capabilities[] = {
        { VEU_ROW_CAP_RINGS, d->config.rings },
        { VEU_ROW_CAP_CONTEXTS, d->config.rings },
        { VEU_ROW_CAP_CONTEXT_TYPES, 1u << VEU_CONTEXT_IDENTITY |
                                         1u << VEU_CONTEXT_WINDOWS |
                                         1u << VEU_CONTEXT_TABLES },
        { VEU_ROW_CAP_VA_BITS, VEU_LIMIT_VA_BITS },
        { VEU_ROW_CAP_CONTEXT_OPTIONS, VEU_CONTEXT_REQUESTS },
        { VEU_ROW_CAP_DOORBELL_STRIDE, d->config.doorbell_stride_bytes },
        { VEU_ROW_CAP_VECTORS, d->config.vectors },
        { VEU_ROW_CAP_RING_SLOTS, VEU_LIMIT_RING_SLOTS },
        { VEU_ROW_CAP_GRF_BYTES, 32 | 64 },
        { VEU_ROW_CAP_SIMD, 8 | 16 | 32 },
        { VEU_ROW_CAP_FLAGS, flags(d) },
        { VEU_ROW_CAP_PROGRAM_KINDS,
          1u << VEU_PROGRAM_MESSAGES | 1u << VEU_PROGRAM_INSTRUCTIONS },
        { VEU_ROW_LIMIT_PROGRAM_BYTES, VEU_LIMIT_PROGRAM_BYTES },
        { VEU_ROW_LIMIT_MESSAGES, VEU_LIMIT_MESSAGES },
        { VEU_ROW_LIMIT_VARIABLES, VEU_LIMIT_VARIABLES },
        { VEU_ROW_LIMIT_PREDICATES, VEU_LIMIT_PREDICATES },
        { VEU_ROW_LIMIT_ADDRESSES, VEU_LIMIT_ADDRESSES },
        { VEU_ROW_LIMIT_REGISTER_BYTES, VEU_LIMIT_REGISTER_BYTES },
        { VEU_ROW_LIMIT_SURFACES, VEU_LIMIT_SURFACES },
        { VEU_ROW_LIMIT_SLM_BYTES, VEU_LIMIT_SLM_BYTES },
        { VEU_ROW_LIMIT_THREADS, VEU_LIMIT_THREADS },
        { VEU_ROW_LIMIT_GROUPS, VEU_LIMIT_GROUPS },
        { VEU_ROW_LIMIT_FAULT_RECORDS, VEU_LIMIT_FAULT_RECORDS },
        { VEU_ROW_LIMIT_WINDOWS, VEU_LIMIT_WINDOWS },
        { VEU_ROW_LIMIT_INSTRUCTIONS, VEU_LIMIT_INSTRUCTIONS },
        { VEU_ROW_LIMIT_LABELS, VEU_LIMIT_LABELS },
        { VEU_ROW_LIMIT_ROUTINES, VEU_LIMIT_ROUTINES },
        { VEU_ROW_LIMIT_FUNCTIONS, VEU_LIMIT_FUNCTIONS },
        { VEU_ROW_LIMIT_CALLS, VEU_LIMIT_CALLS },
        { VEU_ROW_LIMIT_STATES, VEU_LIMIT_STATES },
        { VEU_ROW_LIMIT_LAUNCH_BYTES, VEU_LIMIT_LAUNCH_BYTES },
    };

    for (unsigned i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]);
         i++) {
        values[capabilities[i].row] = capabilities[i].value;
    }
}

/* Each is set once: who reads a capability meanwhile does not read 0. */
static void reset_registers(VeuDevice *d)
{
    uint64_t values[VEU_DEVICE_ROWS];

    veu_registers_reset(veu_device_registers, VEU_DEVICE_ROWS, values);
    set_capabilities(d, values);
    for (unsigned i = 0; i < VEU_DEVICE_ROWS; i++) {
        veu_register_set(d->reg, i, values[i]);
    }
}

void veu_device_clear(VeuDevice *d)
{
    veu_counters_reset(d);
    d->pass = 0;
    reset_registers(d);
    for (unsigned i = 0; i < d->config.rings; i++) {
        veu_ring_reset(&d->ring[i]);
        veu_registers_reset(veu_context_registers, VEU_CONTEXT_ROWS,
                            d->context_reg[i]);
        veu_tlb_forget_all(&d->tlbs[i]);
        d->queue[i] = (VeuRequestQueue){ 0 };
    }
    veu_scanout_reset(d);
}

void veu_device_reset(VeuDevice *d)
{
    veu_device_clear(d);
    if (d->host->reset) {
        d->host->reset(d->host);
    }
    veu_emit(d, &(VeuEvent){ .kind = VEU_EVENT_RESET,
                             .ring = VEU_EVENT_NO_RING,
                             .name = "device" });
}

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
