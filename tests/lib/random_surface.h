/*
 * veu tests: legal descriptors of all shapes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_RANDOM_SURFACE_H
#define VEU_TEST_RANDOM_SURFACE_H

#include <glib.h>
#include "veu/surface.h"

/* A shape, as in a descriptor. */
typedef struct TestShape {
    const char *name;
    uint8_t type;
    uint16_t flags;
    uint8_t tilings; /* bit n is set if tiling n is legal */
} TestShape;

#define TEST_SHAPES 7
#define TEST_BUFFER 6 /* index of the last shape */
extern const TestShape test_shapes[TEST_SHAPES];

/* Returns a tiling that is legal for the shape. */
uint8_t test_random_tiling(GRand *rng, const TestShape *shape);

/* The maximum size of a surface. */
typedef struct TestExtent {
    uint32_t width; /* also for a buffer */
    uint32_t height;
    uint32_t depth;
    uint32_t slack; /* maximum units of padding in a pitch */
} TestExtent;

/*
 * Returns a legal surface at a base that suits all of them, a multiple of 4096.
 * With large enough numbers in @extent, all legal descriptors are possible.
 */
struct veu_surface test_random_surface(GRand *rng, const TestShape *shape,
                                       uint8_t tiling, uint16_t format,
                                       const TestExtent *extent);

#endif
