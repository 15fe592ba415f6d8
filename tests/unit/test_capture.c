/*
 * veu unit tests: the largest capture, and hashes of programs: docs/capture.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/capture/hash.h"
#include "hw/veu/capture/rules.h"
#include "hw/veu/capture/tables.h"
#include "veu/page.h"

/* Adds pieces of one byte, each in a page of its own. */
static void add_pieces(GArray *to, unsigned count)
{
    static const uint8_t byte = 1;

    for (unsigned i = 0; i < count; i++) {
        VeuCapturePiece piece = {
            .address = (uint64_t)i * 4096,
            .bytes = 1,
            .permissions = VEU_CAPTURE_WRITE,
            .data = &byte,
        };

        g_array_append_val(to, piece);
    }
}

static VeuCapture *make_capture(unsigned before, unsigned after)
{
    VeuCapture *c = veu_capture_new();

    c->launch.command_bytes = 64;
    add_pieces(c->before, before);
    add_pieces(c->after, after);
    return c;
}

static void test_most_pages(void)
{
    g_autoptr(VeuCapture) c = make_capture(40000, 25536);
    g_autoptr(GByteArray) file = veu_capture_write(c, NULL);
    g_autoptr(VeuCapture) again = NULL;

    g_assert_nonnull(file);
    again = veu_capture_read(file->data, file->len, NULL);
    g_assert_nonnull(again);
    g_assert_cmpuint(again->before->len, ==, 40000);
    g_assert_cmpuint(again->after->len, ==, 25536);
}

static void test_one_page_more(void)
{
    g_autoptr(VeuCapture) c = make_capture(40000, 25537);
    g_autoptr(GError) error = NULL;

    g_assert_null(veu_capture_write(c, &error));
    g_assert_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
}

/* Two of the test vectors that the authors of FNV have published. */
static void test_the_hash_is_fnv_1a(void)
{
    g_assert_cmphex(veu_capture_hash((const uint8_t *)"", 0), ==,
                    UINT64_C(0xcbf29ce484222325));
    g_assert_cmphex(veu_capture_hash((const uint8_t *)"foobar", 6), ==,
                    UINT64_C(0x85944171f73967e8));
}

/*
 * Different programs may use the same place one after the other, and the same
 * place in a table.
 */
static void test_loaded_programs_are_told_apart(void)
{
    g_autofree VeuCaptureHashes *hashes = g_new0(VeuCaptureHashes, 1);
    uint8_t code[4] = { 0 };

    for (unsigned round = 0; round < 2; round++) {
        for (unsigned n = 0; n <= 2 * VEU_CAPTURE_HASHES; n++) {
            VeuLaunchView view = { .code = code,
                                   .code_bytes = sizeof(code),
                                   .serial = n };

            code[0] = n;
            g_assert_cmphex(veu_capture_hash_launch(hashes, &view), ==,
                            veu_capture_hash(code, sizeof(code)));
        }
    }
}

static void test_a_rule_asks_for_a_hash(void)
{
    g_autoptr(VeuCaptureRules)
        rules = veu_capture_rules_new("program=5 ring=0; tag=9", NULL);
    g_autoptr(VeuCapture) c = make_capture(0, 0);
    const uint64_t asked = 5, other = 6;

    g_assert_true(veu_capture_rules_need_hash(rules));
    g_assert_true(veu_capture_rules_may(rules, &c->launch, NULL));
    g_assert_true(veu_capture_rules_may(rules, &c->launch, &asked));
    g_assert_false(veu_capture_rules_may(rules, &c->launch, &other));
    g_assert_true(veu_capture_rules_match(rules, c, &asked));
    g_assert_false(veu_capture_rules_match(rules, c, &other));
    g_assert_false(veu_capture_rules_match(rules, c, NULL));
}

static void test_a_rule_asks_for_no_hash(void)
{
    g_autoptr(VeuCaptureRules) rules = veu_capture_rules_new("ring=0", NULL);
    g_autoptr(VeuCapture) c = make_capture(0, 0);

    g_assert_false(veu_capture_rules_need_hash(rules));
    g_assert_true(veu_capture_rules_match(rules, c, NULL));
}

/* A key with a number asks for that number, FIRST..LAST for those between. */
static void test_a_range_has_both_of_its_ends(void)
{
    static const struct {
        const char *rule;
        uint32_t first, last;
    } rows[] = {
        { "launch=5", 5, 5 },    { "ring=5", 5, 5 },    { "tag=5", 5, 5 },
        { "launch=5..7", 5, 7 }, { "ring=5..7", 5, 7 }, { "tag=5..7", 5, 7 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(VeuCaptureRules)
            rules = veu_capture_rules_new(rows[i].rule, NULL);

        for (uint32_t n = 1; n < 10; n++) {
            const struct veu_command_header header = { .tag = n };
            VeuCaptureLaunch launch = { .number = n, .ring = n };

            memcpy(launch.command, &header, sizeof(header));
            g_assert_cmpint(veu_capture_rules_may(rules, &launch, NULL), ==,
                            n >= rows[i].first && n <= rows[i].last);
        }
    }
}

/* A guest's tables: 512 name 8 each, and those name 512 pages that are none. */
typedef struct ManyTables {
    GPtrArray *tables;
    uint64_t next; /* address */
    unsigned lookups;
} ManyTables;

static const uint64_t *next_table(void *opaque, uint64_t address,
                                  unsigned level)
{
    ManyTables *m = opaque;
    unsigned named = level == 3 ? 8 : VEU_TABLE_ENTRIES;
    uint64_t *entries;

    m->lookups++;
    if (level == 1) {
        return NULL;
    }
    entries = g_new0(uint64_t, VEU_TABLE_ENTRIES);
    g_ptr_array_add(m->tables, entries);
    for (unsigned i = 0; i < named; i++) {
        m->next += 4096;
        entries[i] = m->next | VEU_PAGE_VALID;
    }
    return entries;
}

static void test_a_walk_of_tables_is_bounded(void)
{
    ManyTables m = { .tables = g_ptr_array_new_with_free_func(g_free) };

    veu_capture_walk(0, next_table, &m);
    g_assert_cmpuint(m.tables->len, ==, 1 + 512 + 512 * 8);
    g_assert_cmpuint(m.lookups, ==, 1 << 20);
    g_ptr_array_unref(m.tables);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/capture/65536-pages-before-and-after-are-written",
                    test_most_pages);
    g_test_add_func("/capture/one-page-more-is-refused", test_one_page_more);
    g_test_add_func("/capture/a-walk-of-tables-is-bounded",
                    test_a_walk_of_tables_is_bounded);
    g_test_add_func("/capture/the-hash-is-fnv-1a", test_the_hash_is_fnv_1a);
    g_test_add_func("/capture/loaded-programs-are-told-apart",
                    test_loaded_programs_are_told_apart);
    g_test_add_func("/capture/a-rule-asks-for-a-hash",
                    test_a_rule_asks_for_a_hash);
    g_test_add_func("/capture/a-range-has-both-of-its-ends",
                    test_a_range_has_both_of_its_ends);
    g_test_add_func("/capture/a-rule-asks-for-no-hash",
                    test_a_rule_asks_for_no_hash);
    return g_test_run();
}
