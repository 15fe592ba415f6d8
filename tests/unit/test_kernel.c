/*
 * veu unit tests: the command KERNEL: docs/spec.md, "KERNEL" and "Groups in
 * flight".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/model.h"
#include "tests/lib/helpers.h"
#include "tests/lib/kernel_builder.h"
#include "tests/lib/state_bytes.h"

#define ROUNDS 3

static const uint32_t grid[3] = { 3, 2, 2 }; /* 12 groups of 32 items */
#define GROUPS 12

static KernelItem item(Dev *d, unsigned n)
{
    KernelItem i;

    test_memory_get(&d->host.memory, DEV_DATA + n * sizeof(i), &i, sizeof(i));
    return i;
}

static void run(Dev *d, const struct veu_command_kernel *c)
{
    dev_push(d, c, 3);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(d);
}

/* Programs use %hw_id with scratch memory and without. */
static void check_ids(uint32_t scratch_bytes)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code, grid);

    c.scratch_bytes = scratch_bytes;
    run(d, &c);
    for (unsigned n = 0; n < GROUPS * KERNEL_ITEMS; n++) {
        KernelItem i = item(d, n);
        unsigned group = n / KERNEL_ITEMS;
        unsigned slot = group % 3 * KERNEL_THREADS + n / 8 % KERNEL_THREADS;

        g_assert_cmpuint(i.slot, ==, slot);
        g_assert_cmpuint(i.scratch, ==, slot * scratch_bytes);
        g_assert_cmphex(i.marker, ==, KERNEL_MARKER);
        g_assert_cmpuint(i.group_z, ==, group / 6);
    }
}

static void test_each_item_has_its_ids(void)
{
    check_ids(1024);
    check_ids(0);
}

/* The section of predefined variables: %cr0, then %hw_id. */
#define PREDEFINED                                     \
    (DEV_PROGRAM + sizeof(struct veu_program_header) + \
     5 * sizeof(struct veu_section))

static unsigned wide_starts; /* that were checked */

/* The EU thread starts with its slot in 8 of the 12 bytes. */
static void check_wide_hw_id(VeuHost *host, const VeuEvent *e)
{
    const uint32_t expected[] = { e->thread % 12, 0, 0 };

    if (e->kind == VEU_EVENT_THREAD && !e->value) {
        g_assert_cmpmem(e->eu->registers + CODE_HW_ID_AT, sizeof(expected),
                        expected, sizeof(expected));
        wide_starts++;
    }
}

/* Where the program has more than 8 bytes for %hw_id, the others are 0. */
static void test_a_wide_hw_id_ends_with_zeros(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = { .has_no_clock = true };
    struct veu_command_kernel c;
    struct veu_predefined hw_id = { CODE_HW_ID_AT, 3, VEU_TYPE_UD,
                                    VEU_PREDEFINED_HW_ID };
    struct veu_section s;

    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = kernel_command(d, &code, grid);
    test_memory_get(&d->host.memory, PREDEFINED, &s, sizeof(s));
    test_memory_put(&d->host.memory, DEV_PROGRAM + s.offset + sizeof(hw_id),
                    &hw_id, sizeof(hw_id));
    d->host.host.event = check_wide_hw_id;
    d->host.host.events = 1u << VEU_EVENT_THREAD;
    wide_starts = 0;
    run(d, &c);
    g_assert_cmpuint(wide_starts, ==, GROUPS * KERNEL_THREADS);
}

/* The place of scratch memory is in r0.5, whether %hw_id is used or not. */
static void test_scratch_memory_without_hw_id(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c;
    struct veu_section s;

    code.has_no_clock = true;
    c = kernel_command(d, &code, grid);
    test_memory_get(&d->host.memory, PREDEFINED, &s, sizeof(s));
    s.bytes = sizeof(struct veu_predefined);
    test_memory_put(&d->host.memory, PREDEFINED, &s, sizeof(s));
    c.scratch_bytes = 1024;
    run(d, &c);
    for (unsigned n = 0; n < GROUPS * KERNEL_ITEMS; n++) {
        unsigned slot = n / KERNEL_ITEMS % 3 * KERNEL_THREADS +
                        n / 8 % KERNEL_THREADS;

        g_assert_cmpuint(item(d, n).slot, ==, 0);
        g_assert_cmpuint(item(d, n).scratch, ==, slot * 1024);
    }
}

