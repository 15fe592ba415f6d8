/*
 * veu unit tests: turns of a KERNEL's EU threads, and what ends them:
 * docs/spec.md, "Groups in flight".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/group.h"
#include "hw/veu/device/model.h"
#include "tests/lib/kernel_builder.h"

/* Inputs of 2 KiB cost 3 units; no instruction runs if RING_BUDGET has 2. */
static void test_nothing_runs_after_inputs_that_exceed_the_budget(void)
{
    for (unsigned watched = 0; watched < 2; watched++) {
        g_autoptr(Dev) d = dev_new();
        Code code = kernel_items();
        struct veu_command_kernel c = kernel_command(d, &code,
                                                     (uint32_t[]){ 1, 1, 1 });

        d->host.host.events = watched ? UINT32_MAX : 0;
        c.cross_thread_bytes = 2048;
        dev_setup(d);
        dev_ring_set(d, VEU_REG_RING_BUDGET, 2);
        dev_enable(d);
        DEV_PUSH(d, c);
        g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
        dev_assert_fault(d, 1, VEU_FAULT_BUDGET, 0);
        for (unsigned n = 0; n < KERNEL_ITEMS; n++) {
            g_assert_cmphex(kernel_item(d, n).marker, ==, 0);
        }
    }
}

/* Appends "mnemonic to, from, imm" for 8 lanes of UD. */
static void add_immediate(Code *code, const char *mnemonic, uint32_t to,
                          uint32_t from, uint32_t imm)
{
    CODE_ADD(code, mnemonic, size_m1(8), 0, 0, op_dst(to), op_lanes(from),
             op_imm(VEU_TYPE_UD, imm));
}

/* Each item stores its id + 1, and reads what the next EU thread has stored. */
static Code exchange_after_loops(void)
{
    Code code = { 0 };
    uint32_t ids = code_variable(&code, 32, 8, VEU_TYPE_UW);
    uint32_t at = code_variable(&code, 128, 8, VEU_TYPE_UD);
    uint32_t data = code_variable(&code, 160, 8, VEU_TYPE_UD);
    uint32_t left = code_variable(&code, 192, 8, VEU_TYPE_UD);
    unsigned loop = code_new_label(&code, VEU_LABEL_BLOCK);
    TestMessage m = { .kind = TEST_SCATTER_SCALED,
                      .exec = TEST_LANES_8,
                      .num_blocks = 2,
                      .offset = test_immediate(0),
                      .address = { at, 0 },
                      .data = { data, 0 } };

    /* 64 loops; EU thread 0 has 3,840 more, and EU thread 2 has 11,520 */
    add_immediate(&code, "shr", left, ids, 3);
    add_immediate(&code, "add", left, left, 1);
    add_immediate(&code, "and", data, left, 1);
    CODE_ADD(&code, "mul", size_m1(8), 0, 0, op_dst(left), op_lanes(left),
             op_lanes(data));
    add_immediate(&code, "mul", left, left, 64 * 60);
    add_immediate(&code, "add", left, left, 64);
    code_add_label(&code, loop);
    add_immediate(&code, "add", left, left, UINT32_MAX);
    CODE_ADD(&code, "cmp", size_m1(8), 0, 1, op_pred(1), op_lanes(left),
             op_imm(VEU_TYPE_UD, 0)); /* not equal */
    CODE_ADD(&code, "goto", size_m1(8), 1, loop, { 0 });
    add_immediate(&code, "shl", at, ids, 2);
    add_immediate(&code, "add", data, ids, 1);
    code_add_message(&code, &m);
    CODE_ADD(&code, "barrier", 0, 0, 0, { 0 });
    add_immediate(&code, "add", at, at, 4 * 8);
    add_immediate(&code, "and", at, at, 4 * KERNEL_ITEMS - 1);
    m.kind = TEST_GATHER_SCALED;
    code_add_message(&code, &m);
    add_immediate(&code, "shl", at, ids, 2);
    m.kind = TEST_SCATTER_SCALED;
    m.surface = 5;
    code_add_message(&code, &m);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    return code;
}

/*
 * EU thread 0 comes to the barrier when 1 and 3 wait there, and 2 has still to
 * store.
 */
