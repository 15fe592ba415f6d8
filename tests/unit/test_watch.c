/*
 * veu unit tests: a poll sees what makes a ring ready, and nothing else:
 * docs/spec.md, section 4.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/device_rings.h"

#define RINGS 3

static Devs *idle_rings(void)
{
    Devs *d = devs_new(RINGS);

    devs_settle(d);
    return d;
}

static void test_a_tail_that_moves(void)
{
    g_autoptr(Devs) d = idle_rings();
    struct veu_command_nop nop = dev_nop(0);
    VeuWatch watch;

    for (unsigned ring = 0; ring < RINGS; ring++) {
        g_assert_cmphex(veu_device_watch(d->dev->device, &watch), ==, 0);
        g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 0);
        DEVS_PUSH(d, ring, nop);
        g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 1 << ring);
        g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 1 << ring);
        devs_settle(d);
    }
}

static void test_several_tails(void)
{
    g_autoptr(Devs) d = idle_rings();
    struct veu_command_nop nop = dev_nop(0);
    VeuWatch watch;

    veu_device_watch(d->dev->device, &watch);
    DEVS_PUSH(d, 0, nop);
    DEVS_PUSH(d, 2, nop);
    g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 5);
}

static void test_what_is_ready_before(void)
{
    g_autoptr(Devs) d = idle_rings();
    struct veu_command_nop nop = dev_nop(0);
    VeuWatch watch;

    DEVS_PUSH(d, 1, nop);
    g_assert_cmphex(veu_device_watch(d->dev->device, &watch), ==, 2);
}

/* This holds for any slot of the command, and any distance of the tail. */
static void test_any_tail(void)
{
    g_autoptr(Devs) d = idle_rings();
    struct veu_command_nop nop = dev_nop(0);
    VeuWatch watch;

    for (unsigned i = 0; i < 2 * DEVS_SLOTS + 1; i++) {
        g_assert_cmphex(veu_device_watch(d->dev->device, &watch), ==, 0);
        DEVS_PUSH(d, 0, nop);
        g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 1);
        devs_settle(d);
    }
    g_assert_cmphex(veu_device_watch(d->dev->device, &watch), ==, 0);
    test_memory_put32(&d->dev->host.memory, DEVS_SHARED(0), 0x80000000);
    g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 1);
}

/* A waiting ring checks a word and the time; other rings check their tails. */
static void test_beside_a_wait(void)
{
    g_autoptr(Devs) d = idle_rings();
    struct veu_command_nop nop = dev_nop(0);
    struct veu_command_wait wait = {
        .header = { .opcode = 4, .slots = 1 },
        .address = DEVS_FENCE(0),
        .mask = UINT64_MAX,
        .value = 1,
    };
    VeuWatch watch;

    DEVS_PUSH(d, 0, wait);
    devs_settle(d);
    g_assert_cmphex(veu_device_watch(d->dev->device, &watch), ==, 0);
    DEVS_PUSH(d, 0, nop); /* follows the WAIT: not ready yet */
    g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 0);
    DEVS_PUSH(d, 1, nop);
    g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 2);
    test_memory_put64(&d->dev->host.memory, DEVS_FENCE(0), 1);
    g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 3);
}

/* The tail of a disabled ring belongs to its driver. */
static void test_a_ring_that_is_disabled(void)
{
    g_autoptr(Devs) d = idle_rings();
    struct veu_command_nop nop = dev_nop(0);
    VeuWatch watch;

    devs_set(d, 1, VEU_REG_RING_CONTROL, 0);
    devs_settle(d);
    g_assert_cmphex(veu_device_watch(d->dev->device, &watch), ==, 0);
    DEVS_PUSH(d, 1, nop);
    g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 0);
    DEVS_PUSH(d, 2, nop); /* the second of those that are watched */
    g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 4);
}

/* A ring that is paused has nothing to do, wherever its tail is. */
static void test_a_ring_that_is_paused(void)
{
    g_autoptr(Devs) d = idle_rings();
    struct veu_command_nop nop = dev_nop(0);
    VeuWatch watch;

    devs_set(d, 1, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_PAUSE);
    g_assert_cmphex(veu_device_watch(d->dev->device, &watch), ==, 0);
    DEVS_PUSH(d, 1, nop);
    g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 0);
    DEVS_PUSH(d, 0, nop);
    g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 1);
}

/* Indices wrap at 2^32, and a tail before the head is a fault. */
static void test_a_tail_that_is_less_than_the_head(void)
{
    g_autoptr(Devs) d = idle_rings();
    struct veu_command_nop nop = dev_nop(0);
    VeuWatch watch;

    DEVS_PUSH(d, 0, nop);
    devs_settle(d);
    g_assert_cmphex(veu_device_watch(d->dev->device, &watch), ==, 0);
    test_memory_put32(&d->dev->host.memory, DEVS_SHARED(0), 0);
    g_assert_cmphex(veu_device_look(d->dev->device, &watch), ==, 1);
}

static void take_away(Dev *d, uint64_t iova)
{
    TestMemory *m = &d->host.memory;

    for (unsigned i = 0; i < m->count; i++) {
        if (m->page[i].iova == iova) {
            m->page[i].iova = UINT64_C(1) << 60;
        }
    }
}

/* If the memory no longer exists, a turn has to report that. */
static void test_a_tail_that_is_not_in_ram(void)
{
    g_autoptr(Dev) d = dev_running();
    VeuWatch watch;

    dev_run(d);
    take_away(d, DEV_SHARED);
    g_assert_cmphex(veu_device_watch(d->device, &watch), ==, 1);
    g_assert_cmphex(veu_device_look(d->device, &watch), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/watch/" #name, test_##name)
    RULE(a_tail_that_moves);
    RULE(several_tails);
    RULE(what_is_ready_before);
    RULE(any_tail);
    RULE(beside_a_wait);
    RULE(a_ring_that_is_disabled);
    RULE(a_ring_that_is_paused);
    RULE(a_tail_that_is_less_than_the_head);
    RULE(a_tail_that_is_not_in_ram);
#undef RULE
    return g_test_run();
}
