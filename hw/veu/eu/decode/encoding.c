/*
 * veu execution unit: from bytes to fields, and back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/program/bytes.h"
#include "veu/program.h"

static void take_raw(VeuCursor *c, VeuEncodedRaw *raw)
{
    raw->id = veu_take(c, 4);
    raw->offset_byte = veu_take(c, 2);
}

static void take_scalar(VeuCursor *c, VeuEncodedScalar *scalar)
{
    uint8_t tag = veu_take(c, 1);

    scalar->class = tag & 7;
    scalar->modifier = tag >> 3;
    switch (scalar->class) {
    case VEU_SCALAR_GENERAL:
        scalar->id = veu_take(c, 4);
        scalar->row = veu_take(c, 1);
        scalar->column = veu_take(c, 1);
        scalar->region = veu_take(c, 2);
        break;
    case VEU_SCALAR_INDIRECT:
        scalar->id = veu_take(c, 2);
        scalar->column = veu_take(c, 1);
        scalar->add_byte = veu_take(c, 2);
        scalar->type = veu_take(c, 1);
        scalar->region = veu_take(c, 2);
        break;
    case VEU_SCALAR_IMMEDIATE:
        scalar->type = veu_take(c, 1);
        scalar->immediate = veu_take_immediate(c, scalar->type);
        break;
    default: /* address, predicate, state: not a scalar operand of a message */
        break;
    }
}

static void take_field(VeuCursor *c, VeuFieldKind kind, VeuEncodedField *field)
{
    switch (kind) {
    case VEU_KIND_BYTE:
        field->number = veu_take(c, 1);
        break;
    case VEU_KIND_WORD:
        field->number = veu_take(c, 2);
        break;
    case VEU_KIND_RAW:
        take_raw(c, &field->raw);
        break;
    case VEU_KIND_SCALAR:
        take_scalar(c, &field->scalar);
        break;
    }
}

/* After a scalar of unknown class, the next field's place is unknown. */
static bool scalar_is_known(const VeuEncodedScalar *scalar)
{
    return scalar->class == VEU_SCALAR_GENERAL ||
           scalar->class == VEU_SCALAR_INDIRECT ||
           scalar->class == VEU_SCALAR_IMMEDIATE;
}

/*
 * A message that counts its parameters encodes only as many of U, V and R as
 * the count says; the others are null.
 */
static bool is_left_out(const VeuEncoding *e, uint8_t field)
{
    return e->info->samples && field >= VEU_FIELD_U && field <= VEU_FIELD_R &&
           field - VEU_FIELD_U >= e->field[VEU_FIELD_PARAMETERS].number;
}

static bool has_too_many(const VeuEncoding *e, uint8_t field)
{
    return field == VEU_FIELD_PARAMETERS &&
           e->field[field].number > VEU_FIELD_R + 1 - VEU_FIELD_U;
}

const VeuMessageInfo *veu_encoding_find(const uint8_t *code, uint32_t bytes,
                                        VeuFault *fault)
{
    const VeuMessageInfo *info = veu_message_find(code, bytes);

    if (!info && bytes == 1 && veu_message_has_sub(code[0])) {
        veu_fault_form(fault, VEU_FAULT_MESSAGE_TRUNCATED, bytes);
    } else if (!info) {
        veu_fault_form(fault, VEU_FAULT_MESSAGE_OPCODE, 0);
    }
    return info;
}

bool veu_encoding_parse_fields(const VeuMessageInfo *info, const uint8_t *code,
                               uint32_t bytes, VeuEncoding *encoding,
                               VeuFault *fault)
{
    VeuCursor c = { .code = code, .bytes = bytes };

    encoding->info = info;
    memset(encoding->at, 0, sizeof(encoding->at));
    c.at = info->sub == VEU_MESSAGE_NO_SUB ? 1 : 2;
    for (const uint8_t *f = info->fields; *f != VEU_FIELD_END; f++) {
        VeuEncodedField *field = &encoding->field[*f];

        *field = (VeuEncodedField){ 0 };
        if (is_left_out(encoding, *f)) {
            continue;
        }
        encoding->at[*f] = c.at;
        take_field(&c, veu_fields[*f].kind, field);
        if (c.failed) {
            return veu_fault_form(fault, VEU_FAULT_MESSAGE_TRUNCATED, bytes);
        }
        if (has_too_many(encoding, *f) ||
            (veu_fields[*f].kind == VEU_KIND_SCALAR &&
             !scalar_is_known(&field->scalar))) {
            return veu_fault_form(fault, VEU_FAULT_MESSAGE_FIELD,
                                  encoding->at[*f]);
        }
    }
    encoding->bytes = c.at;
    return true;
}

bool veu_encoding_parse(const uint8_t *code, uint32_t bytes,
                        VeuEncoding *encoding, VeuFault *fault)
{
    const VeuMessageInfo *info = veu_encoding_find(code, bytes, fault);

    return info &&
           veu_encoding_parse_fields(info, code, bytes, encoding, fault);
}

static void put_scalar(VeuOutput *out, const VeuEncodedScalar *scalar)
{
    veu_put(out, scalar->class | scalar->modifier << 3, 1);
    switch (scalar->class) {
    case VEU_SCALAR_GENERAL:
        veu_put(out, scalar->id, 4);
        veu_put(out, scalar->row, 1);
        veu_put(out, scalar->column, 1);
        veu_put(out, scalar->region, 2);
        break;
    case VEU_SCALAR_INDIRECT:
        veu_put(out, scalar->id, 2);
        veu_put(out, scalar->column, 1);
        veu_put(out, (uint16_t)scalar->add_byte, 2);
        veu_put(out, scalar->type, 1);
        veu_put(out, scalar->region, 2);
        break;
    default:
        veu_put(out, scalar->type, 1);
        veu_put(out, scalar->immediate, veu_immediate_bytes(scalar->type));
        break;
    }
}

static void put_field(VeuOutput *out, VeuFieldKind kind,
                      const VeuEncodedField *field)
{
    switch (kind) {
    case VEU_KIND_BYTE:
        veu_put(out, field->number, 1);
        break;
    case VEU_KIND_WORD:
        veu_put(out, field->number, 2);
        break;
    case VEU_KIND_RAW:
        veu_put(out, field->raw.id, 4);
        veu_put(out, field->raw.offset_byte, 2);
        break;
    case VEU_KIND_SCALAR:
        put_scalar(out, &field->scalar);
        break;
    }
}

uint32_t veu_encoding_write(const VeuEncoding *encoding, uint8_t *code)
{
    const VeuMessageInfo *info = encoding->info;
    VeuOutput out = { .code = code };

    veu_put(&out, info->opcode, 1);
    if (info->sub != VEU_MESSAGE_NO_SUB) {
        veu_put(&out, info->sub, 1);
    }
    for (const uint8_t *f = info->fields; *f != VEU_FIELD_END; f++) {
        if (!is_left_out(encoding, *f)) {
            put_field(&out, veu_fields[*f].kind, &encoding->field[*f]);
        }
    }
    return out.bytes;
}
