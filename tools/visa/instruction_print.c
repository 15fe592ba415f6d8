/*
 * veu tools: printing instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "tools/visa/instruction.h"
#include "tools/visa/listed_text.h"
#include "tools/visa/message_text.h"

static bool no_text(VisaPrinter *p, VeuInstructionField field, uint32_t number)
{
    return visa_error(p->error, "%s 0x%x has no text",
                      veu_instruction_fields[field].name, number);
}

static bool print_field_name(VisaPrinter *p, VeuInstructionField field,
                             uint32_t code)
{
    const VeuInstructionFieldInfo *f = &veu_instruction_fields[field];

    if (code >= f->name_count) {
        return no_text(p, field, code);
    }
    g_string_append(p->out, f->names[code]);
    return true;
}

static bool print_mnemonic(VisaPrinter *p, const VeuInstructionEncoding *e)
{
    for (const uint8_t *f = e->info->fields; *f != VEU_IFIELD_END; f++) {
        if (veu_instruction_fields[*f].text == VEU_ITEXT_MNEMONIC) {
            return print_field_name(p, *f, e->field[*f].number);
        }
    }
    g_string_append(p->out, e->info->mnemonic);
    return true;
}

static bool saturates(const VeuInstructionEncoding *e)
{
    return veu_instruction_has(e->info, VEU_IFIELD_DST) &&
           e->field[VEU_IFIELD_DST].vector.modifier == VEU_MODIFIER_SAT;
}

/* The bits of a lifetime's properties that give the variable's kind. */
static uint32_t suffix_code(VeuInstructionField field, uint32_t number)
{
    return field == VEU_IFIELD_LIFETIME ? number & 1 : number;
}

static bool print_suffixes(VisaPrinter *p, const VeuInstructionEncoding *e)
{
    for (const uint8_t *f = e->info->fields; *f != VEU_IFIELD_END; f++) {
        uint32_t number = e->field[*f].number;

        if (veu_instruction_fields[*f].text == VEU_ITEXT_HEX_SUFFIX) {
            g_string_append_printf(p->out, ".x%x", number);
        } else if (veu_instruction_fields[*f].text == VEU_ITEXT_SUFFIX) {
            g_string_append_c(p->out, '.');
            if (!print_field_name(p, *f, suffix_code(*f, number))) {
                return false;
            }
        }
    }
    g_string_append(p->out, saturates(e) ? ".sat" : "");
    return true;
}

static bool print_lifetime_variable(VisaPrinter *p,
                                    const VeuInstructionEncoding *e)
{
    static const VisaKind kinds[] = {
        [VEU_OPERAND_GENERAL] = VISA_VARIABLE,
        [VEU_OPERAND_ADDRESS] = VISA_ADDRESS,
        [VEU_OPERAND_PREDICATE] = VISA_PREDICATE,
    };
    unsigned class = e->field[VEU_IFIELD_LIFETIME].number >> 4 & 3;

    return class < G_N_ELEMENTS(kinds) ?
               visa_print_name(p, kinds[class],
                               e->field[VEU_IFIELD_LIFETIME_VARIABLE].number) :
               no_text(p, VEU_IFIELD_LIFETIME, class);
}

static bool print_number_operand(VisaPrinter *p,
                                 const VeuInstructionEncoding *e,
                                 VeuInstructionField field)
{
    uint32_t number = e->field[field].number;

    if (field == VEU_IFIELD_LIFETIME_VARIABLE) {
        return print_lifetime_variable(p, e);
    }
    switch (veu_instruction_fields[field].text) {
    case VEU_ITEXT_LABEL:
        return visa_print_label(p, number);
    case VEU_ITEXT_FUNCTION:
        return visa_print_string_index(p, number, false);
    case VEU_ITEXT_STRING:
        return visa_print_string_index(p, number, true);
    default:
        g_string_append_printf(p->out, "%u", number);
        return true;
    }
}

/*
 * Returns true if the source is the address of a variable, as compilers write
 * it.
 */
static bool is_address_of(const VeuInstructionEncoding *e,
                          VeuInstructionField field)
{
    const VeuEncodedVector *v = &e->field[field].vector;

    return field == VEU_IFIELD_SRC0 && e->info->signatures &&
           e->info->signatures->src[0] & VEU_TAKES_VARIABLE &&
           v->class == VEU_OPERAND_GENERAL && !v->modifier &&
           v->region == VEU_REGION(1, 2, 1);
}

static bool print_operand(VisaPrinter *p, const VeuInstructionEncoding *e,
                          VeuInstructionField field)
{
    if (veu_instruction_fields[field].kind != VEU_IKIND_VECTOR) {
        return print_number_operand(p, e, field);
    }
    return is_address_of(e, field) ?
               visa_print_address_of(p, &e->field[field].vector) :
               visa_print_vector(p, &e->field[field].vector);
}

static bool print_row(VisaPrinter *p, const VeuInstructionEncoding *e)
{
    const uint8_t *fields = e->info->fields;

    if (veu_instruction_has(e->info, VEU_IFIELD_PRED) &&
        e->field[VEU_IFIELD_PRED].number &&
        !visa_print_predicate(p, e->field[VEU_IFIELD_PRED].number)) {
        return false;
    }
    if (!print_mnemonic(p, e) || !print_suffixes(p, e)) {
        return false;
    }
    if (veu_instruction_has(e->info, VEU_IFIELD_EXEC_SIZE)) {
        g_string_append_c(p->out, ' ');
        if (!visa_print_lanes(p, e->field[VEU_IFIELD_EXEC_SIZE].number)) {
            return false;
        }
    }
    for (const uint8_t *f = fields; *f != VEU_IFIELD_END; f++) {
        if (veu_instruction_fields[*f].text >= VEU_ITEXT_DESTINATION) {
            g_string_append_c(p->out, ' ');
            if (!print_operand(p, e, *f)) {
                return false;
            }
        }
    }
    return true;
}

/* Bits that the encoding ignores have no text. */
static bool is_canonical(VisaPrinter *p, const VeuInstructionEncoding *e,
                         const uint8_t *code)
{
    uint8_t again[VEU_INSTRUCTION_MAX_BYTES];
    uint32_t length = veu_instruction_write(e, again);

    return (length == e->bytes && !memcmp(again, code, length)) ||
           visa_error(p->error, "a reserved bit is set, and has no text");
}

static bool print_message(VisaPrinter *p, const uint8_t *code, uint32_t bytes,
                          uint32_t *length)
{
    VeuEncoding encoding;
    VeuFault fault;

    if (!veu_encoding_parse(code, bytes, &encoding, &fault)) {
        return visa_error(p->error, "the bytes end before the message does, or "
                                    "an operand is none");
    }
    *length = encoding.bytes;
    return visa_print_message(p, &encoding);
}

bool visa_print_instruction(VisaPrinter *p, uint8_t layout, const uint8_t *code,
                            uint32_t bytes, uint32_t *length)
{
    const VeuInstructionInfo *info = veu_instruction_row(code, bytes);
    VeuInstructionEncoding e;
    VeuFault fault;

    *length = 0;
    if (!info) {
        return print_message(p, code, bytes, length);
    }
    *length = visa_instruction_bytes(layout, code, bytes);
    if (info->listed) {
        return *length && visa_print_listed(p, info, layout, code, *length);
    }
    if (!veu_instruction_parse(info, code, bytes, &e, &fault) ||
        e.bytes != *length) {
        return visa_error(p->error, "it is of another layout, and has no text");
    }
    return print_row(p, &e) && is_canonical(p, &e, code);
}
