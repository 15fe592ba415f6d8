/*
 * veu unit tests: what requests contain, and queues without room for them:
 * docs/spec.md, section 3.5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/model.h"
#include "requests.h"
#include "svm_launches.h"
#include "tests/lib/state_bytes.h"

/* ---- records ---- */

static void test_a_record_names_its_command(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_nop nop = dev_nop(1);
    struct veu_command_fill fill = {
        .header = { .opcode = VEU_COMMAND_FILL, .slots = 1, .tag = 0x7654 },
        .destination = VA(TARGET),
        .bytes = 8,
    };

    unmap(&t, VA(TARGET));
    dev_enable(d);
    DEV_PUSH(d, nop);
    DEV_PUSH(d, nop);
    DEV_PUSH(d, fill);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmpuint(record(d, 0).slot, ==, 2);
    g_assert_cmphex(record(d, 0).tag, ==, 0x7654);
    g_assert_cmpuint(record(d, 0).ring, ==, 0);
}

/* Thread 1 of group 2 of a launch of 3 groups of 2 EU threads. */
static void test_a_record_names_its_thread(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = scatter(d, 3);

    c.launch.threads = 2;
    for (unsigned thread = 0; thread < 6; thread++) {
        uint64_t at = DEV_PAYLOAD + thread * 256;

        test_memory_put32(&d->host.memory, at, 1);
        test_memory_put64(&d->host.memory, at + 64, VA(TARGET) + thread * 4096);
    }
    unmap(&t, VA(TARGET) + 5 * 4096);
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmpuint(record(d, 0).group, ==, 2);
    g_assert_cmpuint(record(d, 0).thread, ==, 1);
    g_assert_cmphex(record(d, 0).address, ==, VA(TARGET) + 5 * 4096);
}

/* ---- how much is asked for ---- */

#define FAR (BASE + (UINT64_C(1) << 32)) /* nothing is mapped there */

/* A copy that asks for @pages pages, of which @first is the lowest. */
static void check_copy(uint64_t from, uint64_t to, uint64_t first,
                       unsigned pages)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    uint64_t lowest = UINT64_MAX;

    dev_enable(d);
    push_copy(d, from, to, 24 * 4096);
    g_assert_cmpuint(queue_tail(d), ==, pages);
    for (unsigned i = 0; i < pages; i++) {
        lowest = MIN(lowest, record(d, i).address);
    }
    g_assert_cmphex(lowest, ==, first);
}

/* A copy asks for its current piece of 64 KiB, at either end. */
static void test_a_copy_asks_for_a_piece(void)
{
    check_copy(VA(SOURCE), FAR, FAR, 16);
    check_copy(FAR, VA(SOURCE), FAR, 16);
    check_copy(FAR, FAR + 4096, FAR + 8 * 4096, 32);
}

/* Payloads and results of which both pages are missing, and all after them. */
static void check_launch(bool payload)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_dispatch c = svm_dispatch(d, eu_message(TEST_SVM_GATHER),
                                                 1);

    c.launch.payload_address = payload ? FAR + 4096 - 64 : VA(DEV_PAYLOAD);
    c.launch.payload_bytes = 128;
    c.launch.result_address = FAR + 4096 - 32;
    c.launch.result_bytes = payload ? 0 : 64;
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 2);
    g_assert_cmphex(record(d, 0).address, ==, FAR);
    g_assert_cmphex(record(d, 1).address, ==, FAR + 4096);
}

static void test_a_payload_asks_for_its_pages(void)
{
    check_launch(true);
}

static void test_a_result_asks_for_its_pages(void)
{
    check_launch(false);
}

/* A row of 32 bytes of a media block, half in one page and half in the next. */
static void test_a_row_of_a_block_asks_for_its_pages(void)
{
    const struct veu_surface s = {
        .base = FAR + 4096 - 64,
        .format = VEU_FORMAT_R32_UINT,
        .type = VEU_SURFACE_2D,
        .width = 32,
        .height = 1,
        .pitch = 128,
        .levels = 1,
    };
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    TestMessage m = eu_message(TEST_MEDIA_LD);
    struct veu_command_dispatch c;

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    m.surface = 6;
    m.width = 32;
    m.height = 1;
    m.offset = test_immediate(48);
    m.y = test_immediate(0);
    m.data.id = 32;
    test_program_add(&d->program, &m);
    dev_surface(d, 0, &s);
    c = dev_dispatch(d);
    c.launch.code_address = VA(DEV_PROGRAM);
    c.launch.surface_table = VA(DEV_SURFACES);
    c.launch.surface_count = 1;
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(queue_tail(d), ==, 2);
    g_assert_cmphex(record(d, 0).address, ==, FAR);
    g_assert_cmphex(record(d, 1).address, ==, FAR + 4096);
}

/* ---- room ---- */

/* A copy of which two pages are missing, with @used unread records. */
static Dev *copy_with(TestTables *t, uint32_t used)
{
    Dev *d = make_asking(t);

    unmap(t, VA(TARGET));
    unmap(t, VA(TARGET) + 4096);
    set_head(d, -used);
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 2 * 4096);
    dev_assert_no_fault(d);
    return d;
}

static void test_the_last_records_are_used(void)
{
    TestTables t;
    g_autoptr(Dev) d = copy_with(&t, RECORDS - 2);

    g_assert_cmpuint(queue_tail(d), ==, 2);
}

