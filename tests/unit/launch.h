/*
 * veu unit tests: what the tests of launches share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_LAUNCH_H
#define VEU_TEST_LAUNCH_H

#include "tests/lib/device_fixture.h"

#define UNTOUCHED 0xeeeeeeee

static inline void put32(Dev *d, uint64_t at, uint32_t value)
{
    test_memory_put32(&d->host.memory, at, value);
}

static inline uint32_t get32(Dev *d, uint64_t at)
{
    return test_memory_get32(&d->host.memory, at);
}

static inline Dev *fixture(void)
{
    Dev *d = dev_running();

    test_memory_fill(&d->host.memory, DEV_RESULT, 0xee, 4096);
    test_memory_fill(&d->host.memory, DEV_DATA, 0xee, 4096);
    return d;
}

static inline void run_command(Dev *d, const void *command, unsigned slots)
{
    dev_push(d, command, slots);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(d);
}
#define RUN(d, command) \
    run_command((d), &(command), sizeof(command) / VEU_SLOT_BYTES)

/* Puts dword 0 of V32 to @at of the stateless range. */
static inline TestMessage store(uint32_t at)
{
    return (TestMessage){ .kind = TEST_SCATTER_SCALED,
                          .exec = TEST_LANES_1,
                          .num_blocks = 2,
                          .surface = 5,
                          .offset = test_immediate(at),
                          .data = { 32, 0 } };
}

/* Stateless memory covers the first 4 KiB of DEV_DATA. */
static inline struct veu_command_dispatch dispatch(Dev *d)
{
    struct veu_command_dispatch command = dev_dispatch(d);

    command.launch.stateless_base = DEV_DATA;
    command.launch.stateless_bytes = 4096;
    return command;
}

#endif