/* A host that wants no other events is told of each EU thread's start. */
static void test_starts_and_ends_are_events_of_their_own(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code, grid);

    d->host.host.events = 1u << VEU_EVENT_THREAD;
    test_host_clear_log(&d->host);
    run(d, &c);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_THREAD), ==,
                     2 * GROUPS * KERNEL_THREADS);
}

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
            g_assert_cmphex(item(d, n).marker, ==, 0);
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
    run(d, &c);
    for (unsigned n = 0; n < KERNEL_ITEMS; n++) {
        g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA + 4 * n),
                         ==, (n + 8) % KERNEL_ITEMS + 1);
    }
}

/* The program takes the grid to be wider, so that rows do not touch. */
static void test_groups_begin_a_row_after_the_last_of_the_row(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 3, 2, 1 });

    test_memory_put32(&d->host.memory, c.cross_thread_address, 5);
    run(d, &c);
    for (unsigned n = 0; n < 10; n++) {
        g_assert_cmphex(item(d, n * KERNEL_ITEMS).marker, ==,
                        n % 5 < 3 ? KERNEL_MARKER : 0);
    }
}

/* Other launches have samplers of zero bytes. */
static void test_samplers_end_with_the_kernel(void)
{
    static const struct veu_sampler zeros;
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code, grid);
    const VeuSlice *s = &d->device->ring[0].launch->slice[0];
    TestMessage fence = { .kind = TEST_FENCE };
    struct veu_command_dispatch dispatch;

    c.samplers[0].filter = VEU_FILTER_LINEAR;
    run(d, &c);
    g_assert_cmpuint(s->eu.samplers[0].filter, ==, VEU_FILTER_LINEAR);
    test_program_add(&d->program, &fence);
    dispatch = dev_dispatch(d);
    DEV_PUSH(d, dispatch);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpmem(&s->eu.samplers[0], sizeof(zeros), &zeros, sizeof(zeros));
}

static void test_local_memory_is_poisoned(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = { 0 };
    uint32_t data = code_variable(&code, 128, 8, VEU_TYPE_UD);
    uint32_t at = code_variable(&code, 160, 8, VEU_TYPE_UD);
    TestMessage m = { .kind = TEST_GATHER_SCALED,
                      .exec = TEST_LANES_8,
                      .num_blocks = 2,
                      .offset = test_immediate(0),
                      .address = { at, 0 },
                      .data = { data, 0 } };
    struct veu_command_kernel c;

    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(at),
             op_imm(VEU_TYPE_UV, 0x76543210));
    CODE_ADD(&code, "shl", size_m1(8), 0, 0, op_dst(at), op_lanes(at),
             op_imm(VEU_TYPE_UD, 2));
    code_add_message(&code, &m);
    m.kind = TEST_SCATTER_SCALED;
    m.surface = 5;
    code_add_message(&code, &m);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    d->device->config.eu.undefined = 0xab;
    c = kernel_command(d, &code, (uint32_t[]){ 1, 1, 1 });
    c.slm_bytes = 256;
    run(d, &c);
    for (unsigned lane = 0; lane < 8; lane++) {
        g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_DATA + 4 * lane),
                        ==, 0xabababab);
    }
}

/* A part of a grid, whose groups have the same numbers as in the whole grid. */
static void test_a_range_begins_at_its_first_group(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code, grid);

    c.first_group[0] = 1;
    c.first_group[2] = 1;
    c.group_count[0] = 2;
    c.group_count[1] = 1;
    c.group_count[2] = 1;
    run(d, &c);
    for (unsigned n = 0; n < GROUPS * KERNEL_ITEMS; n++) {
        unsigned group = n / KERNEL_ITEMS;
        bool runs = group == 7 || group == 8;

        g_assert_cmphex(item(d, n).marker, ==, runs ? KERNEL_MARKER : 0);
        g_assert_cmpuint(item(d, n).group_z, ==, runs);
    }
}

