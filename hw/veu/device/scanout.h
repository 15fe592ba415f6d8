/*
 * veu device model: the scanout: what the display shows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Scanout". A flip is work like that of a ring, in pieces: the
 * first one reads and checks the descriptor, each other one copies a row.
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
    bool again;                      /* it has ended before, elsewhere */
    bool shown;                      /* one that ended well is shown */
    uint64_t flip[VEU_SCANOUT_ROWS]; /* the registers as it found them */
    uint64_t last[VEU_SCANOUT_ROWS]; /* the same of the one that is shown */
    uint32_t row;                    /* the next to be copied */
    VeuSurface surface;
    VeuContext context;      /* as it was when the flip was written */
    VeuContext last_context; /* the same of the one that is shown */
    uint8_t texels[VEU_LIMIT_SCANOUT_SIDE * VEU_MAX_TEXEL_BYTES]; /* a row */
} VeuScanout;

/* Registers to their reset values; the display is blank. */
void veu_scanout_reset(VeuDevice *device);

/* What writes of SCANOUT_CONTROL and SCANOUT_FLIP do, which are stored. */
void veu_scanout_control(VeuDevice *device);
void veu_scanout_flip(VeuDevice *device);

/* Saves or loads; after loading, what was shown is shown again. */
bool veu_scanout_move(VeuDevice *device, VeuStream *stream);

bool veu_scanout_is_enabled(const VeuScanout *scanout);

#endif
