/*
 * veu tests: helpers of a test host, which run shares of a launch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_HELPERS_H
#define VEU_TEST_HELPERS_H

#include "tests/lib/device_fixture.h"

/* The map of one test host, for many threads. */
typedef struct Helper {
    VeuHost host; /* first */
    Dev *dev;
    unsigned maps; /* calls of its gate; 0 if it was idle */
    /* pages that it has mapped for writing, counted with repeats */
    unsigned unflushed;
} Helper;

typedef struct Helpers {
    Helper helper[VEU_MAX_SLICES - 1];
    VeuHost *list[VEU_MAX_SLICES - 1];
} Helpers;

/*
 * Gives the host of @dev @count helpers, which @helpers stores. They are
 * threads that run at the same time, or otherwise run one after the other, the
 * last one first.
 */
void helpers_add(Dev *dev, Helpers *helpers, unsigned count, bool at_once);

#endif
