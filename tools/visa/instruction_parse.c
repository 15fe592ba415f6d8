/*
 * veu tools: reading instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * (predicate) mnemonic.suffixes.sat (size) operands: the tables of
 * hw/veu/eu/instruction define the fields of an instruction and their places.
 * Instructions that are only listed have a text of their own, or none.
 */
#include <string.h>
#include "tools/visa/instruction.h"
#include "tools/visa/listed_text.h"
#include "tools/visa/message_suffix.h"
#include "tools/visa/message_text.h"

/* The code of the token's name in the field's list of names, or -1. */
static int find_name(const VisaLexer *lexer, const VeuInstructionFieldInfo *f)
{
    for (unsigned i = 0; i < f->name_count; i++) {
        if (visa_is_name(lexer, f->names[i], true)) {
            return i;
        }
    }
    return -1;
}

/* The field whose names are mnemonics, or NULL. */
static const VeuInstructionFieldInfo *mnemonic_field(
    const VeuInstructionInfo *info)
{
    for (const uint8_t *f = info->fields; *f != VEU_IFIELD_END; f++) {
        if (veu_instruction_fields[*f].text == VEU_ITEXT_MNEMONIC) {
            return &veu_instruction_fields[*f];
        }
    }
    return NULL;
}

/* The row of the token's mnemonic, unless it has a text of its own. */
static const VeuInstructionInfo *find_row(const VisaLexer *lexer)
{
    for (unsigned i = 0; i < veu_instruction_count; i++) {
        const VeuInstructionInfo *info = &veu_instructions[i];
        const VeuInstructionFieldInfo *names = mnemonic_field(info);

        if (!info->listed &&
            (names ? find_name(lexer, names) >= 0 :
                     visa_is_name(lexer, info->mnemonic, true))) {
            return info;
        }
    }
    return NULL;
}

/* --- Before the operands ------------------------------------------------- */

static bool no_name(VisaParser *p, const VeuInstructionFieldInfo *f)
{
    g_autoptr(GString) names = g_string_new(NULL);

    for (unsigned i = 0; i < f->name_count; i++) {
        g_string_append_printf(names, "%s.%s",
                               !i                     ? "" :
                               i + 1 == f->name_count ? " or " :
                                                        ", ",
                               f->names[i]);
    }
    visa_expected(&p->lexer, p->error, "a suffix");
    return visa_hint(p->error, "write %s", names->str);
}

/* .x3f: an x and hexadecimal digits. */
static bool parse_hex_suffix(VisaParser *p, uint32_t *number)
{
    const VisaToken *token = &p->lexer.token;
    char *end;

    if (token->kind == VISA_TOKEN_NAME && token->length <= 3 &&
        g_ascii_tolower(token->start[0]) == 'x') {
        *number = g_ascii_strtoull(token->start + 1, &end, 16);
        if (token->length > 1 && end == token->start + token->length) {
            visa_lexer_next(&p->lexer);
            return true;
        }
    }
    visa_expected(&p->lexer, p->error, "a function");
    return visa_hint(p->error, "write its table of 8 bits: .x3f");
}

static bool parse_suffix(VisaParser *p, VeuInstructionField field,
                         VeuInstructionEncoding *e)
{
    const VeuInstructionFieldInfo *f = &veu_instruction_fields[field];
    uint32_t *number = &e->field[field].number;
    int code;

    if (!visa_parse_mark(p, ".")) {
        return visa_hint(p->error, "%s has a suffix for %s", e->info->mnemonic,
                         f->name);
    }
    if (f->text == VEU_ITEXT_HEX_SUFFIX) {
        return parse_hex_suffix(p, number);
    }
    code = find_name(&p->lexer, f);
    if (code < 0) {
        return no_name(p, f);
    }
    *number = code;
    visa_lexer_next(&p->lexer);
    return true;
}

/* .sat belongs to the destination. */
static bool parse_saturation(VisaParser *p, VeuInstructionEncoding *e,
                             bool *saturate)
{
    *saturate = visa_accept_mark(&p->lexer, ".");
    if (!*saturate) {
        return true;
    }
    if (!visa_is_name(&p->lexer, "sat", true)) {
        visa_expected(&p->lexer, p->error, "sat");
        return visa_hint(p->error, "%s has no other suffix", e->info->mnemonic);
    }
    if (e->info->saturation == VEU_SATURATION_NEVER) {
        visa_expected(&p->lexer, p->error, "no suffix");
        return visa_hint(p->error, "%s does not saturate", e->info->mnemonic);
    }
    visa_lexer_next(&p->lexer);
    return true;
}

