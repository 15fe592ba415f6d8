/*
 * veu device model: contexts, which translate all addresses of a ring.
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

/* VeuContext.root without page tables. */
#define VEU_NO_ROOT UINT64_MAX

/* The memory as a ring sees it. */
typedef struct VeuContext {
    VeuMem mem; /* first: the gate's callback casts it to the context */
    /*
     * Gate for the ring's own memory: slots, shared block, fault records. In a
     * context with page tables these have DMA addresses, which a process cannot
     * unmap, and the gate has no extents. In other contexts it is not used:
     * veu_context_own().
     */
    VeuMem own;
    VeuHost *host;
    VeuTlb *tlbs;    /* of all contexts; set when the device is made */
    uint32_t number; /* index in them of the context it is bound to */
    uint64_t root;   /* page tables: the address of the top table */
    bool asks;       /* requests missing pages, where a ring uses it */
    bool marks;      /* sets ACCESSED and DIRTY in entries */
    uint32_t window_count;
    struct veu_window windows[VEU_LIMIT_WINDOWS]; /* ascending */
} VeuContext;

/* A second gate to a context's memory, through its own host. */
typedef struct VeuGate {
    VeuMem mem; /* first */
    const VeuContext *context;
    VeuHost *host;
} VeuGate;

VeuMem *veu_gate_open(VeuGate *gate, const VeuContext *context, VeuHost *host);

/*
 * The gate to the ring's own memory; its map is NULL if the context is not
 * bound.
 */
VeuMem *veu_context_own(VeuContext *context);

/*
 * Saves or loads the context. Loaded values are checked like those of a driver.
 */
bool veu_context_move(VeuContext *context, VeuHost *host, VeuStream *stream);

/* Makes @to a copy of @from. */
void veu_context_copy(VeuContext *to, const VeuContext *from);

/* After this, no memory can be accessed: mem.map is NULL. */
void veu_context_unbind(VeuContext *context);

/*
 * Binds context @number as its registers (VEU_CONTEXT_ROWS) now describe it. If
 * it is illegal, returns false with a fault, and no memory can be accessed.
 */
bool veu_context_bind(VeuContext *context, VeuHost *host, uint32_t number,
                      const uint64_t *regs, VeuFault *fault);

/* Returns true for a context of type 0, which only a driver uses for itself. */
bool veu_context_is_identity(const VeuContext *context);

/* Its type, a value of CONTEXT_TYPE, or VEU_CONTEXT_UNBOUND. */
#define VEU_CONTEXT_UNBOUND UINT32_MAX
uint32_t veu_context_type(const VeuContext *context);

/* The value of CONTEXT_OPTIONS when it was bound. */
uint32_t veu_context_options(const VeuContext *context);

/* Returns true for a context with page tables. */
static inline bool veu_context_has_tables(const VeuContext *context)
{
    return context->root != VEU_NO_ROOT;
}

#endif
