/*
 * veu execution unit: the memory of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A program and its arrays are one block of memory, which its owner reserves: a
 * ring for the largest program of a launch, a pool for the size of each loaded
 * program. Nothing here allocates, except veu_program_new(), which is for tools
 * and tests.
 */
#ifndef HW_VEU_EU_PROGRAM_ROOM_H
#define HW_VEU_EU_PROGRAM_ROOM_H

#include <stddef.h>
#include <stdlib.h>
#include "hw/veu/eu/program/program.h"

/* The alignment of a program's block and of each of its arrays. */
#define VEU_PROGRAM_ALIGN 64

/* The largest program of a launch: hw/veu/eu/limits.h. */
extern const VeuProgramRoom veu_program_limits;
/* The largest program that can be loaded. */
extern const VeuProgramRoom veu_load_limits;

/* The size of the block for a program with this room. */
size_t veu_program_room_bytes(const VeuProgramRoom *room);

/*
 * Makes an empty program in a block of veu_program_room_bytes(). The arrays are
 * not touched.
 */
VeuProgram *veu_program_place(void *block, const VeuProgramRoom *room);

/*
 * Allocates a program with this room, to be freed with free(); or NULL. Inline:
 * the model does not allocate. calloc() leaves large blocks untouched.
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
