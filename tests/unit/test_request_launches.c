/*
 * veu unit tests: recoverable faults of launches: which of their groups wait,
 * what they ask for, and how it is shown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "open_requests.h"
#include "requests.h"
#include "svm_launches.h"
#include "tests/lib/kernel_builder.h"

/* The lanes of one EU thread are @distance bytes from each other in TARGET. */
static void put_lanes(Dev *d, uint64_t distance)
{
    for (unsigned lane = 0; lane < 8; lane++) {
        put_lane(d, 0, lane, VA(TARGET) + lane * distance);
    }
}

/* No lane of a message is performed before all of its pages are present. */
static void test_a_message_asks_for_all_of_its_lanes(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = scatter(d, 1);

    for (unsigned lane = 0; lane < 8; lane++) {
        put_lane(d, 0, lane, VA(TARGET) + lane % 4 * 4096 + lane * 4);
    }
    for (unsigned i = 1; i < 4; i++) {
        unmap(&t, VA(TARGET) + i * 4096);
    }
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 3);
    for (unsigned i = 0; i < 3; i++) {
        g_assert_cmphex(record(d, i).address, ==, VA(TARGET) + (i + 1) * 4096);
        g_assert_cmpuint(record(d, i).group, ==, 0);
        g_assert_cmpuint(record(d, i).thread, ==, 0);
    }
    g_assert_cmphex(test_memory_get32(&d->host.memory, TARGET), ==, 0);
    serve(d, &t);
    dev_run(d);
    dev_assert_no_fault(d);
    for (unsigned lane = 0; lane < 8; lane++) {
        g_assert_cmphex(test_memory_get32(&d->host.memory,
                                          TARGET + lane % 4 * 4096 + lane * 4),
                        ==, 0x100 + lane);
    }
}

/* A waiting group does not keep others from running, and 8 can wait at once. */
static void test_other_groups_continue(void)
{
    enum {
        GROUPS = 12
    };
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = scatter(d, GROUPS);

    for (unsigned group = 0; group < GROUPS; group++) {
        for (unsigned lane = 0; lane < 8; lane++) {
            put_lane(d, group, lane, VA(TARGET) + group * 4096 + lane * 4);
        }
        if (group < 7) {
            unmap(&t, VA(TARGET) + group * 4096);
        }
    }
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 7);
    for (unsigned group = 7; group < GROUPS; group++) {
        g_assert_cmphex(test_memory_get32(&d->host.memory,
                                          TARGET + group * 4096),
                        ==, 0x100 * (group + 1));
    }
    g_assert_cmpuint(serve(d, &t), ==, 7);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 2);
    for (unsigned group = 0; group < GROUPS; group++) {
        g_assert_cmphex(test_memory_get32(&d->host.memory,
                                          TARGET + group * 4096),
                        ==, 0x100 * (group + 1));
    }
}

/* A refused message faults as it would without requests. */
static void test_a_refused_message(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = scatter(d, 1);

    for (unsigned lane = 0; lane < 8; lane++) {
        put_lane(d, 0, lane, VA(TARGET) + lane % 2 * 4096 + lane * 4);
    }
    unmap(&t, VA(TARGET) + 4096);
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    respond(d, record(d, 0).id, VEU_RESPONSE_REFUSED);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmphex(dev_record(d, 0).lanes, ==, 0xaa);
    g_assert_cmphex(test_memory_get32(&d->host.memory, TARGET), ==, 0x100);
}

/* One request has all pages of a result, as of a message. */
static void test_a_result_asks_for_all_of_its_pages(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = scatter(d, 1);

    put_lanes(d, 4);
    c.launch.result_address = VA(DEV_RESULT) + 4096 - 16;
    c.launch.result_bytes = 32;
    for (unsigned i = 0; i < 2; i++) {
        unmap(&t, VA(DEV_RESULT) + i * 4096);
    }
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 2);
    for (unsigned i = 0; i < 2; i++) {
        g_assert_cmphex(record(d, i).address, ==, VA(DEV_RESULT) + i * 4096);
        g_assert_cmpuint(record(d, i).access, ==, VEU_ACCESS_WRITE);
    }
    g_assert_cmpuint(serve(d, &t), ==, 1);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(queue_tail(d), ==, 2);
}

