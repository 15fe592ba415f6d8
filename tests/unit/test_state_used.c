/*
 * veu unit tests: a state that is loaded into a device that has worked, as a
 * snapshot is: docs/spec.md, "Migration".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/group.h"
#include "hw/veu/device/model.h"
#include "launch.h"
#include "tests/lib/kernel_builder.h"
#include "tests/lib/state_bytes.h"

/* @used has the memory and the state of @from. */
static void load(Dev *used, Dev *from)
{
    g_autoptr(GByteArray) state = state_save(from->device);

    test_memory_free(&used->host.memory);
    test_memory_init(&used->host.memory);
    test_memory_copy(&used->host.memory, &from->host.memory);
    used->host.host.memory_version++;
    used->tail = from->tail;
    g_assert_cmpstr(state_load(used->device, state), ==, NULL);
}

/* ---- programs ---- */

/* More messages than are decoded in a piece. */
#define MESSAGES 200

/* Stores 1 to @at, then to other dwords. */
static struct veu_command_dispatch storing(Dev *d, uint32_t at)
{
    struct veu_command_dispatch c;

    test_program_init(&d->program);
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    for (unsigned i = 0; i < MESSAGES; i++) {
        TestMessage m = store(i ? 1024 + 4 * i : at);

        test_program_add(&d->program, &m);
    }
    c = dispatch(d);
    c.launch.payload_bytes = 64 + 4;
    put32(d, DEV_PAYLOAD, UINT32_MAX);
    put32(d, DEV_PAYLOAD + 64, 1);
    return c;
}

