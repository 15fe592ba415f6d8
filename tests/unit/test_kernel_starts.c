/*
 * veu unit tests: what the EU threads of a KERNEL start with: docs/spec.md,
 * "KERNEL".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/model.h"
#include "tests/lib/kernel_builder.h"

/* Programs use %hw_id with scratch memory and without. */
static void check_ids(uint32_t scratch_bytes)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code, kernel_grid);

    c.scratch_bytes = scratch_bytes;
    kernel_run(d, &c);
    for (unsigned n = 0; n < KERNEL_GROUPS * KERNEL_ITEMS; n++) {
        KernelItem i = kernel_item(d, n);

        g_assert_cmpuint(i.slot, ==, kernel_slot(n));
        g_assert_cmpuint(i.scratch, ==, kernel_slot(n) * scratch_bytes);
        g_assert_cmphex(i.marker, ==, KERNEL_MARKER);
        g_assert_cmpuint(i.group_z, ==, n / KERNEL_ITEMS / 6);
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
    c = kernel_command(d, &code, kernel_grid);
    test_memory_get(&d->host.memory, PREDEFINED, &s, sizeof(s));
    test_memory_put(&d->host.memory, DEV_PROGRAM + s.offset + sizeof(hw_id),
                    &hw_id, sizeof(hw_id));
    d->host.host.event = check_wide_hw_id;
    d->host.host.events = 1u << VEU_EVENT_THREAD;
    wide_starts = 0;
    kernel_run(d, &c);
    g_assert_cmpuint(wide_starts, ==, KERNEL_GROUPS * KERNEL_THREADS);
}

/* The place of scratch memory is in r0.5, whether %hw_id is used or not. */
static void test_scratch_memory_without_hw_id(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c;
    struct veu_section s;

    code.has_no_clock = true;
    c = kernel_command(d, &code, kernel_grid);
    test_memory_get(&d->host.memory, PREDEFINED, &s, sizeof(s));
    s.bytes = sizeof(struct veu_predefined);
    test_memory_put(&d->host.memory, PREDEFINED, &s, sizeof(s));
    c.scratch_bytes = 1024;
    kernel_run(d, &c);
    for (unsigned n = 0; n < KERNEL_GROUPS * KERNEL_ITEMS; n++) {
        g_assert_cmpuint(kernel_item(d, n).slot, ==, 0);
        g_assert_cmpuint(kernel_item(d, n).scratch, ==, kernel_slot(n) * 1024);
    }
}

/* A host that wants no other events is told of each EU thread's start. */
static void test_starts_and_ends_are_events_of_their_own(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code, kernel_grid);

    d->host.host.events = 1u << VEU_EVENT_THREAD;
    test_host_clear_log(&d->host);
    kernel_run(d, &c);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_THREAD), ==,
                     2 * KERNEL_GROUPS * KERNEL_THREADS);
}

/* The program takes the grid to be wider, so that rows do not touch. */
static void test_groups_begin_a_row_after_the_last_of_the_row(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 3, 2, 1 });

    test_memory_put32(&d->host.memory, c.cross_thread_address, 5);
    kernel_run(d, &c);
    for (unsigned n = 0; n < 10; n++) {
        g_assert_cmphex(kernel_item(d, n * KERNEL_ITEMS).marker, ==,
                        n % 5 < 3 ? KERNEL_MARKER : 0);
    }
}

/* Other launches have samplers of zero bytes. */
static void test_samplers_end_with_the_kernel(void)
{
    static const struct veu_sampler zeros;
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code, kernel_grid);
    const VeuSlice *s = &d->device->ring[0].launch->slice[0];
    TestMessage fence = { .kind = TEST_FENCE };
    struct veu_command_dispatch dispatch;

    c.samplers[0].filter = VEU_FILTER_LINEAR;
    kernel_run(d, &c);
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
    kernel_run(d, &c);
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
    struct veu_command_kernel c = kernel_command(d, &code, kernel_grid);

    c.first_group[0] = 1;
    c.first_group[2] = 1;
    c.group_count[0] = 2;
    c.group_count[1] = 1;
    c.group_count[2] = 1;
    kernel_run(d, &c);
    for (unsigned n = 0; n < KERNEL_GROUPS * KERNEL_ITEMS; n++) {
        unsigned group = n / KERNEL_ITEMS;
        bool runs = group == 7 || group == 8;

        g_assert_cmphex(kernel_item(d, n).marker, ==, runs ? KERNEL_MARKER : 0);
        g_assert_cmpuint(kernel_item(d, n).group_z, ==, runs);
    }
}