static void test_the_last_thread_has_a_mask_of_its_own(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 1, 1, 1 });

    c.last_exec_mask = 0xfffffff5;
    run(d, &c);
    for (unsigned n = 0; n < KERNEL_ITEMS; n++) {
        bool runs = n < 24 || (0xf5 >> n % 8 & 1);

        g_assert_cmphex(item(d, n).marker, ==, runs ? KERNEL_MARKER : 0);
    }
}

static Dev *sums_dev(Helpers *h, unsigned helpers, bool at_once)
{
    Dev *d = dev_running();
    Code code = kernel_sums(ROUNDS);
    struct veu_command_kernel c = kernel_command(d, &code, grid);

    c.slm_bytes = 4 * KERNEL_ITEMS;
    c.groups_in_flight = 5;
    helpers_add(d, h, helpers, at_once);
    DEV_PUSH(d, c);
    return d;
}

static void assert_sums(Dev *d)
{
    dev_assert_no_fault(d);
    for (unsigned n = 0; n < GROUPS * KERNEL_ITEMS; n++) {
        g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA + 4 * n),
                         ==, kernel_sum(ROUNDS, n % KERNEL_ITEMS));
    }
}

static void test_threads_wait_at_barriers(void)
{
    Helpers h;
    g_autoptr(Dev) d = sums_dev(&h, 0, false);

    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    assert_sums(d);
}

/* Each item stores and loads a dword of local memory in each round. */
static void test_local_memory_is_counted_like_other_memory(void)
{
    const uint64_t items = GROUPS * KERNEL_ITEMS, accesses = 2 * ROUNDS + 1;
    Helpers h;
    g_autoptr(Dev) d = sums_dev(&h, 0, false);

    dev_run(d);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_MESSAGES), ==,
                     items / 8 * accesses);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_LANES), ==,
                     items * accesses);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_BYTES), ==,
                     4 * items * accesses);
}

/* Helpers share the groups, even if their turns end at any moment. */
static void test_helpers_share_groups(void)
{
    static const unsigned counts[] = { 1, 3, VEU_MAX_SLICES - 1 };
    Helpers h;

    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(counts); i++) {
        for (unsigned budget = 1; budget <= 1000; budget *= 10) {
            g_autoptr(Dev) d = sums_dev(&h, counts[i / 2], i % 2);

            dev_run_by(d, budget);
            assert_sums(d);
        }
    }
}

/* Helpers do not change %hw_id or the scratch offset. */
static void test_slots_do_not_depend_on_helpers(void)
{
    Code code = kernel_items();
    Helpers none, h;
    g_autoptr(Dev) alone = dev_running();
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel c = kernel_command(alone, &code, grid);

    kernel_command(d, &code, grid);
    helpers_add(alone, &none, 0, false);
    helpers_add(d, &h, VEU_MAX_SLICES - 1, true);
    run(alone, &c);
    run(d, &c);
    g_assert_true(test_memory_equal(&alone->host.memory, &d->host.memory));
}

/*
 * The test moves the device after each step of one piece, so the saved state is
 * all there is.
 */
static void test_it_continues_elsewhere_at_any_time(void)
{
    static const unsigned helpers[][2] = { { 0, 0 }, { 3, 0 }, { 0, 3 } };

    for (unsigned i = 0; i < G_N_ELEMENTS(helpers); i++) {
        Helpers h[2];
        Dev *d = sums_dev(&h[0], helpers[i][0], false);
        unsigned moves = 0;

        while (dev_step(d, 1) == VEU_STEP_MORE) {
            Dev *to = dev_destination(d);

            helpers_add(to, &h[1], helpers[i][1], false);
            state_move(d->device, to->device);
            dev_free(d);
            d = to;
            moves++;
        }
        g_assert_cmpuint(moves, >, i == 0 ? 500 : 50);
        assert_sums(d);
        dev_free(d);
    }
}

