/*
 * veu tools: vISA text as tokens.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_TOOLS_VISA_LEXER_H
#define VEU_TOOLS_VISA_LEXER_H

#include <glib.h>
#include "tools/visa/error.h"

typedef enum VisaTokenKind {
    VISA_TOKEN_END,     /* of the text */
    VISA_TOKEN_NEWLINE, /* one for any number of lines */
    VISA_TOKEN_NAME,    /* V32, %null */
    VISA_TOKEN_NUMBER,  /* 16, 0x10 */
    VISA_TOKEN_FLOAT,   /* 1.5:f with its type */
    VISA_TOKEN_STRING,  /* "name" */
    VISA_TOKEN_LABEL,   /* name: at the start of a line */
    VISA_TOKEN_MARK,    /* any other character; << >> are one */
    VISA_TOKEN_BAD,     /* lexer->error says why */
} VisaTokenKind;

typedef struct VisaToken {
    VisaTokenKind kind;
    const char *start;
    size_t length;
    VisaPlace place;
    uint64_t number;
} VisaToken;

typedef struct VisaLexer {
    const char *at;
    const char *line_start;
    unsigned line;
    VisaToken token; /* the one that is looked at */
    VisaError error;
} VisaLexer;

/* Looks at the first token of @text, which ends with a 0 byte. */
void visa_lexer_init(VisaLexer *lexer, const char *text);
/* Moves to the next token. */
void visa_lexer_next(VisaLexer *lexer);

/* Returns true if the token is this mark. */
bool visa_is_mark(const VisaLexer *lexer, const char *mark);
/* Returns true if the token is this name, in any case if @any_case. */
bool visa_is_name(const VisaLexer *lexer, const char *name, bool any_case);
/* Moves on if it is this mark. */
bool visa_accept_mark(VisaLexer *lexer, const char *mark);

/* The bytes of the string token, its escapes undone. */
GByteArray *visa_string_bytes(const VisaLexer *lexer);
/* Skips hexadecimal bytes, from the token on; false: there are none there. */
bool visa_hex_bytes(VisaLexer *lexer, GByteArray *bytes);

/* How an error calls the token: 'gather', "end of line". */
void visa_token_describe(const VisaToken *token, char *text, size_t size);
/* An error at the token: "expected @what, found ...". */
bool visa_expected(VisaLexer *lexer, VisaError *error, const char *what);

#endif