static void test_the_last_thread_has_a_mask_of_its_own(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 1, 1, 1 });

    c.last_exec_mask = 0xfffffff5;
    kernel_run(d, &c);
    for (unsigned n = 0; n < KERNEL_ITEMS; n++) {
        bool runs = n < 24 || (0xf5 >> n % 8 & 1);

        g_assert_cmphex(kernel_item(d, n).marker, ==, runs ? KERNEL_MARKER : 0);
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
        struct veu_command_kernel c = kernel_command(d, &code, kernel_grid);

        test_memory_put(&d->host.memory, DEV_PAYLOAD, inputs, sizeof(inputs));
        c.local_id_bytes = sizes[n % G_N_ELEMENTS(sizes)];
        c.cross_thread_bytes = sizes[n / G_N_ELEMENTS(sizes)];
        starts = (Starts){ .inputs = inputs, .command = &c };
        d->host.host.event = check_start;
        dev_push(d, &c, 3);
        dev_run_by(d, 64);
        dev_assert_no_fault(d);
        g_assert_cmpuint(starts.count, ==, KERNEL_GROUPS * KERNEL_THREADS);
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
        uint32_t later = kernel_item(d, n).marker - kernel_item(d, 0).marker;

        g_assert_cmpuint(later, <, 8);
        markers |= 1u << later;
    }
    g_assert_cmphex(markers, >, 1);
    g_assert_cmphex(markers & (markers + 1), ==, 0);
}

/* Appends a store of a dword of each lane at byte @offsets of surface 6. */
static void add_surface_store(Code *code, unsigned size, uint32_t offsets,
                              uint32_t data)
{
    code_add_message(code, &(TestMessage){ .kind = TEST_SCATTER4_SCALED,
                                           .exec = size,
                                           .channels = 1,
                                           .surface = VEU_FIRST_SURFACE,
                                           .offset = test_immediate(0),
                                           .address = { offsets, 0 },
                                           .data = { data, 0 } });
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
    add_surface_store(&code, size_m1(16), offsets, data);
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

/*
 * Each lane computes a product that shows how floats are rounded, plus one that
 * shows whether subnormal numbers are kept. All lanes, also those that do not
 * run, store theirs to a dword of surface 6. Then the EU thread changes %cr0
 * and the surface.
 */
static struct veu_command_kernel modes_and_a_surface(Dev *d)
{
    Code code = { .surface_count = 1 };
    uint32_t ids = code_variable(&code, 32, 8, VEU_TYPE_UW);
    uint32_t offsets = code_variable(&code, 128, 8, VEU_TYPE_UD);
    uint32_t data = code_variable(&code, 160, 8, VEU_TYPE_F);
    uint32_t other = code_variable(&code, 192, 8, VEU_TYPE_F);
    uint32_t sum = code_variable(&code, 160, 8, VEU_TYPE_UD);
    uint32_t term = code_variable(&code, 192, 8, VEU_TYPE_UD);
    Op t6 = { .class = VEU_OPERAND_STATE, .id = VEU_FIRST_SURFACE };
    struct veu_command_kernel c;

    CODE_ADD(&code, "shl", size_nm(8), 0, 0, op_dst(offsets), op_lanes(ids),
             op_imm(VEU_TYPE_UD, 2));
    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(data),
             op_imm(VEU_TYPE_F, 0x3f800001));
    CODE_ADD(&code, "mul", size_m1(8), 0, 0, op_dst(data), op_lanes(data),
             op_lanes(data));
    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(other),
             op_imm(VEU_TYPE_F, 0x00800000));
    CODE_ADD(&code, "mul", size_m1(8), 0, 0, op_dst(other), op_lanes(other),
             op_imm(VEU_TYPE_F, 0x3f000000));
    CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(sum), op_lanes(sum),
             op_lanes(term));
    add_surface_store(&code, size_nm(8), offsets, data);
    CODE_ADD(&code, "movs", size_nm(1), 0, 0, t6, op_imm(VEU_TYPE_UD, 1));
    CODE_ADD(&code, "or", size_nm(1), 0, 0, op_dst(VEU_PREDEFINED_CR0),
             op_scalar(VEU_PREDEFINED_CR0), op_imm(VEU_TYPE_UD, 0x4d0));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = kernel_command(d, &code, (uint32_t[]){ 1, 1, 1 });
    c.surface_table = DEV_SURFACES;
    c.surface_count = 2;
    return c;
}

