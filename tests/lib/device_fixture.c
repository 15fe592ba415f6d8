/*
 * veu tests: a device model with a host and a driver around it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>
#include "hw/veu/device/host/inject.h"
#include "tests/lib/device_fixture.h"

Dev *dev_new(void)
{
    return dev_new_rings(DEV_RINGS);
}

static Dev *new_device(unsigned rings, bool joined)
{
    Dev *d = g_new0(Dev, 1);

    test_host_init(&d->host);
    d->host.memory.joined = joined;
    test_memory_add(&d->host.memory, DEV_RAM, DEV_RAM_BYTES, true);
    test_memory_add(&d->host.memory, DEV_ROM, TEST_PAGE_BYTES, false);
    d->config = (VeuDeviceConfig){
        .rings = rings,
        .vectors = DEV_VECTORS,
        .doorbell_stride_bytes = 4096,
        /* more than malloc() reuses, so that it is not touched */
        .program_memory_bytes = 64u << 20,
        .host_code_bytes = g_getenv("VEU_TEST_NO_HOST_CODE") ? 0 : 16u << 20,
    };
    d->device = veu_device_new(&d->config, &d->host.host);
    g_assert_nonnull(d->device);
    test_program_init(&d->program);
    test_host_clear_log(&d->host);
    return d;
}

Dev *dev_new_rings(unsigned rings)
{
    return new_device(rings, false);
}

Dev *dev_new_joined(void)
{
    return new_device(DEV_RINGS, true);
}

Dev *dev_running(void)
{
    Dev *d = dev_new();

    dev_setup(d);
    dev_enable(d);
    return d;
}

Dev *dev_destination(const Dev *from)
{
    Dev *d = dev_new_rings(from->config.rings);

    test_memory_free(&d->host.memory);
    test_memory_init(&d->host.memory);
    test_memory_copy(&d->host.memory, &from->host.memory);
    d->tail = from->tail;
    d->keep_memory = from->keep_memory;
    d->host.now_ns = from->host.now_ns;
    return d;
}

void dev_free(Dev *d)
{
    veu_device_free(d->device);
    test_host_free(&d->host);
    g_free(d);
}

uint64_t dev_read(Dev *d, uint32_t offset, unsigned bytes)
{
    return veu_device_read(d->device, offset, bytes);
}

void dev_write(Dev *d, uint32_t offset, uint64_t value, unsigned bytes)
{
    veu_device_write(d->device, offset, value, bytes);
}

unsigned dev_ring_register_bytes(uint32_t reg)
{
    return reg == VEU_REG_RING_BASE || reg == VEU_REG_RING_SHARED ||
                   reg == VEU_REG_RING_FAULTS || reg == VEU_REG_RING_TIMES ?
               8 :
               4;
}

uint64_t dev_ring_get(Dev *d, uint32_t reg)
{
    return dev_read(d, VEU_RING_BLOCK + reg, dev_ring_register_bytes(reg));
}

void dev_ring_set(Dev *d, uint32_t reg, uint64_t value)
{
    dev_write(d, VEU_RING_BLOCK + reg, value, dev_ring_register_bytes(reg));
}

void dev_setup(Dev *d)
{
    dev_ring_set(d, VEU_REG_RING_BASE, DEV_RING);
    dev_ring_set(d, VEU_REG_RING_SHARED, DEV_SHARED);
    dev_ring_set(d, VEU_REG_RING_FAULTS, DEV_FAULTS);
    dev_ring_set(d, VEU_REG_RING_SLOTS, DEV_SLOTS);
    dev_ring_set(d, VEU_REG_RING_FAULT_RECORDS, DEV_RECORDS);
    dev_ring_set(d, VEU_REG_RING_VECTOR, 1);
}

void dev_enable(Dev *d)
{
    d->tail = dev_ring_get(d, VEU_REG_RING_HEAD);
    test_memory_put32(&d->host.memory,
                      DEV_SHARED + offsetof(struct veu_ring_shared, fault_head),
                      0);
    dev_publish(d);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
}

void dev_disable(Dev *d)
{
    dev_ring_set(d, VEU_REG_RING_CONTROL, 0);
}

void dev_fill(Dev *d, const void *command, unsigned slots)
{
    for (unsigned i = 0; i < slots; i++) {
        uint32_t slot = d->tail++ % DEV_SLOTS;

        test_memory_put(&d->host.memory, DEV_RING + slot * VEU_SLOT_BYTES,
                        (const uint8_t *)command + i * VEU_SLOT_BYTES,
                        VEU_SLOT_BYTES);
    }
}

void dev_publish(Dev *d)
{
    test_memory_put32(&d->host.memory, DEV_SHARED, d->tail);
}

void dev_push(Dev *d, const void *command, unsigned slots)
{
    dev_fill(d, command, slots);
    dev_publish(d);
}