/* A device may be saved @times times when an EU thread has ended. */
static void check_saving(unsigned times)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code, grid);
    const VeuGroup *g = d->device->ring[0].launch->groups.group;

    DEV_PUSH(d, c);
    while (!g->begun || g->thread == 0) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    for (unsigned i = 0; i < times; i++) {
        g_byte_array_unref(state_save(d->device));
    }
    dev_run_by(d, 1);
    dev_assert_no_fault(d);
    for (unsigned n = 0; n < GROUPS * KERNEL_ITEMS; n++) {
        g_assert_cmphex(item(d, n).marker, ==, KERNEL_MARKER);
    }
}

static void test_saving_changes_nothing(void)
{
    for (unsigned times = 1; times < KERNEL_THREADS; times++) {
        check_saving(times);
    }
}

/*
 * EU threads of a host that watches none of them, which stop after any number
 * of pieces.
 */
static void test_threads_that_stop_continue_elsewhere(void)
{
    for (unsigned pieces = 1; pieces < 9; pieces++) {
        Dev *d = dev_running();
        Code code = kernel_items();
        struct veu_command_kernel c = kernel_command(d, &code, grid);
        unsigned moves = 0;

        d->host.host.events = 0;
        c.scratch_bytes = 1024;
        DEV_PUSH(d, c);
        while (dev_step(d, pieces) == VEU_STEP_MORE) {
            Dev *to = dev_destination(d);

            to->host.host.events = 0;
            state_move(d->device, to->device);
            dev_free(d);
            d = to;
            moves++;
        }
        g_assert_cmpuint(moves, >, 5);
        dev_assert_no_fault(d);
        for (unsigned n = 0; n < GROUPS * KERNEL_ITEMS; n++) {
            unsigned slot = n / KERNEL_ITEMS % 3 * KERNEL_THREADS +
                            n / 8 % KERNEL_THREADS;

            g_assert_cmpuint(item(d, n).slot, ==, slot);
            g_assert_cmpuint(item(d, n).scratch, ==, slot * 1024);
            g_assert_cmphex(item(d, n).marker, ==, KERNEL_MARKER);
        }
        dev_free(d);
    }
}

typedef struct Starts {
    const uint8_t *inputs; /* of the cross-thread data; local ids follow */
    const struct veu_command_kernel *command;
    unsigned count;
} Starts;

static Starts starts;

static void assert_zero(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        g_assert_cmphex(bytes[i], ==, 0);
    }
}

/* Compares what an EU thread starts with. */
static void check_start(VeuHost *host, const VeuEvent *e)
{
    const struct veu_command_kernel *c = starts.command;
    const VeuThread *t = e->eu;
    uint32_t grf = 32, ids = c->local_id_bytes, cross = c->cross_thread_bytes;
    uint32_t thread = e->thread % c->threads;

    if (e->kind != VEU_EVENT_THREAD || e->value) {
        return;
    }
    starts.count++;
    g_assert_cmpmem(t->registers + grf, ids,
                    starts.inputs + (KERNEL_IDS - DEV_PAYLOAD) + thread * ids,
                    ids);
    g_assert_cmpmem(t->registers + grf + ids, cross, starts.inputs, cross);
    assert_zero(t->registers + grf + ids + cross,
                CODE_HW_ID_AT - grf - ids - cross);
    assert_zero(t->registers, 4);
    assert_zero(t->registers + 8, 12);
    g_assert_cmpuint(t->registers[28], ==, e->thread / c->threads / 6);
    assert_zero((const uint8_t *)t->predicates, 4);
}

