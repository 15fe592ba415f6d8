/*
 * veu-bench: the cost of messages; for kernels, see kernels.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include "tools/veu-bench/kernels.h"
#include "tools/veu-bench/plan.h"
#include "tools/lib/number.h"

#define MIB       (UINT64_C(1) << 20)
#define RAM_BYTES (1024 * MIB)
#define MIN_RAM   (256 * MIB)
#define MAX_RAM   (16 * 1024 * MIB)

static const char summary[] =
    "Measures messages on the device model, without QEMU, against bare loops\n"
    "that do the same accesses in the same run. Ratios are what matters. The\n"
    "manual page veu-bench(1) describes what is measured.";

static const BenchEffort full = { .rounds = 15, .sample_ns = 500e3 };
static const BenchEffort quick = { .rounds = 5, .sample_ns = 100e3 };

typedef struct Options {
    char *kind;
    char *footprint;
    char *filter;
    char *ram;
    gboolean quick;
    gboolean once;
    gboolean list;
    gboolean json;
    uint64_t ram_bytes;
    uint64_t footprint_bytes; /* 0: all */
    GPatternSpec *pattern;    /* NULL: all */
} Options;

/* --- Options ------------------------------------------------------------- */

static bool parse(Options *o, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        { "kind", 0, 0, G_OPTION_ARG_STRING, &o->kind,
          "Only messages of this kind", "KIND" },
        { "footprint", 0, 0, G_OPTION_ARG_STRING, &o->footprint,
          "Only on this much memory: 16K, 1M or 64M", "BYTES" },
        { "filter", 0, 0, G_OPTION_ARG_STRING, &o->filter,
          "Only cases of such names: gather*/16/*", "PATTERN" },
        { "ram", 0, 0, G_OPTION_ARG_STRING, &o->ram,
          "Guest RAM, 256M to 16G [1G]", "BYTES" },
        { "quick", 0, 0, G_OPTION_ARG_NONE, &o->quick,
          "Less exact, in a fraction of the time", NULL },
        { "once", 0, 0, G_OPTION_ARG_NONE, &o->once,
          "Run each case once on the device, for counting instructions", NULL },
        { "list", 0, 0, G_OPTION_ARG_NONE, &o->list,
          "Print the names of the cases; run none", NULL },
        { "json", 0, 0, G_OPTION_ARG_NONE, &o->json, "Print JSON", NULL },
        { NULL, 0, 0, 0, NULL, NULL, NULL },
    };
    GOptionContext *context = g_option_context_new(NULL);

    g_option_context_set_summary(context, summary);
    return tool_parse_options(context, entries, argc, argv);
}

static bool check_kind(const Options *o)
{
    GString *names;
    g_autofree char *text = NULL;

    if (!o->kind || bench_kind_find(o->kind)) {
        return true;
    }
    names = g_string_new(NULL);
    for (unsigned i = 0; i < bench_kind_count; i++) {
        g_string_append_printf(names, " %s", bench_kinds[i].name);
    }
    text = g_string_free(names, FALSE);
    return tool_error("--kind %s: invalid kind; write one of:%s", o->kind,
                      text);
}

static bool check_numbers(Options *o)
{
    o->ram_bytes = RAM_BYTES;
    if (o->ram && (!number_parse(o->ram, &o->ram_bytes) ||
                   o->ram_bytes < MIN_RAM || o->ram_bytes > MAX_RAM)) {
        return tool_error("--ram %s: write a number of bytes from 256M to "
                          "16G",
                          o->ram);
    }
    if (o->footprint &&
        (!number_parse(o->footprint, &o->footprint_bytes) ||
         (o->footprint_bytes != 16384 && o->footprint_bytes != MIB &&
          o->footprint_bytes != 64 * MIB))) {
        return tool_error("--footprint %s: write 16K, 1M or 64M", o->footprint);
    }
    return true;
}

