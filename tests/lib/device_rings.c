/*
 * veu tests: several rings of a device model, each with memory of its own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/device_rings.h"

static uint32_t reg_at(unsigned ring, uint32_t reg)
{
    return VEU_RING_BLOCK + ring * VEU_RING_BLOCK_STRIDE + reg;
}

uint32_t devs_get(Devs *d, unsigned ring, uint32_t reg)
{
    return dev_read(d->dev, reg_at(ring, reg), 4);
}

void devs_set(Devs *d, unsigned ring, uint32_t reg, uint32_t value)
{
    dev_write(d->dev, reg_at(ring, reg), value, 4);
}

void devs_start(Devs *d, unsigned n)
{
    d->tail[n] = 0;
    test_memory_put32(&d->dev->host.memory, DEVS_SHARED(n), 0);
    dev_write(d->dev, reg_at(n, VEU_REG_RING_BASE), DEVS_RING(n), 8);
    dev_write(d->dev, reg_at(n, VEU_REG_RING_SHARED), DEVS_SHARED(n), 8);
    dev_write(d->dev, reg_at(n, VEU_REG_RING_FAULTS), DEVS_FAULTS(n), 8);
    devs_set(d, n, VEU_REG_RING_SLOTS, DEVS_SLOTS);
    devs_set(d, n, VEU_REG_RING_FAULT_RECORDS, DEVS_RECORDS);
    devs_set(d, n, VEU_REG_RING_VECTOR, n < DEV_VECTORS ? n : VEU_NO_VECTOR);
    devs_set(d, n, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
}

Devs *devs_new(unsigned count)
{
    Devs *d = g_new0(Devs, 1);

    d->dev = dev_new_rings(count);
    d->count = count;
    for (unsigned i = 0; i < count; i++) {
        test_memory_add(&d->dev->host.memory, DEVS_RING(i), 4 * TEST_PAGE_BYTES,
                        true);
        devs_start(d, i);
    }
    devs_settle(d);
    return d;
}

void devs_free(Devs *d)
{
    dev_free(d->dev);
    g_free(d);
}

void devs_push(Devs *d, unsigned ring, const void *command, unsigned slots)
{
    TestMemory *memory = &d->dev->host.memory;

    for (unsigned i = 0; i < slots; i++) {
        uint32_t slot = d->tail[ring]++ % DEVS_SLOTS;

        test_memory_put(memory, DEVS_RING(ring) + slot * VEU_SLOT_BYTES,
                        (const uint8_t *)command + i * VEU_SLOT_BYTES,
                        VEU_SLOT_BYTES);
    }
    test_memory_put32(memory, DEVS_SHARED(ring), d->tail[ring]);
}

void devs_push_long(Devs *d, unsigned ring)
{
    TestMessage m = { .kind = TEST_GATHER,
                      .num_elts = 2,
                      .surface = 0,
                      .offset = test_immediate(0) };
    struct veu_command_dispatch dispatch;

    test_program_init(&d->dev->program);
    test_program_add(&d->dev->program, &m);
    dispatch = dev_dispatch(d->dev);
    dispatch.launch.groups = 1 << 20;
    DEVS_PUSH(d, ring, dispatch);
}

int devs_turn(Devs *d, unsigned budget)
{
    uint64_t ready = veu_device_ready(d->dev->device);
    uint32_t ring;

    if (!ready) {
        return -1;
    }
    ring = veu_device_pick(d->dev->device, ready);
    g_assert_true(ready >> ring & 1);
    dev_ring_step(d->dev, ring, budget);
    return ring;
}

void devs_settle(Devs *d)
{
    for (unsigned i = 0; devs_turn(d, 64) >= 0; i++) {
        g_assert_cmpuint(i, <, 100000);
    }
}

struct veu_fault_record devs_record(Devs *d, unsigned ring, unsigned place)
{
    struct veu_fault_record record;

    test_memory_get(&d->dev->host.memory,
                    DEVS_FAULTS(ring) + place * sizeof(record), &record,
                    sizeof(record));
    return record;
}
