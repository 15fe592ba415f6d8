/*
 * veu unit tests: a device that moves after any piece of work, with each
 * message and each command in progress: docs/spec.md, "Migration".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/model.h"
#include "tests/lib/fault_world.h"
#include "tests/lib/helpers.h"
#include "tests/lib/kernel_builder.h"
#include "tests/lib/state_bytes.h"

#define CLOCK       (DEV_FENCE + 8)
#define KERNEL_CODE (DEV_PROGRAM + 0x20000)

static const unsigned one = 1;

/* A store of 4 bytes of register 0, after the marks. */
static struct veu_command_message make_inline(void)
{
    TestMessage store = { .kind = TEST_SCATTER_SCALED,
                          .exec = TEST_LANES_1,
                          .num_blocks = 2,
                          .surface = 5,
                          .offset = test_immediate(64),
                          .address = { 0, 0 },
                          .data = { 0, 0 } };
    struct veu_command_message c = dev_message(&store);

    c.launch.stateless_base = FAULT_MARKS;
    c.launch.stateless_bytes = 4096;
    return c;
}

/* An EU thread whose program, inputs and stores are next to the marks. */
static struct veu_command_kernel make_kernel(Dev *d)
{
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command_at(
        d, &code, (uint32_t[]){ 1, 1, 1 }, KERNEL_CODE, KERNEL_CODE + 0x4000);

    c.threads = 1;
    c.stateless_base = KERNEL_CODE + 0x8000;
    return c;
}

/*
 * The kernel runs from a handle. test_kernel.c tests kernels in guest memory.
 */
static void push_loaded(Dev *d, const struct veu_command_kernel *kernel)
{
    struct veu_command_load load = kernel_load(kernel, 1);
    struct veu_command_unload unload = {
        .header = { .opcode = VEU_COMMAND_UNLOAD, .slots = 1 },
    };
    struct veu_command_kernel loaded = kernel_loaded(kernel, 1);

    DEV_PUSH(d, load);
    DEV_PUSH(d, loaded);
    DEV_PUSH(d, unload);
}

/* All commands other than the launch and those around it. */
static void push_others(Dev *d)
{
    struct veu_command_timestamp timestamp = {
        .header = { .opcode = VEU_COMMAND_TIMESTAMP, .slots = 1 },
        .address = CLOCK,
    };
    struct veu_command_wait wait = {
        .header = { .opcode = VEU_COMMAND_WAIT, .slots = 1 },
        .address = CLOCK,
        .mask = UINT64_MAX,
        .value = FAULT_TIME,
    };
    struct veu_command_fill fill = {
        .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
        .pattern = 0x0807060504030201,
        .destination = DEV_DATA + 100,
        .bytes = 70000,
    };
    struct veu_command_copy copy = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = FAULT_PAGES,
        .destination = DEV_DATA + 4096 + 3,
        .bytes = 2 * TEST_PAGE_BYTES,
    };
    struct veu_command_message message = make_inline();
    struct veu_command_kernel kernel = make_kernel(d);
    struct veu_command_invalidate invalidate = {
        .header = { .opcode = VEU_COMMAND_INVALIDATE, .slots = 1 },
    };

    DEV_PUSH(d, timestamp);
    DEV_PUSH(d, wait);
    DEV_PUSH(d, fill);
    DEV_PUSH(d, copy);
    DEV_PUSH(d, message);
    DEV_PUSH(d, invalidate);
    push_loaded(d, &kernel);
}

/* Steps have one piece, even where helpers take part. */
static Dev *make_source(const FaultWorld *w)
{
    FaultOutcome o;
    Dev *d = fault_world_new(w, &o);

    push_others(d);
    d->host.host.awaited = &one;
    return d;
}

static void assert_same(Dev *a, Dev *b)
{
    g_assert_true(test_memory_equal(&a->host.memory, &b->host.memory));
    dev_write(a, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT, 4);
    dev_write(b, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT, 4);
    for (uint32_t at = 0; at < VEU_MSIX_TABLE_OFFSET; at += 4) {
        g_assert_cmphex(dev_read(a, at, 4), ==, dev_read(b, at, 4));
    }
}

/*
 * Continues with @to_helpers after @n steps with @from_helpers. Returns false
 * if all work was done before.
 */
static bool check_move(const FaultWorld *w, Dev *whole, unsigned n,
                       unsigned from_helpers, unsigned to_helpers)
{
    Helpers here, there;
    g_autoptr(Dev) from = make_source(w);
    g_autoptr(Dev) to = NULL;
    VeuStep step = VEU_STEP_MORE;

    helpers_add(from, &here, from_helpers, false);
    for (unsigned i = 0; i < n; i++) {
        step = dev_step(from, 1);
    }
    to = dev_destination(from);
    to->keep_memory = true;
    helpers_add(to, &there, to_helpers, false);
    state_move_changed(from->device, to->device);
    dev_run(to);
    assert_same(whole, to);
    return step == VEU_STEP_MORE;
}

/*
 * EU threads of a block message write to the same place, so they may not run at
 * once.
 */
static unsigned helpers_for(const FaultWorld *w)
{
    return w->info->lanes || !w->info->writes ? 3 : 0;
}

static void check_world(const FaultWorld *w, unsigned faults)
{
    g_autoptr(Dev) whole = make_source(w);
    unsigned helpers = helpers_for(w);
    unsigned n = 0;

    dev_run(whole);
    g_assert_cmpuint(dev_ring_get(whole, VEU_REG_RING_FAULT_COUNT), ==, faults);
    g_assert_cmpuint(dev_ring_get(whole, VEU_REG_RING_HEAD), ==, whole->tail);
    while (check_move(w, whole, n, 0, helpers) |
           check_move(w, whole, n, helpers, 0)) {
        g_assert_cmpuint(++n, <, 200);
    }
    g_assert_cmpuint(n, >, 15);
}

static void test_each_message(void)
{
    for (unsigned kind = 0; kind < TEST_KINDS; kind++) {
        FaultWorld w;

        fault_world_init(&w, kind);
        check_world(&w, 0);
    }
}

/* The last lane, or the block, is outside of RAM. */
static void test_each_message_with_a_fault(void)
{
    for (unsigned kind = 0; kind < TEST_KINDS; kind++) {
        FaultWorld w;

        fault_world_init(&w, kind);
        if (w.info->form != FORM_NOTHING) {
            w.place[w.info->lanes ? w.info->lanes - 1 : 0] = FAULT_END;
            check_world(&w, 1);
        }
    }
}

/* If this fails, add the new command above. */
static void test_all_commands_are_there(void)
{
    g_autoptr(Dev) d = NULL;
    FaultWorld w;
    bool seen[256] = { false };

    fault_world_init(&w, TEST_GATHER);
    d = make_source(&w);
    for (uint32_t slot = 0; slot < d->tail;) {
        struct veu_command_header header;

        test_memory_get(&d->host.memory, DEV_RING + slot * VEU_SLOT_BYTES,
                        &header, sizeof(header));
        seen[header.opcode] = true;
        slot += header.slots;
    }
    for (unsigned i = 0; i < veu_command_count; i++) {
        g_assert_true(seen[veu_commands[i]->opcode]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/state_messages/" #name, test_##name)
    RULE(each_message);
    RULE(each_message_with_a_fault);
    RULE(all_commands_are_there);
#undef RULE
    return g_test_run();
}