static void test_a_barrier_waits_for_the_slowest(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = exchange_after_loops();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 1, 1, 1 });

    d->host.host.events = 0;
    c.slm_bytes = 4 * KERNEL_ITEMS;
    kernel_run(d, &c);
    for (unsigned n = 0; n < KERNEL_ITEMS; n++) {
        g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA + 4 * n),
                         ==, (n + 8) % KERNEL_ITEMS + 1);
    }
}

/* One EU thread waits, without a barrier, for what another one stores. */
static Code make_spin(void)
{
    Code code = { 0 };
    uint32_t ids = code_variable(&code, 32, 8, VEU_TYPE_UW);
    uint32_t group = code_variable(&code, 4, 1, VEU_TYPE_UD);
    uint32_t key = code_variable(&code, 128, 8, VEU_TYPE_UD);
    uint32_t seen = code_variable(&code, 160, 8, VEU_TYPE_UD);
    uint32_t zero = code_variable(&code, 192, 8, VEU_TYPE_UD);
    unsigned loop = code_new_label(&code, VEU_LABEL_BLOCK);
    unsigned stores = code_new_label(&code, VEU_LABEL_BLOCK);
    TestMessage load = { .kind = TEST_GATHER_SCALED,
                         .exec = TEST_LANES_8,
                         .num_blocks = 2,
                         .surface = 5,
                         .offset = test_immediate(0),
                         .address = { zero, 0 },
                         .data = { seen, 0 } };
    TestMessage store = load;

    store.kind = TEST_SCATTER_SCALED;
    store.data.id = key;
    CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(key), op_scalar(ids),
             op_scalar(group));
    CODE_ADD(&code, "cmp", size_m1(8), 0, 2, op_pred(1), op_lanes(key),
             op_imm(VEU_TYPE_UD, KERNEL_ITEMS - 8));
    CODE_ADD(&code, "goto", size_m1(8), 1, stores, { 0 });
    code_add_label(&code, loop);
    code_add_message(&code, &load);
    CODE_ADD(&code, "cmp", size_m1(8), 0, 0, op_pred(1), op_lanes(seen),
             op_imm(VEU_TYPE_UD, 0));
    CODE_ADD(&code, "goto", size_m1(8), 1, loop, { 0 });
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    code_add_label(&code, stores);
    code_add_message(&code, &store);
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    return code;
}

/* The last EU thread of the last group stores; all others spin until then. */
static void test_threads_that_spin_let_others_run(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = make_spin();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 5, 1, 1 });

    c.groups_in_flight = 5;
    kernel_run(d, &c);
    g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA), >,
                     KERNEL_ITEMS - 8);
}

#define TICKET_AT 1024

/* Each item takes a number, after @pows instructions of 4 units. */
static Code make_tickets(unsigned pows)
{
    Code code = { 0 };
    uint32_t ids = code_variable(&code, 32, 8, VEU_TYPE_UW);
    uint32_t group = code_variable(&code, 4, 1, VEU_TYPE_UD);
    uint32_t item_number = code_variable(&code, 128, 8, VEU_TYPE_UD);
    uint32_t at = code_variable(&code, 160, 8, VEU_TYPE_UD);
    uint32_t one = code_variable(&code, 192, 8, VEU_TYPE_UD);
    uint32_t ticket = code_variable(&code, 224, 8, VEU_TYPE_UD);
    uint32_t real = code_variable(&code, 256, 8, VEU_TYPE_F);
    TestMessage take = { .kind = TEST_DWORD_ATOMIC,
                         .exec = TEST_LANES_8,
                         .op = TEST_ADD,
                         .surface = 5,
                         .address = { at, 0 },
                         .src0 = { one, 0 },
                         .data = { ticket, 0 } };
    TestMessage store = { .kind = TEST_SCATTER_SCALED,
                          .exec = TEST_LANES_8,
                          .num_blocks = 2,
                          .surface = 5,
                          .offset = test_immediate(0),
                          .address = { item_number, 0 },
                          .data = { ticket, 0 } };

    CODE_ADD(&code, "mad", size_m1(8), 0, 0, op_dst(item_number),
             op_scalar(group), op_imm(VEU_TYPE_UD, KERNEL_ITEMS),
             op_lanes(ids));
    CODE_ADD(&code, "shl", size_m1(8), 0, 0, op_dst(item_number),
             op_lanes(item_number), op_imm(VEU_TYPE_UD, 2));
    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(at),
             op_imm(VEU_TYPE_UD, TICKET_AT));
    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(one),
             op_imm(VEU_TYPE_UD, 1));
    for (unsigned n = 0; n < pows; n++) {
        CODE_ADD(&code, "pow", size_m1(8), 0, 0, op_dst(real), op_lanes(real),
                 op_lanes(real));
    }
    code_add_message(&code, &take);
    code_add_message(&code, &store);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    return code;
}

