/*
 * veu-spec: a table's cells, and tables as text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include "tools/lib/json.h"
#include "tools/veu-spec/veu-spec.h"
#include "veu/regs.h"

SpecTable *spec_table(GPtrArray *tables, const char *group, const char *name,
                      const char *key, const SpecColumn *columns)
{
    SpecTable *t = g_new0(SpecTable, 1);

    t->group = group;
    t->name = g_strdup(name);
    t->key = key;
    t->columns = columns;
    while (columns[t->column_count].title || columns[t->column_count].key) {
        t->column_count++;
    }
    t->cells = g_array_new(FALSE, FALSE, sizeof(SpecCell));
    g_ptr_array_add(tables, t);
    return t;
}

static const SpecCell *cell_at(const SpecTable *t, unsigned i)
{
    return &g_array_index(t->cells, SpecCell, i);
}

void spec_table_free(SpecTable *t)
{
    for (unsigned i = 0; i < t->cells->len; i++) {
        g_free(cell_at(t, i)->markdown);
        g_free(cell_at(t, i)->json);
    }
    g_array_free(t->cells, TRUE);
    g_free(t->name);
    g_free(t);
}

void spec_cell(SpecTable *t, char *markdown, char *json)
{
    SpecCell cell = { markdown, json };

    g_array_append_val(t->cells, cell);
}

/* Escapes what Markdown would take for a border. */
static char *escape_borders(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "|", -1);

    return g_strjoinv("\\|", parts);
}

void spec_text(SpecTable *t, const char *text)
{
    spec_cell(t, escape_borders(text), json_quote(text));
}

void spec_code(SpecTable *t, const char *text)
{
    spec_cell(t, g_strdup_printf("`%s`", text), json_quote(text));
}

void spec_number(SpecTable *t, uint64_t value)
{
    g_autofree char *text = g_strdup_printf("%" PRIu64, value);

    spec_number_as(t, text, value);
}

void spec_hex(SpecTable *t, int digits, uint64_t value)
{
    g_autofree char *text = g_strdup_printf("`0x%0*" PRIx64 "`", digits, value);

    spec_number_as(t, text, value);
}

void spec_number_as(SpecTable *t, const char *markdown, uint64_t value)
{
    spec_cell(t, g_strdup(markdown), g_strdup_printf("%" PRIu64, value));
}

void spec_null(SpecTable *t, const char *markdown)
{
    spec_cell(t, g_strdup(markdown), g_strdup("null"));
}

/* --- Markdown ------------------------------------------------------------ */

static void markdown_head(GString *out, const SpecTable *t)
{
    GString *rule = g_string_new("|");

    g_string_append_printf(out, "<!-- table: %s -->\n|", t->name);
    for (unsigned i = 0; i < t->column_count; i++) {
        if (t->columns[i].title) {
            g_string_append_printf(out, " %s |", t->columns[i].title);
            g_string_append(rule, "---|");
        }
    }
    g_string_append_printf(out, "\n%s\n", rule->str);
    g_string_free(rule, TRUE);
}

static void markdown_row(GString *out, const SpecTable *t, unsigned first)
{
    g_string_append_c(out, '|');
    for (unsigned i = 0; i < t->column_count; i++) {
        const char *text = cell_at(t, first + i)->markdown;

        if (t->columns[i].title) {
            g_string_append_printf(out, *text ? " %s |" : "%s |", text);
        }
    }
    g_string_append_c(out, '\n');
}

char *spec_markdown(const GPtrArray *tables)
{
    GString *out = g_string_new(NULL);

    for (unsigned i = 0; i < tables->len; i++) {
        const SpecTable *t = g_ptr_array_index(tables, i);

        markdown_head(out, t);
        for (unsigned j = 0; j < t->cells->len; j += t->column_count) {
            markdown_row(out, t, j);
        }
        g_string_append(out, "<!-- end -->\n");
    }
    return g_string_free(out, FALSE);
}

/* --- JSON ---------------------------------------------------------------- */

static void json_table(Json *j, const SpecTable *t)
{
    json_array(j, t->key ? t->key : t->group);
    for (unsigned i = 0; i < t->cells->len; i++) {
        const SpecColumn *column = &t->columns[i % t->column_count];

        if (i % t->column_count == 0) {
            json_row(j, NULL);
        }
        if (column->key) {
            json_raw(j, column->key, cell_at(t, i)->json);
        }
        if ((i + 1) % t->column_count == 0) {
            json_end(j);
        }
    }
    json_end(j);
}

char *spec_json(const GPtrArray *tables)
{
    const char *group = NULL;
    Json j;

    json_init(&j);
    json_object(&j, NULL);
    json_uint(&j, "abi_version", VEU_ABI_VERSION);
    for (unsigned i = 0; i < tables->len; i++) {
        const SpecTable *t = g_ptr_array_index(tables, i);
        const char *own = t->key ? t->group : NULL;

        if (group && group != own) {
            json_end(&j);
        }
        if (own && group != own) {
            json_object(&j, own);
        }
        group = own;
        json_table(&j, t);
    }
    if (group) {
        json_end(&j);
    }
    json_end(&j);
    return json_finish(&j);
}
