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
    VISA_TOKEN_NEWLINE, /* one for any number of line ends */
    VISA_TOKEN_NAME,    /* V32, %null */
    VISA_TOKEN_NUMBER,  /* 16, 0x10 */
    VISA_TOKEN_FLOAT,   /* 1.5:f with its type */
    VISA_TOKEN_STRING,  /* "name" */
    VISA_TOKEN_LABEL,   /* name: at the start of a line */
    VISA_TOKEN_MARK,    /* any other character; << and >> are one mark */
    VISA_TOKEN_BAD,     /* lexer->error has the reason */
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
    VisaToken token; /* the current token */
    VisaError error;
} VisaLexer;

/* Reads the first token of @text, which ends with a 0 byte. */
void visa_lexer_init(VisaLexer *lexer, const char *text);
/* Moves to the next token. */
void visa_lexer_next(VisaLexer *lexer);

/* Returns true if the token is this mark. */
bool visa_is_mark(const VisaLexer *lexer, const char *mark);
/* Returns true if the token is this name, in any case if @any_case. */
bool visa_is_name(const VisaLexer *lexer, const char *name, bool any_case);
/* Skips the token if it is this mark. */
bool visa_accept_mark(VisaLexer *lexer, const char *mark);

/* The bytes of the string token, with its escapes decoded. */
GByteArray *visa_string_bytes(const VisaLexer *lexer);
/*
 * Reads hexadecimal bytes from the token on. Returns false if there are none.
 */
bool visa_hex_bytes(VisaLexer *lexer, GByteArray *bytes);

/* The description of the token in errors: 'gather', "end of line". */
void visa_token_describe(const VisaToken *token, char *text, size_t size);
/* Reports an error at the token: "expected @what, found ...". */
bool visa_expected(VisaLexer *lexer, VisaError *error, const char *what);

#endif
