/*
 * veu fuzzers: a device model that a driver has set up.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "hw/veu/device/launch_load.h"
#include "hw/veu/device/model.h"
#include "tests/fuzz/driver.h"
#include "tests/lib/device_fixture.h"

void fuzz_set(FuzzDriver *d, unsigned ring, uint32_t reg, uint64_t value)
{
    veu_device_write(d->device,
                     VEU_RING_BLOCK + ring * VEU_RING_BLOCK_STRIDE + reg, value,
                     dev_ring_register_bytes(reg));
}

uint64_t fuzz_get(FuzzDriver *d, unsigned ring, uint32_t reg)
{
    return veu_device_read(d->device,
                           VEU_RING_BLOCK + ring * VEU_RING_BLOCK_STRIDE + reg,
                           dev_ring_register_bytes(reg));
}

/* A buffer, an image, an image in tiles, and shared local memory. */
static void store_surfaces(FuzzDriver *d, unsigned ring)
{
    struct veu_surface s[FUZZ_SURFACES] = {
        { .base = FUZZ_DATA(ring),
          .format = VEU_FORMAT_RAW,
          .type = VEU_SURFACE_BUFFER,
          .width = 4096 },
        { .base = FUZZ_DATA(ring),
          .format = VEU_FORMAT_R8G8B8A8_UNORM,
          .type = VEU_SURFACE_2D,
          .width = 32,
          .height = 16,
          .depth = 1,
          .levels = 1,
          .halign = 4,
          .valign = 4,
          .pitch = 128 },
        { .base = FUZZ_DATA(ring),
          .format = VEU_FORMAT_R32_UINT,
          .type = VEU_SURFACE_2D,
          .tiling = VEU_TILING_Y,
          .width = 32,
          .height = 32,
          .depth = 1,
          .levels = 1,
          .halign = 4,
          .valign = 4,
          .pitch = 128 },
        { .format = VEU_FORMAT_RAW,
          .type = VEU_SURFACE_BUFFER,
          .flags = VEU_SURFACE_SLM,
          .width = 256 },
    };

    fuzz_store(&d->host, FUZZ_TABLE(ring), s, sizeof(s));
}

/* A header, a predicate, addresses, then registers with small numbers. */
static void store_payload(FuzzDriver *d, unsigned ring)
{
    uint32_t payload[0x800 / 4] = { UINT32_MAX };

    for (unsigned i = 16; i < G_N_ELEMENTS(payload); i++) {
        payload[i] = i * 4 % 64;
    }
    fuzz_store(&d->host, FUZZ_PAYLOAD(ring), payload, sizeof(payload));
}

/* Stores what a driver stores before it enables the ring. */
static void store_memory(FuzzDriver *d, unsigned ring)
{
    store_surfaces(d, ring);
    store_payload(d, ring);
    fuzz_store_all_messages(d, ring);
}

static VeuDevice *new_device(FuzzDriver *d, uint32_t host_code_bytes)
{
    VeuDeviceConfig config = {
        .rings = FUZZ_RINGS,
        .vectors = FUZZ_VECTORS,
        .doorbell_stride_bytes = 4096,
        .program_memory_bytes = 1 << 20,
        .host_code_bytes = host_code_bytes,
    };
    VeuDevice *device = veu_device_new(&config, &d->host.host);

    g_assert_nonnull(device);
    return device;
}

FuzzDriver *fuzz_driver_new(void)
{
    FuzzDriver *d = g_new0(FuzzDriver, 1);

    fuzz_host_init(&d->host);
    d->device = new_device(d, 1 << 20);
    d->other = new_device(d, 0);
    fuzz_make_messages();
    for (unsigned ring = 0; ring < FUZZ_RINGS; ring++) {
        store_memory(d, ring);
        d->all_bytes = d->program_bytes[ring];
    }
    fuzz_host_keep(&d->host);
    return d;
}

/*
 * Chooses properties of the device, and whether its host wants events: without
 * them, the device takes other paths.
 */
static void choose_config(FuzzDriver *d)
{
    VeuConfig config = { .check = d->how & FUZZ_HOW_CHECK,
                         .strict_types = d->how & FUZZ_HOW_STRICT };

    d->device->config.eu = config;
    d->other->config.eu = config;
    fuzz_host_extents(&d->host, !(d->how & FUZZ_HOW_CALLS));
    d->host.host.events = d->how & FUZZ_HOW_EVENTS ?
                              (1u << VEU_EVENT_COUNT) - 1 :
                              0;
}

