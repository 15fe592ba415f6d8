/*
 * libveu-kernel: images and samplers.
 *
 * SPDX-License-Identifier: MIT
 *
 * What a kernel is told are the numbers of OpenCL C: CLK_RGBA, CLK_FLOAT,
 * CLK_ADDRESS_CLAMP and the like.
 */
#include "tools/kernel/kernel_internal.h"

#define MAX_SIDE   16384u
#define MAX_SLICES 2048u

/* --- Formats ------------------------------------------------------------- */

/* Orders and types of channels, as OpenCL numbers them. */
enum {
    ORDER_R = 0x10b0,
    ORDER_A = 0x10b1,
    ORDER_RG = 0x10b2,
    ORDER_RGBA = 0x10b5,
    ORDER_BGRA = 0x10b6,
    TYPE_SNORM8 = 0x10d0,
    TYPE_SNORM16,
    TYPE_UNORM8,
    TYPE_UNORM16,
    TYPE_SINT8 = 0x10d7,
    TYPE_SINT16,
    TYPE_SINT32,
    TYPE_UINT8,
    TYPE_UINT16,
    TYPE_UINT32,
    TYPE_HALF,
    TYPE_FLOAT,
};

#define R(bits, kind, type)                        \
    {                                              \
        VEU_FORMAT_R##bits##_##kind, ORDER_R, type \
    }
#define RG(bits, kind, type)                                 \
    {                                                        \
        VEU_FORMAT_R##bits##G##bits##_##kind, ORDER_RG, type \
    }
#define RGBA(bits, kind, type)                                              \
    {                                                                       \
        VEU_FORMAT_R##bits##G##bits##B##bits##A##bits##_##kind, ORDER_RGBA, \
            type                                                            \
    }
#define ALL(bits, kind, type) \
    R(bits, kind, type), RG(bits, kind, type), RGBA(bits, kind, type)

static const struct {
    uint16_t format;
    uint16_t order;
    uint16_t type;
} told_formats[] = {
    ALL(8, UNORM, TYPE_UNORM8),
    ALL(8, SNORM, TYPE_SNORM8),
    ALL(8, SINT, TYPE_SINT8),
    ALL(8, UINT, TYPE_UINT8),
    ALL(16, UNORM, TYPE_UNORM16),
    ALL(16, SNORM, TYPE_SNORM16),
    ALL(16, SINT, TYPE_SINT16),
    ALL(16, UINT, TYPE_UINT16),
    ALL(16, FLOAT, TYPE_HALF),
    ALL(32, SINT, TYPE_SINT32),
    ALL(32, UINT, TYPE_UINT32),
    ALL(32, FLOAT, TYPE_FLOAT),
    { VEU_FORMAT_A8_UNORM, ORDER_A, TYPE_UNORM8 },
    { VEU_FORMAT_B8G8R8A8_UNORM, ORDER_BGRA, TYPE_UNORM8 },
};
#undef R
#undef RG
#undef RGBA
#undef ALL

/* 0 for a format that OpenCL has no name for. */
static uint32_t told_format(uint16_t format, bool order)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(told_formats); i++) {
        if (told_formats[i].format == format) {
            return order ? told_formats[i].order : told_formats[i].type;
        }
    }
    return 0;
}

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

/* --- Payload ------------------------------------------------------------- */

bool veu_kernel_is_told(VeuKernelPayloadType type)
{
    return type >= VEU_KERNEL_PAYLOAD_IMAGE_WIDTH;
}

/* CLK_ADDRESS_CLAMP, _CLAMP_TO_EDGE, _REPEAT, _MIRRORED_REPEAT */
static const uint8_t told_addressing[] = {
    [VEU_ADDRESSING_BORDER] = 4,
    [VEU_ADDRESSING_EDGE] = 2,
    [VEU_ADDRESSING_REPEAT] = 6,
    [VEU_ADDRESSING_MIRROR] = 8,
};

uint32_t veu_kernel_told(const VeuKernelValue *value, VeuKernelPayloadType type)
{
    const struct veu_surface *image = &value->image;

    switch (type) {
    case VEU_KERNEL_PAYLOAD_IMAGE_WIDTH:
        return image->width;
    case VEU_KERNEL_PAYLOAD_IMAGE_HEIGHT:
        return image->height;
    case VEU_KERNEL_PAYLOAD_IMAGE_DEPTH:
    case VEU_KERNEL_PAYLOAD_IMAGE_ARRAY_SIZE:
        return image->depth;
    case VEU_KERNEL_PAYLOAD_IMAGE_CHANNEL_TYPE:
        return told_format(image->format, false);
    case VEU_KERNEL_PAYLOAD_IMAGE_CHANNEL_ORDER:
        return told_format(image->format, true);
    case VEU_KERNEL_PAYLOAD_SAMPLER_ADDRESSING:
        return told_addressing[value->sampler.addressing &
                               VEU_ADDRESSING_MIRROR];
    default:
        return value->sampler.flags & VEU_SAMPLER_NORMALIZED;
    }
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
