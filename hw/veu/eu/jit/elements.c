/*
 * veu execution unit: host code for elements that are not dwords or quad words
 * in a row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/handler_parts.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/jit/elements.h"
#include "hw/veu/eu/jit/lanes.h"
#include "hw/veu/eu/jit/vector_ops.h"

static const VeuVectorOp and_d = D(0xdb), xor_d = D(0xef);
static const VeuVectorOp narrow_q = VEU_VECTOR_OP(F3, 0F38, 0x35);
static const VeuVectorOp extend_d = D38(0x35);
static const VeuVectorOp permute = D38(0x36); /* with AVX2 */
static const VeuVectorOp shift_left_d = VEU_VECTOR_OP_COUNT(0x72, 6, false);
static const VeuVectorOp shift_right_d = VEU_VECTOR_OP_COUNT(0x72, 2, false);
static const VeuVectorOp shift_sign_d = VEU_VECTOR_OP_COUNT(0x72, 4, false);
static const VeuVectorOp shift_left_q = VEU_VECTOR_OP_COUNT(0x73, 6, true);
static const VeuVectorOp shift_right_q = VEU_VECTOR_OP_COUNT(0x73, 2, true);
/* [0] for elements of 4 bytes, [1] for those of 8. */
static const VeuVectorOp choose_bits_avx512[2] = { D3A(0x25), Q3A(0x25) };
#define CHOOSE_BITS 0xd8 /* of the second operand where the third has 1 */

/* By the bytes of an element, 1 or 2. */
static const VeuVectorOp load_unsigned[3] = {
    [1] = VEU_VECTOR_OP_PART(66, 0x31, QUARTER),
    [2] = VEU_VECTOR_OP_PART(66, 0x33, HALF)
};
static const VeuVectorOp load_signed[3] = {
    [1] = VEU_VECTOR_OP_PART(66, 0x21, QUARTER),
    [2] = VEU_VECTOR_OP_PART(66, 0x23, HALF)
};
static const VeuVectorOp store_small[3] = {
    [1] = VEU_VECTOR_OP_PART(F3, 0x31, QUARTER),
    [2] = VEU_VECTOR_OP_PART(F3, 0x33, HALF)
};

/* ---- places ---- */

bool veu_element_is_same(const VeuOperand *o)
{
    return o->class == VEU_OPERAND_IMMEDIATE || o->step == 0;
}

static bool is_in_a_row(const VeuOperand *o)
{
    return o->step == 1;
}

/* Bytes from one element to the next, which may be larger than an element. */
static unsigned distance_of(const VeuOperand *o)
{
    return o->step * veu_type_bytes(o->type);
}

/* Bytes of the larger element before the operand's. */
static unsigned skipped_of(const VeuOperand *o)
{
    return o->at % distance_of(o);
}

static bool is_number(const VeuOperand *o)
{
    return o->class == VEU_OPERAND_IMMEDIATE && veu_type_is_integer(o->type);
}

/*
 * The last larger element may end up to 7 bytes after the registers, which are
 * in memory of a multiple of 8 bytes: that of an EU thread's group, or of a
 * payload.
 */
static bool is_part(const VeuOperand *o)
{
    unsigned distance = distance_of(o);

    return (distance == 4 || distance == 8) &&
           skipped_of(o) + veu_type_bytes(o->type) <= distance;
}

/* Staged instructions have their plainest regions. */
unsigned veu_element_bytes(const VeuOperand *o, unsigned lanes)
{
    bool straight = o->class == VEU_OPERAND_GENERAL &&
                    1u << o->width_shift >= lanes;

    if (o->modifier || veu_type_bytes(o->type) > 4) {
        return 0;
    }
    if (is_number(o) || (straight && (o->step == 0 || is_in_a_row(o)))) {
        return 4;
    }
    return straight && is_part(o) ? distance_of(o) : 0;
}

/* What a lane reads or writes at most begins with its larger element. */
static uint32_t begin_of(const VeuOperand *o)
{
    return is_in_a_row(o) || o->step == 0 ? o->at : o->at - skipped_of(o);
}

static uint32_t extent_of(const VeuOperand *o, unsigned lanes)
{
    return o->step == 0 ? veu_type_bytes(o->type) : distance_of(o) * lanes;
}

static bool is_read_first(const VeuInstruction *i, const VeuOperand *o)
{
    return veu_element_is_same(o) ||
           (o->at == i->dst.at && distance_of(o) == distance_of(&i->dst)) ||
           !veu_handler_overlaps(begin_of(&i->dst),
                                 extent_of(&i->dst, i->lanes), begin_of(o),
                                 extent_of(o, i->lanes));
}

bool veu_jit_takes_elements(const VeuInstruction *i, unsigned lanes)
{
    for (unsigned k = 0; k < i->source_count; k++) {
        if (!veu_element_bytes(&i->src[k], i->lanes) ||
            (lanes < i->lanes && i->dst.class == VEU_OPERAND_GENERAL &&
             !is_read_first(i, &i->src[k]))) {
            return false;
        }
    }
    return i->lanes >= 8 &&
           (i->dst.class == VEU_OPERAND_PREDICATE ||
            (i->dst.step && veu_element_bytes(&i->dst, i->lanes)));
}

