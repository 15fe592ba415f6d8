/*
 * veu tools: directives of vISA text, such as .decl and .input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * encoding.md, section 6, "File".
 */
#include <string.h>
#include "tools/visa/align.h"
#include "tools/visa/directive.h"

static const char *const provenances[] = {
    [1] = "LOCAL_SIZE",
    [2] = "GROUP_COUNT",
    [3] = "LOCAL_ID",
};

const char *visa_provenance_name(uint8_t code)
{
    return code < G_N_ELEMENTS(provenances) ? provenances[code] : NULL;
}

/* LOCAL_SIZE, or UNDEFINED_1 */
bool visa_provenance_by_name(const char *name, size_t length, uint8_t *code)
{
    g_autofree char *text = g_strndup(name, length);

    for (unsigned i = 1; i < G_N_ELEMENTS(provenances); i++) {
        if (!strcmp(text, provenances[i])) {
            *code = i;
            return true;
        }
    }
    if (strncmp(text, "UNDEFINED_", 10) || strlen(text) > 12 ||
        strspn(text + 10, "0123456789") != strlen(text) - 10) {
        return false;
    }
    *code = g_ascii_strtoull(text + 10, NULL, 10);
    return *code >= 1 && *code <= 31;
}

/* --- .decl --------------------------------------------------------------- */

static bool parse_elements(VisaParser *p, VisaSymbol *symbol)
{
    int64_t elements;

    if (!visa_parse_integer(p, 0, UINT16_MAX, "number of elements",
                            &elements)) {
        return false;
    }
    symbol->elements = elements;
    return true;
}

static bool parse_symbol_type(VisaParser *p, VisaSymbol *symbol)
{
    return visa_parse_type(p, &symbol->type);
}

static bool parse_align(VisaParser *p, VisaSymbol *symbol)
{
    const VisaToken token = p->lexer.token;
    int64_t bytes;

    if (token.kind == VISA_TOKEN_NAME &&
        visa_align_by_name(token.start, token.length, &symbol->align)) {
        visa_lexer_next(&p->lexer);
        return true;
    }
    if (token.kind == VISA_TOKEN_NUMBER || token.start[0] == '%') {
        if (!visa_parse_integer(p, 1, 128, "alignment", &bytes)) {
            return false;
        }
        if (visa_align_by_bytes(bytes, &symbol->align)) {
            return true;
        }
    }
    visa_error_at(p->error, token.place, "there is no alignment %.*s",
                  (int)MIN(token.length, 20), token.start);
    return visa_hint(p->error, "write byte, word, dword, qword, oword, hword, "
                               "GRF, GRFx2, wordx32 or wordx64");
}

/* <V32, 64> */
static bool parse_alias(VisaParser *p, VisaSymbol *symbol)
{
    int64_t offset;

    if (!visa_parse_mark(p, "<") ||
        !visa_resolve(p->symbols, &p->lexer, VISA_VARIABLE, &symbol->alias,
                      p->error) ||
        !visa_parse_mark(p, ",") ||
        !visa_parse_integer(p, 0, UINT16_MAX, "offset", &offset)) {
        return false;
    }
    symbol->alias_byte = offset;
    return visa_parse_mark(p, ">");
}

/* The name in the object; text uses the other name. */
static bool parse_other_name(VisaParser *p, VisaSymbol *symbol)
{
    g_autofree char *name = visa_parse_name(p);

    if (name) {
        symbol->name = g_string_chunk_insert_const(p->symbols->routine->names,
                                                   name);
    }
    return name;
}

#define OF(kind)    (1u << VISA_##kind)
#define OF_VARIABLE OF(VARIABLE)
#define OF_STATE    (OF(SAMPLER) | OF(SURFACE))
#define OF_ALL      (~0u)

static const struct {
    const char *key;
    unsigned kinds;
    bool (*parse)(VisaParser *p, VisaSymbol *symbol);
} keys[] = {
    { "type", OF_VARIABLE, parse_symbol_type },
    { "num_elts", OF_ALL, parse_elements },
    { "align", OF_VARIABLE, parse_align },
    { "alias", OF_VARIABLE, parse_alias },
    { "v_name", OF_STATE, parse_other_name },
    { "attrs", OF_ALL, visa_parse_attributes },
};

/* KEY= and what follows it. */
static bool parse_key(VisaParser *p, VisaKind kind, VisaSymbol *symbol)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (visa_is_name(&p->lexer, keys[i].key, false) &&
            (keys[i].kinds & 1u << kind)) {
            visa_lexer_next(&p->lexer);
            return visa_parse_mark(p, "=") && keys[i].parse(p, symbol);
        }
    }
    visa_expected(&p->lexer, p->error, "a property");
    return visa_hint(p->error, kind == VISA_VARIABLE ?
                                   "write type=, num_elts=, align=, alias= or "
                                   "attrs=" :
                                   "write num_elts= or attrs=");
}