/*
 * DEV-6.8. A turn of 1,024 units is 256 longer if the EU thread that has begun
 * in it ends then. If it does not, it is stopped there, and the next turn of
 * its group is that of the next EU thread. Turns do not depend on how far a
 * step goes, or whether the host watches.
 */
static void test_a_turn_ends_with_the_thread_that_has_begun(void)
{
    static const struct {
        unsigned units; /* of an EU thread, apart from some ten */
        unsigned order[2 * KERNEL_THREADS]; /* group * 4 + thread */
    } rows[] = {
        { 300, { 0, 1, 2, 3, 4, 5, 6, 7 } },
        { 500, { 0, 1, 4, 5, 3, 2, 7, 6 } },
        { 600, { 0, 1, 4, 5, 2, 3, 6, 7 } },
        { 700, { 0, 4, 2, 6, 1, 3, 5, 7 } },
        { 1200, { 0, 4, 1, 5, 2, 6, 3, 7 } },
    };
    static const unsigned budgets[] = { 1, 7, 1000, 1024, 4096 };

    for (unsigned n = 0; n < 2 * G_N_ELEMENTS(rows) * G_N_ELEMENTS(budgets);
         n++) {
        unsigned row = n / 2 % G_N_ELEMENTS(rows);
        g_autoptr(Dev) d = dev_running();
        Code code = make_tickets(rows[row].units / 4);
        struct veu_command_kernel c = kernel_command(d, &code,
                                                     (uint32_t[]){ 2, 1, 1 });

        if (n % 2) {
            d->host.host.events = 0;
        }
        c.groups_in_flight = 2;
        DEV_PUSH(d, c);
        while (dev_step(d, budgets[n / 2 / G_N_ELEMENTS(rows)]) ==
               VEU_STEP_MORE) {}
        dev_assert_no_fault(d);
        for (unsigned k = 0; k < 2 * KERNEL_THREADS; k++) {
            uint64_t at = DEV_DATA + 32 * rows[row].order[k];

            g_assert_cmpuint(test_memory_get32(&d->host.memory, at), ==, 8 * k);
        }
    }
}

static Code make_movs(unsigned count)
{
    Code code = { 0 };
    uint32_t data = code_variable(&code, 128, 8, VEU_TYPE_UD);

    for (unsigned n = 0; n < count; n++) {
        CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(data),
                 op_imm(VEU_TYPE_UD, n));
    }
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    return code;
}

/*
 * A group that begins without inputs costs 2 for each EU thread; a budget of
 * that amount suffices, and one unit less does not. 3 more instructions, which
 * end with the unit, cost 1 more.
 */
static void test_a_budget_is_enough_or_not(void)
{
    for (unsigned i = 0; i < 8; i++) {
        unsigned unit = i / 4;
        Code code = make_movs(unit ? 3 : 0);
        g_autoptr(Dev) d = dev_new();
        struct veu_command_kernel c = kernel_command(d, &code, kernel_grid);
        unsigned less = i % 2;

        d->host.host.events = i / 2 % 2 ? UINT32_MAX : 0;
        dev_setup(d);
        dev_ring_set(d, VEU_REG_RING_BUDGET,
                     KERNEL_GROUPS * KERNEL_THREADS * (2 + unit) - less);
        dev_enable(d);
        DEV_PUSH(d, c);
        g_assert_cmpint(dev_run(d), ==,
                        less ? VEU_STEP_STOPPED : VEU_STEP_IDLE);
        if (less) {
            dev_assert_fault(d, 1, VEU_FAULT_BUDGET, 0);
            g_assert_cmpuint(dev_record(d, 0).group, ==, KERNEL_GROUPS - 1);
            g_assert_cmpuint(dev_record(d, 0).thread, ==, KERNEL_THREADS - 1);
        }
    }
}

/*
 * A step may be longer than what RING_BUDGET allows. Each EU thread costs 3
 * units: for its start, for four instructions, and for its end.
 */
