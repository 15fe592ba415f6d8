/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: building programs.
 */
#include "veu_program.h"

#define SECTIONS 4
#define CODE_OFFSET \
    (sizeof(struct veu_program_header) + SECTIONS * sizeof(struct veu_section))

/* The size of an element, by type; 0: no variable may have this type. */
static unsigned type_bytes(enum veu_type type)
{
    switch (type) {
    case VEU_TYPE_UB:
    case VEU_TYPE_B:
        return 1;
    case VEU_TYPE_UW:
    case VEU_TYPE_W:
    case VEU_TYPE_HF:
    case VEU_TYPE_BF:
        return 2;
    case VEU_TYPE_UD:
    case VEU_TYPE_D:
    case VEU_TYPE_F:
        return 4;
    case VEU_TYPE_UQ:
    case VEU_TYPE_Q:
    case VEU_TYPE_DF:
        return 8;
    case VEU_TYPE_V:
    case VEU_TYPE_VF:
    case VEU_TYPE_BOOL:
    case VEU_TYPE_UV:
        break;
    }
    return 0;
}

static uint32_t round_up(uint32_t value, uint32_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

/* Code comes first, in its final place; the tables follow it at the end. */
void veu_program_begin(struct veu_program *program, void *memory,
                       uint32_t capacity, unsigned grf_bytes)
{
    *program = (struct veu_program){
        .memory = memory,
        .capacity = capacity,
        .grf_bytes = grf_bytes,
        .failed = capacity < CODE_OFFSET,
    };
    if (!program->failed) {
        veu_code_begin(&program->code, program->memory + CODE_OFFSET,
                       capacity - CODE_OFFSET);
    }
}

uint32_t veu_program_variable_at(struct veu_program *program, uint32_t offset,
                                 enum veu_type type, unsigned elements)
{
    uint32_t index = program->variable_count;
    uint32_t end = offset + elements * type_bytes(type);

    if (index == VEU_BUILDER_VARIABLES || !elements || elements > UINT16_MAX ||
        !type_bytes(type)) {
        program->failed = true;
        return 0;
    }
    program->variables[index] = (struct veu_variable){
        .offset = offset,
        .elements = elements,
        .type = type,
    };
    program->variable_count++;
    if (end > program->register_bytes) {
        program->register_bytes = end;
    }
    return VEU_FIRST_VARIABLE + index;
}

uint32_t veu_program_variable(struct veu_program *program, enum veu_type type,
                              unsigned elements)
{
    uint32_t offset = round_up(program->register_bytes, program->grf_bytes);

    return veu_program_variable_at(program, offset, type, elements);
}

uint32_t veu_program_offset(const struct veu_program *program, uint32_t id)
{
    return program->variables[id - VEU_FIRST_VARIABLE].offset;
}

uint16_t veu_program_predicate(struct veu_program *program, unsigned bits)
{
    uint32_t index = program->predicate_count;

    if (index == VEU_BUILDER_PREDICATES || bits < 1 || bits > 32) {
        program->failed = true;
        return 0;
    }
    program->predicates[index].bits = bits;
    program->predicate_count++;
    return index + 1;
}

uint16_t veu_program_address(struct veu_program *program, unsigned elements)
{
    uint32_t index = program->address_count;

    if (index == VEU_BUILDER_ADDRESSES || elements < 1 || elements > 16) {
        program->failed = true;
        return 0;
    }
    program->addresses[index].elements = elements;
    program->address_elements += elements;
    program->address_count++;
    return index;
}

unsigned veu_program_address_at(const struct veu_program *program, uint16_t id)
{
    unsigned at = 0;

    for (unsigned i = 0; i < id; i++) {
        at += program->addresses[i].elements;
    }
    return at;
}

/* Appends a table at *at and describes it, unless it is empty. */
static void add_section(struct veu_program *program, uint32_t *at,
                        enum veu_section_type type, const void *from,
                        uint32_t bytes)
{
    struct veu_program_header *header = (void *)program->memory;
    struct veu_section *table = (void *)(header + 1);

    if (!bytes || *at + bytes > program->capacity) {
        program->failed |= bytes != 0;
        return;
    }
    if (from) {
        __builtin_memcpy(program->memory + *at, from, bytes);
    }
    table[header->section_count++] = (struct veu_section){
        .type = type,
        .offset = *at,
        .bytes = bytes,
    };
    *at = round_up(*at + bytes, 4);
}

uint32_t veu_program_end(struct veu_program *program)
{
    struct veu_program_header *header = (void *)program->memory;
    uint32_t at = CODE_OFFSET;

    if (program->failed || program->code.failed) {
        return 0;
    }
    *header = (struct veu_program_header){
        .magic = VEU_PROGRAM_MAGIC,
        .version = VEU_PROGRAM_VERSION,
        .kind = VEU_PROGRAM_MESSAGES,
        .grf_bytes = program->grf_bytes,
        .register_bytes = round_up(program->register_bytes, program->grf_bytes),
    };
    add_section(program, &at, VEU_SECTION_CODE, NULL, program->code.bytes);
    add_section(program, &at, VEU_SECTION_VARIABLES, program->variables,
                program->variable_count * sizeof(struct veu_variable));
    add_section(program, &at, VEU_SECTION_PREDICATES, program->predicates,
                program->predicate_count * sizeof(struct veu_predicate));
    add_section(program, &at, VEU_SECTION_ADDRESSES, program->addresses,
                program->address_count * sizeof(struct veu_address));
    header->bytes = at;
    return program->failed || at > program->capacity ? 0 : at;
}
