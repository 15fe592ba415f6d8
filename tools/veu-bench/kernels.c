/*
 * veu-bench: the command `kernels`.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>
#include "tools/veu-bench/kernels.h"

static const char summary[] =
    "Measures instructions, launches and compiled kernels on the device\n"
    "model, without QEMU, beside bare loops and other implementations of\n"
    "OpenCL. The manual page veu-bench(1) describes what is measured.";

typedef struct Options {
    char *filter;
    gboolean quick;
    gboolean list;
    gboolean json;
} Options;

/* --- Cases --------------------------------------------------------------- */

static GPtrArray *wanted_cases(const Options *o)
{
    GPtrArray *wanted = g_ptr_array_new();

    for (unsigned i = 0; i < kernel_case_count; i++) {
        if (!o->filter ||
            g_pattern_match_simple(o->filter, kernel_cases[i].name)) {
            g_ptr_array_add(wanted, (void *)&kernel_cases[i]);
        }
    }
    return wanted;
}

/* --- Running ------------------------------------------------------------- */

static bool run_case(const Options *o, KernelReport *report,
                     const KernelCase *c)
{
    KernelResult result = { .c = c };
    KernelMeter meter = {
        .rounds = o->quick ? 3 : 15,
        .sample_ns = o->quick ? 100e3 : 500e3,
        .result = &result,
    };

    kernel_report_next(report, c);
    if (!c->measure(c, &meter)) {
        return false;
    }
    kernel_report_result(report, &result);
    return true;
}

static bool run_cases(const Options *o, const GPtrArray *wanted)
{
    KernelReport *report = kernel_report_new(wanted->len, o->json);
    bool good = true;

    for (unsigned i = 0; good && i < wanted->len; i++) {
        good = run_case(o, report, wanted->pdata[i]);
    }
    kernel_report_end(report);
    return good;
}

static bool run(const Options *o)
{
    g_autoptr(GPtrArray) wanted = wanted_cases(o);

    if (!wanted->len) {
        return tool_error("no case has this name; veu-bench kernels --list "
                          "prints the names");
    }
    for (unsigned i = 0; o->list && i < wanted->len; i++) {
        puts(((const KernelCase *)wanted->pdata[i])->name);
    }
    return o->list || run_cases(o, wanted);
}

/* --- Options ------------------------------------------------------------- */

static bool parse(Options *o, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        { "filter", 0, 0, G_OPTION_ARG_STRING, &o->filter,
          "Only cases of such names: alu/*", "PATTERN" },
        { "quick", 0, 0, G_OPTION_ARG_NONE, &o->quick,
          "Less exact, in a fraction of the time", NULL },
        { "list", 0, 0, G_OPTION_ARG_NONE, &o->list,
          "Print the names of the cases; run none", NULL },
        { "json", 0, 0, G_OPTION_ARG_NONE, &o->json, "Print JSON", NULL },
        { NULL, 0, 0, 0, NULL, NULL, NULL },
    };
    GOptionContext *context = g_option_context_new(NULL);

    g_option_context_set_summary(context, summary);
    if (!tool_parse_options(context, entries, argc, argv)) {
        return false;
    }
    return *argc == 1 || tool_error("'%s': only options are accepted; write "
                                    "--filter '%s'",
                                    (*argv)[1], (*argv)[1]);
}

int bench_kernels(int argc, char **argv)
{
    Options o = { 0 };
    int status = 2;

    g_set_prgname("veu-bench kernels");
    if (parse(&o, &argc, &argv)) {
        status = run(&o) ? 0 : 1;
    }
    g_free(o.filter);
    return status;
}
