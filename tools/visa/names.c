/*
 * veu tools: names of symbols in the text of an object.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "tools/visa/names.h"
#include "tools/visa/predefined.h"
#include "tools/visa/symbols.h"

/* A word that text may use; a label may contain a few more characters. */
static bool is_word(const char *name, VisaKind kind)
{
    const char *more = kind == VISA_LABEL ? "_-$@?" : "_";

    if (!*name || g_ascii_isdigit(*name) || *name == '-') {
        return false;
    }
    while (g_ascii_isalnum(*name) || (*name && strchr(more, *name))) {
        name++;
    }
    return !*name;
}

static void take(VisaNames *n, VisaKind kind, uint32_t index, char *name)
{
    g_hash_table_add(n->taken, name);
    n->names[kind]->pdata[index] = name;
}

/* Surfaces and samplers are named by their ids, as in the vendor's text. */
static bool keeps_name(const VisaNames *n, VisaKind kind, const char *name)
{
    return kind != VISA_SURFACE && kind != VISA_SAMPLER &&
           is_word(name, kind) && !g_hash_table_contains(n->taken, name);
}

static void keep_names(VisaNames *n, const VisaRoutine *routine, VisaKind kind)
{
    const GArray *symbols = routine->symbols[kind];

    g_ptr_array_set_size(n->names[kind], symbols->len);
    for (uint32_t i = 0; i < symbols->len; i++) {
        const char *name = g_array_index(symbols, VisaSymbol, i).name;

        if (keeps_name(n, kind, name)) {
            take(n, kind, i, g_strdup(name));
        }
    }
}

static char *make_name(VisaKind kind, uint32_t id, const char *tail)
{
    return g_strdup_printf("%c%u%s", visa_kind_prefix(kind), id, tail);
}

/* V40; if that is taken, V40_, V40__ and so on. */
static void make_names(VisaNames *n, VisaKind kind)
{
    for (uint32_t i = 0; i < n->names[kind]->len; i++) {
        if (!n->names[kind]->pdata[i]) {
            char *name = make_name(kind, visa_first_id(kind) + i, "");

            while (g_hash_table_contains(n->taken, name)) {
                char *longer = g_strconcat(name, "_", NULL);

                g_free(name);
                name = longer;
            }
            take(n, kind, i, name);
        }
    }
}

static void take_predefined(VisaNames *n)
{
    for (uint32_t id = 0; id < visa_first_id(VISA_VARIABLE); id++) {
        g_hash_table_add(n->taken, make_name(VISA_VARIABLE, id, ""));
    }
    for (uint32_t id = 0; id < visa_first_id(VISA_SURFACE); id++) {
        g_hash_table_add(n->taken,
                         g_strdup(visa_predefined(VISA_SURFACE, id)->name));
    }
    g_hash_table_add(n->taken, g_strdup("r")); /* r[A0(0)] */
}

VisaNames *visa_names_new(const VisaRoutine *routine)
{
    VisaNames *n = g_new0(VisaNames, 1);

    n->implicit = !routine;
    n->taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    take_predefined(n);
    for (unsigned kind = 0; kind < VISA_KINDS; kind++) {
        n->names[kind] = g_ptr_array_new();
        if (routine) {
            keep_names(n, routine, kind);
        }
    }
    for (unsigned kind = 0; kind < VISA_KINDS; kind++) {
        make_names(n, kind);
    }
    return n;
}

void visa_names_free(VisaNames *n)
{
    if (!n) {
        return;
    }
    for (unsigned kind = 0; kind < VISA_KINDS; kind++) {
        g_ptr_array_unref(n->names[kind]);
    }
    g_hash_table_unref(n->taken);
    g_free(n);
}

const char *visa_name(VisaNames *n, VisaKind kind, uint32_t id)
{
    const VisaPredefined *p = visa_predefined(kind, id);
    uint32_t first = visa_first_id(kind);

    if (p) {
        return p->name;
    }
    if (n->implicit && kind == VISA_SURFACE && (id == 252 || id == 255)) {
        /* in the documentation, T252 and T255 are other surfaces */
        return NULL;
    }
    if (n->implicit || (id < first && kind == VISA_VARIABLE)) {
        g_snprintf(n->made, sizeof(n->made), "%c%u", visa_kind_prefix(kind),
                   id);
        return n->made;
    }
    return id >= first && id - first < n->names[kind]->len ?
               n->names[kind]->pdata[id - first] :
               NULL;
}
