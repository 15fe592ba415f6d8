/*
 * veu unit tests: PAUSE, resets, unplug, moves and snapshots at each stop point
 * of work that pages on demand, with requests open: docs/spec.md, sections 3.5,
 * 3.6, 11 and 13.2.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/model.h"
#include "requests.h"
#include "tests/lib/state_bytes.h"

/* A dispatch and the commands after it, whose pages are all unmapped. */
static Dev *make_work(TestTables *t)
{
    Dev *d = make_asking(t);

    for (uint64_t a = DEV_SURFACES; a < DEV_RAM + DEV_RAM_BYTES; a += 4096) {
        unmap(t, VA(a));
    }
    build_program(d);
    put_payload(d);
    dev_enable(d);
    push_commands(d);
    return d;
}

static bool is_done(Dev *d)
{
    return DEV_SHARED_WORD(d, head) == d->tail;
}

/* Runs one piece; the driver responds every third time. */
static void run_to(Dev *d, TestTables *t, unsigned stop_point)
{
    for (unsigned i = 0; i < stop_point; i++) {
        dev_step(d, 1);
        if (i % 3 == 2) {
            serve(d, t);
        }
    }
}

/* The number of open requests: the ring's, and those of runners. */
static unsigned count_open(Dev *d)
{
    const VeuRing *ring = &d->device->ring[0];
    unsigned count = ring->request.state == VEU_REQUEST_OPEN;

    for (unsigned n = 0; n < ring->launch->slice_count; n++) {
        count += ring->launch->slice[n].request.state == VEU_REQUEST_OPEN;
    }
    return count;
}

static void finish(Dev *d, TestTables *t)
{
    for (unsigned i = 0; i < 200 && !is_done(d); i++) {
        dev_run(d);
        serve(d, t);
    }
    dev_assert_no_fault(d);
    g_assert_true(is_done(d));
    all_paths_check(d);
}

/* Repeats the work from its beginning; nothing remains of the first time. */
static void repeat(Dev *d, TestTables *t)
{
    uint8_t nothing[128] = { 0 };

    test_memory_put(&d->host.memory, DEV_SHARED, nothing, sizeof(nothing));
    test_memory_put(&d->host.memory, DEV_RESULT, nothing, sizeof(nothing));
    test_memory_put(&d->host.memory, TYPED_PAGE, nothing, sizeof(nothing));
    test_memory_put64(&d->host.memory, DEV_FENCE, 0);
    dev_enable(d);
    push_commands(d);
    finish(d, t);
}

/* The ids of groups in the queue ascend, so that none was sent twice. */
static void assert_ids_ascend(Dev *d)
{
    uint32_t id = 0;

    g_assert_cmpuint(queue_tail(d), <=, RECORDS);
    for (uint32_t i = 0; i < queue_tail(d); i++) {
        struct veu_request r = record(d, i);

        g_assert_cmpuint(r.id, ==, id);
        id += r.flags & VEU_REQUEST_LAST;
    }
}

/* Steps the device, and checks that memory does not change. */
static void assert_stands_still(Dev *d)
{
    TestMemory before;

    test_memory_init(&before);
    test_memory_copy(&before, &d->host.memory);
    for (unsigned i = 0; i < 10; i++) {
        dev_step(d, 100);
    }
    g_assert_true(test_memory_equal(&before, &d->host.memory));
    test_memory_free(&before);
}

/* DEV-3.20: responses and new entries take effect when PAUSE is 0. */
static void check_pause(Dev *d, TestTables *t)
{
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_PAUSE);
    dev_ring_get(d, VEU_REG_RING_STATE);
    assert_stands_still(d);
    serve(d, t);
    assert_stands_still(d);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    finish(d, t);
}

/*
 * DEV-3.18: there is no record and no access; the ring then repeats the work.
 */
static void check_reset(Dev *d, TestTables *t)
{
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    dev_ring_get(d, VEU_REG_RING_STATE);
    assert_stands_still(d);
    serve(d, t); /* late: the groups are no longer open */
    assert_stands_still(d);
    dev_setup(d);
    repeat(d, t);
}

