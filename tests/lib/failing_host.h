/*
 * veu tests: a host whose n-th call fails, or which stops the device there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Around the host of one device at a time. A test counts n up until a run has
 * no n-th call.
 */
#ifndef VEU_TEST_FAILING_HOST_H
#define VEU_TEST_FAILING_HOST_H

#include "tests/lib/device_fixture.h"

/* The call of that number, from 1, is special; 0: none is, or it was made. */
typedef struct FailingHost {
    unsigned map;  /* finds no memory */
    unsigned open; /* finds no extent */
    unsigned stop; /* of either: a thread awaits the device from then on */
    bool has_open;
    unsigned awaited;
} FailingHost;

extern FailingHost failing_host;

/* Behind this, calls of the device's host are counted. */
void failing_host_use(Dev *dev);

/*
 * Returns true if the fault can report that there is no memory: docs/spec.md,
 * section 12.
 */
bool failing_is_memory_fault(uint16_t code);

/* After a reset, with the driver's set-up, a fence is stored. */
void failing_assert_recovers(Dev *dev);

#endif
