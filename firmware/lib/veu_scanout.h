/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: the picture of a device with a display.
 *
 *     veu_scanout_start(&scanout, &device, 0, VEU_NO_VECTOR);
 *     veu_scanout_flip(&scanout, &surface); status = veu_scanout_wait(&scanout,
 *     timeout_ns);
 *
 * A flip copies the surface. Once it has ended, the driver may draw into the
 * same surface again, for the next flip.
 */
#ifndef VEU_GUEST_SCANOUT_H
#define VEU_GUEST_SCANOUT_H

#include "veu_guest.h"

#ifdef __cplusplus
extern "C" {
#endif

struct veu_scanout {
    struct veu_device *device;
    uint32_t number; /**< of the newest flip */
};

/**
 * Enables the scanout. @vector: for the end of flips, or VEU_NO_VECTOR.
 * VEU_NOT_FOUND: the device has no display.
 */
enum veu_status veu_scanout_start(struct veu_scanout *scanout,
                                  struct veu_device *device, uint32_t context,
                                  uint32_t vector);

/** Blanks the display. */
void veu_scanout_stop(struct veu_scanout *scanout);

/**
 * Shows @surface, which must not change, nor its texels, until the flip has
 * ended. A flip that has not ended is dropped.
 */
void veu_scanout_flip(struct veu_scanout *scanout,
                      const struct veu_surface *surface);

/** Returns true if the newest flip has ended, with or without a fault. */
bool veu_scanout_is_done(const struct veu_scanout *scanout);

/**
 * Waits until the newest flip has ended. VEU_FAULTED: register SCANOUT_FAULT
 * has the reason.
 */
enum veu_status veu_scanout_wait(const struct veu_scanout *scanout,
                                 uint64_t timeout_ns);

/** Reads a register of the scanout. */
uint32_t veu_scanout_read32(const struct veu_scanout *scanout,
                            enum veu_reg offset);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_SCANOUT_H */
