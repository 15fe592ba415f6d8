/*
 * veu execution unit: host code for elements that are not dwords or quad words
 * in a row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compilers write bytes and words in a row, or parts of larger elements: the
 * low byte of each dword that a message returned, the halves of quad words.
 * Such elements become dwords in a vector register, and dwords become such
 * elements. Those in larger elements are read and written together with their
 * neighbours, which keep their bytes.
 */
#ifndef VEU_EU_JIT_ELEMENTS_H
#define VEU_EU_JIT_ELEMENTS_H

#include "hw/veu/eu/jit/code.h"

/*
 * The bytes that a dword of the operand's elements takes in a vector: 4, or 8
 * if each is in a quad word of its own; 0 if they cannot be compiled.
 */
unsigned veu_element_bytes(const VeuOperand *operand, unsigned lanes);

/*
 * Returns true if the operands of a staged instruction can be compiled: with
 * @lanes at a time, no lane may overwrite what a later one reads.
 */
bool veu_jit_takes_elements(const VeuInstruction *instruction, unsigned lanes);

/* Returns true if the operand is the same for all lanes. */
bool veu_element_is_same(const VeuOperand *operand);

/*
 * A register with dwords: the elements of type @type from lane @first on,
 * extended by their type's rule.
 */
unsigned veu_elements_load(VeuJit *t, const VeuOperand *operand, uint8_t type,
                           unsigned first, unsigned lanes);

/* Stores the low bits of dwords, for those of the @lanes that are @some. */
void veu_elements_store(VeuJit *t, const VeuOperand *operand, unsigned from,
                        unsigned first, unsigned lanes, const VeuLanes *some);

/*
 * A register with the low dwords of the quad words of @from, which are @lanes,
 * shifted to the right by @low bits.
 */
unsigned veu_elements_narrow(VeuJit *t, unsigned from, unsigned low,
                             unsigned lanes);

#endif
