/*
 * veu execution unit: ranges of addresses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_RANGE_H
#define VEU_EU_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns true if @bytes at @start reach 2^64, so that their end has no
 * address.
 */
static inline bool veu_range_wraps(uint64_t start, uint64_t bytes)
{
    return start + bytes < start;
}

#endif
