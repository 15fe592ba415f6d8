/*
 * veu execution unit: what is reserved has to be 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_ZERO_H
#define VEU_EU_ZERO_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Eight bytes at a time: most commands are checked, and few are wrong. */
static inline bool veu_is_zero(const void *bytes, uint32_t count)
{
    const uint8_t *at = bytes;
    uint64_t any = 0;

    for (; count >= sizeof(any); count -= sizeof(any), at += sizeof(any)) {
        uint64_t word;

        memcpy(&word, at, sizeof(word));
        any |= word;
    }
    while (count) {
        any |= at[--count];
    }
    return !any;
}

#endif