/* ---- host code ---- */

static VeuVectorOperands vectors(unsigned lanes, unsigned to, unsigned a,
                                 unsigned b)
{
    return (VeuVectorOperands){
        .length = veu_vector_length(lanes * 4), .reg = to, .vector = a, .rm = b
    };
}

static VeuVectorOperands in_memory(unsigned lanes, unsigned reg, uint32_t at)
{
    return (VeuVectorOperands){ .length = veu_vector_length(lanes * 4),
                                .reg = reg,
                                .rm = VEU_REGISTERS,
                                .is_memory = true,
                                .at = at };
}

/* to = from shifted; nothing if they are the same and @count is 0. */
static void emit_count(VeuJit *t, VeuVectorOp op, unsigned lanes, unsigned to,
                       unsigned from, unsigned count)
{
    if (to != from || count) {
        veu_emit_vector(t->emit, op, vectors(lanes, op.digit, to, from));
        veu_emit_byte(t->emit, count);
    }
}

static bool is_signed(uint8_t type)
{
    return type == VEU_TYPE_B || type == VEU_TYPE_W;
}

/* Bits from bit @low on of each dword, extended by their type's rule. */
static unsigned extract(VeuJit *t, unsigned from, uint8_t type, unsigned low,
                        unsigned lanes)
{
    unsigned bits = 8 * veu_type_bytes(type), to = veu_values_take(&t->values);

    if (is_signed(type)) {
        emit_count(t, shift_left_d, lanes, to, from, 32 - bits - low);
        emit_count(t, shift_sign_d, lanes, to, to, 32 - bits);
        return to;
    }
    emit_count(t, shift_right_d, lanes, to, from, low);
    if (low + bits < 32) {
        veu_emit_vector(t->emit, and_d,
                        vectors(lanes, to, to,
                                veu_values_number(
                                    &t->values, UINT32_MAX >> (32 - bits), 4)));
    }
    return to;
}

static unsigned load_same(VeuJit *t, const VeuOperand *o, uint8_t type)
{
    unsigned bytes = veu_type_bytes(o->type), to;

    if (o->class == VEU_OPERAND_IMMEDIATE) {
        return veu_values_number(&t->values, veu_type_extend(type, o->value),
                                 4);
    }
    if (bytes == 4) {
        return veu_values_same(&t->values, o->at, 4);
    }
    to = veu_values_take(&t->values);
    veu_emit_load_small(t->emit, VEU_RAX, VEU_REGISTERS, o->at, bytes,
                        is_signed(type));
    veu_emit_broadcast(t->emit, to, VEU_RAX, 4);
    return to;
}

static unsigned load_row(VeuJit *t, const VeuOperand *o, uint8_t type,
                         unsigned first, unsigned lanes)
{
    unsigned bytes = veu_type_bytes(o->type), to;
    uint32_t at = o->at + first * bytes;

    if (bytes == 4) {
        return veu_values_bytes(&t->values, at, lanes * 4);
    }
    to = veu_values_take(&t->values);
    veu_emit_vector(t->emit,
                    (is_signed(type) ? load_signed : load_unsigned)[bytes],
                    in_memory(lanes, to, at));
    return to;
}

/* AVX2 has a permutation of eight dwords. */
unsigned veu_elements_narrow(VeuJit *t, unsigned from, unsigned low,
                             unsigned lanes)
{
    static const _Alignas(32) uint32_t even[8] = { 0, 2, 4, 6, 0, 2, 4, 6 };
    unsigned to = veu_values_take(&t->values);

    if (low) {
        emit_count(t, shift_right_q, lanes * 2, to, from, low);
        from = to;
    }
    if (veu_emit_has_masks(t->emit)) {
        veu_emit_vector(t->emit, narrow_q, vectors(lanes * 2, from, 0, to));
    } else {
        veu_emit_vector(t->emit, permute,
                        vectors(8, to, veu_values_host(&t->values, even),
                                from));
    }
    return to;
}

unsigned veu_elements_load(VeuJit *t, const VeuOperand *o, uint8_t type,
                           unsigned first, unsigned lanes)
{
    unsigned distance, low, from;

    if (veu_element_is_same(o)) {
        return load_same(t, o, type);
    }
    if (is_in_a_row(o)) {
        return load_row(t, o, type, first, lanes);
    }
    distance = distance_of(o);
    low = 8 * skipped_of(o);
    from = veu_values_bytes(&t->values, begin_of(o) + first * distance,
                            lanes * distance);
    if (distance == 8) {
        from = veu_elements_narrow(t, from, low, lanes);
        low = 0;
    }
    return veu_type_bytes(type) == 4 ? from :
                                       extract(t, from, type, low, lanes);
}

