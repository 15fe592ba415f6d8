/*
 * veu tools: reading messages of LSC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "tools/visa/lsc.h"
#include "tools/visa/message_suffix.h"
#include "tools/visa/message_text.h"

#define PREFIX "lsc_"

bool visa_is_lsc(const VisaLexer *lexer)
{
    const VisaToken *token = &lexer->token;

    return token->kind == VISA_TOKEN_NAME && token->length > strlen(PREFIX) &&
           !g_ascii_strncasecmp(token->start, PREFIX, strlen(PREFIX));
}

/* Parses the code of the token's name. */
static bool parse_name(VisaParser *p, const VisaLscNames *names, uint8_t *code)
{
    g_autoptr(GString) hint = g_string_new("write one of");

    for (unsigned i = 0; i < G_N_ELEMENTS(names->name); i++) {
        if (names->name[i] && visa_is_name(&p->lexer, names->name[i], true)) {
            *code = i;
            visa_lexer_next(&p->lexer);
            return true;
        }
        if (names->name[i]) {
            g_string_append_printf(hint, " %s", names->name[i]);
        }
    }
    visa_expected(&p->lexer, p->error, names->what);
    return visa_hint(p->error, "%s", hint->str);
}

static bool parse_dot_name(VisaParser *p, const VisaLscNames *names,
                           uint8_t *code)
{
    return visa_parse_mark(p, ".") && parse_name(p, names, code);
}

/* --- Operands ------------------------------------------------------------ */

/* V40 is V40.0. */
static bool parse_raw(VisaParser *p, VeuEncodedRaw *raw)
{
    VisaLexer ahead = p->lexer;

    visa_lexer_next(&ahead);
    if (visa_is_mark(&ahead, ".")) {
        return visa_parse_raw(p, raw);
    }
    raw->offset_byte = 0;
    return visa_resolve(p->symbols, &p->lexer, VISA_VARIABLE, &raw->id,
                        p->error);
}

/* V40, V40.2 or V40(0,2): an element. Otherwise a number. */
static bool parse_scalar(VisaParser *p, VeuEncodedVector *v)
{
    int64_t row = 0;
    int64_t column = 0;
    int64_t value;

    if (p->lexer.token.kind != VISA_TOKEN_NAME) {
        *v = (VeuEncodedVector){ .class = VEU_OPERAND_IMMEDIATE,
                                 .type = VEU_TYPE_UD };
        if (!visa_parse_integer(p, 0, UINT32_MAX, "number", &value)) {
            return false;
        }
        v->immediate = value;
        return true;
    }
    *v = (VeuEncodedVector){ .class = VEU_OPERAND_GENERAL,
                             .region = VEU_REGION(1, 2, 1) };
    if (!visa_resolve(p->symbols, &p->lexer, VISA_VARIABLE, &v->id, p->error)) {
        return false;
    }
    if (visa_accept_mark(&p->lexer, ".")) {
        if (!visa_parse_number(p, UINT8_MAX, "element", &column)) {
            return false;
        }
    } else if (visa_accept_mark(&p->lexer, "(")) {
        if (!visa_parse_integer(p, 0, UINT8_MAX, "row", &row) ||
            !visa_parse_mark(p, ",") ||
            !visa_parse_integer(p, 0, UINT8_MAX, "column", &column) ||
            !visa_parse_mark(p, ")")) {
            return false;
        }
    }
    v->row = row;
    v->column = column;
    return true;
}

/* A decimal number within a word: 2x32x32nn. */
static unsigned take_number(const char **at, const char *end)
{
    unsigned number = 0;

    while (*at < end && g_ascii_isdigit(**at) && number < UINT16_MAX) {
        number = number * 10 + *(*at)++ - '0';
    }
    return number;
}

static bool accept(const char **at, const char *end, char c)
{
    if (*at < end && **at == c) {
        (*at)++;
        return true;
    }
    return false;
}

