/*
 * veu-run: --explain: explains a fault.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>
#include "tools/lib/json.h"
#include "tools/lib/names.h"
#include "tools/veu-run/veu-run.h"

#define TEXT_COLUMN  11
#define TEXT_COLUMNS 67

/* The length of @text that fits into a line, up to the last blank. */
static size_t line_length(const char *text)
{
    size_t end = strlen(text);

    if (end <= TEXT_COLUMNS) {
        return end;
    }
    for (end = TEXT_COLUMNS; end && text[end] != ' '; end--) {}
    return end ? end : TEXT_COLUMNS;
}

void run_append_field(GString *out, const char *label, const char *text)
{
    g_string_append_printf(out, "  %-8s ", label);
    for (;;) {
        size_t length = line_length(text);

        g_string_append_len(out, text, length);
        g_string_append_c(out, '\n');
        text += length + (text[length] == ' ');
        if (!*text) {
            return;
        }
        g_string_append_printf(out, "%*s", TEXT_COLUMN, "");
    }
}

static bool no_such_fault(const char *name)
{
    GString *names = g_string_new(NULL);

    for (unsigned i = 0; i < veu_fault_count; i++) {
        g_string_append_printf(names, "\n  0x%02x %s", veu_faults[i].code,
                               veu_faults[i].name);
    }
    tool_error("--explain %s: no such fault; the faults are%s", name,
               names->str);
    g_string_free(names, TRUE);
    return false;
}

static void print_json(const VeuFaultInfo *info)
{
    g_autofree char *text = NULL;
    Json j;

    json_init(&j);
    json_object(&j, NULL);
    json_uint(&j, "code", info->code);
    json_string(&j, "name", info->name);
    json_string(&j, "cause", info->cause);
    json_string(&j, "effect", info->effect);
    json_string(&j, "advice", info->advice);
    json_end(&j);
    text = json_finish(&j);
    fputs(text, stdout);
}

static void print_text(const VeuFaultInfo *info)
{
    GString *out = g_string_new(NULL);

    run_append_field(out, "cause", info->cause);
    run_append_field(out, "before", info->effect);
    run_append_field(out, "advice", info->advice);
    printf("%s (0x%02x)\n%s", info->name, info->code, out->str);
    g_string_free(out, TRUE);
}

bool run_explain(const char *name, bool as_json)
{
    const VeuFaultInfo *info = fault_by_name(name);

    if (!info) {
        return no_such_fault(name);
    }
    if (as_json) {
        print_json(info);
    } else {
        print_text(info);
    }
    return true;
}
