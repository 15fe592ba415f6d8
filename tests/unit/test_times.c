/*
 * veu unit tests: when commands began and ended: docs/spec.md, section 5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/device_fixture.h"
#include "tests/lib/state_bytes.h"

#define TIMES  DEV_DATA
#define FILLED UINT64_C(0x5555555555555555)

static Dev *make_at(uint64_t times)
{
    Dev *d = dev_new();

    for (unsigned i = 0; i < DEV_SLOTS * 2; i++) {
        test_memory_put64(&d->host.memory, TIMES + i * 8, FILLED);
    }
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_TIMES, times);
    dev_enable(d);
    d->host.now_ns = 1000;
    return d;
}

static Dev *make(void)
{
    return make_at(TIMES);
}

static struct veu_command_times times_of(Dev *d, unsigned slot)
{
    return (struct veu_command_times){
        test_memory_get64(&d->host.memory, TIMES + slot * 16),
        test_memory_get64(&d->host.memory, TIMES + slot * 16 + 8),
    };
}

static void assert_times(Dev *d, unsigned slot, uint64_t begin, uint64_t end)
{
    struct veu_command_times times = times_of(d, slot);

    g_assert_cmpuint(times.begin_ns, ==, begin);
    g_assert_cmpuint(times.end_ns, ==, end);
}

static struct veu_command_wait timed_wait(void)
{
    return (struct veu_command_wait){
        .header = { .opcode = VEU_COMMAND_WAIT,
                    .slots = 1,
                    .flags = VEU_COMMAND_TIMES },
        .address = DEV_FENCE,
        .mask = UINT64_MAX,
        .value = 7,
    };
}

static struct veu_command_nop timed_nop(void)
{
    struct veu_command_nop nop = dev_nop(1);

    nop.header.flags = VEU_COMMAND_TIMES;
    return nop;
}

static void test_a_command_stores_begin_and_end(void)
{
    g_autoptr(Dev) d = make();
    struct veu_command_nop plain = dev_nop(1);
    struct veu_command_wait wait = timed_wait();

    DEV_PUSH(d, plain);
    DEV_PUSH(d, wait);
    dev_run(d);
    assert_times(d, 0, FILLED, FILLED);
    assert_times(d, 1, FILLED, FILLED);
    d->host.now_ns = 3000;
    test_memory_put64(&d->host.memory, DEV_FENCE, 7);
    dev_run(d);
    dev_assert_no_fault(d);
    assert_times(d, 0, FILLED, FILLED);
    assert_times(d, 1, 1000, 3000);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 2);
}

/* The place depends on the first slot, modulo the size of the ring. */
static void test_entries_wrap_with_the_slots(void)
{
    g_autoptr(Dev) d = make();
    struct veu_command_dispatch two = { 0 };
    struct veu_command_nop plain = dev_nop(1);

    for (unsigned i = 0; i < DEV_SLOTS - 1; i++) {
        DEV_PUSH(d, plain);
        dev_run(d);
    }
    two = dev_dispatch(d);
    two.header.flags = VEU_COMMAND_TIMES;
    DEV_PUSH(d, two);
    dev_run(d);
    dev_assert_no_fault(d);
    assert_times(d, DEV_SLOTS - 1, 1000, 1000);
    assert_times(d, 0, FILLED, FILLED);
    DEV_PUSH(d, two);
    dev_run(d);
    assert_times(d, 1, 1000, 1000);
}

static void test_a_command_with_a_fault_stores_them(void)
{
    g_autoptr(Dev) d = make();
    struct veu_command_fence fence = dev_fence(1);

    fence.header.flags = VEU_COMMAND_TIMES;
    fence.address = DEV_HOLE;
    DEV_PUSH(d, fence);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY, 0);
    assert_times(d, 0, 1000, 1000);
}

/* The flag is reserved. */
static void test_a_ring_without_an_array_refuses_the_flag(void)
{
    g_autoptr(Dev) d = make_at(0);
    struct veu_command_nop nop = timed_nop();

    DEV_PUSH(d, nop);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_FIELD, 2);
}

static void test_an_array_that_wraps_is_refused(void)
{
    g_autoptr(Dev) d = make_at(UINT64_MAX - 0xff);

    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_RING_CONFIG, 0x50);
}

/* The command itself is complete, unlike after a fault of its own. */
static void test_an_array_outside_of_ram_halts_the_ring(void)
{
    g_autoptr(Dev) d = make_at(DEV_HOLE);
    struct veu_command_fence fence = dev_fence(9);
    struct veu_fault_record r;

    fence.header.flags = VEU_COMMAND_TIMES;
    DEV_PUSH(d, fence);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_RING_MEMORY, 0);
    r = dev_record(d, 0);
    g_assert_cmphex(r.address, ==, DEV_HOLE);
    g_assert_cmpuint(r.access, ==, VEU_ACCESS_WRITE);
    g_assert_cmpuint(dev_fence_value(d), ==, 9);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_HEAD), ==, 1);
}

static void test_a_wait_that_is_given_up_stores_none(void)
{
    g_autoptr(Dev) d = make();
    struct veu_command_wait wait = timed_wait();

    DEV_PUSH(d, wait);
    dev_run(d);
    dev_disable(d);
    dev_run(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                     VEU_RING_DISABLED);
    assert_times(d, 0, FILLED, FILLED);
}

static void test_the_beginning_moves_along(void)
{
    g_autoptr(Dev) d = make();
    g_autoptr(Dev) e = NULL;
    struct veu_command_wait wait = timed_wait();

    DEV_PUSH(d, wait);
    dev_run(d);
    e = dev_destination(d);
    state_move(d->device, e->device);
    e->host.now_ns = 5000;
    test_memory_put64(&e->host.memory, DEV_FENCE, 7);
    dev_run(e);
    dev_assert_no_fault(e);
    assert_times(e, 0, 1000, 5000);
}

#define TEST(name) g_test_add_func("/times/" #name, test_##name)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    TEST(a_command_stores_begin_and_end);
    TEST(entries_wrap_with_the_slots);
    TEST(a_command_with_a_fault_stores_them);
    TEST(a_ring_without_an_array_refuses_the_flag);
    TEST(an_array_that_wraps_is_refused);
    TEST(an_array_outside_of_ram_halts_the_ring);
    TEST(a_wait_that_is_given_up_stores_none);
    TEST(the_beginning_moves_along);
    return g_test_run();
}
