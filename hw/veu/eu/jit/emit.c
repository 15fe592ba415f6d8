/*
 * veu execution unit: writing instructions of the host's processor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/jit/emit.h"
#include "hw/veu/eu/simd/cpu.h"

static inline void put(VeuEmit *e, uint8_t byte)
{
    if (e->used == e->size) {
        e->full = true;
        return;
    }
    e->bytes[e->used++] = byte;
}

void veu_emit_byte(VeuEmit *e, uint8_t byte)
{
    put(e, byte);
}

static void put_dword(VeuEmit *e, uint32_t value)
{
    if (e->size - e->used < sizeof(value)) {
        e->full = true;
        return;
    }
    memcpy(e->bytes + e->used, &value, sizeof(value));
    e->used += sizeof(value);
}

static void emit_qword(VeuEmit *e, uint64_t value)
{
    put_dword(e, value);
    put_dword(e, value >> 32);
}

static uint8_t modrm(unsigned mod, unsigned reg, unsigned rm)
{
    return mod << 6 | (reg & 7) << 3 | (rm & 7);
}

/*
 * The operand @base + @at, whose offset is a byte in units of @unit if it fits.
 * No base is rsp or r12, which would need another byte.
 */
static void emit_address(VeuEmit *e, unsigned reg, unsigned base, int32_t at,
                         int32_t unit)
{
    if (at % unit == 0 && at / unit >= INT8_MIN && at / unit <= INT8_MAX) {
        put(e, modrm(1, reg, base));
        put(e, at / unit);
        return;
    }
    put(e, modrm(2, reg, base));
    put_dword(e, at);
}

/* ---- vectors ---- */

VeuVectorLength veu_emit_longest(void)
{
    return veu_cpu == VEU_CPU_AVX512 ? VEU_VECTOR_64_BYTES :
                                       VEU_VECTOR_32_BYTES;
}

static int32_t unit_of(VeuTuple tuple, VeuVectorLength length)
{
    switch (tuple) {
    case VEU_TUPLE_HALF:
        return 8 << length;
    case VEU_TUPLE_QUARTER:
        return 4 << length;
    case VEU_TUPLE_4_BYTES:
        return 4;
    case VEU_TUPLE_8_BYTES:
        return 8;
    default:
        return 16 << length;
    }
}

/* Bits of a prefix that are stored inverted. */
static uint8_t unless(bool condition, unsigned bit)
{
    return condition ? 0 : 1u << bit;
}

static void emit_evex(VeuEmit *e, VeuVectorOp op, VeuVectorOperands o)
{
    bool high_rm = !o.is_memory && (o.rm & 16);

    put(e, 0x62);
    put(e, unless(o.reg & 8, 7) | unless(high_rm, 6) | unless(o.rm & 8, 5) |
               unless(o.reg & 16, 4) | op.map);
    put(e, op.wide << 7 | (~o.vector & 15) << 3 | 1 << 2 | op.pp);
    put(e, o.zeros << 7 | o.length << 5 | unless(o.vector & 16, 3) | o.mask);
}

#define OPCODE_MOVE      0x6e /* from a general register to a vector register */
#define OPCODE_BROADCAST 0x59 /* of quad words */

/*
 * In the first map, VEX.W has a meaning for moves of general registers only.
 * For the rest it is 0, because valgrind accepts nothing else, and a broadcast
 * must not have it.
 */
static bool has_vex_w(VeuVectorOp op)
{
    return op.wide && (op.map == VEU_MAP_0F ? op.opcode == OPCODE_MOVE :
                                              op.opcode != OPCODE_BROADCAST);
}

static void emit_vex(VeuEmit *e, VeuVectorOp op, VeuVectorOperands o)
{
    put(e, 0xc4);
    put(e, unless(o.reg & 8, 7) | 1 << 6 | unless(o.rm & 8, 5) | op.map);
    put(e, has_vex_w(op) << 7 | (~o.vector & 15) << 3 | o.length << 2 | op.pp);
}

