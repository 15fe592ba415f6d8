/*
 * veu unit tests: recoverable faults: requests, responses, PAUSE.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "requests.h"
#include "hw/veu/device/host/inspect.h"
#include "tests/lib/kernel_builder.h"
#include "tests/lib/state_bytes.h"

static void test_a_miss_becomes_a_request(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_request r;

    unmap(&t, VA(DEV_DATA));
    test_memory_put64(&d->host.memory, SOURCE, 77);
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA) + 16, 8);
    dev_assert_no_fault(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmpuint(interrupts(d), ==, 1);
    r = record(d, 0);
    g_assert_cmphex(r.address, ==, VA(DEV_DATA));
    g_assert_cmpuint(r.access, ==, VEU_ACCESS_WRITE);
    g_assert_cmpuint(r.asked, ==, 1);
    g_assert_cmpuint(r.flags, ==, VEU_REQUEST_LAST);
    g_assert_cmphex(r.detail, ==, VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmphex(r.group, ==, VEU_FAULT_NOT_APPLICABLE);
    g_assert_cmpuint(dev_run(d), ==, VEU_STEP_WAIT);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmpuint(serve(d, &t), ==, 1);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, DEV_DATA + 16), ==, 77);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

/* One request has all pages of 64 KiB; completed work is not repeated. */
static void test_a_copy_asks_for_all_of_its_piece(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    for (unsigned i = 0; i < 8; i++) {
        unmap(&t, VA(TARGET) + i * 4096);
    }
    unmap(&t, VA(SOURCE) + 4096);
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 8 * 4096);
    g_assert_cmpuint(queue_tail(d), ==, 9);
    for (unsigned i = 0; i < 9; i++) {
        g_assert_cmpuint(record(d, i).flags, ==, i == 8 ? VEU_REQUEST_LAST : 0);
        g_assert_cmpuint(record(d, i).id, ==, record(d, 0).id);
    }
    serve(d, &t);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 9);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

/* The source is read first, and its miss is not asked for alone. */
static void test_a_copy_without_its_source_asks_for_its_destination(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    unmap(&t, VA(SOURCE));
    unmap(&t, VA(TARGET) + 4096);
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 2 * 4096);
    g_assert_cmpuint(queue_tail(d), ==, 2);
    g_assert_cmphex(record(d, 0).address, ==, VA(SOURCE));
    g_assert_cmpuint(record(d, 0).access, ==, VEU_ACCESS_READ);
    g_assert_cmphex(record(d, 1).address, ==, VA(TARGET) + 4096);
    g_assert_cmpuint(record(d, 1).access, ==, VEU_ACCESS_WRITE);
    g_assert_cmpuint(record(d, 1).id, ==, record(d, 0).id);
}

static void test_a_refused_request_is_a_fault(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    unmap(&t, VA(DEV_DATA));
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    respond(d, record(d, 0).id, VEU_RESPONSE_REFUSED);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmpuint(queue_tail(d), ==, 1);
}

/*
 * Only not valid, no READ and no WRITE become requests; everything else remains
 * a fault.
 */
static void test_only_what_a_driver_can_mend(void)
{
    static const struct {
        uint64_t bits;
        bool asks;
    } cases[] = {
        { 0, true },
        { VALID | READ, true },
        { ALL | 1 << 6, false },
        { ALL | UINT64_C(1) << 40, false },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        TestTables t;
        g_autoptr(Dev) d = make_asking(&t);

        test_tables_map(&t, VA(DEV_DATA), DEV_DATA, cases[i].bits);
        dev_enable(d);
        push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
        g_assert_cmpuint(queue_tail(d), ==, cases[i].asks);
        g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==,
                         !cases[i].asks);
    }
}

