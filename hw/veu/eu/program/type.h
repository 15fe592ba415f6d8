/*
 * veu execution unit: element types of variables and operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_EU_TYPE_H
#define VEU_EU_TYPE_H

#include <stdint.h>
#include <string.h>
#include "veu/program.h"

/* By type; 0 for types that no variable may have. */
extern const uint8_t veu_type_sizes[UINT8_MAX + 1];

/* Bytes of an element, or 0 for types that no variable may have. */
static inline uint32_t veu_type_bytes(uint8_t type)
{
    return veu_type_sizes[type];
}

/*
 * The low bits of @value, extended with sign or zeros as integer @type
 * requires.
 */
uint64_t veu_type_extend(uint8_t type, uint64_t value);

/* The element at @from, extended like veu_type_extend() does. */
static inline uint64_t veu_type_load(uint8_t type, const void *from)
{
    uint64_t value = 0;
    uint32_t low;

    /* Most elements are dwords; a copy of constant size is not a call. */
    if (type == VEU_TYPE_UD) {
        memcpy(&low, from, sizeof(low));
        return low;
    }
    if (type == VEU_TYPE_UQ) {
        memcpy(&value, from, sizeof(value));
        return value;
    }
    memcpy(&value, from, veu_type_bytes(type));
    return veu_type_extend(type, value);
}

#endif