/* With EVEX, distances in memory are in units of the operand. */
void veu_emit_vector(VeuEmit *e, VeuVectorOp op, VeuVectorOperands o)
{
    int32_t unit = 1;

    if (veu_emit_has_masks(e)) {
        unit = unit_of(op.tuple, o.length);
        emit_evex(e, op, o);
    } else {
        emit_vex(e, op, o);
    }
    put(e, op.opcode);
    if (o.is_memory) {
        emit_address(e, o.reg, o.rm, o.at, unit);
    } else {
        put(e, modrm(3, o.reg, o.rm));
    }
}

/* [0] for elements of 4 bytes, [1] for those of 8. */
static const VeuVectorOp broadcast_general[2] = {
    VEU_VECTOR_OP(66, 0F38, 0x7c), VEU_VECTOR_OP_WIDE(66, 0F38, 0x7c)
};
static const VeuVectorOp move_general[2] = {
    VEU_VECTOR_OP(66, 0F, OPCODE_MOVE), VEU_VECTOR_OP_WIDE(66, 0F, OPCODE_MOVE)
};
static const VeuVectorOp broadcast_first[2] = {
    VEU_VECTOR_OP(66, 0F38, 0x58), VEU_VECTOR_OP(66, 0F38, OPCODE_BROADCAST)
};

void veu_emit_broadcast(VeuEmit *e, unsigned to, unsigned general,
                        unsigned bytes)
{
    VeuVectorOperands o = { .reg = to, .rm = general };

    if (veu_emit_has_masks(e)) {
        o.length = e->longest;
        veu_emit_vector(e, broadcast_general[bytes == 8], o);
        return;
    }
    veu_emit_vector(e, move_general[bytes == 8], o);
    o = (VeuVectorOperands){ .length = e->longest, .reg = to, .rm = to };
    veu_emit_vector(e, broadcast_first[bytes == 8], o);
}

/* An operation on lanes in memory, each at @base and its element of @index. */
static void emit_apart(VeuEmit *e, uint8_t opcode, unsigned vector,
                       unsigned base, unsigned index, unsigned mask)
{
    put(e, 0x62);
    put(e, unless(vector & 8, 7) | unless(index & 8, 6) | unless(base & 8, 5) |
               unless(vector & 16, 4) | VEU_MAP_0F38);
    put(e, 15 << 3 | 1 << 2 | VEU_PP_66);
    put(e, VEU_VECTOR_64_BYTES << 5 | unless(index & 16, 3) | mask);
    put(e, opcode);
    put(e, modrm(0, vector, 4));
    put(e, modrm(0, index, base));
}

void veu_emit_gather(VeuEmit *e, unsigned to, unsigned base, unsigned index,
                     unsigned mask)
{
    emit_apart(e, 0x90, to, base, index, mask);
}

void veu_emit_scatter(VeuEmit *e, unsigned from, unsigned base, unsigned index,
                      unsigned mask)
{
    emit_apart(e, 0xa0, from, base, index, mask);
}

/* ---- masks ---- */

/* One of the numbers is that of a mask register, which has no high bit. */
static void emit_mask_move(VeuEmit *e, uint8_t opcode, unsigned to,
                           unsigned from)
{
    bool high = from & 8, high_to = to & 8;

    put(e, 0xc4);
    put(e, unless(high_to, 7) | 1 << 6 | unless(high, 5) | 1);
    put(e, 0x7b); /* W0, no second register, pp F2 */
    put(e, opcode);
    put(e, modrm(3, to, from));
}

void veu_emit_mask_from(VeuEmit *e, unsigned k, unsigned general)
{
    emit_mask_move(e, 0x92, k, general);
}

void veu_emit_mask_to(VeuEmit *e, unsigned general, unsigned k)
{
    emit_mask_move(e, 0x93, general, k);
}

void veu_emit_mask_or(VeuEmit *e, unsigned to, unsigned a, unsigned b)
{
    put(e, 0xc5);
    put(e, 1 << 7 | (~a & 15) << 3 | 1 << 2);
    put(e, 0x45);
    put(e, modrm(3, to, b));
}