/* After a success without the page, the piece asks again, and counts that. */
static void test_a_piece_counts_how_often_it_asked(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    unmap(&t, VA(DEV_DATA));
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    for (unsigned i = 0; i < 200; i++) {
        struct veu_request r = record(d, i);

        g_assert_cmpuint(r.asked, ==, i + 1);
        g_assert_cmpuint(r.id, ==, i);
        set_head(d, i + 1);
        respond(d, r.id, 0);
        dev_run(d);
    }
    test_tables_map(&t, VA(DEV_DATA), DEV_DATA, ALL);
    respond(d, 200, 0);
    dev_run(d);
    unmap(&t, VA(DEV_DATA));
    invalidate(d, VA(DEV_DATA), 0);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    g_assert_cmpuint(record(d, 201).asked, ==, 1);
}

static void test_responses_that_mean_nothing(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    respond(d, 0, 0);
    unmap(&t, VA(DEV_DATA));
    dev_enable(d);
    respond(d, 0, VEU_RESPONSE_REFUSED);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    respond(d, 1, VEU_RESPONSE_REFUSED);
    respond(d, UINT32_MAX, VEU_RESPONSE_REFUSED);
    dev_write(d,
              VEU_CONTEXT_BLOCK + VEU_CONTEXT_BLOCK_STRIDE +
                  VEU_REG_CONTEXT_RESPONSE,
              VEU_RESPONSE_REFUSED, 8);
    g_assert_cmpuint(dev_run(d), ==, VEU_STEP_WAIT);
    dev_assert_no_fault(d);
    serve(d, &t);
    respond(d, 0, VEU_RESPONSE_REFUSED);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

static void test_a_full_queue_loses_nothing(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    unmap(&t, VA(DEV_DATA));
    set_head(d, -RECORDS); /* 128 records are unread */
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    g_assert_cmpuint(queue_tail(d), ==, 0);
    g_assert_cmpuint(dev_run(d), ==, VEU_STEP_WAIT);
    set_head(d, 0);
    respond(d, 99, 0);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    serve(d, &t);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

/* Enabling a ring with an illegal queue is refused. */
static void test_queues_that_are_not_legal(void)
{
    static const uint32_t records[] = { 0, 64, 129, 1 << 17, UINT32_MAX };

    for (unsigned i = 0; i < G_N_ELEMENTS(records); i++) {
        TestTables t;
        g_autoptr(Dev) d = make_asking(&t);

        context_write(d, VEU_REG_CONTEXT_QUEUE_RECORDS, records[i], 4);
        dev_enable(d);
        dev_run(d);
        g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                        VEU_FAULT_RING_CONFIG);
        g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_DETAIL), ==,
                        VEU_REG_RING_CONTEXT);
    }
}

/* Requests cannot go to a queue outside of RAM: misses are faults. */
static void test_a_queue_outside_of_ram(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    context_write(d, VEU_REG_CONTEXT_QUEUE, DEV_HOLE, 8);
    unmap(&t, VA(DEV_DATA));
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
}

static void test_a_reset_forgets_requests(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    unmap(&t, VA(DEV_DATA));
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    respond(d, 0, 0);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    dev_setup(d);
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    g_assert_cmpuint(record(d, 1).id, ==, 1);
    respond(d, 0, VEU_RESPONSE_REFUSED);
    dev_run(d);
    dev_assert_no_fault(d);
}

/* ---- demand paging: nothing is mapped ---- */

static void unmap_all(TestTables *t)
{
    for (uint64_t a = DEV_SURFACES; a < DEV_RAM + DEV_RAM_BYTES; a += 4096) {
        unmap(t, VA(a));
    }
}

static void check_all_paths(Dev *d)
{
    dev_assert_no_fault(d);
    all_paths_check(d);
}

/* Everything that commands name arrives late, one page after the other. */
static void test_all_paths_can_wait(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    unsigned groups = 0;

    unmap_all(&t);
    build_program(d);
    put_payload(d);
    dev_enable(d);
    push_commands(d);
    for (unsigned i = 0; i < 100; i++) {
        dev_run(d);
        groups += serve(d, &t);
    }
    check_all_paths(d);
    g_assert_cmpuint(groups, >=, 11);
}

