/*
 * veu unit tests: programs that stay loaded: docs/spec.md, "LOAD".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/host/capture.h"
#include "hw/veu/device/model.h"
#include "hw/veu/eu/limits.h"
#include "tests/lib/kernel_builder.h"
#include "tests/lib/state_bytes.h"

#define ROUNDS 3
#define HANDLE 7

static const uint32_t grid[3] = { 3, 2, 2 };
#define GROUPS 12

static struct veu_command_unload make_unload(uint32_t handle)
{
    return (struct veu_command_unload){
        .header = { .opcode = VEU_COMMAND_UNLOAD, .slots = 1 },
        .program = handle,
    };
}

static struct veu_command_kernel make_sums(Dev *d)
{
    Code code = kernel_sums(ROUNDS);
    struct veu_command_kernel c = kernel_command(d, &code, grid);

    c.slm_bytes = 256;
    return c;
}

static void assert_sums(Dev *d)
{
    dev_assert_no_fault(d);
    for (unsigned n = 0; n < GROUPS * KERNEL_ITEMS; n++) {
        g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA + 4 * n),
                         ==, kernel_sum(ROUNDS, n % KERNEL_ITEMS));
    }
}

static void load(Dev *d, const struct veu_command_kernel *c, uint32_t handle)
{
    struct veu_command_load command = kernel_load(c, handle);

    DEV_PUSH(d, command);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
}

/* Expects a fault of the last command; the ring continues. */
static void expect(Dev *d, uint16_t code, uint32_t detail)
{
    uint32_t count = dev_ring_get(d, VEU_REG_RING_FAULT_COUNT);

    test_memory_put32(&d->host.memory,
                      DEV_SHARED + offsetof(struct veu_ring_shared, fault_head),
                      count);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    dev_assert_fault(d, count + 1, code, detail);
}

/* A ring with policy SKIP_COMMAND, and with this much program memory. */
static Dev *dev_with(uint32_t memory_bytes)
{
    Dev *d = dev_new();

    d->config.program_memory_bytes = memory_bytes;
    veu_device_free(d->device);
    d->device = veu_device_new(&d->config, &d->host.host);
    g_assert_nonnull(d->device);
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    return d;
}

/* Like dev_with(), with memory for host code, if dev_new() gives it any. */
static Dev *dev_with_host_code(uint32_t bytes)
{
    Dev *d = dev_new();

    d->config.host_code_bytes = d->config.host_code_bytes ? bytes : 0;
    veu_device_free(d->device);
    d->device = veu_device_new(&d->config, &d->host.host);
    g_assert_nonnull(d->device);
    dev_setup(d);
    dev_enable(d);
    return d;
}

/* Host code of programs that are gone makes room for others. */
static void test_an_unload_gives_back_host_code(void)
{
    g_autoptr(Dev) d = dev_with_host_code(16 << 20);
    const VeuPool *pool = &d->device->programs.host_pool;
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_unload unload = make_unload(HANDLE);

    if (!veu_jit_is_available() || !pool->memory) {
        g_test_skip("no AVX2, or no memory for code");
        return;
    }
    load(d, &c, HANDLE);
    load(d, &c, HANDLE + 1);
    g_assert_cmpuint(pool->count, ==, 2);
    g_assert_cmpuint(pool->blocks[0].bytes, <, 16384);
    DEV_PUSH(d, unload);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(pool->count, ==, 1);
    veu_device_reset(d->device);
    g_assert_cmpuint(pool->count, ==, 0);
}

/* The number of steps of one unit that a LOAD and a KERNEL take. */
static unsigned count_steps(Dev *d)
{
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
    struct veu_command_load command = kernel_load(&c, HANDLE);
    unsigned count = 0;

    DEV_PUSH(d, command);
    DEV_PUSH(d, loaded);
    while (dev_step(d, 1) == VEU_STEP_MORE) {
        count++;
    }
    assert_sums(d);
    return count;
}

