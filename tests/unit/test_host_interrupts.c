/*
 * veu unit tests: a host that loses or delays interrupts: docs/spec.md,
 * "Interrupts".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A driver checks head and fault_tail when an interrupt arrives, and by itself
 * when none has arrived for a while. It therefore learns of each command and
 * fault once, in order, whichever interrupts arrive.
 */
#include <string.h>
#include "tests/lib/device_fixture.h"

#define COMMANDS 40
#define NEVER    UINT_MAX

/* The fate of the n-th interrupt, from 0. */
typedef unsigned (*Delay)(unsigned n, unsigned loses);

typedef struct Driver {
    Dev *d;
    Delay delay;
    unsigned loses;
    unsigned raised;
    /* the number of rounds until each arrives, or NEVER */
    unsigned late[COMMANDS * 4];
    unsigned heard;  /* interrupts */
    unsigned looked; /* without one */
    uint32_t head;   /* the head that was seen last */
    uint32_t fault_tail;
    unsigned done;
    unsigned faults;
} Driver;

static Driver *driver;

/* The model calls this to raise a vector. */
static void raise_vector(VeuHost *host, uint32_t vector)
{
    g_assert_cmpuint(vector, ==, 1);
    g_assert_cmpuint(driver->raised, <, G_N_ELEMENTS(driver->late));
    driver->late[driver->raised] = driver->delay(driver->raised, driver->loses);
    driver->raised++;
}

/* The handler of an interrupt, or of a timer if none has arrived. */
static void look(Driver *r)
{
    uint32_t head = DEV_SHARED_WORD(r->d, head);
    uint32_t fault_tail = DEV_SHARED_WORD(r->d, fault_tail);

    for (; r->head != head; r->head++) {
        r->done++;
    }
    for (; r->fault_tail != fault_tail; r->fault_tail++) {
        struct veu_fault_record record = dev_record(r->d, r->fault_tail %
                                                              DEV_RECORDS);

        g_assert_cmphex(record.code, ==, VEU_FAULT_COMMAND_MEMORY);
        g_assert_cmpuint(record.tag, ==, r->faults);
        r->faults++;
    }
    test_memory_put32(&r->d->host.memory,
                      DEV_SHARED + offsetof(struct veu_ring_shared, fault_head),
                      r->fault_tail);
}

/* A round of time passes, and the interrupts that are due arrive. */
static bool hear(Driver *r)
{
    bool heard = false;

    for (unsigned i = 0; i < r->raised; i++) {
        if (r->late[i] != NEVER && r->late[i]-- == 0) {
            r->late[i] = NEVER;
            r->heard++;
            heard = true;
            look(r);
        }
    }
    return heard;
}

/* Every third command faults; its tag is the number of the fault. */
static void push(Driver *r, unsigned n)
{
    struct veu_command_fence fence = dev_fence(n + 1);

    fence.header.flags = VEU_COMMAND_INTERRUPT;
    if (n % 3 == 2) {
        fence.address = DEV_HOLE;
        fence.header.tag = n / 3;
    }
    DEV_PUSH(r->d, fence);
}

/*
 * The driver submits one command at a time, and waits for it or for its timer.
 */
static void drive(Driver *r, Delay delay, unsigned loses)
{
    g_autoptr(Dev) d = dev_new();

    *r = (Driver){ .d = d, .delay = delay, .loses = loses };
    driver = r;
    d->host.host.interrupt = raise_vector;
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    for (unsigned n = 0; n < COMMANDS; n++) {
        push(r, n);
        g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
        veu_device_sleep(d->device);
        for (unsigned timer = 3; r->head != d->tail && timer; timer--) {
            hear(r);
        }
        if (r->head != d->tail) {
            r->looked++;
            look(r);
        }
        g_assert_cmpuint(r->head, ==, d->tail);
    }
    /* late interrupts find nothing new */
    for (unsigned i = 0; i < 100; i++) {
        hear(r);
    }
    g_assert_cmpuint(r->done, ==, COMMANDS);
    g_assert_cmpuint(r->faults, ==, COMMANDS / 3);
}

static unsigned at_once(unsigned n, unsigned loses)
{
    return 0;
}

static unsigned nth_is_lost(unsigned n, unsigned loses)
{
    return n == loses ? NEVER : 0;
}

static unsigned all_are_lost(unsigned n, unsigned loses)
{
    return NEVER;
}

static unsigned all_are_late(unsigned n, unsigned rounds)
{
    return rounds;
}

static void test_none_is_lost(void)
{
    Driver r;

    drive(&r, at_once, 0);
    g_assert_cmpuint(r.looked, ==, 0);
    g_assert_cmpuint(r.heard, ==, COMMANDS);
}

static void test_the_nth_is_lost(void)
{
    Driver r;

    for (unsigned n = 0; n < COMMANDS; n++) {
        drive(&r, nth_is_lost, n);
        g_assert_cmpuint(r.looked, ==, 1);
    }
}

static void test_all_are_lost(void)
{
    Driver r;

    drive(&r, all_are_lost, 0);
    g_assert_cmpuint(r.looked, ==, COMMANDS);
}

static void test_all_are_late(void)
{
    Driver r;

    for (unsigned rounds = 1; rounds < 50; rounds += 7) {
        drive(&r, all_are_late, rounds);
        g_assert_cmpuint(r.heard, ==, COMMANDS);
    }
}

/*
 * An interrupt from before a reset of the ring finds a ring that has done
 * nothing.
 */
static void test_one_comes_behind_a_reset(void)
{
    Driver r = { .d = dev_running(), .delay = all_are_late, .loses = 0 };

    driver = &r;
    r.d->host.host.interrupt = raise_vector;
    push(&r, 0);
    dev_run(r.d);
    dev_ring_set(r.d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    test_memory_fill(&r.d->host.memory, DEV_SHARED, 0,
                     sizeof(struct veu_ring_shared));
    dev_setup(r.d);
    dev_enable(r.d);
    r.head = r.d->tail;
    g_assert_true(hear(&r));
    g_assert_cmpuint(r.done, ==, 0);
    push(&r, 1);
    dev_run(r.d);
    g_assert_true(hear(&r));
    g_assert_cmpuint(r.done, ==, 1);
    dev_free(r.d);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/host_interrupts/none_is_lost", test_none_is_lost);
    g_test_add_func("/host_interrupts/the_nth_is_lost", test_the_nth_is_lost);
    g_test_add_func("/host_interrupts/all_are_lost", test_all_are_lost);
    g_test_add_func("/host_interrupts/all_are_late", test_all_are_late);
    g_test_add_func("/host_interrupts/one_comes_behind_a_reset",
                    test_one_comes_behind_a_reset);
    return g_test_run();
}
