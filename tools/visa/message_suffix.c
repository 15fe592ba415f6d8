/*
 * veu tools: reading suffixes and sizes of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/message/media.h"
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/message/atomic_ops.h"
#include "tools/visa/message_suffix.h"
#include "tools/visa/message_text.h"

/* "1, 2 or 4" */
static void list_values(const VeuFieldInfo *info, GString *out)
{
    unsigned last = 0;

    for (unsigned i = 0; i < info->value_count; i++) {
        if (info->values[i] == last) {
            continue; /* another code for the same number */
        }
        last = info->values[i];
        g_string_append_printf(out, "%s%u",
                               !i ? "" :
                               i + 1u == info->value_count ||
                                       info->values[i + 1] == last ?
                                    " or " :
                                    ", ",
                               last);
    }
}

/* The first code for the token's number. */
static bool parse_value(VisaParser *p, VeuField field, const char *what,
                        uint16_t *code)
{
    const VeuFieldInfo *info = &veu_fields[field];
    const VisaToken token = p->lexer.token;

    for (unsigned i = 0; i < info->value_count; i++) {
        if (token.kind == VISA_TOKEN_NUMBER &&
            token.number == info->values[i]) {
            *code = i;
            visa_lexer_next(&p->lexer);
            return true;
        }
    }
    if (token.kind == VISA_TOKEN_NUMBER) {
        GString *values = g_string_new(NULL);

        list_values(info, values);
        visa_error_at(p->error, token.place, "there is no %s %.*s", what,
                      (int)MIN(token.length, 20), token.start);
        visa_hint(p->error, "write %s", values->str);
        g_string_free(values, TRUE);
        return false;
    }
    return visa_expected(&p->lexer, p->error, what);
}

/* R, RG, ... in any case; the letters must be in this order. */
bool visa_parse_channels(VisaParser *p, uint16_t *mask)
{
    static const char letters[] = "RGBA";
    const VisaToken *token = &p->lexer.token;
    unsigned next = 0;

    *mask = 0;
    for (size_t i = 0; token->kind == VISA_TOKEN_NAME && i < token->length;
         i++) {
        while (next < 4 && g_ascii_toupper(token->start[i]) != letters[next]) {
            next++;
        }
        if (next == 4) {
            *mask = 0;
            break;
        }
        *mask |= 1 << next++;
    }
    if (!*mask) {
        visa_expected(&p->lexer, p->error, "channels");
        return visa_hint(p->error, "write some of RGBA, in this order");
    }
    visa_lexer_next(&p->lexer);
    return true;
}

static const VeuAtomicOp *find_operation(const VisaLexer *lexer)
{
    for (unsigned i = 0; i < veu_atomic_op_count; i++) {
        const VeuAtomicOp *op = &veu_atomic_ops[i];

        if (visa_is_name(lexer, op->name, true) ||
            (op->alias && visa_is_name(lexer, op->alias, true))) {
            return op;
        }
    }
    return NULL;
}

/* .16, .32 or .64 after an operation; 64 for addresses only. */
static bool parse_width(VisaParser *p, VeuField field, uint16_t *bits)
{
    bool wide = field == VEU_FIELD_SVM_ATOMIC_OP;
    const VisaToken *token = &p->lexer.token;
    uint64_t width = token->kind == VISA_TOKEN_NUMBER ? token->number : 0;

    if (width != 16 && width != 32 && !(wide && width == 64)) {
        visa_expected(&p->lexer, p->error, "the operands' width in bits");
        return visa_hint(p->error, "write .16%s, or nothing for 32",
                         wide ? ", .64" : "");
    }
    *bits |= width == 16 ? VEU_ATOMIC_16_BIT :
             width == 64 ? VEU_ATOMIC_64_BIT :
                           0;
    visa_lexer_next(&p->lexer);
    return true;
}

static bool parse_atomic(VisaParser *p, VeuField field, uint16_t *bits)
{
    const VeuAtomicOp *op = find_operation(&p->lexer);

    if (!op) {
        visa_expected(&p->lexer, p->error, "an atomic operation");
        return visa_hint(p->error, "write add, sub, inc, dec, min, max, xchg, "
                                   "cmpxchg, and, or, xor, minsint, maxsint, "
                                   "predec, fmax, fmin, fcmpwr, fadd or fsub");
    }
    *bits = op->code;
    visa_lexer_next(&p->lexer);
    return !visa_accept_mark(&p->lexer, ".") || parse_width(p, field, bits);
}

static bool parse_mode(VisaParser *p, uint16_t *mode)
{
    for (unsigned i = 0; i < VEU_MEDIA_MODES; i++) {
        if (visa_is_name(&p->lexer, veu_media_modes[i], true)) {
            *mode = i;
            visa_lexer_next(&p->lexer);
            return true;
        }
    }
    visa_expected(&p->lexer, p->error, "a modifier");
    return visa_hint(p->error, "write nomod, modified, top, bottom, top_mod or "
                               "bottom_mod");
}

bool visa_parse_suffix(VisaParser *p, VeuEncoding *e, VeuField field)
{
    uint16_t *number = &e->field[field].number;

    if (!visa_is_mark(&p->lexer, ".")) {
        visa_expected(&p->lexer, p->error, "'.'");
        return visa_hint(p->error, "%s has a suffix for %s", e->info->mnemonic,
                         veu_fields[field].name);
    }
    visa_lexer_next(&p->lexer);
    switch (veu_fields[field].text) {
    case VEU_TEXT_CHANNELS:
        return visa_parse_channels(p, number);
    case VEU_TEXT_ATOMIC:
        return parse_atomic(p, field, number);
    case VEU_TEXT_MODE:
        return parse_mode(p, number);
    default:
        return parse_value(p, field, "size", number);
    }
}

