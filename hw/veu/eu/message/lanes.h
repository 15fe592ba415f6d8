/*
 * veu execution unit: lanes, as all executors treat them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An executor works in two phases. First it resolves the place of each enabled
 * lane, into a plan; lanes that are out of bounds or fault drop out. Then it
 * moves the data of the remaining lanes. So a lane is checked as a whole before
 * any of it is performed, and all operands are read before a result is written.
 */
#ifndef VEU_EU_LANES_H
#define VEU_EU_LANES_H

#include <stddef.h>
#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/limits.h"

typedef struct VeuPlan {
    uint32_t live;               /* lanes to be performed */
    uint32_t outside;            /* lanes out of bounds */
    VeuSpan span[VEU_MAX_LANES]; /* of the live lanes */
} VeuPlan;

/* Lanes are visited in ascending order: semantics.md, section 4. */
#define VEU_FOR_EACH_LANE(lane, mask)                              \
    for (uint32_t lane##_left = (mask), lane;                      \
         lane##_left && (lane = __builtin_ctz(lane##_left), true); \
         lane##_left &= lane##_left - 1)

/* The observer's answer: the fault that the lane must have, or 0. */
static inline uint16_t veu_observe(const VeuThread *thread,
                                   const VeuLaneAccess *access,
                                   VeuLanePlace place, VeuSpan *span)
{
    return __builtin_expect(thread->observer != NULL, 0) ?
               thread->observer->lane(thread->observer, access, place, span) :
               VEU_FAULT_NONE;
}

/* Lane @lane of an operand of dwords or qwords; null reads as 0. */
uint32_t veu_lane_dword(const VeuThread *thread, const VeuRaw *raw,
                        unsigned lane);
uint64_t veu_lane_qword(const VeuThread *thread, const VeuRaw *raw,
                        unsigned lane);

/*
 * A scalar operand, extended to 64 bits by its type. Returns false with a fault
 * if an address variable leads out of the register file.
 */
bool veu_scalar_value(VeuThread *thread, const VeuScalar *scalar,
                      uint64_t *value);

/*
 * Returns false if the lane faults because the message requires an aligned
 * address.
 */
bool veu_lane_aligned(VeuThread *thread, const VeuMessage *message,
                      const VeuLaneAccess *access);

/* Puts a lane's access to guest memory into the plan, or faults the lane. */
void veu_plan_memory(VeuThread *thread, VeuPlan *plan,
                     const VeuLaneAccess *access);

/*
 * Between the two phases: returns true if lanes have missed pages that can be
 * requested. The executor then returns false, having performed nothing.
 */
static inline bool veu_plan_waits(const VeuThread *thread)
{
    return veu_mem_must_wait(thread->mem);
}

/* Puts an access to shared local memory at @at into the plan. */
static inline void veu_plan_slm(VeuThread *thread, VeuPlan *plan,
                                const VeuLaneAccess *access, uint8_t *at)
{
    VeuSpan *span = &plan->span[access->lane];

    *span = (VeuSpan){ .piece = { at }, .piece_bytes = { access->bytes } };
    plan->live |= 1u << access->lane;
    veu_observe(thread, access, VEU_LANE_SLM, span);
}

/* Records that the lane is out of bounds. */
static inline void veu_plan_outside(VeuThread *thread, VeuPlan *plan,
                                    const VeuLaneAccess *access)
{
    plan->outside |= 1u << access->lane;
    veu_observe(thread, access, VEU_LANE_OUTSIDE, NULL);
}

/* Records that a lane faults; the record describes the first one. */
void veu_fault_lane(VeuThread *thread, uint16_t code,
                    const VeuLaneAccess *access, unsigned element);

/* Ends a message that moved this many bytes and returns its result. */
bool veu_finish(VeuThread *thread, uint32_t moved_bytes);

/*
 * Ends a message that moved @lane_bytes in each live lane and returns its
 * result.
 */
bool veu_plan_finish(VeuThread *thread, const VeuPlan *plan,
                     uint32_t lane_bytes);

/*
 * Checks, if contracts are checked, whether two live lanes touch the same byte.
 */
void veu_check_collisions(VeuThread *thread, const VeuPlan *plan);

void veu_break_contract(VeuThread *thread, VeuContract contract);

/*
 * Records a broken contract if the register is not declared as @type (enum
 * veu_type). Returns false with a fault if the user wants one.
 */
bool veu_check_type(VeuThread *thread, const VeuRaw *raw, uint8_t type);

#endif
