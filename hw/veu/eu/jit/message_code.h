/*
 * veu execution unit: what host code for messages has in common.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Only files that write such code include this: its names are short.
 */
#ifndef VEU_EU_JIT_MESSAGE_CODE_H
#define VEU_EU_JIT_MESSAGE_CODE_H

#include <stddef.h>
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/jit/code.h"

/* General registers. Those of masks.h keep their values. */
#define SCRATCH VEU_RAX
#define AT      VEU_RCX /* the surface, the first offset, its host address */
#define OTHER   VEU_R11
/* where VeuJitCall.window_byte is counted from: the gate, plus maybe more */
#define WINDOW  VEU_RAX

#define OFFSET(member) offsetof(VeuThread, member)

/* Where a member of the call's window is, from WINDOW on. */
#define WINDOW_AT(call, member)                           \
    ((call)->window_byte +                                \
     (int32_t)(offsetof(VeuMem, kept) +                   \
               (call)->row->stores * sizeof(VeuMemKept) + \
               offsetof(VeuMemKept, window) + offsetof(VeuMemWindow, member)))

/* Vectors that have the message's lanes, or as many of them as fit. */
static inline VeuVectorOperands of_lanes(const VeuEmit *e, unsigned to,
                                         unsigned a, unsigned b)
{
    return (VeuVectorOperands){
        .length = e->longest, .reg = to, .vector = a, .rm = b
    };
}

#endif
