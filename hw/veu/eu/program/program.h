/*
 * veu execution unit: a decoded program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_EU_PROGRAM_H
#define VEU_EU_PROGRAM_H

#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/program/graph.h"
#include "hw/veu/eu/program/instruction.h"
#include "hw/veu/eu/program/message.h"
#include "veu/program.h"

/* An address variable, whose elements are consecutive in the thread's. */
typedef struct VeuAddressVariable {
    uint16_t first;
    uint16_t elements;
} VeuAddressVariable;

/* The number of entries in each array of a program. */
typedef struct VeuProgramRoom {
    uint32_t variables;
    uint32_t predicates;
    uint32_t addresses;
    uint32_t states;
    uint32_t labels;
    uint32_t functions;
    uint32_t routines;
    uint32_t calls;
    uint32_t messages;
    uint32_t instructions;
} VeuProgramRoom;

/* The arrays follow the program in one block of memory: room.h. */
typedef struct VeuProgram {
    VeuProgramRoom room;
    uint32_t kind;      /* enum veu_program_kind */
    uint32_t simd;      /* lanes of the dispatch: 8, 16 or 32 */
    uint32_t grf_bytes; /* 32 or 64 */
    uint32_t register_bytes;
    uint32_t variable_count;
    uint32_t predicate_count;
    uint32_t address_count;
    uint32_t address_element_count;
    uint32_t message_count;
    /* The entries of the surface table that messages name, ascending. */
    uint32_t entry_count;
    uint8_t entries[VEU_LIMIT_SURFACES];
    struct veu_variable *variables;
    uint8_t *predicate_bits;
    VeuAddressVariable *addresses;
    VeuMessage *messages;
    /* Programs of instructions only. */
    uint32_t instruction_count;
    bool has_barrier;
    uint32_t entry_offset; /* in the code */
    uint32_t entry_instruction;
    uint32_t label_count;
    uint32_t state_count;
    /* index of the first state variable for surfaces */
    uint32_t surface_state_count;
    uint32_t function_count;
    struct veu_variable predefined[VEU_FIRST_VARIABLE]; /* 0 elements: none */
    struct veu_state *states;
    struct veu_label *labels;
    struct veu_function *functions;
    /* The instruction indexes of labels and functions. */
    uint32_t *label_places;
    uint32_t *function_places;
    VeuInstruction *instructions;
    VeuHandlerStep *steps; /* of the instructions, in order */
    /* The first step whose cost ahead is not yet known. */
    uint32_t first_open_step;
    VeuGraph graph;
    /* During decoding: the caller's bytes, and the progress. */
    const uint8_t *code;
    uint32_t code_bytes;
    uint32_t code_at;
} VeuProgram;

/* The number of its messages or instructions. */
static inline uint32_t veu_program_length(const VeuProgram *program)
{
    return program->kind == VEU_PROGRAM_INSTRUCTIONS ?
               program->instruction_count :
               program->message_count;
}

/*
 * Returns the index of the first of @count rows whose offset is not below
 * @value, or @count if there is none. The offsets ascend and are @row_bytes
 * apart.
 */
static inline uint32_t veu_find_offset(const uint32_t *offsets, uint32_t count,
                                       size_t row_bytes, uint64_t value)
{
    uint32_t low = 0;

    while (low < count) {
        uint32_t middle = (low + count) / 2;

        if (*(const uint32_t *)((const char *)offsets + middle * row_bytes) <
            value) {
            low = middle + 1;
        } else {
            count = middle;
        }
    }
    return low;
}

/* What a bounded piece of loading a program has come to. */
typedef enum VeuLoad {
    VEU_LOAD_MORE,
    VEU_LOAD_DONE,
    VEU_LOAD_FAULT,
} VeuLoad;

#endif
