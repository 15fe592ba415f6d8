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
    /* Lanes that are performed, and lanes that are out of bounds. */
    bool live[REF_MAX_LANES];
    bool outside[REF_MAX_LANES];
    uint64_t address[REF_MAX_LANES];
    bool slm; /* the addresses are in shared local memory */
} RefRun;

/* The memory of a surface: [base, base + size). */
typedef struct RefRange {
    uint64_t base;
    uint64_t size;
} RefRange;

/* ref_execute.c: functions for all messages. */
bool ref_lane_enabled(const RefThread *t, const RefMessage *m, unsigned n);
/* Operands, with their values before the message; null reads as 0. */
uint32_t ref_operand_dword(const RefRun *r, const RefOperand *o, unsigned lane);
uint64_t ref_operand_qword(const RefRun *r, const RefOperand *o, unsigned lane);
uint8_t ref_operand_byte(const RefRun *r, const RefOperand *o, unsigned byte);
/*
 * Returns false with a fault if an indirect operand is outside of the
 * registers.
 */
bool ref_scalar(RefRun *r, const RefScalar *scalar, uint64_t *value);
/* Writes the destination; does nothing if it is null. */
void ref_write_byte(const RefRun *r, unsigned byte, uint8_t value);
/*
 * Writes @size bytes of a result to a place of @place bytes; the rest is
 * undefined.
 */
void ref_write(const RefRun *r, unsigned byte, uint64_t value, unsigned size,
               unsigned place);

void ref_form_fault(RefRun *r, uint16_t code, uint32_t detail);
/* Element @element of a lane cannot be performed; the first fault is kept. */
void ref_lane_fault(RefRun *r, uint16_t code, unsigned lane, unsigned element,
                    uint64_t address, uint32_t bytes);
/* Makes the lane fault if its address does not have the message's alignment. */
bool ref_aligned(RefRun *r, unsigned lane, uint64_t address);
/* Makes the lane fault unless all bytes of the element are accessible. */
bool ref_check(RefRun *r, unsigned lane, unsigned element, uint64_t address,
               uint32_t bytes);
/* Checks a lane with one element of @bytes: it becomes live, or faults. */
void ref_check_lane(RefRun *r, unsigned lane, uint32_t bytes);
uint64_t ref_load(const RefRun *r, uint64_t address, unsigned bytes);
void ref_store(const RefRun *r, uint64_t address, uint64_t value,
               unsigned bytes);
/* Counts @lane_bytes for each live lane. */
void ref_moved(const RefRun *r, uint32_t lane_bytes);

/* ref_buffer.c: returns false with a fault. */
bool ref_find_buffer(RefRun *r, RefRange *range);
/*
 * Returns an offset in that buffer, which wraps in the SLM of programs of
 * instructions.
 */
uint64_t ref_offset(const RefRun *r, uint64_t offset);

/* ref_typed.c: returns NULL with a fault. */
const struct veu_surface *ref_find_image(RefRun *r);
/* Finds the texel of each lane. */
void ref_place_texels(RefRun *r, const struct veu_surface *s);

/* Perform a message. */
void ref_gather(RefRun *r);
void ref_scatter(RefRun *r);
void ref_gather4_scaled(RefRun *r);
void ref_scatter4_scaled(RefRun *r);
void ref_svm_gather(RefRun *r);
void ref_svm_scatter(RefRun *r);
void ref_block_ld(RefRun *r);
void ref_block_st(RefRun *r);
void ref_media_ld(RefRun *r);
void ref_media_st(RefRun *r);
void ref_dword_atomic(RefRun *r);
void ref_svm_atomic(RefRun *r);
void ref_typed_atomic(RefRun *r);
void ref_gather4_typed(RefRun *r);
void ref_scatter4_typed(RefRun *r);

/*
 * Returns the new value of memory after an atomic operation on words of @bytes;
 * *result receives what the message returns.
 */
uint64_t ref_atomic(uint8_t op, unsigned bytes, uint64_t old, uint64_t src0,
                    uint64_t src1, uint64_t *result);

#endif
