/*
 * veu unit tests: a host whose n-th map fails, under each command of the table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For n = 1, 2, ... until a run has no n-th one. A fence follows the command.
 * test_host_fails.c tests all kinds of messages.
 */
#include <string.h>
#include "launch.h"
#include "hw/veu/device/model.h"
#include "tests/lib/failing_host.h"
#include "tests/lib/kernel_builder.h"

/* Free pages, and the initial contents of these and of DEV_DATA. */
#define FIELD       (DEV_RAM + 0x52000)
#define FIELD_BYTES (12 * TEST_PAGE_BYTES)
#define BEFORE(at)  ((uint8_t)((at)*37 + ((at) >> 8)))
#define TIME        UINT64_C(0x1122334455667788)
#define PATTERN     UINT64_C(0x0807060504030201)

/* ---- commands ---- */

static void push_nop(Dev *d)
{
    struct veu_command_nop nop = dev_nop(1);

    DEV_PUSH(d, nop);
}

static void push_message(Dev *d)
{
    TestMessage m = store(8);
    struct veu_command_message c;

    c = dev_message(&m);
    c.launch.variable_count = 1;
    c.variables[0] = (struct veu_variable){ 0, 8, VEU_TYPE_UD, 0 };
    c.launch.stateless_base = FIELD;
    c.launch.stateless_bytes = 4096;
    c.launch.payload_bytes = 64 + 32;
    c.launch.result_bytes = 32;
    DEV_PUSH(d, c);
}

static void push_dispatch(Dev *d)
{
    struct veu_command_dispatch c;
    TestMessage m = store(8);

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_add(&d->program, &m);
    m.surface = 6;
    test_program_add(&d->program, &m);
    dev_buffer(d, 0, FIELD + 4096, 4096);
    c = dispatch(d);
    c.launch.stateless_base = FIELD;
    c.launch.surface_count = 1;
    c.launch.threads = 2;
    c.launch.payload_bytes = c.launch.payload_stride = 96;
    c.launch.result_bytes = c.launch.result_stride = 32;
    DEV_PUSH(d, c);
}

static void push_fence(Dev *d)
{
    struct veu_command_fence fence = dev_fence(PATTERN);

    fence.address = FIELD + 8;
    DEV_PUSH(d, fence);
}

static void push_timestamp(Dev *d)
{
    struct veu_command_timestamp stamp = {
        .header = { .opcode = VEU_COMMAND_TIMESTAMP, .slots = 1 },
        .address = FIELD + 16,
    };

    DEV_PUSH(d, stamp);
}

static void push_wait(Dev *d)
{
    struct veu_command_wait wait = {
        .header = { .opcode = VEU_COMMAND_WAIT, .slots = 1 },
        .address = FIELD + 4096,
        .mask = 0xff,
        .value = BEFORE(FIELD + 4096),
    };

    DEV_PUSH(d, wait);
}

static void copy(Dev *d, uint64_t source, uint64_t destination, uint32_t bytes)
{
    struct veu_command_copy c = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = source,
        .destination = destination,
        .bytes = bytes,
    };

    DEV_PUSH(d, c);
}

static void push_copy(Dev *d)
{
    copy(d, FIELD + 100, FIELD + 0x6003, 0x4321);
}

static void push_copy_forwards(Dev *d)
{
    copy(d, FIELD + 0x1003, FIELD + 100, 0x4321);
}

static void push_copy_backwards(Dev *d)
{
    copy(d, FIELD + 100, FIELD + 0x1003, 0x4321);
}

static void push_fill(Dev *d)
{
    struct veu_command_fill fill = {
        .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
        .pattern = PATTERN,
        .destination = FIELD + 3,
        .bytes = 0x4321,
    };

    DEV_PUSH(d, fill);
}

static void push_kernel(Dev *d)
{
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 1, 1, 1 });

    c.stateless_base = FIELD;
    DEV_PUSH(d, c);
}

static struct veu_command_load make_load(Dev *d)
{
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 1, 1, 1 });

    return kernel_load(&c, 1);
}