/* The name of the mnemonic, its suffixes and the size. */
static bool parse_head(VisaParser *p, VeuInstructionEncoding *e, bool *saturate)
{
    const uint8_t *fields = e->info->fields;
    uint16_t lanes;

    for (const uint8_t *f = fields; *f != VEU_IFIELD_END; f++) {
        if (veu_instruction_fields[*f].text == VEU_ITEXT_MNEMONIC) {
            e->field[*f].number = find_name(&p->lexer,
                                            &veu_instruction_fields[*f]);
        }
    }
    visa_lexer_next(&p->lexer);
    for (const uint8_t *f = fields; *f != VEU_IFIELD_END; f++) {
        VeuInstructionText text = veu_instruction_fields[*f].text;

        if ((text == VEU_ITEXT_SUFFIX || text == VEU_ITEXT_HEX_SUFFIX) &&
            !parse_suffix(p, *f, e)) {
            return false;
        }
    }
    if (!parse_saturation(p, e, saturate)) {
        return false;
    }
    if (veu_instruction_has(e->info, VEU_IFIELD_EXEC_SIZE)) {
        if (!visa_parse_lanes(p, VEU_FIELD_EXEC_SIZE, &lanes)) {
            return false;
        }
        e->field[VEU_IFIELD_EXEC_SIZE].number = lanes;
    }
    return true;
}

/* --- Operands ------------------------------------------------------------ */

/* A name of one of three kinds. The properties contain the kind. */
static bool parse_lifetime_variable(VisaParser *p, VeuInstructionEncoding *e)
{
    static const struct {
        VisaKind kind;
        VeuOperandClass class;
    } kinds[] = {
        { VISA_VARIABLE, VEU_OPERAND_GENERAL },
        { VISA_ADDRESS, VEU_OPERAND_ADDRESS },
        { VISA_PREDICATE, VEU_OPERAND_PREDICATE },
    };
    uint32_t *id = &e->field[VEU_IFIELD_LIFETIME_VARIABLE].number;
    VisaKind kind = VISA_VARIABLE;
    unsigned i = 0;

    if (p->lexer.token.kind == VISA_TOKEN_NAME) {
        visa_find(p->symbols, &p->lexer.token, &kind, id);
    }
    while (i + 1 < G_N_ELEMENTS(kinds) && kinds[i].kind != kind) {
        i++;
    }
    if (kinds[i].kind != kind) {
        i = 0;
    }
    e->field[VEU_IFIELD_LIFETIME].number |= kinds[i].class << 4;
    return visa_resolve(p->symbols, &p->lexer, kinds[i].kind, id, p->error);
}

/* An operand that is given by a name or a number. */
static bool parse_number_operand(VisaParser *p, VeuInstructionField field,
                                 VeuInstructionEncoding *e)
{
    const VeuInstructionFieldInfo *f = &veu_instruction_fields[field];
    uint32_t *number = &e->field[field].number;
    int64_t most = f->kind == VEU_IKIND_BYTE ? UINT8_MAX :
                   f->kind == VEU_IKIND_WORD ? UINT16_MAX :
                                               UINT32_MAX;
    int64_t value;

    if (field == VEU_IFIELD_LIFETIME_VARIABLE) {
        return parse_lifetime_variable(p, e);
    }
    switch (f->text) {
    case VEU_ITEXT_LABEL:
        return visa_parse_label(p, number);
    case VEU_ITEXT_FUNCTION:
    case VEU_ITEXT_STRING:
        return visa_parse_string_index(p, most, number);
    default:
        if (!visa_parse_number(p, most, f->name, &value)) {
            return false;
        }
        *number = value;
        return true;
    }
}