/* Misses of messages and of payloads are faults as well. */
static void test_a_launch_whose_queue_is_outside_of_ram(void)
{
    for (unsigned payload = 0; payload < 2; payload++) {
        TestTables t;
        g_autoptr(Dev) d = make_asking(&t);
        struct veu_command_dispatch c = scatter(d, 1);

        put_lane(d, 0, 0, VA(TARGET));
        context_write(d, VEU_REG_CONTEXT_QUEUE, DEV_HOLE, 8);
        unmap(&t, payload ? VA(DEV_PAYLOAD) : VA(TARGET));
        dev_enable(d);
        DEV_PUSH(d, c);
        for (unsigned i = 0; i < 100; i++) {
            dev_step(d, 1);
        }
        dev_assert_fault(d, 1,
                         payload ? VEU_FAULT_PAYLOAD_MEMORY : VEU_FAULT_ADDRESS,
                         VEU_WALK_NOT_VALID | 1 << 8);
    }
}

/* A launch that consists of one piece also waits for its payload. */
static void test_a_launch_of_one_message_waits(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = scatter(d, 1);

    put_lanes(d, 4);
    unmap(&t, VA(DEV_PAYLOAD));
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmpuint(serve(d, &t), ==, 1);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmphex(test_memory_get32(&d->host.memory, TARGET), ==, 0x100);
}

/* The payload is in the very last page; the next page would be the first. */
static void test_a_payload_at_the_end_of_the_address_space(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = scatter(d, 1);

    c.launch.payload_address = -UINT64_C(4096);
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_PAYLOAD_MEMORY);
    g_assert_cmpuint(queue_tail(d), ==, 0);
}

/* A piece is charged and counted once, however often it has asked. */
static void test_what_has_asked_costs_once(void)
{
    static const struct {
        uint32_t budget;
        uint32_t fault;
    } cases[] = { { 3, VEU_FAULT_NONE }, { 2, VEU_FAULT_BUDGET } };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        TestTables t;
        g_autoptr(Dev) d = make_asking(&t);
        struct veu_command_dispatch c = scatter(d, 1);

        put_lanes(d, 4096);
        unmap_all(&t);
        c.launch.result_address = VA(DEV_RESULT);
        c.launch.result_bytes = 32;
        dev_ring_set(d, VEU_REG_RING_BUDGET, cases[i].budget);
        dev_enable(d);
        DEV_PUSH(d, c);
        for (unsigned step = 0; step < 20; step++) {
            dev_run(d);
            serve(d, &t);
        }
        g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                         cases[i].fault);
        g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_MESSAGES), ==, 1);
        g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_LANES), ==, 8);
        g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_BYTES), ==, 32);
    }
}

/* A gather of the first surface, whose variables the program has now. */
static TestMessage gather_of_table(Dev *d)
{
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    d->program.header.register_bytes = 64;
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_variable(&d->program, 32, 8, VEU_TYPE_UD);
    m.surface = 6;
    m.address.id = 32;
    m.data.id = 33;
    m.channels = 1;
    return m;
}

/* More messages than one piece decodes, and a surface table that is refused. */
static void test_a_refused_surface_table(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    TestMessage m = gather_of_table(d);
    struct veu_command_dispatch c;

    for (unsigned i = 0; i < 200; i++) {
        test_program_add(&d->program, &m);
    }
    dev_buffer(d, 0, VA(GATHER_PAGE), 32);
    c = dev_dispatch(d);
    c.launch.code_address = VA(DEV_PROGRAM);
    c.launch.surface_table = VA(DEV_SURFACES);
    c.launch.surface_count = 1;
    unmap(&t, VA(DEV_SURFACES));
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    set_head(d, 1);
    respond(d, record(d, 0).id, VEU_RESPONSE_REFUSED);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_SURFACE_TABLE,
                     VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmpuint(queue_tail(d), ==, 1);
}

