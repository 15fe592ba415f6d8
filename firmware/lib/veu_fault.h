/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: words for faults, those of veu/fault.h.
 */
#ifndef VEU_GUEST_FAULT_H
#define VEU_GUEST_FAULT_H

#ifdef __cplusplus
extern "C" {
#endif

/** The name of a fault code, "RING_TAIL"; "unknown" if it is none. */
const char *veu_fault_name(unsigned code);

/** Its cause, and what to do about it, one sentence each; "" if it is none. */
const char *veu_fault_cause(unsigned code);
const char *veu_fault_advice(unsigned code);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_FAULT_H */
