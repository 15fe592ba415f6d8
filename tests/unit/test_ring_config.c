/*
 * veu unit tests: the requirements for enabling a ring: docs/spec.md, sections
 * 3 and 4.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/device_fixture.h"

typedef struct veu_window Window;

static void assert_running(Dev *d)
{
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_RUNNING);
    dev_assert_no_fault(d);
}

/*
 * Checks that the ring is halted with this fault in its registers and, if
 * possible, in a record.
 */
static void assert_halted(Dev *d, uint16_t code, uint32_t detail)
{
    const VeuEvent *event = test_host_last_event(&d->host, VEU_EVENT_FAULT);

    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==, code);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 1);
    if (event) {
        g_assert_cmpuint(event->value, ==, detail);
    } else {
        g_test_fail();
    }
}

static Dev *with(uint32_t reg, uint64_t value)
{
    Dev *d = dev_new();

    dev_setup(d);
    dev_ring_set(d, reg, value);
    dev_ring_set(d, VEU_REG_RING_CONTROL, 1);
    dev_run(d);
    return d;
}

static void legal(uint32_t reg, uint64_t value)
{
    g_autoptr(Dev) d = with(reg, value);

    assert_running(d);
}

/* Expects a refusal; with @recorded, there is a record as well. */
static void refused(uint32_t reg, uint64_t value, bool recorded)
{
    g_autoptr(Dev) d = with(reg, value);

    assert_halted(d, VEU_FAULT_RING_CONFIG, reg);
    if (recorded) {
        dev_assert_fault(d, 1, VEU_FAULT_RING_CONFIG, reg);
    } else {
        g_assert_cmphex(dev_record(d, 0).code, ==, 0);
    }
}

static void test_slots_are_a_power_of_two(void)
{
    for (unsigned bit = 0; bit <= 20; bit++) {
        legal(VEU_REG_RING_SLOTS, 1u << bit);
    }
    refused(VEU_REG_RING_SLOTS, 0, true);
    refused(VEU_REG_RING_SLOTS, 3, true);
    refused(VEU_REG_RING_SLOTS, 24, true);
    refused(VEU_REG_RING_SLOTS, 1u << 21, true);
    refused(VEU_REG_RING_SLOTS, 0x80000000, true);
    refused(VEU_REG_RING_SLOTS, UINT32_MAX, true);
}

/* base + slots * 64 is less than 2^64. */
static void test_the_slots_do_not_wrap(void)
{
    uint64_t bytes = DEV_SLOTS * 64;

    refused(VEU_REG_RING_BASE, 0 - bytes, true);
    refused(VEU_REG_RING_BASE, 0 - (uint64_t)64, true);
    legal(VEU_REG_RING_BASE, 0 - bytes - 64);
}

static void test_the_shared_block_does_not_wrap(void)
{
    refused(VEU_REG_RING_SHARED, 0 - (uint64_t)64, false);
    refused(VEU_REG_RING_SHARED, 0 - (uint64_t)128, false);
    /* legal, but not RAM */
    g_autoptr(Dev) d = with(VEU_REG_RING_SHARED, 0 - (uint64_t)192);
    assert_halted(d, VEU_FAULT_RING_MEMORY, 0);
}

static void test_fault_records_are_0_or_a_power_of_two(void)
{
    legal(VEU_REG_RING_FAULT_RECORDS, 0);
    for (unsigned bit = 0; bit <= 16; bit++) {
        legal(VEU_REG_RING_FAULT_RECORDS, 1u << bit);
    }
    refused(VEU_REG_RING_FAULT_RECORDS, 3, false);
    refused(VEU_REG_RING_FAULT_RECORDS, 1u << 17, false);
    refused(VEU_REG_RING_FAULT_RECORDS, UINT32_MAX, false);
}

static void test_the_fault_queue_does_not_wrap(void)
{
    refused(VEU_REG_RING_FAULTS, 0 - (uint64_t)64, false);
    refused(VEU_REG_RING_FAULTS, 0 - (uint64_t)DEV_RECORDS * 64, false);
    legal(VEU_REG_RING_FAULTS, 0 - (uint64_t)DEV_RECORDS * 64 - 64);
}