/* Ends with values in other registers, and in another predicate. */
static Code make_dirty(void)
{
    static const uint32_t places[] = { 0, 32, 100, 224, 256, 1024, 4000 };
    Code code = { 0 };

    for (unsigned n = 0; n < G_N_ELEMENTS(places); n++) {
        uint32_t all = code_variable(&code, places[n], 16, VEU_TYPE_UD);

        CODE_ADD(&code, "mov", size_nm(16), 0, 0, op_dst(all),
                 op_imm(VEU_TYPE_UD, UINT32_MAX));
    }
    CODE_ADD(&code, "cmp", size_m1(8), 0, 0, op_pred(1), op_imm(VEU_TYPE_UD, 1),
             op_imm(VEU_TYPE_UD, 1));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    return code;
}

static void test_threads_start_with_inputs_of_any_size(void)
{
    static const uint32_t sizes[] = { 0,  1,  8,   31,  32,  63,
                                      64, 65, 100, 128, 129, 192 };
    uint8_t inputs[0x2000];

    for (unsigned n = 0; n < sizeof(inputs); n++) {
        inputs[n] = n * 7 + n / 256;
    }
    for (unsigned n = 0; n < G_N_ELEMENTS(sizes) * G_N_ELEMENTS(sizes); n++) {
        g_autoptr(Dev) d = dev_running();
        Code code = make_dirty();
        struct veu_command_kernel c = kernel_command(d, &code, grid);

        test_memory_put(&d->host.memory, DEV_PAYLOAD, inputs, sizeof(inputs));
        c.local_id_bytes = sizes[n % G_N_ELEMENTS(sizes)];
        c.cross_thread_bytes = sizes[n / G_N_ELEMENTS(sizes)];
        starts = (Starts){ .inputs = inputs, .command = &c };
        d->host.host.event = check_start;
        dev_push(d, &c, 3);
        dev_run_by(d, 64);
        dev_assert_no_fault(d);
        g_assert_cmpuint(starts.count, ==, GROUPS * KERNEL_THREADS);
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
    run(d, &c);
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
        struct veu_command_kernel c = kernel_command(d, &code, grid);
        unsigned less = i % 2;

        d->host.host.events = i / 2 % 2 ? UINT32_MAX : 0;
        dev_setup(d);
        dev_ring_set(d, VEU_REG_RING_BUDGET,
                     GROUPS * KERNEL_THREADS * (2 + unit) - less);
        dev_enable(d);
        DEV_PUSH(d, c);
        g_assert_cmpint(dev_run(d), ==,
                        less ? VEU_STEP_STOPPED : VEU_STEP_IDLE);
        if (less) {
            dev_assert_fault(d, 1, VEU_FAULT_BUDGET, 0);
            g_assert_cmpuint(dev_record(d, 0).group, ==, GROUPS - 1);
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
        struct veu_command_kernel c = kernel_command(d, &code, grid);
        unsigned i = n / 2;
        uint64_t base = DEV_RAM + DEV_RAM_BYTES -
                        GROUPS * KERNEL_ITEMS * sizeof(KernelItem) / 2;
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
        g_assert_cmpuint(r.group, ==, GROUPS / 2);
        g_assert_cmpuint(r.thread, ==, 0);
        g_assert_cmphex(test_memory_get32(&d->host.memory, base + 8), ==,
                        KERNEL_MARKER);
    }
}

/* Memory is elsewhere after a flush, and the marker is greater. */
static void flush_and_move(VeuHost *host)
{
    TestMemory *m = &((TestHost *)host)->memory;
    uint64_t marker = DEV_PAYLOAD + 12;

    test_host_move((TestHost *)host);
    test_memory_put32(m, marker, test_memory_get32(m, marker) + 1);
}

static void (*host_note)(VeuHost *host, uint8_t *at);
static VeuMem *writer;

/* Each block counts like many. */
static void note_many(VeuHost *host, uint8_t *at)
{
    writer->writes += VEU_FLUSH_WRITES;
    host_note(host, at);
}

/*
 * All EU threads run in one step, which contains flushes: where their inputs
 * are is looked up again after each, so that some have each of the markers.
 */
static void test_inputs_may_move_in_a_flush(void)
{
    unsigned markers = 0;
    g_autoptr(Dev) d = dev_new();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 4, 4, 2 });

    d->host.host.flush = flush_and_move;
    host_note = d->host.host.note;
    d->host.host.note = note_many;
    writer = &d->device->ring[0].context.mem;
    dev_setup(d);
    dev_enable(d);
    dev_push(d, &c, 3);
    dev_run_by(d, 100000);
    dev_assert_no_fault(d);
    for (unsigned n = 0; n < 32 * KERNEL_ITEMS; n++) {
        uint32_t later = item(d, n).marker - item(d, 0).marker;

        g_assert_cmpuint(later, <, 8);
        markers |= 1u << later;
    }
    g_assert_cmphex(markers, >, 1);
    g_assert_cmphex(markers & (markers + 1), ==, 0);
}

