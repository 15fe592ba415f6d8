/*
 * veu unit tests: what the tests of packed kernels share: a packed kernel of
 * tests/data/kernels, and what the guest library needs of a system.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_PACKED_WORLD_H
#define VEU_TEST_PACKED_WORLD_H

#include "firmware/lib/veu_kernel.h"
#include "tools/kernel/kernel.h"

#define LAUNCH_BYTES (4u << 20)
#define HANDLE       7u

/* Each struct veu_command_kernel that the library has put into a ring. */
extern GArray *commands;
extern bool ring_is_full;

typedef struct World {
    VeuZebin *zebin;
    const VeuKernel *kernel;
    GByteArray *file;
    struct veu_kernel packed;
    uint8_t *place;
} World;

/* Packs and places kernel @kernel of tests/data/kernels/@file.zebin. */
void open_world(World *w, const char *file, const char *kernel);
void close_world(World *w);

#endif
