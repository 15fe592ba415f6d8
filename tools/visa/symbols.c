/*
 * veu tools: names in vISA text, and their ids.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/program/program.h"
#include "tools/visa/predefined.h"
#include "tools/visa/symbols.h"

/* Packs kind and id into one pointer for a hash table. */
#define PACK(kind, id) GSIZE_TO_POINTER(((gsize)(id) << 8) | ((kind) + 1))
#define KIND(packed)   ((VisaKind)((GPOINTER_TO_SIZE(packed) & 0xff) - 1))
#define ID(packed)     ((uint32_t)(GPOINTER_TO_SIZE(packed) >> 8))

static const struct {
    const char *name;
    const char *letter; /* of v_type= */
    char prefix;        /* prefix of generated names: V32 */
} kinds[VISA_KINDS] = {
    [VISA_VARIABLE] = { "a variable", "G", 'V' },
    [VISA_ADDRESS] = { "an address variable", "A", 'A' },
    [VISA_PREDICATE] = { "a predicate", "P", 'P' },
    [VISA_LABEL] = { "a label", "L", 'L' },
    [VISA_SAMPLER] = { "a sampler", "S", 'S' },
    [VISA_SURFACE] = { "a surface", "T", 'T' },
};

const char *visa_kind_name(VisaKind kind)
{
    return kinds[kind].name;
}

const char *visa_kind_letter(VisaKind kind)
{
    return kinds[kind].letter;
}

char visa_kind_prefix(VisaKind kind)
{
    return kinds[kind].prefix;
}

static void add_name(VisaSymbols *s, const char *name, VisaKind kind,
                     uint32_t id)
{
    g_hash_table_insert(s->ids, g_strdup(name), PACK(kind, id));
}

/*
 * Every predefined variable also has the name V and its id, as in the vendor's
 * text.
 */
static void add_predefined(VisaSymbols *s)
{
    for (uint32_t id = 0; id < VEU_FIRST_VARIABLE; id++) {
        const VisaPredefined *p = visa_predefined(VISA_VARIABLE, id);
        char alias[8];

        g_snprintf(alias, sizeof(alias), "V%u", id);
        add_name(s, alias, VISA_VARIABLE, id);
        if (p) {
            add_name(s, p->name, VISA_VARIABLE, id);
        }
    }
    for (uint32_t id = 0; id < VEU_FIRST_SURFACE; id++) {
        add_name(s, visa_predefined(VISA_SURFACE, id)->name, VISA_SURFACE, id);
    }
}