/* Stores the dword at byte 64 of the registers to 16 dwords of surface 6. */
static struct veu_command_kernel row_of_a_surface(Dev *d)
{
    Code code = { .surface_count = 1 };
    uint32_t ids = code_variable(&code, 32, 16, VEU_TYPE_UW);
    uint32_t marker = code_variable(&code, 64, 1, VEU_TYPE_UD);
    uint32_t offsets = code_variable(&code, 128, 16, VEU_TYPE_UD);
    uint32_t data = code_variable(&code, 192, 16, VEU_TYPE_UD);
    Op t6 = { .class = VEU_OPERAND_STATE, .id = VEU_FIRST_SURFACE };
    struct veu_command_kernel c;

    CODE_ADD(&code, "shl", size_m1(16), 0, 0, op_dst(offsets), op_lanes(ids),
             op_imm(VEU_TYPE_UD, 2));
    CODE_ADD(&code, "mov", size_m1(16), 0, 0, op_dst(data), op_scalar(marker));
    CODE_ADD(&code, "movs", size_nm(1), 0, 0, t6, op_imm(VEU_TYPE_UD, 0));
    code_add_message(&code, &(TestMessage){ .kind = TEST_SCATTER4_SCALED,
                                            .exec = size_m1(16),
                                            .channels = 1,
                                            .surface = VEU_FIRST_SURFACE,
                                            .offset = test_immediate(0),
                                            .address = { offsets, 0 },
                                            .data = { data, 0 } });
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = kernel_command(d, &code, (uint32_t[]){ 4, 1, 1 });
    for (unsigned i = 0; i < 16; i++) {
        test_memory_put(&d->host.memory, KERNEL_IDS + 2 * i, &(uint16_t){ i },
                        sizeof(uint16_t));
    }
    c.threads = 1;
    c.simd = 16;
    c.last_exec_mask = 0xffff;
    c.surface_table = DEV_SURFACES;
    c.surface_count = 1;
    return c;
}

static void assert_row(Dev *d, uint64_t at, uint32_t value)
{
    for (unsigned i = 0; i < 16; i++) {
        g_assert_cmphex(test_memory_get32(&d->host.memory, at + 4 * i), ==,
                        value);
    }
}

/* Both kernels run in one step. */
static void run_both(Dev *d, const struct veu_command_kernel *a,
                     const struct veu_command_kernel *b)
{
    dev_push(d, a, 3);
    dev_push(d, b, 3);
    dev_run_by(d, 100000);
}

/*
 * What host code remembers of a surface does not outlive it, and not the entry
 * of the table either.
 */