/* M1 to M8, each also as M1_NM; NoMask is M1_NM. */
static bool parse_mask(VisaParser *p, uint16_t *mask)
{
    const VisaToken *token = &p->lexer.token;
    const char *text = token->start;
    bool all = token->length == 5 && !strncmp(text + 2, "_NM", 3);

    if (visa_is_name(&p->lexer, "NoMask", false)) {
        *mask = 8;
    } else if (token->kind == VISA_TOKEN_NAME && text[0] == 'M' &&
               text[1] >= '1' && text[1] <= '8' &&
               (token->length == 2 || all)) {
        *mask = text[1] - '1' + (all ? 8 : 0);
    } else {
        visa_expected(&p->lexer, p->error, "a mask");
        return visa_hint(p->error, "write M1 to M8, or M1_NM to M8_NM");
    }
    visa_lexer_next(&p->lexer);
    return true;
}

/* Accepts ( and, before a comma, the mask, which is M1 if missing. */
static bool open_size(VisaParser *p, const char *example, uint16_t *mask)
{
    *mask = 0;
    if (!visa_is_mark(&p->lexer, "(")) {
        visa_expected(&p->lexer, p->error, "'('");
        return visa_hint(p->error, "here stands the size: %s", example);
    }
    visa_lexer_next(&p->lexer);
    return p->lexer.token.kind == VISA_TOKEN_NUMBER ||
           (parse_mask(p, mask) && visa_parse_mark(p, ","));
}

bool visa_parse_lanes(VisaParser *p, VeuField field, uint16_t *lanes)
{
    uint16_t mask;
    uint16_t code;

    if (!open_size(p, "(M1, 16)", &mask) ||
        !parse_value(p, field, "number of lanes", &code)) {
        return false;
    }
    *lanes = code | mask << 4;
    return visa_parse_mark(p, ")");
}

/* Owords: (4). A mask would be meaningless; the vendor accepts (M1, 4). */
static bool parse_owords(VisaParser *p, VeuEncoding *e, VeuField field)
{
    VisaPlace place = p->lexer.token.place;
    uint16_t mask;

    if (!open_size(p, "(4)", &mask) ||
        !parse_value(p, field, "number of owords", &e->field[field].number)) {
        return false;
    }
    if (mask) {
        visa_error_at(p->error, place, "%s has no mask", e->info->mnemonic);
        return visa_hint(p->error, "write the number of owords: (4)");
    }
    return visa_parse_mark(p, ")");
}

/* The suffix is before the size; the vendor's default is unaligned. */
static bool parse_svm_owords(VisaParser *p, VeuEncoding *e, VeuField field)
{
    bool aligned = false;

    if (visa_accept_mark(&p->lexer, ".")) {
        aligned = visa_is_name(&p->lexer, "aligned", true);
        if (!aligned && !visa_is_name(&p->lexer, "unaligned", true)) {
            return visa_expected(&p->lexer, p->error, "aligned or unaligned");
        }
        visa_lexer_next(&p->lexer);
    }
    if (!parse_owords(p, e, field)) {
        return false;
    }
    e->field[field].number |= aligned ? 0 : VISA_SVM_UNALIGNED;
    return true;
}

/* Width and height are two fields in one pair of parentheses. */
static bool parse_extent(VisaParser *p, VeuEncoding *e, VeuField field)
{
    bool first = field == VEU_FIELD_BLOCK_WIDTH;
    int64_t value;

    if (!visa_parse_mark(p, first ? "(" : ",") ||
        !visa_parse_integer(p, 0, UINT8_MAX, first ? "width" : "height",
                            &value)) {
        return false;
    }
    e->field[field].number = value;
    return first || visa_parse_mark(p, ")");
}

bool visa_parse_size_field(VisaParser *p, VeuEncoding *e, VeuField field)
{
    switch (veu_fields[field].text) {
    case VEU_TEXT_LANES:
        return visa_parse_lanes(p, field, &e->field[field].number);
    case VEU_TEXT_SIZE:
        return parse_owords(p, e, field);
    case VEU_TEXT_SVM_SIZE:
        return parse_svm_owords(p, e, field);
    default:
        return parse_extent(p, e, field);
    }
}

bool visa_parse_fence(VisaParser *p, uint16_t *mask)
{
    const VisaToken *token = &p->lexer.token;
    size_t at = 0;

    if (*mask == VISA_FENCE_SOFTWARE || !visa_accept_mark(&p->lexer, ".")) {
        return true;
    }
    for (unsigned i = 0; token->kind == VISA_TOKEN_NAME && i < VISA_FENCE_BITS;
         i++) {
        const char *letters = visa_fence_bits[i].letters;

        if (!strncmp(token->start + at, letters, strlen(letters))) {
            *mask |= visa_fence_bits[i].bit;
            at += strlen(letters);
        }
    }
    if (!at || at != token->length) {
        visa_expected(&p->lexer, p->error, "a fence's options");
        return visa_hint(p->error, "write some of E I S C R L1, in this order");
    }
    visa_lexer_next(&p->lexer);
    return true;
}
