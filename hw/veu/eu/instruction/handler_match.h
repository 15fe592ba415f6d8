/*
 * veu execution unit: the instructions that a row of handlers executes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_MATCH_H
#define VEU_EU_INSTRUCTION_HANDLER_MATCH_H

#include "hw/veu/eu/instruction/instruction.h"

/* A code that stands for all codes. */
#define VEU_ANY_CODE (-1)

/* Instructions of one operation that a row of handler_rows.h executes. */
typedef struct VeuHandlerMatch {
    uint8_t row;
    int8_t code;      /* relation or MINMAX, or VEU_ANY_CODE */
    uint8_t modifier; /* of source @modified, which the row applies itself */
    uint8_t modified;
    bool turned;  /* the row takes the second source first */
    uint32_t dst; /* mask of 1 << enum veu_type; 0 ends a list */
    uint32_t src; /* of all sources in registers */
} VeuHandlerMatch;

/*
 * How an operation depends on the width and sign of integers. This determines
 * at which widths it may be computed.
 */
typedef enum VeuHandlerWidth {
    /* The low bits of the result depend on the low bits of the sources. */
    VEU_WIDTH_RING,
    /* The result depends on the values of the sources. */
    VEU_WIDTH_VALUE,
    /* src0 is shifted; zeros come in, or copies of its sign. */
    VEU_WIDTH_LEFT,
    VEU_WIDTH_RIGHT,
    VEU_WIDTH_SIGN,
    /* Only at the width of the row. */
    VEU_WIDTH_OWN
} VeuHandlerWidth;

typedef struct VeuHandlerList {
    VeuHandlerWidth width;
    const VeuHandlerMatch *match;
} VeuHandlerList;

/* The rows of an operation; match is NULL if it has none. */
const VeuHandlerList *veu_handler_list(VeuOperation operation);

#endif
