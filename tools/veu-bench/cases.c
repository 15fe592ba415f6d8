/*
 * veu-bench: the names of cases.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tools/veu-bench/bench.h"

const char *const bench_pattern_names[BENCH_PATTERNS] = {
    [BENCH_RANDOM] = "random",
    [BENCH_CONSECUTIVE] = "consecutive",
    [BENCH_OUTSIDE] = "outside",
};

const char *const bench_mode_names[BENCH_MODES] = {
    [BENCH_DISPATCH] = "dispatch",
    [BENCH_INLINE] = "inline",
};

char *bench_bytes_text(uint64_t bytes)
{
    static const char units[] = " KMG";
    unsigned unit = 0;

    while (bytes && bytes % 1024 == 0 && unit < 3) {
        bytes /= 1024;
        unit++;
    }
    return unit ?
               g_strdup_printf("%" G_GUINT64_FORMAT "%c", bytes, units[unit]) :
               g_strdup_printf("%" G_GUINT64_FORMAT, bytes);
}

char *bench_case_name(const BenchCase *c)
{
    g_autofree char *bytes = bench_bytes_text(c->footprint);

    return g_strdup_printf("%s/%u/%s/%s/%s%s%s", c->kind->name, c->lanes, bytes,
                           bench_pattern_names[c->pattern],
                           bench_mode_names[c->mode], c->flat ? "/" : "",
                           c->flat ? c->flat : "");
}

bool bench_case_exists(const BenchCase *c)
{
    bool is_svm = c->kind->operands == BENCH_ADDRESSES ||
                  c->kind->operands == BENCH_ADDRESS;

    return !(is_svm && c->pattern == BENCH_OUTSIDE);
}

uint32_t bench_message_count(const BenchCase *c)
{
    return c->messages * c->threads;
}
