/*
 * veu unit tests: pages that are missing because of a rule:
 * docs/fault-inject.md, action miss.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include "hw/veu/device/model.h"
#include "requests.h"
#include "tests/lib/state_bytes.h"

#define US UINT64_C(1000)

/* All pages are mapped, so every request is due to a rule. */
static Dev *make_with(TestTables *t, const char *rules, bool asks)
{
    Dev *d = make_asking(t);

    if (!asks) {
        context_write(d, VEU_REG_CONTEXT_OPTIONS, 0, 4);
    }
    build_program(d);
    put_payload(d);
    dev_inject(d, rules);
    dev_enable(d);
    return d;
}

/*
 * A dispatch whose five messages all have eight lanes, and the commands after
 * it.
 */
static void run_commands(Dev *d)
{
    push_commands(d);
    dev_run(d);
}

static void assert_done(Dev *d)
{
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 4);
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(test_memory_get32(&d->host.memory, TYPED_PAGE + i * 4),
                        ==, 0x1000 + i);
    }
}

static void answer(Dev *d, uint32_t number, uint64_t bits)
{
    set_head(d, number + 1);
    respond(d, record(d, number).id, bits);
    dev_run(d);
}

/* The page of a command's address goes missing; the driver finds it mapped. */
static void test_a_page_of_a_command(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_with(&t, "opcode=copy nth=2 action=miss", true);

    push_copy(d, VA(SOURCE), VA(DEV_DATA) + 8, 8);
    g_assert_cmpuint(queue_tail(d), ==, 0);
    push_copy(d, VA(SOURCE), VA(DEV_DATA) + 8, 8);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmphex(record(d, 0).address, ==, VA(SOURCE));
    g_assert_cmpuint(record(d, 0).access, ==, VEU_ACCESS_READ);
    g_assert_cmphex(record(d, 0).detail, ==, VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
    answer(d, 0, 0);
    dev_assert_no_fault(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 2);
}

/* The page of the range is missing, not the first one of the access. */
static void test_a_page_in_a_range(void)
{
    TestTables t;
    g_autofree char *rules = g_strdup_printf("address=0x%" PRIx64 "..0x%" PRIx64
                                             " action=miss",
                                             VA(TARGET) + 8192,
                                             VA(TARGET) + 8192 + 15);
    g_autoptr(Dev) d = make_with(&t, rules, true);

    push_copy(d, VA(SOURCE), VA(TARGET), 3 * 4096);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmphex(record(d, 0).address, ==, VA(TARGET) + 8192);
    g_assert_cmpuint(record(d, 0).access, ==, VEU_ACCESS_WRITE);
    answer(d, 0, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

/* A range may begin before the access. */
static void test_a_range_around_the_access(void)
{
    TestTables t;
    g_autofree char *rules = g_strdup_printf("address=0x%" PRIx64 "..0x%" PRIx64
                                             " action=miss",
                                             VA(TARGET) - 4096,
                                             VA(TARGET) + 15);
    g_autoptr(Dev) d = make_with(&t, rules, true);

    push_copy(d, VA(SOURCE), VA(TARGET), 64);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmphex(record(d, 0).address, ==, VA(TARGET));
}

/* The fault names the bytes from the first that is in the range. */
static void test_a_fault_in_a_range(void)
{
    TestTables t;
    g_autofree char *rules = g_strdup_printf("address=0x%" PRIx64 "..0x%" PRIx64
                                             " action=miss",
                                             VA(TARGET) + 60, VA(TARGET) + 99);
    g_autoptr(Dev) d = make_with(&t, rules, false);

    push_copy(d, VA(SOURCE), VA(TARGET), 100);
    g_assert_cmphex(dev_record(d, 0).address, ==, VA(TARGET) + 60);
    g_assert_cmpuint(dev_record(d, 0).bytes, ==, 40);
    g_assert_cmpuint(dev_record(d, 0).access, ==, VEU_ACCESS_WRITE);
}

/* All lanes of a message that the rule selects share one request. */
static void test_pages_of_a_message(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_with(&t, "opcode=scatter_scaled action=miss", true);

    run_commands(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmphex(record(d, 0).address, ==, VA(SCATTER_PAGE));
    g_assert_cmpuint(record(d, 0).access, ==, VEU_ACCESS_WRITE);
    g_assert_cmpuint(record(d, 0).thread, ==, 0);
    g_assert_cmpuint(test_memory_get32(&d->host.memory, SCATTER_PAGE), ==, 0);
    answer(d, 0, 0);
    assert_done(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
}

/* Each message misses once, so that the work ends. */
static void test_all_messages_miss(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_with(&t, "lane=0..15 action=miss", true);

    run_commands(d);
    for (unsigned i = 0; i < 5; i++) {
        g_assert_cmpuint(queue_tail(d), ==, i + 1);
        g_assert_cmpuint(record(d, i).asked, ==, 1);
        answer(d, i, 0);
    }
    assert_done(d);
}

/* The page exists, even though the driver refuses. */
static void test_a_refused_page(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_with(&t, "opcode=copy action=miss", true);

    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    answer(d, 0, VEU_RESPONSE_REFUSED);
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

static void check_late(const char *rules)
{
    TestTables t;
    g_autoptr(Dev) d = make_with(&t, rules, true);

    run_commands(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    d->host.now_ns += 20 * US;
    answer(d, 0, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), <, 4);
    g_assert_cmpuint(veu_device_ready(d->device), ==, 0);
    g_assert_cmpuint(veu_device_deadline(d->device), ==,
                     d->host.now_ns + 30 * US);
    d->host.now_ns += 30 * US;
    g_assert_cmpuint(veu_device_ready(d->device), ==, 1);
    dev_run(d);
    assert_done(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
}

static void test_a_page_comes_late(void)
{
    check_late("opcode=svm_gather action=miss:50us");
    check_late("opcode=timestamp action=miss:50us");
}

/* Nothing happens between the response and the end of the delay. */
static void test_a_response_leaves_the_deadline(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_with(&t, "opcode=copy action=miss:50us", true);

    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    g_assert_cmpuint(veu_device_deadline(d->device), ==, VEU_NO_DEADLINE);
    set_head(d, 1);
    respond(d, record(d, 0).id, 0);
    g_assert_cmpuint(veu_device_ready(d->device), ==, 0);
    g_assert_cmpuint(veu_device_deadline(d->device), ==,
                     d->host.now_ns + 50 * US);
}

/* The response may also come after the delay. */
static void test_a_late_response(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_with(&t, "opcode=copy action=miss:50us", true);

    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    d->host.now_ns += 60 * US;
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    answer(d, 0, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

/* A request is made, and a response changes nothing; a reset does. */
static void check_never(const char *rules)
{
    TestTables t;
    g_autoptr(Dev) d = make_with(&t, rules, true);

    run_commands(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    answer(d, 0, 0);
    d->host.now_ns += UINT64_C(1) << 60;
    dev_run(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), <, 4);
    g_assert_cmpuint(veu_device_deadline(d->device), ==, VEU_NO_DEADLINE);
    dev_assert_no_fault(d);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    dev_inject(d, "");
    d->tail = 0;
    dev_setup(d);
    dev_enable(d);
    run_commands(d);
    assert_done(d);
}

static void test_a_page_never_comes(void)
{
    check_never("opcode=svm_gather action=miss:never");
    check_never("opcode=fence action=miss:never");
}

/*
 * Without requests the miss is a fault, for the reason that an entry would
 * give.
 */
static void test_without_requests_it_is_a_fault(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_with(&t, "opcode=copy action=miss:never", false);

    push_copy(d, VA(SOURCE), VA(DEV_DATA) + 4090, 8);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmphex(dev_record(d, 0).address, ==, VA(SOURCE));
}

static void test_a_lane_faults_without_requests(void)
{
    TestTables t;
    g_autoptr(Dev)
        d = make_with(&t, "opcode=svm_gather lane=3 action=miss", false);

    run_commands(d);
    dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmphex(dev_record(d, 0).lanes, ==, 1 << 3);
}

/* Other contexts do not have pages. */
static void test_other_contexts_do_not_match(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_inject(d, "action=miss");
    dev_push_fences(d, 3);
    dev_run(d);
    g_assert_cmpuint(dev_fence_value(d), ==, 3);
    g_assert_cmpuint(d->device->inject.rules.rule[0].matched, ==, 0);
}

/* What was held at the source continues at the destination after a response. */
static void test_a_move(void)
{
    TestTables t;
    g_autoptr(Dev) from = make_with(&t, "opcode=copy action=miss:never", true);
    g_autoptr(Dev) to = NULL;

    push_copy(from, VA(SOURCE), VA(DEV_DATA), 8);
    to = dev_destination(from);
    state_move(from->device, to->device);
    g_assert_cmpint(dev_run(to), ==, VEU_STEP_WAIT);
    answer(to, 0, 0);
    dev_assert_no_fault(to);
    g_assert_cmpuint(DEV_SHARED_WORD(to, head), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/inject_pages/" #name, test_##name)
    TEST(a_page_of_a_command);
    TEST(a_page_in_a_range);
    TEST(a_range_around_the_access);
    TEST(a_fault_in_a_range);
    TEST(pages_of_a_message);
    TEST(all_messages_miss);
    TEST(a_refused_page);
    TEST(a_page_comes_late);
    TEST(a_late_response);
    TEST(a_response_leaves_the_deadline);
    TEST(a_page_never_comes);
    TEST(without_requests_it_is_a_fault);
    TEST(a_lane_faults_without_requests);
    TEST(other_contexts_do_not_match);
    TEST(a_move);
#undef TEST
    return g_test_run();
}
