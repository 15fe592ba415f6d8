/*
 * veu tools: integers in vISA text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_EXPRESSION_H
#define VEU_TOOLS_VISA_EXPRESSION_H

#include "tools/visa/lexer.h"

/* Bytes of what %sizeof(NAME) asks for; false where there is none. */
typedef bool (*VisaSizeOf)(void *opaque, const VisaToken *name,
                           uint64_t *bytes);

typedef struct VisaExpression {
    VisaLexer *lexer;
    VisaError *error;
    VisaSizeOf size_of;
    void *opaque;
    unsigned depth;
} VisaExpression;

/* With all operators: + - * / % << >> & ^ |. */
bool visa_expression(VisaExpression *e, int64_t *value);
/* Up to << and >>, for what stands before a '>'. */
bool visa_expression_shift(VisaExpression *e, int64_t *value);
/* A sign, a number, a name or something in parentheses. */
bool visa_expression_unary(VisaExpression *e, int64_t *value);

#endif
