/*
 * veu tests: a second implementation: a message that is being performed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_REF_RUN_H
#define VEU_TEST_REF_RUN_H

#include "tests/lib/ref.h"

#define REF_MAX_LANES 32

typedef struct RefRun {
    RefThread *t;
    const RefMessage *m;
    RefFault *fault;
    /* The register file as it was before the message. */
    uint8_t *before;
    /* Lanes that are performed, are out of bounds. */
    bool live[REF_MAX_LANES];
    bool outside[REF_MAX_LANES];
    uint64_t address[REF_MAX_LANES];
    uint32_t bytes; /* of a lane, at its address */
    bool slm;       /* the addresses are in shared local memory */
} RefRun;

/* ref_execute.c: what all messages need. */
bool ref_lane_enabled(const RefThread *t, const RefMessage *m, unsigned n);
uint32_t ref_operand_dword(const RefRun *r, const RefOperand *o, unsigned lane);
void ref_form_fault(RefRun *r, uint16_t code);
/* All of the lane's bytes, or a fault that names the first bad element. */
void ref_check_lane(RefRun *r, unsigned lane, uint32_t element_bytes);
uint64_t ref_load(const RefRun *r, uint64_t address, unsigned bytes);
void ref_store(const RefRun *r, uint64_t address, uint64_t value,
               unsigned bytes);

/* Perform a message; return the bytes that a lane moves. */
uint32_t ref_gather4_typed(RefRun *r);
uint32_t ref_scatter4_typed(RefRun *r);

#endif