void veu_emit_mask_test(VeuEmit *e, unsigned k)
{
    put(e, 0xc5);
    put(e, 0xf8);
    put(e, 0x98);
    put(e, modrm(3, k, k));
}

/* ---- general registers ---- */

static void emit_rex(VeuEmit *e, unsigned reg, unsigned rm, bool wide)
{
    uint8_t rex = 0x40 | wide << 3 | (reg >> 3 & 1) << 2 | (rm >> 3 & 1);

    if (rex != 0x40) {
        put(e, rex);
    }
}

void veu_emit_prefetch(VeuEmit *e, unsigned base, int32_t at, bool writes)
{
    emit_rex(e, 0, base, false);
    put(e, 0x0f);
    put(e, writes ? 0x0d : 0x18);
    emit_address(e, 1, base, at, 1);
}

/* @opcode has one byte. */
static void emit_at(VeuEmit *e, uint8_t opcode, unsigned reg, unsigned base,
                    int32_t at, bool wide)
{
    emit_rex(e, reg, base, wide);
    put(e, opcode);
    emit_address(e, reg, base, at, 1);
}

void veu_emit_load(VeuEmit *e, unsigned to, unsigned base, int32_t at,
                   bool wide)
{
    emit_at(e, 0x8b, to, base, at, wide);
}

void veu_emit_store(VeuEmit *e, unsigned from, unsigned base, int32_t at,
                    bool wide)
{
    emit_at(e, 0x89, from, base, at, wide);
}

void veu_emit_load_small(VeuEmit *e, unsigned to, unsigned base, int32_t at,
                         unsigned bytes, bool is_signed)
{
    emit_rex(e, to, base, false);
    put(e, 0x0f);
    put(e, 0xb6 | is_signed << 3 | (bytes == 2));
    emit_address(e, to, base, at, 1);
}

void veu_emit_store_number(VeuEmit *e, uint32_t number, unsigned base,
                           int32_t at)
{
    emit_at(e, 0xc7, 0, base, at, false);
    put_dword(e, number);
}

void veu_emit_number(VeuEmit *e, unsigned to, uint64_t number)
{
    bool wide = number >> 32;

    emit_rex(e, 0, to, wide);
    put(e, 0xb8 | (to & 7));
    if (wide) {
        emit_qword(e, number);
    } else {
        put_dword(e, number);
    }
}

void veu_emit_general(VeuEmit *e, unsigned operation, unsigned to,
                      unsigned from, bool wide)
{
    emit_rex(e, from, to, wide);
    put(e, operation);
    put(e, modrm(3, from, to));
}

void veu_emit_with_number(VeuEmit *e, unsigned operation, unsigned to,
                          uint32_t number, bool wide)
{
    emit_rex(e, 0, to, wide);
    put(e, 0x81);
    put(e, modrm(3, operation, to));
    put_dword(e, number);
}

/* The opcode of the form that reads memory is 2 higher. */
void veu_emit_with_memory(VeuEmit *e, unsigned operation, unsigned to,
                          unsigned base, int32_t at, bool wide)
{
    emit_at(e, operation + 2, to, base, at, wide);
}

void veu_emit_multiply(VeuEmit *e, unsigned to, uint32_t number)
{
    emit_rex(e, to, to, true);
    put(e, 0x69);
    put(e, modrm(3, to, to));
    put_dword(e, number);
}

void veu_emit_test_number(VeuEmit *e, unsigned general, uint32_t bits)
{
    emit_rex(e, 0, general, false);
    put(e, 0xf7);
    put(e, modrm(3, 0, general));
    put_dword(e, bits);
}

void veu_emit_add_to_memory(VeuEmit *e, uint32_t number, unsigned base,
                            int32_t at)
{
    emit_at(e, 0x81, VEU_NUMBER_ADD, base, at, true);
    put_dword(e, number);
}

