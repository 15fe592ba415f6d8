/*
 * veu tests: a host that maps consecutive pages at once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_WIDE_HOST_H
#define VEU_TEST_WIDE_HOST_H

#include "tests/lib/device_fixture.h"

/*
 * Lets the host of @dev map as many bytes as are consecutive in its memory, and
 * find no extents. The device comes from dev_new_joined().
 */
void wide_host_set(Dev *dev);

#endif