/* ---- function-level reset and unplug ---- */

/* A new driver with an empty queue repeats the work; ids start at 0. */
static void start_again(Dev *d, TestTables *t)
{
    struct veu_request_queue queue = { 0 };

    test_memory_put(&d->host.memory, QUEUE, &queue, sizeof(queue));
    use_tables(d, t);
    use_queue(d);
    unmap(t, VA(DEV_FENCE));
    repeat(d, t);
    g_assert_cmpuint(queue_tail(d), >, 0);
    assert_ids_ascend(d);
}

/* The reset that FLR and D3hot cause: docs/spec.md, section 11. */
static void check_device_reset(Dev *d, TestTables *t)
{
    veu_device_reset(d->device);
    assert_stands_still(d);
    serve(d, t); /* late: no group is open */
    assert_stands_still(d);
    start_again(d, t);
}

/* The device is freed without an access, and another one replaces it. */
static void check_unplug(Dev *d, TestTables *t)
{
    TestMemory before;

    test_memory_init(&before);
    test_memory_copy(&before, &d->host.memory);
    veu_device_free(d->device);
    g_assert_true(test_memory_equal(&before, &d->host.memory));
    test_memory_free(&before);
    d->device = veu_device_new(&d->config, &d->host.host);
    g_assert_nonnull(d->device);
    start_again(d, t);
}

/* ---- moves and snapshots ---- */

/* The work ends on another device, which repeats no request. */
static void check_move(Dev *from, TestTables *t)
{
    g_autoptr(Dev) to = dev_destination(from);

    state_move(from->device, to->device);
    t->memory = &to->host.memory;
    g_assert_cmpuint(count_open(to), ==, count_open(from));
    finish(to, t);
    assert_ids_ascend(to);
}

/*
 * The device finishes the work, and is then set back to the snapshot, together
 * with its memory: it repeats the same work.
 */
static void check_snapshot(Dev *d, TestTables *t)
{
    g_autoptr(GByteArray) state = state_save(d->device);
    TestTables tables = *t;
    TestMemory memory;

    test_memory_init(&memory);
    test_memory_copy(&memory, &d->host.memory);
    finish(d, t);
    test_memory_free(&d->host.memory);
    d->host.memory = memory;
    g_assert_null(state_load(d->device, state));
    finish(d, &tables);
    assert_ids_ascend(d);
}

/* Returns true at the stop point where all work is done. */
static bool check_at(unsigned stop_point, unsigned *open,
                     void (*check)(Dev *d, TestTables *t))
{
    TestTables t;
    g_autoptr(Dev) d = make_work(&t);
    bool done;

    run_to(d, &t, stop_point);
    done = is_done(d);
    *open += count_open(d) > 0;
    check(d, &t);
    return done;
}

static void check_all(void (*check)(Dev *d, TestTables *t))
{
    unsigned stop_point = 0, open = 0;

    while (!check_at(stop_point, &open, check)) {
        stop_point++;
    }
    g_assert_cmpuint(stop_point, >, 20);
    g_assert_cmpuint(open, >, 5);
}

static void test_a_pause_at_each_stop_point(void)
{
    check_all(check_pause);
}

static void test_a_reset_at_each_stop_point(void)
{
    check_all(check_reset);
}

static void test_a_device_reset_at_each_stop_point(void)
{
    check_all(check_device_reset);
}

static void test_an_unplug_at_each_stop_point(void)
{
    check_all(check_unplug);
}

static void test_a_move_at_each_stop_point(void)
{
    check_all(check_move);
}

static void test_a_snapshot_at_each_stop_point(void)
{
    check_all(check_snapshot);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/stop_points/" #name, test_##name)
    TEST(a_pause_at_each_stop_point);
    TEST(a_reset_at_each_stop_point);
    TEST(a_device_reset_at_each_stop_point);
    TEST(an_unplug_at_each_stop_point);
    TEST(a_move_at_each_stop_point);
    TEST(a_snapshot_at_each_stop_point);
#undef TEST
    return g_test_run();
}
