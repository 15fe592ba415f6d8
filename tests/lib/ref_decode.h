/*
 * veu tests: a second implementation: a message that is being decoded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_REF_DECODE_H
#define VEU_TEST_REF_DECODE_H

#include "tests/lib/ref.h"

typedef struct RefDecoder {
    const RefProgram *program;
    const uint8_t *code;
    uint32_t bytes;
    uint32_t at;
    RefMessage *m;
    RefFault *fault; /* the first one is kept */
    bool truncated;
    bool lost; /* after a scalar of unknown class, whose length is unknown */
    uint32_t lost_at;
} RefDecoder;

/* ref_field.c: returns the next bytes, as a number; 0 past the end. */
uint64_t ref_take(RefDecoder *d, unsigned bytes);
void ref_refuse(RefDecoder *d, uint16_t code, uint32_t detail);
/* The field at @at has an illegal value. */
void ref_bad_field(RefDecoder *d, uint32_t at);
void ref_take_exec(RefDecoder *d, unsigned min_lanes, unsigned max_lanes);
void ref_take_num_elts(RefDecoder *d);
void ref_take_pred(RefDecoder *d);
void ref_take_surface(RefDecoder *d);
/* Returns the meaning of a one-byte code; @sizes ends with a 0. */
unsigned ref_take_size(RefDecoder *d, const uint8_t *sizes);
/* Returns the number of bytes that the data of all channels takes. */
uint32_t ref_take_channels(RefDecoder *d);

/* Sets of types of raw operands, each named by a letter. */
enum {
    REF_OFFSETS = 'o',   /* UD D */
    REF_ADDRESSES = 'a', /* UQ Q */
    REF_DWORDS = 'd',    /* UD D F */
    REF_QWORDS = 'q',    /* UQ Q DF */
    REF_ANY = '*',
};

/* ref_operand.c: @extent is the number of bytes that all lanes take. */
void ref_take_raw(RefDecoder *d, RefOperand *operand, char types,
                  uint32_t extent);
void ref_take_scalar(RefDecoder *d, RefScalar *scalar);

#endif
