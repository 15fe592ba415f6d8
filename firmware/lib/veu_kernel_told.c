/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: properties of images and samplers that kernels can read.
 */
#include "veu_kernel_told.h"

/* --- Formats ------------------------------------------------------------- */

/* Orders and types of channels, as OpenCL numbers them. */
enum {
    ORDER_R = 0x10b0,
    ORDER_A = 0x10b1,
    ORDER_RG = 0x10b2,
    ORDER_RGBA = 0x10b5,
    ORDER_BGRA = 0x10b6,
    ORDER_DEPTH = 0x10bd,
    ORDER_SRGBA = 0x10c1,
    ORDER_SBGRA = 0x10c2,
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
    { VEU_FORMAT_R8G8B8A8_UNORM_SRGB, ORDER_SRGBA, TYPE_UNORM8 },
    { VEU_FORMAT_B8G8R8A8_UNORM_SRGB, ORDER_SBGRA, TYPE_UNORM8 },
};
#undef R
#undef RG
#undef RGBA
#undef ALL

/* 0 for a format without a name in OpenCL. */
static uint32_t told_format(uint16_t format, bool order)
{
    for (unsigned i = 0; i < sizeof(told_formats) / sizeof(told_formats[0]);
         i++) {
        if (told_formats[i].format == format) {
            return order ? told_formats[i].order : told_formats[i].type;
        }
    }
    return 0;
}

/* --- Payload ------------------------------------------------------------- */

bool veu_kernel_is_told(enum veu_kernel_field_type type)
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

uint32_t veu_kernel_told(const struct veu_surface *image,
                         const struct veu_sampler *sampler,
                         enum veu_kernel_field_type type)
{
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
    case VEU_KERNEL_PAYLOAD_IMAGE_DEPTH_ORDER:
        return ORDER_DEPTH;
    case VEU_KERNEL_PAYLOAD_SAMPLER_ADDRESSING:
        return told_addressing[sampler->addressing & VEU_ADDRESSING_MIRROR];
    default:
        return sampler->flags & VEU_SAMPLER_NORMALIZED;
    }
}
