/*
 * veu tools: integers in vISA text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_EXPRESSION_H
#define VEU_TOOLS_VISA_EXPRESSION_H

#include "tools/visa/lexer.h"

/* The size that %sizeof(NAME) means, bytes. Returns false if there is none. */
typedef bool (*VisaSizeOf)(void *opaque, const VisaToken *name,
                           uint64_t *bytes);

typedef struct VisaExpression {
    VisaLexer *lexer;
    VisaError *error;
    VisaSizeOf size_of;
    void *opaque;
    unsigned depth;
} VisaExpression;

/* Parses all operators: + - * / % << >> & ^ |. */
bool visa_expression(VisaExpression *e, int64_t *value);
/* Parses operators up to << and >>, for expressions before a '>'. */
bool visa_expression_shift(VisaExpression *e, int64_t *value);
/* Parses a sign, a number, a name, or an expression in parentheses. */
bool visa_expression_unary(VisaExpression *e, int64_t *value);

#endif
