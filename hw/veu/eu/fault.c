/*
 * veu execution unit: the fault table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/fault.h"

#define FAULT_ROW(name, code, effect, cause, advice) \
    { code, #name, VEU_EFFECT_##effect, cause, advice },
const VeuFaultInfo veu_faults[] = { VEU_FAULTS(FAULT_ROW) };
#undef FAULT_ROW

const unsigned veu_fault_count = VEU_ARRAY_SIZE(veu_faults);

const VeuFaultInfo *veu_fault_info(uint16_t code)
{
    for (unsigned i = 0; i < veu_fault_count; i++) {
        if (veu_faults[i].code == code) {
            return &veu_faults[i];
        }
    }
    return NULL;
}

bool veu_fault_form(VeuFault *fault, uint16_t code, uint32_t detail)
{
    *fault = (VeuFault){
        .code = code,
        .lane = VEU_FAULT_NO_LANE,
        .element = VEU_FAULT_NO_LANE,
        .detail = detail,
    };
    return false;
}

bool veu_fault_address(VeuFault *fault, uint16_t code, uint64_t address,
                       uint32_t bytes, enum veu_access access)
{
    veu_fault_form(fault, code, 0);
    fault->address = address;
    fault->bytes = bytes;
    fault->access = access;
    return false;
}
