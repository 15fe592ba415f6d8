/*
 * veu tools: integers in vISA text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * Arithmetic is modulo 2^64, as with C's unsigned numbers: nothing here can
 * overflow.
 */
#include <glib.h>
#include "tools/visa/expression.h"

/* The depth of nested parentheses, more than a person writes. */
#define MAX_DEPTH 64

typedef enum Level {
    LEVEL_OR,
    LEVEL_XOR,
    LEVEL_AND,
    LEVEL_SHIFT,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_UNARY,
} Level;

static const struct {
    const char *mark;
    Level level;
} operators[] = {
    { "|", LEVEL_OR },      { "^", LEVEL_XOR },     { "&", LEVEL_AND },
    { "<<", LEVEL_SHIFT },  { ">>", LEVEL_SHIFT },  { "+", LEVEL_SUM },
    { "-", LEVEL_SUM },     { "*", LEVEL_PRODUCT }, { "/", LEVEL_PRODUCT },
    { "%", LEVEL_PRODUCT },
};

static int64_t divide(int64_t a, int64_t b, bool remainder)
{
    if (b == -1) {
        return remainder ? 0 : (int64_t)(0 - (uint64_t)a);
    }
    return remainder ? a % b : a / b;
}

static int64_t calculate(const char *mark, int64_t a, int64_t b)
{
    switch (mark[0]) {
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '&':
        return a & b;
    case '<':
        return (uint64_t)b < 64 ? (int64_t)((uint64_t)a << b) : 0;
    case '>':
        return a >> ((uint64_t)b < 64 ? b : 63);
    case '+':
        return (uint64_t)a + (uint64_t)b;
    case '-':
        return (uint64_t)a - (uint64_t)b;
    case '*':
        return (uint64_t)a * (uint64_t)b;
    default:
        return divide(a, b, mark[0] == '%');
    }
}

static const char *operator_at(const VisaLexer *lexer, Level level)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(operators); i++) {
        if (operators[i].level == level &&
            visa_is_mark(lexer, operators[i].mark)) {
            return operators[i].mark;
        }
    }
    return NULL;
}

static bool parse_level(VisaExpression *e, Level level, int64_t *value)
{
    const char *mark;

    if (level == LEVEL_UNARY) {
        return visa_expression_unary(e, value);
    }
    if (!parse_level(e, level + 1, value)) {
        return false;
    }
    while ((mark = operator_at(e->lexer, level))) {
        VisaPlace place = e->lexer->token.place;
        int64_t right;

        visa_lexer_next(e->lexer);
        if (!parse_level(e, level + 1, &right)) {
            return false;
        }
        if (!right && (*mark == '/' || *mark == '%')) {
            return visa_error_at(e->error, place, "this divides by zero");
        }
        *value = calculate(mark, *value, right);
    }
    return true;
}

bool visa_expression(VisaExpression *e, int64_t *value)
{
    return parse_level(e, LEVEL_OR, value);
}

bool visa_expression_shift(VisaExpression *e, int64_t *value)
{
    return parse_level(e, LEVEL_SHIFT, value);
}

/* %sizeof(GRF), %sizeof GRF */
static bool parse_sizeof(VisaExpression *e, int64_t *value)
{
    bool open = visa_accept_mark(e->lexer, "(");
    uint64_t bytes;

    if (e->lexer->token.kind != VISA_TOKEN_NAME ||
        !e->size_of(e->opaque, &e->lexer->token, &bytes)) {
        return visa_expected(e->lexer, e->error, "GRF or a variable");
    }
    *value = bytes;
    visa_lexer_next(e->lexer);
    return !open || visa_accept_mark(e->lexer, ")") ||
           visa_expected(e->lexer, e->error, "')'");
}

static bool parse_primary(VisaExpression *e, int64_t *value)
{
    if (e->lexer->token.kind == VISA_TOKEN_NUMBER) {
        *value = e->lexer->token.number;
        visa_lexer_next(e->lexer);
        return true;
    }
    if (visa_is_name(e->lexer, "%sizeof", false)) {
        visa_lexer_next(e->lexer);
        return parse_sizeof(e, value);
    }
    if (visa_accept_mark(e->lexer, "(")) {
        return visa_expression(e, value) &&
               (visa_accept_mark(e->lexer, ")") ||
                visa_expected(e->lexer, e->error, "')'"));
    }
    return visa_expected(e->lexer, e->error, "a number");
}

static bool parse_unary(VisaExpression *e, int64_t *value)
{
    static const char *const signs[] = { "-", "~", "!" };

    for (unsigned i = 0; i < G_N_ELEMENTS(signs); i++) {
        if (visa_accept_mark(e->lexer, signs[i])) {
            if (!visa_expression_unary(e, value)) {
                return false;
            }
            *value = i == 0 ? (int64_t)(0 - (uint64_t)*value) :
                     i == 1 ? ~*value :
                              !*value;
            return true;
        }
    }
    return parse_primary(e, value);
}

bool visa_expression_unary(VisaExpression *e, int64_t *value)
{
    bool good;

    if (e->depth == MAX_DEPTH) {
        return visa_error_at(e->error, e->lexer->token.place,
                             "this expression is nested too deeply");
    }
    e->depth++;
    good = parse_unary(e, value);
    e->depth--;
    return good;
}