/* The low bytes, or words, of four or eight dwords are next to each other. */
static unsigned pack(VeuJit *t, unsigned from, unsigned bytes)
{
    static const _Alignas(32) uint8_t low[2][32] = {
        { 0, 4, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          0, 4, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        { 0, 1, 4, 5, 8, 9, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0,
          0, 1, 4, 5, 8, 9, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0 },
    };
    static const _Alignas(32) uint32_t together[2][8] = {
        { 0, 4, 0, 0, 0, 0, 0, 0 },
        { 0, 1, 4, 5, 0, 0, 0, 0 },
    };
    static const VeuVectorOp shuffle = D38(0x00);
    unsigned to = veu_values_take(&t->values);

    veu_emit_vector(t->emit, shuffle,
                    vectors(8, to, from,
                            veu_values_host(&t->values, low[bytes - 1])));
    veu_emit_vector(
        t->emit, permute,
        vectors(8, to, veu_values_host(&t->values, together[bytes - 1]), to));
    return to;
}

static void store_packed(VeuJit *t, unsigned from, uint32_t at, unsigned bytes)
{
    static const VeuVectorOp store[] = { D(0x7e), D(0xd6), F3(0x7f) };

    veu_emit_vector(t->emit, store[bytes / 8], in_memory(4, from, at));
}

/* AVX2 has no instruction that stores the low bits of dwords. */
static void store_small_avx2(VeuJit *t, const VeuOperand *o, unsigned from,
                             unsigned first, unsigned lanes,
                             const VeuLanes *some)
{
    unsigned bytes = veu_type_bytes(o->type);
    unsigned mask = veu_jit_lanes(t, some, 4);

    if (mask) {
        unsigned old = load_row(t, o, VEU_TYPE_UD, first, lanes);

        veu_jit_choose(t->emit, vectors(lanes, old, old, from), mask, 4);
        from = old;
    }
    store_packed(t, pack(t, from, bytes), o->at + first * bytes, lanes * bytes);
}

static void store_row(VeuJit *t, const VeuOperand *o, unsigned from,
                      unsigned first, unsigned lanes, const VeuLanes *some)
{
    unsigned bytes = veu_type_bytes(o->type);
    uint32_t at = o->at + first * bytes;
    VeuVectorOperands operands = in_memory(lanes, from, at);

    if (bytes == 4) {
        veu_jit_store_lanes(t, from, at, lanes, bytes, some);
        return;
    }
    if (veu_emit_has_masks(t->emit)) {
        operands.mask = veu_jit_lanes(t, some, 4);
        veu_emit_vector(t->emit, store_small[bytes], operands);
    } else {
        store_small_avx2(t, o, from, first, lanes, some);
    }
    veu_values_forget(&t->values, at, lanes * bytes);
}

/* Dwords become quad words, or stay, and are shifted to their place. */
static unsigned place(VeuJit *t, unsigned from, unsigned distance, unsigned low,
                      unsigned lanes)
{
    unsigned to = veu_values_take(&t->values);

    if (distance == 4) {
        emit_count(t, shift_left_d, lanes, to, from, low);
    } else {
        veu_emit_vector(t->emit, extend_d, vectors(lanes * 2, to, 0, from));
        emit_count(t, shift_left_q, lanes * 2, to, to, low);
    }
    return to;
}

/* old = from in @bits, of lanes in @mask if that is not 0. Changes @from. */
static void choose_bits(VeuJit *t, unsigned dwords, unsigned old, unsigned from,
                        unsigned bits, unsigned mask)
{
    veu_emit_vector(t->emit, xor_d, vectors(dwords, from, from, old));
    veu_emit_vector(t->emit, and_d, vectors(dwords, from, from, bits));
    if (mask) {
        veu_emit_vector(t->emit, and_d, vectors(dwords, from, from, mask));
    }
    veu_emit_vector(t->emit, xor_d, vectors(dwords, old, old, from));
}

static void store_parts(VeuJit *t, const VeuOperand *o, unsigned from,
                        unsigned first, unsigned lanes, const VeuLanes *some)
{
    uint64_t ones = UINT64_MAX >> (64 - 8 * veu_type_bytes(o->type));
    unsigned distance = distance_of(o), low = 8 * skipped_of(o);
    unsigned mask = veu_jit_lanes(t, some, distance), old, bits;
    unsigned dwords = lanes * distance / 4;
    uint32_t at = begin_of(o) + first * distance;
    VeuVectorOperands operands;

    from = place(t, from, distance, low, lanes);
    bits = veu_values_number(&t->values, ones << low, distance);
    old = veu_values_bytes(&t->values, at, lanes * distance);
    if (veu_emit_has_masks(t->emit)) {
        operands = vectors(dwords, old, from, bits);
        operands.mask = mask;
        veu_emit_vector(t->emit, choose_bits_avx512[distance == 8], operands);
        veu_emit_byte(t->emit, CHOOSE_BITS);
    } else {
        choose_bits(t, dwords, old, from, bits, mask);
    }
    veu_values_store(&t->values, old, at, lanes * distance);
}

void veu_elements_store(VeuJit *t, const VeuOperand *o, unsigned from,
                        unsigned first, unsigned lanes, const VeuLanes *some)
{
    if (is_in_a_row(o)) {
        store_row(t, o, from, first, lanes, some);
    } else {
        store_parts(t, o, from, first, lanes, some);
    }
}