/* A group is stored as a whole, or not at all. */
static void test_room_for_half_a_group(void)
{
    TestTables t;
    g_autoptr(Dev) d = copy_with(&t, RECORDS - 1);

    g_assert_cmpuint(queue_tail(d), ==, 0);
    g_assert_cmphex(record(d, 0).address, ==, 0);
}

/* A head past the tail is the driver's mistake, and makes no room. */
static void test_a_head_past_the_tail(void)
{
    TestTables t;
    g_autoptr(Dev) d = copy_with(&t, -5u);

    g_assert_cmpuint(queue_tail(d), ==, 0);
    g_assert_cmphex(record(d, 0).address, ==, 0);
}

/* ---- order ---- */

/*
 * Records become dirty before the tail shows them: a migration would otherwise
 * move a tail without its records.
 */
static void test_records_are_dirty_before_the_tail(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    const TestLogEntry *log = d->host.log;
    unsigned i = 0;

    unmap(&t, VA(TARGET));
    dev_enable(d);
    dev_run(d);
    test_host_clear_log(&d->host);
    d->host.watch_iova = TAIL;
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    while (i < d->host.log_count && log[i].kind != TEST_LOG_INTERRUPT) {
        i++;
    }
    g_assert_cmpuint(i, >, 0);
    g_assert_cmpuint(i, <, d->host.log_count);
    g_assert_cmpuint((uint32_t)log[i].watched, ==, 1);
    g_assert_cmpint(log[i - 1].kind, ==, TEST_LOG_FLUSH);
    g_assert_cmpuint((uint32_t)log[i - 1].watched, ==, 0);
}

/* ---- queues that are partly out of reach ---- */

#define EDGE UINT64_C(0x900000)

/* The queue's head and tail are the last bytes of the page before EDGE. */
static Dev *make_edge(TestTables *t)
{
    Dev *d = make_asking(t);

    context_write(d, VEU_REG_CONTEXT_QUEUE,
                  EDGE - sizeof(struct veu_request_queue), 8);
    unmap(t, VA(TARGET));
    return d;
}

/* Nothing is asked, and the miss is a fault. */
static void check_edge(Dev *d)
{
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmpuint(interrupts(d), ==, 0);
}

static void test_records_outside_of_ram(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_edge(&t);

    test_memory_add(&d->host.memory, EDGE - 4096, 4096, true);
    check_edge(d);
}

static void test_a_tail_that_cannot_be_written(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_edge(&t);

    test_memory_add(&d->host.memory, EDGE - 4096, 4096, false);
    test_memory_add(&d->host.memory, EDGE, 2 * 4096, true);
    check_edge(d);
}

/* ---- what waits, and what does not ---- */

/* A host need not look at a ring that waits for a response. */
static void test_a_ring_that_has_asked_has_no_work(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_waiting_copy(&t);

    g_assert_cmphex(veu_device_ready(d->device), ==, 0);
    respond(d, 0, 0);
    g_assert_cmphex(veu_device_ready(d->device), ==, 1);
}

/* A command after a reset does not wait for the response to one before it. */
static void test_a_reset_ring_does_not_wait(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_waiting_copy(&t);
    struct veu_command_fill fill = {
        .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
        .destination = VA(SOURCE),
        .bytes = 0x20000,
    };

    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    use_tables(d, &t);
    d->tail = 0;
    dev_enable(d);
    DEV_PUSH(d, fill);
    for (unsigned i = 0; i < 100 && !d->device->ring[0].command.bytes_done;
         i++) {
        dev_step(d, 1);
    }
    g_assert_cmpuint(d->device->ring[0].command.bytes_done, >, 0);
    g_assert_nonnull(d->device->ring[0].command.info);
    g_assert_cmphex(veu_device_ready(d->device), ==, 1);
}

/* A piece that was refused is still refused in another device. */
static void test_a_refused_piece_moves(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_waiting_copy(&t);
    g_autoptr(Dev) to = NULL;

    respond(d, 0, VEU_RESPONSE_REFUSED);
    to = dev_destination(d);
    state_move(d->device, to->device);
    dev_run(to);
    dev_assert_fault(to, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmpuint(queue_tail(to), ==, 1);
}

/* Numbers of requests are not used again elsewhere. */
static void test_numbers_continue_elsewhere(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_waiting_copy(&t);
    g_autoptr(Dev) to = dev_destination(d);

    state_move(d->device, to->device);
    t.memory = &to->host.memory;
    serve(to, &t);
    dev_run(to);
    unmap(&t, VA(TARGET));
    invalidate(to, VA(TARGET), 0);
    push_copy(to, VA(SOURCE), VA(TARGET), 8);
    g_assert_cmpuint(queue_tail(to), ==, 2);
    g_assert_cmpuint(record(to, 1).id, ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/request_records/" #name, test_##name)
    TEST(a_record_names_its_command);
    TEST(a_record_names_its_thread);
    TEST(a_copy_asks_for_a_piece);
    TEST(a_payload_asks_for_its_pages);
    TEST(a_result_asks_for_its_pages);
    TEST(a_row_of_a_block_asks_for_its_pages);
    TEST(the_last_records_are_used);
    TEST(room_for_half_a_group);
    TEST(a_head_past_the_tail);
    TEST(records_are_dirty_before_the_tail);
    TEST(records_outside_of_ram);
    TEST(a_tail_that_cannot_be_written);
    TEST(a_ring_that_has_asked_has_no_work);
    TEST(a_reset_ring_does_not_wait);
    TEST(a_refused_piece_moves);
    TEST(numbers_continue_elsewhere);
#undef TEST
    return g_test_run();
}
