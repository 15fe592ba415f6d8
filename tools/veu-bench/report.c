/*
 * veu-bench: reports: a table, or JSON; progress on a terminal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "hw/veu/eu/simd/cpu.h"
#include "tools/veu-bench/plan.h"

#define CLEAR_LINE "\r\033[K"

/* "model name" of /proc/cpuinfo; the caller frees it. */
static char *cpu_model(void)
{
    g_autofree char *text = NULL;
    const char *at;

    if (!g_file_get_contents("/proc/cpuinfo", &text, NULL, NULL)) {
        return g_strdup("unknown");
    }
    at = strstr(text, "model name");
    at = at ? strchr(at, ':') : NULL;
    return at ? g_strndup(at + 2, strcspn(at + 2, "\n")) : g_strdup("unknown");
}

void bench_report_begin_json(Json *json)
{
    g_autofree char *model = cpu_model();

    json_init(json);
    json_object(json, NULL);
    json_string(json, "cpu", model);
    json_uint(json, "processors", g_get_num_processors());
    json_string(json, "clones", veu_cpu_names[veu_cpu]);
    json_array(json, "cases");
}

void bench_report_begin(BenchReport *r, unsigned total, bool json)
{
    *r = (BenchReport){
        .json = json,
        .shows_progress = isatty(STDERR_FILENO),
        .total = total,
    };
    if (json) {
        bench_report_begin_json(&r->document);
    }
}

void bench_report_next(BenchReport *r, const BenchCase *c)
{
    g_autofree char *name = bench_case_name(c);

    if (r->shows_progress) {
        fprintf(stderr, CLEAR_LINE "veu-bench: %u of %u: %s", r->done + 1,
                r->total, name);
        fflush(stderr);
    }
    r->done++;
}

/* --- The table ----------------------------------------------------------- */

static void print_head(void)
{
    printf("%-44s %9s %7s %9s %6s %9s %6s  %s\n", "case", "ns/msg", "ns/lane",
           "scalar", "ratio", "SIMD", "ratio", "loop");
}

static void print_row(const BenchResult *r)
{
    g_autofree char *name = bench_case_name(&r->c);
    double ns = r->device.best_ns;
    double scalar = r->loop[BENCH_SCALAR].best_ns;
    double simd = r->loop[r->simd].best_ns;

    printf("%-44s %9.1f %7.2f %9.1f %6.2f %9.1f %6.2f  %s\n", name, ns,
           ns / r->c.lanes, scalar, ns / scalar, simd, ns / simd,
           bench_flavours[r->simd].name);
    fflush(stdout);
}

/* --- JSON ---------------------------------------------------------------- */

/* More digits would be noise. */
static void json_rounded(Json *json, const char *key, double value)
{
    json_double(json, key, round(value * 100) / 100);
}

static void json_figure(Json *json, const char *key, const BenchFigure *f)
{
    json_row(json, key);
    json_rounded(json, "best_ns", f->best_ns);
    json_rounded(json, "median_ns", f->median_ns);
    json_end(json);
}

static void json_case(Json *json, const BenchCase *c)
{
    g_autofree char *name = bench_case_name(c);

    json_string(json, "name", name);
    json_string(json, "kind", c->kind->name);
    json_uint(json, "lanes", c->lanes);
    json_uint(json, "footprint", c->footprint);
    json_string(json, "pattern", bench_pattern_names[c->pattern]);
    json_string(json, "mode", bench_mode_names[c->mode]);
    json_uint(json, "messages", bench_message_count(c));
    json_uint(json, "surfaces", c->surfaces);
    json_uint(json, "ram", c->ram);
    json_uint(json, "workers", c->workers);
}

static void json_result(Json *json, const BenchResult *r)
{
    json_row(json, NULL);
    json_case(json, &r->c);
    json_figure(json, "device", &r->device);
    json_row(json, "loops");
    for (unsigned i = 0; i < BENCH_FLAVOURS; i++) {
        if (r->loop[i].best_ns > 0) {
            json_figure(json, bench_flavours[i].name, &r->loop[i]);
        }
    }
    json_end(json);
    json_string(json, "simd", bench_flavours[r->simd].name);
    json_rounded(json, "ratio_scalar",
                 r->device.best_ns / r->loop[BENCH_SCALAR].best_ns);
    json_rounded(json, "ratio_simd",
                 r->device.best_ns / r->loop[r->simd].best_ns);
    json_end(json);
}

void bench_report_result(BenchReport *r, const BenchResult *result)
{
    if (r->shows_progress) {
        fputs(CLEAR_LINE, stderr);
    }
    if (r->json) {
        json_result(&r->document, result);
        json_flush(&r->document, stdout);
        return;
    }
    if (!r->headed) {
        print_head();
        r->headed = true;
    }
    print_row(result);
}

void bench_report_end(BenchReport *r, bool ok)
{
    g_autofree char *text = NULL;

    if (r->shows_progress) {
        fputs(CLEAR_LINE, stderr);
    }
    if (r->json) {
        json_end(&r->document);
        json_end(&r->document);
        text = json_finish(&r->document);
        fputs(text, stdout);
    }
}