static void test_surfaces_are_those_of_each_launch(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel one = row_of_a_surface(d), other;
    struct veu_command_load load = kernel_load(&one, 1);

    d->host.host.events = 0; /* with them, executors run messages */
    dev_buffer(d, 0, DEV_DATA, 64);
    dev_buffer(d, 1, DEV_DATA + 4096, 64);
    one = kernel_loaded(&one, 1);
    one.cross_thread_address = DEV_PAYLOAD + 8;
    other = one;
    other.surface_table += sizeof(struct veu_surface);
    other.cross_thread_address += sizeof(uint32_t);
    DEV_PUSH(d, load);
    run_both(d, &one, &other);
    dev_assert_no_fault(d);
    assert_row(d, DEV_DATA, KERNEL_ITEMS);
    assert_row(d, DEV_DATA + 4096, KERNEL_MARKER);
    other.surface_count = 0;
    run_both(d, &one, &other);
    g_assert_cmpuint(dev_record(d, 0).code, ==, VEU_FAULT_SURFACE_INDEX);
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
    run(d, &c);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_CONTRACT), ==,
                     2);
    event = test_host_last_event(&d->host, VEU_EVENT_CONTRACT);
    g_assert_cmpstr(event->name, ==, "barrier");
    g_assert_cmpuint(event->at, ==, next);
}

/* Any changed byte is refused, or gives a device that runs without harm. */
static void test_any_byte_of_a_state_may_be_wrong(void)
{
    Helpers h;
    g_autoptr(Dev) from = sums_dev(&h, 0, false);
    g_autoptr(Dev) to = NULL;
    g_autoptr(GByteArray) state = NULL;
    unsigned refused = 0;

    for (unsigned i = 0; i < 100; i++) {
        dev_step(from, 1);
    }
    state = state_save(from->device);
    to = dev_destination(from);
    to->keep_memory = true;
    for (guint at = 0; at < state->len; at += at < 1024 ? 1 : 31) {
        uint8_t mask = 1u << g_test_rand_int_range(0, 8);

        state->data[at] ^= mask;
        refused += state_load(to->device, state) != NULL;
        for (unsigned i = 0; i < 20; i++) {
            dev_step(to, 10);
        }
        state->data[at] ^= mask;
    }
    g_assert_cmpuint(refused, >, 100);
}

/*
 * An EU thread sets 16 elements of A0 after its predicates, then stores lane i
 * of predicate n to dword 8 * n + i.
 */
static Code make_operands(const uint8_t *predicates, unsigned count)
{
    Code code = { 0 };
    uint32_t at = code_variable(&code, 128, 8, VEU_TYPE_UD);
    uint32_t data = code_variable(&code, 160, 8, VEU_TYPE_UD);
    Op a0 = { .class = VEU_OPERAND_ADDRESS };

    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(at),
             op_imm(VEU_TYPE_UV, 0x76543210));
    CODE_ADD(&code, "shl", size_m1(8), 0, 0, op_dst(at), op_lanes(at),
             op_imm(VEU_TYPE_UD, 2));
    for (unsigned n = 0; n < count; n++) {
        CODE_ADD(&code, "setp", size_nm(32), 0, 0, op_pred(1 + n),
                 op_imm(VEU_TYPE_UD, predicates[n]));
    }
    for (a0.column = 0; a0.column < 16; a0.column++) {
        CODE_ADD(&code, "addr_add", size_nm(1), 0, 0, a0, op_scalar(data),
                 op_imm(VEU_TYPE_UW, 0));
    }
    for (unsigned n = 0; n < count; n++) {
        CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(data),
                 op_imm(VEU_TYPE_UD, 0));
        CODE_ADD(&code, "mov", size_m1(8), 1 + n, 0, op_dst(data),
                 op_imm(VEU_TYPE_UD, 1));
        code_add_message(&code,
                         &(TestMessage){ .kind = TEST_SCATTER_SCALED,
                                         .exec = TEST_LANES_8,
                                         .num_blocks = 2,
                                         .surface = 5,
                                         .offset = test_immediate(32 * n),
                                         .address = { at, 0 },
                                         .data = { data, 0 } });
    }
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    return code;
}

