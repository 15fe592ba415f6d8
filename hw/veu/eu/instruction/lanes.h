/*
 * veu execution unit: what all executors of instructions do with lanes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An executor first computes the results of all lanes that run, then writes
 * them: so all sources are read before a destination is written, and an
 * instruction that faults has had no effect.
 */
#ifndef VEU_EU_INSTRUCTION_LANES_H
#define VEU_EU_INSTRUCTION_LANES_H

#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/instruction/float.h"
#include "hw/veu/eu/limits.h"

typedef __int128 VeuInteger;

/* What a lane computes: bits of the types of the destinations. */
typedef struct VeuResult {
    uint64_t bits;
    uint64_t second;
} VeuResult;

/* Computes lane @n; false where an indirect operand has set the fault. */
typedef bool VeuCompute(VeuThread *thread, const VeuInstruction *instruction,
                        unsigned n, VeuResult *result);

/* Computes the lanes in @active, then writes them. */
bool veu_for_lanes(VeuThread *thread, const VeuInstruction *instruction,
                   uint32_t active, VeuCompute *compute);

/* What lane @n computes becomes its bit of the destination predicate. */
bool veu_for_predicate(VeuThread *thread, const VeuInstruction *instruction,
                       uint32_t active, VeuCompute *compute);

/* The type of an operand's elements: packed immediates have W, UW, F. */
uint8_t veu_operand_type(const VeuOperand *operand);

/* An immediate: the same for all lanes, unless it is a packed vector. */
uint64_t veu_immediate_bits(const VeuOperand *operand, unsigned n);

/* All bits of a predicate variable; those beyond its size are 0. */
uint32_t veu_predicate_operand(const VeuThread *thread,
                               const VeuOperand *operand);

/* The bits of element @n; false where an indirect one is out of registers. */
bool veu_operand_load(VeuThread *thread, const VeuOperand *operand, unsigned n,
                      uint64_t *bits);

/* The value of bits that were loaded, with the operand's modifier. */
VeuInteger veu_operand_integer(const VeuOperand *operand, uint64_t bits);
VeuFloat veu_operand_float(const VeuOperand *operand, uint64_t bits,
                           VeuFloatMode mode);

/* The bits of a result, saturated if the destination says so. */
uint64_t veu_result_integer(const VeuOperand *dst, VeuInteger value);
uint64_t veu_result_float(const VeuOperand *dst, VeuFloat value,
                          VeuFloatMode mode);

/* The least and the most that an integer type has. */
void veu_integer_range(uint8_t type, VeuInteger *least, VeuInteger *most);

/* Converts a source, as loaded, to the type of the destination. */
uint64_t veu_convert(const VeuThread *thread, const VeuOperand *src,
                     uint64_t bits, const VeuOperand *dst);

/* What %cr0 says, and the mode that it asks for. */
uint32_t veu_thread_cr0(const VeuThread *thread);
VeuFloatMode veu_thread_mode(const VeuThread *thread);

#endif
