/*
 * veu execution unit: lanes, as all executors of instructions treat them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An executor first computes the results of all lanes that run, and then writes
 * them. So all sources are read before a destination is written, and an
 * instruction that faults has no effect.
 */
#ifndef VEU_EU_INSTRUCTION_LANES_H
#define VEU_EU_INSTRUCTION_LANES_H

#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/instruction/float.h"
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/program/type.h"

typedef __int128 VeuInteger;

/* The result of a lane, as bits of the types of the destinations. */
typedef struct VeuResult {
    uint64_t bits;
    uint64_t second;
} VeuResult;

/* The results of all lanes. */
typedef struct VeuResults {
    uint64_t bits[VEU_MAX_LANES];
    uint64_t second[VEU_MAX_LANES];
} VeuResults;

/* The bits of all lanes' sources, or their values if 64 bits hold them. */
typedef uint64_t VeuSourceBits[VEU_MAX_SOURCES][VEU_MAX_LANES];

/* The values of all lanes' sources. */
typedef VeuInteger VeuIntegerSources[VEU_MAX_LANES][VEU_MAX_SOURCES];

/*
 * Computes the lanes in @active. Returns false if an indirect operand set the
 * fault.
 */
typedef bool VeuComputeLanes(VeuThread *thread,
                             const VeuInstruction *instruction, uint32_t active,
                             VeuResults *results);

/* Computes lane @n, like VeuComputeLanes. */
typedef bool VeuCompute(VeuThread *thread, const VeuInstruction *instruction,
                        unsigned n, VeuResult *result);

/* Computes the lanes in @active together, then writes them. */
bool veu_for_all_lanes(VeuThread *thread, const VeuInstruction *instruction,
                       uint32_t active, VeuComputeLanes *compute);

/* Computes the lanes in @active one by one, then writes them. */
bool veu_for_lanes(VeuThread *thread, const VeuInstruction *instruction,
                   uint32_t active, VeuCompute *compute);

/*
 * Computes the lanes in @active; each result becomes a bit of the destination
 * predicate.
 */
bool veu_for_predicate(VeuThread *thread, const VeuInstruction *instruction,
                       uint32_t active, VeuCompute *compute);

/* The number of lanes up to the last one in @active. */
static inline unsigned veu_lanes_up_to(uint32_t active)
{
    return active ? 32 - __builtin_clz(active) : 0;
}

/* The type of an operand's elements: packed immediates have W, UW, F. */
static inline uint8_t veu_operand_type(const VeuOperand *o)
{
    switch (o->type) {
    case VEU_TYPE_V:
        return VEU_TYPE_W;
    case VEU_TYPE_UV:
        return VEU_TYPE_UW;
    case VEU_TYPE_VF:
        return VEU_TYPE_F;
    default:
        return o->type;
    }
}

/*
 * The bits of an immediate: the same for all lanes, unless it is a packed
 * vector.
 */
uint64_t veu_immediate_bits(const VeuOperand *operand, unsigned n);

/* All bits of a predicate variable; those beyond its size are 0. */
uint32_t veu_predicate_operand(const VeuThread *thread,
                               const VeuOperand *operand);

/*
 * Loads the bits of element @n. Returns false if an indirect element is outside
 * the registers.
 */
bool veu_operand_load(VeuThread *thread, const VeuOperand *operand, unsigned n,
                      uint64_t *bits);

/*
 * Loads the bits of elements @active, and any bits for the lanes between them.
 * Integers are extended to 64 bits by their type. Returns false if one of the
 * elements is outside the registers.
 */
bool veu_operand_load_lanes(VeuThread *thread, const VeuOperand *operand,
                            uint32_t active, uint64_t *bits);

/* Sets source @k of lanes @active to the values of loaded bits. */
void veu_operand_integers(const VeuOperand *operand, uint32_t active,
                          const uint64_t *bits, VeuIntegerSources values,
                          unsigned k);

/* Applies the operand's modifier to loaded integers, modulo 2^64. */
void veu_operand_modify(const VeuOperand *operand, unsigned lanes,
                        uint64_t *bits);

/* The value of loaded bits, with the operand's modifier applied. */
VeuInteger veu_operand_integer(const VeuOperand *operand, uint64_t bits);
VeuFloat veu_operand_float(const VeuOperand *operand, uint64_t bits,
                           VeuFloatMode mode);

/* The bits of a result, saturated if the destination says so. */
uint64_t veu_result_integer(const VeuOperand *dst, VeuInteger value);
uint64_t veu_result_float(const VeuOperand *dst, VeuFloat value,
                          VeuFloatMode mode);

/* Like veu_result_integer(), for lanes @active. */
void veu_result_integers(const VeuOperand *dst, uint32_t active,
                         const VeuInteger *values, uint64_t *bits);

/* The least and the greatest value of an integer type. */
void veu_integer_range(uint8_t type, VeuInteger *least, VeuInteger *most);

/* Converts a source, as loaded, to the type of the destination. */
uint64_t veu_convert(const VeuThread *thread, const VeuOperand *src,
                     uint64_t bits, const VeuOperand *dst);

/* For veu_thread_cr0(): not a dword, as which compilers declare it. */
uint32_t veu_thread_small_cr0(const VeuThread *thread);

/* The value of %cr0; 0 if the program has none. */
static inline uint32_t veu_thread_cr0(const VeuThread *t)
{
    const struct veu_variable *v = &t->program->predefined[VEU_PREDEFINED_CR0];
    uint32_t cr0;

    if (!v->elements) {
        return 0;
    }
    if (__builtin_expect(veu_type_bytes(v->type) < sizeof(cr0), 0)) {
        return veu_thread_small_cr0(t);
    }
    memcpy(&cr0, t->registers + v->offset, sizeof(cr0));
    return cr0;
}

/* The mode that %cr0 selects. */
VeuFloatMode veu_thread_mode(const VeuThread *thread);

#endif