/* x4t after the size. Returns false if the word has more than that. */
static bool take_elements(VisaLsc *l, const char *at, const char *end)
{
    unsigned elements = 1;

    if (accept(&at, end, 'x')) {
        elements = take_number(&at, end);
    }
    l->order = accept(&at, end, 't') ? VISA_LSC_TRANSPOSE :
                                       VISA_LSC_NONTRANSPOSE;
    l->elements = 0;
    for (unsigned i = 1; i < G_N_ELEMENTS(visa_lsc_elements); i++) {
        if (visa_lsc_elements[i] == elements) {
            l->elements = i;
        }
    }
    l->channels = l->elements; /* one field in the vendor's compiler */
    return l->elements && at == end;
}

/* The rest of a word after the name of a size, or NULL. */
static const char *after_size(const VisaToken *token, unsigned code)
{
    const char *name = visa_lsc_data_sizes.name[code];
    size_t length = name ? strlen(name) : 0;
    bool begins = length && token->length >= length &&
                  (token->start[0] == 'd' || token->start[0] == 'u') &&
                  !strncmp(token->start + 1, name + 1, length - 1);

    return begins ? token->start + length : NULL;
}

/* d32x4t: the size, together with elements and order. */
static bool parse_size(VisaParser *p, VisaLsc *l)
{
    const VisaToken *token = &p->lexer.token;

    for (unsigned i = 1; i < G_N_ELEMENTS(visa_lsc_data_sizes.name); i++) {
        const char *at = token->kind == VISA_TOKEN_NAME ? after_size(token, i) :
                                                          NULL;

        if (at && take_elements(l, at, token->start + token->length)) {
            l->data_size = i;
            visa_lexer_next(&p->lexer);
            return true;
        }
    }
    visa_expected(&p->lexer, p->error, "a data shape");
    return visa_hint(p->error, "write d8, d16, d32, d64, d8c32, d16c32 or "
                               "d16c32h, with x2, x3, x4, x8, x16, x32 or x64 "
                               "for more elements, and t if transposed");
}

/* .xz */
static bool parse_channels(VisaParser *p, VisaLsc *l)
{
    static const char letters[] = "xyzw";
    const VisaToken *token = &p->lexer.token;
    unsigned next = 0;

    l->channels = 0;
    for (size_t i = 0; token->kind == VISA_TOKEN_NAME && i < token->length;
         i++) {
        while (next < 4 && token->start[i] != letters[next]) {
            next++;
        }
        if (next == 4) {
            l->channels = 0;
            break;
        }
        l->channels |= 1 << next++;
    }
    if (!l->channels) {
        visa_expected(&p->lexer, p->error, "channels");
        return visa_hint(p->error, "write some of xyzw, in this order");
    }
    l->elements = l->channels;
    visa_lexer_next(&p->lexer);
    return true;
}

/* .2x32x32nt: blocks, width, height; transposed; VNNI */
static bool parse_block(VisaParser *p, VisaLsc *l)
{
    const VisaToken *token = &p->lexer.token;
    const char *at = token->start;
    const char *end = at + token->length;
    unsigned number[3] = { 1, 0, 0 };
    unsigned count = 0;

    do {
        number[count++] = take_number(&at, end);
    } while (count < 3 && accept(&at, end, 'x'));
    if (count == 2) {
        number[2] = number[1];
        number[1] = number[0];
        number[0] = 1;
    }
    l->order = accept(&at, end, 't') ? VISA_LSC_TRANSPOSE :
                                       VISA_LSC_NONTRANSPOSE;
    if (l->order == VISA_LSC_NONTRANSPOSE) {
        accept(&at, end, 'n');
    }
    l->vnni = accept(&at, end, 't');
    accept(&at, end, 'n');
    if (count < 2 || at != end || number[0] > UINT8_MAX || !number[1] ||
        !number[2]) {
        visa_expected(&p->lexer, p->error, "a block");
        return visa_hint(p->error,
                         "write blocks, width and height: .2x32x32nn");
    }
    l->blocks = number[0];
    l->width = number[1];
    l->height = number[2];
    visa_lexer_next(&p->lexer);
    return true;
}

