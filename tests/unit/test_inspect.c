/*
 * veu unit tests: what a device reports about its live state.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>
#include "hw/veu/device/host/inspect.h"
#include "requests.h"
#include "tests/lib/device_fixture.h"
#include "tests/lib/device_rings.h"
#include "tests/lib/eu_fixture.h"
#include "tests/lib/kernel_builder.h"
#include "tests/lib/state_bytes.h"

/* All that was reported: " name=value" for each, groups as " name{ ... }". */
typedef struct Told {
    VeuInspector inspector; /* first */
    GString *text;
    int depth;
} Told;

static GString *text_of(VeuInspector *v)
{
    return ((Told *)v)->text;
}

static void told_open(VeuInspector *v, const char *name)
{
    ((Told *)v)->depth++;
    g_string_append_printf(text_of(v), " %s{", name);
}

static void told_close(VeuInspector *v)
{
    ((Told *)v)->depth--;
    g_string_append(text_of(v), " }");
}

static void told_number(VeuInspector *v, const char *name, uint64_t value)
{
    g_string_append_printf(text_of(v), " %s=%" PRIu64, name, value);
}

static void told_bits(VeuInspector *v, const char *name, uint64_t value)
{
    g_string_append_printf(text_of(v), " %s=0x%" PRIx64, name, value);
}

static void told_text(VeuInspector *v, const char *name, const char *value)
{
    g_string_append_printf(text_of(v), " %s=%s", name, value);
}

static Told begin(void)
{
    return (Told){
        .inspector = { told_open, told_close, told_number, told_bits,
                       told_text },
        .text = g_string_new(NULL),
    };
}

static char *end(Told *told)
{
    g_assert_cmpint(told->depth, ==, 0);
    g_string_append_c(told->text, ' ');
    g_test_message("%s", told->text->str);
    return g_string_free(told->text, false);
}

static char *ring(Dev *d, unsigned number)
{
    Told told = begin();

    veu_inspect_ring(d->device, number, &told.inspector);
    return end(&told);
}

static char *last_fault(Dev *d)
{
    Told told = begin();

    veu_inspect_last_fault(d->device, &told.inspector);
    return end(&told);
}

static void assert_has(const char *text, const char *piece)
{
    if (!strstr(text, piece)) {
        g_error("no \"%s\" in:%s", piece, text);
    }
}

#define ASSERT_HAS(text, ...)                                     \
    do {                                                          \
        static const char *const pieces_[] = { __VA_ARGS__ };     \
        for (unsigned i_ = 0; i_ < G_N_ELEMENTS(pieces_); i_++) { \
            assert_has((text), pieces_[i_]);                      \
        }                                                         \
    } while (0)

static void test_a_ring_that_was_reset(void)
{
    g_autoptr(Dev) d = dev_new();
    g_autofree char *r = ring(d, 1);

    ASSERT_HAS(r, " RING_STATE=disabled ", " RING_HEAD=0 ", " RING_BASE=0x0 ",
               " RING_VECTOR=none ", " RING_POLICY=halt ",
               " RING_PRIORITY=normal ", " tail=0 ", " asleep=no ",
               " RING_TIMES=0x0 ", " RING_BUSY_NS=0 ");
    g_assert_null(strstr(r, "command{"));
    g_assert_null(strstr(r, "last_fault{"));
    /* last_fault{ } is there in its place */
    g_assert_null(strstr(r, "RING_LAST_FAULT="));
}

/* Waits until the word of the fence is 5. */
static struct veu_command_wait wait_for_5(void)
{
    return (struct veu_command_wait){
        .header = { .opcode = VEU_COMMAND_WAIT, .slots = 1 },
        .address = DEV_FENCE,
        .value = 5,
        .mask = UINT64_MAX,
        .condition = VEU_CONDITION_EQUAL,
    };
}

static void test_a_ring_at_work(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(1);
    g_autofree char *idle = NULL, *busy = NULL;
    struct veu_command_wait wait = wait_for_5();

    wait.header.tag = 0x77;
    wait.timeout_ns = 1000;
    dev_ring_set(d, VEU_REG_RING_PRIORITY, VEU_PRIORITY_HIGHEST);
    DEV_PUSH(d, nop);
    dev_run(d);
    veu_device_sleep(d->device);
    idle = ring(d, 0);
    ASSERT_HAS(idle, " RING_STATE=running ", " RING_HEAD=1 ", " tail=1 ",
               " RING_BASE=0x100000 ", " RING_VECTOR=1 ", " asleep=yes ",
               " RING_PRIORITY=highest ", " RING_COUNTER_COMMANDS=1 ");
    g_assert_null(strstr(idle, "command{"));
    d->host.now_ns = 50;
    DEV_PUSH(d, wait);
    dev_run(d);
    busy = ring(d, 0);
    ASSERT_HAS(busy, " RING_HEAD=1 ", " tail=2 ",
               " command{ name=wait slot=1 tag=119 cost=0 deadline_ns=1050 } ");
}

