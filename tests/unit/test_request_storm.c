/*
 * veu unit tests: a ring that asks for pages endlessly, beside another ring:
 * docs/spec.md, section 3.5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The test compares work, not time: the units of turns (docs/spec.md, section
 * 4.4) between the submit of a command and its end.
 */
#include "hw/veu/device/model.h"
#include "requests.h"
#include "svm_launches.h"

#define ROUNDS  200
#define GROUPS  (1 << 16)
#define BUDGET  64 /* of a turn */
#define RING1   (VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE)
#define SLOT1   DEV_DATA /* ring 1: one slot, and its shared block */
#define SHARED1 (DEV_DATA + 0x1000)

/* Starts a huge number of groups, each of which stores to four pages. */
static void start_groups(Dev *d)
{
    struct veu_command_dispatch c = scatter(d, GROUPS);

    c.launch.payload_stride = 0;
    for (unsigned lane = 0; lane < 8; lane++) {
        put_lane(d, 0, lane, VA(TARGET) + lane % 4 * 4096 + lane * 4);
    }
    DEV_PUSH(d, c);
}

static void start_ring1(Dev *d)
{
    dev_write(d, RING1 + VEU_REG_RING_CONTEXT, 1, 4);
    dev_write(d, RING1 + VEU_REG_RING_BASE, SLOT1, 8);
    dev_write(d, RING1 + VEU_REG_RING_SHARED, SHARED1, 8);
    dev_write(d, RING1 + VEU_REG_RING_SLOTS, 1, 4);
    dev_write(d, RING1 + VEU_REG_RING_CONTROL, VEU_RING_ENABLE, 4);
}

/*
 * A driver that responds to every group, but maps nothing, so that all ask
 * again.
 */
static void respond_to_all(Dev *d)
{
    while (queue_head(d) != queue_tail(d)) {
        struct veu_request r = record(d, queue_head(d));

        set_head(d, queue_head(d) + 1);
        if (r.flags & VEU_REQUEST_LAST) {
            respond(d, r.id, 0);
        }
    }
}

/* Runs a turn as a host does, and adds its units to @units. */
static int turn(Dev *d, unsigned *units)
{
    uint64_t ready = veu_device_ready(d->device);
    uint32_t ring;

    if (!ready) {
        return -1;
    }
    ring = veu_device_pick(d->device, ready);
    veu_ring_step(d->device, ring, BUDGET);
    *units += d->device->ring[ring].cost;
    return ring;
}

/*
 * The number of units from the submit of a NOP in ring 1 until its head moves.
 */
static unsigned measure_nop(Dev *d, uint32_t tail)
{
    struct veu_command_nop nop = dev_nop(1);
    unsigned units = 0;
    int ring = -1;

    test_memory_put(&d->host.memory, SLOT1, &nop, sizeof(nop));
    test_memory_put32(&d->host.memory, SHARED1, tail);
    for (unsigned i = 0; ring != 1; i++) {
        ring = turn(d, &units);
        g_assert_cmpuint(i, <=, 2);
    }
    g_assert_cmpuint(
        test_memory_get32(&d->host.memory,
                          SHARED1 + offsetof(struct veu_ring_shared, head)),
        ==, tail);
    return units;
}

static unsigned latency_beside(bool storm)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    unsigned sum = 0, between = 0;

    for (unsigned i = 0; storm && i < 4; i++) {
        unmap(&t, VA(TARGET) + i * 4096);
    }
    d->keep_memory = true;
    dev_enable(d);
    start_groups(d);
    start_ring1(d);
    for (unsigned i = 0; i < 8; i++) {
        turn(d, &between);
    }
    for (unsigned i = 1; i <= ROUNDS; i++) {
        respond_to_all(d);
        sum += measure_nop(d, i);
        respond_to_all(d);
        turn(d, &between);
    }
    dev_assert_no_fault(d);
    if (storm) {
        g_assert_cmpuint(queue_tail(d), >, ROUNDS);
    }
    return sum;
}

static void test_another_ring_waits_at_most_twice_as_long(void)
{
    unsigned quiet = latency_beside(false);
    unsigned storm = latency_beside(true);

    g_test_message("%u units beside work, %u beside a storm", quiet, storm);
    g_assert_cmpuint(quiet, >, ROUNDS);
    g_assert_cmpuint(storm, <=, 2 * quiet);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/request_storm/another_ring_waits_at_most_twice_as_long",
                    test_another_ring_waits_at_most_twice_as_long);
    return g_test_run();
}
