/*
 * veu-spec: prints the device's tables as Markdown or JSON.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include "tools/lib/options.h"
#include "tools/veu-spec/veu-spec.h"

enum {
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
};

typedef struct Arguments {
    char *format;
    gboolean json;
    gboolean list;
    char **names;
} Arguments;

static bool parse_arguments(Arguments *a, int argc, char **argv)
{
    const GOptionEntry entries[] = {
        { "format", 0, 0, G_OPTION_ARG_STRING, &a->format,
          "What to print: markdown (default) or json", "FORMAT" },
        { "json", 0, 0, G_OPTION_ARG_NONE, &a->json, "Short for --format json",
          NULL },
        { "list", 0, 0, G_OPTION_ARG_NONE, &a->list,
          "Print the names of the tables", NULL },
        { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &a->names, NULL,
          "[TABLE...]" },
        { 0 }
    };
    GOptionContext *context = g_option_context_new(NULL);

    g_option_context_set_summary(
        context,
        "Prints the tables of the veu device: registers, commands, messages "
        "and\ntheir fields, types, formats, counters, faults and structures. "
        "All of them,\nor those that are named: a table, or a group of "
        "tables.");
    return tool_parse_options(context, entries, &argc, &argv);
}

static bool decide_format(Arguments *a)
{
    if (a->format && g_str_equal(a->format, "json")) {
        a->json = TRUE;
    } else if (a->format && !g_str_equal(a->format, "markdown")) {
        return tool_error("--format %s: no such format; write markdown or json",
                          a->format);
    }
    return true;
}

static void free_table(gpointer table)
{
    spec_table_free(table);
}

/* All tables, or NULL with an error on stderr. */
static GPtrArray *make_tables(void)
{
    GPtrArray *tables = g_ptr_array_new_with_free_func(free_table);
    bool ok;

    spec_identity(tables);
    ok = spec_registers(tables);
    spec_commands(tables);
    spec_messages(tables);
    spec_formats(tables);
    spec_scanout_formats(tables);
    spec_counters(tables);
    spec_faults(tables);
    if (!spec_layouts(tables) || !ok) {
        g_ptr_array_unref(tables);
        return NULL;
    }
    return tables;
}

/*
 * Returns true if @text is the name, apart from case, "-" or " " instead of
 * "_", and a final s.
 */
static bool is_name(const char *text, const char *name)
{
    g_autofree char *a = g_strdelimit(g_ascii_strdown(text, -1), "- ", '_');
    g_autofree char *b = g_strdelimit(g_ascii_strdown(name, -1), "- ", '_');
    size_t length = strlen(a);

    return g_str_has_prefix(b, a) &&
           (!b[length] || g_str_equal(b + length, "s"));
}

static bool is_wanted(const SpecTable *t, const char *text)
{
    return is_name(text, t->name) || is_name(text, t->group);
}

/* Marks the tables that @text names. Returns false if there are none. */
static bool choose(const GPtrArray *tables, const char *text, bool *chosen)
{
    bool any = false;

    for (unsigned i = 0; i < tables->len; i++) {
        if (is_wanted(g_ptr_array_index(tables, i), text)) {
            chosen[i] = true;
            any = true;
        }
    }
    return any || tool_error("no table is named '%s'; veu-spec --list prints "
                             "the names",
                             text);
}

/* The named tables, in the order of all tables; NULL on an error. */
static GPtrArray *choose_all(const GPtrArray *tables, char **names)
{
    g_autofree bool *chosen = g_new0(bool, tables->len);
    GPtrArray *out;

    for (; *names; names++) {
        if (!choose(tables, *names, chosen)) {
            return NULL;
        }
    }
    out = g_ptr_array_new();
    for (unsigned i = 0; i < tables->len; i++) {
        if (chosen[i]) {
            g_ptr_array_add(out, g_ptr_array_index(tables, i));
        }
    }
    return out;
}

static void print_names(const GPtrArray *tables)
{
    const char *group = "";

    for (unsigned i = 0; i < tables->len; i++) {
        const SpecTable *t = g_ptr_array_index(tables, i);

        if (!g_str_equal(t->group, group)) {
            printf("%s\n", t->group);
        }
        if (t->key) {
            printf("  %s\n", t->name);
        }
        group = t->group;
    }
}

static int print_tables(const GPtrArray *tables, const Arguments *a)
{
    g_autoptr(GPtrArray) chosen = NULL;
    g_autofree char *text = NULL;

    if (a->list) {
        print_names(tables);
        return 0;
    }
    if (a->names) {
        chosen = choose_all(tables, a->names);
        if (!chosen) {
            return EXIT_USAGE;
        }
        tables = chosen;
    }
    text = a->json ? spec_json(tables) : spec_markdown(tables);
    fputs(text, stdout);
    return 0;
}

int main(int argc, char **argv)
{
    g_autoptr(GPtrArray) tables = NULL;
    Arguments a = { 0 };
    int status = EXIT_USAGE;

    setlocale(LC_CTYPE, "");
    g_set_prgname("veu-spec");
    if (parse_arguments(&a, argc, argv) && decide_format(&a)) {
        tables = make_tables();
        status = tables ? print_tables(tables, &a) : EXIT_FAILED;
    }
    if (!tool_flush_output()) {
        status = EXIT_FAILED;
    }
    g_free(a.format);
    g_strfreev(a.names);
    return status;
}