static bool check_options(Options *o, int argc, char **argv)
{
    if (argc > 1) {
        return tool_error(
            "'%s': only options are accepted; write --filter '%s'", argv[1],
            argv[1]);
    }
    if (o->once && o->json) {
        return tool_error("--once measures nothing: omit --json");
    }
    if (o->filter) {
        o->pattern = g_pattern_spec_new(o->filter);
    }
    return check_kind(o) && check_numbers(o);
}

static void free_options(Options *o)
{
    g_free(o->kind);
    g_free(o->footprint);
    g_free(o->filter);
    g_free(o->ram);
    g_clear_pointer(&o->pattern, g_pattern_spec_free);
}

/* --- Cases --------------------------------------------------------------- */

static bool is_wanted(const Options *o, const BenchCase *c)
{
    g_autofree char *name = bench_case_name(c);

    return (!o->kind || strcmp(o->kind, c->kind->name) == 0) &&
           (!o->footprint_bytes || o->footprint_bytes == c->footprint) &&
           (!o->pattern || g_pattern_spec_match_string(o->pattern, name));
}

static GArray *wanted_cases(const Options *o)
{
    GArray *plan = bench_plan(o->ram_bytes);
    unsigned kept = 0;

    for (unsigned i = 0; i < plan->len; i++) {
        BenchCase *c = &g_array_index(plan, BenchCase, i);

        if (is_wanted(o, c)) {
            g_array_index(plan, BenchCase, kept++) = *c;
        }
    }
    g_array_set_size(plan, kept);
    return plan;
}

/* Cases of one size of RAM share it. */
static bool provide_ram(BenchRam *ram, uint64_t bytes)
{
    if (ram->bytes == bytes) {
        return true;
    }
    bench_ram_free(ram);
    return bench_ram_init(ram, bytes);
}

static bool run_case(const Options *o, BenchReport *report, BenchRam *ram,
                     const BenchCase *c)
{
    BenchResult result;

    if (o->once) {
        return bench_once(ram, c);
    }
    bench_report_next(report, c);
    if (!bench_measure(ram, c, o->quick ? &quick : &full, &result)) {
        return false;
    }
    bench_report_result(report, &result);
    return true;
}

static bool run_cases(const Options *o, const GArray *plan)
{
    BenchRam ram = { 0 };
    BenchReport report;
    bool ok = true;

    bench_report_begin(&report, plan->len, o->json);
    for (unsigned i = 0; ok && i < plan->len; i++) {
        const BenchCase *c = &g_array_index(plan, BenchCase, i);

        ok = provide_ram(&ram, c->ram) && run_case(o, &report, &ram, c);
    }
    bench_report_end(&report, ok);
    bench_ram_free(&ram);
    return ok;
}

static void list_cases(const GArray *plan)
{
    for (unsigned i = 0; i < plan->len; i++) {
        const BenchCase *c = &g_array_index(plan, BenchCase, i);
        g_autofree char *name = bench_case_name(c);

        puts(name);
    }
}

static int bench(const Options *o)
{
    GArray *plan = wanted_cases(o);
    bool ok = true;

    if (plan->len == 0) {
        ok = tool_error("no case has this name; veu-bench --list prints the "
                        "names");
    } else if (o->list) {
        list_cases(plan);
    } else {
        ok = run_cases(o, plan);
    }
    g_array_free(plan, TRUE);
    return ok ? 0 : 1;
}

static int bench_messages(int argc, char **argv)
{
    Options o = { 0 };
    int status = 2;

    if (parse(&o, &argc, &argv) && check_options(&o, argc, argv)) {
        status = bench(&o);
    }
    free_options(&o);
    return status;
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    int status;

    setlocale(LC_CTYPE, "");
    g_set_prgname("veu-bench");
    status = !strcmp(command, "kernels") ? bench_kernels(argc - 1, argv + 1) :
             !strcmp(command, "paging")  ? bench_paging(argc - 1, argv + 1) :
                                           bench_messages(argc, argv);
    return tool_flush_output() ? status : 1;
}