static void push_load(Dev *d)
{
    struct veu_command_load load = make_load(d);

    DEV_PUSH(d, load);
}

static void push_unload(Dev *d)
{
    struct veu_command_unload unload = {
        .header = { .opcode = VEU_COMMAND_UNLOAD, .slots = 1 },
    };

    DEV_PUSH(d, unload);
}

static void push_invalidate(Dev *d)
{
    struct veu_command_invalidate invalidate = {
        .header = { .opcode = VEU_COMMAND_INVALIDATE, .slots = 1 },
    };

    DEV_PUSH(d, invalidate);
}

static const struct {
    const char *name;
    uint8_t opcode;
    void (*push)(Dev *d);
} commands[] = {
    { "nop", VEU_COMMAND_NOP, push_nop },
    { "message", VEU_COMMAND_MESSAGE, push_message },
    { "dispatch", VEU_COMMAND_DISPATCH, push_dispatch },
    { "fence", VEU_COMMAND_FENCE, push_fence },
    { "wait", VEU_COMMAND_WAIT, push_wait },
    { "timestamp", VEU_COMMAND_TIMESTAMP, push_timestamp },
    { "copy", VEU_COMMAND_COPY, push_copy },
    { "copy_forwards", VEU_COMMAND_COPY, push_copy_forwards },
    { "copy_backwards", VEU_COMMAND_COPY, push_copy_backwards },
    { "kernel", VEU_COMMAND_KERNEL, push_kernel },
    { "load", VEU_COMMAND_LOAD, push_load },
    { "unload", VEU_COMMAND_UNLOAD, push_unload },
    { "invalidate", VEU_COMMAND_INVALIDATE, push_invalidate },
    { "fill", VEU_COMMAND_FILL, push_fill },
};

static void test_all_commands_are_here(void)
{
    for (unsigned i = 0; i < veu_command_count; i++) {
        unsigned n = 0;

        while (commands[n].opcode != veu_commands[i]->opcode) {
            g_assert_cmpuint(++n, <, G_N_ELEMENTS(commands));
        }
    }
}

/* ---- runs ---- */

static void prepare_memory(Dev *d)
{
    TestMemory *memory = &d->host.memory;
    uint8_t field[FIELD_BYTES];

    for (unsigned i = 0; i < FIELD_BYTES; i++) {
        field[i] = BEFORE(FIELD + i);
    }
    test_memory_put(memory, FIELD, field, sizeof(field));
    test_memory_fill(memory, DEV_RESULT, 0xee, 4096);
    for (unsigned thread = 0; thread < 2; thread++) {
        put32(d, DEV_PAYLOAD + 96 * thread, 0xff);
        put32(d, DEV_PAYLOAD + 96 * thread + 64, 0x1234567);
    }
}

/* The command and the fence, before they run. */
static Dev *prepare(unsigned n, unsigned policy)
{
    struct veu_command_fence fence = dev_fence(1);
    Dev *d = dev_new();

    d->host.now_ns = TIME;
    prepare_memory(d);
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, policy);
    dev_enable(d);
    commands[n].push(d);
    DEV_PUSH(d, fence);
    return d;
}

/*
 * What the ring writes for its driver does not count as written by the command.
 */
static bool is_bookkeeping(uint64_t at)
{
    return at - DEV_SHARED < 0x2000 || at - DEV_FENCE < 8;
}

static void get_ram(Dev *d, uint8_t *bytes)
{
    test_memory_get(&d->host.memory, DEV_RAM, bytes, DEV_RAM_BYTES);
}

/* Each byte has its old or its new value. */
static void check_bytes(Dev *d, Dev *before, Dev *good)
{
    static uint8_t now[DEV_RAM_BYTES], old[DEV_RAM_BYTES], new[DEV_RAM_BYTES];

    get_ram(d, now);
    get_ram(before, old);
    get_ram(good, new);
    for (uint64_t i = 0; i < DEV_RAM_BYTES; i++) {
        if (i % TEST_PAGE_BYTES == 0 &&
            !memcmp(now + i, old + i, TEST_PAGE_BYTES)) {
            i += TEST_PAGE_BYTES - 1; /* untouched */
        } else if (now[i] != old[i] && now[i] != new[i]) {
            g_assert_true(is_bookkeeping(DEV_RAM + i));
        }
    }
}

