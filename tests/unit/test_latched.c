/*
 * veu unit tests: register writes copy at once: when a write has taken effect,
 * the context's registers and its table belong to the driver again:
 * docs/spec.md, sections 3, 4 and 14.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/device_rings.h"
#include "tests/lib/scanout_fixture.h"
#include "tests/lib/state_bytes.h"

/*
 * The operating system owns the window table, which follows all that rings use.
 */
#define TABLE (DEV_RAM + 0x52000)

/* Context 0 has one window. */
static void set_window(Dev *d, uint64_t address, uint64_t bytes)
{
    const struct veu_window window = { address, bytes, 3, 0 };

    test_memory_put(&d->host.memory, TABLE, &window, sizeof(window));
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_WINDOWS,
              4);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_WINDOW_COUNT, 1, 4);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_WINDOWS, TABLE, 8);
}

/* Changes the context and its table, which no ring may notice. */
static void spoil_context(Dev *d)
{
    test_memory_fill(&d->host.memory, TABLE, 0xff, TEST_PAGE_BYTES);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, 2, 4);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_WINDOW_COUNT, 0, 4);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_WINDOWS, DEV_HOLE, 8);
}

static void run_fence(Dev *d, uint64_t address, uint64_t value)
{
    struct veu_command_fence fence = dev_fence(value);

    fence.address = address;
    DEV_PUSH(d, fence);
    dev_run(d);
}

static void test_enable_copies_the_context(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    set_window(d, DEV_RAM, DEV_FENCE + 0x1000 - DEV_RAM);
    dev_enable(d);
    spoil_context(d);
    run_fence(d, DEV_FENCE, 5);
    dev_assert_no_fault(d);
    g_assert_cmpuint(dev_fence_value(d), ==, 5);
}

/* Each ring has a window of its own, all through context 0. */
static void enable_in_turn(Devs *d)
{
    for (unsigned n = 0; n < d->count; n++) {
        devs_set(d, n, VEU_REG_RING_CONTROL, 0);
        devs_settle(d);
        devs_set(d, n, VEU_REG_RING_CONTEXT, 0);
        d->tail[n] = devs_get(d, n, VEU_REG_RING_HEAD);
    }
    for (unsigned n = 0; n < d->count; n++) {
        set_window(d->dev, DEVS_RING(n), 4 * TEST_PAGE_BYTES);
        devs_set(d, n, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    }
}

/* Two processes share one context: neither reaches the memory of the other. */
static void test_rings_share_a_context_one_after_the_other(void)
{
    g_autoptr(Devs) d = devs_new(2);

    enable_in_turn(d);
    for (unsigned n = 0; n < 2; n++) {
        struct veu_command_fence own = dev_fence(7), other = dev_fence(9);

        own.address = DEVS_FENCE(n);
        other.address = DEVS_FENCE(!n) + 8;
        DEVS_PUSH(d, n, own);
        DEVS_PUSH(d, n, other);
    }
    devs_settle(d);
    for (unsigned n = 0; n < 2; n++) {
        TestMemory *memory = &d->dev->host.memory;

        g_assert_cmphex(devs_get(d, n, VEU_REG_RING_LAST_FAULT), ==,
                        VEU_FAULT_COMMAND_MEMORY);
        g_assert_cmphex(test_memory_get64(memory, DEVS_FENCE(n)), ==, 7);
        g_assert_cmphex(test_memory_get64(memory, DEVS_FENCE(n) + 8), ==, 0);
    }
}

/*
 * If a context is not legal, registers report it at once, and a vector later.
 */
static void test_enable_refuses_a_context_at_once(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    spoil_context(d);
    dev_enable(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_RING_CONFIG);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_DETAIL), ==,
                    VEU_REG_RING_CONTEXT);
    g_assert_cmpuint(test_host_count(&d->host, TEST_LOG_INTERRUPT), ==, 0);
    dev_run(d);
    g_assert_cmpuint(test_host_count(&d->host, TEST_LOG_INTERRUPT), ==, 1);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 1);
}

/* An interrupt that a ring has not sent yet is discarded, too. */
static void test_reset_forgets_an_interrupt(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    spoil_context(d);
    dev_enable(d); /* halts the ring: its next step would interrupt */
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    dev_setup(d);
    set_window(d, DEV_RAM, TABLE - DEV_RAM);
    dev_enable(d);
    dev_run(d);
    g_assert_cmpuint(test_host_count(&d->host, TEST_LOG_INTERRUPT), ==, 0);
    dev_assert_no_fault(d);
}

/* "Since the ring was enabled": the code is 0 until there is a new fault. */
static void test_enable_clears_the_last_fault(void)
{
    static const uint32_t registers[] = { VEU_REG_RING_LAST_FAULT,
                                          VEU_REG_RING_LAST_DETAIL,
                                          VEU_REG_RING_FAULT_COUNT };
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop bad = dev_nop(0);

    bad.reserved[0] = 1;
    DEV_PUSH(d, bad);
    dev_run(d);
    for (unsigned i = 0; i < G_N_ELEMENTS(registers); i++) {
        g_assert_cmpuint(dev_ring_get(d, registers[i]), !=, 0);
    }
    dev_disable(d);
    dev_run(d);
    dev_enable(d);
    for (unsigned i = 0; i < G_N_ELEMENTS(registers); i++) {
        g_assert_cmpuint(dev_ring_get(d, registers[i]), ==, 0);
    }
}

