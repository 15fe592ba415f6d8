/*
 * veu execution unit: the bytes of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * Operand formats: the vendor's page 5_operands.
 */
#include <string.h>
#include "hw/veu/eu/instruction/encoding.h"
#include "hw/veu/eu/program/bytes.h"

/* The bytes of an operand after its tag are taken at once. */
static void take_general(VeuCursor *c, VeuEncodedVector *v)
{
    uint64_t bits = veu_take(c, 8);

    v->id = bits;
    v->row = bits >> 32;
    v->column = bits >> 40;
    v->region = bits >> 48;
}

static void take_indirect(VeuCursor *c, VeuEncodedVector *v)
{
    uint64_t bits = veu_take(c, 8);

    v->id = (uint16_t)bits;
    v->column = bits >> 16;
    v->add_byte = bits >> 24;
    v->type = bits >> 40 & 0xf;
    v->region = bits >> 48;
}

/*
 * Reads a vector operand. Returns false if its class does not exist. Inline, so
 * that the cursor of veu_instruction_parse() can be in registers.
 */
static inline bool take_vector(VeuCursor *c, VeuEncodedVector *v)
{
    uint8_t tag = veu_take(c, 1);

    *v = (VeuEncodedVector){ .class = tag & 7, .modifier = tag >> 3 };
    switch (v->class) {
    case VEU_OPERAND_GENERAL:
        take_general(c, v);
        return true;
    case VEU_OPERAND_ADDRESS:
        v->id = veu_take(c, 2);
        v->column = veu_take(c, 1);
        v->row = veu_take(c, 1);
        return true;
    case VEU_OPERAND_PREDICATE:
        v->id = veu_take(c, 2);
        return true;
    case VEU_OPERAND_INDIRECT:
        take_indirect(c, v);
        return true;
    case VEU_OPERAND_IMMEDIATE:
        v->type = veu_take(c, 1) & 0xf;
        v->immediate = veu_take_immediate(c, v->type);
        return true;
    case VEU_OPERAND_STATE:
        v->type = veu_take(c, 1);
        v->id = veu_take(c, 2);
        v->column = veu_take(c, 1);
        return true;
    default:
        return false;
    }
}

uint32_t veu_vector_parse(const uint8_t *code, uint32_t bytes,
                          VeuEncodedVector *vector)
{
    VeuCursor c = { .code = code, .bytes = bytes };

    return take_vector(&c, vector) && !c.failed ? c.at : 0;
}

static const uint8_t kind_bytes[] = {
    [VEU_IKIND_BYTE] = 1,
    [VEU_IKIND_WORD] = 2,
    [VEU_IKIND_DWORD] = 4,
};

/* Like veu_take(), for which each size is a constant here. */
static uint32_t take_number(VeuCursor *c, unsigned bytes)
{
    switch (bytes) {
    case 1:
        return veu_take(c, 1);
    case 2:
        return veu_take(c, 2);
    default:
        return veu_take(c, 4);
    }
}

bool veu_instruction_parse(const VeuInstructionInfo *info, const uint8_t *code,
                           uint32_t bytes, VeuInstructionEncoding *e,
                           VeuFault *fault)
{
    VeuCursor c = { .code = code, .bytes = bytes, .at = 1 };

    e->info = info;
    memset(e->at, 0, sizeof(e->at));
    for (const uint8_t *f = info->fields; *f != VEU_IFIELD_END; f++) {
        VeuInstructionKind kind = veu_instruction_fields[*f].kind;
        bool known = true;

        e->at[*f] = c.at;
        if (kind == VEU_IKIND_VECTOR) {
            known = take_vector(&c, &e->field[*f].vector);
        } else {
            e->field[*f].number = take_number(&c, kind_bytes[kind]);
        }
        if (c.failed) {
            return veu_fault_form(fault, VEU_FAULT_MESSAGE_TRUNCATED, bytes);
        }
        if (!known) {
            return veu_fault_form(fault, VEU_FAULT_MESSAGE_FIELD, e->at[*f]);
        }
    }
    e->bytes = c.at;
    return true;
}

