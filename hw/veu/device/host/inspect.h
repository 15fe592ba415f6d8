/*
 * veu device model: its live state, for users and monitors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_INSPECT_H
#define VEU_DEVICE_INSPECT_H

#include "hw/veu/device/host/device.h"
#include "veu/page.h"

/*
 * Receives the state. Values are named after registers, counters, or fields of
 * a fault record.
 */
typedef struct VeuInspector VeuInspector;
struct VeuInspector {
    /* The values from here to close() form a group. */
    void (*open)(VeuInspector *inspector, const char *name);
    void (*close)(VeuInspector *inspector);
    void (*number)(VeuInspector *inspector, const char *name, uint64_t value);
    /* A number that reads better in hexadecimal: an address, a mask. */
    void (*bits)(VeuInspector *inspector, const char *name, uint64_t value);
    void (*text)(VeuInspector *inspector, const char *name, const char *value);
};

/* Reports the current counters, without a snapshot. */
void veu_inspect_counters(VeuDevice *device, VeuInspector *inspector);

/*
 * Reports registers and counters of ring @ring, its command, and its newest
 * fault.
 */
void veu_inspect_ring(VeuDevice *device, uint32_t ring,
                      VeuInspector *inspector);

/*
 * Reports the registers of context @context, its current counters, and its
 * request queue's next record index and next group id.
 */
void veu_inspect_context(VeuDevice *device, uint32_t context,
                         VeuInspector *inspector);

/*
 * Reports how the tables at CONTEXT_ROOT of context @context now translate
 * @address: the page and its entry, or the reason and the level at which there
 * is none; and, as "kept", the device's cached translation, which may be older.
 * It stores nothing. Returns false without a report for a context that does not
 * exist or has no page tables.
 */
bool veu_inspect_walk(VeuDevice *device, uint32_t context, uint64_t address,
                      VeuInspector *inspector);

/* The name of a reason in docs/spec.md, section 3.4; NULL if there is none. */
const char *veu_walk_name(enum veu_walk reason);

/* Reports the newest fault of all rings. */
void veu_inspect_last_fault(VeuDevice *device, VeuInspector *inspector);

#endif
