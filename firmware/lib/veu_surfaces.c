/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: surface descriptors.
 */
#include "veu_surfaces.h"

#include "veu_port.h"

unsigned veu_format_bytes(enum veu_format format)
{
    switch (format) {
#define FORMAT_BYTES(name, code, bytes, atomics, channels) \
    case VEU_FORMAT_##name:                                \
        return (bytes);
#define NO_CHANNEL(name, bit, bits, type)
        VEU_FORMATS(FORMAT_BYTES, NO_CHANNEL)
#undef FORMAT_BYTES
#undef NO_CHANNEL
    }
    return 0;
}

struct veu_surface veu_surface_buffer(void *memory, enum veu_format format,
                                      uint32_t elements)
{
    return (struct veu_surface){
        .base = veu_port_device_address(memory),
        .format = format,
        .type = VEU_SURFACE_BUFFER,
        .tiling = VEU_TILING_LINEAR,
        .width = elements,
    };
}

struct veu_surface veu_surface_raw(void *memory, uint32_t bytes)
{
    return veu_surface_buffer(memory, VEU_FORMAT_RAW, bytes);
}

struct veu_surface veu_surface_slm(uint32_t offset, uint32_t bytes)
{
    return (struct veu_surface){
        .base = offset,
        .format = VEU_FORMAT_RAW,
        .type = VEU_SURFACE_BUFFER,
        .width = bytes,
        .flags = VEU_SURFACE_SLM,
    };
}

struct veu_surface veu_surface_1d(void *memory, enum veu_format format,
                                  uint32_t width)
{
    return (struct veu_surface){
        .base = veu_port_device_address(memory),
        .format = format,
        .type = VEU_SURFACE_1D,
        .tiling = VEU_TILING_LINEAR,
        .width = width,
        .levels = 1,
    };
}

struct veu_surface veu_surface_2d(void *memory, enum veu_format format,
                                  uint32_t width, uint32_t height,
                                  uint32_t pitch)
{
    struct veu_surface surface = veu_surface_1d(memory, format, width);

    surface.type = VEU_SURFACE_2D;
    surface.height = height;
    surface.pitch = pitch;
    return surface;
}

struct veu_surface veu_surface_3d(void *memory, enum veu_format format,
                                  uint32_t width, uint32_t height,
                                  uint32_t depth, uint32_t pitch, uint32_t rows)
{
    struct veu_surface surface = veu_surface_2d(memory, format, width, height,
                                                pitch);

    surface.type = VEU_SURFACE_3D;
    surface.depth = depth;
    surface.qpitch = rows;
    return surface;
}
