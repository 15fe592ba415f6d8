/*
 * veu device tests: many rings of one device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/device/rig.h"

#define MANY     64
#define Q35_MANY "-M q35 -device veu,id=veu0,addr=4,rings=64"

typedef struct Many {
    Rig *first; /* ring 0, and the VM */
    unsigned count;
    Rig *ring[MANY];
} Many;

static Many *many_new(const char *accel, const char *arguments, unsigned count)
{
    Many *m = g_new0(Many, 1);

    m->first = rig_new(accel, arguments);
    m->count = count;
    g_assert_cmpuint(m->first->device.limits.rings, >=, count);
    for (unsigned i = 0; i < count; i++) {
        m->ring[i] = rig_add_ring(m->first, i);
    }
    return m;
}

static void many_free(Many *m)
{
    for (unsigned i = 0; i < m->count; i++) {
        rig_free(m->ring[i]);
    }
    rig_free(m->first);
    g_free(m);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Many, many_free)

static void start_all(Many *m)
{
    for (unsigned i = 0; i < m->count; i++) {
        rig_start(m->ring[i]);
    }
}

static void put_fence(Rig *r, uint64_t value, uint16_t flags)
{
    struct veu_command_fence fence = veu_make_fence(2, r->fence, value);

    fence.header.flags = flags;
    rig_put(r, &fence.header);
}

/* ---- contents ---- */

static void test_64_rings_have_64_doorbells_and_vectors(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, Q35_MANY);

    g_assert_cmpuint(rig_read(r, 0x10), ==, 64);
    g_assert_cmpuint(rig_read(r, 0x14), ==, 64);
    g_assert_cmpuint(rig_read(r, 0x20), ==, 64);
    g_assert_cmphex(veu_pci_bar_bytes(r->device.function, 2), ==, 0x40000);
    g_assert_cmphex(rig_read(r, 0x7f2c), ==, 0xffffffff); /* RING_VECTOR */
}

static void test_doorbells_are_a_power_of_two(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, "-M q35 -device veu,rings=5,vectors=2");

    g_assert_cmpuint(rig_read(r, 0x10), ==, 5);
    g_assert_cmpuint(rig_read(r, 0x20), ==, 2);
    g_assert_cmphex(veu_pci_bar_bytes(r->device.function, 2), ==, 0x8000);
    g_assert_cmphex(rig_read(r, 0x442c), ==, 0xffffffff);
    g_assert_cmphex(rig_read(r, 0x452c), ==, 0); /* no ring 5 */
}

static unsigned resident_kib(const char *accel, const char *arguments)
{
    g_autoptr(Rig) r = rig_new(accel, arguments);

    vm_settle();
    return vm_resident_kib(r->vm);
}

/* Each ring has megabytes, for registers, shared local memory and a program. */
static void test_unused_rings_cost_no_memory(const char *accel)
{
    unsigned one, many;

    /* it writes to all memory that is allocated */
    g_unsetenv("MALLOC_PERTURB_");
    one = resident_kib(accel, "-M q35 -device veu,rings=1");
    many = resident_kib(accel, Q35_MANY);
    g_test_message("resident: %u KiB with 1 ring, %u KiB with 64", one, many);
    g_assert_cmpuint(many, <, one + 16 * 1024);
}

/* ---- work ---- */

static void test_all_rings_work_at_once(const char *accel)
{
    g_autoptr(Many) m = many_new(accel, Q35_MANY, MANY);

    start_all(m);
    for (unsigned round = 1; round <= 5; round++) {
        for (unsigned i = 0; i < RIG_SLOTS; i++) {
            for (unsigned n = 0; n < m->count; n++) {
                put_fence(m->ring[n], round << 16 | n << 8 | i, 0);
            }
        }
        for (unsigned n = 0; n < m->count; n++) {
            rig_submit(m->ring[n]);
        }
        for (unsigned n = 0; n < m->count; n++) {
            rig_wait(m->ring[n]);
            g_assert_cmphex(*m->ring[n]->fence, ==,
                            round << 16 | n << 8 | (RIG_SLOTS - 1));
        }
    }
}

static void test_each_doorbell_wakes_the_device(const char *accel)
{
    g_autoptr(Many) m = many_new(accel, Q35_MANY, MANY);

    start_all(m);
    for (unsigned n = 0; n < m->count; n++) {
        Rig *r = m->ring[n];

        rig_wait_asleep(r);
        put_fence(r, n + 1, 0);
        __atomic_store_n(&r->shared->tail, r->ring.tail, __ATOMIC_SEQ_CST);
        port_write(r->device.doorbells + n * 4096, 4, 0);
        rig_wait(r);
        g_assert_cmpuint(*r->fence, ==, n + 1);
    }
}