/* Like the previous test, moved to another device at each stop point. */
static void test_moved_at_each_stop_point(void)
{
    TestTables t;
    Dev *d = make_asking(&t);

    unmap_all(&t);
    build_program(d);
    put_payload(d);
    dev_enable(d);
    push_commands(d);
    for (unsigned i = 0; i < 400; i++) {
        Dev *to;

        dev_step(d, 1);
        to = dev_destination(d);
        state_move(d->device, to->device);
        dev_free(d);
        d = to;
        t.memory = &d->host.memory;
        if (i % 3 == 0) {
            serve(d, &t);
        }
    }
    check_all_paths(d);
    dev_free(d);
}

/* ---- EU threads ---- */

/* One group, whose 8 lanes increment words of DEV_DATA. */
static struct veu_command_dispatch atomic(Dev *d)
{
    TestMessage m = eu_message(TEST_SVM_ATOMIC);
    struct veu_command_dispatch c;

    d->program.header.register_bytes = 128;
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UQ);
    test_program_variable(&d->program, 64, 8, VEU_TYPE_UD);
    m.op = TEST_INC;
    m.address.id = 32;
    m.src0.id = m.src1.id = 0;
    m.data.id = 33;
    test_program_add(&d->program, &m);
    test_memory_put32(&d->host.memory, DEV_PAYLOAD, UINT32_MAX);
    for (unsigned lane = 0; lane < 8; lane++) {
        test_memory_put64(&d->host.memory, DEV_PAYLOAD + 64 + lane * 8,
                          VA(DEV_DATA) + lane * 4);
    }
    c = dev_dispatch(d);
    c.launch.code_address = VA(DEV_PROGRAM);
    c.launch.payload_address = VA(DEV_PAYLOAD);
    c.launch.payload_bytes = 64 + 64;
    return c;
}

/* @groups groups; in group g each of 8 lanes stores 4 bytes. */
static struct veu_command_dispatch scatter(Dev *d, unsigned groups)
{
    TestMessage m = eu_message(TEST_SVM_SCATTER);
    struct veu_command_dispatch c;

    d->program.header.register_bytes = 128;
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UQ);
    test_program_variable(&d->program, 64, 8, VEU_TYPE_UD);
    m.address.id = 32;
    m.data.id = 33;
    test_program_add(&d->program, &m);
    c = dev_dispatch(d);
    c.launch.code_address = VA(DEV_PROGRAM);
    c.launch.payload_address = VA(DEV_PAYLOAD);
    c.launch.payload_bytes = 64 + 128;
    c.launch.payload_stride = 256;
    c.launch.groups = groups;
    return c;
}

static void put_lane(Dev *d, unsigned group, unsigned lane, uint64_t address)
{
    uint64_t at = DEV_PAYLOAD + group * 256;

    test_memory_put32(&d->host.memory, at, UINT32_MAX);
    test_memory_put64(&d->host.memory, at + 64 + lane * 8, address);
    test_memory_put32(&d->host.memory, at + 128 + lane * 4,
                      0x100 * (group + 1) + lane);
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

    for (unsigned lane = 0; lane < 8; lane++) {
        put_lane(d, 0, lane, VA(TARGET) + lane * 4);
    }
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

/* A response to the old context would not reach the ring. */
static void test_a_reload_runs_again_what_waits(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    unmap(&t, VA(DEV_DATA));
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    context_write(d, VEU_REG_CONTEXT_OPTIONS, 0, 4);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_RELOAD);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
}