VeuStep dev_ring_step(Dev *d, uint32_t ring, unsigned budget)
{
    TestMemory *memory = &d->host.memory;
    VeuStep step;
    int unsent;

    if (!d->keep_memory) {
        if (!memory->joined) {
            test_host_move(&d->host);
        }
        test_memory_send_all(memory);
    }
    step = veu_ring_step(d->device, ring, budget);
    /* pages that helpers write are not recorded: tests/lib/helpers.c */
    if (!d->keep_memory && !d->host.host.run_all) {
        test_memory_flush(memory);
        unsent = test_memory_unsent(memory);
        if (unsent >= 0) {
            g_error("page 0x%" PRIx64 " was written and is not noted",
                    memory->page[unsent].iova);
        }
    }
    return step;
}

VeuStep dev_step(Dev *d, unsigned budget)
{
    return dev_ring_step(d, 0, budget);
}

VeuStep dev_run_by(Dev *d, unsigned budget)
{
    VeuStep step = VEU_STEP_MORE;

    for (unsigned i = 0; step == VEU_STEP_MORE; i++) {
        g_assert_cmpuint(i, <, 100000);
        step = dev_step(d, budget);
    }
    return step;
}

VeuStep dev_run(Dev *d)
{
    return dev_run_by(d, 7);
}

uint64_t dev_counter(Dev *d, uint32_t reg)
{
    dev_write(d, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT, 4);
    return dev_read(d, reg, 8);
}

struct veu_fault_record dev_record(Dev *d, unsigned place)
{
    struct veu_fault_record record;

    test_memory_get(&d->host.memory, DEV_FAULTS + place * sizeof(record),
                    &record, sizeof(record));
    return record;
}

void dev_assert_fault(Dev *d, unsigned count, uint16_t code, uint32_t detail)
{
    struct veu_fault_record record = dev_record(d, (count - 1) % DEV_RECORDS);

    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, count);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==, code);
    g_assert_cmphex(record.code, ==, code);
    g_assert_cmpuint(record.detail, ==, detail);
}

void dev_assert_no_fault(Dev *d)
{
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==, 0);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 0);
}

struct veu_command_nop dev_nop(uint32_t tag)
{
    return (struct veu_command_nop){
        .header = { .opcode = 0, .slots = 1, .tag = tag },
    };
}

struct veu_command_fence dev_fence(uint64_t value)
{
    return (struct veu_command_fence){
        .header = { .opcode = 3, .slots = 1, .tag = 0xf0 },
        .address = DEV_FENCE,
        .value = value,
    };
}

void dev_push_fences(Dev *d, unsigned count)
{
    for (unsigned i = 1; i <= count; i++) {
        struct veu_command_fence fence = dev_fence(i);

        DEV_PUSH(d, fence);
    }
}

uint64_t dev_fence_value(Dev *d)
{
    return test_memory_get64(&d->host.memory, DEV_FENCE);
}

struct veu_command_dispatch dev_dispatch(Dev *d)
{
    static uint8_t bytes[PROGRAM_MAX_BYTES];
    uint32_t count = test_program_build(&d->program, bytes);

    test_memory_put(&d->host.memory, DEV_PROGRAM, bytes, count);
    return (struct veu_command_dispatch){
        .header = { .opcode = 2, .slots = 2, .tag = 0xd0 },
        .launch = { .code_address = DEV_PROGRAM,
                    .code_bytes = count,
                    .simd = 8,
                    .surface_table = DEV_SURFACES,
                    .payload_address = DEV_PAYLOAD,
                    .result_address = DEV_RESULT,
                    .exec_mask = UINT32_MAX,
                    .threads = 1,
                    .groups = 1 },
    };
}

struct veu_command_message dev_message(const TestMessage *message)
{
    TestCode code = test_encode(message);
    struct veu_command_message command = {
        .header = { .opcode = 1, .slots = 4, .tag = 0xe0 },
        .launch = { .code_bytes = code.count,
                    .simd = 8,
                    .grf_bytes = 32,
                    .surface_table = DEV_SURFACES,
                    .payload_address = DEV_PAYLOAD,
                    .result_address = DEV_RESULT,
                    .exec_mask = UINT32_MAX,
                    .threads = 1,
                    .groups = 1 },
    };

    memcpy(command.message, code.bytes, code.count);
    return command;
}

void dev_inject(Dev *d, const char *text)
{
    g_autofree VeuInjectRules *rules = g_new0(VeuInjectRules, 1);
    VeuInjectError error;

    if (!veu_inject_parse(text, DEV_RINGS, rules, &error)) {
        g_error("%s: %s: %s", text, error.text, error.hint);
    }
    veu_device_inject(d->device, rules);
}

void dev_surface(Dev *d, unsigned n, const struct veu_surface *surface)
{
    test_memory_put(&d->host.memory, DEV_SURFACES + n * sizeof(*surface),
                    surface, sizeof(*surface));
}

void dev_buffer(Dev *d, unsigned n, uint64_t base, uint32_t bytes)
{
    struct veu_surface s = {
        .base = base,
        .format = VEU_FORMAT_RAW,
        .type = VEU_SURFACE_BUFFER,
        .width = bytes,
    };

    dev_surface(d, n, &s);
}
