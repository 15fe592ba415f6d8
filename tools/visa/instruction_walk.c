/*
 * veu tools: the places of instructions' operands, and their ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/message/message.h"
#include "tools/visa/instruction.h"

/* Immediates of these types take eight bytes. */
static bool is_wide_type(uint8_t type)
{
    return type == VEU_TYPE_DF || type == VEU_TYPE_UQ || type == VEU_TYPE_Q;
}

/* The bytes of the vector operand at @code, or 0 if it is illegal. */
static uint32_t vector_bytes(const uint8_t *code, uint32_t bytes)
{
    static const uint8_t class_bytes[8] = {
        [VEU_OPERAND_GENERAL] = 9,   [VEU_OPERAND_ADDRESS] = 5,
        [VEU_OPERAND_PREDICATE] = 3, [VEU_OPERAND_INDIRECT] = 9,
        [VEU_OPERAND_IMMEDIATE] = 6, [VEU_OPERAND_STATE] = 5,
    };
    uint32_t length = bytes ? class_bytes[code[0] & 7] : 0;

    if (length == 6 && bytes > 1 && is_wide_type(code[1] & 0xf)) {
        length = 10;
    }
    return length <= bytes ? length : 0;
}

typedef struct Walk {
    const uint8_t *code;
    uint32_t bytes;
    uint32_t at;
    uint16_t word;
    uint8_t count;
    VisaOperand *operands;
    unsigned *operand_count;
} Walk;

static uint32_t operand_bytes(const Walk *w, char kind)
{
    switch (kind) {
    case 'p':
    case 'w':
    case 'l':
    case 'n':
        return 2;
    case 'd':
    case 'N':
        return 4;
    case 'r':
        return 6;
    case 'v':
        return vector_bytes(w->code + w->at, w->bytes - w->at);
    default:
        return 1;
    }
}

static bool take(Walk *w, char kind)
{
    uint32_t length = operand_bytes(w, kind);

    if (!length || length > w->bytes - w->at ||
        *w->operand_count == VISA_MAX_OPERANDS) {
        return false;
    }
    if (kind == 'w') {
        w->word = w->code[w->at] | w->code[w->at + 1] << 8;
    } else if (kind == '#') {
        w->count = w->code[w->at];
    }
    w->operands[(*w->operand_count)++] = (VisaOperand){
        .kind = kind,
        .at = w->at,
        .bytes = length,
    };
    w->at += length;
    return true;
}

static bool take_many(Walk *w, char kind)
{
    for (unsigned i = 0; i < w->count; i++) {
        if (!take(w, kind)) {
            return false;
        }
    }
    return true;
}

/* Returns true if the condition at @k, ?x or @n, holds. */
static bool is_present(const Walk *w, const char *k, uint8_t layout)
{
    return k[0] == '?' ? w->word >> g_ascii_xdigit_value(k[1]) & 1 :
                         layout >= g_ascii_xdigit_value(k[1]);
}

static bool take_letters(Walk *w, const char *letters, uint8_t layout)
{
    bool good = w->at <= w->bytes;

    for (const char *k = letters; good && *k; k++) {
        if (*k == '?' || *k == '@') {
            bool present = is_present(w, k, layout);

            k += 2;
            good = !present || take(w, *k);
        } else if (*k == 'R' || *k == 'L') {
            good = take_many(w, *k == 'R' ? 'r' : 'l');
        } else {
            good = take(w, *k);
        }
    }
    return good;
}

/* The letters of a field; in layout 4, some have a flag before the address. */
static const char *field_letters(VeuInstructionField field)
{
    static const char *const kinds[] = {
        [VEU_IKIND_BYTE] = "b",
        [VEU_IKIND_WORD] = "w",
        [VEU_IKIND_DWORD] = "d",
        [VEU_IKIND_VECTOR] = "v",
    };
    const VeuInstructionFieldInfo *info = &veu_instruction_fields[field];

    if (field == VEU_IFIELD_FUNCTION_ADDRESS) {
        return "@4bv";
    }
    switch (info->text) {
    case VEU_ITEXT_LANES:
        return "e";
    case VEU_ITEXT_PREDICATE:
        return "p";
    case VEU_ITEXT_LABEL:
        return "l";
    case VEU_ITEXT_FUNCTION:
        return "n";
    case VEU_ITEXT_STRING:
        return "N";
    default:
        return kinds[info->kind];
    }
}

static bool take_fields(Walk *w, const uint8_t *fields, uint8_t layout)
{
    for (const uint8_t *f = fields; *f != VEU_IFIELD_END; f++) {
        if (!take_letters(w, field_letters(*f), layout)) {
            return false;
        }
    }
    return true;
}

uint32_t visa_walk(const VeuInstructionInfo *info, uint8_t layout,
                   const uint8_t *code, uint32_t bytes, VisaOperand *operands,
                   unsigned *operand_count)
{
    Walk w = {
        .code = code,
        .bytes = bytes,
        .at = info->sub == VEU_INSTRUCTION_NO_SUB ? 1 : 2,
        .operands = operands,
        .operand_count = operand_count,
    };

    *operand_count = 0;
    return (info->listed ? take_letters(&w, info->listed, layout) :
                           take_fields(&w, info->fields, layout)) ?
               w.at :
               0;
}

uint32_t visa_instruction_bytes(uint8_t layout, const uint8_t *code,
                                uint32_t bytes)
{
    return visa_visit(layout, (uint8_t *)code, bytes, "", NULL, NULL);
}

uint32_t visa_visit(uint8_t layout, uint8_t *code, uint32_t bytes,
                    const char *kinds,
                    void (*visit)(void *opaque, char kind, uint8_t *at),
                    void *opaque)
{
    const VeuInstructionInfo *info = veu_instruction_row(code, bytes);
    VisaOperand operands[VISA_MAX_OPERANDS];
    unsigned count = 0;
    VeuEncoding message;
    VeuFault fault;
    uint32_t length;

    if (!info) {
        return veu_encoding_parse(code, bytes, &message, &fault) ?
                   message.bytes :
                   0;
    }
    length = visa_walk(info, layout, code, bytes, operands, &count);
    for (unsigned i = 0; length && i < count; i++) {
        if (strchr(kinds, operands[i].kind)) {
            visit(opaque, operands[i].kind, code + operands[i].at);
        }
    }
    return length;
}
