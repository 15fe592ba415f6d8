/*
 * veu execution unit: the host code of one run of steps, while it is written.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_JIT_CODE_H
#define VEU_EU_JIT_CODE_H

#include "hw/veu/eu/instruction/handler_message.h"
#include "hw/veu/eu/jit/masks.h"
#include "hw/veu/eu/jit/values.h"

/* Jumps to the same place, which is written later. */
typedef struct VeuJitJumps {
    uint32_t from[16];
    unsigned count;
} VeuJitJumps;

static inline void veu_jit_jump_if(VeuEmit *e, VeuJitJumps *j,
                                   unsigned condition)
{
    j->from[j->count++] = veu_emit_jump_if(e, condition);
}

/* All of them lead here. */
static inline void veu_jit_land(VeuEmit *e, const VeuJitJumps *j)
{
    for (unsigned n = 0; n < j->count; n++) {
        veu_emit_land(e, j->from[n]);
    }
}

/* The most messages of a run: as many as the stack has room for. */
#define VEU_JIT_MESSAGES 20

/* What messages that have been executed count. */
typedef struct VeuJitCounts {
    uint32_t messages;
    uint32_t lanes;
    uint32_t bytes;
} VeuJitCounts;

/* What a message of a run needs rarely: a function is called for its lanes. */
typedef struct VeuJitCall {
    const VeuHandlerStep *step;
    const VeuMessageRow *row;
    uint32_t number;     /* of the step, from the first one of the run */
    uint32_t due;        /* as in VeuJit */
    VeuJitCounts counts; /* before it */
    int32_t window_byte; /* where the surface's window is, from the first one */
    bool some;           /* as in VeuJit */
    bool in_block;
    uint32_t label_byte; /* in a block: the distance of its label */
    bool is_whole;       /* all lanes run whenever it is executed */
    uint8_t offsets[2];  /* vector registers: two of them without AVX-512 */
    uint8_t distances[2];
    uint8_t data[4][2]; /* of each element */
    uint8_t spare;
    uint8_t page;
    VeuJitJumps lanes; /* to the code for lanes that are in no row */
    VeuJitJumps calls; /* to the call */
    uint32_t back;     /* where the run continues after the call */
    VeuValues values;
    VeuMasks masks;
} VeuJitCall;

/* The state variables whose values may be known. */
#define VEU_JIT_STATES 8

typedef struct VeuJitState {
    bool is_known;
    uint32_t value;
} VeuJitState;

typedef struct VeuJit {
    VeuEmit *emit;
    const VeuProgram *program;
    uint32_t first;      /* step of the run */
    uint32_t body;       /* where the code of that step begins */
    bool some;           /* only some lanes of the dispatch run */
    bool in_block;       /* the code is for lanes that have not taken a goto */
    uint32_t label_byte; /* where they meet the others, from the first step */
    VeuValues values;
    VeuMasks masks;
    VeuJitCall calls[VEU_JIT_MESSAGES];
    unsigned call_count;
    VeuJitJumps stops;   /* to where a run that ends with a message stops */
    uint32_t due;        /* the step that the part of the run has paid up to */
    VeuJitCounts counts; /* not added to the thread's */
    VeuJitState states[VEU_JIT_STATES];
} VeuJit;

/* Returns true if veu_jit_row() knows the instruction's row. */
bool veu_jit_takes_row(const VeuInstruction *instruction);

/* The VEU_FLOATS_ bits with any of which host code does not hold. */
uint32_t veu_jit_unless(const VeuInstruction *instruction);

/* Writes host code for a step of a row that the compiler takes. */
void veu_jit_row(VeuJit *t, const VeuInstruction *instruction,
                 const VeuHandlerStep *step);

/*
 * Bits of rax, which are where the step's lanes are in a predicate, become
 * those of the predicate that the step writes. Lanes that do not execute it
 * keep theirs.
 */
void veu_jit_store_predicate(VeuJit *t, const VeuHandlerStep *step,
                             const VeuLanes *lanes);

#endif
