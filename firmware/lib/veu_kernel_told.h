/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: properties of images and samplers that kernels can read.
 * They are the numbers of OpenCL C: CLK_RGBA, CLK_FLOAT, CLK_ADDRESS_CLAMP and
 * the like. libveu-kernel uses this file, too.
 */
#ifndef VEU_GUEST_KERNEL_TOLD_H
#define VEU_GUEST_KERNEL_TOLD_H

#include <stdbool.h>
#include "veu/packed.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Returns true for the types of field that veu_kernel_told() handles. */
bool veu_kernel_is_told(enum veu_kernel_field_type type);

/**
 * Returns the value of a field of @type for @image or @sampler. Formats without
 * a name in OpenCL give 0.
 */
uint32_t veu_kernel_told(const struct veu_surface *image,
                         const struct veu_sampler *sampler,
                         enum veu_kernel_field_type type);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_KERNEL_TOLD_H */
