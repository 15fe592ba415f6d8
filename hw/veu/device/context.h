/*
 * veu device model: contexts, through which all addresses of a ring go.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_CONTEXT_H
#define VEU_DEVICE_CONTEXT_H

#include "hw/veu/device/host.h"
#include "hw/veu/device/state.h"
#include "hw/veu/eu/fault.h"
#include "hw/veu/eu/memory/mem.h"
#include "veu/context.h"

#define VEU_LIMIT_WINDOWS 256

/* The memory that a ring sees. */
typedef struct VeuContext {
    VeuMem mem; /* first: the gate's callback finds the rest */
    VeuHost *host;
    uint32_t window_count;
    struct veu_window windows[VEU_LIMIT_WINDOWS]; /* ascending */
} VeuContext;

/* A second gate to the memory of a context, through a host of its own. */
typedef struct VeuGate {
    VeuMem mem; /* first */
    const VeuContext *context;
    VeuHost *host;
} VeuGate;

VeuMem *veu_gate_open(VeuGate *gate, const VeuContext *context, VeuHost *host);

/* Saves or loads it; what is loaded is checked as what a driver sets. */
bool veu_context_move(VeuContext *context, VeuHost *host, VeuStream *stream);

/* Makes @to what @from is. */
void veu_context_copy(VeuContext *to, const VeuContext *from);

/* Afterwards there is no memory: mem.map is NULL. */
void veu_context_unbind(VeuContext *context);

/*
 * Takes the context whose registers (VEU_CONTEXT_ROWS) are given as it is now.
 * False with a fault and no memory where it is not a legal one.
 */
bool veu_context_bind(VeuContext *context, VeuHost *host, const uint64_t *regs,
                      VeuFault *fault);

#endif
