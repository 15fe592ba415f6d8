/*
 * veu execution unit: which lanes host code executes an instruction for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * With AVX-512, host code has the lanes of an instruction in a mask register;
 * lanes.h has the other case. Masks that several instructions use are kept, as
 * values are (values.h).
 */
#ifndef VEU_EU_JIT_MASKS_H
#define VEU_EU_JIT_MASKS_H

#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/jit/emit.h"

/* Mask registers for results of comparisons. The others are for lanes. */
#define VEU_MASK_RESULT 1
#define VEU_MASK_OTHER  2
#define VEU_FIRST_MASK  3
#define VEU_HOST_MASKS  8

/* General registers, which are loaded when they are needed first. */
#define VEU_PREDICATES VEU_R8  /* the EU thread's predicates */
#define VEU_RUNNING    VEU_R9  /* the lanes that run */
#define VEU_FLOW       VEU_R10 /* the EU thread's flow */
#define VEU_LANES      VEU_R11 /* of the current instruction */
#define VEU_BITS       VEU_R11 /* of a comparison's lanes so far */
#define VEU_THREAD     VEU_RDI
#define VEU_STEP       VEU_RSI

/* Lanes: those that run, those with a bit of a predicate, or both. */
typedef struct VeuLanes {
    bool is_some; /* false: all lanes; nothing else counts */
    bool runs;
    bool has_predicate;
    bool inverse;
    bool is_one; /* the first lane's bit decides about all */
    uint16_t predicate;
    uint8_t first; /* the lane of the dispatch that is bit 0 of the mask */
} VeuLanes;

typedef struct VeuMasks {
    VeuEmit *emit;
    VeuLanes in[VEU_HOST_MASKS];
    unsigned next;
    bool has_flow;
    bool has_running;
    bool has_predicates;
} VeuMasks;

/* Where predicate @n is, from VEU_PREDICATES on. */
static inline int32_t veu_predicate_at(unsigned n)
{
    return (int32_t)(n * sizeof(uint32_t));
}

void veu_masks_begin(VeuMasks *masks, VeuEmit *emit);

/* Load the registers above, if they have not been loaded. */
void veu_masks_need_flow(VeuMasks *masks);
void veu_masks_need_predicates(VeuMasks *masks);

/* Bits 0 and up of a general register become the lanes, which are some. */
void veu_masks_general(VeuMasks *masks, unsigned to, const VeuLanes *lanes);

/* The mask register of lanes; 0, which stands for all, if they are all. */
unsigned veu_masks_lanes(VeuMasks *masks, const VeuLanes *lanes);

/*
 * Loads all masks, and the registers above, again, after a call that may have
 * changed them.
 */
void veu_masks_restore(VeuMasks *masks);

/* VEU_RUNNING has other lanes than before, unlike the flow. */
void veu_masks_change_lanes(VeuMasks *masks);

/* A predicate has been written. */
void veu_masks_forget(VeuMasks *masks, uint32_t predicate);

#endif