/* A queue that starts again is empty: a piece that found no room asks again. */
static void test_a_new_queue_has_room(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    unmap(&t, VA(DEV_DATA));
    set_head(d, -RECORDS);
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    set_head(d, 0);
    context_write(d, VEU_REG_CONTEXT_QUEUE, QUEUE, 8);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    serve(d, &t);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

/* Drains the ring, whose WAIT has asked for the page of its word. */
static void test_a_drain_gives_up_a_wait_that_has_asked(void)
{
    const struct veu_command_wait wait = {
        .header = { .opcode = VEU_COMMAND_WAIT, .slots = 1 },
        .address = VA(DEV_DATA),
        .mask = UINT64_MAX,
        .value = 1,
    };
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    unmap(&t, VA(DEV_DATA));
    dev_enable(d);
    DEV_PUSH(d, wait);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    dev_disable(d);
    g_assert_cmphex(veu_device_ready(d->device), ==, 1);
    dev_run(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                     VEU_RING_DISABLED);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 0);
    serve(d, &t);
    test_memory_put64(&d->host.memory, DEV_DATA, 1);
    dev_enable(d);
    DEV_PUSH(d, wait);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
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

        for (unsigned lane = 0; lane < 8; lane++) {
            put_lane(d, 0, lane, VA(TARGET) + lane * 4096);
        }
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
        dev_write(d, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT, 4);
        g_assert_cmpuint(dev_read(d, VEU_REG_COUNTER_MESSAGES, 8), ==, 1);
        g_assert_cmpuint(dev_read(d, VEU_REG_COUNTER_LANES, 8), ==, 8);
        g_assert_cmpuint(dev_read(d, VEU_REG_COUNTER_BYTES, 8), ==, 32);
    }
}

/* More messages than one piece decodes, and a surface table that is refused. */
static void test_a_refused_surface_table(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    TestMessage m = eu_message(TEST_GATHER_SCALED);
    struct veu_command_dispatch c;

    d->program.header.register_bytes = 64;
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_variable(&d->program, 32, 8, VEU_TYPE_UD);
    m.surface = 6;
    m.address.id = 32;
    m.data.id = 33;
    m.channels = 1;
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

/* A piece checks pages that it will need, which is not an access. */
static void test_looking_for_pages_sets_no_bits(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    uint64_t next = test_tables_entry(&t, VA(TARGET) + 4096, 1);

    context_write(d, VEU_REG_CONTEXT_OPTIONS,
                  VEU_CONTEXT_REQUESTS | VEU_CONTEXT_ACCESSED, 4);
    unmap(&t, VA(TARGET));
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 2 * 4096);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmphex(test_memory_get64(t.memory, next), ==,
                    (TARGET + 4096) | ALL);
    serve(d, &t);
    dev_run(d);
    g_assert_cmphex(test_memory_get64(t.memory, next), ==,
                    (TARGET + 4096) | ALL | 0x30);
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
    struct veu_command_dispatch c = atomic(d);

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

/* ---- requests, for users ---- */

/* The groups that a ring reports, and their ids. */
typedef struct Told {
    VeuInspector inspector; /* first */
    GString *text;
} Told;

static void told_group(VeuInspector *v, const char *name)
{
    g_string_append_printf(((Told *)v)->text, " %s", name);
}

static void told_end(VeuInspector *v)
{
}

static void told_number(VeuInspector *v, const char *name, uint64_t value)
{
    if (!strcmp(name, "id")) {
        g_string_append_printf(((Told *)v)->text, "=%u", (unsigned)value);
    }
}

static void told_text(VeuInspector *v, const char *name, const char *value)
{
}

static void assert_told(Dev *d, const char *expected)
{
    Told told = { { told_group, told_end, told_number, told_number, told_text },
                  g_string_new(NULL) };

    veu_inspect_ring(d->device, 0, &told.inspector);
    g_assert_cmpstr(told.text->str, ==, expected);
    g_string_free(told.text, true);
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
    assert_told(d, " command request=0");
    serve(d, &t);
    dev_run(d);
    assert_told(d, " command request-0=1 request-2=2");
    serve(d, &t);
    dev_run(d);
    assert_told(d, "");
}

/* ---- KERNEL: groups in flight wait ---- */

/* A driver that refuses is not asked again for the same piece. */
static void test_a_refused_message_of_a_kernel(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 1, 1, 1 });

    c.code_address = VA(c.code_address);
    c.local_id_address = VA(c.local_id_address);
    c.cross_thread_address = VA(c.cross_thread_address);
    c.stateless_base = VA(c.stateless_base);
    c.threads = 1;
    unmap(&t, VA(DEV_DATA));
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    set_head(d, 1);
    respond(d, record(d, 0).id, VEU_RESPONSE_REFUSED);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, VEU_WALK_NOT_VALID | 1 << 8);
}