/* Neither whether the host has it, nor whether there is room. */
static void test_a_guest_does_not_see_host_code(void)
{
    g_autoptr(Dev) with = dev_with_host_code(16 << 20);
    g_autoptr(Dev) without = dev_with_host_code(0);
    g_autoptr(Dev) no_room = dev_with_host_code(64);
    unsigned count = count_steps(with);

    g_assert_cmpuint(count_steps(without), ==, count);
    g_assert_cmpuint(count_steps(no_room), ==, count);
}

/* After the LOAD, the device does not read the program from guest memory. */
static void test_a_kernel_runs_again_and_again(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
    uint8_t zeros[1024] = { 0 };

    load(d, &c, HANDLE);
    test_memory_put(&d->host.memory, DEV_PROGRAM, zeros, sizeof(zeros));
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned n = 0; n < GROUPS * KERNEL_ITEMS; n++) {
            test_memory_put32(&d->host.memory, DEV_DATA + 4 * n, 0);
        }
        DEV_PUSH(d, loaded);
        g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
        assert_sums(d);
    }
}

/* A command with code of its own runs that, whatever ran before. */
static void test_code_after_a_loaded_program(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
    Code other = kernel_sums(1);

    load(d, &c, HANDLE);
    DEV_PUSH(d, loaded);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    assert_sums(d);
    c = kernel_command(d, &other, grid);
    c.slm_bytes = 256;
    DEV_PUSH(d, c);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(d);
    for (unsigned n = 0; n < GROUPS * KERNEL_ITEMS; n++) {
        g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA + 4 * n),
                         ==, kernel_sum(1, n % KERNEL_ITEMS));
    }
}

/* Programs of messages can be loaded, too. */
static void test_a_dispatch_of_a_loaded_program(void)
{
    g_autoptr(Dev) d = dev_running();
    TestMessage m = { .kind = TEST_SCATTER_SCALED,
                      .exec = TEST_LANES_8,
                      .num_blocks = 2,
                      .surface = 5,
                      .offset = test_immediate(0) };
    struct veu_command_dispatch c;
    struct veu_command_load command;
    struct veu_command_kernel kernel;
    Code code = { 0 };
    uint32_t offsets = test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    uint32_t data = test_program_variable(&d->program, 32, 8, VEU_TYPE_UD);

    m.address.id = offsets;
    m.data.id = data;
    test_program_add(&d->program, &m);
    c = dev_dispatch(d);
    command = (struct veu_command_load){
        .header = { .opcode = VEU_COMMAND_LOAD, .slots = 1 },
        .code_address = c.launch.code_address,
        .code_bytes = c.launch.code_bytes,
        .program = HANDLE,
        .simd = c.launch.simd,
    };
    c.launch.code_address = HANDLE;
    c.launch.code_bytes = 0;
    c.launch.stateless_base = DEV_DATA;
    c.launch.stateless_bytes = 4;
    c.launch.payload_address = DEV_PAYLOAD;
    c.launch.payload_bytes = 128;
    test_memory_put32(&d->host.memory, DEV_PAYLOAD, 1); /* mask */
    test_memory_put32(&d->host.memory, DEV_PAYLOAD + 64 + 32, 0x1234);
    c.launch.exec_mask = 1;
    DEV_PUSH(d, command);
    DEV_PUSH(d, c);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(d);
    g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_DATA), ==, 0x1234);
    /* A KERNEL needs a program of instructions. */
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    kernel = kernel_command(d, &code, grid);
    kernel = kernel_loaded(&kernel, HANDLE);
    DEV_PUSH(d, kernel);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_FIELD,
                     offsetof(struct veu_program_header, kind));
}

