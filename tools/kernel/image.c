/*
 * libveu-kernel: images and samplers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tools/kernel/kernel_internal.h"

#define MAX_SIDE   16384u
#define MAX_SLICES 2048u

/* --- Formats ------------------------------------------------------------- */

uint32_t veu_kernel_texel_bytes(uint16_t format)
{
#define ROW(name, code, bytes, atomics, channels) { code, bytes },
    static const struct {
        uint16_t code;
        uint8_t bytes;
    } formats[] = { VEU_FORMATS(ROW, ) };
#undef ROW

    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (formats[i].code == format && format != VEU_FORMAT_RAW) {
            return formats[i].bytes;
        }
    }
    return 0;
}

/* --- Descriptors --------------------------------------------------------- */

static const struct {
    uint8_t type;
    bool array;
    bool has_rows;
    bool has_slices;
} shapes[] = {
    [VEU_KERNEL_IMAGE_1D] = { VEU_SURFACE_1D, false, false, false },
    [VEU_KERNEL_IMAGE_1D_ARRAY] = { VEU_SURFACE_1D, true, false, true },
    [VEU_KERNEL_IMAGE_1D_BUFFER] = { VEU_SURFACE_BUFFER, false, false, false },
    [VEU_KERNEL_IMAGE_2D] = { VEU_SURFACE_2D, false, true, false },
    [VEU_KERNEL_IMAGE_2D_ARRAY] = { VEU_SURFACE_2D, true, true, true },
    [VEU_KERNEL_IMAGE_3D] = { VEU_SURFACE_3D, false, true, true },
};

static bool check_image(VeuKernelImageType type, uint32_t texel_bytes,
                        const VeuKernelImageSize *size, GError **error)
{
    uint32_t most = type == VEU_KERNEL_IMAGE_1D_BUFFER ? UINT32_MAX : MAX_SIDE;

    if (type <= VEU_KERNEL_IMAGE_UNKNOWN || type > VEU_KERNEL_IMAGE_3D) {
        return veu_kernel_error(error, "images of this type are not supported");
    }
    if (!texel_bytes) {
        return veu_kernel_error(error, "images do not have this format");
    }
    if (!size->width || size->width > most || !size->height ||
        size->height > (shapes[type].has_rows ? MAX_SIDE : 1) ||
        !size->slices ||
        size->slices > (shapes[type].has_slices ? MAX_SLICES : 1)) {
        return veu_kernel_error(error,
                                "an image has 1 to %u texels in x and y, and "
                                "1 to %u slices, as far as its type has them",
                                MAX_SIDE, MAX_SLICES);
    }
    return true;
}

bool veu_kernel_image(VeuKernelImageType type, uint16_t format,
                      const VeuKernelImageSize *size, uint64_t address,
                      struct veu_surface *image, uint64_t *slice_bytes,
                      GError **error)
{
    uint32_t texel_bytes = veu_kernel_texel_bytes(format);
    uint64_t row_bytes = (uint64_t)size->width * texel_bytes;
    uint32_t step;

    if (!check_image(type, texel_bytes, size, error)) {
        return false;
    }
    step = ((shapes[type].has_rows ? size->height : size->width) + 3) / 4 * 4;
    *image = (struct veu_surface){
        .base = address,
        .format = format,
        .type = shapes[type].type,
        .width = size->width,
        .flags = shapes[type].array ? VEU_SURFACE_ARRAY : 0,
        .levels = type != VEU_KERNEL_IMAGE_1D_BUFFER,
    };
    *slice_bytes = row_bytes * size->height;
    if (shapes[type].has_rows) {
        image->height = size->height;
        image->pitch = row_bytes;
    }
    if (shapes[type].has_slices) {
        image->depth = size->slices;
        image->qpitch = step;
        *slice_bytes = (shapes[type].has_rows ? row_bytes : texel_bytes) *
                       (uint64_t)step;
    }
    return true;
}
