/*
 * veu device tests: postcopy migration: the device works before all of its
 * memory has arrived: docs/caveats.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A thread of the device that touches memory which has not arrived waits in the
 * middle of a batch, and so do all threads that wait for the batch. The code
 * that fetches the memory waits for none of them.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/device/move.h"
#include "tests/device/rounds.h"

#define BALLAST_AT    0x4000000
#define BALLAST_BYTES 0x2000000
#define COPY_BYTES    0x100000
#define MIB_PER_S     20

/* Memory that takes time to arrive. */
static void put_ballast(Vm *vm)
{
    for (unsigned i = 0; i < BALLAST_BYTES; i += 4) {
        *(uint32_t *)(vm->ram + BALLAST_AT + i) = i * 2654435761u;
    }
}

static void assert_ballast(Vm *vm)
{
    for (unsigned i = 0; i < BALLAST_BYTES; i += 4) {
        g_assert_cmphex(*(uint32_t *)(vm->ram + BALLAST_AT + i), ==,
                        i * 2654435761u);
    }
}

/*
 * A copy from the end of the ballast, which arrives last, to the memory after
 * it.
 */
static void put_copy(Rig *r)
{
    uint8_t *end = r->vm->ram + BALLAST_AT + BALLAST_BYTES;
    struct veu_command_copy copy = veu_make_copy(0, end, end - COPY_BYTES,
                                                 COPY_BYTES);

    rig_put(r, &copy.header);
}

static void assert_copied(Vm *vm)
{
    uint8_t *end = vm->ram + BALLAST_AT + BALLAST_BYTES;

    g_assert_cmpint(memcmp(end, end - COPY_BYTES, COPY_BYTES), ==, 0);
}

/* A ring full of work; returns the last round. The VM is stopped. */
static uint64_t start_work(Rig *r)
{
    uint64_t last;

    vm_run(r->vm);
    put_ballast(r->vm);
    rounds_set_up(r);
    rig_start(r);
    vm_stop(r->vm);
    put_copy(r);
    last = rounds_put(r, 0, UINT64_MAX);
    return last;
}

/* The VM runs at the destination before its memory has arrived. */
static Rig *follow(const Rig *from, const char *accel, const char *there)
{
    Vm *vm = move_vm_first(from->vm, accel, there, MIB_PER_S);

    vm_run(vm);
    return rig_follow(from, vm);
}

/*
 * Each disturbance waits for the batch. Returns their number until all memory
 * has arrived.
 */
static unsigned disturb(Rig *to, Vm *from)
{
    unsigned count = 0;
    int64_t longest = 0;

    while (!move_is_over(from)) {
        int64_t start = g_get_monotonic_time();

        rig_read(to, VEU_REG_TIME);
        veu_write32(&to->device, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT);
        if (++count % 8 == 0) {
            vm_stop(to->vm);
            vm_run(to->vm);
        }
        longest = MAX(longest, g_get_monotonic_time() - start);
    }
    g_test_message("%u times, the longest took %d us", count, (int)longest);
    return count;
}

/*
 * Asserts that a thread had to wait for memory; the guest's processor touches
 * none.
 */
static void assert_waited(Vm *from)
{
    g_autofree char *answer = qmp_ask(&from->qmp, "query-migrate", NULL);
    const char *requests = strstr(answer, "\"postcopy-requests\": ");

    g_assert_nonnull(requests);
    requests = strchr(requests, ' ');
    g_test_message("%d pages were asked for", atoi(requests));
    g_assert_cmpint(atoi(requests), >, 0);
}

static void check_postcopy(const char *accel, const char *here,
                           const char *there)
{
    g_autoptr(Rig) from = rig_new(accel, here);
    g_autoptr(Rig) to = NULL;
    uint64_t last = start_work(from);

    to = follow(from, accel, there);
    g_assert_cmpuint(disturb(to, from->vm), >, 8);
    assert_waited(from->vm);
    move_wait(to->vm);
    while (rounds_done(to) != last) {
        rig_wait(to);
    }
    while (last < 200) {
        last = rounds_put(to, last, 200);
        rig_wait(to);
    }
    rounds_assert_right(to);
    assert_ballast(to->vm);
    assert_copied(to->vm);
}

static void test_work_continues_while_memory_arrives(const char *accel)
{
    check_postcopy(accel, RIG_Q35, RIG_Q35);
}

static void test_workers_continue_while_memory_arrives(const char *accel)
{
    check_postcopy(accel, RIG_Q35 ",workers=3", RIG_Q35 ",workers=4");
}

static void test_deterministic_work_continues_while_memory_arrives(
    const char *accel)
{
    check_postcopy(accel, RIG_Q35 ",deterministic=on",
                   RIG_Q35 ",deterministic=on");
}

/* The reset happens while memory is missing. */
static void test_a_reset_may_come_while_memory_arrives(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, RIG_Q35);
    g_autoptr(Rig) to = NULL;

    start_work(from);
    to = follow(from, accel, RIG_Q35);
    veu_reset(&to->device);
    rig_assert_reset_values(to);
    move_wait(from->vm);
    move_wait(to->vm);
    rig_start(to);
    rig_assert_works(to);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("work-continues-while-memory-arrives",
                      test_work_continues_while_memory_arrives);
    rig_test_add("workers-continue-while-memory-arrives",
                 test_workers_continue_while_memory_arrives);
    rig_test_add("deterministic-work-continues-while-memory-arrives",
                 test_deterministic_work_continues_while_memory_arrives);
    rig_test_add("a-reset-may-come-while-memory-arrives",
                 test_a_reset_may_come_while_memory_arrives);
    return g_test_run();
}
