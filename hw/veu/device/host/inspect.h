/*
 * veu device model: its live state, for people and monitors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_INSPECT_H
#define VEU_DEVICE_INSPECT_H

#include "hw/veu/device/host/device.h"

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

/* Registers of ring @ring, its command, and its newest fault. */
void veu_inspect_ring(VeuDevice *device, uint32_t ring,
                      VeuInspector *inspector);

/* The newest fault of all rings. */
void veu_inspect_last_fault(VeuDevice *device, VeuInspector *inspector);

#endif
