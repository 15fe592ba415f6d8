/*
 * veu execution unit: element types of variables and operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include "hw/veu/eu/program/type.h"

const uint8_t veu_type_sizes[UINT8_MAX + 1] = {
    [VEU_TYPE_UD] = 4, [VEU_TYPE_D] = 4, [VEU_TYPE_UW] = 2, [VEU_TYPE_W] = 2,
    [VEU_TYPE_UB] = 1, [VEU_TYPE_B] = 1, [VEU_TYPE_DF] = 8, [VEU_TYPE_F] = 4,
    [VEU_TYPE_UQ] = 8, [VEU_TYPE_Q] = 8, [VEU_TYPE_HF] = 2, [VEU_TYPE_BF] = 2,
};

uint64_t veu_type_extend(uint8_t type, uint64_t value)
{
    switch (type) {
    case VEU_TYPE_B:
        return (int8_t)value;
    case VEU_TYPE_W:
        return (int16_t)value;
    case VEU_TYPE_D:
        return (int32_t)value;
    case VEU_TYPE_UB:
        return (uint8_t)value;
    case VEU_TYPE_UW:
        return (uint16_t)value;
    case VEU_TYPE_UD:
        return (uint32_t)value;
    default:
        return value;
    }
}
