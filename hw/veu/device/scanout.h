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
#include "hw/veu/device/device.h"
#include "hw/veu/device/registers.h"
#include "hw/veu/device/stream.h"
#include "hw/veu/eu/surface/surface.h"

/*
 * The formats that can be shown, and pixman's names for them. Alpha is not
 * shown, so pixman is told that there is none.
 */
#define VEU_SCANOUT_FORMATS(X)        \
    X(B8G8R8A8_UNORM, x8r8g8b8)       \
    X(R10G10B10A2_UNORM, x2b10g10r10) \
    X(R8G8B8A8_UNORM, x8b8g8r8)       \
    X(B10G10R10A2_UNORM, x2r10g10b10) \
    X(B5G6R5_UNORM, r5g6b5)           \
    X(B5G5R5A1_UNORM, x1r5g5b5)       \
    X(B4G4R4A4_UNORM, x4r4g4b4)       \
    X(B5G5R5X1_UNORM, x1r5g5b5)

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

/* What a write to register number @row (VEU_ROW_SCANOUT_*) does. */
void veu_scanout_write(VeuDevice *device, unsigned row, uint64_t value);

/* Saves or loads; after loading, what was shown is shown again. */
bool veu_scanout_move(VeuDevice *device, VeuStream *stream);

bool veu_scanout_is_enabled(const VeuScanout *scanout);

#endif
