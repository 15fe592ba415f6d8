/*
 * veu-bench: the list of cases, and their report.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_BENCH_PLAN_H
#define VEU_TOOLS_BENCH_PLAN_H

#include "tools/veu-bench/bench.h"
#include "tools/lib/json.h"

/* An array of BenchCase, in the order of the report. */
GArray *bench_plan(uint64_t ram);

/* --- Reports: report.c --------------------------------------------------- */

typedef struct BenchReport {
    bool json;
    bool shows_progress;
    bool headed; /* the head of the table has been printed */
    unsigned total;
    unsigned done;
    Json document;
} BenchReport;

/* Begins an object with the CPU and an array of cases, both left open. */
void bench_report_begin_json(Json *document);
void bench_report_begin(BenchReport *r, unsigned total, bool json);
/* This case is next. */
void bench_report_next(BenchReport *r, const BenchCase *c);
void bench_report_result(BenchReport *r, const BenchResult *result);
void bench_report_end(BenchReport *r, bool ok);

#endif