/* A wait without a timeout has no deadline. */
static void test_a_wait_without_a_deadline(void)
{
    g_autoptr(Dev) d = dev_running();
    g_autofree char *r = NULL;
    struct veu_command_wait wait = wait_for_5();

    DEV_PUSH(d, wait);
    dev_run(d);
    r = ring(d, 0);
    ASSERT_HAS(r, " command{ name=wait slot=0 tag=0 cost=0 } ");
}

/* Only a command that a rule delays is held, not one that a rule corrupts. */
static void test_a_command_that_is_held(void)
{
    g_autoptr(Dev) d = dev_running();
    g_autofree char *held = NULL, *corrupted = NULL;
    struct veu_command_wait wait = wait_for_5();

    dev_inject(d, "action=drop:interrupt; nth=2 action=hang");
    DEV_PUSH(d, wait);
    dev_run(d);
    corrupted = ring(d, 0);
    ASSERT_HAS(corrupted, " command{ name=wait ");
    g_assert_null(strstr(corrupted, " held="));
    dev_push_fences(d, 1);
    test_memory_put64(&d->host.memory, DEV_FENCE, 5);
    dev_run(d);
    held = ring(d, 0);
    ASSERT_HAS(held, " command{ name=fence ", " held=yes ");
}

/* The progress of a command that is done in pieces. */
static void test_a_copy_under_way(void)
{
    g_autoptr(Dev) d = dev_running();
    g_autofree char *r = NULL;
    struct veu_command_fill fill = {
        .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
        .destination = DEV_PROGRAM,
        .bytes = 0x40000,
    };

    DEV_PUSH(d, fill);
    dev_step(d, 1);
    dev_step(d, 1);
    r = ring(d, 0);
    ASSERT_HAS(r, " command{ name=fill ", " bytes_done=");
}

static void test_a_launch_under_way(void)
{
    g_autoptr(Dev) d = dev_running();
    TestMessage m = eu_message(TEST_FENCE);
    struct veu_command_dispatch c;
    g_autofree char *fetched = NULL, *r = NULL;

    test_program_add(&d->program, &m);
    c = dev_dispatch(d);
    c.header.tag = 5;
    c.launch.groups = 1000;
    DEV_PUSH(d, c);
    dev_step(d, 1);
    fetched = ring(d, 0);
    ASSERT_HAS(fetched, " command{ name=dispatch slot=0 tag=5 cost=0 } ");
    dev_step(d, 50);
    r = ring(d, 0);
    ASSERT_HAS(r, " command{ name=dispatch ", " groups=1000 groups_begun=");
    g_assert_null(strstr(r, " groups_begun=0 "));
}

/* Groups of a KERNEL that wait for their turn have begun as well. */
static void test_a_kernel_under_way(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_sums(3);
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 5, 1, 1 });
    unsigned begun = 0;

    c.slm_bytes = 256;
    c.groups_in_flight = 2;
    DEV_PUSH(d, c);
    while (dev_step(d, 1) == VEU_STEP_MORE) {
        g_autofree char *r = ring(d, 0);
        const char *now = strstr(r, " groups=5 groups_begun=");

        if (now && begun != g_ascii_strtoull(now + 23, NULL, 10)) {
            g_assert_cmpuint(g_ascii_strtoull(now + 23, NULL, 10), ==, ++begun);
        }
    }
    g_assert_cmpuint(begun, ==, 5);
}

