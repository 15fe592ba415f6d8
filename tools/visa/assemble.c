/*
 * veu tools: from vISA text to objects and instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A line is a directive, a label or an instruction. Besides the directives of
 * vISA, there are two for parts of an object that have no text: .bytes, an
 * instruction without text, and .label, a label ahead of its line.
 */
#include <string.h>
#include "tools/visa/assemble.h"
#include "tools/visa/directive.h"
#include "tools/visa/instruction.h"
#include "tools/visa/label.h"

/* Further errors are mostly consequences of the first ones. */
#define ERRORS_MAX 20

typedef struct Assembler {
    VisaParser parser;
    VisaObject *object;
    VisaRoutine *routine; /* of the line; NULL before the first one */
    unsigned grf_bytes;
    /* number of errors; the newest is kept, as it may be the last */
    unsigned errors;
    VisaError last;
} Assembler;

static bool at_line_end(const VisaLexer *lexer)
{
    return lexer->token.kind == VISA_TOKEN_NEWLINE ||
           lexer->token.kind == VISA_TOKEN_END;
}

static void emit(Assembler *a, VisaPlace place, const uint8_t *code,
                 uint32_t bytes)
{
    VisaLine line = { .code_at = a->routine->code->len, .place = place };

    g_array_append_val(a->routine->lines, line);
    g_byte_array_append(a->routine->code, code, bytes);
}

/* --- Labels -------------------------------------------------------------- */

/* name: an instruction label, or a subroutine if .function declared it. */
static bool parse_label_line(Assembler *a)
{
    VisaParser *p = &a->parser;
    VisaToken name = p->lexer.token;
    uint8_t opcode;
    uint32_t id;

    name.length--;
    visa_lexer_next(&p->lexer);
    if (!visa_label_id(p, &name, &id) || !visa_place_label(p, &name, id)) {
        return false;
    }
    opcode = visa_symbol(a->routine, VISA_LABEL, id)->label_kind ==
                     VISA_LABEL_SUBROUTINE ?
                 VISA_OPCODE_SUBROUTINE :
                 VISA_OPCODE_LABEL;
    emit(a, name.place, (uint8_t[]){ opcode, id, id >> 8 }, 3);
    return true;
}

/* .label NAME kind=0 */
static bool parse_label(Assembler *a)
{
    VisaParser *p = &a->parser;
    VisaToken name;
    VisaSymbol *symbol;
    int64_t kind = 0;

    if (!visa_take_name(p, &name)) {
        return false;
    }
    symbol = visa_declare(p->symbols, VISA_LABEL, &name, p->error);
    if (!symbol) {
        return false;
    }
    if (visa_is_name(&p->lexer, "kind", false)) {
        visa_lexer_next(&p->lexer);
        if (!visa_parse_mark(p, "=") ||
            !visa_parse_integer(p, 0, UINT8_MAX, "kind", &kind)) {
            return false;
        }
    }
    symbol->label_kind = kind;
    return true;
}

/* .function NAME: the label with this name begins a subroutine. */
static bool parse_function(Assembler *a)
{
    VisaToken name;
    uint32_t id;

    if (!visa_take_name(&a->parser, &name) ||
        !visa_label_id(&a->parser, &name, &id)) {
        return false;
    }
    visa_symbol(a->routine, VISA_LABEL, id)->label_kind = VISA_LABEL_SUBROUTINE;
    return true;
}

/* --- Directives ---------------------------------------------------------- */

static bool begin_routine(Assembler *a, bool function)
{
    g_autofree char *name = visa_parse_name(&a->parser);

    if (!name) {
        return false;
    }
    if (!visa_check_labels(a->parser.symbols, a->parser.error)) {
        return false;
    }
    a->routine = visa_object_add(a->object, name, function);
    visa_symbols_free(a->parser.symbols);
    a->parser.symbols = visa_symbols_new(a->routine, a->grf_bytes);
    return true;
}

static bool parse_kernel(Assembler *a)
{
    return begin_routine(a, false);
}

static bool parse_global_function(Assembler *a)
{
    return begin_routine(a, true);
}

/* The version has no effect: version 4.1 is written. */
static bool parse_version(Assembler *a)
{
    int64_t number;

    return visa_parse_integer(&a->parser, 0, 255, "version", &number) &&
           visa_parse_mark(&a->parser, ".") &&
           visa_parse_integer(&a->parser, 0, 255, "version", &number);
}

static bool parse_decl(Assembler *a)
{
    return visa_parse_decl(&a->parser);
}

static bool parse_input(Assembler *a)
{
    return visa_parse_input(&a->parser, 0);
}

static bool parse_kernel_attribute(Assembler *a)
{
    return visa_parse_kernel_attribute(&a->parser);
}

static bool parse_bytes(Assembler *a)
{
    VisaPlace place = a->parser.lexer.token.place;
    GByteArray *bytes = g_byte_array_new();
    bool good = visa_hex_bytes(&a->parser.lexer, bytes);

    if (good) {
        emit(a, place, bytes->data, bytes->len);
    } else {
        visa_error_at(a->parser.error, place, "expected a byte");
        visa_hint(a->parser.error, "write two hexadecimal digits for each");
    }
    g_byte_array_unref(bytes);
    return good;
}

/* A declaration for tools: the name of a .global_function. */
static bool parse_function_declaration(Assembler *a)
{
    g_autofree char *name = visa_parse_name(&a->parser);

    return name;
}

