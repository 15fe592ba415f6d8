/*
 * veu tools: reading the operands of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * encoding.md, sections 2 and 6.
 */
#include <string.h>
#include "tools/lib/names.h"
#include "tools/visa/expression.h"
#include "tools/visa/operand.h"
#include "veu/program.h"

/* 4 is .sat, which only destinations have. */
const char *const visa_modifiers[VISA_MODIFIERS] = {
    [1] = "(abs)", [2] = "(-)", [3] = "(-abs)", [4] = "(sat)", [5] = "(~)",
};

const uint8_t visa_region_values[VISA_REGION_CODES] = {
    0, 0, 1, 2, 4, 8, 16, 32,
};

static VisaExpression expression(VisaParser *p)
{
    return (VisaExpression){
        .lexer = &p->lexer,
        .error = p->error,
        .size_of = visa_size_of,
        .opaque = p->symbols,
    };
}

static bool in_range(VisaParser *p, VisaPlace place, int64_t least,
                     int64_t most, const char *what, int64_t value)
{
    if (value >= least && value <= most) {
        return true;
    }
    visa_error_at(p->error, place, "%s %" G_GINT64_FORMAT " does not fit", what,
                  value);
    return visa_hint(p->error,
                     "write one from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                     least, most);
}

bool visa_parse_integer(VisaParser *p, int64_t least, int64_t most,
                        const char *what, int64_t *value)
{
    VisaExpression e = expression(p);
    VisaPlace place = p->lexer.token.place;

    return visa_expression_shift(&e, value) &&
           in_range(p, place, least, most, what, *value);
}

bool visa_parse_number(VisaParser *p, int64_t most, const char *what,
                       int64_t *value)
{
    const VisaToken token = p->lexer.token;

    if (token.kind != VISA_TOKEN_NUMBER) {
        return visa_expected(&p->lexer, p->error, what);
    }
    *value = MIN(token.number, INT64_MAX);
    visa_lexer_next(&p->lexer);
    return in_range(p, token.place, 0, most, what, *value);
}

bool visa_parse_mark(VisaParser *p, const char *mark)
{
    char what[8];

    if (visa_accept_mark(&p->lexer, mark)) {
        return true;
    }
    g_snprintf(what, sizeof(what), "'%s'", mark);
    return visa_expected(&p->lexer, p->error, what);
}

bool visa_parse_type(VisaParser *p, uint8_t *type)
{
    const VisaToken *token = &p->lexer.token;
    g_autofree char *name = g_strndup(token->start, token->length);

    if (token->kind != VISA_TOKEN_NAME || !type_by_name(name, type)) {
        visa_expected(&p->lexer, p->error, "a type");
        return visa_hint(p->error, "types are ud, d, uw, w, ub, b, uq, q, f, "
                                   "df, hf, bf and, of immediates, v, vf, uv");
    }
    visa_lexer_next(&p->lexer);
    return true;
}

/* The offset of a raw operand: 64, or (2*32). */
static bool parse_raw_offset(VisaParser *p, const char *name, int length,
                             int64_t *offset)
{
    const VisaToken *token = &p->lexer.token;

    if (visa_accept_mark(&p->lexer, "(")) {
        return visa_parse_integer(p, 0, UINT16_MAX, "offset", offset) &&
               visa_parse_mark(p, ")");
    }
    if (token->kind != VISA_TOKEN_NUMBER ||
        memchr(token->start, 'x', token->length) ||
        memchr(token->start, 'X', token->length)) {
        visa_expected(&p->lexer, p->error, "a decimal offset in bytes");
        return visa_hint(p->error, "write %.*s.64 or %.*s.(0x40)", length, name,
                         length, name);
    }
    return visa_parse_number(p, UINT16_MAX, "offset", offset);
}

bool visa_parse_raw(VisaParser *p, VeuEncodedRaw *raw)
{
    const VisaToken name = p->lexer.token;
    int length = MIN(name.length, 40);
    int64_t offset;

    if (!visa_resolve(p->symbols, &p->lexer, VISA_VARIABLE, &raw->id,
                      p->error)) {
        return false;
    }
    if (!visa_parse_mark(p, ".")) {
        return visa_hint(p->error,
                         "a raw operand has an offset in bytes: "
                         "%.*s.0",
                         length, name.start);
    }
    if (!parse_raw_offset(p, name.start, length, &offset)) {
        return false;
    }
    if (offset && name.start[0] == '%' && raw->id == 0) {
        visa_error_at(p->error, name.place, "%%null has no bytes to go to");
        return visa_hint(p->error, "write %%null.0");
    }
    raw->offset_byte = offset;
    return true;
}

/* A part of a region; if it is missing, it has a code of its own. */
static bool parse_region_part(VisaParser *p, uint16_t *code)
{
    VisaPlace place = p->lexer.token.place;
    int64_t value;

    *code = 0;
    if (visa_is_mark(&p->lexer, ";") || visa_is_mark(&p->lexer, ",") ||
        visa_is_mark(&p->lexer, ">")) {
        return true;
    }
    if (!visa_parse_integer(p, 0, 32, "stride or width", &value)) {
        return false;
    }
    for (unsigned i = 1; i < VISA_REGION_CODES; i++) {
        if (visa_region_values[i] == value) {
            *code = i;
            return true;
        }
    }
    visa_error_at(p->error, place, "a region has no %d", (int)value);
    return visa_hint(p->error, "write 0, 1, 2, 4, 8, 16 or 32");
}

/* <vertical;width,horizontal>, <width,horizontal>, <horizontal> */
static bool parse_region(VisaParser *p, uint16_t *region)
{
    uint16_t part[3];
    unsigned count = 0;
    bool semicolon;

    if (!visa_parse_mark(p, "<") || !parse_region_part(p, &part[count++])) {
        return false;
    }
    semicolon = visa_accept_mark(&p->lexer, ";");
    if (semicolon && !parse_region_part(p, &part[count++])) {
        return false;
    }
    if ((semicolon || visa_is_mark(&p->lexer, ",")) &&
        (!visa_parse_mark(p, ",") || !parse_region_part(p, &part[count++]))) {
        return false;
    }
    *region = 0;
    for (unsigned i = 0; i < count; i++) {
        *region |= part[count - 1 - i] << (4 * (2 - i));
    }
    return visa_parse_mark(p, ">");
}

/* V32(0,1)<0;1,0> */
static bool parse_general(VisaParser *p, VeuEncodedScalar *scalar)
{
    const VisaToken name = p->lexer.token;
    int64_t row;
    int64_t column;
    bool good;

    scalar->class = VEU_SCALAR_GENERAL;
    if (!visa_resolve(p->symbols, &p->lexer, VISA_VARIABLE, &scalar->id,
                      p->error)) {
        return false;
    }
    if (!visa_is_mark(&p->lexer, "(")) {
        visa_expected(&p->lexer, p->error, "'('");
        return visa_hint(p->error,
                         "a scalar operand is an immediate, 0x10:ud, "
                         "or an element: %.*s(0,0)<0;1,0>",
                         (int)MIN(name.length, 40), name.start);
    }
    visa_lexer_next(&p->lexer);
    good = visa_parse_integer(p, 0, UINT8_MAX, "row", &row) &&
           visa_parse_mark(p, ",") &&
           visa_parse_integer(p, 0, UINT8_MAX, "column", &column) &&
           visa_parse_mark(p, ")") && parse_region(p, &scalar->region);
    if (good) {
        scalar->row = row;
        scalar->column = column;
    } else if (!p->error->hint[0]) {
        visa_hint(p->error, "write %.*s(0,0)<0;1,0>", (int)MIN(name.length, 40),
                  name.start);
    }
    return good;
}

/* r[A0(2),-16]<0;1,0>:ud, after the r */
static bool parse_indirect(VisaParser *p, VeuEncodedScalar *scalar)
{
    int64_t element;
    int64_t add = 0;

    scalar->class = VEU_SCALAR_INDIRECT;
    if (!visa_parse_mark(p, "[") ||
        !visa_resolve(p->symbols, &p->lexer, VISA_ADDRESS, &scalar->id,
                      p->error) ||
        !visa_parse_mark(p, "(") ||
        !visa_parse_integer(p, 0, UINT8_MAX, "element", &element) ||
        !visa_parse_mark(p, ")") ||
        (visa_accept_mark(&p->lexer, ",") &&
         !visa_parse_integer(p, INT16_MIN, INT16_MAX, "offset", &add)) ||
        !visa_parse_mark(p, "]") || !parse_region(p, &scalar->region)) {
        return false;
    }
    scalar->column = element;
    scalar->add_byte = add;
    return visa_parse_mark(p, ":") && visa_parse_type(p, &scalar->type);
}

static bool is_wide(uint8_t type)
{
    return type == VEU_TYPE_DF || type == VEU_TYPE_UQ || type == VEU_TYPE_Q;
}

/* 1.5:f: the token contains its type. */
static void parse_float(VisaParser *p, bool negative, VeuEncodedScalar *scalar)
{
    const VisaToken *token = &p->lexer.token;
    double value = g_ascii_strtod(token->start, NULL);
    float narrow;

    value = negative ? -value : value;
    narrow = value;
    if (memchr(token->start, 'd', token->length) ||
        memchr(token->start, 'D', token->length)) {
        scalar->type = VEU_TYPE_DF;
        memcpy(&scalar->immediate, &value, sizeof(value));
    } else {
        uint32_t bits;

        memcpy(&bits, &narrow, sizeof(bits));
        scalar->type = VEU_TYPE_F;
        scalar->immediate = bits;
    }
    visa_lexer_next(&p->lexer);
}

/*
 * With :f and :df, the number is the bits, and a sign before it is the float's.
 */
static bool parse_float_bits(VisaParser *p, VeuEncodedScalar *scalar)
{
    VisaLexer ahead = p->lexer;
    bool negative = visa_accept_mark(&ahead, "-");
    const VisaToken bits = ahead.token;
    unsigned shift;

    if (bits.kind != VISA_TOKEN_NUMBER) {
        return false;
    }
    visa_lexer_next(&ahead);
    if (!visa_accept_mark(&ahead, ":") || !(visa_is_name(&ahead, "f", true) ||
                                            visa_is_name(&ahead, "df", true))) {
        return false;
    }
    shift = visa_is_name(&ahead, "f", true) ? 31 : 63;
    if (shift == 31 && bits.number > UINT32_MAX) {
        return false;
    }
    scalar->type = shift == 31 ? VEU_TYPE_F : VEU_TYPE_DF;
    scalar->immediate = bits.number ^ (uint64_t)negative << shift;
    visa_lexer_next(&ahead);
    p->lexer = ahead;
    return true;
}

/* 0x10:ud */
static bool parse_typed_integer(VisaParser *p, VeuEncodedScalar *scalar)
{
    VisaExpression e = expression(p);
    VisaPlace place = p->lexer.token.place;
    int64_t value;

    if (!visa_expression_unary(&e, &value)) {
        return false;
    }
    if (!visa_is_mark(&p->lexer, ":")) {
        visa_expected(&p->lexer, p->error, "':' and a type");
        return visa_hint(p->error, "an immediate has a type: 0x10:ud");
    }
    visa_lexer_next(&p->lexer);
    if (!visa_parse_type(p, &scalar->type)) {
        return false;
    }
    scalar->immediate = is_wide(scalar->type) ? (uint64_t)value :
                                                (uint32_t)value;
    return is_wide(scalar->type) ||
           in_range(p, place, INT32_MIN, UINT32_MAX, "immediate", value);
}

static bool parse_immediate(VisaParser *p, VeuEncodedScalar *scalar)
{
    VisaLexer ahead = p->lexer;
    bool negative = visa_accept_mark(&ahead, "-");

    scalar->class = VEU_SCALAR_IMMEDIATE;
    if (ahead.token.kind != VISA_TOKEN_FLOAT) {
        return parse_float_bits(p, scalar) || parse_typed_integer(p, scalar);
    }
    p->lexer = ahead;
    parse_float(p, negative, scalar);
    return true;
}

/* The characters of a modifier, with any blanks between them. */
static bool accept_modifier(VisaParser *p, const char *text)
{
    VisaLexer ahead = p->lexer;

    while (*text) {
        size_t length = g_ascii_isalpha(*text) ? strcspn(text, ")") : 1;

        if (ahead.token.length != length ||
            strncmp(ahead.token.start, text, length)) {
            return false;
        }
        text += length;
        visa_lexer_next(&ahead);
    }
    p->lexer = ahead;
    return true;
}

bool visa_parse_scalar(VisaParser *p, VeuEncodedScalar *scalar)
{
    const VisaToken *token = &p->lexer.token;

    for (unsigned i = 1; i < VISA_MODIFIERS && !scalar->modifier; i++) {
        if (accept_modifier(p, visa_modifiers[i])) {
            scalar->modifier = i;
        }
    }
    if (token->kind == VISA_TOKEN_NAME && strncmp(token->start, "%sizeof", 7)) {
        if (visa_is_name(&p->lexer, "r", false) && token->start[1] == '[') {
            visa_lexer_next(&p->lexer);
            return parse_indirect(p, scalar);
        }
        return parse_general(p, scalar);
    }
    return parse_immediate(p, scalar);
}

bool visa_parse_predicate(VisaParser *p, uint16_t *predicate)
{
    static const char *const combine[] = { "any", "all" };
    uint32_t id;

    *predicate = 0;
    if (!visa_parse_mark(p, "(")) {
        return false;
    }
    if (visa_accept_mark(&p->lexer, "!")) {
        *predicate = 0x8000;
    }
    if (!visa_resolve(p->symbols, &p->lexer, VISA_PREDICATE, &id, p->error)) {
        return false;
    }
    if (visa_accept_mark(&p->lexer, ".")) {
        if (!visa_is_name(&p->lexer, combine[0], true) &&
            !visa_is_name(&p->lexer, combine[1], true)) {
            return visa_expected(&p->lexer, p->error, "any or all");
        }
        *predicate |= visa_is_name(&p->lexer, combine[0], true) ? 0x2000 :
                                                                  0x4000;
        visa_lexer_next(&p->lexer);
    }
    *predicate |= id;
    return visa_parse_mark(p, ")");
}
