/*
 * veu execution unit: the memory of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include "hw/veu/eu/program/room.h"

/*
 * The arrays of a program, each with the member of VeuProgramRoom that limits
 * it.
 */
#define ARRAYS(X)                        \
    X(variables, variables)              \
    X(predicate_bits, predicates)        \
    X(addresses, addresses)              \
    X(states, states)                    \
    X(labels, labels)                    \
    X(label_places, labels)              \
    X(functions, functions)              \
    X(function_places, functions)        \
    X(graph.routines, routines)          \
    X(graph.calls, calls)                \
    X(graph.label_routine, labels)       \
    X(graph.label_wanted, labels)        \
    X(graph.function_routine, functions) \
    X(graph.queue, routines)             \
    X(messages, messages)                \
    X(instructions, instructions)        \
    X(steps, instructions)

const VeuProgramRoom veu_program_limits = {
    .variables = VEU_LIMIT_VARIABLES,
    .predicates = VEU_LIMIT_PREDICATES,
    .addresses = VEU_LIMIT_ADDRESSES,
    .states = VEU_LIMIT_STATES,
    .labels = VEU_LIMIT_LABELS,
    .functions = VEU_LIMIT_FUNCTIONS,
    .routines = VEU_LIMIT_ROUTINES,
    .calls = VEU_LIMIT_INSTRUCTIONS,
    .messages = VEU_LIMIT_MESSAGES,
    .instructions = VEU_LIMIT_INSTRUCTIONS,
};

const VeuProgramRoom veu_load_limits = {
    .variables = VEU_LIMIT_LOAD_VARIABLES,
    .predicates = VEU_LIMIT_PREDICATES,
    .addresses = VEU_LIMIT_ADDRESSES,
    .states = VEU_LIMIT_STATES,
    .labels = VEU_LIMIT_LABELS,
    .functions = VEU_LIMIT_FUNCTIONS,
    .routines = VEU_LIMIT_ROUTINES,
    .calls = VEU_LIMIT_LOAD_INSTRUCTIONS,
    .messages = VEU_LIMIT_LOAD_INSTRUCTIONS,
    .instructions = VEU_LIMIT_LOAD_INSTRUCTIONS,
};

static size_t round_up(size_t bytes)
{
    return (bytes + VEU_PROGRAM_ALIGN - 1) / VEU_PROGRAM_ALIGN *
           VEU_PROGRAM_ALIGN;
}

size_t veu_program_room_bytes(const VeuProgramRoom *room)
{
    size_t bytes = round_up(sizeof(VeuProgram));

#define ADD_BYTES(array, count) \
    bytes += round_up(room->count * sizeof(((VeuProgram *)NULL)->array[0]));
    ARRAYS(ADD_BYTES)
#undef ADD_BYTES
    return bytes;
}

VeuProgram *veu_program_place(void *block, const VeuProgramRoom *room)
{
    VeuProgram *p = block;
    uint8_t *at = (uint8_t *)block + round_up(sizeof(*p));

    *p = (VeuProgram){ .room = *room };
#define PLACE(array, count) \
    p->array = (void *)at;  \
    at += round_up(room->count * sizeof(p->array[0]));
    ARRAYS(PLACE)
#undef PLACE
    return p;
}
