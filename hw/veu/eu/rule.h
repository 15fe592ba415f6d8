/*
 * veu execution unit: the rules of a structure of the ABI, field by field.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_RULE_H
#define VEU_EU_RULE_H

#include <stddef.h>

/*
 * A line of a function `bool bad_...(..., uint32_t *at)`. If @is_broken holds,
 * the function returns true with the byte offset of @field in @type in *at. A
 * fault names the first broken rule, so a rule may rely on those before it.
 */
#define VEU_RULE(type, field, is_broken) \
    do {                                 \
        if (is_broken) {                 \
            *at = offsetof(type, field); \
            return true;                 \
        }                                \
    } while (0)

#endif