/* The write itself stores nothing, because the VM may be stopped. */
static void test_enable_writes_no_memory(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_enable(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_DISABLED);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_RELOAD);
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_DISABLED);
    dev_run(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_RUNNING);
}

/*
 * A ring that is saved right after the write has its context at the
 * destination.
 */
static void test_the_context_of_an_enable_moves_along(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    set_window(d, DEV_RAM, DEV_FENCE + 0x1000 - DEV_RAM);
    dev_enable(d);
    spoil_context(d);
    g_autoptr(Dev) to = dev_destination(d);

    state_move(d->device, to->device);
    run_fence(to, DEV_FENCE, 5);
    dev_assert_no_fault(to);
    g_assert_cmpuint(dev_fence_value(to), ==, 5);
}

/* The last differing byte is the type of the ring's context. */
static uint8_t *find_type(const GByteArray *a, const GByteArray *b)
{
    guint at = a->len;

    g_assert_cmpuint(a->len, ==, b->len);
    while (at-- && a->data[at] == b->data[at]) {}
    return a->data + at;
}

static Dev *enabled_as(uint32_t type)
{
    Dev *d = dev_new();

    dev_setup(d);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, type, 4);
    dev_enable(d);
    return d;
}

/* In version 6, a ring that was just enabled had no context yet. */
static void test_an_older_state_takes_its_context_later(void)
{
    const uint32_t version = 6, unbound = UINT32_MAX;
    g_autoptr(Dev) d = enabled_as(VEU_CONTEXT_IDENTITY);
    g_autoptr(Dev) other = enabled_as(VEU_CONTEXT_WINDOWS);
    g_autoptr(GByteArray) state = state_save(d->device);
    g_autoptr(GByteArray) compared = state_save(other->device);
    g_autoptr(Dev) to = dev_destination(d);

    memcpy(find_type(state, compared), &unbound, sizeof(unbound));
    memcpy(state->data + 4, &version, sizeof(version));
    g_assert_cmpstr(state_load(to->device, state), ==, NULL);
    run_fence(to, DEV_FENCE, 5);
    dev_assert_no_fault(to);
    g_assert_cmpuint(dev_fence_value(to), ==, 5);
}

/* ---- flips ---- */

static void set_scanout_window(Show *s)
{
    set_window(s->dev, DEV_RAM, TABLE - DEV_RAM);
    dev_write(s->dev, CONTEXT, 0, 4);
}

static void test_a_flip_copies_the_context(void)
{
    g_autoptr(Show) s = show_new();

    set_scanout_window(s);
    show_begin_flip(s);
    spoil_context(s->dev);
    show_run(s);
    show_assert_well(s);
    show_assert_shown(s, 0);
}

/* No part of it remains for the next step. */
static void test_a_flip_is_refused_at_once(void)
{
    g_autoptr(Show) s = show_new();

    set_scanout_window(s);
    spoil_context(s->dev);
    show_begin_flip(s);
    show_assert_refused(s, VEU_FAULT_SCANOUT_CONFIG, 0x0c, 0);
    g_assert_cmpuint(show_interrupts(s), ==, 1);
    g_assert_cmpint(show_step(s, 1), ==, VEU_STEP_STOPPED);
}

static void move_show(Show *from, Show *to)
{
    test_memory_free(&to->dev->host.memory);
    test_memory_init(&to->dev->host.memory);
    test_memory_copy(&to->dev->host.memory, &from->dev->host.memory);
    state_move_changed(from->dev->device, to->dev->device);
    to->number = from->number;
}

static void test_the_context_of_a_flip_moves_along(void)
{
    for (unsigned steps = 0; steps < HEIGHT; steps++) {
        g_autoptr(Show) s = show_new();
        g_autoptr(Show) to = show_new();

        set_scanout_window(s);
        show_begin_flip(s);
        spoil_context(s->dev);
        show_step(s, steps);
        move_show(s, to);
        show_run(to);
        show_assert_well(to);
        show_assert_shown(to, 0);
    }
}

/* This holds even if a flip has been refused since. */
static void test_the_context_of_what_is_shown_moves_along(void)
{
    g_autoptr(Show) s = show_new();
    g_autoptr(Show) to = show_new();

    set_scanout_window(s);
    show_begin_flip(s);
    show_run(s);
    spoil_context(s->dev);
    show_begin_flip(s);
    show_assert_refused(s, VEU_FAULT_SCANOUT_CONFIG, 0x0c, 0);
    move_show(s, to);
    show_run(to);
    show_assert_shown(to, 0);
    show_assert_refused(to, VEU_FAULT_SCANOUT_CONFIG, 0x0c, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/latched/" #name, test_##name)
    RULE(enable_copies_the_context);
    RULE(rings_share_a_context_one_after_the_other);
    RULE(enable_refuses_a_context_at_once);
    RULE(reset_forgets_an_interrupt);
    RULE(enable_clears_the_last_fault);
    RULE(enable_writes_no_memory);
    RULE(the_context_of_an_enable_moves_along);
    RULE(an_older_state_takes_its_context_later);
    RULE(a_flip_copies_the_context);
    RULE(a_flip_is_refused_at_once);
    RULE(the_context_of_a_flip_moves_along);
    RULE(the_context_of_what_is_shown_moves_along);
    return g_test_run();
}
