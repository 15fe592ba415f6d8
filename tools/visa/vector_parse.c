/*
 * veu tools: reading vector operands of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * The kind of the named symbol determines the class of an operand:
 * V32(0,0)<8;8,1>, A0(2)<4>, P1, T6(0). Indirect operands begin with r[;
 * everything else is an immediate.
 */
#include <string.h>
#include "hw/veu/eu/program/type.h"
#include "tools/visa/instruction.h"
#include "tools/visa/predefined.h"

/* (2), or another index in parentheses. */
static bool parse_index(VisaParser *p, const char *what, uint8_t *index)
{
    int64_t value;

    if (!visa_parse_mark(p, "(") ||
        !visa_parse_integer(p, 0, UINT8_MAX, what, &value)) {
        return false;
    }
    *index = value;
    return visa_parse_mark(p, ")");
}

/* A0(2)<4>: elements from 2 on. */
static bool parse_address(VisaParser *p, VeuEncodedVector *v)
{
    VisaPlace place;
    int64_t width;

    v->class = VEU_OPERAND_ADDRESS;
    if (!visa_resolve(p->symbols, &p->lexer, VISA_ADDRESS, &v->id, p->error) ||
        !parse_index(p, "element", &v->column) || !visa_parse_mark(p, "<")) {
        return false;
    }
    place = p->lexer.token.place;
    if (!visa_parse_integer(p, 1, 32, "number of elements", &width)) {
        return false;
    }
    if (width & (width - 1)) {
        visa_error_at(p->error, place, "there is no number of elements %d",
                      (int)width);
        return visa_hint(p->error, "write 1, 2, 4, 8, 16 or 32");
    }
    while (width > 1) {
        v->row++;
        width /= 2;
    }
    return visa_parse_mark(p, ">");
}

static bool parse_predicate(VisaParser *p, VeuEncodedVector *v)
{
    v->class = VEU_OPERAND_PREDICATE;
    return visa_resolve(p->symbols, &p->lexer, VISA_PREDICATE, &v->id,
                        p->error);
}

/* T6(0), S0(0) */
static bool parse_state(VisaParser *p, VisaKind kind, VeuEncodedVector *v)
{
    v->class = VEU_OPERAND_STATE;
    v->type = kind == VISA_SAMPLER;
    return visa_resolve(p->symbols, &p->lexer, kind, &v->id, p->error) &&
           parse_index(p, "element", &v->column);
}

static bool parse_scalar(VisaParser *p, VeuEncodedVector *v)
{
    VeuEncodedScalar scalar = { 0 };

    if (!visa_parse_scalar(p, &scalar)) {
        return false;
    }
    *v = (VeuEncodedVector){
        .class = scalar.class,
        .modifier = scalar.modifier,
        .type = scalar.type,
        .row = scalar.row,
        .column = scalar.column,
        .region = scalar.region,
        .id = scalar.id,
        .add_byte = scalar.add_byte,
        .immediate = scalar.immediate,
    };
    return true;
}

bool visa_parse_vector(VisaParser *p, VeuEncodedVector *v)
{
    const VisaToken *token = &p->lexer.token;
    VisaKind kind = VISA_VARIABLE;
    uint32_t id;

    *v = (VeuEncodedVector){ 0 };
    if (token->kind == VISA_TOKEN_NAME &&
        !visa_find(p->symbols, token, &kind, &id)) {
        kind = VISA_VARIABLE;
    }
    switch (kind) {
    case VISA_ADDRESS:
        return parse_address(p, v);
    case VISA_PREDICATE:
        return parse_predicate(p, v);
    case VISA_SURFACE:
    case VISA_SAMPLER:
        return parse_state(p, kind, v);
    default:
        return parse_scalar(p, v);
    }
}

/* The size of an element of a variable. Fails if its type has none. */
static bool element_bytes(VisaParser *p, VisaPlace place, uint32_t id,
                          unsigned *bytes)
{
    const VisaSymbol *symbol = visa_symbol(p->symbols->routine, VISA_VARIABLE,
                                           id);
    const VisaPredefined *predefined = visa_predefined(VISA_VARIABLE, id);

    *bytes = symbol     ? veu_type_bytes(symbol->type) :
             predefined ? veu_type_bytes(predefined->type) :
                          1;
    return *bytes ||
           visa_error_at(p->error, place, "this variable's type has no size");
}

/*
 * The encoding counts registers and elements. An offset that can be expressed
 * in elements needs no register, whose size depends on the target.
 */
static bool set_offset(VisaParser *p, VisaPlace place, unsigned bytes,
                       int64_t offset, VeuEncodedVector *v)
{
    unsigned row_bytes = p->symbols->grf_bytes;
    int64_t row = offset / bytes > UINT8_MAX ? offset / row_bytes : 0;

    if (offset % bytes) {
        return visa_error_at(p->error, place,
                             "this is not a multiple of an element's %u bytes",
                             bytes);
    }
    if (row > UINT8_MAX) {
        return visa_error_at(p->error, place,
                             "the offset is beyond register "
                             "255 of the variable");
    }
    v->row = row;
    v->column = (offset - row * row_bytes) / bytes;
    return true;
}

bool visa_parse_address_of(VisaParser *p, VeuEncodedVector *v)
{
    VisaPlace place = p->lexer.token.place;
    unsigned bytes;
    int64_t offset = 0;

    *v = (VeuEncodedVector){
        .class = VEU_OPERAND_GENERAL,
        .region = VEU_REGION(1, 2, 1), /* <0;1,0>, as compilers write */
    };
    if (!visa_parse_mark(p, "&") ||
        !visa_resolve(p->symbols, &p->lexer, VISA_VARIABLE, &v->id, p->error) ||
        !element_bytes(p, place, v->id, &bytes)) {
        return false;
    }
    if (visa_accept_mark(&p->lexer, "[")) {
        place = p->lexer.token.place;
        if (!visa_parse_integer(p, 0, INT16_MAX, "offset", &offset) ||
            !visa_parse_mark(p, "]")) {
            return false;
        }
    }
    return set_offset(p, place, bytes, offset, v);
}
