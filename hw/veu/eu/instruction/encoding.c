/*
 * veu execution unit: the bytes of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Operand formats: the vendor's page 5_operands.
 */
#include <string.h>
#include "hw/veu/eu/instruction/encoding.h"

/* The unread part of an instruction. Reading beyond its end yields 0. */
typedef struct Cursor {
    const uint8_t *code;
    uint32_t bytes;
    uint32_t at;
    bool failed;
} Cursor;

static uint64_t take(Cursor *c, unsigned bytes)
{
    uint64_t value = 0;

    if (c->bytes - c->at < bytes) {
        c->failed = true;
        return 0;
    }
    memcpy(&value, c->code + c->at, bytes);
    c->at += bytes;
    return value;
}

/* Immediates of 64-bit types take 8 bytes, all others 4. */
static unsigned immediate_bytes(uint8_t type)
{
    return type == VEU_TYPE_DF || type == VEU_TYPE_UQ || type == VEU_TYPE_Q ?
               8 :
               4;
}

static void take_general(Cursor *c, VeuEncodedVector *v)
{
    v->id = take(c, 4);
    v->row = take(c, 1);
    v->column = take(c, 1);
    v->region = take(c, 2);
}

static void take_indirect(Cursor *c, VeuEncodedVector *v)
{
    v->id = take(c, 2);
    v->column = take(c, 1);
    v->add_byte = take(c, 2);
    v->type = take(c, 1) & 0xf;
    v->region = take(c, 2);
}

/* False where the class is none. */
static bool take_vector(Cursor *c, VeuEncodedVector *v)
{
    uint8_t tag = take(c, 1);

    *v = (VeuEncodedVector){ .class = tag & 7, .modifier = tag >> 3 };
    switch (v->class) {
    case VEU_OPERAND_GENERAL:
        take_general(c, v);
        return true;
    case VEU_OPERAND_ADDRESS:
        v->id = take(c, 2);
        v->column = take(c, 1);
        v->row = take(c, 1);
        return true;
    case VEU_OPERAND_PREDICATE:
        v->id = take(c, 2);
        return true;
    case VEU_OPERAND_INDIRECT:
        take_indirect(c, v);
        return true;
    case VEU_OPERAND_IMMEDIATE:
        v->type = take(c, 1) & 0xf;
        v->immediate = take(c, immediate_bytes(v->type));
        return true;
    case VEU_OPERAND_STATE:
        v->type = take(c, 1);
        v->id = take(c, 2);
        v->column = take(c, 1);
        return true;
    default:
        return false;
    }
}

uint32_t veu_vector_parse(const uint8_t *code, uint32_t bytes,
                          VeuEncodedVector *vector)
{
    Cursor c = { .code = code, .bytes = bytes };

    return take_vector(&c, vector) && !c.failed ? c.at : 0;
}

static const uint8_t kind_bytes[] = {
    [VEU_IKIND_BYTE] = 1,
    [VEU_IKIND_WORD] = 2,
    [VEU_IKIND_DWORD] = 4,
};

bool veu_instruction_parse(const VeuInstructionInfo *info, const uint8_t *code,
                           uint32_t bytes, VeuInstructionEncoding *e,
                           VeuFault *fault)
{
    Cursor c = { .code = code, .bytes = bytes, .at = 1 };

    e->info = info;
    memset(e->at, 0, sizeof(e->at));
    for (const uint8_t *f = info->fields; *f != VEU_IFIELD_END; f++) {
        VeuInstructionKind kind = veu_instruction_fields[*f].kind;
        bool known = true;

        e->at[*f] = c.at;
        if (kind == VEU_IKIND_VECTOR) {
            known = take_vector(&c, &e->field[*f].vector);
        } else {
            e->field[*f].number = take(&c, kind_bytes[kind]);
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

/* What is written so far. */
typedef struct Output {
    uint8_t *code;
    uint32_t bytes;
} Output;

static void put(Output *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        out->code[out->bytes++] = value >> (8 * i);
    }
}

static void put_vector(Output *out, const VeuEncodedVector *v)
{
    put(out, v->class | v->modifier << 3, 1);
    switch (v->class) {
    case VEU_OPERAND_GENERAL:
        put(out, v->id, 4);
        put(out, v->row, 1);
        put(out, v->column, 1);
        put(out, v->region, 2);
        break;
    case VEU_OPERAND_ADDRESS:
        put(out, v->id, 2);
        put(out, v->column, 1);
        put(out, v->row, 1);
        break;
    case VEU_OPERAND_PREDICATE:
        put(out, v->id, 2);
        break;
    case VEU_OPERAND_INDIRECT:
        put(out, v->id, 2);
        put(out, v->column, 1);
        put(out, (uint16_t)v->add_byte, 2);
        put(out, v->type, 1);
        put(out, v->region, 2);
        break;
    case VEU_OPERAND_STATE:
        put(out, v->type, 1);
        put(out, v->id, 2);
        put(out, v->column, 1);
        break;
    default:
        put(out, v->type, 1);
        put(out, v->immediate, immediate_bytes(v->type));
        break;
    }
}

uint32_t veu_vector_write(const VeuEncodedVector *vector, uint8_t *code)
{
    Output out = { .code = code };

    put_vector(&out, vector);
    return out.bytes;
}

uint32_t veu_instruction_write(const VeuInstructionEncoding *e, uint8_t *code)
{
    Output out = { .code = code };

    put(&out, e->info->opcode, 1);
    for (const uint8_t *f = e->info->fields; *f != VEU_IFIELD_END; f++) {
        VeuInstructionKind kind = veu_instruction_fields[*f].kind;

        if (kind == VEU_IKIND_VECTOR) {
            put_vector(&out, &e->field[*f].vector);
        } else {
            put(&out, e->field[*f].number, kind_bytes[kind]);
        }
    }
    return out.bytes;
}
