/*
 * veu tools: names for the numbers in the tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tools/lib/names.h"
#include "tools/lib/number.h"
#include "veu/program.h"

static const char *const types[VEU_TYPE_COUNT] = {
    [VEU_TYPE_UD] = "UD",     [VEU_TYPE_D] = "D",   [VEU_TYPE_UW] = "UW",
    [VEU_TYPE_W] = "W",       [VEU_TYPE_UB] = "UB", [VEU_TYPE_B] = "B",
    [VEU_TYPE_DF] = "DF",     [VEU_TYPE_F] = "F",   [VEU_TYPE_V] = "V",
    [VEU_TYPE_VF] = "VF",     [VEU_TYPE_UQ] = "UQ", [VEU_TYPE_UV] = "UV",
    [VEU_TYPE_BOOL] = "BOOL", [VEU_TYPE_Q] = "Q",   [VEU_TYPE_HF] = "HF",
    [VEU_TYPE_BF] = "BF",
};

const char *name_of_type(unsigned type)
{
    return type < VEU_TYPE_COUNT ? types[type] : NULL;
}

bool type_by_name(const char *name, uint8_t *type)
{
    for (unsigned i = 0; i < VEU_TYPE_COUNT; i++) {
        if (!g_ascii_strcasecmp(name, types[i])) {
            *type = i;
            return true;
        }
    }
    return false;
}

const char *name_of_channel_type(VeuChannelType type)
{
    static const char *const names[] = {
        [VEU_CHANNEL_FLOAT] = "FLOAT", [VEU_CHANNEL_UFLOAT] = "UFLOAT",
        [VEU_CHANNEL_UNORM] = "UNORM", [VEU_CHANNEL_SNORM] = "SNORM",
        [VEU_CHANNEL_SRGB] = "SRGB",   [VEU_CHANNEL_SINT] = "SINT",
        [VEU_CHANNEL_UINT] = "UINT",
    };

    return names[type];
}

const char *name_of_access(enum veu_access access)
{
    static const char *const names[] = {
        [VEU_ACCESS_NONE] = "none",
        [VEU_ACCESS_READ] = "read",
        [VEU_ACCESS_WRITE] = "write",
    };

    return names[access];
}

const VeuFaultInfo *fault_by_name(const char *name)
{
    uint64_t code;

    for (unsigned i = 0; i < veu_fault_count; i++) {
        if (!g_ascii_strcasecmp(name, veu_faults[i].name)) {
            return &veu_faults[i];
        }
    }
    return number_parse(name, &code) && code <= UINT16_MAX ?
               veu_fault_info(code) :
               NULL;
}

const VeuFormat *format_by_name(const char *name)
{
    uint64_t code;

    for (unsigned i = 0; i < veu_format_count; i++) {
        if (!g_ascii_strcasecmp(name, veu_formats[i].name)) {
            return &veu_formats[i];
        }
    }
    return number_parse(name, &code) && code <= UINT16_MAX ?
               veu_format_find(code) :
               NULL;
}
