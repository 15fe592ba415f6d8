/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: building programs and payloads.
 *
 *     veu_program_begin(&p, memory, sizeof(memory), 32);
 *     offsets = veu_program_variable(&p, VEU_TYPE_UD, 16);
 *     data = veu_program_variable(&p, VEU_TYPE_UD, 16);
 *     veu_encode_gather(&p.code, 4, veu_m(1, 16), 6, veu_ud(0),
 *                       veu_v(offsets), veu_v(data));
 *     bytes = veu_program_end(&p);
 *
 * Errors stick: veu_program_end() returns 0 when anything did not fit.
 */
#ifndef VEU_GUEST_PROGRAM_H
#define VEU_GUEST_PROGRAM_H

#include "veu/veu.h"
#include "veu_encode.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The capacity of a builder; a device may allow more. */
#define VEU_BUILDER_VARIABLES  64
#define VEU_BUILDER_PREDICATES 16
#define VEU_BUILDER_ADDRESSES  16

struct veu_program {
    uint8_t *memory;
    uint32_t capacity;
    uint16_t grf_bytes;
    bool failed;
    struct veu_code code;
    uint32_t register_bytes; /**< up to the end of the last variable */
    uint32_t variable_count;
    uint32_t predicate_count;
    uint32_t address_count;
    uint32_t address_elements; /**< of all address variables */
    struct veu_variable variables[VEU_BUILDER_VARIABLES];
    struct veu_predicate predicates[VEU_BUILDER_PREDICATES];
    struct veu_address addresses[VEU_BUILDER_ADDRESSES];
};

/** @memory: @capacity bytes, aligned to 64 bytes. */
void veu_program_begin(struct veu_program *program, void *memory,
                       uint32_t capacity, unsigned grf_bytes);

/** Declares a variable in registers of its own and returns its id. */
uint32_t veu_program_variable(struct veu_program *program, enum veu_type type,
                              unsigned elements);

/** Declares a variable at byte @offset of the register file. */
uint32_t veu_program_variable_at(struct veu_program *program, uint32_t offset,
                                 enum veu_type type, unsigned elements);

/** The place of a variable in the register file, bytes. */
uint32_t veu_program_offset(const struct veu_program *program, uint32_t id);

/** Declares a predicate of @bits lanes and returns its id. */
uint16_t veu_program_predicate(struct veu_program *program, unsigned bits);

/** Declares an address variable of 1 to 16 elements and returns its id. */
uint16_t veu_program_address(struct veu_program *program, unsigned elements);

/** The index of its first element among those of all address variables. */
unsigned veu_program_address_at(const struct veu_program *program, uint16_t id);

/** Finishes the program. Returns its size in bytes, or 0. */
uint32_t veu_program_end(struct veu_program *program);

/** Bytes of a payload before the register file. */
static inline uint32_t veu_payload_head_bytes(const struct veu_program *program)
{
    return sizeof(struct veu_payload_header) +
           (program->predicate_count * 4 + program->address_elements * 2 + 63) /
               64 * 64;
}

/** Bytes of a payload that sets the whole register file. */
static inline uint32_t veu_payload_bytes(const struct veu_program *program)
{
    return veu_payload_head_bytes(program) + program->register_bytes;
}

/** The parts of a payload: predicate words, address elements, registers. */
static inline uint32_t *veu_payload_predicates(void *payload)
{
    return (uint32_t *)((uint8_t *)payload + sizeof(struct veu_payload_header));
}

static inline uint16_t *veu_payload_addresses(void *payload,
                                              const struct veu_program *program)
{
    return (uint16_t *)(veu_payload_predicates(payload) +
                        program->predicate_count);
}

static inline uint8_t *veu_payload_registers(void *payload,
                                             const struct veu_program *program)
{
    return (uint8_t *)payload + veu_payload_head_bytes(program);
}

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_PROGRAM_H */
