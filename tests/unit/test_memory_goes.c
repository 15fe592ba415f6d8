/*
 * veu unit tests: memory of a ring that is missing when it is needed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/device_fixture.h"

/* Turns the page into a hole. */
static void take_away(Dev *d, uint64_t iova)
{
    TestMemory *m = &d->host.memory;

    for (unsigned i = 0; i < m->count; i++) {
        if (m->page[i].iova == iova) {
            m->page[i].iova = UINT64_C(1) << 60;
        }
    }
}

static void assert_halted(Dev *d)
{
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_RING_MEMORY);
}

/* The first slot is at the end of memory, and the second one is a hole. */
static void test_the_second_slot_of_a_command(void)
{
    const uint64_t slot = DEV_RAM + DEV_RAM_BYTES - VEU_SLOT_BYTES;
    g_autoptr(Dev) d = dev_new();
    struct veu_command_dispatch c = dev_dispatch(d);
    struct veu_fault_record record;

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_BASE, slot);
    dev_enable(d);
    test_memory_put(&d->host.memory, slot, &c, VEU_SLOT_BYTES);
    d->tail = 2;
    dev_publish(d);
    dev_run(d);
    assert_halted(d);
    record = dev_record(d, 0);
    g_assert_cmphex(record.address, ==, slot + VEU_SLOT_BYTES);
    g_assert_cmpuint(record.bytes, ==, VEU_SLOT_BYTES);
    g_assert_cmpuint(record.access, ==, VEU_ACCESS_READ);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_HEAD), ==, 0);
}

/*
 * The device cannot store that it sleeps; it reports the fault when it wakes.
 */
static void test_the_shared_block_before_the_device_sleeps(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    take_away(d, DEV_SHARED);
    veu_device_sleep(d->device);
    dev_step(d, 1);
    assert_halted(d);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/memory_goes/the_second_slot_of_a_command",
                    test_the_second_slot_of_a_command);
    g_test_add_func("/memory_goes/the_shared_block_before_the_device_sleeps",
                    test_the_shared_block_before_the_device_sleeps);
    return g_test_run();
}