static void test_handles(void)
{
    g_autoptr(Dev) d = dev_with(1 << 20);
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
    struct veu_command_kernel other = kernel_loaded(&c, HANDLE + 1);
    struct veu_command_load again = kernel_load(&c, HANDLE);
    struct veu_command_unload unload = make_unload(HANDLE);
    struct veu_command_unload all = make_unload(0);

    DEV_PUSH(d, loaded);
    expect(d, VEU_FAULT_PROGRAM_HANDLE, HANDLE);
    DEV_PUSH(d, unload);
    expect(d, VEU_FAULT_PROGRAM_HANDLE, HANDLE);
    load(d, &c, HANDLE);
    DEV_PUSH(d, again);
    expect(d, VEU_FAULT_PROGRAM_HANDLE, HANDLE);
    DEV_PUSH(d, other);
    expect(d, VEU_FAULT_PROGRAM_HANDLE, HANDLE + 1);
    DEV_PUSH(d, unload);
    dev_run(d);
    DEV_PUSH(d, loaded);
    expect(d, VEU_FAULT_PROGRAM_HANDLE, HANDLE);
    load(d, &c, HANDLE);
    load(d, &c, HANDLE + 1);
    DEV_PUSH(d, all);
    dev_run(d);
    DEV_PUSH(d, loaded);
    expect(d, VEU_FAULT_PROGRAM_HANDLE, HANDLE);
    DEV_PUSH(d, other);
    expect(d, VEU_FAULT_PROGRAM_HANDLE, HANDLE + 1);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 7);
}

#define AT(field) offsetof(struct veu_command_load, field)

static void test_fields(void)
{
    static const struct {
        unsigned at, bytes;
        uint64_t value;
    } rows[] = {
        { AT(code_bytes), 4, 31 },
        { AT(code_bytes), 4, VEU_LIMIT_LOAD_BYTES + 1 },
        { AT(program), 4, 0 },
        { AT(program), 4, VEU_HANDLE_MAX + 1 },
        { AT(simd), 1, 4 },
        { AT(simd), 1, 33 },
        { AT(reserved), 1, 1 },
    };
    g_autoptr(Dev) d = dev_with(1 << 20);
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        struct veu_command_load command = kernel_load(&c, HANDLE);

        memcpy((uint8_t *)&command + rows[i].at, &rows[i].value, rows[i].bytes);
        DEV_PUSH(d, command);
        expect(d, VEU_FAULT_COMMAND_FIELD, rows[i].at);
    }
    load(d, &c, HANDLE);
    loaded.simd = 16;
    DEV_PUSH(d, loaded);
    expect(d, VEU_FAULT_COMMAND_FIELD,
           offsetof(struct veu_command_kernel, simd));
}

/* A code section of @count copies of @unit, and a variable. */
static uint32_t put_long(Dev *d, uint64_t to, uint32_t kind,
                         const uint8_t *unit, uint32_t unit_bytes,
                         uint32_t count, const uint8_t *last,
                         uint32_t last_bytes)
{
    uint32_t at = 32 + 2 * 16 + 8;
    uint32_t bytes = at + count * unit_bytes + last_bytes;
    g_autofree uint8_t *all = g_malloc0(bytes);
    struct veu_program_header header = { .magic = VEU_PROGRAM_MAGIC,
                                         .version = 1,
                                         .kind = kind,
                                         .bytes = bytes,
                                         .grf_bytes = 32,
                                         .section_count = 2,
                                         .register_bytes = 4096 };
    struct veu_section sections[] = {
        { VEU_SECTION_CODE, at, bytes - at, 0 },
        { VEU_SECTION_VARIABLES, 64, 8, 0 },
    };
    struct veu_variable variable = { .offset = 256,
                                     .elements = 8,
                                     .type = VEU_TYPE_UD };

    memcpy(all, &header, sizeof(header));
    memcpy(all + 32, sections, sizeof(sections));
    memcpy(all + 64, &variable, sizeof(variable));
    for (uint32_t i = 0; i < count; i++) {
        memcpy(all + at + i * unit_bytes, unit, unit_bytes);
    }
    memcpy(all + bytes - last_bytes, last, last_bytes);
    test_memory_put(&d->host.memory, to, all, bytes);
    return bytes;
}

#define LONG_PROGRAM UINT64_C(0x10000000)

