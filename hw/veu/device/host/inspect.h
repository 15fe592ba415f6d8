/*
 * veu device model: its live state, for people and monitors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_INSPECT_H
#define VEU_DEVICE_INSPECT_H

#include "hw/veu/device/host/device.h"
#include "veu/page.h"

/*
 * Who looks. Names of values are those of the registers, of the counters, or of
 * the fields of a fault record.
 */
typedef struct VeuInspector VeuInspector;
struct VeuInspector {
    /* The values from here to close() belong together. */
    void (*open)(VeuInspector *inspector, const char *name);
    void (*close)(VeuInspector *inspector);
    void (*number)(VeuInspector *inspector, const char *name, uint64_t value);
    /* A number that reads better in hexadecimal: an address, a mask. */
    void (*bits)(VeuInspector *inspector, const char *name, uint64_t value);
    void (*text)(VeuInspector *inspector, const char *name, const char *value);
};

/* All counters as they are now, without a snapshot. */
void veu_inspect_counters(VeuDevice *device, VeuInspector *inspector);

/* Registers and counters of ring @ring, its command, and its newest fault. */
void veu_inspect_ring(VeuDevice *device, uint32_t ring,
                      VeuInspector *inspector);

/*
 * Registers of context @context, its counters as they are now, and of its
 * request queue the index of the next record and the id of the next group.
 */
void veu_inspect_context(VeuDevice *device, uint32_t context,
                         VeuInspector *inspector);

/*
 * How the tables that CONTEXT_ROOT of context @context names now translate
 * @address: the page and its entry, or the reason why there is none and the
 * level; and, as "kept", what the device keeps of it, which may be older. It
 * stores nothing. Returns false without a report for a context that does not
 * exist or has no page tables.
 */
bool veu_inspect_walk(VeuDevice *device, uint32_t context, uint64_t address,
                      VeuInspector *inspector);

/* The name of a reason in docs/spec.md, section 3.4; NULL: there is none. */
const char *veu_walk_name(enum veu_walk reason);

/* The newest fault of all rings. */
void veu_inspect_last_fault(VeuDevice *device, VeuInspector *inspector);

#endif