/*
 * The size of a vector operand, or 0 if its class does not exist or is not
 * known. An immediate has a type, then as many bytes as that requires.
 */
static uint32_t vector_length(const uint8_t *code, uint32_t bytes)
{
    static const uint8_t lengths[8] = {
        [VEU_OPERAND_GENERAL] = 9,   [VEU_OPERAND_ADDRESS] = 5,
        [VEU_OPERAND_PREDICATE] = 3, [VEU_OPERAND_INDIRECT] = 9,
        [VEU_OPERAND_IMMEDIATE] = 2, [VEU_OPERAND_STATE] = 5,
    };
    uint8_t class = bytes ? code[0] & 7 : 0;

    /* Most are general. The next field's place does not wait for the table. */
    if (class == VEU_OPERAND_GENERAL) {
        return lengths[VEU_OPERAND_GENERAL];
    }
    if (class != VEU_OPERAND_IMMEDIATE) {
        return lengths[class];
    }
    return bytes > 1 ? lengths[class] + veu_immediate_bytes(code[1] & 0xf) : 0;
}

uint32_t veu_instruction_length(const VeuInstructionInfo *info,
                                const uint8_t *code, uint32_t bytes)
{
    uint32_t at = 1;

    for (const uint8_t *f = info->fields; *f != VEU_IFIELD_END && at <= bytes;
         f++) {
        VeuInstructionKind kind = veu_instruction_fields[*f].kind;
        uint32_t length = kind == VEU_IKIND_VECTOR ?
                              vector_length(code + at, bytes - at) :
                              kind_bytes[kind];

        if (!length) {
            return 0;
        }
        at += length;
    }
    return at <= bytes ? at : 0;
}

static void put_vector(VeuOutput *out, const VeuEncodedVector *v)
{
    veu_put(out, v->class | v->modifier << 3, 1);
    switch (v->class) {
    case VEU_OPERAND_GENERAL:
        veu_put(out, v->id, 4);
        veu_put(out, v->row, 1);
        veu_put(out, v->column, 1);
        veu_put(out, v->region, 2);
        break;
    case VEU_OPERAND_ADDRESS:
        veu_put(out, v->id, 2);
        veu_put(out, v->column, 1);
        veu_put(out, v->row, 1);
        break;
    case VEU_OPERAND_PREDICATE:
        veu_put(out, v->id, 2);
        break;
    case VEU_OPERAND_INDIRECT:
        veu_put(out, v->id, 2);
        veu_put(out, v->column, 1);
        veu_put(out, (uint16_t)v->add_byte, 2);
        veu_put(out, v->type, 1);
        veu_put(out, v->region, 2);
        break;
    case VEU_OPERAND_STATE:
        veu_put(out, v->type, 1);
        veu_put(out, v->id, 2);
        veu_put(out, v->column, 1);
        break;
    default:
        veu_put(out, v->type, 1);
        veu_put(out, v->immediate, veu_immediate_bytes(v->type));
        break;
    }
}

uint32_t veu_vector_write(const VeuEncodedVector *vector, uint8_t *code)
{
    VeuOutput out = { .code = code };

    put_vector(&out, vector);
    return out.bytes;
}

uint32_t veu_instruction_write(const VeuInstructionEncoding *e, uint8_t *code)
{
    VeuOutput out = { .code = code };

    veu_put(&out, e->info->opcode, 1);
    for (const uint8_t *f = e->info->fields; *f != VEU_IFIELD_END; f++) {
        VeuInstructionKind kind = veu_instruction_fields[*f].kind;

        if (kind == VEU_IKIND_VECTOR) {
            put_vector(&out, &e->field[*f].vector);
        } else {
            veu_put(&out, e->field[*f].number, kind_bytes[kind]);
        }
    }
    return out.bytes;
}
