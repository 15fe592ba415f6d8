/*
 * veu tests: legal descriptors of all shapes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_RANDOM_SURFACE_H
#define VEU_TEST_RANDOM_SURFACE_H

#include <glib.h>
#include "veu/surface.h"

/* A shape as a descriptor names it. */
typedef struct TestShape {
    const char *name;
    uint8_t type;
    uint16_t flags;
    uint8_t tilings; /* bit n: tiling n is legal */
} TestShape;

#define TEST_SHAPES 7
#define TEST_BUFFER 6 /* the last one */
extern const TestShape test_shapes[TEST_SHAPES];

/* One that is legal for the shape. */
uint8_t test_random_tiling(GRand *rng, const TestShape *shape);

/* How large it may be. */
typedef struct TestExtent {
    uint32_t width; /* also of a buffer */
    uint32_t height;
    uint32_t depth;
    uint32_t slack; /* units of padding in a pitch, at most */
} TestExtent;

/*
 * A legal surface at a base that fits all of them, a multiple of 4096. Large
 * enough numbers in @extent give all that a descriptor can say.
 */
struct veu_surface test_random_surface(GRand *rng, const TestShape *shape,
                                       uint8_t tiling, uint16_t format,
                                       const TestExtent *extent);

#endif