static bool fence_is_stored(Dev *d)
{
    return dev_fence_value(d) == 1;
}

/* A ring whose own memory fails halts in any case. */
static void check_fault(Dev *d, uint16_t code, unsigned policy)
{
    g_assert_true(failing_is_memory_fault(code));
    if (policy == VEU_POLICY_HALT || code == VEU_FAULT_RING_MEMORY) {
        g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                         VEU_RING_HALTED);
        g_assert_true(code == VEU_FAULT_RING_MEMORY || !fence_is_stored(d));
    } else {
        g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, d->tail);
    }
}

static void check(Dev *d, Dev *before, Dev *good, unsigned policy)
{
    uint16_t code = dev_ring_get(d, VEU_REG_RING_LAST_FAULT);

    check_bytes(d, before, good);
    if (code) {
        check_fault(d, code, policy);
    } else {
        g_assert_true(test_memory_equal(&d->host.memory, &good->host.memory));
    }
    failing_assert_recovers(d);
}

static void check_command(unsigned command, unsigned policy, bool has_open)
{
    g_autoptr(Dev) before = prepare(command, policy);
    g_autoptr(Dev) good = prepare(command, policy);
    unsigned faults = 0;
    bool failed = true;

    dev_run(good);
    dev_assert_no_fault(good);
    g_assert_true(fence_is_stored(good));
    failing_host.has_open = has_open;
    for (unsigned n = 1; failed; n++) {
        g_autoptr(Dev) d = prepare(command, policy);

        failing_host_use(d);
        failing_host.map = n;
        dev_run(d);
        failed = failing_host.map == 0;
        failing_host.map = 0;
        faults += dev_ring_get(d, VEU_REG_RING_LAST_FAULT) != 0;
        check(d, before, good, policy);
    }
    /* both its slots and the following fence fail */
    g_assert_cmpuint(faults, >=, 2);
}

static void test_a_map_fails(gconstpointer data)
{
    unsigned command = GPOINTER_TO_UINT(data);

    for (unsigned policy = 0; policy < 3; policy++) {
        check_command(command, policy, false);
        check_command(command, policy, true);
    }
}

/* Bytes before the one that failed are written, and no bytes after it. */
static void test_a_fill_ends_where_it_failed(void)
{
    g_autoptr(Dev) good = prepare(G_N_ELEMENTS(commands) - 1, VEU_POLICY_HALT);

    dev_run(good);
    failing_host.has_open = false;
    for (unsigned n = 1, seen = 0; seen < 5; n++) {
        g_autoptr(Dev) d = prepare(G_N_ELEMENTS(commands) - 1, VEU_POLICY_HALT);
        uint64_t failed;

        failing_host_use(d);
        failing_host.map = n;
        dev_run(d);
        g_assert_cmpuint(failing_host.map, ==, 0);
        failed = dev_record(d, 0).address;
        if (failed - FIELD >= FIELD_BYTES) {
            continue;
        }
        seen++;
        for (uint64_t at = FIELD; at < FIELD + FIELD_BYTES; at++) {
            g_assert_cmphex(test_memory_get8(&d->host.memory, at), ==,
                            at < failed ?
                                test_memory_get8(&good->host.memory, at) :
                                BEFORE(at));
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/host_fails_commands/all_commands_are_here",
                    test_all_commands_are_here);
    for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_autofree char *path = g_strdup_printf("/host_fails_commands/map/%s",
                                                commands[i].name);

        g_test_add_data_func(path, GUINT_TO_POINTER(i), test_a_map_fails);
    }
    g_test_add_func("/host_fails_commands/a_fill_ends_where_it_failed",
                    test_a_fill_ends_where_it_failed);
    return g_test_run();
}