/* A request has the pages of a program, and none after its end. */
static void test_a_program_asks_for_all_of_its_pages(void)
{
    for (unsigned first = 0; first < 2; first++) {
        TestTables t;
        g_autoptr(Dev) d = make_asking(&t);
        TestMessage m = eu_message(TEST_FENCE);
        struct veu_command_dispatch c;

        while (dev_dispatch(d).launch.code_bytes <= 4096) {
            for (unsigned i = 0; i < 100; i++) {
                test_program_add(&d->program, &m);
            }
        }
        c = dev_dispatch(d);
        g_assert_cmpuint(c.launch.code_bytes, <=, 8192);
        c.launch.code_address = VA(DEV_PROGRAM);
        for (unsigned page = first; page < 4; page++) {
            unmap(&t, VA(DEV_PROGRAM) + page * 4096);
        }
        dev_enable(d);
        DEV_PUSH(d, c);
        dev_run(d);
        g_assert_cmpuint(queue_tail(d), ==, 2 - first);
        for (unsigned i = 0; i < 2 - first; i++) {
            g_assert_cmphex(record(d, i).address, ==,
                            VA(DEV_PROGRAM) + (first + i) * 4096);
        }
        g_assert_cmpuint(serve(d, &t), ==, 1);
        dev_run(d);
        dev_assert_no_fault(d);
    }
}

/* What can be read, and is illegal, waits for nothing. */
static void test_an_illegal_descriptor_faults(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    TestMessage m = gather_of_table(d);
    struct veu_surface bad = { .type = 0xff };
    struct veu_command_dispatch c;

    test_program_add(&d->program, &m);
    dev_surface(d, 0, &bad);
    c = dev_dispatch(d);
    c.launch.code_address = VA(DEV_PROGRAM);
    c.launch.surface_table = VA(DEV_SURFACES);
    c.launch.surface_count = 1;
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_SURFACE_FIELD,
                     offsetof(struct veu_surface, type));
    g_assert_cmpuint(queue_tail(d), ==, 0);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
}

/* A block that crosses a page asks for both of its pages. */
static void test_a_block_asks_for_all_of_its_pages(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    TestMessage m = eu_message(TEST_SVM_BLOCK_ST);
    struct veu_command_dispatch c;

    d->program.header.register_bytes = 128;
    test_program_variable(&d->program, 0, 32, VEU_TYPE_UD);
    m.offset = (TestScalar){ .tag = TEST_CLASS_IMMEDIATE,
                             .type = VEU_TYPE_UQ,
                             .value = VA(TARGET) + 4096 - 64 };
    m.data.id = 32;
    m.size = 3; /* 8 owords */
    test_program_add(&d->program, &m);
    c = dev_dispatch(d);
    c.launch.code_address = VA(DEV_PROGRAM);
    unmap(&t, VA(TARGET));
    unmap(&t, VA(TARGET) + 4096);
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(queue_tail(d), ==, 2);
    g_assert_cmphex(record(d, 0).id, ==, record(d, 1).id);
    g_assert_cmphex(record(d, 0).address, ==, VA(TARGET));
    g_assert_cmphex(record(d, 1).address, ==, VA(TARGET) + 4096);
}