/* V32 = V32 + 1, @count times; then return. */
static struct veu_command_kernel put_adds(Dev *d, uint32_t count)
{
    Code code = { 0 };
    struct veu_command_kernel c = make_sums(d);
    uint32_t v = code_variable(&code, 256, 8, VEU_TYPE_UD);
    uint32_t add_bytes;

    CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(v), op_lanes(v),
             op_imm(VEU_TYPE_UD, 1));
    add_bytes = code.count;
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    if (!d->keep_memory) {
        uint32_t room = MAX(count * 33, 0x8000) & -TEST_PAGE_BYTES;

        test_memory_add(&d->host.memory, LONG_PROGRAM, room, true);
        d->keep_memory = true; /* moving it would take too long */
    }
    c.code_bytes = put_long(d, LONG_PROGRAM, VEU_PROGRAM_INSTRUCTIONS,
                            code.bytes, add_bytes, count,
                            code.bytes + add_bytes, code.count - add_bytes);
    c.code_address = LONG_PROGRAM;
    c.group_count[0] = c.group_count[1] = c.group_count[2] = 1;
    return c;
}

/*
 * 4 MiB or 131,072 instructions are legal; a launch without LOAD has at most
 * 256 KiB.
 */
static void test_large_programs(void)
{
    static const uint32_t most = VEU_LIMIT_LOAD_INSTRUCTIONS;

    for (unsigned more = 0; more < 2; more++) {
        g_autoptr(Dev) d = dev_with(128 << 20);
        struct veu_command_kernel c = put_adds(d, most - 1 + more);
        struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
        struct veu_command_load command = kernel_load(&c, HANDLE);

        g_assert_cmpuint(c.code_bytes, >, VEU_LIMIT_PROGRAM_BYTES);
        DEV_PUSH(d, c);
        expect(d, VEU_FAULT_COMMAND_FIELD,
               offsetof(struct veu_command_kernel, code_bytes));
        DEV_PUSH(d, command);
        if (more) {
            expect(d, VEU_FAULT_PROGRAM_MESSAGES, 0);
            continue;
        }
        DEV_PUSH(d, loaded);
        g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
        g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 1);
    }
}

/*
 * An error in a program is reported as for a launch, and nothing of it remains.
 */
static void test_a_bad_program_is_not_loaded(void)
{
    g_autoptr(Dev) d = dev_with(1 << 20);
    struct veu_command_kernel c = put_adds(d, 100);
    struct veu_command_load command = kernel_load(&c, HANDLE);
    uint32_t last = c.code_bytes - 4;
    struct veu_fault_record record;

    test_memory_put(&d->host.memory, LONG_PROGRAM + last, "\xff\xff\xff\xff",
                    4);
    DEV_PUSH(d, command);
    expect(d, VEU_FAULT_MESSAGE_OPCODE, 0);
    record = dev_record(d, 0);
    g_assert_cmpuint(record.message_offset, ==, last - 72);
    command.code_address = DEV_HOLE;
    DEV_PUSH(d, command);
    expect(d, VEU_FAULT_PROGRAM_MEMORY, 0);
    c = put_adds(d, 100);
    load(d, &c, HANDLE);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 2);
}

/* Memory of unloaded programs is reused, wherever it is. */
static void test_space(void)
{
    g_autoptr(Dev) d = dev_with(256 << 10);
    struct veu_command_kernel c = put_adds(d, 200);
    struct veu_command_load command = kernel_load(&c, HANDLE);
    struct veu_command_unload unload = make_unload(1);
    unsigned count = 0;

    while (dev_ring_get(d, VEU_REG_RING_FAULT_COUNT) == 0) {
        g_assert_cmpuint(count, <, 100);
        load(d, &c, ++count);
    }
    g_assert_cmpuint(count, >, 2);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_PROGRAM_SPACE);
    DEV_PUSH(d, unload);
    load(d, &c, 1);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 1);
    DEV_PUSH(d, command);
    dev_run(d);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_PROGRAM_SPACE);
}

