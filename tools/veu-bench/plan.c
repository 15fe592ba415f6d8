/*
 * veu-bench: the list of cases.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tools/veu-bench/plan.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

/* A dispatch of the table: 1024 messages. */
#define MESSAGES 64
#define THREADS  16

static const uint64_t footprints[] = { 16 * KIB, MIB, 64 * MIB };
static const unsigned lane_counts[] = { 8, 16, 32 };

static BenchCase base_case(const BenchKind *kind, unsigned lanes, uint64_t ram)
{
    return (BenchCase){
        .kind = kind,
        .lanes = lanes,
        .footprint = MIB,
        .messages = MESSAGES,
        .threads = THREADS,
        .surfaces = strstr(kind->text, "@T") != NULL,
        .ram = ram,
        .workers = 1,
    };
}

/* --- The table ----------------------------------------------------------- */

static void add_modes(GArray *plan, BenchCase c)
{
    c.mode = BENCH_DISPATCH;
    g_array_append_val(plan, c);
    c.mode = BENCH_INLINE;
    c.messages = 1;
    c.threads = MESSAGES * THREADS;
    g_array_append_val(plan, c);
}

static void add_patterns(GArray *plan, BenchCase c)
{
    for (unsigned f = 0; f < G_N_ELEMENTS(footprints); f++) {
        for (c.pattern = 0; c.pattern < BENCH_PATTERNS; c.pattern++) {
            c.footprint = footprints[f];
            if (bench_case_exists(&c)) {
                add_modes(plan, c);
            }
        }
    }
}

static void add_kind(GArray *plan, const BenchKind *kind, uint64_t ram)
{
    if (kind->lanes == 0) {
        add_patterns(plan, base_case(kind, 1, ram));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(lane_counts); i++) {
        if (kind->lanes & lane_counts[i]) {
            add_patterns(plan, base_case(kind, lane_counts[i], ram));
        }
    }
}

/* --- What should make no difference -------------------------------------- */

typedef struct Flat {
    const char *name;
    const char *kind;
    uint32_t messages; /* of a thread */
    uint32_t threads;
    uint32_t surfaces;
    unsigned workers;
    uint64_t ram;   /* 0: as in the table */
    bool is_spread; /* spread over half of the RAM */
    BenchMode mode;
} Flat;

static const Flat flats[] = {
    { "messages=10", "gather", 10, 1, 1, 1, 0, false, BENCH_DISPATCH },
    { "messages=100", "gather", 50, 2, 1, 1, 0, false, BENCH_DISPATCH },
    { "messages=1000", "gather", 50, 20, 1, 1, 0, false, BENCH_DISPATCH },
    { "messages=10000", "gather", 50, 200, 1, 1, 0, false, BENCH_DISPATCH },
    { "messages=100000", "gather", 50, 2000, 1, 1, 0, false, BENCH_DISPATCH },
    { "messages=1000000", "gather", 50, 20000, 1, 1, 0, false, BENCH_DISPATCH },
    { "surfaces=1", "gather", 64, 16, 1, 1, 0, false, BENCH_DISPATCH },
    { "surfaces=16", "gather", 64, 16, 16, 1, 0, false, BENCH_DISPATCH },
    { "surfaces=250", "gather", 64, 16, 250, 1, 0, false, BENCH_DISPATCH },
    { "surfaces=1", "gather", 1, 1024, 1, 1, 0, false, BENCH_INLINE },
    { "surfaces=250", "gather", 1, 1024, 250, 1, 0, false, BENCH_INLINE },
    { "ram=256M", "svm_gather", 64, 16, 1, 1, 256 * MIB, true, BENCH_DISPATCH },
    { "ram=1G", "svm_gather", 64, 16, 1, 1, GIB, true, BENCH_DISPATCH },
    { "ram=4G", "svm_gather", 64, 16, 1, 1, 4 * GIB, true, BENCH_DISPATCH },
    { "ram=16G", "svm_gather", 64, 16, 1, 1, 16 * GIB, true, BENCH_DISPATCH },
    { "ram=256M", "svm_scatter", 64, 16, 1, 1, 256 * MIB, true,
      BENCH_DISPATCH },
    { "ram=16G", "svm_scatter", 64, 16, 1, 1, 16 * GIB, true, BENCH_DISPATCH },
    { "workers=1", "gather", 64, 1024, 1, 1, 0, false, BENCH_DISPATCH },
    { "workers=2", "gather", 64, 1024, 1, 2, 0, false, BENCH_DISPATCH },
    { "workers=1", "scatter4_typed", 64, 1024, 1, 1, 0, false, BENCH_DISPATCH },
    { "workers=2", "scatter4_typed", 64, 1024, 1, 2, 0, false, BENCH_DISPATCH },
};

static void add_flat(GArray *plan, const Flat *flat, uint64_t ram)
{
    BenchCase c = base_case(bench_kind_find(flat->kind), 16, ram);

    c.messages = flat->messages;
    c.threads = flat->threads;
    c.surfaces *= flat->surfaces;
    c.workers = flat->workers;
    c.flat = flat->name;
    c.mode = flat->mode;
    c.one_payload = g_str_has_prefix(flat->name, "messages=");
    if (flat->ram) {
        c.ram = flat->ram;
    }
    if (flat->is_spread) {
        c.spread = c.ram / 2 / (c.footprint / BENCH_PAGE_BYTES);
    }
    g_array_append_val(plan, c);
}

/* --- Page tables, beside the identity context ---------------------------- */

typedef struct Paged {
    const char *kind;
    uint64_t footprint;
} Paged;

static const Paged paged[] = {
    { "gather", MIB },          { "scatter", MIB },
    { "svm_gather", MIB },      { "svm_scatter", MIB },
    { "qw_gather", MIB },       { "gather4_scaled", MIB },
    { "gather4_typed", MIB },   { "scatter4_typed", MIB },
    { "dword_atomic", MIB },    { "typed_atomic", MIB },
    { "gather", 64 * MIB },     { "scatter", 64 * MIB },
    { "svm_gather", 64 * MIB },
};

/* Page sizes; 0: the identity context. */
static const struct {
    const char *name;
    uint64_t bytes;
} page_sizes[] = {
    { "pages=none", 0 },
    { "pages=4K", 4 * KIB },
    { "pages=2M", 2 * MIB },
};

static void add_paged(GArray *plan, const Paged *row, uint64_t ram)
{
    BenchCase c = base_case(bench_kind_find(row->kind), 16, ram);

    c.footprint = row->footprint;
    for (unsigned i = 0; i < G_N_ELEMENTS(page_sizes); i++) {
        c.page_bytes = page_sizes[i].bytes;
        c.flat = page_sizes[i].name;
        g_array_append_val(plan, c);
    }
}

GArray *bench_plan(uint64_t ram)
{
    GArray *plan = g_array_new(FALSE, FALSE, sizeof(BenchCase));

    for (unsigned i = 0; i < bench_kind_count; i++) {
        add_kind(plan, &bench_kinds[i], ram);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(flats); i++) {
        add_flat(plan, &flats[i], ram);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(paged); i++) {
        add_paged(plan, &paged[i], ram);
    }
    return plan;
}
