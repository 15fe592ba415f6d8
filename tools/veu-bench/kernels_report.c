/*
 * veu-bench: reports of kernels: a table, or JSON; progress on a terminal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <unistd.h>
#include "hw/veu/eu/simd/cpu.h"
#include "tools/veu-bench/kernels.h"
#include "tools/veu-bench/plan.h"

#define CLEAR_LINE "\r\033[K"

struct KernelReport {
    bool json;
    bool shows_progress;
    bool headed; /* the head of the table has been printed */
    unsigned total;
    unsigned done;
    /* sum of the logarithms of the kernels' ratios to the peer */
    double logarithms;
    unsigned kernels; /* that have one */
    Json document;
};

static const char *const parts[KERNEL_PARTS] = {
    [KERNEL_DEVICE] = "device",
    [KERNEL_LOOP] = "loop",
    [KERNEL_PEER] = "peer",
};

KernelReport *kernel_report_new(unsigned total, bool json)
{
    KernelReport *r = g_new0(KernelReport, 1);

    r->json = json;
    r->shows_progress = isatty(STDERR_FILENO);
    r->total = total;
    if (json) {
        bench_report_begin_json(&r->document);
    }
    return r;
}

void kernel_report_next(KernelReport *r, const KernelCase *c)
{
    if (r->shows_progress) {
        fprintf(stderr, CLEAR_LINE "veu-bench: %u of %u: %s", r->done + 1,
                r->total, c->name);
        fflush(stderr);
    }
    r->done++;
}

/* --- Goals --------------------------------------------------------------- */

/* The goal in ns on this CPU; 0: none. */
static double goal_ns(const KernelGoal *g)
{
    if (veu_cpu == VEU_CPU_SCALAR) {
        return 0;
    }
    return veu_cpu == VEU_CPU_AVX512 ? g->avx512_ns : g->ns;
}

static double ratio_to(const KernelResult *r, KernelPart part)
{
    double other = r->figure[part].best_ns;

    return other > 0 ? r->figure[KERNEL_DEVICE].best_ns / other : 0;
}

static bool has_goal(const KernelResult *r)
{
    return goal_ns(&r->c->goal) > 0 ||
           (r->c->goal.ratio > 0 && ratio_to(r, KERNEL_PEER) > 0);
}

static bool meets_goal(const KernelResult *r)
{
    double ns = goal_ns(&r->c->goal);
    double ratio = r->c->goal.ratio;

    return (ns == 0 || r->figure[KERNEL_DEVICE].best_ns <= ns) &&
           (ratio == 0 || ratio_to(r, KERNEL_PEER) <= ratio);
}

/* --- The table ----------------------------------------------------------- */

static void print_head(void)
{
    printf("%-24s %11s %-20s %9s %7s %11s %7s  %s\n", "case", "ns", "per",
           "loop", "ratio", "peer", "ratio", "goal");
}

static void print_other(const KernelResult *r, KernelPart part, int width)
{
    if (r->figure[part].best_ns > 0) {
        printf(" %*.2f %7.3g", width, r->figure[part].best_ns,
               ratio_to(r, part));
    } else {
        printf(" %*s %7s", width, "-", "-");
    }
}

static void print_goal(const KernelResult *r)
{
    double ns = goal_ns(&r->c->goal);

    if (!has_goal(r)) {
        printf("  -\n");
    } else if (ns > 0) {
        printf("  %g ns: %s\n", ns, meets_goal(r) ? "yes" : "no");
    } else {
        printf("  %gx: %s\n", r->c->goal.ratio, meets_goal(r) ? "yes" : "no");
    }
}

static void print_row(const KernelResult *r)
{
    printf("%-24s %11.2f %-20s", r->c->name, r->figure[KERNEL_DEVICE].best_ns,
           r->c->unit);
    print_other(r, KERNEL_LOOP, 9);
    print_other(r, KERNEL_PEER, 11);
    print_goal(r);
    fflush(stdout);
}

/* --- JSON ---------------------------------------------------------------- */

/* More digits would be noise. */
static double rounded(double value)
{
    return round(value * 1000) / 1000;
}

static void json_goal(Json *json, const KernelResult *r)
{
    double ns = goal_ns(&r->c->goal);

    if (!has_goal(r)) {
        return;
    }
    if (ns > 0) {
        json_double(json, "goal_ns", ns);
    } else {
        json_double(json, "goal_ratio", r->c->goal.ratio);
    }
    json_raw(json, "met", meets_goal(r) ? "true" : "false");
}

static void json_part(Json *json, const KernelResult *r, KernelPart part)
{
    if (r->figure[part].best_ns > 0) {
        json_row(json, parts[part]);
        if (part == KERNEL_PEER) {
            json_string(json, "name", r->peer);
        }
        json_double(json, "best_ns", rounded(r->figure[part].best_ns));
        json_double(json, "median_ns", rounded(r->figure[part].median_ns));
        if (part != KERNEL_DEVICE) {
            json_double(json, "ratio", rounded(ratio_to(r, part)));
        }
        json_end(json);
    }
}

static void json_result(Json *json, const KernelResult *r)
{
    json_row(json, NULL);
    json_string(json, "name", r->c->name);
    json_string(json, "unit", r->c->unit);
    for (unsigned part = 0; part < KERNEL_PARTS; part++) {
        json_part(json, r, part);
    }
    json_goal(json, r);
    json_end(json);
}

/* --- Both ---------------------------------------------------------------- */

static void count_kernel(KernelReport *r, const KernelResult *result)
{
    double ratio = ratio_to(result, KERNEL_PEER);

    if (g_str_has_prefix(result->c->name, "kernel/") && ratio > 0) {
        r->logarithms += log(ratio);
        r->kernels++;
    }
}

static double geometric_mean(const KernelReport *r)
{
    return exp(r->logarithms / r->kernels);
}

void kernel_report_result(KernelReport *r, const KernelResult *result)
{
    if (r->shows_progress) {
        fputs(CLEAR_LINE, stderr);
    }
    count_kernel(r, result);
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

void kernel_report_end(KernelReport *r)
{
    if (r->shows_progress) {
        fputs(CLEAR_LINE, stderr);
    }
    if (r->json) {
        g_autofree char *text = NULL;

        json_end(&r->document);
        if (r->kernels) {
            json_double(&r->document, "geometric_mean",
                        rounded(geometric_mean(r)));
        }
        json_end(&r->document);
        text = json_finish(&r->document);
        fputs(text, stdout);
    } else if (r->kernels) {
        printf("geometric mean of %u kernels to their peer: %.2f\n", r->kernels,
               geometric_mean(r));
    }
    g_free(r);
}