static void test_at_most_so_many_programs(void)
{
    g_autoptr(Dev) d = dev_with(64 << 20);
    struct veu_command_kernel c = put_adds(d, 1);
    struct veu_command_load command = kernel_load(&c, VEU_LIMIT_PROGRAMS + 1);

    for (unsigned i = 1; i <= VEU_LIMIT_PROGRAMS; i++) {
        load(d, &c, i);
    }
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 0);
    DEV_PUSH(d, command);
    expect(d, VEU_FAULT_PROGRAM_SPACE, 0);
}

/* They are legal, though there is no program so long. */
static void test_the_largest_fields(void)
{
    g_autoptr(Dev) d = dev_with(2 * VEU_LIMIT_LOAD_BYTES);
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_load command = kernel_load(&c, VEU_HANDLE_MAX);

    command.code_address = DEV_HOLE;
    command.code_bytes = VEU_LIMIT_LOAD_BYTES;
    command.simd = 32;
    DEV_PUSH(d, command);
    expect(d, VEU_FAULT_PROGRAM_MEMORY, 0);
}

static void test_no_memory_is_no_program(void)
{
    g_autoptr(Dev) d = dev_with(0);
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_load command = kernel_load(&c, HANDLE);

    g_assert_cmpuint(dev_read(d, VEU_REG_LIMIT_PROGRAM_MEMORY, 4), ==, 0);
    DEV_PUSH(d, command);
    expect(d, VEU_FAULT_PROGRAM_SPACE, c.code_bytes);
}

/* ---- two rings ---- */

#define RING1       (VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE)
#define RING1_SLOTS (DEV_RESULT + 0x1000)

/* Runs these commands, of one slot each, in ring 1 with context @context. */
static void run_ring1(Dev *d, uint32_t context, const void *commands,
                      unsigned count)
{
    uint64_t shared = RING1_SLOTS + 0x1000;

    dev_write(d, RING1 + VEU_REG_RING_CONTROL, VEU_RING_RESET, 4);
    test_memory_put(&d->host.memory, RING1_SLOTS, commands, count * 64);
    test_memory_put32(&d->host.memory, shared, count);
    dev_write(d, RING1 + VEU_REG_RING_BASE, RING1_SLOTS, 8);
    dev_write(d, RING1 + VEU_REG_RING_SHARED, shared, 8);
    dev_write(d, RING1 + VEU_REG_RING_SLOTS, 4, 4);
    dev_write(d, RING1 + VEU_REG_RING_CONTEXT, context, 4);
    dev_write(d, RING1 + VEU_REG_RING_CONTROL, 1, 4);
    while (veu_ring_step(d->device, 1, 3) == VEU_STEP_MORE) {}
}

static uint32_t ring1_fault(Dev *d)
{
    return dev_read(d, RING1 + VEU_REG_RING_LAST_FAULT, 4);
}

static void test_handles_belong_to_contexts(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_unload unload = make_unload(HANDLE);
    struct veu_command_unload all = make_unload(0);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);

    load(d, &c, HANDLE);
    run_ring1(d, 1, &unload, 1);
    g_assert_cmphex(ring1_fault(d), ==, VEU_FAULT_PROGRAM_HANDLE);
    run_ring1(d, 1, &all, 1);
    g_assert_cmphex(ring1_fault(d), ==, 0);
    DEV_PUSH(d, loaded);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    assert_sums(d);
}

/*
 * A launch that has begun completes, though the handle has another program by
 * then.
 */
static void test_an_unloaded_program_stays_for_its_launches(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
    struct veu_command_unload unload = make_unload(HANDLE);
    struct veu_command_load again = kernel_load(&c, HANDLE);
    uint8_t commands[3][64];

    load(d, &c, HANDLE);
    DEV_PUSH(d, loaded);
    for (unsigned i = 0; i < 30; i++) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    memcpy(commands[0], &unload, 64);
    c = put_adds(d, 500);
    again = kernel_load(&c, HANDLE);
    memcpy(commands[1], &again, 64);
    run_ring1(d, 0, commands, 2);
    g_assert_cmphex(ring1_fault(d), ==, 0);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    assert_sums(d);
}