static const struct {
    const char *name;
    bool (*parse)(Assembler *a);
    bool outside; /* may stand before the first kernel */
} directives[] = {
    { "version", parse_version, true },
    { "kernel", parse_kernel, true },
    { "global_function", parse_global_function, true },
    { "funcdecl", parse_function_declaration, true },
    { "decl", parse_decl, false },
    { "input", parse_input, false },
    { "parameter", parse_input, false },
    { "kernel_attr", parse_kernel_attribute, false },
    { "function", parse_function, false },
    { "label", parse_label, false },
    { "bytes", parse_bytes, false },
};

static bool needs_routine(Assembler *a, VisaPlace place)
{
    visa_error_at(a->parser.error, place, "this stands before any kernel");
    return visa_hint(a->parser.error, "begin with .kernel \"name\"");
}

/* .implicit_LOCAL_SIZE NAME */
static bool parse_implicit(Assembler *a)
{
    static const char prefix[] = "implicit_";
    const VisaToken *token = &a->parser.lexer.token;
    size_t length = strlen(prefix);
    uint8_t provenance;

    if (token->length <= length || strncmp(token->start, prefix, length) ||
        !visa_provenance_by_name(token->start + length, token->length - length,
                                 &provenance)) {
        visa_expected(&a->parser.lexer, a->parser.error, "a directive");
        return visa_hint(a->parser.error,
                         "write .version, .kernel, .decl, .input, "
                         ".kernel_attr, .function, .global_function, .label or "
                         ".bytes");
    }
    if (!a->routine) {
        return needs_routine(a, token->place);
    }
    visa_lexer_next(&a->parser.lexer);
    return visa_parse_input(&a->parser, provenance);
}

/* --- Lines of instructions ----------------------------------------------- */

static bool parse_instruction(Assembler *a)
{
    VisaLine line = { .code_at = a->routine->code->len,
                      .place = a->parser.lexer.token.place };

    if (!visa_parse_instruction(&a->parser, a->routine->code)) {
        return false;
    }
    g_array_append_val(a->routine->lines, line);
    return true;
}

/* .file and .loc, which the vendor's assembler has as instructions. */
static bool is_remark(const VisaLexer *lexer)
{
    return visa_is_name(lexer, "file", false) ||
           visa_is_name(lexer, "loc", false);
}

/* Behind the dot. */
static bool parse_directive(Assembler *a)
{
    VisaLexer *lexer = &a->parser.lexer;

    if (is_remark(lexer)) {
        return a->routine ? parse_instruction(a) :
                            needs_routine(a, lexer->token.place);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(directives); i++) {
        if (visa_is_name(lexer, directives[i].name, false)) {
            if (!a->routine && !directives[i].outside) {
                return needs_routine(a, lexer->token.place);
            }
            visa_lexer_next(lexer);
            return directives[i].parse(a);
        }
    }
    return parse_implicit(a);
}

static bool parse_line(Assembler *a)
{
    VisaLexer *lexer = &a->parser.lexer;

    if (visa_accept_mark(lexer, ".")) {
        return parse_directive(a);
    }
    if (!a->routine) {
        return needs_routine(a, lexer->token.place);
    }
    if (lexer->token.kind == VISA_TOKEN_LABEL) {
        return parse_label_line(a);
    }
    return parse_instruction(a);
}

/* --- Lines ---------------------------------------------------------------- */

/* A label may be followed by an instruction. */
static bool parse_whole_line(Assembler *a)
{
    VisaLexer *lexer = &a->parser.lexer;
    bool label = lexer->token.kind == VISA_TOKEN_LABEL;

    a->parser.error->hint[0] = '\0';
    return parse_line(a) &&
           (label || at_line_end(lexer) ||
            visa_expected(lexer, a->parser.error, "the end of the line"));
}

static void report_last(Assembler *a)
{
    if (a->errors) {
        a->parser.error->report(&a->last, a->parser.error->opaque);
    }
}

/*
 * After an error, proceeds to the next line. Returns false if this error is the
 * last.
 */
static bool recover(Assembler *a)
{
    VisaLexer *lexer = &a->parser.lexer;

    if (!a->parser.error->report) {
        return false;
    }
    report_last(a);
    while (!at_line_end(lexer) && lexer->token.kind != VISA_TOKEN_BAD) {
        visa_lexer_next(lexer);
    }
    a->last = *a->parser.error;
    return ++a->errors < ERRORS_MAX && lexer->token.kind != VISA_TOKEN_BAD;
}

static bool parse_lines(Assembler *a)
{
    VisaLexer *lexer = &a->parser.lexer;

    while (lexer->token.kind != VISA_TOKEN_END) {
        if (!parse_whole_line(a) && !recover(a)) {
            return false;
        }
        if (lexer->token.kind == VISA_TOKEN_NEWLINE) {
            visa_lexer_next(lexer);
        }
    }
    if (a->errors) {
        *a->parser.error = a->last;
        return false;
    }
    return a->object->routines->len ?
               visa_check_labels(a->parser.symbols, a->parser.error) :
               needs_routine(a, lexer->token.place);
}

VisaObject *visa_assemble(const char *text, unsigned grf_bytes,
                          VisaError *error)
{
    Assembler a = {
        .parser.error = error,
        .object = visa_object_new(),
        .grf_bytes = grf_bytes,
    };
    bool good;

    visa_lexer_init(&a.parser.lexer, text);
    good = parse_lines(&a);
    visa_symbols_free(a.parser.symbols);
    if (!good) {
        visa_object_free(a.object);
        return NULL;
    }
    return a.object;
}
