/*
 * veu device model: resets of rings and of the device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/counters.h"
#include "hw/veu/device/reset.h"
#include "hw/veu/device/ring_state.h"
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/limits.h"

void veu_ring_reset(VeuRing *ring)
{
    veu_counters_settle(ring);
    veu_registers_reset(veu_ring_registers, VEU_RING_ROWS, ring->reg);
    ring->state = VEU_RING_DISABLED;
    ring->start = false;
    ring->asleep = false;
    ring->tail = 0;
    ring->publish = false;
    ring->interrupt = false;
    ring->pass = 0;
    veu_ring_forget_run(ring);
    veu_emit(ring->device, &(VeuEvent){ .kind = VEU_EVENT_RESET,
                                        .ring = ring->number,
                                        .name = "ring" });
}

/*
 * The value of CAP_FLAGS: how the device was created, as far as the guest can
 * observe it.
 */
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
        { VEU_ROW_CAP_CONTEXT_OPTIONS,
          VEU_CONTEXT_REQUESTS | VEU_CONTEXT_ACCESSED },
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
        { VEU_ROW_LIMIT_PROGRAM_MEMORY, d->config.program_memory_bytes },
        { VEU_ROW_LIMIT_PROGRAMS, VEU_LIMIT_PROGRAMS },
        { VEU_ROW_LIMIT_LOAD_BYTES, VEU_LIMIT_LOAD_BYTES },
        { VEU_ROW_LIMIT_LOAD_INSTRUCTIONS, VEU_LIMIT_LOAD_INSTRUCTIONS },
        { VEU_ROW_LIMIT_LOAD_VARIABLES, VEU_LIMIT_LOAD_VARIABLES },
    };

    for (unsigned i = 0; i < VEU_ARRAY_SIZE(capabilities); i++) {
        values[capabilities[i].row] = capabilities[i].value;
    }
}

/* Each is set once, so that a concurrent read of a capability is never 0. */
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
    veu_programs_clear(&d->programs);
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
