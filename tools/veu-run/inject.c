/*
 * veu-run: --fault-inject: faults that the user injects.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/fault-inject.md has the rules.
 */
#include <inttypes.h>
#include "tools/veu-run/veu-run.h"

#define ONE_RING 1

bool run_inject_parse(const char *text, VeuInjectRules *rules)
{
    VeuInjectError error = { 0 };

    if (!veu_inject_parse(text ? text : "", ONE_RING, rules, &error)) {
        return tool_error("--fault-inject: %s\n%s", error.text, error.hint);
    }
    return true;
}

/* ---- their results ---- */

/* Receives the numbers of the device's rules, in order. */
typedef struct Taker {
    VeuInspector inspector; /* first */
    VeuInjectRule *next;
} Taker;

static void take_number(VeuInspector *v, const char *name, uint64_t value)
{
    VeuInjectRule *rule = ((Taker *)v)->next;

    if (g_str_equal(name, "matched")) {
        rule->matched = value;
    } else {
        rule->fired = value;
    }
}

static void skip_text(VeuInspector *v, const char *name, const char *value)
{
}

static void open_rule(VeuInspector *v, const char *name)
{
}

static void close_rule(VeuInspector *v)
{
    ((Taker *)v)->next++;
}

void run_inject_take(VeuDevice *device, VeuInjectRules *rules)
{
    Taker t = {
        .inspector = { .open = open_rule,
                       .close = close_rule,
                       .number = take_number,
                       .text = skip_text },
        .next = rules->rule,
    };

    veu_inspect_inject(device, &t.inspector);
}

static char *rule_text(const VeuInjectRules *rules, unsigned n)
{
    return g_strstrip(g_strdup(rules->split + rules->rule[n].text_at));
}

void run_inject_print(const Run *run)
{
    const VeuInjectRules *rules = &run->rules;

    for (unsigned i = 0; i < rules->count; i++) {
        g_autofree char *text = rule_text(rules, i);

        g_printerr("veu-run: rule '%s' matched %" PRIu64 ", fired %" PRIu64
                   "\n",
                   text, rules->rule[i].matched, rules->rule[i].fired);
    }
    if (run->hangs) {
        g_printerr("veu-run: the program hangs, because of a rule\n");
    }
}

void run_inject_json(Run *run)
{
    const VeuInjectRules *rules = &run->rules;

    if (!rules->count) {
        return;
    }
    json_array(&run->json, "rules");
    for (unsigned i = 0; i < rules->count; i++) {
        g_autofree char *text = rule_text(rules, i);

        json_row(&run->json, NULL);
        json_string(&run->json, "rule", text);
        json_uint(&run->json, "matched", rules->rule[i].matched);
        json_uint(&run->json, "fired", rules->rule[i].fired);
        json_end(&run->json);
    }
    json_end(&run->json);
}
