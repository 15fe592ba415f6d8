/*
 * veu tests: a host whose n-th call fails or stops the device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * It wraps the host of one device at a time. A test increments n until a run
 * has no n-th call.
 */
#ifndef VEU_TEST_FAILING_HOST_H
#define VEU_TEST_FAILING_HOST_H

#include "tests/lib/device_fixture.h"

/*
 * The number of the call that is special, from 1; 0 if none is, or if it has
 * been made.
 */
typedef struct FailingHost {
    unsigned map;  /* finds no memory */
    unsigned open; /* finds no extent */
    /* of either kind: from then on a thread waits for the device */
    unsigned stop;
    bool has_open;
    unsigned awaited;
} FailingHost;

extern FailingHost failing_host;

/* From here on, calls of the device's host are counted. */
void failing_host_use(Dev *dev);

/*
 * Returns true if the fault can report that there is no memory: docs/spec.md,
 * section 12.
 */
bool failing_is_memory_fault(uint16_t code);

/* Asserts that after a reset and the driver's set-up, a fence is stored. */
void failing_assert_recovers(Dev *dev);

#endif
