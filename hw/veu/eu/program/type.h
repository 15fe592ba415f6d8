/*
 * veu execution unit: element types of variables and operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_EU_TYPE_H
#define VEU_EU_TYPE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "veu/program.h"

/* Masks of types have a bit for each. */
#define VEU_TYPE_BIT(name) (1u << VEU_TYPE_##name)
#define VEU_TYPES_D        (VEU_TYPE_BIT(UD) | VEU_TYPE_BIT(D))
#define VEU_TYPES_Q        (VEU_TYPE_BIT(UQ) | VEU_TYPE_BIT(Q))
/* Integers of at most 16 bits. */
#define VEU_TYPES_SMALL \
    (VEU_TYPE_BIT(UB) | VEU_TYPE_BIT(B) | VEU_TYPE_BIT(UW) | VEU_TYPE_BIT(W))
#define VEU_TYPES_INTEGER (VEU_TYPES_SMALL | VEU_TYPES_D | VEU_TYPES_Q)

/* By type; 0 for types that no variable may have. */
extern const uint8_t veu_type_sizes[UINT8_MAX + 1];

/* Bytes of an element, or 0 for types that no variable may have. */
static inline uint32_t veu_type_bytes(uint8_t type)
{
    return veu_type_sizes[type];
}

/* @type may be any byte of an encoding. */
static inline bool veu_type_is_integer(uint8_t type)
{
    return type <= VEU_TYPE_BF && (VEU_TYPES_INTEGER >> type & 1);
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
