/*
 * veu tools: one instruction per line, for veu-as --hex and veu-dis --hex.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "tools/visa/directive.h"
#include "tools/visa/disassemble.h"
#include "tools/visa/hex_lines.h"
#include "tools/visa/instruction.h"

/* Longer than any instruction. */
#define MAX_LINE 4096

static bool at_line_end(const VisaLexer *lexer)
{
    return lexer->token.kind == VISA_TOKEN_NEWLINE ||
           lexer->token.kind == VISA_TOKEN_END;
}

static void skip_line(VisaLexer *lexer)
{
    while (!at_line_end(lexer) && lexer->token.kind != VISA_TOKEN_BAD) {
        visa_lexer_next(lexer);
    }
}

/* Reads the .decl lines and ignores others. */
static bool read_declarations(const char *text, VisaSymbols *symbols,
                              VisaError *error)
{
    VisaParser p = { .symbols = symbols, .error = error };

    visa_lexer_init(&p.lexer, text);
    while (p.lexer.token.kind != VISA_TOKEN_END) {
        error->hint[0] = '\0';
        if (visa_accept_mark(&p.lexer, ".") &&
            visa_is_name(&p.lexer, "decl", false)) {
            visa_lexer_next(&p.lexer);
            if (!visa_parse_decl(&p)) {
                return false;
            }
        }
        skip_line(&p.lexer);
        if (p.lexer.token.kind == VISA_TOKEN_BAD) {
            *error = p.lexer.error;
            return false;
        }
        visa_lexer_next(&p.lexer);
    }
    return true;
}

/* What is declared. */
typedef struct Declared {
    VisaObject *object;
    VisaSymbols *symbols;
    VisaNames *names;
} Declared;

static bool declare(Declared *d, const char *text, unsigned grf_bytes,
                    VisaError *error)
{
    VisaRoutine *routine;

    d->object = visa_object_new();
    routine = visa_object_add(d->object, "", false);
    d->symbols = visa_symbols_new(routine, grf_bytes);
    d->symbols->implicit = !text;
    if (text && !read_declarations(text, d->symbols, error)) {
        return false;
    }
    d->names = visa_names_new(text ? routine : NULL);
    return true;
}

static void forget(Declared *d)
{
    visa_names_free(d->names);
    visa_symbols_free(d->symbols);
    visa_object_free(d->object);
}

/* Reads a line without its end. Returns false at the end of the input. */
static bool read_line(char *line, bool *too_long)
{
    size_t length;
    int c = 0;

    if (!fgets(line, MAX_LINE, stdin)) {
        return false;
    }
    length = strlen(line);
    *too_long = length == MAX_LINE - 1 && line[length - 1] != '\n';
    while (*too_long && c != '\n' && c != EOF) {
        c = getchar();
    }
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

static void answer_error(const VisaError *error)
{
    printf("error: ");
    if (error->column) {
        printf("column %u: ", error->column);
    }
    printf("%s%s%s\n", error->message, error->hint[0] ? "; " : "", error->hint);
}

/* Returns false if the answers cannot be written. */
static bool answer_lines(bool (*answer)(const char *line, const Declared *d,
                                        VisaError *error),
                         const Declared *d, VisaError *cannot)
{
    char line[MAX_LINE];
    bool too_long;

    while (read_line(line, &too_long)) {
        VisaError error = { 0 };

        if (too_long) {
            visa_error(&error, "the line is too long");
        }
        if (too_long || !answer(line, d, &error)) {
            answer_error(&error);
        }
        if (fflush(stdout)) {
            return visa_error(cannot, "cannot write the answer: %s",
                              g_strerror(errno));
        }
    }
    return true;
}

static GByteArray *assemble_line(const char *line, VisaSymbols *symbols,
                                 VisaError *error)
{
    VisaParser p = { .symbols = symbols, .error = error };
    GByteArray *bytes = g_byte_array_new();

    visa_lexer_init(&p.lexer, line);
    if (!visa_parse_instruction(&p, bytes)) {
        g_clear_pointer(&bytes, g_byte_array_unref);
    }
    return bytes;
}

static bool answer_bytes(const char *line, const Declared *d, VisaError *error)
{
    GByteArray *bytes = assemble_line(line, d->symbols, error);

    if (!bytes) {
        return false;
    }
    for (unsigned i = 0; i < bytes->len; i++) {
        printf("%02x", bytes->data[i]);
    }
    putchar('\n');
    g_byte_array_unref(bytes);
    return true;
}

/* Pairs of digits, with or without blanks between them. */
static bool parse_hex(const char *line, GByteArray *bytes, VisaError *error)
{
    while (*(line += strspn(line, " \t"))) {
        int high = g_ascii_xdigit_value(line[0]);
        int low = high < 0 ? -1 : g_ascii_xdigit_value(line[1]);
        uint8_t byte;

        if (low < 0) {
            return visa_error(error, "bytes are two hexadecimal digits each");
        }
        byte = high << 4 | low;
        g_byte_array_append(bytes, &byte, 1);
        line += 2;
    }
    return true;
}

static bool answer_text(const char *line, const Declared *d, VisaError *error)
{
    GByteArray *bytes = g_byte_array_new();
    g_autofree char *text = NULL;

    if (parse_hex(line, bytes, error)) {
        text = visa_disassemble_line(bytes->data, bytes->len, d->names, error);
    }
    g_byte_array_unref(bytes);
    if (text) {
        puts(text);
    }
    return text;
}

bool visa_hex_assemble(const char *declarations, unsigned grf_bytes,
                       VisaError *error)
{
    Declared d = { 0 };
    bool good = declare(&d, declarations, grf_bytes, error);

    good = good && answer_lines(answer_bytes, &d, error);
    forget(&d);
    return good;
}

bool visa_hex_disassemble(const char *declarations, unsigned grf_bytes,
                          VisaError *error)
{
    Declared d = { 0 };
    bool good = declare(&d, declarations, grf_bytes, error);

    good = good && answer_lines(answer_text, &d, error);
    forget(&d);
    return good;
}
