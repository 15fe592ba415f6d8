/*
 * veu execution unit: from bytes to fields, and back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/message/message.h"
#include "veu/program.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "fields are copied as they stand in the encoding");

/* The unread part of a message. Reading beyond its end yields 0 and fails. */
typedef struct Cursor {
    const uint8_t *code;
    uint32_t bytes;
    uint32_t at;
    bool failed;
} Cursor;

/* Inline: then @bytes is a constant, and this a load. */
static inline uint64_t take(Cursor *c, unsigned bytes)
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

static void take_raw(Cursor *c, VeuEncodedRaw *raw)
{
    raw->id = take(c, 4);
    raw->offset_byte = take(c, 2);
}

/* Immediates of 64-bit types take 8 bytes, all others 4. */
static unsigned immediate_bytes(uint8_t type)
{
    return type == VEU_TYPE_DF || type == VEU_TYPE_UQ || type == VEU_TYPE_Q ?
               8 :
               4;
}

static void take_scalar(Cursor *c, VeuEncodedScalar *scalar)
{
    uint8_t tag = take(c, 1);

    scalar->class = tag & 7;
    scalar->modifier = tag >> 3;
    switch (scalar->class) {
    case VEU_SCALAR_GENERAL:
        scalar->id = take(c, 4);
        scalar->row = take(c, 1);
        scalar->column = take(c, 1);
        scalar->region = take(c, 2);
        break;
    case VEU_SCALAR_INDIRECT:
        scalar->id = take(c, 2);
        scalar->column = take(c, 1);
        scalar->add_byte = take(c, 2);
        scalar->type = take(c, 1);
        scalar->region = take(c, 2);
        break;
    case VEU_SCALAR_IMMEDIATE:
        scalar->type = take(c, 1);
        scalar->immediate = take(c, immediate_bytes(scalar->type));
        break;
    default: /* address, predicate, state: no scalar operand of a message */
        break;
    }
}

static void take_field(Cursor *c, VeuFieldKind kind, VeuEncodedField *field)
{
    switch (kind) {
    case VEU_KIND_BYTE:
        field->number = take(c, 1);
        break;
    case VEU_KIND_WORD:
        field->number = take(c, 2);
        break;
    case VEU_KIND_RAW:
        take_raw(c, &field->raw);
        break;
    case VEU_KIND_SCALAR:
        take_scalar(c, &field->scalar);
        break;
    }
}

/* After a scalar of unknown class the place of the next field is unknown. */
static bool scalar_is_known(const VeuEncodedScalar *scalar)
{
    return scalar->class == VEU_SCALAR_GENERAL ||
           scalar->class == VEU_SCALAR_INDIRECT ||
           scalar->class == VEU_SCALAR_IMMEDIATE;
}

bool veu_encoding_parse(const uint8_t *code, uint32_t bytes,
                        VeuEncoding *encoding, VeuFault *fault)
{
    Cursor c = { .code = code, .bytes = bytes };
    const VeuMessageInfo *info = veu_message_find(code, bytes);

    encoding->info = info;
    memset(encoding->at, 0, sizeof(encoding->at));
    if (!info) {
        if (bytes == 1 && veu_message_has_sub(code[0])) {
            return veu_fault_form(fault, VEU_FAULT_MESSAGE_TRUNCATED, bytes);
        }
        return veu_fault_form(fault, VEU_FAULT_MESSAGE_OPCODE, 0);
    }
    c.at = info->sub == VEU_MESSAGE_NO_SUB ? 1 : 2;
    for (const uint8_t *f = info->fields; *f != VEU_FIELD_END; f++) {
        VeuEncodedField *field = &encoding->field[*f];

        encoding->at[*f] = c.at;
        *field = (VeuEncodedField){ 0 };
        take_field(&c, veu_fields[*f].kind, field);
        if (c.failed) {
            return veu_fault_form(fault, VEU_FAULT_MESSAGE_TRUNCATED, bytes);
        }
        if (veu_fields[*f].kind == VEU_KIND_SCALAR &&
            !scalar_is_known(&field->scalar)) {
            return veu_fault_form(fault, VEU_FAULT_MESSAGE_FIELD,
                                  encoding->at[*f]);
        }
    }
    encoding->bytes = c.at;
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

static void put_scalar(Output *out, const VeuEncodedScalar *scalar)
{
    put(out, scalar->class | scalar->modifier << 3, 1);
    switch (scalar->class) {
    case VEU_SCALAR_GENERAL:
        put(out, scalar->id, 4);
        put(out, scalar->row, 1);
        put(out, scalar->column, 1);
        put(out, scalar->region, 2);
        break;
    case VEU_SCALAR_INDIRECT:
        put(out, scalar->id, 2);
        put(out, scalar->column, 1);
        put(out, (uint16_t)scalar->add_byte, 2);
        put(out, scalar->type, 1);
        put(out, scalar->region, 2);
        break;
    default:
        put(out, scalar->type, 1);
        put(out, scalar->immediate, immediate_bytes(scalar->type));
        break;
    }
}

static void put_field(Output *out, VeuFieldKind kind,
                      const VeuEncodedField *field)
{
    switch (kind) {
    case VEU_KIND_BYTE:
        put(out, field->number, 1);
        break;
    case VEU_KIND_WORD:
        put(out, field->number, 2);
        break;
    case VEU_KIND_RAW:
        put(out, field->raw.id, 4);
        put(out, field->raw.offset_byte, 2);
        break;
    case VEU_KIND_SCALAR:
        put_scalar(out, &field->scalar);
        break;
    }
}

uint32_t veu_encoding_write(const VeuEncoding *encoding, uint8_t *code)
{
    const VeuMessageInfo *info = encoding->info;
    Output out = { .code = code };

    put(&out, info->opcode, 1);
    if (info->sub != VEU_MESSAGE_NO_SUB) {
        put(&out, info->sub, 1);
    }
    for (const uint8_t *f = info->fields; *f != VEU_FIELD_END; f++) {
        put_field(&out, veu_fields[*f].kind, &encoding->field[*f]);
    }
    return out.bytes;
}