static bool parse_data(VisaParser *p, VisaLsc *l, VeuEncodedRaw *raw)
{
    if (!parse_raw(p, raw) || !visa_parse_mark(p, ":") || !parse_size(p, l)) {
        return false;
    }
    if (visa_lsc_is_quad(l)) {
        return visa_parse_mark(p, ".") && parse_channels(p, l);
    }
    return !visa_lsc_is_block(l) ||
           (visa_parse_mark(p, ".") && parse_block(p, l));
}

/* flat or nothing; bti(0x4), ss(V40), bss(V40.1) */
static bool parse_model(VisaParser *p, VisaLsc *l)
{
    l->surface = (VeuEncodedVector){ .class = VEU_OPERAND_IMMEDIATE };
    l->address_type = 1;
    if (visa_is_mark(&p->lexer, "[")) {
        return true;
    }
    if (!parse_name(p, &visa_lsc_address_types, &l->address_type)) {
        return false;
    }
    if (!visa_is_mark(&p->lexer, "(")) {
        return true;
    }
    visa_lexer_next(&p->lexer);
    return parse_scalar(p, &l->surface) && visa_parse_mark(p, ")");
}

/* 4*V32+0x10 */
static bool parse_lane_address(VisaParser *p, VisaLsc *l)
{
    int64_t scale = 1;
    int64_t offset = 0;

    if (p->lexer.token.kind == VISA_TOKEN_NUMBER &&
        (!visa_parse_number(p, UINT16_MAX, "scale", &scale) ||
         !visa_parse_mark(p, "*"))) {
        return false;
    }
    if (!parse_raw(p, &l->address[0])) {
        return false;
    }
    if (visa_is_mark(&p->lexer, "-")) {
        if (!visa_parse_integer(p, INT32_MIN, 0, "offset", &offset)) {
            return false;
        }
    } else if (visa_accept_mark(&p->lexer, "+") &&
               !visa_parse_integer(p, INT32_MIN, INT32_MAX, "offset",
                                   &offset)) {
        return false;
    }
    l->scale = scale;
    l->offset = offset;
    return true;
}

/* U, V, R and LOD, as many as are given. */
static bool parse_coordinates(VisaParser *p, VisaLsc *l)
{
    unsigned count = 0;

    do {
        if (!parse_raw(p, &l->address[count++])) {
            return false;
        }
    } while (count < 4 && visa_accept_mark(&p->lexer, ","));
    return true;
}

static bool parse_vectors(VisaParser *p, VisaLsc *l)
{
    for (unsigned i = 0; i < 6; i++) {
        if ((i && !visa_parse_mark(p, ",")) ||
            !parse_scalar(p, &l->vector[i])) {
            return false;
        }
    }
    return true;
}

static bool parse_in_brackets(VisaParser *p, VisaLsc *l)
{
    if (visa_lsc_is_block(l)) {
        return parse_vectors(p, l);
    }
    if (l->opcode == VISA_LSC_TYPED) {
        return parse_coordinates(p, l);
    }
    if (!parse_lane_address(p, l)) {
        return false;
    }
    if (!visa_lsc_is_strided(l)) {
        return true;
    }
    l->vector[0] = (VeuEncodedVector){ .class = VEU_OPERAND_GENERAL,
                                       .region = VEU_REGION(1, 2, 1) };
    return !visa_accept_mark(&p->lexer, ",") || parse_scalar(p, &l->vector[0]);
}

static bool parse_address(VisaParser *p, VisaLsc *l)
{
    if (!parse_model(p, l) || !visa_parse_mark(p, "[") ||
        !parse_in_brackets(p, l) || !visa_parse_mark(p, "]")) {
        return false;
    }
    return visa_lsc_is_block(l) ||
           (visa_parse_mark(p, ":") &&
            parse_name(p, &visa_lsc_address_sizes, &l->address_size));
}