/* v_type=G */
static bool parse_kind(VisaParser *p, VisaKind *kind)
{
    static const VisaKind declared[] = { VISA_VARIABLE, VISA_ADDRESS,
                                         VISA_PREDICATE, VISA_SAMPLER,
                                         VISA_SURFACE };

    if (!visa_is_name(&p->lexer, "v_type", false)) {
        visa_expected(&p->lexer, p->error, "v_type=");
        return visa_hint(p->error, "write .decl V32 v_type=G type=ud "
                                   "num_elts=16 align=GRF");
    }
    visa_lexer_next(&p->lexer);
    if (!visa_parse_mark(p, "=")) {
        return false;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(declared); i++) {
        if (visa_is_name(&p->lexer, visa_kind_letter(declared[i]), false)) {
            *kind = declared[i];
            visa_lexer_next(&p->lexer);
            return true;
        }
    }
    visa_expected(&p->lexer, p->error, "a kind of variable");
    return visa_hint(p->error, "write G for general, A for address, P for "
                               "predicate, S for sampler, T for surface");
}

static bool at_line_end(const VisaLexer *lexer)
{
    return lexer->token.kind == VISA_TOKEN_NEWLINE ||
           lexer->token.kind == VISA_TOKEN_END;
}

static bool no_elements(VisaParser *p, const VisaToken *name)
{
    visa_error_at(p->error, name->place, "%.*s has no elements",
                  (int)MIN(name->length, 40), name->start);
    return visa_hint(p->error, "write how many it has: num_elts=16");
}

bool visa_parse_decl(VisaParser *p)
{
    const VisaToken name = p->lexer.token;
    VisaSymbol *symbol;
    VisaKind kind = VISA_VARIABLE;
    bool counted = false;

    if (name.kind != VISA_TOKEN_NAME || name.start[0] == '%') {
        return visa_expected(&p->lexer, p->error, "a name");
    }
    visa_lexer_next(&p->lexer);
    if (!parse_kind(p, &kind)) {
        return false;
    }
    symbol = visa_declare(p->symbols, kind, &name, p->error);
    if (!symbol) {
        return false;
    }
    while (!at_line_end(&p->lexer)) {
        counted |= visa_is_name(&p->lexer, "num_elts", false);
        if (!parse_key(p, kind, symbol)) {
            return false;
        }
    }
    return counted || no_elements(p, &name);
}

/* --- .input -------------------------------------------------------------- */

static bool find_input(VisaParser *p, VisaInput *input)
{
    const VisaToken name = p->lexer.token;
    VisaKind kind;

    if (name.kind != VISA_TOKEN_NAME ||
        !visa_find(p->symbols, &name, &kind, &input->id) ||
        (kind != VISA_VARIABLE && kind != VISA_SAMPLER &&
         kind != VISA_SURFACE)) {
        return visa_expected(&p->lexer, p->error,
                             "a variable, sampler or surface");
    }
    input->kind |= kind == VISA_VARIABLE ? VISA_INPUT_VARIABLE :
                   kind == VISA_SAMPLER  ? VISA_INPUT_SAMPLER :
                                           VISA_INPUT_SURFACE;
    visa_lexer_next(&p->lexer);
    return true;
}

/* KEY=number, if present. */
static bool parse_optional(VisaParser *p, const char *key, uint16_t *value)
{
    int64_t number;

    if (!visa_is_name(&p->lexer, key, false)) {
        return true;
    }
    visa_lexer_next(&p->lexer);
    if (!visa_parse_mark(p, "=") ||
        !visa_parse_integer(p, 0, UINT16_MAX, key, &number)) {
        return false;
    }
    *value = number;
    return true;
}

/* NAME [offset=64] [size=4] */
bool visa_parse_input(VisaParser *p, uint8_t provenance)
{
    const VisaToken name = p->lexer.token;
    VisaInput input = { .kind = provenance << 3 };
    uint64_t bytes;

    if (!find_input(p, &input)) {
        return false;
    }
    input.bytes = 4;
    if (visa_size_of(p->symbols, &name, &bytes)) {
        input.bytes = bytes;
    }
    if (!parse_optional(p, "offset", &input.offset) ||
        !parse_optional(p, "size", &input.bytes)) {
        return false;
    }
    g_array_append_val(p->symbols->routine->inputs, input);
    return true;
}
