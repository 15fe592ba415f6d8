/*
 * veu device tests: counters of rings and contexts, times of commands:
 * docs/spec.md, sections 2.6 and 5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/device/move.h"
#include "tests/device/port.h"

typedef struct Work {
    uint64_t commands, messages, busy_ns;
} Work;

static void snapshot(Rig *r)
{
    veu_write32(&r->device, VEU_REG_COUNTER_CONTROL,
                VEU_COUNTER_SNAPSHOT | VEU_COUNTER_SNAPSHOT_RINGS);
}

/*
 * @block is that of a ring or a context; the registers have the same offsets.
 */
static Work work_of(Rig *r, unsigned block)
{
    return (Work){
        veu_read64(&r->device, block + VEU_REG_RING_COUNTER_COMMANDS),
        veu_read64(&r->device, block + VEU_REG_RING_COUNTER_MESSAGES),
        veu_read64(&r->device, block + VEU_REG_RING_BUSY_NS),
    };
}

static Work work_of_ring(Rig *r, unsigned n)
{
    return work_of(r, VEU_RING_BLOCK + n * VEU_RING_BLOCK_STRIDE);
}

static Work work_of_context(Rig *r, unsigned n)
{
    return work_of(r, VEU_CONTEXT_BLOCK + n * VEU_CONTEXT_BLOCK_STRIDE);
}

/* The time is at most that which has passed, and 0 for a ring without work. */
static void check_busy_ring(const char *accel, const char *machine)
{
    g_autoptr(Rig) r = rig_new(accel, machine);
    uint64_t start = veu_time(&r->device);
    Work before, after;

    vm_run(r->vm);
    rig_start(r);
    rig_run_endless(r);
    snapshot(r);
    before = work_of_ring(r, 0);
    rig_wait_writes(r);
    snapshot(r);
    after = work_of_ring(r, 0);
    g_assert_cmpuint(after.messages, >, before.messages);
    g_assert_cmpuint(after.busy_ns, >, before.busy_ns);
    g_assert_cmpuint(after.busy_ns, <=, veu_time(&r->device) - start);
    g_assert_cmpuint(work_of_ring(r, 1).busy_ns, ==, 0);
    g_assert_cmpuint(work_of_context(r, 0).busy_ns, ==, after.busy_ns);
    g_assert_cmpuint(work_of_context(r, 0).messages, ==, after.messages);
    g_assert_cmpuint(veu_read64(&r->device, VEU_REG_COUNTER_MESSAGES), ==,
                     after.messages);
}

static void test_a_busy_ring(const char *accel)
{
    check_busy_ring(accel, RIG_Q35);
}

static void test_a_busy_ring_with_workers(const char *accel)
{
    check_busy_ring(accel, RIG_Q35 ",workers=3");
}

/* Values seen before the move do not decrease. */
static void test_counters_move_along(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, RIG_Q35);
    Work before, after;

    vm_run(from->vm); /* the clock stands still until then */
    rig_start(from);
    rig_assert_works(from);
    snapshot(from);
    before = work_of_ring(from, 0);
    g_assert_cmpuint(before.commands, ==, 1);
    g_assert_cmpuint(before.busy_ns, >, 0);
    g_autoptr(Rig) to = rig_follow(from, move_vm(from->vm, accel, RIG_Q35));

    vm_run(to->vm);
    g_assert_cmpuint(work_of_ring(to, 0).commands, ==, 1);
    rig_assert_works(to);
    snapshot(to);
    after = work_of_ring(to, 0);
    g_assert_cmpuint(after.commands, ==, 2);
    g_assert_cmpuint(after.busy_ns, >, before.busy_ns);
    g_assert_cmpuint(work_of_context(to, 0).commands, ==, 2);
}

static void test_times_of_a_command(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_nop nop = veu_make_nop(1);
    const struct veu_command_times *times;
    uint64_t before, after;

    vm_run(r->vm);
    r->config.times = (void *)r->arena;
    rig_start(r);
    nop.header.flags = VEU_COMMAND_TIMES;
    for (unsigned i = 0; i < 2 * RIG_SLOTS; i++) {
        uint32_t slot = r->ring.tail;

        before = veu_time(&r->device);
        rig_run(r, &nop.header);
        after = veu_time(&r->device);
        times = veu_ring_times(&r->ring, slot);
        g_assert_cmpuint(times->begin_ns, >=, before);
        g_assert_cmpuint(times->end_ns, >=, times->begin_ns);
        g_assert_cmpuint(times->end_ns, <=, after);
    }
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("a-busy-ring", test_a_busy_ring);
    rig_test_add_both("a-busy-ring-with-workers",
                      test_a_busy_ring_with_workers);
    rig_test_add("counters-move-along", test_counters_move_along);
    rig_test_add_both("times-of-a-command", test_times_of_a_command);
    return g_test_run();
}