/* Each row of a media block is in a page of its own. */
static void test_a_media_block_asks_for_all_of_its_rows(void)
{
    const struct veu_surface surface = {
        .base = VA(TARGET),
        .format = VEU_FORMAT_R8_UNORM,
        .type = VEU_SURFACE_2D,
        .width = 64,
        .height = 3,
        .pitch = 4096,
        .levels = 1,
    };
    TestMessage m = eu_message(TEST_MEDIA_ST);
    struct veu_command_dispatch c;
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    d->program.header.register_bytes = 128;
    test_program_variable(&d->program, 0, 32, VEU_TYPE_UD);
    m.surface = 6;
    m.data.id = 32;
    m.width = 4;
    m.height = 3;
    m.offset = test_immediate(0);
    m.y = test_immediate(0);
    test_program_add(&d->program, &m);
    dev_surface(d, 0, &surface);
    c = dev_dispatch(d);
    c.launch.code_address = VA(DEV_PROGRAM);
    c.launch.surface_table = VA(DEV_SURFACES);
    c.launch.surface_count = 1;
    for (unsigned row = 0; row < 3; row++) {
        unmap(&t, VA(TARGET) + row * 4096);
    }
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(queue_tail(d), ==, 3);
    g_assert_cmpuint(serve(d, &t), ==, 1);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 2);
}

/* Maps what each record asks for and nothing else, in addition to the rest. */
static void serve_to_the_letter(Dev *d, TestTables *t)
{
    static const uint64_t bits[] = {
        [VEU_ACCESS_READ] = READ, [VEU_ACCESS_WRITE] = WRITE
    };

    while (queue_head(d) != queue_tail(d)) {
        struct veu_request r = record(d, queue_head(d));
        uint64_t old = test_memory_get64(t->memory,
                                         test_tables_entry(t, r.address, 1));

        set_head(d, queue_head(d) + 1);
        test_tables_map(t, r.address, r.address - BASE + DEV_RAM,
                        (old & (READ | WRITE)) | VALID | bits[r.access]);
        respond(d, r.id, 0);
    }
}

/* An atomic asks for what it lacks: docs/spec.md, DEV-3.11. */
static void test_an_atomic_asks_for_both_permissions(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = increments(d);

    unmap(&t, VA(DEV_DATA));
    dev_enable(d);
    DEV_PUSH(d, c);
    for (unsigned i = 0; i < 8; i++) {
        dev_run(d);
        serve_to_the_letter(d, &t);
    }
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 2);
    g_assert_cmpuint(queue_tail(d), ==, 2);
    g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA), ==, 1);
}

/* Lanes whose page is there are counted with those that wait. */
static void test_a_message_that_waits_counts_once(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = scatter(d, 1);

    put_lanes(d, 1024);
    unmap(&t, VA(TARGET) + 4096);
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_MESSAGES), ==, 0);
    serve(d, &t);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_MESSAGES), ==, 1);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_LANES), ==, 8);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_BYTES), ==, 8 * 4);
}

/* A lane that is not aligned faults whether its page is there or not. */
static void test_a_lane_that_is_not_aligned_asks_for_nothing(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = scatter(d, 1);

    for (unsigned lane = 0; lane < 8; lane++) {
        put_lane(d, 0, lane, VA(TARGET) + 1);
    }
    unmap(&t, VA(TARGET));
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_ALIGNMENT, 0);
    g_assert_cmpuint(queue_tail(d), ==, 0);
}

/* A misaligned lane has no detail, even if other lanes lack its page. */
static void test_a_lane_that_is_not_aligned_has_no_detail(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    struct veu_command_dispatch c = scatter(d, 1);

    put_lanes(d, 4);
    put_lane(d, 0, 0, VA(TARGET) + 1);
    unmap(&t, VA(TARGET));
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_ALIGNMENT, 0);
}

/* Four messages that store to byte @offset of stateless memory. */
static struct veu_command_dispatch four_stores(Dev *d, uint32_t offset)
{
    TestMessage m = eu_message(TEST_SCATTER_SCALED);
    struct veu_command_dispatch c;