/* A queue that was legal earlier is not the queue of this enable. */
static void test_an_illegal_fault_queue_is_not_written(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    dev_disable(d);
    dev_run(d);
    dev_ring_set(d, VEU_REG_RING_FAULT_RECORDS, 3);
    dev_enable(d);
    dev_run(d);
    assert_halted(d, VEU_FAULT_RING_CONFIG, VEU_REG_RING_FAULT_RECORDS);
    g_assert_cmphex(dev_record(d, 0).code, ==, 0);
}

static void test_the_vector_exists_or_is_none(void)
{
    for (unsigned vector = 0; vector < DEV_VECTORS; vector++) {
        legal(VEU_REG_RING_VECTOR, vector);
    }
    legal(VEU_REG_RING_VECTOR, UINT32_MAX);
    refused(VEU_REG_RING_VECTOR, DEV_VECTORS, true);
    refused(VEU_REG_RING_VECTOR, UINT32_MAX - 1, true);
}

static void test_the_policy_exists(void)
{
    legal(VEU_REG_RING_POLICY, 0);
    legal(VEU_REG_RING_POLICY, 1);
    legal(VEU_REG_RING_POLICY, 2);
    refused(VEU_REG_RING_POLICY, 3, true);
    refused(VEU_REG_RING_POLICY, UINT32_MAX, true);
}

static void test_the_context_exists(void)
{
    legal(VEU_REG_RING_CONTEXT, 0);
    legal(VEU_REG_RING_CONTEXT, DEV_RINGS - 1);
    refused(VEU_REG_RING_CONTEXT, DEV_RINGS, false);
    refused(VEU_REG_RING_CONTEXT, UINT32_MAX, false);
}

/* Follows the order of the text's table; repairs each field in turn. */
static void test_the_order_of_the_checks(void)
{
    static const struct {
        uint32_t reg;
        uint64_t bad;
        uint64_t good;
    } order[] = {
        { VEU_REG_RING_CONTEXT, 99, 0 },
        { VEU_REG_RING_SLOTS, 3, DEV_SLOTS },
        { VEU_REG_RING_BASE, UINT64_MAX, DEV_RING },
        { VEU_REG_RING_SHARED, UINT64_MAX, DEV_SHARED },
        { VEU_REG_RING_VECTOR, 99, 0 },
        { VEU_REG_RING_POLICY, 99, 0 },
        { VEU_REG_RING_FAULT_RECORDS, 3, DEV_RECORDS },
        { VEU_REG_RING_FAULTS, UINT64_MAX, DEV_FAULTS },
    };
    g_autoptr(Dev) d = dev_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(order); i++) {
        dev_ring_set(d, order[i].reg, order[i].bad);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(order); i++) {
        dev_ring_set(d, VEU_REG_RING_CONTROL, 1);
        dev_run(d);
        assert_halted(d, VEU_FAULT_RING_CONFIG, order[i].reg);
        dev_disable(d);
        dev_run(d);
        dev_ring_set(d, order[i].reg, order[i].good);
    }
    dev_enable(d);
    dev_run(d);
    assert_running(d);
}

/* "Where RING_VECTOR is legal, an interrupt reports it". */
static void test_an_interrupt_tells_of_an_illegal_register(void)
{
    g_autoptr(Dev) d = with(VEU_REG_RING_SLOTS, 3);
    g_autoptr(Dev) no_vector = with(VEU_REG_RING_VECTOR, DEV_VECTORS);

    g_assert_cmpuint(test_host_count(&d->host, TEST_LOG_INTERRUPT), ==, 1);
    g_assert_cmpuint(test_host_count(&no_vector->host, TEST_LOG_INTERRUPT), ==,
                     0);
}

/* The shared block in a hole, in ROM, or half in a hole is RING_MEMORY. */
static void test_the_shared_block_is_writable_ram(void)
{
    static const uint64_t addresses[] = { DEV_HOLE, DEV_ROM,
                                          DEV_RAM + DEV_RAM_BYTES - 64 };

    for (unsigned i = 0; i < G_N_ELEMENTS(addresses); i++) {
        g_autoptr(Dev) d = with(VEU_REG_RING_SHARED, addresses[i]);
        const VeuEvent *event = test_host_last_event(&d->host, VEU_EVENT_FAULT);

        assert_halted(d, VEU_FAULT_RING_MEMORY, 0);
        g_assert_true(event && event->at == addresses[i] + 64);
    }
}

