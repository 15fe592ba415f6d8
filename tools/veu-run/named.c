/*
 * veu-run: the variables that an instruction names, with their values.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers are shown by number, and instructions name variables. The names are
 * taken from the instruction's text, which has those of messages, too.
 */
#include <inttypes.h>
#include <string.h>
#include "hw/veu/eu/program/type.h"
#include "tools/lib/names.h"
#include "tools/veu-run/veu-run.h"

/* The maximum number of elements that a line shows. */
#define MAX_ELEMENTS 64

/* Returns NULL if the program does not declare it, or @s lacks its bytes. */
static const struct veu_variable *find(const Run *run, const RunState *s,
                                       uint64_t id)
{
    const VeuProgram *p = run->program.declared;
    const struct veu_variable *v;

    if (id < VEU_FIRST_VARIABLE ||
        id - VEU_FIRST_VARIABLE >= p->variable_count) {
        return NULL;
    }
    v = &p->variables[id - VEU_FIRST_VARIABLE];
    return v->offset <= s->register_bytes &&
                   (uint64_t)v->elements * veu_type_bytes(v->type) <=
                       s->register_bytes - v->offset ?
               v :
               NULL;
}

/* Moves @text past its next "V33". Returns false if there is none. */
static bool next_name(const char **text, uint64_t *id)
{
    const char *from = *text;

    for (const char *at = from; *at; at++) {
        if (at[0] == 'V' && g_ascii_isdigit(at[1]) &&
            (at == from || !g_ascii_isalnum(at[-1]))) {
            *id = g_ascii_strtoull(at + 1, (char **)text, 10);
            return true;
        }
    }
    return false;
}

/* The ids in @text that are variables, each once. */
static GArray *ids_in(const Run *run, const RunState *s, const char *text)
{
    GArray *ids = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    uint64_t id;

    while (next_name(&text, &id)) {
        bool seen = false;

        for (unsigned i = 0; i < ids->len; i++) {
            seen |= g_array_index(ids, uint64_t, i) == id;
        }
        if (!seen && find(run, s, id)) {
            g_array_append_val(ids, id);
        }
    }
    return ids;
}

static GArray *ids_at(const Run *run, const RunState *s)
{
    g_autofree char *text = run_instruction_text(run, s->offset);

    return ids_in(run, s, text ? text : "");
}

/* Unsigned numbers of 64 bits are usually addresses. */
static char *element_text(uint8_t type, const uint8_t *element)
{
    uint64_t address;

    if (type != VEU_TYPE_UQ) {
        return run_value_text(type, element);
    }
    memcpy(&address, element, sizeof(address));
    return g_strdup_printf("0x%" PRIx64, address);
}

char *run_named_text(const Run *run, const RunState *s)
{
    g_autoptr(GArray) ids = ids_at(run, s);
    GString *out = g_string_new(NULL);

    for (unsigned n = 0; n < ids->len; n++) {
        uint64_t id = g_array_index(ids, uint64_t, n);
        const struct veu_variable *v = find(run, s, id);
        unsigned size = veu_type_bytes(v->type);

        g_string_append_printf(out, "V%" PRIu64 " %s[%" PRIu32 "]", id,
                               name_of_type(v->type), v->elements);
        for (uint32_t i = 0; i < MIN(v->elements, MAX_ELEMENTS); i++) {
            g_autofree char *value =
                element_text(v->type, s->registers + v->offset + i * size);

            g_string_append_printf(out, " %" PRIu32 ":%s", i, value);
        }
        g_string_append(out, v->elements > MAX_ELEMENTS ? " ...\n" : "\n");
    }
    return g_string_free(out, FALSE);
}

void run_named_json(Run *run, const RunState *s)
{
    Json *json = &run->json;
    g_autoptr(GArray) ids = ids_at(run, s);

    json_array(json, "variables");
    for (unsigned n = 0; n < ids->len; n++) {
        uint64_t id = g_array_index(ids, uint64_t, n);
        const struct veu_variable *v = find(run, s, id);
        g_autofree char *name = g_strdup_printf("V%" PRIu64, id);
        unsigned size = veu_type_bytes(v->type);

        json_row(json, NULL);
        json_string(json, "variable", name);
        json_string(json, "type", name_of_type(v->type));
        json_list(json, "values");
        for (uint32_t i = 0; i < v->elements; i++) {
            run_value_json(json, v->type, s->registers + v->offset + i * size);
        }
        json_end(json);
        json_end(json);
    }
    json_end(json);
}