#define GRID_GROUPS 12

/*
 * No page is mapped; the ring moves to another device at each @moves-th step.
 */
static void check_kernel(unsigned moves)
{
    TestTables t;
    Dev *d = make_asking(&t);
    Code code = kernel_sums(2);
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 3, 2, 2 });

    unmap_all(&t);
    c.code_address = VA(c.code_address);
    c.local_id_address = VA(c.local_id_address);
    c.cross_thread_address = VA(c.cross_thread_address);
    c.stateless_base = VA(c.stateless_base);
    c.slm_bytes = 4 * KERNEL_ITEMS;
    c.groups_in_flight = 5;
    dev_enable(d);
    DEV_PUSH(d, c);
    for (unsigned i = 0; i < 3000; i++) {
        dev_step(d, 20);
        if (moves && i % moves == 0) {
            Dev *to = dev_destination(d);

            state_move(d->device, to->device);
            dev_free(d);
            d = to;
            t.memory = &d->host.memory;
        }
        serve(d, &t);
    }
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 3);
    g_assert_cmpuint(queue_tail(d), >, 0);
    for (unsigned n = 0; n < GRID_GROUPS * KERNEL_ITEMS; n++) {
        g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA + 4 * n),
                         ==, kernel_sum(2, n % KERNEL_ITEMS));
    }
    dev_free(d);
}

static void test_groups_of_a_kernel_wait(void)
{
    check_kernel(0);
}

static void test_groups_of_a_kernel_move(void)
{
    check_kernel(7);
}

/* ---- PAUSE ---- */

static void test_a_paused_ring_does_nothing(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    unmap(&t, VA(DEV_DATA));
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_PAUSE);
    serve(d, &t);
    g_assert_cmpint(dev_step(d, 100), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(veu_device_ready(d->device), ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 0);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_CONTROL), ==,
                    VEU_RING_ENABLE | VEU_RING_PAUSE);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

/* A paused ring also stores nothing when the device falls asleep. */
static void test_a_paused_ring_is_not_asleep(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    dev_enable(d);
    dev_run(d);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_PAUSE);
    g_assert_true(veu_device_sleep(d->device));
    g_assert_cmpuint(DEV_SHARED_WORD(d, asleep), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/requests/" #name, test_##name)
    TEST(a_miss_becomes_a_request);
    TEST(a_copy_asks_for_all_of_its_piece);
    TEST(an_atomic_asks_for_both_permissions);
    TEST(a_copy_without_its_source_asks_for_its_destination);
    TEST(a_refused_request_is_a_fault);
    TEST(only_what_a_driver_can_mend);
    TEST(a_piece_counts_how_often_it_asked);
    TEST(responses_that_mean_nothing);
    TEST(a_full_queue_loses_nothing);
    TEST(queues_that_are_not_legal);
    TEST(a_queue_outside_of_ram);
    TEST(a_reset_forgets_requests);
    TEST(all_paths_can_wait);
    TEST(moved_at_each_stop_point);
    TEST(a_message_asks_for_all_of_its_lanes);
    TEST(other_groups_continue);
    TEST(a_refused_message);
    TEST(a_launch_whose_queue_is_outside_of_ram);
    TEST(a_refused_message_of_a_kernel);
    TEST(a_launch_of_one_message_waits);
    TEST(a_payload_at_the_end_of_the_address_space);
    TEST(a_reload_runs_again_what_waits);
    TEST(a_new_queue_has_room);
    TEST(a_drain_gives_up_a_wait_that_has_asked);
    TEST(what_has_asked_costs_once);
    TEST(a_refused_surface_table);
    TEST(a_block_asks_for_all_of_its_pages);
    TEST(a_media_block_asks_for_all_of_its_rows);
    TEST(looking_for_pages_sets_no_bits);
    TEST(open_requests_can_be_inspected);
    TEST(groups_of_a_kernel_wait);
    TEST(groups_of_a_kernel_move);
    TEST(a_paused_ring_does_nothing);
    TEST(a_paused_ring_is_not_asleep);
#undef TEST
    return g_test_run();
}
