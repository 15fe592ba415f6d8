/*
 * veu execution unit: a fault on its way to the fault queue.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_FAULT_H
#define VEU_EU_FAULT_H

#include <stdbool.h>
#include <stdint.h>
#include "veu/fault.h"

/* The part of struct veu_fault_record that the execution unit knows. */
typedef struct VeuFault {
    uint16_t code; /* 0: none */
    uint8_t access;
    uint8_t lane;
    uint8_t element;
    uint64_t address;
    uint32_t bytes;
    uint32_t bytes_done;
    uint32_t lanes;
    uint32_t detail;
} VeuFault;

/* One row of the fault table, for users and documentation. */
typedef struct VeuFaultInfo {
    uint16_t code;
    const char *name;
    const char *effect; /* what happened before it */
    const char *cause;
    const char *advice;
} VeuFaultInfo;

extern const VeuFaultInfo veu_faults[];
extern const unsigned veu_fault_count;

/* Returns NULL for a code that does not exist. */
const VeuFaultInfo *veu_fault_info(uint16_t code);

/* Sets a fault of form, which has no lane and no address. Returns false. */
bool veu_fault_form(VeuFault *fault, uint16_t code, uint32_t detail);

/*
 * Sets a fault at an address that no lane accessed, for an access of @bytes.
 * Returns false.
 */
bool veu_fault_address(VeuFault *fault, uint16_t code, uint64_t address,
                       uint32_t bytes, enum veu_access access);

#endif