/* A ring that stops during a LOAD leaves neither a handle nor memory in use. */
static void test_a_load_that_is_cut_off_leaves_nothing(void)
{
    g_autoptr(Dev) d = dev_with(300 << 10);
    struct veu_command_kernel c = put_adds(d, 700);
    struct veu_command_load command = kernel_load(&c, HANDLE);

    for (unsigned pieces = 1; pieces < 20; pieces++) {
        DEV_PUSH(d, command);
        for (unsigned i = 0; i < pieces; i++) {
            g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
        }
        dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
        dev_setup(d);
        dev_enable(d);
    }
    load(d, &c, HANDLE);
    dev_assert_no_fault(d);
}

static void test_reset_unloads_all(void)
{
    g_autoptr(Dev) d = dev_with(1 << 20);
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);

    load(d, &c, HANDLE);
    g_assert_cmpuint(d->device->programs.pool.count, >, 0);
    veu_device_reset(d->device);
    g_assert_cmpuint(d->device->programs.pool.count, ==, 0);
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    DEV_PUSH(d, loaded);
    expect(d, VEU_FAULT_PROGRAM_HANDLE, HANDLE);
}

/* ---- reports to a host ---- */

static struct {
    VeuDevice *device;
    VeuLaunchView view; /* the time when the last launch had ended */
} seen;

static void see_launch(VeuHost *host, const VeuEvent *event)
{
    if (event->kind == VEU_EVENT_COMMAND_END) {
        veu_device_view_launch(seen.device, event->ring, &seen.view);
    }
}

static uint64_t serial_of_launch(Dev *d, const struct veu_command_kernel *c)
{
    seen.device = d->device;
    seen.view = (VeuLaunchView){ 0 };
    d->host.host.event = see_launch;
    DEV_PUSH(d, *c);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(d);
    return seen.view.serial;
}

/* Even if the next program takes the place and the handle of the last one. */
static void test_each_loaded_program_has_a_number_of_its_own(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
    struct veu_command_unload unload = make_unload(HANDLE);
    const uint8_t *place;
    uint64_t first, second;

    load(d, &c, HANDLE);
    first = serial_of_launch(d, &loaded);
    place = seen.view.code;
    g_assert_cmpuint(first, !=, 0);
    g_assert_cmpuint(serial_of_launch(d, &loaded), ==, first);
    DEV_PUSH(d, unload);
    load(d, &c, HANDLE);
    second = serial_of_launch(d, &loaded);
    g_assert_true(seen.view.code == place);
    g_assert_cmpuint(second, >, first);
    veu_device_reset(d->device);
    dev_setup(d);
    dev_enable(d);
    load(d, &c, HANDLE);
    g_assert_cmpuint(serial_of_launch(d, &loaded), >, second);
    g_assert_cmpuint(serial_of_launch(d, &c), ==, 0);
}

/* ---- migration ---- */

static Dev *move(Dev *d)
{
    Dev *to = dev_destination(d);

    state_move(d->device, to->device);
    dev_free(d);
    return to;
}

/*
 * Moves after each piece of a LOAD, of a launch of it, and of a launch with its
 * own program.
 */
static void test_it_continues_elsewhere_at_any_time(void)
{
    Dev *d = dev_running();
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
    struct veu_command_kernel adds = put_adds(d, 1000);
    struct veu_command_load command = kernel_load(&c, HANDLE);
    struct veu_command_load large = kernel_load(&adds, HANDLE + 1);
    unsigned moves = 0;

    DEV_PUSH(d, command);
    DEV_PUSH(d, large);
    DEV_PUSH(d, adds);
    DEV_PUSH(d, loaded);
    while (dev_step(d, 1) == VEU_STEP_MORE) {
        g_assert_cmpuint(++moves, <, 5000);
        d = move(d);
    }
    assert_sums(d);
    g_assert_cmpuint(moves, >, 100);
    dev_free(d);
}

