/*
 * veu execution unit: what the atomic messages share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_EXECUTE_ATOMIC_H
#define VEU_EU_EXECUTE_ATOMIC_H

#include "hw/veu/eu/message/atomic_ops.h"
#include "hw/veu/eu/message/lanes.h"

/* Returns true if Src0, Src1 and Dst are declared as the operation requires. */
bool veu_atomic_check_types(VeuThread *thread, const VeuMessage *message);

/*
 * Performs the live lanes on the words at lanes->at; lanes in @outside change
 * nothing and return 0. Returns the number of bytes moved.
 */
uint32_t veu_atomic_perform_lanes(VeuThread *thread, const VeuMessage *message,
                                  VeuAtomicLanes *lanes, uint32_t outside);

/*
 * Like veu_atomic_perform_lanes(), for a plan whose spans all have one piece;
 * returns the message's result.
 */
bool veu_atomic_perform_plan(VeuThread *thread, const VeuMessage *message,
                             const VeuPlan *plan);

#endif
