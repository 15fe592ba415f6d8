/*
 * veu execution unit: the memory of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A program and its arrays are one block of memory, which its owner sets aside:
 * a ring for the largest program of a launch, a pool for what a program that
 * stays needs. Nothing here allocates, except veu_program_new(), which is for
 * tools and tests.
 */
#ifndef HW_VEU_EU_PROGRAM_ROOM_H
#define HW_VEU_EU_PROGRAM_ROOM_H

#include <stddef.h>
#include <stdlib.h>
#include "hw/veu/eu/program/program.h"

/* What the block of a program, and each of its arrays, is aligned to. */
#define VEU_PROGRAM_ALIGN 64

/* The largest program of a launch: hw/veu/eu/limits.h. */
extern const VeuProgramRoom veu_program_limits;
/* The largest program that may stay loaded. */
extern const VeuProgramRoom veu_load_limits;

/* Bytes of the block of a program that has this room. */
size_t veu_program_room_bytes(const VeuProgramRoom *room);

/*
 * Makes a program, which nothing is loaded in, of a block of
 * veu_program_room_bytes(). The arrays are not touched.
 */
VeuProgram *veu_program_place(void *block, const VeuProgramRoom *room);

/*
 * A program with this room, for free(); or NULL. Inline: the model does not
 * allocate. calloc() leaves large blocks untouched.
 */
static inline VeuProgram *veu_program_new_with(const VeuProgramRoom *room)
{
    void *block = calloc(1, veu_program_room_bytes(room));

    return block ? veu_program_place(block, room) : NULL;
}

static inline VeuProgram *veu_program_new(void)
{
    return veu_program_new_with(&veu_program_limits);
}

#endif
