/*
 * veu unit tests: recoverable faults: requests, responses, PAUSE.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "requests.h"
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
    g_assert_cmphex(r.thread, ==, VEU_FAULT_NOT_APPLICABLE);
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
    TestTables unreadable;
    g_autoptr(Dev) reader = make_asking(&unreadable);

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
    test_tables_map(&unreadable, VA(SOURCE), SOURCE, VALID | WRITE);
    dev_enable(reader);
    push_copy(reader, VA(SOURCE), VA(DEV_DATA), 8);
    dev_assert_no_fault(reader);
    g_assert_cmpuint(queue_tail(reader), ==, 1);
    g_assert_cmphex(record(reader, 0).detail, ==, VEU_WALK_NO_READ | 1 << 8);
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

/* A queue has up to 65,536 records, and ends before 2^64. */
static void test_the_largest_queues(void)
{
    static const struct {
        uint64_t address;
        uint32_t records;
        bool legal;
    } cases[] = {
        { QUEUE, 65536, true },
        { UINT64_C(0) - 4096 - 65536 * 64, 65536, true },
        { UINT64_C(0) - 65536 * 64, 65536, false },
        { UINT64_C(0) - 4096, 128, false },
        { UINT64_C(0) - 128 - 128 * 64, 128, false },
        { UINT64_C(0) - 192 - 128 * 64, 128, true },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        TestTables t;
        g_autoptr(Dev) d = make_asking(&t);

        context_write(d, VEU_REG_CONTEXT_QUEUE, cases[i].address, 8);
        context_write(d, VEU_REG_CONTEXT_QUEUE_RECORDS, cases[i].records, 4);
        dev_enable(d);
        dev_run(d);
        g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                        cases[i].legal ? 0 : VEU_FAULT_RING_CONFIG);
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

/* A write of CONTEXT_QUEUE starts an empty queue; ids continue. */
static void test_a_queue_that_starts_again(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_waiting_copy(&t);

    g_assert_cmpuint(serve(d, &t), ==, 1);
    dev_run(d);
    unmap(&t, VA(DEV_DATA));
    invalidate(d, VA(DEV_DATA), 0);
    set_head(d, 0);
    test_memory_put32(&d->host.memory, TAIL, 0);
    use_queue(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmpuint(record(d, 0).id, ==, 1);
    g_assert_cmphex(record(d, 0).address, ==, VA(DEV_DATA));
    g_assert_cmpuint(serve(d, &t), ==, 1);
    dev_run(d);
    dev_assert_no_fault(d);
}

/* ---- demand paging: nothing is mapped ---- */

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

/* A request is open until its response, even if its record is gone. */
static void test_a_new_queue_answers_nothing(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_waiting_copy(&t);

    test_memory_fill(&d->host.memory, QUEUE, 0, 4096);
    context_write(d, VEU_REG_CONTEXT_QUEUE, QUEUE, 8);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 0);
    test_tables_map(&t, VA(TARGET), TARGET, ALL);
    dev_run(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 0);
    respond(d, 0, 0);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

/* The queue's registers may change after the ring has been enabled. */
static void test_a_queue_that_becomes_illegal(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    unmap(&t, VA(TARGET));
    dev_enable(d);
    context_write(d, VEU_REG_CONTEXT_QUEUE_RECORDS, 100, 4);
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmpuint(queue_tail(d), ==, 0);
}

/* Vectors are numbered from 0, so there is none of this number. */
static void test_a_queue_without_a_vector(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    unsigned before;

    context_write(d, VEU_REG_CONTEXT_QUEUE_VECTOR, DEV_VECTORS, 4);
    unmap(&t, VA(TARGET));
    dev_enable(d);
    dev_run(d);
    before = test_host_count(&d->host, TEST_LOG_INTERRUPT);
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmpuint(test_host_count(&d->host, TEST_LOG_INTERRUPT), ==, before);
}

/* A record is for a page that a driver can provide, and one of them is last. */
static void test_pages_that_cannot_be_provided_have_no_record(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    const VeuEvent *event;

    if (!d->host.host.events) {
        g_test_skip("the host watches nothing");
        return;
    }
    unmap(&t, VA(SOURCE));
    test_tables_map(&t, VA(TARGET), TARGET, ALL | 1 << 6);
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    dev_assert_no_fault(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmphex(record(d, 0).address, ==, VA(SOURCE));
    g_assert_cmphex(record(d, 0).flags, ==, VEU_REQUEST_LAST);
    event = test_host_last_event(&d->host, VEU_EVENT_REQUEST);
    g_assert_cmpuint(event->value, ==, 1);
    respond(d, 0, VEU_RESPONSE_REFUSED);
    event = test_host_last_event(&d->host, VEU_EVENT_RESPONSE);
    g_assert_cmpuint(event->at, ==, 0);
    g_assert_cmpuint(event->value, ==, 1);
}

/* Each context has a queue of its own. */
static void test_the_queue_of_another_context(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    for (uint32_t reg = 0; reg < 0x40; reg += 8) {
        uint32_t at = VEU_CONTEXT_BLOCK + reg;

        dev_write(d, at + VEU_CONTEXT_BLOCK_STRIDE, dev_read(d, at, 4), 4);
        dev_write(d, at + VEU_CONTEXT_BLOCK_STRIDE + 4, dev_read(d, at + 4, 4),
                  4);
    }
    unmap(&t, VA(TARGET));
    dev_ring_set(d, VEU_REG_RING_CONTEXT, 1);
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    for (unsigned i = 0; i < 3; i++) {
        g_assert_cmpuint(queue_tail(d), ==, i + 1);
        g_assert_cmpuint(record(d, i).id, ==, i);
        g_assert_cmphex(record(d, i).address, ==, VA(TARGET));
        set_head(d, i + 1);
        dev_write(d,
                  VEU_CONTEXT_BLOCK + VEU_CONTEXT_BLOCK_STRIDE +
                      VEU_REG_CONTEXT_RESPONSE,
                  i, 8);
        dev_run(d);
    }
}

/* The count of requests of a piece moves with the device. */
static void test_a_piece_that_moves_counts_on(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_waiting_copy(&t);
    g_autoptr(Dev) to = dev_destination(d);

    state_move(d->device, to->device);
    set_head(to, 1);
    respond(to, 0, 0);
    dev_run(to);
    g_assert_cmpuint(queue_tail(to), ==, 2);
    g_assert_cmpuint(record(to, 1).asked, ==, 2);
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
    TEST(a_copy_without_its_source_asks_for_its_destination);
    TEST(a_refused_request_is_a_fault);
    TEST(only_what_a_driver_can_mend);
    TEST(a_piece_counts_how_often_it_asked);
    TEST(responses_that_mean_nothing);
    TEST(a_full_queue_loses_nothing);
    TEST(queues_that_are_not_legal);
    TEST(the_largest_queues);
    TEST(a_queue_outside_of_ram);
    TEST(a_reset_forgets_requests);
    TEST(a_queue_that_starts_again);
    TEST(all_paths_can_wait);
    TEST(moved_at_each_stop_point);
    TEST(a_reload_runs_again_what_waits);
    TEST(a_new_queue_has_room);
    TEST(a_new_queue_answers_nothing);
    TEST(a_queue_that_becomes_illegal);
    TEST(a_queue_without_a_vector);
    TEST(pages_that_cannot_be_provided_have_no_record);
    TEST(the_queue_of_another_context);
    TEST(a_piece_that_moves_counts_on);
    TEST(a_drain_gives_up_a_wait_that_has_asked);
    TEST(looking_for_pages_sets_no_bits);
    TEST(a_paused_ring_does_nothing);
    TEST(a_paused_ring_is_not_asleep);
#undef TEST
    return g_test_run();
}