/* A ring that runs keeps its context, which its programs belong to. */
static void test_the_programs_of_a_context_move(void)
{
    Dev *d = dev_running();
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
    struct veu_command_load command = kernel_load(&c, HANDLE);

    run_ring1(d, 1, &command, 1);
    test_memory_put(&d->host.memory, RING1_SLOTS + 64, &loaded, sizeof(loaded));
    d = move(d);
    test_memory_put32(&d->host.memory, RING1_SLOTS + 0x1000, 4);
    while (veu_ring_step(d->device, 1, 3) == VEU_STEP_MORE) {}
    g_assert_cmphex(ring1_fault(d), ==, 0);
    assert_sums(d);
    dev_free(d);
}

/* Its program moves with it, though no handle names it. */
static void test_a_launch_of_an_unloaded_program_moves(void)
{
    Dev *d = dev_running();
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
    struct veu_command_unload unload = make_unload(HANDLE);

    load(d, &c, HANDLE);
    DEV_PUSH(d, loaded);
    for (unsigned i = 0; i < 30; i++) {
        dev_step(d, 1);
    }
    run_ring1(d, 0, &unload, 1);
    d = move(d);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    assert_sums(d);
    DEV_PUSH(d, loaded);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_HANDLE, HANDLE);
    dev_free(d);
}

/*
 * A program before it in the table is unloaded, then its own handle has another
 * one, which takes that place.
 */
static void test_a_handle_that_is_used_again_moves(void)
{
    Dev *d = dev_running();
    g_autoptr(Dev) with_gap = NULL;
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
    struct veu_command_unload first = make_unload(HANDLE - 1);
    struct veu_command_unload own = make_unload(HANDLE);
    struct veu_command_load again = kernel_load(&c, HANDLE);

    load(d, &c, HANDLE - 1);
    load(d, &c, HANDLE);
    DEV_PUSH(d, loaded);
    for (unsigned i = 0; i < 30; i++) {
        dev_step(d, 1);
    }
    run_ring1(d, 0, &first, 1);
    with_gap = dev_destination(d);
    state_move(d->device, with_gap->device);
    g_assert_cmpint(dev_run(with_gap), ==, VEU_STEP_IDLE);
    assert_sums(with_gap);
    run_ring1(d, 0, &own, 1);
    run_ring1(d, 0, &again, 1);
    d = move(d);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    assert_sums(d);
    dev_free(d);
}

/*
 * UNLOAD of all programs leaves one that another ring is loading, and its
 * handle cannot be unloaded yet.
 */
static void test_a_program_that_is_being_loaded_stays(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
    struct veu_command_load command = kernel_load(&c, HANDLE);
    struct veu_command_unload all = make_unload(0);
    struct veu_command_unload own = make_unload(HANDLE);

    DEV_PUSH(d, command);
    DEV_PUSH(d, loaded);
    for (unsigned i = 0; i < 3; i++) {
        dev_step(d, 1);
    }
    g_assert_nonnull(d->device->ring[0].command.loaded);
    run_ring1(d, 0, &all, 1);
    g_assert_cmphex(ring1_fault(d), ==, 0);
    run_ring1(d, 0, &own, 1);
    g_assert_cmphex(ring1_fault(d), ==, VEU_FAULT_PROGRAM_HANDLE);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    assert_sums(d);
}

/* Each of two rings has begun to load a program. */
static Dev *with_two_loads(void)
{
    Dev *d = dev_running();
    struct veu_command_kernel c = make_sums(d);
    struct veu_command_load first = kernel_load(&c, HANDLE);
    struct veu_command_load second = kernel_load(&c, HANDLE + 1);

    run_ring1(d, 0, &second, 0);
    test_memory_put(&d->host.memory, RING1_SLOTS, &second, sizeof(second));
    test_memory_put32(&d->host.memory, RING1_SLOTS + 0x1000, 1);
    DEV_PUSH(d, first);
    for (unsigned i = 0; i < 3; i++) {
        dev_step(d, 1);
        veu_ring_step(d->device, 1, 1);
    }
    g_assert_nonnull(d->device->ring[0].command.loaded);
    g_assert_nonnull(d->device->ring[1].command.loaded);
    return d;
}