/* The contents of the record in guest memory, in words. */
static void test_a_fault_of_a_lane(void)
{
    g_autoptr(Dev) d = dev_running();
    TestMessage m = eu_message(TEST_SVM_GATHER);
    struct veu_command_dispatch c;
    g_autofree char *r = NULL, *last = NULL;

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UQ);
    test_program_variable(&d->program, 64, 8, VEU_TYPE_UD);
    m.address = (TestRaw){ 32, 0 };
    m.data = (TestRaw){ 33, 0 };
    test_program_add(&d->program, &m);
    d->host.now_ns = 4711;
    c = dev_dispatch(d);
    c.header.tag = 99;
    c.launch.exec_mask = 0xf4;
    DEV_PUSH(d, c);
    dev_run(d);
    r = ring(d, 0);
    last = last_fault(d);
    ASSERT_HAS(r, " RING_STATE=halted ", " RING_FAULT_COUNT=1 ",
               " fault_tail=1 ", " last_fault{ fault=ADDRESS ");
    ASSERT_HAS(last, " fault=ADDRESS ",
               " cause=A lane's address is not RAM that the context reaches. ",
               " command=dispatch ", " message=svm_gather ", " ring=0 ",
               " slot=0 ", " tag=99 ", " group=0 ", " thread=0 ",
               " message_offset=0 ", " lane=2 ", " element=0 ", " access=read ",
               " address=0x0 ", " lanes=0xf4 ", " time=4711 ");
}

/* There is no lane, message or address. */
static void test_a_fault_of_a_command(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop bad = dev_nop(7);
    g_autofree char *last = NULL;

    bad.header.opcode = 0xff;
    DEV_PUSH(d, bad);
    dev_run(d);
    last = last_fault(d);
    ASSERT_HAS(last, " fault=COMMAND_OPCODE ", " tag=7 ", " detail=0 ");
    g_assert_null(strstr(last, " lane="));
    g_assert_null(strstr(last, " message"));
    g_assert_null(strstr(last, " address="));
    g_assert_null(strstr(last, " command="));
}

/* The word that a fence stores is not RAM. */
static void test_a_fault_of_a_write(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_fence fence = dev_fence(1);
    g_autofree char *last = NULL;

    fence.address = DEV_HOLE;
    DEV_PUSH(d, fence);
    dev_run(d);
    last = last_fault(d);
    ASSERT_HAS(last, " command=fence ", " access=write ", " address=0x400000 ");
}

/* The queue has room for DEV_RECORDS. */
static void test_faults_that_overflow_the_queue(void)
{
    g_autoptr(Dev) d = dev_new();
    struct veu_command_nop bad = dev_nop(7);
    g_autofree char *r = NULL;

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    bad.header.opcode = 0xff;
    for (unsigned i = 0; i < DEV_RECORDS + 2; i++) {
        DEV_PUSH(d, bad);
    }
    dev_run(d);
    r = ring(d, 0);
    ASSERT_HAS(r, " fault_tail=4 ", " fault_overflow=2 ");
}

/* This also clears RING_LAST_FAULT. */
static void test_enabling_forgets_the_fault(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop bad = dev_nop(7);
    g_autofree char *r = NULL, *last = NULL;

    bad.header.opcode = 0xff;
    DEV_PUSH(d, bad);
    dev_run(d);
    dev_disable(d);
    dev_run(d);
    d->tail = 0;
    dev_ring_set(d, VEU_REG_RING_HEAD, 0);
    dev_enable(d);
    dev_run(d);
    r = ring(d, 0);
    last = last_fault(d);
    g_assert_null(strstr(r, "last_fault{"));
    g_assert_cmpstr(last, ==, " fault=none ");
}

static void test_the_newest_fault_of_all_rings(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop bad = dev_nop(7);
    g_autofree char *first = NULL, *second = NULL;

    d->host.now_ns = 100;
    bad.header.opcode = 0xff;
    DEV_PUSH(d, bad);
    dev_run(d);
    first = last_fault(d);
    ASSERT_HAS(first, " ring=0 ", " fault=COMMAND_OPCODE ");
    d->host.now_ns = 200;
    /* its registers are all 0 */
    dev_write(d, VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE, VEU_RING_ENABLE, 4);
    veu_ring_step(d->device, 1, 1);
    second = last_fault(d);
    ASSERT_HAS(second, " ring=1 ", " fault=RING_CONFIG ", " time=200 ");
}

/* At time 0, too, a ring that has one has the newest. */
static void test_the_only_fault_of_all_rings(void)
{
    g_autoptr(Dev) d = dev_new();
    g_autofree char *last = NULL;

    d->host.now_ns = 0;
    dev_write(d, VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE, VEU_RING_ENABLE, 4);
    veu_ring_step(d->device, 1, 1);
    last = last_fault(d);
    ASSERT_HAS(last, " ring=1 ", " fault=RING_CONFIG ", " time=0 ");
}