void veu_emit_add_register(VeuEmit *e, unsigned from, unsigned base, int32_t at)
{
    emit_at(e, VEU_GENERAL_ADD, from, base, at, true);
}

void veu_emit_count_bits(VeuEmit *e, unsigned general)
{
    put(e, 0xf3);
    emit_rex(e, general, general, false);
    put(e, 0x0f);
    put(e, 0xb8);
    put(e, modrm(3, general, general));
}

void veu_emit_shift(VeuEmit *e, unsigned operation, unsigned to, unsigned count,
                    bool wide)
{
    if (count) {
        emit_rex(e, 0, to, wide);
        put(e, 0xc1);
        put(e, modrm(3, operation, to));
        put(e, count);
    }
}

void veu_emit_unary(VeuEmit *e, unsigned operation, unsigned to)
{
    emit_rex(e, 0, to, false);
    put(e, 0xf7);
    put(e, modrm(3, operation, to));
}

void veu_emit_test_byte(VeuEmit *e, unsigned base, int32_t at)
{
    emit_at(e, 0x80, VEU_NUMBER_COMPARE, base, at, false);
    put(e, 0);
}

void veu_emit_test_bits(VeuEmit *e, unsigned base, int32_t at, uint32_t bits)
{
    emit_at(e, 0xf7, 0, base, at, false);
    put_dword(e, bits);
}

/* Sets its low byte, and extends that. */
void veu_emit_set_if(VeuEmit *e, unsigned condition, unsigned to)
{
    put(e, 0x0f);
    put(e, 0x90 | condition);
    put(e, modrm(3, 0, to));
    put(e, 0x0f);
    put(e, 0xb6);
    put(e, modrm(3, to, to));
}

/* ---- jumps ---- */

uint32_t veu_emit_jump_if(VeuEmit *e, unsigned condition)
{
    put(e, 0x0f);
    put(e, 0x80 | condition);
    put_dword(e, 0);
    return e->used;
}

void veu_emit_jump_back(VeuEmit *e, uint32_t to)
{
    put(e, 0xe9);
    put_dword(e, to - (e->used + 4));
}

void veu_emit_land(VeuEmit *e, uint32_t jump)
{
    uint32_t distance = e->used - jump;

    if (!e->full) {
        memcpy(e->bytes + jump - 4, &distance, sizeof(distance));
    }
}

/* Code with SSE is slow while upper halves of its registers are in use. */
static void clear_upper(VeuEmit *e)
{
    if (!veu_emit_has_masks(e)) {
        put(e, 0xc5);
        put(e, 0xf8);
        put(e, 0x77);
    }
}

void veu_emit_push(VeuEmit *e, unsigned general)
{
    emit_rex(e, 0, general, false);
    put(e, 0x50 | (general & 7));
}

void veu_emit_pop(VeuEmit *e, unsigned general)
{
    emit_rex(e, 0, general, false);
    put(e, 0x58 | (general & 7));
}

void veu_emit_call(VeuEmit *e, const void *function)
{
    clear_upper(e);
    veu_emit_number(e, VEU_RAX, (uintptr_t)function);
    put(e, 0xff);
    put(e, modrm(3, 2, VEU_RAX));
}

void veu_emit_jump_to(VeuEmit *e, const void *function)
{
    clear_upper(e);
    veu_emit_number(e, VEU_RAX, (uintptr_t)function);
    put(e, 0xff);
    put(e, modrm(3, 4, VEU_RAX));
}

void veu_emit_jump_through(VeuEmit *e, unsigned base, int32_t at)
{
    clear_upper(e);
    emit_at(e, 0xff, 4, base, at, false);
}

void veu_emit_jump_indexed(VeuEmit *e, unsigned base, unsigned index)
{
    clear_upper(e);
    put(e, 0xff);
    put(e, modrm(1, 4, 4));
    put(e, modrm(3, index, base));
    put(e, 0);
}

void veu_emit_return(VeuEmit *e)
{
    clear_upper(e);
    put(e, 0xc3);
}
