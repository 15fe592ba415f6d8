/*
 * veu device model: contexts, through which all addresses of a ring go.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_CONTEXT_H
#define VEU_DEVICE_CONTEXT_H

#include "hw/veu/device/host/host.h"
#include "hw/veu/device/host/state.h"
#include "hw/veu/device/tlb.h"
#include "hw/veu/eu/fault.h"
#include "hw/veu/eu/memory/mem.h"
#include "veu/context.h"

#define VEU_LIMIT_WINDOWS 256

/* VeuContext.root where there are no page tables. */
#define VEU_NO_ROOT UINT64_MAX

/* The memory that a ring sees. */
typedef struct VeuContext {
    VeuMem mem; /* first: the gate's callback finds the rest */
    /*
     * What a ring has for itself: slots, shared block, fault records. With page
     * tables these are DMA addresses, which a process cannot unmap; this gate
     * has no extents then. Otherwise it is not used: veu_context_own().
     */
    VeuMem own;
    VeuHost *host;
    VeuTlb *tlbs;    /* of all contexts; set when the device is made */
    uint32_t number; /* of those, the one that it is bound to */
    uint64_t root;   /* of page tables: the top table */
    bool asks;       /* for pages that are missing, where a ring uses it */
    bool marks;      /* sets ACCESSED and DIRTY in entries */
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

/* The gate for what a ring has for itself; its map is NULL where unbound. */
VeuMem *veu_context_own(VeuContext *context);

/* Saves or loads it; what is loaded is checked as what a driver sets. */
bool veu_context_move(VeuContext *context, VeuHost *host, VeuStream *stream);

/* Makes @to what @from is. */
void veu_context_copy(VeuContext *to, const VeuContext *from);

/* Afterwards there is no memory: mem.map is NULL. */
void veu_context_unbind(VeuContext *context);

/*
 * Takes context @number, whose registers (VEU_CONTEXT_ROWS) are given, as it is
 * now. False with a fault and no memory where it is not a legal one.
 */
bool veu_context_bind(VeuContext *context, VeuHost *host, uint32_t number,
                      const uint64_t *regs, VeuFault *fault);

/* Returns true for a context of type 0, which only a driver itself uses. */
bool veu_context_is_identity(const VeuContext *context);

/* Its type, a value of CONTEXT_TYPE, or VEU_CONTEXT_UNBOUND. */
#define VEU_CONTEXT_UNBOUND UINT32_MAX
uint32_t veu_context_type(const VeuContext *context);

/* What CONTEXT_OPTIONS was when it was bound. */
uint32_t veu_context_options(const VeuContext *context);

/* Returns true for a context of page tables. */
static inline bool veu_context_has_tables(const VeuContext *context)
{
    return context->root != VEU_NO_ROOT;
}

#endif