/* An idle ring need not be woken for another one. */
static void test_sleeping_rings_sleep_on(const char *accel)
{
    g_autoptr(Many) m = many_new(accel, RIG_Q35, 2);

    start_all(m);
    rig_wait_asleep(m->ring[0]);
    rig_wait_asleep(m->ring[1]);
    for (unsigned i = 0; i < 1000; i++) {
        rig_assert_works(m->ring[0]);
        g_assert_cmpuint(m->ring[1]->shared->asleep, ==, 1);
    }
    rig_assert_works(m->ring[1]);
}

static void clear_messages(Many *m)
{
    for (unsigned n = 0; n < m->count; n++) {
        *m->ring[n]->message = 0;
    }
}

static void test_each_ring_has_its_vector(const char *accel)
{
    g_autoptr(Many) m = many_new(accel, Q35_MANY, MANY);

    for (unsigned n = 0; n < m->count; n++) {
        rig_set_up_msix(m->ring[n]);
        rig_start(m->ring[n]);
    }
    for (unsigned n = 0; n < m->count; n++) {
        clear_messages(m);
        put_fence(m->ring[n], n, VEU_COMMAND_INTERRUPT);
        rig_submit(m->ring[n]);
        rig_wait_message(m->ring[n]);
        for (unsigned other = 0; other < m->count; other++) {
            g_assert_cmphex(*m->ring[other]->message, ==, 0);
        }
    }
}

static void test_rings_share_the_only_vector(const char *accel)
{
    g_autoptr(Many)
        m = many_new(accel, "-M q35 -device veu,rings=8,vectors=1", 8);

    rig_set_up_msix(m->ring[0]);
    for (unsigned n = 0; n < m->count; n++) {
        m->ring[n]->config.vector = 0;
        rig_start(m->ring[n]);
    }
    for (unsigned n = 0; n < m->count; n++) {
        put_fence(m->ring[n], n, VEU_COMMAND_INTERRUPT);
        rig_submit(m->ring[n]);
        rig_wait_message(m->ring[0]);
    }
}

static void test_works_without_vectors(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, "-M q35 -device veu,vectors=0");

    g_assert_cmphex(veu_pci_capability(r->device.function, VEU_PCI_CAP_MSIX),
                    ==, 0);
    g_assert_cmpuint(rig_read(r, 0x20), ==, 0);
    rig_start(r);
    rig_assert_works(r);
}

/* ---- rings do not delay each other ---- */

static void test_long_work_does_not_hold_up_others(const char *accel)
{
    g_autoptr(Many) m = many_new(accel, Q35_MANY, MANY);

    start_all(m);
    for (unsigned n = 0; n < m->count; n += 2) {
        rig_run_endless(m->ring[n]);
    }
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned n = 1; n < m->count; n += 2) {
            rig_assert_works(m->ring[n]);
        }
    }
    for (unsigned n = 0; n < m->count; n += 2) {
        rig_wait_writes(m->ring[n]);
    }
}

static void test_faults_do_not_hold_up_others(const char *accel)
{
    g_autoptr(Many) m = many_new(accel, Q35_MANY, MANY);
    struct veu_command_nop bad = veu_make_nop(0xbad);
    struct veu_fault_record record;

    bad.header.opcode = 0x77;
    start_all(m);
    for (unsigned n = 0; n < m->count; n += 2) {
        record = rig_run_fault(m->ring[n], &bad.header,
                               VEU_FAULT_COMMAND_OPCODE);
        g_assert_cmpuint(record.ring, ==, n);
    }
    for (unsigned n = 1; n < m->count; n += 2) {
        rig_assert_works(m->ring[n]);
        g_assert_cmpuint(rig_ring_read(m->ring[n], VEU_REG_RING_FAULT_COUNT),
                         ==, 0);
    }
}

static void test_reset_of_a_ring_leaves_the_others(const char *accel)
{
    g_autoptr(Many) m = many_new(accel, RIG_Q35, 4);

    start_all(m);
    for (unsigned n = 0; n < m->count; n++) {
        rig_run_endless(m->ring[n]);
    }
    for (unsigned n = 0; n < m->count; n++) {
        rig_ring_write(m->ring[n], VEU_REG_RING_CONTROL, VEU_RING_RESET);
        for (unsigned other = 0; other < m->count; other++) {
            if (other <= n) {
                rig_assert_no_writes(m->ring[other]);
            } else {
                rig_wait_writes(m->ring[other]);
            }
        }
    }
    start_all(m);
    for (unsigned n = 0; n < m->count; n++) {
        rig_assert_works(m->ring[n]);
    }
}

static void test_device_reset_stops_all(const char *accel)
{
    g_autoptr(Many) m = many_new(accel, Q35_MANY, MANY);

    start_all(m);
    for (unsigned n = 0; n < m->count; n++) {
        rig_run_endless(m->ring[n]);
    }
    veu_reset(&m->first->device);
    for (unsigned n = 0; n < m->count; n++) {
        rig_assert_no_writes(m->ring[n]);
        g_assert_cmpuint(rig_ring_read(m->ring[n], VEU_REG_RING_STATE), ==, 0);
    }
}