static void test_the_slots_are_ram(void)
{
    g_autoptr(Dev) d = dev_new();
    struct veu_fault_record record;

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_BASE, DEV_HOLE);
    dev_enable(d);
    dev_run(d);
    assert_running(d); /* as long as they contain no command */
    d->tail = 1;
    dev_publish(d);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_RING_MEMORY, 0);
    record = dev_record(d, 0);
    g_assert_cmphex(record.address, ==, DEV_HOLE);
    g_assert_cmpuint(record.bytes, ==, 64);
    g_assert_cmpuint(record.access, ==, VEU_ACCESS_READ);
    g_assert_cmpuint(record.slot, ==, 0);
    /* the shared block is accessible, and shows the fault */
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 1);
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_HALTED);
}

/* ... and may be read-only, because the device does not write them. */
static void test_the_slots_may_be_read_only(void)
{
    g_autoptr(Dev) d = dev_new();
    struct veu_command_nop nop = dev_nop(0);

    dev_setup(d);
    test_memory_put(&d->host.memory, DEV_ROM, &nop, sizeof(nop));
    dev_ring_set(d, VEU_REG_RING_BASE, DEV_ROM);
    dev_enable(d);
    d->tail = 1;
    dev_publish(d);
    dev_run(d);
    assert_running(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_HEAD), ==, 1);
}

/* The shared block disappears while the ring runs, and fault_head with it. */
static void test_a_shared_block_that_disappears_halts_the_ring(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    for (unsigned i = 0; i < d->host.memory.count; i++) {
        if (d->host.memory.page[i].iova == DEV_SHARED) {
            d->host.memory.page[i].iova = DEV_HOLE;
        }
    }
    d->host.memory.last = TEST_MAX_PAGES;
    dev_run(d);
    assert_halted(d, VEU_FAULT_RING_MEMORY, 0);
    g_assert_cmphex(dev_record(d, 0).code, ==, 0);
}

/*
 * Enables a ring in context 1 of type 1, with @count windows in a table at
 * DEV_DATA.
 */
static Dev *with_windows(const Window *windows, unsigned count)
{
    const uint32_t block = VEU_CONTEXT_BLOCK + VEU_CONTEXT_BLOCK_STRIDE;
    Dev *d = dev_new();

    test_memory_put(&d->host.memory, DEV_DATA, windows,
                    count * sizeof(*windows));
    dev_setup(d);
    dev_write(d, block + VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_WINDOWS, 4);
    dev_write(d, block + VEU_REG_CONTEXT_WINDOW_COUNT, count, 4);
    dev_write(d, block + VEU_REG_CONTEXT_WINDOWS, DEV_DATA, 8);
    dev_ring_set(d, VEU_REG_RING_CONTEXT, 1);
    dev_enable(d);
    dev_run(d);
    return d;
}

/* Windows for the ring, shared block and faults, and for a page of data. */
static const Window good[] = {
    { DEV_RING, 0x3000, 3, 0 },
    { DEV_FENCE, 0x1000, 3, 0 },
};

static void test_other_context_types_are_refused(void)
{
    for (unsigned type = 2; type < 40; type++) {
        g_autoptr(Dev) d = dev_new();

        if (type == VEU_CONTEXT_TABLES) {
            continue;
        }
        dev_setup(d);
        dev_write(d, VEU_CONTEXT_BLOCK, type, 4);
        dev_enable(d);
        dev_run(d);
        assert_halted(d, VEU_FAULT_RING_CONFIG, VEU_REG_RING_CONTEXT);
    }
}

static void test_a_ring_reaches_its_windows(void)
{
    g_autoptr(Dev) d = with_windows(good, 2);
    struct veu_command_fence fence = dev_fence(4);

    assert_running(d);
    DEV_PUSH(d, fence);
    dev_run(d);
    assert_running(d);
    g_assert_cmpuint(dev_fence_value(d), ==, 4);
}

