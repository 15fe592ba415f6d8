/*
 * veu tools: labels of a kernel, and the strings that instructions name.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <string.h>
#include "tools/visa/label.h"

bool visa_take_name(VisaParser *p, VisaToken *name)
{
    VisaLexer *lexer = &p->lexer;

    *name = lexer->token;
    if (name->kind == VISA_TOKEN_STRING && name->length > 2) {
        name->start++;
        name->length -= 2;
    } else if (name->kind != VISA_TOKEN_NAME) {
        return visa_expected(lexer, p->error, "a name");
    }
    visa_lexer_next(lexer);
    return true;
}

/* --- Labels -------------------------------------------------------------- */

/* The uses of label @id. A label of a .label line has no place at first. */
static VisaLabelUse *use_of(VisaSymbols *s, uint32_t id)
{
    if (id >= s->label_uses->len) {
        g_array_set_size(s->label_uses, id + 1);
    }
    return &g_array_index(s->label_uses, VisaLabelUse, id);
}

bool visa_label_id(VisaParser *p, const VisaToken *name, uint32_t *id)
{
    VisaSymbols *s = p->symbols;
    VisaKind found;

    if (visa_find(s, name, &found, id) && found == VISA_LABEL) {
        return true;
    }
    *id = s->routine->symbols[VISA_LABEL]->len;
    if (*id > UINT16_MAX) {
        return visa_error_at(p->error, name->place,
                             "a kernel has at most 65536 labels");
    }
    if (!visa_declare(s, VISA_LABEL, name, p->error)) {
        return false;
    }
    use_of(s, *id)->first_use = name->place;
    return true;
}

bool visa_place_label(VisaParser *p, const VisaToken *name, uint32_t id)
{
    VisaLabelUse *use = use_of(p->symbols, id);

    if (use->is_placed) {
        return visa_error_at(p->error, name->place, "'%.*s' is here again",
                             (int)MIN(name->length, 40), name->start);
    }
    use->is_placed = true;
    return true;
}

bool visa_check_labels(const VisaSymbols *s, VisaError *error)
{
    for (uint32_t id = 0; s && id < s->label_uses->len; id++) {
        const VisaLabelUse *use = &g_array_index(s->label_uses, VisaLabelUse,
                                                 id);

        if (use->first_use.line && !use->is_placed) {
            visa_error_at(error, use->first_use, "there is no label %.40s",
                          visa_symbol(s->routine, VISA_LABEL, id)->name);
            return visa_hint(error, "write its name and a colon at the start "
                                    "of a line");
        }
    }
    return true;
}

bool visa_parse_label(VisaParser *p, uint32_t *id)
{
    VisaToken name;
    VisaKind kind;

    if (!visa_take_name(p, &name)) {
        return false;
    }
    if (p->symbols->implicit) {
        return (visa_find(p->symbols, &name, &kind, id) &&
                kind == VISA_LABEL) ||
               visa_error_at(p->error, name.place, "there is no label %.*s",
                             (int)MIN(name.length, 40), name.start);
    }
    return visa_label_id(p, &name, id);
}

/* --- Strings ------------------------------------------------------------- */

bool visa_parse_string_index(VisaParser *p, uint32_t most, uint32_t *index)
{
    VisaSymbols *s = p->symbols;
    GPtrArray *strings = s->routine->strings;
    g_autofree char *text = NULL;
    gpointer found;
    VisaToken name;

    if (!visa_take_name(p, &name)) {
        return false;
    }
    text = g_strndup(name.start, name.length);
    if (g_hash_table_lookup_extended(s->strings, text, NULL, &found)) {
        *index = GPOINTER_TO_UINT(found);
        return true;
    }
    if (memchr(name.start, '\\', name.length)) {
        return visa_error_at(p->error, name.place,
                             "a function's name has no escapes");
    }
    if (name.length > VISA_MAX_NAME || strings->len >= most) {
        return visa_error_at(p->error, name.place,
                             name.length > VISA_MAX_NAME ?
                                 "this name has more than 1024 characters" :
                                 "the kernel names too many functions");
    }
    *index = strings->len;
    g_ptr_array_add(strings,
                    g_string_chunk_insert_const(s->routine->names, text));
    g_hash_table_insert(s->strings, g_steal_pointer(&text),
                        GUINT_TO_POINTER(*index));
    return true;
}
