/*
 * veu execution unit: a program that has been copied from guest memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_PROGRAM_H
#define VEU_EU_PROGRAM_H

#include <string.h>
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/message/message.h"
#include "veu/program.h"

/* An address variable: its elements are in a row in the thread's. */
typedef struct VeuAddressVariable {
    uint16_t first;
    uint16_t elements;
} VeuAddressVariable;

/* Large: a host allocates one for each ring, once. */
struct VeuProgram {
    uint32_t simd;      /* lanes of the dispatch: 8, 16 or 32 */
    uint32_t grf_bytes; /* 32 or 64 */
    uint32_t register_bytes;
    uint32_t variable_count;
    uint32_t predicate_count;
    uint32_t address_count;
    uint32_t address_element_count;
    uint32_t message_count;
    /* Of the surface table, those that messages name, the lowest first. */
    uint32_t entry_count;
    uint8_t entries[VEU_LIMIT_SURFACES];
    struct veu_variable variables[VEU_LIMIT_VARIABLES];
    uint8_t predicate_bits[VEU_LIMIT_PREDICATES];
    VeuAddressVariable addresses[VEU_LIMIT_ADDRESSES];
    VeuMessage messages[VEU_LIMIT_MESSAGES];
    /* While it is being decoded: the caller's bytes and how far we are. */
    const uint8_t *code;
    uint32_t code_bytes;
    uint32_t code_at;
};

typedef enum VeuLoad {
    VEU_LOAD_MORE,
    VEU_LOAD_DONE,
    VEU_LOAD_FAULT,
} VeuLoad;

/*
 * Checks header, sections, variables and predicates of the program in @bytes.
 * The bytes must stay until the last message is decoded.
 */
bool veu_program_open(VeuProgram *program, const uint8_t *bytes,
                      uint32_t byte_count, uint32_t simd, VeuFault *fault);

/* The program that an inline message stands for; same rules. */
bool veu_program_open_inline(VeuProgram *program, uint32_t simd,
                             uint32_t grf_bytes,
                             const struct veu_variable *variables,
                             uint32_t variable_count, uint32_t predicate_count,
                             const uint8_t *code, uint32_t code_bytes,
                             VeuFault *fault);

/* Decodes up to @budget messages; @offset is set to that of a bad one. */
VeuLoad veu_program_decode(VeuProgram *program, unsigned budget,
                           VeuFault *fault, uint32_t *offset);

/* Bytes of an element, or 0 for types that no variable may have. */
uint32_t veu_type_bytes(uint8_t type);

/* The low bits of @value, sign- or zero-extended as an integer @type says. */
uint64_t veu_type_extend(uint8_t type, uint64_t value);

/* The element at @from, extended like that. */
static inline uint64_t veu_type_load(uint8_t type, const void *from)
{
    uint64_t value = 0;
    uint32_t low;

    /* Most are; a copy of a constant size is not a call. */
    if (type == VEU_TYPE_UD) {
        memcpy(&low, from, sizeof(low));
        return low;
    }
    if (type == VEU_TYPE_UQ) {
        memcpy(&value, from, sizeof(value));
        return value;
    }
    memcpy(&value, from, veu_type_bytes(type));
    return veu_type_extend(type, value);
}

#endif