static void test_stop_and_cont_with_all_busy(const char *accel)
{
    g_autoptr(Many) m = many_new(accel, Q35_MANY, MANY);

    vm_run(m->first->vm);
    start_all(m);
    for (unsigned n = 0; n < m->count; n++) {
        rig_run_endless(m->ring[n]);
    }
    vm_stop(m->first->vm);
    for (unsigned n = 0; n < m->count; n += 21) {
        rig_assert_no_writes(m->ring[n]);
    }
    vm_run(m->first->vm);
    for (unsigned n = 0; n < m->count; n++) {
        rig_wait_writes(m->ring[n]);
    }
}

/* RING_BUDGET: the fault is reported, and only this ring needs attention. */
static void test_a_runaway_halts_alone(const char *accel)
{
    g_autoptr(Many) m = many_new(accel, RIG_Q35, 2);
    struct veu_fault_record record;

    m->ring[0]->config.budget = 1000000;
    start_all(m);
    rig_run_endless(m->ring[1]);
    rig_run_endless(m->ring[0]);
    rig_wait_state(m->ring[0], VEU_RING_HALTED);
    g_assert_true(veu_ring_read_fault(&m->ring[0]->ring, &record));
    g_assert_cmpuint(record.code, ==, VEU_FAULT_BUDGET);
    g_assert_cmpuint(record.tag, ==, 99);
    rig_wait_writes(m->ring[1]);
    rig_start(m->ring[0]);
    rig_assert_works(m->ring[0]);
}

/* ---- priorities ---- */

/* The lowest priority makes progress beside the highest, which never ends. */
static void test_low_priority_is_not_starved(const char *accel)
{
    g_autoptr(Many) m = many_new(accel, RIG_Q35, 4);

    start_all(m);
    veu_ring_set_priority(&m->ring[0]->ring, VEU_PRIORITY_LOW);
    for (unsigned n = 1; n < m->count; n++) {
        veu_ring_set_priority(&m->ring[n]->ring, VEU_PRIORITY_HIGHEST);
        rig_run_endless(m->ring[n]);
    }
    for (unsigned i = 0; i < 100; i++) {
        rig_assert_works(m->ring[0]);
    }
    rig_run_endless(m->ring[0]);
}

static void test_priority_may_change_at_any_time(const char *accel)
{
    g_autoptr(Many) m = many_new(accel, RIG_Q35, 2);

    start_all(m);
    rig_run_endless(m->ring[0]);
    rig_run_endless(m->ring[1]);
    for (unsigned i = 0; i < 200; i++) {
        veu_ring_set_priority(&m->ring[i % 2]->ring, i / 2 % 4);
        g_assert_cmpuint(rig_ring_read(m->ring[i % 2], VEU_REG_RING_PRIORITY),
                         ==, i / 2 % 4);
    }
    rig_wait_writes(m->ring[0]);
    rig_wait_writes(m->ring[1]);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("64-rings-have-64-doorbells-and-vectors",
                 test_64_rings_have_64_doorbells_and_vectors);
    rig_test_add("doorbells-are-a-power-of-two",
                 test_doorbells_are_a_power_of_two);
    rig_test_add("unused-rings-cost-no-memory",
                 test_unused_rings_cost_no_memory);
    rig_test_add_both("all-rings-work-at-once", test_all_rings_work_at_once);
    rig_test_add_both("each-doorbell-wakes-the-device",
                      test_each_doorbell_wakes_the_device);
    rig_test_add("sleeping-rings-sleep-on", test_sleeping_rings_sleep_on);
    rig_test_add_both("each-ring-has-its-vector",
                      test_each_ring_has_its_vector);
    rig_test_add("rings-share-the-only-vector",
                 test_rings_share_the_only_vector);
    rig_test_add("works-without-vectors", test_works_without_vectors);
    rig_test_add_both("long-work-does-not-hold-up-others",
                      test_long_work_does_not_hold_up_others);
    rig_test_add("faults-do-not-hold-up-others",
                 test_faults_do_not_hold_up_others);
    rig_test_add("reset-of-a-ring-leaves-the-others",
                 test_reset_of_a_ring_leaves_the_others);
    rig_test_add("device-reset-stops-all", test_device_reset_stops_all);
    rig_test_add_both("stop-and-cont-with-all-busy",
                      test_stop_and_cont_with_all_busy);
    rig_test_add("a-runaway-halts-alone", test_a_runaway_halts_alone);
    rig_test_add("low-priority-is-not-starved",
                 test_low_priority_is_not_starved);
    rig_test_add("priority-may-change-at-any-time",
                 test_priority_may_change_at_any_time);
    return g_test_run();
}