static void test_no_thread_begins_when_the_budget_is_used_up(void)
{
    for (unsigned i = 2; i < 4 * KERNEL_THREADS; i++) {
        unsigned threads = i / 2;
        unsigned less = i % 2;
        g_autoptr(Dev) d = dev_new();
        Code code = make_movs(3);
        struct veu_command_kernel c = kernel_command(d, &code,
                                                     (uint32_t[]){ 2, 1, 1 });

        d->host.host.events = 1u << VEU_EVENT_THREAD;
        dev_setup(d);
        dev_ring_set(d, VEU_REG_RING_BUDGET, threads * 3 - less);
        dev_enable(d);
        dev_push(d, &c, 3);
        test_host_clear_log(&d->host);
        dev_run_by(d, 100000);
        dev_assert_fault(d, 1, VEU_FAULT_BUDGET, 0);
        g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_THREAD), ==,
                         2 * threads - less);
    }
}

/* Half of the items store outside of memory: 4 messages of 24 EU threads. */
static void test_a_fault_stops_what_the_policy_says(void)
{
    static const struct {
        unsigned policy;
        unsigned faults;
        VeuStep step;
    } rows[] = {
        { VEU_POLICY_HALT, 1, VEU_STEP_STOPPED },
        { VEU_POLICY_SKIP_MESSAGE, 96, VEU_STEP_IDLE },
        { VEU_POLICY_SKIP_COMMAND, 1, VEU_STEP_IDLE },
    };
    Code code = kernel_items();

    for (unsigned n = 0; n < 2 * G_N_ELEMENTS(rows); n++) {
        g_autoptr(Dev) d = dev_new();
        struct veu_command_kernel c = kernel_command(d, &code, kernel_grid);
        unsigned i = n / 2;
        uint64_t base = DEV_RAM + DEV_RAM_BYTES -
                        KERNEL_GROUPS * KERNEL_ITEMS * sizeof(KernelItem) / 2;
        struct veu_fault_record r;

        c.stateless_base = base;
        d->host.host.events = n % 2 ? UINT32_MAX : 0;
        dev_setup(d);
        dev_ring_set(d, VEU_REG_RING_POLICY, rows[i].policy);
        dev_enable(d);
        DEV_PUSH(d, c);
        g_assert_cmpint(dev_run(d), ==, rows[i].step);
        g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==,
                         rows[i].faults);
        r = dev_record(d, 0);
        g_assert_cmpuint(r.code, ==, VEU_FAULT_ADDRESS);
        g_assert_cmpuint(r.group, ==, KERNEL_GROUPS / 2);
        g_assert_cmpuint(r.thread, ==, 0);
        g_assert_cmphex(test_memory_get32(&d->host.memory, base + 8), ==,
                        KERNEL_MARKER);
    }
}

/* EU thread 0 ends at once, and the others do not wait for it. */
static void test_threads_that_end_are_not_waited_for(void)
{
    g_autoptr(Dev) d = dev_new();
    Code code = { 0 };
    uint32_t ids = code_variable(&code, 32, 8, VEU_TYPE_UW);
    unsigned end = code_new_label(&code, VEU_LABEL_BLOCK);
    struct veu_command_kernel c;
    const VeuEvent *event;
    uint32_t next;

    CODE_ADD(&code, "cmp", size_m1(8), 0, 5, op_pred(1), op_scalar(ids),
             op_imm(VEU_TYPE_UW, 0)); /* <= */
    CODE_ADD(&code, "goto", size_m1(8), 1, end, { 0 });
    CODE_ADD(&code, "barrier", 0, 0, 0, { 0 });
    next = code.count;
    code_add_label(&code, end);
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    d->config.eu.check = true;
    veu_device_free(d->device);
    d->device = veu_device_new(&d->config, &d->host.host);
    dev_setup(d);
    dev_enable(d);
    c = kernel_command(d, &code, (uint32_t[]){ 2, 1, 1 });
    test_host_clear_log(&d->host);
    kernel_run(d, &c);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_CONTRACT), ==,
                     2);
    event = test_host_last_event(&d->host, VEU_EVENT_CONTRACT);
    g_assert_cmpstr(event->name, ==, "barrier");
    g_assert_cmpuint(event->at, ==, next);
}