/* Programs that differ in an offset, and are alike in everything else. */
static void check_program(unsigned steps)
{
    g_autoptr(Dev) used = fixture();
    g_autoptr(Dev) from = fixture();
    struct veu_command_dispatch c = storing(used, 0);

    RUN(used, c);
    g_assert_cmpuint(get32(used, DEV_DATA), ==, 1);
    c = storing(from, 4);
    DEV_PUSH(from, c);
    for (unsigned i = 0; i < steps; i++) {
        g_assert_cmpint(dev_step(from, 1), ==, VEU_STEP_MORE);
    }
    load(used, from);
    g_assert_cmpint(dev_run(used), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(used);
    g_assert_cmpuint(get32(used, DEV_DATA), ==, UNTOUCHED);
    g_assert_cmpuint(get32(used, DEV_DATA + 4), ==, 1);
}

static void test_the_program_of_before_is_forgotten(void)
{
    for (unsigned steps = 0; steps < 12; steps++) {
        check_program(steps);
    }
}

/*
 * A launch that is still decoded starts again, whatever cost the state names:
 * an EU thread costs 2 units, and 1 for each message.
 */
static void test_a_launch_that_restarts_has_its_whole_budget(void)
{
    const uint64_t cost = 1;
    g_autoptr(Dev) from = dev_new();
    g_autoptr(Dev) to = NULL;
    g_autoptr(GByteArray) state = NULL;
    struct veu_command_dispatch c = storing(from, 0);
    VeuRing *ring = &from->device->ring[0];

    dev_setup(from);
    dev_ring_set(from, VEU_REG_RING_BUDGET, MESSAGES + 2);
    dev_enable(from);
    DEV_PUSH(from, c);
    while (!ring->command.begun || ring->launch->phase != VEU_LAUNCH_DECODE) {
        g_assert_cmpint(dev_step(from, 1), ==, VEU_STEP_MORE);
    }
    state = state_save(from->device);
    memcpy(state->data + state_place(from->device, &ring->command.cost), &cost,
           sizeof(cost));
    to = dev_destination(from);
    g_assert_cmpstr(state_load(to->device, state), ==, NULL);
    g_assert_cmpint(dev_run(to), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(to);
}

/* ---- surfaces ---- */

/* Entry 0 of the table, by a message. */
static TestMessage store_to_entry(void)
{
    TestMessage m = store(0);

    m.surface = VEU_FIRST_SURFACE;
    return m;
}

static struct veu_command_dispatch naming(Dev *d)
{
    TestMessage m = store_to_entry();
    struct veu_command_dispatch c;

    test_program_init(&d->program);
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_add(&d->program, &m);
    c = dispatch(d);
    c.launch.surface_count = 1;
    return c;
}

/*
 * A program of instructions may name a descriptor of zeros, if no lane accesses
 * it.
 */
static struct veu_command_dispatch naming_zeros(Dev *d)
{
    TestMessage m = store_to_entry();
    Code code = { .surface_count = 1 };
    uint32_t data = code_variable(&code, 0, 8, VEU_TYPE_UD);
    struct veu_command_dispatch c;

    m.data = (TestRaw){ data, 0 };
    m.pred = 1;
    CODE_ADD(&code, "movs", size_nm(1), 0, 0,
             (Op){ .class = VEU_OPERAND_STATE, .id = VEU_FIRST_SURFACE },
             op_imm(VEU_TYPE_UD, 0));
    CODE_ADD(&code, "setp", size_nm(32), 0, 0, op_pred(1),
             op_imm(VEU_TYPE_UD, 0));
    code_add_message(&code, &m);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = code_dispatch(d, &code);
    c.launch.surface_count = 1;
    return c;
}

/* Programs of messages refuse the descriptor that the state has for entry 0. */
static void test_the_surfaces_of_before_are_forgotten(void)
{
    static const struct veu_surface zeros;
    g_autoptr(Dev) used = fixture();
    g_autoptr(Dev) from = fixture();
    struct veu_command_dispatch c = naming(used);

    dev_buffer(used, 0, DEV_DATA, 4);
    RUN(used, c);
    dev_surface(from, 0, &zeros);
    c = naming_zeros(from);
    DEV_PUSH(from, c);
    while (from->device->ring[0].launch->phase != VEU_LAUNCH_RUN) {
        g_assert_cmpint(dev_step(from, 1), ==, VEU_STEP_MORE);
    }
    load(used, from);
    g_assert_cmpint(dev_run(used), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(used);
    c = naming(used);
    DEV_PUSH(used, c);
    dev_run(used);
    g_assert_cmphex(dev_record(used, 0).code, ==, VEU_FAULT_SURFACE_FIELD);
}

/* ---- barriers ---- */

#define ROUNDS 3

/* One group with barriers, whose first EU thread has come to @state. */
static Dev *in_sums(uint8_t state)
{
    Dev *d = dev_running();
    Code code = kernel_sums(ROUNDS);
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 1, 1, 1 });
    VeuLaunch *l = d->device->ring[0].launch;
    const VeuGroup *g = l->groups.group;

    c.slm_bytes = 4 * KERNEL_ITEMS;
    DEV_PUSH(d, c);
    while (!g->begun || *veu_group_states(l, g) != state) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    return d;
}

/* An EU thread that waited there, and runs in the state, does not wait. */
static void test_the_barriers_of_before_are_forgotten(void)
{
    g_autoptr(Dev) used = in_sums(VEU_GROUP_THREAD_WAITS);
    g_autoptr(Dev) from = in_sums(VEU_GROUP_THREAD_RUNS);

    load(used, from);
    used->device->config.eu.check = true;
    g_assert_cmpint(dev_run(used), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(used);
    /* No thread waited after others had ended. */
    g_assert_cmpuint(test_host_count_events(&used->host, VEU_EVENT_CONTRACT),
                     ==, 0);
    for (unsigned n = 0; n < KERNEL_ITEMS; n++) {
        g_assert_cmpuint(get32(used, DEV_DATA + 4 * n), ==,
                         kernel_sum(ROUNDS, n));
    }
}

/* ---- loaded programs ---- */

/* The state has a program of the same handle. */
static void test_loaded_programs_of_before_are_forgotten(void)
{
    g_autoptr(Dev) used = dev_running();
    g_autoptr(Dev) from = dev_running();
    Dev *const both[] = { used, from };

    for (unsigned i = 0; i < G_N_ELEMENTS(both); i++) {
        Code code = kernel_items();
        struct veu_command_kernel c = kernel_command(both[i], &code,
                                                     (uint32_t[]){ 1, 1, 1 });
        struct veu_command_load command = kernel_load(&c, 7);

        DEV_PUSH(both[i], command);
        g_assert_cmpint(dev_run(both[i]), ==, VEU_STEP_IDLE);
    }
    load(used, from);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/state_used/" #name, test_##name)
    RULE(the_program_of_before_is_forgotten);
    RULE(a_launch_that_restarts_has_its_whole_budget);
    RULE(the_surfaces_of_before_are_forgotten);
    RULE(the_barriers_of_before_are_forgotten);
    RULE(loaded_programs_of_before_are_forgotten);
#undef RULE
    return g_test_run();
}