void fuzz_driver_reset(FuzzDriver *d, const uint8_t *data, size_t bytes)
{
    d->in = (FuzzInput){ data, bytes };
    d->how = fuzz_u8(&d->in);
    fuzz_host_reset(&d->host, d->how & FUZZ_HOW_TOGETHER);
    choose_config(d);
    veu_device_reset(d->device);
    for (unsigned ring = 0; ring < FUZZ_RINGS; ring++) {
        veu_launch_forget(d->device->ring[ring].launch);
        d->tail[ring] = 0;
        d->program_bytes[ring] = d->all_bytes;
    }
    d->moves = 0;
    if (d->how & FUZZ_HOW_RACE) {
        d->host.race = fuzz_u32(&d->in);
    }
}

void fuzz_enable(FuzzDriver *d, unsigned ring, uint32_t context)
{
    fuzz_set(d, ring, VEU_REG_RING_BASE, FUZZ_RING(ring));
    fuzz_set(d, ring, VEU_REG_RING_SHARED, FUZZ_SHARED(ring));
    fuzz_set(d, ring, VEU_REG_RING_FAULTS, FUZZ_FAULTS(ring));
    fuzz_set(d, ring, VEU_REG_RING_SLOTS, FUZZ_SLOTS);
    fuzz_set(d, ring, VEU_REG_RING_FAULT_RECORDS, FUZZ_RECORDS);
    fuzz_set(d, ring, VEU_REG_RING_CONTEXT, context);
    fuzz_set(d, ring, VEU_REG_RING_VECTOR, ring);
    fuzz_set(d, ring, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_MESSAGE);
    fuzz_set(d, ring, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
}

void fuzz_set_up(FuzzDriver *d, unsigned ring, uint32_t context)
{
    store_memory(d, ring);
    fuzz_enable(d, ring, context);
}

/*
 * Changes a byte, a word or a number at some place, often to a value that is
 * just illegal.
 */
static void change(FuzzInput *in, uint8_t *bytes, uint32_t count)
{
    static const uint64_t numbers[] = { 0,          1,        UINT32_MAX,
                                        UINT64_MAX, FUZZ_TOP, FUZZ_ROM,
                                        FUZZ_RAM,   0x8000000 };
    uint8_t how = fuzz_u8(in);
    uint32_t at = fuzz_u16(in) % count;
    uint64_t value = how & 8 ? numbers[how >> 5] : fuzz_u64(in);
    uint32_t size = 1u << (how & 3);

    memcpy(bytes + at, &value, MIN(size, count - at));
}

void fuzz_change_some(FuzzInput *in, uint8_t *bytes, uint32_t count)
{
    for (unsigned n = fuzz_u8(in) % 4; n; n--) {
        change(in, bytes, count);
    }
}

void fuzz_change_memory(FuzzDriver *d, unsigned ring)
{
    /* parts that are not zero, so that a change has an effect */
    static const uint32_t parts[] = { 0x0000, 0x0800, 0x0c00, 0x1000,
                                      0x2000, 0x2040, 0x3000, 0x3060,
                                      0x3100, 0x5000, 0x6000 };
    uint32_t part = parts[fuzz_u8(&d->in) % G_N_ELEMENTS(parts)];
    uint8_t bytes[128];

    for (unsigned i = 0; i < sizeof(bytes); i++) {
        bytes[i] = *fuzz_byte(&d->host, FUZZ_HALF(ring) + part + i);
    }
    fuzz_change_some(&d->in, bytes, sizeof(bytes));
    fuzz_store(&d->host, FUZZ_HALF(ring) + part, bytes, sizeof(bytes));
}

void fuzz_step(FuzzDriver *d, unsigned ring)
{
    veu_ring_step(d->device, ring, 1 + fuzz_u8(&d->in) % FUZZ_STEP_UNITS);
}

void fuzz_settle(FuzzDriver *d)
{
    for (unsigned n = 0; n < FUZZ_SETTLE_STEPS; n++) {
        uint64_t ready = veu_device_ready(d->device);

        if (!ready) {
            break;
        }
        veu_ring_step(d->device, veu_device_pick(d->device, ready),
                      FUZZ_STEP_UNITS);
    }
    veu_scanout_step(d->device, FUZZ_SETTLE_ROWS);
}