/*
 * All EU threads run in one step: what one has set is not what the next one
 * starts with, nor are its lanes. %cr0 rounds to nearest and flushes subnormal
 * numbers then. Half of the lanes of the last one start: the others store 0.
 */
static void test_modes_surface_and_lanes_are_those_of_each_thread(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel c = modes_and_a_surface(d);

    d->host.host.events = 0; /* with them, executors run messages */
    c.last_exec_mask = 0x0f;
    dev_buffer(d, 0, DEV_DATA, 4096);
    dev_buffer(d, 1, DEV_DATA + 4096, 4096);
    dev_push(d, &c, 3);
    dev_run_by(d, 100000);
    dev_assert_no_fault(d);
    for (unsigned i = 0; i < KERNEL_ITEMS; i++) {
        uint64_t at = DEV_DATA + 4 * i;

        g_assert_cmphex(test_memory_get32(&d->host.memory, at), ==,
                        i < KERNEL_ITEMS - 4 ? 0x3f800002 : 0);
        g_assert_cmphex(test_memory_get32(&d->host.memory, at + 4096), ==, 0);
    }
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
        kernel_add_store(&code, 5, at, 32 * n, data);
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
    kernel_run(d, &c);
    for (unsigned i = 0; i < 8 * G_N_ELEMENTS(predicates); i++) {
        g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA + 4 * i),
                         ==, predicates[i / 8] >> i % 8 & 1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func(
        "/kernel_starts/groups-begin-a-row-after-the-last-of-the-row",
        test_groups_begin_a_row_after_the_last_of_the_row);
    g_test_add_func("/kernel_starts/samplers-end-with-the-kernel",
                    test_samplers_end_with_the_kernel);
    g_test_add_func("/kernel_starts/local-memory-is-poisoned",
                    test_local_memory_is_poisoned);
    g_test_add_func("/kernel_starts/a-wide-hw-id-ends-with-zeros",
                    test_a_wide_hw_id_ends_with_zeros);
    g_test_add_func("/kernel_starts/scratch-memory-without-hw-id",
                    test_scratch_memory_without_hw_id);
    g_test_add_func("/kernel_starts/starts-and-ends-are-events-of-their-own",
                    test_starts_and_ends_are_events_of_their_own);
    g_test_add_func("/kernel_starts/each-item-has-its-ids",
                    test_each_item_has_its_ids);
    g_test_add_func("/kernel_starts/a-range-begins-at-its-first-group",
                    test_a_range_begins_at_its_first_group);
    g_test_add_func("/kernel_starts/the-last-thread-has-a-mask-of-its-own",
                    test_the_last_thread_has_a_mask_of_its_own);
    g_test_add_func("/kernel_starts/threads-start-with-inputs-of-any-size",
                    test_threads_start_with_inputs_of_any_size);
    g_test_add_func("/kernel_starts/address-variables-are-beside-predicates",
                    test_address_variables_are_beside_predicates);
    g_test_add_func("/kernel_starts/inputs-may-move-in-a-flush",
                    test_inputs_may_move_in_a_flush);
    g_test_add_func(
        "/kernel_starts/modes-surface-and-lanes-are-those-of-each-thread",
        test_modes_surface_and_lanes_are_those_of_each_thread);
    g_test_add_func("/kernel_starts/surfaces-are-those-of-each-launch",
                    test_surfaces_are_those_of_each_launch);
    return g_test_run();
}