static void test_a_ring_reaches_nothing_else(void)
{
    g_autoptr(Dev) d = with_windows(good, 2);
    struct veu_command_fence fence = dev_fence(4);
    static const uint64_t outside[] = { DEV_FENCE + 0x1000, DEV_FENCE - 8,
                                        DEV_RESULT };

    dev_disable(d);
    dev_run(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    for (unsigned i = 0; i < G_N_ELEMENTS(outside); i++) {
        fence.address = outside[i];
        DEV_PUSH(d, fence);
        dev_run(d);
        dev_assert_fault(d, i + 1, VEU_FAULT_COMMAND_MEMORY, 0);
        g_assert_cmphex(dev_record(d, i).address, ==, outside[i]);
        g_assert_cmpuint(test_memory_get64(&d->host.memory, outside[i]), ==, 0);
    }
}

static void test_windows_have_permissions(void)
{
    Window windows[2] = { good[0], good[1] };
    struct veu_command_fence fence = dev_fence(4);

    for (unsigned permissions = 1; permissions <= 3; permissions++) {
        windows[1].permissions = permissions;
        g_autoptr(Dev) d = with_windows(windows, 2);

        DEV_PUSH(d, fence);
        dev_run(d);
        if (permissions & VEU_WINDOW_WRITE) {
            assert_running(d);
        } else {
            dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY, 0);
        }
    }
}

/* Write-only slots cannot be read. */
static void test_reading_needs_permission(void)
{
    static const Window windows[] = {
        { DEV_RING, 0x1000, VEU_WINDOW_WRITE, 0 },
        { DEV_SHARED, 0x2000, 3, 0 },
    };
    g_autoptr(Dev) d = with_windows(windows, 2);
    struct veu_command_nop nop = dev_nop(0);

    assert_running(d);
    DEV_PUSH(d, nop);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_RING_MEMORY, 0);
}

static void test_no_windows_reach_nothing(void)
{
    g_autoptr(Dev) d = with_windows(good, 0);

    assert_halted(d, VEU_FAULT_RING_MEMORY, 0);
}

/* Two adjacent windows are one range for an access that crosses them. */
static void test_windows_that_touch(void)
{
    Window windows[] = {
        { DEV_RING, 0x3000, 3, 0 },
        { DEV_SURFACES, DEV_FENCE - DEV_SURFACES, 3, 0 },
        { DEV_FENCE, 0x1000, 1, 0 },
    };
    TestMessage m = { .kind = TEST_GATHER_SCALED,
                      .exec = TEST_LANES_1,
                      .num_blocks = 2,
                      .surface = 5,
                      .offset = test_immediate(0),
                      .data = { 32, 0 } };
    struct veu_command_message command = dev_message(&m);

    command.launch.variable_count = 1;
    command.variables[0].elements = 1;
    command.launch.stateless_base = DEV_FENCE - 2;
    command.launch.stateless_bytes = 100;
    command.launch.result_bytes = 4;
    for (unsigned permitted = 0; permitted < 2; permitted++) {
        windows[2].permissions = permitted ? 1 : 2;
        g_autoptr(Dev) d = with_windows(windows, 3);

        test_memory_put32(&d->host.memory, DEV_FENCE - 2, 0x12345678);
        DEV_PUSH(d, command);
        dev_run(d);
        if (permitted) {
            assert_running(d);
            g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_RESULT), ==,
                            0x12345678);
        } else {
            dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, 0);
            g_assert_cmphex(dev_record(d, 0).address, ==, DEV_FENCE - 2);
        }
    }
}

static void refused_window(Window window, uint32_t detail)
{
    Window windows[2] = { good[0], window };
    g_autoptr(Dev) d = with_windows(windows, 2);

    assert_halted(d, VEU_FAULT_CONTEXT_WINDOW, 24 + detail);
    /* the ring has no memory, so that only registers show the fault */
    g_assert_cmphex(dev_record(d, 0).code, ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, 0);
}