/* Odd items end; then the others store what the clock reads. */
static Code store_clocks(void)
{
    Code code = { 0 };
    uint32_t ids = code_variable(&code, 32, 8, VEU_TYPE_UW);
    uint32_t at = code_variable(&code, 128, 8, VEU_TYPE_UD);
    uint32_t data = code_variable(&code, 160, 8, VEU_TYPE_UD);

    add_immediate(&code, "shl", at, ids, 2);
    add_immediate(&code, "and", data, ids, 1);
    CODE_ADD(&code, "cmp", size_m1(8), 0, 0, op_pred(1), op_lanes(data),
             op_imm(VEU_TYPE_UD, 1)); /* equal */
    CODE_ADD(&code, "ret", size_m1(8), 1, 0, { 0 });
    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(data),
             op_scalar(VEU_PREDEFINED_TSC));
    kernel_add_store(&code, 5, at, 0, data);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    return code;
}

/* Handlers cost what executors cost, which a watched EU thread uses. */
static void test_the_clock_does_not_depend_on_who_executes(void)
{
    uint32_t times[2];

    for (unsigned watched = 0; watched < 2; watched++) {
        g_autoptr(Dev) d = dev_running();
        Code code = store_clocks();
        struct veu_command_kernel c = kernel_command(d, &code,
                                                     (uint32_t[]){ 1, 1, 1 });

        d->host.host.events = watched ? UINT32_MAX : 0;
        kernel_run(d, &c);
        times[watched] = test_memory_get32(&d->host.memory, DEV_DATA);
        for (unsigned n = 0; n < KERNEL_ITEMS; n++) {
            g_assert_cmpuint(test_memory_get32(&d->host.memory,
                                               DEV_DATA + 4 * n),
                             ==, n % 2 ? 0 : times[watched]);
        }
    }
    g_assert_cmpuint(times[0], >, 0);
    g_assert_cmpuint(times[0], ==, times[1]);
}

/* As a saved state may be, in which an EU thread before it has not begun. */
static void test_a_thread_that_has_ended_does_not_begin(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 1, 1, 1 });
    VeuLaunch *l = d->device->ring[0].launch;
    const VeuGroup *g = l->groups.group;

    d->host.host.events = 0;
    DEV_PUSH(d, c);
    while (!g->begun) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    g_assert_cmpuint(veu_group_states(l, g)[2], ==, VEU_GROUP_THREAD_START);
    veu_group_states(l, g)[2] = VEU_GROUP_THREAD_ENDED;
    dev_run_by(d, 100000);
    dev_assert_no_fault(d);
    for (unsigned n = 0; n < KERNEL_ITEMS; n++) {
        g_assert_cmphex(kernel_item(d, n).marker, ==,
                        n / 8 == 2 ? 0 : KERNEL_MARKER);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/kernel_turns/a-barrier-waits-for-the-slowest",
                    test_a_barrier_waits_for_the_slowest);
    g_test_add_func(
        "/kernel_turns/nothing-runs-after-inputs-that-exceed-the-budget",
        test_nothing_runs_after_inputs_that_exceed_the_budget);
    g_test_add_func("/kernel_turns/threads-that-spin-let-others-run",
                    test_threads_that_spin_let_others_run);
    g_test_add_func("/kernel_turns/a-turn-ends-with-the-thread-that-has-begun",
                    test_a_turn_ends_with_the_thread_that_has_begun);
    g_test_add_func("/kernel_turns/no-thread-begins-when-the-budget-is-used-up",
                    test_no_thread_begins_when_the_budget_is_used_up);
    g_test_add_func("/kernel_turns/a-budget-is-enough-or-not",
                    test_a_budget_is_enough_or_not);
    g_test_add_func("/kernel_turns/a-fault-stops-what-the-policy-says",
                    test_a_fault_stops_what_the_policy_says);
    g_test_add_func("/kernel_turns/threads-that-end-are-not-waited-for",
                    test_threads_that_end_are_not_waited_for);
    g_test_add_func("/kernel_turns/the-clock-does-not-depend-on-who-executes",
                    test_the_clock_does_not_depend_on_who_executes);
    g_test_add_func("/kernel_turns/a-thread-that-has-ended-does-not-begin",
                    test_a_thread_that_has_ended_does_not_begin);
    return g_test_run();
}
