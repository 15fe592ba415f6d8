/*
 * veu tools: vISA text as tokens.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * encoding.md, section 6: numbers are hexadecimal after 0x, and 017 is
 * seventeen; comments are those of C and C++; there may be blanks between any
 * two tokens.
 */
#include <glib.h>
#include <string.h>
#include "tools/visa/lexer.h"

static bool starts_name(char c)
{
    return g_ascii_isalpha(c) || c == '_';
}

static bool goes_on_name(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

static VisaPlace place_of(const VisaLexer *lexer, const char *at)
{
    return (VisaPlace){ lexer->line, at - lexer->line_start + 1 };
}

static void begin_line(VisaLexer *lexer)
{
    lexer->line++;
    lexer->line_start = lexer->at;
}

static void bad(VisaLexer *lexer, VisaPlace place, const char *message)
{
    lexer->token.kind = VISA_TOKEN_BAD;
    visa_error_at(&lexer->error, place, "%s", message);
}

/* Starts after its first two characters. Returns false if it does not end. */
static bool skip_block_comment(VisaLexer *lexer)
{
    VisaPlace place = place_of(lexer, lexer->at);

    for (lexer->at += 2; *lexer->at; lexer->at++) {
        if (!strncmp(lexer->at, "*/", 2)) {
            lexer->at += 2;
            return true;
        }
        if (*lexer->at == '\n') {
            lexer->at++;
            begin_line(lexer);
            lexer->at--;
        }
    }
    bad(lexer, place, "this comment has no end");
    return false;
}

/* Skips blanks and comments; the end of a line is a token. */
static bool skip_blanks(VisaLexer *lexer)
{
    for (;;) {
        lexer->at += strspn(lexer->at, " \t\r\f\v");
        if (!strncmp(lexer->at, "//", 2)) {
            lexer->at += strcspn(lexer->at, "\n");
        } else if (strncmp(lexer->at, "/*", 2)) {
            return true;
        } else if (!skip_block_comment(lexer)) {
            return false;
        }
    }
}

static bool is_float_type(const char *at)
{
    size_t length;

    if (*at++ != ':') {
        return false;
    }
    length = g_ascii_tolower(*at) == 'd' ? 2 : 1;
    return (!g_ascii_strncasecmp(at, "df", 2) || g_ascii_tolower(*at) == 'f') &&
           !goes_on_name(at[length]);
}

/* 1.5:f or 1e-3:df is one token; 4.8 in svm_gather.4.8 is not. */
static size_t float_length(const char *start)
{
    const char *at = start + strspn(start, "0123456789");
    bool fraction = *at == '.' && g_ascii_isdigit(at[1]);
    bool exponent;

    if (fraction) {
        at += 1 + strspn(at + 1, "0123456789");
    }
    exponent = g_ascii_tolower(*at) == 'e';
    if (exponent) {
        at += 1 + (at[1] == '+' || at[1] == '-');
        exponent = g_ascii_isdigit(*at);
        at += strspn(at, "0123456789");
    }
    if ((!fraction && !exponent) || !is_float_type(at)) {
        return 0;
    }
    return at - start + (g_ascii_tolower(at[1]) == 'd' ? 3 : 2);
}

static void lex_name(VisaLexer *lexer)
{
    const char *at = lexer->token.start + 1;

    while (goes_on_name(*at)) {
        at++;
    }
    lexer->token.kind = VISA_TOKEN_NAME;
    lexer->token.length = at - lexer->token.start;
}

static void lex_number(VisaLexer *lexer)
{
    VisaToken *token = &lexer->token;
    const char *start = token->start;
    bool hex = start[0] == '0' && g_ascii_tolower(start[1]) == 'x' &&
               g_ascii_isxdigit(start[2]);
    char *end;

    token->length = float_length(start);
    token->kind = VISA_TOKEN_FLOAT;
    if (!token->length) {
        errno = 0;
        token->kind = VISA_TOKEN_NUMBER;
        token->number = g_ascii_strtoull(start, &end, hex ? 16 : 10);
        token->length = end - start;
        if (starts_name(*end)) {
            lex_name(lexer); /* 2GRF */
        } else if (errno) {
            bad(lexer, token->place, "this number does not fit into 64 bits");
        }
    }
}

static void lex_string(VisaLexer *lexer)
{
    VisaToken *token = &lexer->token;
    const char *at = token->start + 1;

    token->kind = VISA_TOKEN_STRING;
    while (*at && *at != '"' && *at != '\n') {
        at += at[0] == '\\' && at[1] && at[1] != '\n' ? 2 : 1;
    }
    if (*at != '"') {
        bad(lexer, token->place, "this string has no end");
        at--;
    }
    token->length = at + 1 - token->start;
}

/*
 * name: at the start of a line; names of labels may contain a few more
 * characters.
 */
static bool lex_label(VisaLexer *lexer)
{
    const char *at = lexer->token.start;

    if (at != lexer->line_start || !(starts_name(*at) || strchr("$@?", *at))) {
        return false;
    }
    while (goes_on_name(*at) || (*at && strchr("-$@?", *at))) {
        at++;
    }
    if (*at != ':') {
        return false;
    }
    lexer->token.kind = VISA_TOKEN_LABEL;
    lexer->token.length = at + 1 - lexer->token.start;
    return true;
}

static void lex_newlines(VisaLexer *lexer)
{
    lexer->token.kind = VISA_TOKEN_NEWLINE;
    do {
        lexer->at++;
        begin_line(lexer);
    } while (skip_blanks(lexer) && *lexer->at == '\n');
}

static void lex_mark(VisaLexer *lexer)
{
    const char *at = lexer->token.start;

    lexer->token.kind = VISA_TOKEN_MARK;
    lexer->token.length = at[0] == at[1] && (*at == '<' || *at == '>') ? 2 : 1;
    if ((unsigned char)*at >= 0x80 || g_ascii_iscntrl(*at)) {
        bad(lexer, lexer->token.place, "this character has no meaning here");
    }
}

void visa_lexer_next(VisaLexer *lexer)
{
    if (lexer->token.kind == VISA_TOKEN_BAD || !skip_blanks(lexer)) {
        return;
    }
    lexer->token = (VisaToken){
        .kind = VISA_TOKEN_END,
        .start = lexer->at,
        .place = place_of(lexer, lexer->at),
    };
    if (*lexer->at == '\n') {
        lex_newlines(lexer);
        return;
    }
    if (!*lexer->at || lex_label(lexer)) {
    } else if (g_ascii_isdigit(*lexer->at)) {
        lex_number(lexer);
    } else if (starts_name(*lexer->at) ||
               (*lexer->at == '%' && starts_name(lexer->at[1]))) {
        lex_name(lexer);
    } else if (*lexer->at == '"') {
        lex_string(lexer);
    } else {
        lex_mark(lexer);
    }
    lexer->at += lexer->token.length;
}

void visa_lexer_init(VisaLexer *lexer, const char *text)
{
    *lexer = (VisaLexer){ .at = text, .line_start = text, .line = 1 };
    visa_lexer_next(lexer);
    if (lexer->token.kind == VISA_TOKEN_NEWLINE) {
        visa_lexer_next(lexer);
    }
}

bool visa_is_mark(const VisaLexer *lexer, const char *mark)
{
    const VisaToken *token = &lexer->token;

    return token->kind == VISA_TOKEN_MARK && *token->start == *mark &&
           token->length == strlen(mark) &&
           !strncmp(token->start, mark, token->length);
}

bool visa_is_name(const VisaLexer *lexer, const char *name, bool any_case)
{
    const VisaToken *token = &lexer->token;

    return token->kind == VISA_TOKEN_NAME && token->length == strlen(name) &&
           !(any_case ? g_ascii_strncasecmp(token->start, name, token->length) :
                        strncmp(token->start, name, token->length));
}

bool visa_accept_mark(VisaLexer *lexer, const char *mark)
{
    if (!visa_is_mark(lexer, mark)) {
        return false;
    }
    visa_lexer_next(lexer);
    return true;
}

/* The byte that an escape means; *at is moved past it. */
static uint8_t unescape(const char **at)
{
    static const char letters[] = "abefnrtv";
    static const char bytes[] = "\a\b\x1b\f\n\r\t\v";
    const char *letter = strchr(letters, **at);
    unsigned value = 0;

    if (**at == 'x' && g_ascii_isxdigit((*at)[1])) {
        (*at)++;
        for (int i = 0; i < 2 && g_ascii_isxdigit(**at); i++) {
            value = value * 16 + g_ascii_xdigit_value(*(*at)++);
        }
        return value;
    }
    if (**at >= '0' && **at <= '7') {
        for (int i = 0; i < 3 && **at >= '0' && **at <= '7'; i++) {
            value = value * 8 + *(*at)++ - '0';
        }
        return value;
    }
    value = letter && **at ? bytes[letter - letters] : **at;
    (*at)++;
    return value;
}

bool visa_hex_bytes(VisaLexer *lexer, GByteArray *bytes)
{
    const char *at = lexer->token.start;

    while (g_ascii_isxdigit(at[0]) && g_ascii_isxdigit(at[1])) {
        uint8_t byte = g_ascii_xdigit_value(at[0]) << 4 |
                       g_ascii_xdigit_value(at[1]);

        g_byte_array_append(bytes, &byte, 1);
        at += 2;
        at += strspn(at, " \t");
    }
    lexer->at = at;
    lexer->token.kind = VISA_TOKEN_MARK;
    visa_lexer_next(lexer);
    return bytes->len;
}

GByteArray *visa_string_bytes(const VisaLexer *lexer)
{
    GByteArray *bytes = g_byte_array_new();
    const char *at = lexer->token.start + 1;
    const char *end = lexer->token.start + lexer->token.length - 1;

    while (at < end) {
        uint8_t byte = *at++;

        if (byte == '\\' && at < end) {
            byte = unescape(&at);
        }
        g_byte_array_append(bytes, &byte, 1);
    }
    return bytes;
}

void visa_token_describe(const VisaToken *token, char *text, size_t size)
{
    if (token->kind == VISA_TOKEN_END) {
        g_strlcpy(text, "the end", size);
    } else if (token->kind == VISA_TOKEN_NEWLINE) {
        g_strlcpy(text, "the end of the line", size);
    } else {
        g_snprintf(text, size, "'%.*s'", (int)MIN(token->length, 40),
                   token->start);
    }
}

bool visa_expected(VisaLexer *lexer, VisaError *error, const char *what)
{
    char found[64];

    if (lexer->token.kind == VISA_TOKEN_BAD) {
        visa_error_at(error,
                      (VisaPlace){ lexer->error.line, lexer->error.column },
                      "%s", lexer->error.message);
        return visa_hint(error, "%s", lexer->error.hint);
    }
    visa_token_describe(&lexer->token, found, sizeof(found));
    return visa_error_at(error, lexer->token.place, "expected %s, found %s",
                         what, found);
}