static void test_illegal_windows(void)
{
    const uint64_t top = 0 - (uint64_t)0x1000;

    refused_window((Window){ DEV_FENCE + 8, 0x1000, 3, 0 }, 0);
    refused_window((Window){ DEV_FENCE, 0x800, 3, 0 }, 8);
    refused_window((Window){ DEV_FENCE, 0, 3, 0 }, 8);
    refused_window((Window){ DEV_FENCE, 0x1000, 0, 0 }, 16);
    refused_window((Window){ DEV_FENCE, 0x1000, 4, 0 }, 16);
    refused_window((Window){ DEV_FENCE, 0x1000, 7, 0 }, 16);
    refused_window((Window){ DEV_FENCE, 0x1000, 3, 1 }, 20);
    refused_window((Window){ top, 0x1000, 3, 0 }, 8); /* ends at 2^64 */
    refused_window((Window){ top, 0x2000, 3, 0 }, 8);
    refused_window((Window){ DEV_RING + 0x2000, 0x2000, 3, 0 },
                   0); /* overlap */
    refused_window((Window){ DEV_RING - 0x1000, 0x1000, 3, 0 }, 0); /* order */
}

static void test_the_window_table_is_ram(void)
{
    const uint32_t block = VEU_CONTEXT_BLOCK + VEU_CONTEXT_BLOCK_STRIDE;
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_write(d, block + VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_WINDOWS, 4);
    dev_write(d, block + VEU_REG_CONTEXT_WINDOW_COUNT, 3, 4);
    dev_write(d, block + VEU_REG_CONTEXT_WINDOWS, DEV_HOLE, 8);
    dev_ring_set(d, VEU_REG_RING_CONTEXT, 1);
    dev_enable(d);
    dev_run(d);
    assert_halted(d, VEU_FAULT_CONTEXT_TABLE, 0);
}

static void test_there_are_at_most_limit_windows(void)
{
    g_autofree Window *windows = g_new0(Window, 257);

    for (unsigned i = 0; i < 257; i++) {
        windows[i] = (Window){ DEV_RING + i * 0x1000, 0x1000, 3, 0 };
    }
    g_autoptr(Dev) just = with_windows(windows, 256);
    g_autoptr(Dev) more = with_windows(windows, 257);

    assert_running(just);
    assert_halted(more, VEU_FAULT_RING_CONFIG, VEU_REG_RING_CONTEXT);
}

/* "No other change reaches an enabled ring". */
static void test_the_context_is_copied_when_the_ring_is_enabled(void)
{
    const uint32_t block = VEU_CONTEXT_BLOCK + VEU_CONTEXT_BLOCK_STRIDE;
    g_autoptr(Dev) d = with_windows(good, 2);
    struct veu_command_fence fence = dev_fence(4);

    test_memory_fill(&d->host.memory, DEV_DATA, 0xff, 48);
    dev_write(d, block + VEU_REG_CONTEXT_TYPE, 99, 4);
    dev_write(d, block + VEU_REG_CONTEXT_WINDOW_COUNT, 0, 4);
    DEV_PUSH(d, fence);
    dev_run(d);
    assert_running(d);
    g_assert_cmpuint(dev_fence_value(d), ==, 4);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/ring_config/" #name, test_##name)
    RULE(slots_are_a_power_of_two);
    RULE(the_slots_do_not_wrap);
    RULE(the_shared_block_does_not_wrap);
    RULE(fault_records_are_0_or_a_power_of_two);
    RULE(the_fault_queue_does_not_wrap);
    RULE(an_illegal_fault_queue_is_not_written);
    RULE(the_vector_exists_or_is_none);
    RULE(the_policy_exists);
    RULE(the_context_exists);
    RULE(the_order_of_the_checks);
    RULE(an_interrupt_tells_of_an_illegal_register);
    RULE(the_shared_block_is_writable_ram);
    RULE(the_slots_are_ram);
    RULE(the_slots_may_be_read_only);
    RULE(a_shared_block_that_disappears_halts_the_ring);
    RULE(other_context_types_are_refused);
    RULE(a_ring_reaches_its_windows);
    RULE(a_ring_reaches_nothing_else);
    RULE(windows_have_permissions);
    RULE(reading_needs_permission);
    RULE(no_windows_reach_nothing);
    RULE(windows_that_touch);
    RULE(illegal_windows);
    RULE(the_window_table_is_ram);
    RULE(there_are_at_most_limit_windows);
    RULE(the_context_is_copied_when_the_ring_is_enabled);
#undef RULE
    return g_test_run();
}