static void test_counters_by_name(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(1);
    g_autofree char *counters = NULL;
    Told told = begin();

    DEV_PUSH(d, nop);
    DEV_PUSH(d, nop);
    dev_run(d);
    veu_inspect_counters(d->device, &told.inspector);
    counters = end(&told);
    ASSERT_HAS(counters, " COMMANDS=2 ", " MESSAGES=0 ", " LANES=0 ",
               " BYTES=0 ", " FAULTS=0 ", " CACHE_HITS=0 ", " CACHE_MISSES=0 ",
               " IDLE_NS=0 ");
    /* the guest's snapshot is independent of this */
    g_assert_cmpuint(dev_read(d, VEU_REG_COUNTER_COMMANDS, 8), ==, 0);
}

static void test_a_context(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(1);
    g_autofree char *context = NULL;
    Told told = begin();

    dev_write(d, 0x8010, 0x5000, 8);
    DEV_PUSH(d, nop);
    dev_run(d);
    veu_inspect_context(d->device, 0, &told.inspector);
    context = end(&told);
    ASSERT_HAS(context, " CONTEXT_TYPE=0x0 ", " CONTEXT_ROOT=0x5000 ",
               " CONTEXT_COUNTER_COMMANDS=1 ", " CONTEXT_COUNTER_FAULTS=0 ",
               " CONTEXT_BUSY_NS=0 ", " queue_tail=0 ", " next_request=0 ");
}

/* One request has a record for each of two pages. */
static void test_the_queue_of_a_context(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    g_autofree char *context = NULL;
    Told told = begin();

    unmap(&t, VA(TARGET));
    unmap(&t, VA(TARGET) + 4096);
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 8192);
    veu_inspect_context(d->device, 0, &told.inspector);
    context = end(&told);
    ASSERT_HAS(context, " queue_tail=2 ", " next_request=1 ");
}

static void test_it_is_told_elsewhere(void)
{
    g_autoptr(Dev) d = dev_running();
    g_autoptr(Dev) e = NULL;
    struct veu_command_nop bad = dev_nop(7);
    g_autofree char *here = NULL, *there = NULL;

    bad.header.opcode = 0xff;
    DEV_PUSH(d, bad);
    dev_run(d);
    /* otherwise the counters of rings begin at 0 at the destination */
    dev_write(d, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT_RINGS, 4);
    e = dev_destination(d);
    state_move(d->device, e->device);
    here = ring(d, 0);
    there = ring(e, 0);
    g_assert_cmpstr(here, ==, there);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/inspect/a_ring_that_was_reset",
                    test_a_ring_that_was_reset);
    g_test_add_func("/inspect/a_ring_at_work", test_a_ring_at_work);
    g_test_add_func("/inspect/a_wait_without_a_deadline",
                    test_a_wait_without_a_deadline);
    g_test_add_func("/inspect/a_command_that_is_held",
                    test_a_command_that_is_held);
    g_test_add_func("/inspect/a_copy_under_way", test_a_copy_under_way);
    g_test_add_func("/inspect/a_launch_under_way", test_a_launch_under_way);
    g_test_add_func("/inspect/a_kernel_under_way", test_a_kernel_under_way);
    g_test_add_func("/inspect/a_fault_of_a_lane", test_a_fault_of_a_lane);
    g_test_add_func("/inspect/a_fault_of_a_command", test_a_fault_of_a_command);
    g_test_add_func("/inspect/enabling_forgets_the_fault",
                    test_enabling_forgets_the_fault);
    g_test_add_func("/inspect/the_newest_fault_of_all_rings",
                    test_the_newest_fault_of_all_rings);
    g_test_add_func("/inspect/counters_by_name", test_counters_by_name);
    g_test_add_func("/inspect/a_context", test_a_context);
    g_test_add_func("/inspect/a_fault_of_a_write", test_a_fault_of_a_write);
    g_test_add_func("/inspect/faults_that_overflow_the_queue",
                    test_faults_that_overflow_the_queue);
    g_test_add_func("/inspect/the_only_fault_of_all_rings",
                    test_the_only_fault_of_all_rings);
    g_test_add_func("/inspect/the_queue_of_a_context",
                    test_the_queue_of_a_context);
    g_test_add_func("/inspect/it_is_told_elsewhere", test_it_is_told_elsewhere);
    return g_test_run();
}