/* The documentation's names, which a declaration may use. */
static bool find_alias(const VisaToken *name, uint32_t *id)
{
    static const struct {
        const char *name;
        uint32_t id;
    } aliases[] = {
        { "T0", 0 },   { "T3", 3 }, { "T4", 4 },
        { "T252", 4 }, { "T5", 5 }, { "T255", 5 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(aliases); i++) {
        if (strlen(aliases[i].name) == name->length &&
            !strncmp(aliases[i].name, name->start, name->length)) {
            *id = aliases[i].id;
            return true;
        }
    }
    return false;
}

VisaSymbols *visa_symbols_new(VisaRoutine *routine, unsigned grf_bytes)
{
    VisaSymbols *s = g_new0(VisaSymbols, 1);

    s->routine = routine;
    s->grf_bytes = grf_bytes;
    s->ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    s->strings = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    s->label_uses = g_array_new(FALSE, TRUE, sizeof(VisaLabelUse));
    add_predefined(s);
    return s;
}

void visa_symbols_free(VisaSymbols *s)
{
    if (s) {
        g_hash_table_unref(s->ids);
        g_hash_table_unref(s->strings);
        g_array_unref(s->label_uses);
        g_free(s);
    }
}

/* V40, if nothing is declared. */
static bool find_implicit(const VisaToken *name, VisaKind *kind, uint32_t *id)
{
    uint64_t number = 0;

    for (unsigned k = 0; k < VISA_KINDS; k++) {
        if (kinds[k].prefix == name->start[0]) {
            *kind = k;
        }
    }
    if (name->length < 2 || name->length > 11 || *kind == VISA_KINDS) {
        return false;
    }
    for (size_t i = 1; i < name->length; i++) {
        if (!g_ascii_isdigit(name->start[i])) {
            return false;
        }
        number = number * 10 + name->start[i] - '0';
    }
    *id = number;
    return number <= (*kind == VISA_VARIABLE ? UINT32_MAX : UINT16_MAX);
}

bool visa_find(const VisaSymbols *s, const VisaToken *name, VisaKind *kind,
               uint32_t *id)
{
    g_autofree char *text = g_strndup(name->start, name->length);
    gpointer packed = g_hash_table_lookup(s->ids, text);

    if (packed) {
        *kind = KIND(packed);
        *id = ID(packed);
        return true;
    }
    *kind = VISA_SURFACE;
    if (find_alias(name, id)) {
        return true;
    }
    *kind = VISA_KINDS;
    return s->implicit && find_implicit(name, kind, id);
}

VisaSymbol *visa_declare(VisaSymbols *s, VisaKind kind, const VisaToken *token,
                         VisaError *error)
{
    g_autofree char *name = g_strndup(token->start, token->length);
    uint32_t id = visa_first_id(kind) + s->routine->symbols[kind]->len;

    if (token->length > VISA_MAX_NAME) {
        visa_error_at(error, token->place,
                      "this name has more than %u characters", VISA_MAX_NAME);
        return NULL;
    }
    if (g_hash_table_contains(s->ids, name)) {
        visa_error_at(error, token->place, "'%.40s' is declared already", name);
        return NULL;
    }
    add_name(s, name, kind, id);
    return visa_add_symbol(s->routine, kind, name);
}

static bool not_found(const VisaToken *name, VisaKind kind, VisaError *error)
{
    int length = MIN(name->length, 40);

    visa_error_at(error, name->place, "there is no%s %.*s",
                  strchr(kinds[kind].name, ' '), length, name->start);
    if (kind == VISA_VARIABLE) {
        return visa_hint(error,
                         "declare it: .decl %.*s v_type=G type=ud "
                         "num_elts=16 align=GRF",
                         length, name->start);
    }
    return visa_hint(error, "declare it: .decl %.*s v_type=%s num_elts=1",
                     length, name->start, kinds[kind].letter);
}

bool visa_resolve(VisaSymbols *s, VisaLexer *lexer, VisaKind kind, uint32_t *id,
                  VisaError *error)
{
    const VisaToken name = lexer->token;
    VisaKind found;

    if (name.kind != VISA_TOKEN_NAME) {
        return visa_expected(lexer, error, kinds[kind].name);
    }
    if (!visa_find(s, &name, &found, id)) {
        return not_found(&name, kind, error);
    }
    if (found != kind) {
        return visa_error_at(error, name.place, "%.*s is %s, not %s",
                             (int)MIN(name.length, 40), name.start,
                             kinds[found].name, kinds[kind].name);
    }
    visa_lexer_next(lexer);
    return true;
}

static uint64_t variable_bytes(const VisaSymbols *s, uint32_t id)
{
    const VisaSymbol *symbol = visa_symbol(s->routine, VISA_VARIABLE, id);
    const VisaPredefined *p = visa_predefined(VISA_VARIABLE, id);

    if (symbol) {
        return (uint64_t)symbol->elements * veu_type_bytes(symbol->type);
    }
    return p ? (uint64_t)p->elements * veu_type_bytes(p->type) : 0;
}

bool visa_size_of(void *symbols, const VisaToken *name, uint64_t *bytes)
{
    VisaSymbols *s = symbols;
    VisaKind kind;
    uint32_t id;

    /* Before the first kernel, .version has no symbols. */
    if (!s) {
        return false;
    }
    if (visa_find(s, name, &kind, &id)) {
        *bytes = variable_bytes(s, id);
        return kind == VISA_VARIABLE;
    }
    *bytes = s->grf_bytes;
    return name->length == 3 && !strncmp(name->start, "GRF", 3);
}
