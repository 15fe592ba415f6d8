/*
 * veu unit tests: footprints of lanes at equal distances, by docs/profile.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/message/footprint_steps.h"

#define LANES VEU_MAX_LANES

static uint64_t first_of(const VeuSteps *s, unsigned lane)
{
    return s->first + (lane - __builtin_ctz(s->active)) * s->step;
}

/* --- By the definitions -------------------------------------------------- */

static uint32_t distinct_lines(const VeuSteps *s)
{
    g_autoptr(GHashTable)
        lines = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                      NULL);

    for (unsigned lane = 0; lane < LANES; lane++) {
        for (uint32_t b = 0; s->active >> lane & 1 && b < s->bytes; b++) {
            uint64_t line = (first_of(s, lane) + b) / 64;

            g_hash_table_add(lines, g_memdup2(&line, sizeof(line)));
        }
    }
    return g_hash_table_size(lines);
}

/* The number of different dwords of a bank among those of 16 lanes. */
static unsigned turns_of_bank(const VeuSteps *s, unsigned half, unsigned bank,
                              unsigned number)
{
    uint64_t seen[16];
    unsigned count = 0;

    for (unsigned lane = half; lane < half + 16; lane++) {
        uint64_t dword = first_of(s, lane) / 4 + number;
        unsigned i = 0;

        if (!(s->active >> lane & 1) || dword % 16 != bank) {
            continue;
        }
        while (i < count && seen[i] != dword) {
            i++;
        }
        seen[i] = dword;
        count = MAX(count, i + 1);
    }
    return count;
}

static uint32_t conflicts_of(const VeuSteps *s)
{
    uint32_t conflicts = 0;

    for (unsigned half = 0; half < LANES; half += 16) {
        for (unsigned n = 0; n < (s->bytes + 3) / 4; n++) {
            unsigned turns = 1;

            for (unsigned bank = 0; bank < 16; bank++) {
                turns = MAX(turns, turns_of_bank(s, half, bank, n));
            }
            conflicts += turns - 1;
        }
    }
    return conflicts;
}

/* --- Tests --------------------------------------------------------------- */

static VeuSteps random_steps(void)
{
    static const uint32_t masks[] = { 0xffffffff, 0xffff, 0xff,      1,
                                      0x80000000, 0xfff0, 0xffff0000 };
    unsigned mask = g_test_rand_int_range(0, 2 * G_N_ELEMENTS(masks));
    VeuSteps s = {
        .active = mask < G_N_ELEMENTS(masks) ? masks[mask] :
                                               (uint32_t)g_test_rand_int() | 2,
        .bytes = g_test_rand_int_range(1, 33),
        .first = g_test_rand_int_range(0, 1024),
        .step = g_test_rand_int_range(0, 300),
    };

    if (g_test_rand_bit()) {
        s.step &= ~3;
    }
    if (g_test_rand_bit()) {
        s.step &= ~63;
    }
    s.last = first_of(&s, 31 - __builtin_clz(s.active));
    return s;
}

static void test_counts(void)
{
    unsigned lines = 0, conflicts = 0;

    for (unsigned n = 0; n < 20000; n++) {
        VeuSteps s = random_steps();
        uint32_t count;

        if (veu_steps_lines(&s, &count)) {
            g_assert_cmpuint(count, ==, distinct_lines(&s));
            lines++;
        }
        if (veu_steps_conflicts(&s, &count)) {
            g_assert_cmpuint(count, ==, conflicts_of(&s));
            conflicts++;
        }
    }
    /* The common cases are not counted lane by lane. */
    g_assert_cmpuint(lines, >, 5000);
    g_assert_cmpuint(conflicts, >, 5000);
}

typedef struct Indices {
    uint32_t dwords[LANES];
    uint64_t qwords[LANES];
} Indices;

/* Lanes that do not run may have any index. */
static void fill(Indices *i, const VeuSteps *s)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        i->dwords[lane] = s->active >> lane & 1 ? first_of(s, lane) :
                                                  (uint32_t)g_test_rand_int();
        i->qwords[lane] = i->dwords[lane];
    }
}

static bool find(const Indices *i, unsigned lanes, VeuSteps *s)
{
    VeuSteps q = *s;
    bool found = veu_steps_find_qwords((const uint8_t *)i->qwords, lanes, &q);

    g_assert_cmpint(veu_steps_find_dwords((const uint8_t *)i->dwords, lanes, s),
                    ==, found);
    if (found) {
        g_assert_cmpmem(s, sizeof(*s), &q, sizeof(q));
    }
    return found;
}

static void test_finding(void)
{
    for (unsigned n = 0; n < 20000; n++) {
        unsigned lanes = 8u << n % 3, other = n % lanes;
        VeuSteps s = random_steps(), found;
        Indices i;

        s.active &= UINT32_MAX >> (32 - lanes);
        if (!s.active) {
            continue;
        }
        fill(&i, &s);
        found = (VeuSteps){ .active = s.active };
        if (s.step && !(s.active >> __builtin_ctz(s.active) & 2)) {
            continue;
        }
        g_assert_true(find(&i, lanes, &found));
        g_assert_cmpuint(found.first, ==, s.first);
        g_assert_cmpuint(found.last, ==,
                         first_of(&s, 31 - __builtin_clz(s.active)));
        i.dwords[other] ^= 0x40000000;
        i.qwords[other] ^= 0x40000000;
        if (s.active >> other & 1 && __builtin_popcount(s.active) > 2) {
            g_assert_false(find(&i, lanes, &found));
        }
    }
}

/* Lanes 0 and 2 have the same index, modulo 2^32 or 2^64. */
static void test_wrapping(void)
{
    Indices i = { .dwords = { 0, 1u << 31 },
                  .qwords = { 0, UINT64_C(1) << 63 } };
    VeuSteps s = { .active = 7 };

    g_assert_false(find(&i, 8, &s));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/footprint/counts", test_counts);
    g_test_add_func("/footprint/finding", test_finding);
    g_test_add_func("/footprint/wrapping", test_wrapping);
    return g_test_run();
}