/* A state in which they share a program is refused. */
static void test_two_loads_have_two_programs(void)
{
    g_autoptr(Dev) d = with_two_loads();
    g_autoptr(Dev) to = dev_destination(d);
    g_autoptr(GByteArray) state = state_save(d->device);
    const VeuCommand *second = &d->device->ring[1].command;
    guint at = state_place(d->device, &second->cost) + sizeof(second->cost);
    guint handle = state_place(d->device, second->bytes) +
                   offsetof(struct veu_command_load, program);
    uint32_t ring;

    g_assert_cmpuint(state->data[at], ==, 2);
    g_assert_cmpstr(state_load(to->device, state), ==, NULL);
    state->data[at] = 1;
    state->data[handle] = HANDLE;
    g_assert_cmpstr(state_load_of(to->device, state, &ring), ==,
                    "a command cannot have its program");
    g_assert_cmpuint(ring, ==, 1);
}

/* A state without programs does not affect the programs of its commands. */
static void test_a_state_without_programs_after_a_launch(void)
{
    g_autoptr(Dev) from = dev_running();
    g_autoptr(Dev) used = dev_running();
    struct veu_command_kernel c = make_sums(used);
    struct veu_command_kernel loaded = kernel_loaded(&c, HANDLE);
    struct veu_command_copy copy = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = DEV_PROGRAM,
        .destination = DEV_PROGRAM,
        .bytes = 0x30000,
    };

    load(used, &c, HANDLE);
    DEV_PUSH(used, loaded);
    dev_run(used);
    DEV_PUSH(from, copy);
    dev_step(from, 2);
    g_assert_cmpuint(DEV_SHARED_WORD(from, head), ==, 0);
    state_move(from->device, used->device);
}

static void test_a_smaller_device_does_not_take_it(void)
{
    g_autoptr(Dev) d = dev_with(1 << 20);
    g_autoptr(Dev) small = dev_with(1 << 10);
    g_autoptr(GByteArray) state = NULL;
    struct veu_command_kernel c = make_sums(d);

    load(d, &c, HANDLE);
    state = state_save(d->device);
    g_assert_cmpstr(state_load(small->device, state), ==,
                    "its programs need more program-memory");
    /* With room for its bytes, but not for what is decoded from them. */
    for (uint32_t bytes = c.code_bytes; bytes < 2 * c.code_bytes;
         bytes += 256) {
        g_autoptr(Dev) larger = dev_with(bytes);

        g_assert_cmpstr(state_load(larger->device, state), ==,
                        "its programs need more program-memory");
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/load/" #name, test_##name)
    RULE(an_unload_gives_back_host_code);
    RULE(a_guest_does_not_see_host_code);
    RULE(a_kernel_runs_again_and_again);
    RULE(code_after_a_loaded_program);
    RULE(a_dispatch_of_a_loaded_program);
    RULE(handles);
    RULE(fields);
    RULE(large_programs);
    RULE(a_bad_program_is_not_loaded);
    RULE(space);
    RULE(at_most_so_many_programs);
    RULE(the_largest_fields);
    RULE(no_memory_is_no_program);
    RULE(a_state_without_programs_after_a_launch);
    RULE(handles_belong_to_contexts);
    RULE(an_unloaded_program_stays_for_its_launches);
    RULE(a_load_that_is_cut_off_leaves_nothing);
    RULE(reset_unloads_all);
    RULE(each_loaded_program_has_a_number_of_its_own);
    RULE(it_continues_elsewhere_at_any_time);
    RULE(the_programs_of_a_context_move);
    RULE(a_launch_of_an_unloaded_program_moves);
    RULE(a_handle_that_is_used_again_moves);
    RULE(a_program_that_is_being_loaded_stays);
    RULE(two_loads_have_two_programs);
    RULE(a_smaller_device_does_not_take_it);
    return g_test_run();
}