    d->program.header.register_bytes = 64;
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_variable(&d->program, 32, 8, VEU_TYPE_UD);
    m.exec = TEST_LANES_8;
    m.num_blocks = 2;
    m.surface = 5;
    m.offset = test_immediate(offset);
    m.address.id = 32;
    m.data.id = 33;
    for (unsigned i = 0; i < 4; i++) {
        test_program_add(&d->program, &m);
    }
    c = dev_dispatch(d);
    c.launch.code_address = VA(DEV_PROGRAM);
    c.launch.stateless_base = VA(DEV_DATA);
    c.launch.stateless_bytes = 8192;
    return c;
}

/* Messages that a fast path executes together. */
static void test_each_message_is_an_event(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    struct veu_command_dispatch c = four_stores(d, 0);

    dev_enable(d);
    d->host.host.events = 1u << VEU_EVENT_MESSAGE;
    test_host_clear_log(&d->host);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_MESSAGE), ==,
                     4);
}

/* A page that a surface has, but no message accesses, is not requested. */
static void test_a_result_requests_only_its_own_pages(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = four_stores(d, 4096);

    d->host.host.events = 0;
    c.launch.result_address = -UINT64_C(4096);
    c.launch.result_bytes = 32;
    unmap(&t, VA(DEV_DATA));
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run_by(d, LONG_STEP);
    g_assert_cmpuint(queue_tail(d), ==, 0);
    g_assert_cmpuint(dev_record(d, 0).code, ==, VEU_FAULT_RESULT_MEMORY);
}

/* A launch whose message and whose result are in pages that are missing. */
static void push_two_pieces(Dev *d, TestTables *t)
{
    struct veu_command_dispatch c = scatter(d, 1);

    put_lanes(d, 4);
    c.launch.result_address = VA(DEV_RESULT);
    c.launch.result_bytes = 32;
    unmap(t, VA(TARGET));
    unmap(t, VA(DEV_RESULT));
    dev_enable(d);
    DEV_PUSH(d, c);
}

/* The refused message finds its page, and the result may ask for another. */
static void test_a_refusal_is_for_one_piece(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    push_two_pieces(d, &t);
    dev_run(d);
    set_head(d, 1);
    test_tables_map(&t, VA(TARGET), TARGET, ALL);
    respond(d, record(d, 0).id, VEU_RESPONSE_REFUSED);
    dev_run_by(d, LONG_STEP);
    dev_assert_no_fault(d);
    g_assert_cmpuint(queue_tail(d), ==, 2);
    g_assert_cmphex(record(d, 1).address, ==, VA(DEV_RESULT));
}

/* Records have the number of requests of the piece, not of the EU thread. */
static void test_each_piece_counts_its_requests(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    push_two_pieces(d, &t);
    check_asked(d, &t);
}

/* A message that equals the one before a reset makes its first request. */
static void test_a_message_after_a_reset_asks_for_the_first_time(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    TestMessage m = eu_message(TEST_SVM_BLOCK_ST);
    struct veu_command_message c;

    m.offset = (TestScalar){ .tag = TEST_CLASS_IMMEDIATE,
                             .type = VEU_TYPE_UQ,
                             .value = VA(TARGET) };
    m.data.id = 32;
    m.size = 1;
    c = dev_message(&m);
    c.launch.variable_count = 1;
    c.variables[0] = (struct veu_variable){ 0, 8, VEU_TYPE_UD, 0 };
    unmap(&t, VA(TARGET));
    for (unsigned i = 0; i < 2; i++) {
        dev_enable(d);
        DEV_PUSH(d, c);
        dev_run(d);
        dev_assert_no_fault(d);
        g_assert_cmpuint(queue_tail(d), ==, i + 1);
        g_assert_cmpuint(record(d, i).asked, ==, 1);
        dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
        dev_run(d);
        dev_setup(d);
    }
}