/* --- Messages ------------------------------------------------------------ */

static bool parse_fence(VisaParser *p, VisaLsc *l)
{
    l->lanes = 0x80; /* (M1_NM, 1), as the page has it */
    return parse_dot_name(p, &visa_lsc_functions, &l->function) &&
           parse_dot_name(p, &visa_lsc_fence_ops, &l->fence_op) &&
           parse_dot_name(p, &visa_lsc_scopes, &l->scope);
}

static bool parse_state_info(VisaParser *p, VisaLsc *l)
{
    l->lanes = 0x80;
    l->address_size = 2;
    l->data_size = 3;
    l->order = VISA_LSC_NONTRANSPOSE;
    l->elements = l->channels = 1;
    return parse_raw(p, &l->data) && parse_model(p, l);
}

static bool parse_operands(VisaParser *p, VisaLsc *l)
{
    switch (visa_lsc_shape(l)) {
    case VISA_LSC_LOAD:
        return parse_data(p, l, &l->data) && parse_address(p, l);
    case VISA_LSC_STORE:
        return parse_address(p, l) && parse_data(p, l, &l->source[0]);
    default:
        return parse_data(p, l, &l->data) && parse_address(p, l) &&
               parse_raw(p, &l->source[0]) && parse_raw(p, &l->source[1]);
    }
}

/* .ca.ca, .ca or nothing */
static bool parse_caching(VisaParser *p, VisaLsc *l)
{
    for (unsigned i = 0; i < 2 && visa_is_mark(&p->lexer, "."); i++) {
        if (!parse_dot_name(p, &visa_lsc_caching, &l->caching[i])) {
            return false;
        }
    }
    return true;
}

static bool parse_rest(VisaParser *p, VisaLsc *l)
{
    uint16_t lanes;

    if (visa_lsc_shape(l) == VISA_LSC_STATE) {
        return parse_state_info(p, l);
    }
    if (!parse_caching(p, l) ||
        !visa_parse_lanes(p, VEU_FIELD_EXEC_SIZE, &lanes)) {
        return false;
    }
    l->lanes = lanes;
    return parse_operands(p, l);
}

/* The row with this mnemonic, typed if the message is for .tgm. */
static const VeuInstructionInfo *find_row(const VisaToken *name, bool typed)
{
    g_autofree char *lower = g_ascii_strdown(name->start, name->length);
    g_autofree char *mnemonic = g_strconcat(lower, typed ? ".tgm" : "", NULL);

    for (unsigned i = 0; i < veu_instruction_count; i++) {
        const VeuInstructionInfo *info = &veu_instructions[i];

        if (!strcmp(info->mnemonic, mnemonic) ||
            (typed && info->opcode == VISA_LSC_TYPED &&
             !strcmp(info->mnemonic, lower))) {
            return info;
        }
    }
    return NULL;
}

bool visa_parse_lsc(VisaParser *p, uint16_t predicate, GByteArray *code)
{
    VisaToken name = p->lexer.token;
    VisaLsc l = { .predicate = predicate };
    const VeuInstructionInfo *info;

    visa_lexer_next(&p->lexer);
    if (name.length == strlen("lsc_fence") &&
        !g_ascii_strncasecmp(name.start, "lsc_fence", name.length)) {
        l.opcode = VISA_LSC_FENCE;
        if (!parse_fence(p, &l)) {
            return false;
        }
    } else {
        if (!parse_dot_name(p, &visa_lsc_functions, &l.function)) {
            return false;
        }
        info = find_row(&name, l.function == VISA_LSC_TGM);
        if (!info) {
            return visa_error_at(p->error, name.place,
                                 "there is no instruction %.*s%s",
                                 (int)MIN(name.length, 40), name.start,
                                 l.function == VISA_LSC_TGM ? ".tgm" : "");
        }
        l.opcode = info->opcode;
        l.sub = info->sub;
        if (!parse_rest(p, &l)) {
            return false;
        }
    }
    visa_lsc_write(&l, code);
    return true;
}
