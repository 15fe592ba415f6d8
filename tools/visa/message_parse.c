/*
 * veu tools: reading messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * mnemonic.suffixes (size) operands: the tables of hw/veu/eu define the fields
 * of a message and their places.
 */
#include <string.h>
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/message/atomic_ops.h"
#include "tools/visa/message_suffix.h"
#include "tools/visa/message_text.h"
#include "tools/visa/suggest.h"

/* The documentation's names where compilers use others. */
static const struct {
    const char *name;
    const char *mnemonic;
} aliases[] = {
    { "svm_gather4_scaled", "svm_gather4scaled" },
    { "svm_scatter4_scaled", "svm_scatter4scaled" },
    { "fence_global", "fence" },
    { "fence_local", "fence" },
    { "fence_sw", "fence" },
};

static const char *mnemonic_of(const VisaLexer *lexer)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(aliases); i++) {
        if (visa_is_name(lexer, aliases[i].name, true)) {
            return aliases[i].mnemonic;
        }
    }
    return NULL;
}

static const VeuMessageInfo *find_message(const VisaLexer *lexer)
{
    const char *mnemonic = mnemonic_of(lexer);

    for (unsigned i = 0; i < veu_message_count; i++) {
        const VeuMessageInfo *info = &veu_messages[i];

        if (mnemonic ? !strcmp(mnemonic, info->mnemonic) :
                       visa_is_name(lexer, info->mnemonic, true) &&
                           strcmp(info->mnemonic, "fence")) {
            return info;
        }
    }
    return NULL;
}

static bool no_message(VisaParser *p)
{
    const VisaToken *token = &p->lexer.token;
    const char *meant;
    g_autofree char *name = NULL;
    g_autofree char *lower = NULL;

    if (token->kind != VISA_TOKEN_NAME) {
        return visa_expected(&p->lexer, p->error, "an instruction");
    }
    name = g_strndup(token->start, MIN(token->length, 40));
    lower = g_ascii_strdown(name, -1);
    meant = visa_suggest(lower);
    if (meant && !strcmp(meant, lower)) {
        visa_error_at(p->error, token->place, "%s has no text", name);
        return visa_hint(p->error, "write its bytes: .bytes 83 04 ...");
    }
    visa_error_at(p->error, token->place, "there is no instruction %s", name);
    return meant && visa_hint(p->error, "did you mean %s?", meant);
}

/* _global, _local or _sw is a part of the fence's mnemonic. */
static uint8_t fence_kind(const VisaLexer *lexer)
{
    return visa_is_name(lexer, "fence_local", true) ? VISA_FENCE_LOCAL :
           visa_is_name(lexer, "fence_sw", true)    ? VISA_FENCE_SOFTWARE :
                                                      0;
}

/* .mod, written before or after the size, has no effect. */
static void accept_mod(VisaParser *p)
{
    VisaLexer ahead = p->lexer;

    if (visa_accept_mark(&ahead, ".") && visa_is_name(&ahead, "mod", true)) {
        visa_lexer_next(&ahead);
        p->lexer = ahead;
    }
}

/* The size: the message's fields in parentheses. */
static bool parse_size(VisaParser *p, VeuEncoding *e)
{
    for (const uint8_t *f = e->info->fields; *f != VEU_FIELD_END; f++) {
        if (visa_is_size(*f) && !visa_parse_size_field(p, e, *f)) {
            return false;
        }
    }
    return true;
}

static bool parse_surface(VisaParser *p, VeuEncodedField *field)
{
    uint32_t id;

    if (!visa_resolve(p->symbols, &p->lexer, VISA_SURFACE, &id, p->error)) {
        return false;
    }
    field->number = id;
    return id <= UINT8_MAX ||
           visa_error_at(p->error, p->lexer.token.place,
                         "a message cannot name surface %u", id);
}

/* A number without a type, unlike an immediate; or nothing, which means 0. */
static bool parse_plane(VisaParser *p, VeuEncodedField *field)
{
    VisaLexer ahead = p->lexer;
    int64_t value = 0;

    visa_lexer_next(&ahead);
    if (p->lexer.token.kind == VISA_TOKEN_NUMBER &&
        !visa_is_mark(&ahead, ":") &&
        !visa_parse_number(p, 15, "plane", &value)) {
        return false;
    }
    field->number = value;
    return true;
}

static bool parse_operand(VisaParser *p, VeuEncoding *e, VeuField f)
{
    VeuEncodedField *field = &e->field[f];

    switch (veu_fields[f].text) {
    case VEU_TEXT_SURFACE:
        return parse_surface(p, field);
    case VEU_TEXT_PLANE:
        return parse_plane(p, field);
    case VEU_TEXT_SCALAR:
        return visa_parse_scalar(p, &field->scalar);
    default:
        return visa_parse_raw(p, &field->raw);
    }
}

static bool parse_operands(VisaParser *p, VeuEncoding *e)
{
    const uint8_t *f = visa_text_operands(e->info);

    for (; *f != VEU_FIELD_END; f++) {
        if (visa_is_operand(*f) && !parse_operand(p, e, *f)) {
            if (!p->error->hint[0]) {
                visa_hint(p->error, "here stands the operand %s of %s",
                          veu_fields[*f].name, e->info->mnemonic);
            }
            return false;
        }
    }
    return true;
}

static bool parse_suffixes(VisaParser *p, VeuEncoding *e)
{
    for (const uint8_t *f = e->info->fields; *f != VEU_FIELD_END; f++) {
        if (visa_is_suffix(*f) && !visa_parse_suffix(p, e, *f)) {
            return false;
        }
    }
    return true;
}

/* Reads what follows the mnemonic. */
static bool parse_rest(VisaParser *p, VeuEncoding *e)
{
    bool mod_first = visa_has_field(e->info, VEU_FIELD_OWORDS);

    if (visa_has_field(e->info, VEU_FIELD_FENCE_MASK)) {
        return visa_parse_fence(p, &e->field[VEU_FIELD_FENCE_MASK].number);
    }
    if (!parse_suffixes(p, e)) {
        return false;
    }
    if (mod_first) {
        accept_mod(p);
    }
    if (!parse_size(p, e)) {
        return false;
    }
    if (visa_has_field(e->info, VEU_FIELD_NUM_ELTS)) {
        accept_mod(p);
    }
    return parse_operands(p, e);
}

bool visa_parse_message(VisaParser *p, VeuEncoding *e)
{
    *e = (VeuEncoding){ .info = find_message(&p->lexer) };
    if (!e->info) {
        return no_message(p);
    }
    e->field[VEU_FIELD_FENCE_MASK].number = fence_kind(&p->lexer);
    visa_lexer_next(&p->lexer);
    return parse_rest(p, e);
}