/* RING_BUDGET is for a program of @movs instructions and the last one. */
static void check_budget(unsigned movs, uint32_t budget, bool is_enough)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    Code code = { 0 };
    uint32_t data = code_variable(&code, 0, 8, VEU_TYPE_UD);
    struct veu_command_dispatch c;

    for (unsigned i = 0; i < movs; i++) {
        CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(data),
                 op_imm(VEU_TYPE_UD, i));
    }
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = code_dispatch(d, &code);
    c.launch.code_address = VA(c.launch.code_address);
    c.launch.result_address = VA(DEV_RESULT);
    c.launch.result_bytes = 32;
    unmap(&t, VA(DEV_RESULT));
    dev_ring_set(d, VEU_REG_RING_BUDGET, budget);
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, is_enough);
    serve(d, &t);
    dev_run(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                     is_enough ? VEU_FAULT_NONE : VEU_FAULT_BUDGET);
}

/*
 * A start, four instructions and a result, which waits, cost one unit each. A
 * result that exceeds the budget is not written, so its page is not requested.
 */
static void test_a_result_that_waits_costs_once(void)
{
    check_budget(0, 2, true);
    check_budget(0, 1, false);
    check_budget(3, 3, true);
    check_budget(3, 2, false);
}

/* ---- requests, for users ---- */

static void assert_told(Dev *d, const char *expected)
{
    g_autofree char *text = told(d);

    g_assert_cmpstr(text, ==, expected);
}

static void test_open_requests_can_be_inspected(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = scatter(d, 3);

    for (unsigned group = 0; group < 3; group++) {
        for (unsigned lane = 0; lane < 8; lane++) {
            put_lane(d, group, lane, VA(TARGET) + group * 4096 + lane * 4);
        }
        if (group != 1) {
            unmap(&t, VA(TARGET) + group * 4096);
        }
    }
    unmap(&t, VA(DEV_PROGRAM));
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    assert_told(d, " command request:response=0(1)");
    serve(d, &t);
    dev_run(d);
    assert_told(d, " command request-0:response=1(1) request-2:response=2(1)");
    serve(d, &t);
    dev_run(d);
    assert_told(d, "");
}

/* The queue has room for one more record. */
static void test_a_request_without_room_can_be_inspected(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = scatter(d, 2);

    set_head(d, 1 - RECORDS);
    for (unsigned group = 0; group < 2; group++) {
        for (unsigned lane = 0; lane < 8; lane++) {
            put_lane(d, group, lane, VA(TARGET) + group * 4096 + lane * 4);
        }
        unmap(&t, VA(TARGET) + group * 4096);
    }
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    assert_told(d, " command request-0:response=0(1) request-1:room=0(0)");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/request_launches/" #name, test_##name)
    TEST(an_atomic_asks_for_both_permissions);
    TEST(a_message_asks_for_all_of_its_lanes);
    TEST(other_groups_continue);
    TEST(a_refused_message);
    TEST(a_result_asks_for_all_of_its_pages);
    TEST(a_launch_whose_queue_is_outside_of_ram);
    TEST(a_launch_of_one_message_waits);
    TEST(a_payload_at_the_end_of_the_address_space);
    TEST(what_has_asked_costs_once);
    TEST(a_refused_surface_table);
    TEST(a_program_asks_for_all_of_its_pages);
    TEST(an_illegal_descriptor_faults);
    TEST(a_block_asks_for_all_of_its_pages);
    TEST(a_media_block_asks_for_all_of_its_rows);
    TEST(a_message_that_waits_counts_once);
    TEST(a_lane_that_is_not_aligned_asks_for_nothing);
    TEST(a_lane_that_is_not_aligned_has_no_detail);
    TEST(a_result_requests_only_its_own_pages);
    TEST(each_message_is_an_event);
    TEST(a_refusal_is_for_one_piece);
    TEST(each_piece_counts_its_requests);
    TEST(a_result_that_waits_costs_once);
    TEST(a_message_after_a_reset_asks_for_the_first_time);
    TEST(open_requests_can_be_inspected);
    TEST(a_request_without_room_can_be_inspected);
#undef TEST
    return g_test_run();
}
