/*
 * veu device model: the scanout: what the display shows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Scanout". A flip is performed in pieces, like the work of a
 * ring: the first reads and checks the descriptor, and each of the others
 * copies a row.
 */
#ifndef VEU_DEVICE_SCANOUT_H
#define VEU_DEVICE_SCANOUT_H

#include "hw/veu/device/context.h"
#include "hw/veu/device/host/device.h"
#include "hw/veu/device/host/registers.h"
#include "hw/veu/device/stream.h"
#include "hw/veu/eu/surface/surface.h"

typedef struct VeuScanout {
    uint64_t reg[VEU_SCANOUT_ROWS];
    bool busy;                       /* a flip is under way */
    bool begun;                      /* its descriptor has been accepted */
    bool again;                      /* it already ended, on another device */
    bool shown;                      /* a successful flip is being shown */
    uint64_t flip[VEU_SCANOUT_ROWS]; /* the registers when it was written */
    uint64_t last[VEU_SCANOUT_ROWS]; /* the same, for the flip being shown */
    uint32_t row;                    /* the next row to copy */
    VeuSurface surface;
    VeuContext context;      /* copied when the flip was written */
    VeuContext last_context; /* the same, for the flip being shown */
    uint8_t texels[VEU_LIMIT_SCANOUT_SIDE * VEU_MAX_TEXEL_BYTES]; /* a row */
} VeuScanout;

/* Sets the registers to their reset values and blanks the display. */
void veu_scanout_reset(VeuDevice *device);

/*
 * Implement writes of SCANOUT_CONTROL and SCANOUT_FLIP, which have been stored.
 */
void veu_scanout_control(VeuDevice *device);
void veu_scanout_begin_flip(VeuDevice *device);

/* Saves or loads the scanout. After loading, the picture is shown again. */
bool veu_scanout_move(VeuDevice *device, VeuStream *stream);

bool veu_scanout_is_enabled(const VeuScanout *scanout);

#endif