/* Returns true if a source may be the address of a variable. */
static bool takes_variable(const VeuInstructionInfo *info,
                           VeuInstructionField field)
{
    const VeuSignature *s = info->signatures;

    return field >= VEU_IFIELD_SRC0 && field <= VEU_IFIELD_SRC3 && s &&
           s->src[field - VEU_IFIELD_SRC0] & VEU_TAKES_VARIABLE;
}

static bool parse_operand(VisaParser *p, VeuInstructionField field,
                          VeuInstructionEncoding *e, bool *saturate)
{
    VeuEncodedVector *v = &e->field[field].vector;

    if (veu_instruction_fields[field].kind != VEU_IKIND_VECTOR) {
        return parse_number_operand(p, field, e);
    }
    if (takes_variable(e->info, field) && visa_is_mark(&p->lexer, "&")) {
        return visa_parse_address_of(p, v);
    }
    if (!visa_parse_vector(p, v)) {
        return false;
    }
    if (*saturate &&
        veu_instruction_fields[field].text == VEU_ITEXT_DESTINATION) {
        v->modifier = VEU_MODIFIER_SAT;
        *saturate = false; /* a second destination, a carry, does not */
    }
    return true;
}

static bool parse_operands(VisaParser *p, VeuInstructionEncoding *e,
                           bool saturate)
{
    for (const uint8_t *f = e->info->fields; *f != VEU_IFIELD_END; f++) {
        if (veu_instruction_fields[*f].text >= VEU_ITEXT_DESTINATION &&
            !parse_operand(p, *f, e, &saturate)) {
            if (!p->error->hint[0]) {
                visa_hint(p->error, "here stands the operand %s of %s",
                          veu_instruction_fields[*f].name, e->info->mnemonic);
            }
            return false;
        }
    }
    return true;
}

/* --- Instructions -------------------------------------------------------- */

static bool no_predicate(VisaParser *p, VisaPlace place, const char *mnemonic)
{
    return visa_error_at(p->error, place, "%s takes no predicate", mnemonic);
}

static bool parse_row(VisaParser *p, const VeuInstructionInfo *info,
                      VisaPlace place, uint16_t predicate, GByteArray *code)
{
    VeuInstructionEncoding e = { .info = info };
    uint8_t bytes[VEU_INSTRUCTION_MAX_BYTES];
    bool saturate;

    if (predicate && !veu_instruction_has(info, VEU_IFIELD_PRED)) {
        return no_predicate(p, place, info->mnemonic);
    }
    e.field[VEU_IFIELD_PRED].number = predicate;
    if (!parse_head(p, &e, &saturate) || !parse_operands(p, &e, saturate)) {
        return false;
    }
    g_byte_array_append(code, bytes, veu_instruction_write(&e, bytes));
    return true;
}

static bool parse_message(VisaParser *p, VisaPlace place, uint16_t predicate,
                          GByteArray *code)
{
    uint8_t bytes[VEU_MESSAGE_MAX_BYTES];
    VeuEncoding e;

    if (!visa_parse_message(p, &e)) {
        return false;
    }
    if (predicate && !visa_has_field(e.info, VEU_FIELD_PRED)) {
        return no_predicate(p, place, e.info->mnemonic);
    }
    e.field[VEU_FIELD_PRED].number = predicate;
    g_byte_array_append(code, bytes, veu_encoding_write(&e, bytes));
    return true;
}

static bool parse_body(VisaParser *p, VisaPlace place, uint16_t predicate,
                       GByteArray *code)
{
    const VeuInstructionInfo *info = find_row(&p->lexer);

    if (info) {
        return parse_row(p, info, place, predicate, code);
    }
    if (visa_has_listed_text(&p->lexer)) {
        return visa_parse_listed(p, predicate, code);
    }
    return parse_message(p, place, predicate, code);
}

bool visa_parse_instruction(VisaParser *p, GByteArray *code)
{
    VisaPlace place = p->lexer.token.place;
    uint16_t predicate = 0;

    p->error->hint[0] = '\0';
    if (visa_is_mark(&p->lexer, "(") && !visa_parse_predicate(p, &predicate)) {
        return false;
    }
    return parse_body(p, place, predicate, code) &&
           (p->lexer.token.kind == VISA_TOKEN_NEWLINE ||
            p->lexer.token.kind == VISA_TOKEN_END ||
            visa_expected(&p->lexer, p->error, "the end of the line"));
}
