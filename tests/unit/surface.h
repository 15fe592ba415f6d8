/*
 * veu unit tests: legal descriptors, and the effect of changing a field.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_UNIT_SURFACE_H
#define VEU_TEST_UNIT_SURFACE_H

#include "hw/veu/eu/surface/descriptor.h"
#include "tests/lib/eu_fixture.h"

typedef struct veu_surface Surface;

#define LEGAL     UINT32_MAX
#define AT(field) ((uint32_t)offsetof(Surface, field))

static const Surface line = { .base = 0x1000,
                              .format = VEU_FORMAT_R8G8B8A8_UINT,
                              .type = VEU_SURFACE_1D,
                              .width = 16,
                              .levels = 1 };
static const Surface image = { .base = 0x1000,
                               .format = VEU_FORMAT_R8G8B8A8_UINT,
                               .type = VEU_SURFACE_2D,
                               .width = 16,
                               .height = 10,
                               .pitch = 64,
                               .levels = 1 };
static const Surface volume = { .base = 0x1000,
                                .format = VEU_FORMAT_R8G8B8A8_UINT,
                                .type = VEU_SURFACE_3D,
                                .width = 16,
                                .height = 10,
                                .depth = 3,
                                .pitch = 64,
                                .qpitch = 12,
                                .levels = 1 };
static const Surface buffer = { .base = 0x1001,
                                .format = VEU_FORMAT_RAW,
                                .type = VEU_SURFACE_BUFFER,
                                .width = 100 };
static const Surface *const all[] = { &line, &image, &volume, &buffer };

/* Returns LEGAL, or the offset of the field that is refused. */
static uint32_t check(const Surface *s)
{
    uint32_t detail = LEGAL;
    VeuSurface out;
    bool ok = veu_surface_decode(s, &out, &detail);

    g_assert_cmpint(ok, ==, detail == LEGAL);
    return detail;
}

/* Checks @s with @field set to @value. */
#define CHECK_WITH(surface, field, value) \
    ({                                    \
        Surface changed = *(surface);     \
        changed.field = (value);          \
        check(&changed);                  \
    })
#define ASSERT_LEGAL(surface, field, value) \
    g_assert_cmpuint(CHECK_WITH(surface, field, value), ==, LEGAL)
#define ASSERT_REFUSED(surface, field, value) \
    g_assert_cmpuint(CHECK_WITH(surface, field, value), ==, AT(field))

#endif
