/*
 * veu execution unit: checks that reserved memory is 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_ZERO_H
#define VEU_EU_ZERO_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t veu_zero_word(const uint8_t *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof(word));
    return word;
}

/*
 * Checks eight bytes at a time, from the end, where structures are aligned.
 * Some of the first bytes may be checked twice.
 */
static inline bool veu_is_zero(const void *bytes, uint32_t count)
{
    const uint8_t *at = bytes;
    uint64_t any = 0;

    if (count >= 8) {
        for (any = veu_zero_word(at); count > 8; count -= 8) {
            any |= veu_zero_word(at + count - 8);
        }
        return !any;
    }
    while (count) {
        any |= at[--count];
    }
    return !any;
}

#endif