static void test_address_variables_are_beside_predicates(void)
{
    static const uint8_t predicates[] = { 0xa5, 0x3c, 0x0f, 0x71 };
    g_autoptr(Dev) d = dev_running();
    Code code = make_operands(predicates, G_N_ELEMENTS(predicates));
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 1, 1, 1 });

    c.threads = 1;
    run(d, &c);
    for (unsigned i = 0; i < 8 * G_N_ELEMENTS(predicates); i++) {
        g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA + 4 * i),
                         ==, predicates[i / 8] >> i % 8 & 1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/kernel/groups-begin-a-row-after-the-last-of-the-row",
                    test_groups_begin_a_row_after_the_last_of_the_row);
    g_test_add_func("/kernel/a-barrier-waits-for-the-slowest",
                    test_a_barrier_waits_for_the_slowest);
    g_test_add_func("/kernel/samplers-end-with-the-kernel",
                    test_samplers_end_with_the_kernel);
    g_test_add_func("/kernel/local-memory-is-poisoned",
                    test_local_memory_is_poisoned);
    g_test_add_func("/kernel/saving-changes-nothing",
                    test_saving_changes_nothing);
    g_test_add_func("/kernel/a-wide-hw-id-ends-with-zeros",
                    test_a_wide_hw_id_ends_with_zeros);
    g_test_add_func("/kernel/scratch-memory-without-hw-id",
                    test_scratch_memory_without_hw_id);
    g_test_add_func("/kernel/starts-and-ends-are-events-of-their-own",
                    test_starts_and_ends_are_events_of_their_own);
    g_test_add_func("/kernel/nothing-runs-after-inputs-that-exceed-the-budget",
                    test_nothing_runs_after_inputs_that_exceed_the_budget);
    g_test_add_func("/kernel/each-item-has-its-ids",
                    test_each_item_has_its_ids);
    g_test_add_func("/kernel/a-range-begins-at-its-first-group",
                    test_a_range_begins_at_its_first_group);
    g_test_add_func("/kernel/the-last-thread-has-a-mask-of-its-own",
                    test_the_last_thread_has_a_mask_of_its_own);
    g_test_add_func("/kernel/threads-wait-at-barriers",
                    test_threads_wait_at_barriers);
    g_test_add_func("/kernel/local-memory-is-counted-like-other-memory",
                    test_local_memory_is_counted_like_other_memory);
    g_test_add_func("/kernel/helpers-share-groups", test_helpers_share_groups);
    g_test_add_func("/kernel/slots-do-not-depend-on-helpers",
                    test_slots_do_not_depend_on_helpers);
    g_test_add_func("/kernel/it-continues-elsewhere-at-any-time",
                    test_it_continues_elsewhere_at_any_time);
    g_test_add_func("/kernel/threads-start-with-inputs-of-any-size",
                    test_threads_start_with_inputs_of_any_size);
    g_test_add_func("/kernel/threads-that-stop-continue-elsewhere",
                    test_threads_that_stop_continue_elsewhere);
    g_test_add_func("/kernel/threads-that-spin-let-others-run",
                    test_threads_that_spin_let_others_run);
    g_test_add_func("/kernel/a-turn-ends-with-the-thread-that-has-begun",
                    test_a_turn_ends_with_the_thread_that_has_begun);
    g_test_add_func("/kernel/no-thread-begins-when-the-budget-is-used-up",
                    test_no_thread_begins_when_the_budget_is_used_up);
    g_test_add_func("/kernel/a-budget-is-enough-or-not",
                    test_a_budget_is_enough_or_not);
    g_test_add_func("/kernel/a-fault-stops-what-the-policy-says",
                    test_a_fault_stops_what_the_policy_says);
    g_test_add_func("/kernel/threads-that-end-are-not-waited-for",
                    test_threads_that_end_are_not_waited_for);
    g_test_add_func("/kernel/address-variables-are-beside-predicates",
                    test_address_variables_are_beside_predicates);
    g_test_add_func("/kernel/inputs-may-move-in-a-flush",
                    test_inputs_may_move_in_a_flush);
    g_test_add_func("/kernel/surfaces-are-those-of-each-launch",
                    test_surfaces_are_those_of_each_launch);
    g_test_add_func("/kernel/any-byte-of-a-state-may-be-wrong",
                    test_any_byte_of_a_state_may_be_wrong);
    return g_test_run();
}
