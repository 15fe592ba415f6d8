/*
 * veu unit tests: the largest capture, and hashes of programs: docs/capture.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
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

static bool is_rule(const char *text)
{
    g_autoptr(VeuCaptureRules) rules = veu_capture_rules_new(text, NULL);

    return rules;
}

/* Limits of what rules say: docs/capture.md. */
static void test_rules_have_limits(void)
{
    g_autofree char *name = g_strnfill(VEU_CAPTURE_NAME_BYTES, 'k');
    g_autofree char *long_name = g_strconcat("kernel=", name, NULL);
    g_autofree char *longest = g_strndup(long_name, strlen(long_name) - 1);
    g_autoptr(GString) rules = g_string_new("ring=1");
    const struct {
        const char *text;
        bool is_good;
    } rows[] = {
        { "tag=18446744073709551615", true },
        { "tag=18446744073709551616", false },
        { "tag=", false },
        { "offset=0x", false },
        { "offset=0xffffffff", true },
        { "offset=0x100000000", false },
        { longest, true },
        { long_name, false },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_assert_cmpint(is_rule(rows[i].text), ==, rows[i].is_good);
    }
    for (unsigned i = 1; i <= VEU_CAPTURE_MAX_RULES; i++) {
        g_assert_true(is_rule(rules->str));
        g_string_append(rules, "; ring=1");
    }
    g_assert_false(is_rule(rules->str));
}

/* One of a launch's faults has both the code and the offset of a rule. */
static void test_any_fault_of_a_launch_counts(void)
{
    static const struct veu_fault_record faults[] = {
        { .code = VEU_FAULT_ALIGNMENT, .message_offset = 0x20 },
        { .code = VEU_FAULT_ADDRESS, .message_offset = 0x40 },
    };
    static const struct {
        const char *rule;
        bool matches;
    } rows[] = {
        { "fault=any", true },
        { "fault=ADDRESS", true },
        { "fault=BUDGET", false },
        { "offset=0x20", true },
        { "offset=0x40", true },
        { "offset=0", false },
        { "fault=ADDRESS offset=0x40", true },
        { "fault=ADDRESS offset=0x20", false },
    };
    g_autoptr(VeuCapture) c = make_capture(0, 0);

    g_array_append_vals(c->faults, faults, G_N_ELEMENTS(faults));
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(VeuCaptureRules)
            rules = veu_capture_rules_new(rows[i].rule, NULL);

        g_assert_cmpint(veu_capture_rules_match(rules, c, NULL), ==,
                        rows[i].matches);
    }
}

/* --- Files that the reader refuses --------------------------------------- */

static VeuCapturePiece *piece(VeuCapture *c, unsigned n)
{
    return &g_array_index(c->before, VeuCapturePiece, n);
}

static VeuCaptureThread *thread(VeuCapture *c)
{
    return &g_array_index(c->threads, VeuCaptureThread, 0);
}

static struct veu_fault_record *fault(VeuCapture *c)
{
    return &g_array_index(c->faults, struct veu_fault_record, 0);
}

static VeuCaptureLine *line(VeuCapture *c, unsigned n)
{
    return &g_array_index(c->lines, VeuCaptureLine, n);
}

/* A capture that has one of each, at the limits of what is legal. */
static VeuCapture *make_full(void)
{
    static const uint8_t slm[VEU_LIMIT_SLM_BYTES];
    const VeuCaptureThread t = { .barrier = 1,
                                 .depth = VEU_LIMIT_CALLS,
                                 .slm_bytes = sizeof(slm),
                                 .slm = slm };
    const struct veu_fault_record f = { .code = VEU_FAULT_ADDRESS,
                                        .access = VEU_ACCESS_WRITE };
    const VeuCaptureLine lines[] = { { 8, 1, 0 }, { 8, 2, 0 } };
    VeuCapture *c = make_capture(2, 0);

    c->launch.strict_types = 1;
    c->launch.trace_contracts = 1;
    piece(c, 1)->address = piece(c, 0)->address + piece(c, 0)->bytes;
    piece(c, 1)->permissions = VEU_CAPTURE_READ | VEU_CAPTURE_WRITE;
    g_array_append_val(c->threads, t);
    g_array_append_val(c->faults, f);
    g_array_append_vals(c->lines, lines, G_N_ELEMENTS(lines));
    g_ptr_array_add(c->files, g_strdup("name"));
    return c;
}

static const uint8_t more_slm[VEU_LIMIT_SLM_BYTES + 1];

/* clang-format off */
#define BAD(name, statement) static void name(VeuCapture *c) { statement; }
BAD(none, (void)c)
BAD(no_slots, c->launch.command_bytes = 0)
BAD(part_of_a_slot, c->launch.command_bytes = 65)
BAD(many_slots, c->launch.command_bytes = sizeof(c->launch.command) + 64)
BAD(launch_moved, c->launch.pages_moved = 2)
BAD(types, c->launch.strict_types = 2)
BAD(contracts, c->launch.trace_contracts = 2)
BAD(name_without_end, memset(c->launch.kernel, 'k', VEU_CAPTURE_NAME_BYTES))
BAD(no_bytes, piece(c, 1)->bytes = 0)
BAD(no_permission, piece(c, 1)->permissions = 0)
BAD(other_permission, piece(c, 1)->permissions = 5)
BAD(descending, piece(c, 0)->address = 8)
BAD(overlap, piece(c, 1)->address--)
BAD(barrier, thread(c)->barrier = 2)
BAD(calls, thread(c)->depth++)
BAD(much_slm, thread(c)->slm_bytes++; thread(c)->slm = more_slm)
BAD(no_fault, fault(c)->code = 0)
BAD(bad_access, fault(c)->access = VEU_ACCESS_WRITE + 1)
BAD(no_file, line(c, 1)->file = 1)
BAD(earlier_line, line(c, 0)->offset = 9)
#undef BAD
/* clang-format on */

static bool is_read(void (*change)(VeuCapture *c))
{
    g_autoptr(VeuCapture) c = make_full();
    g_autoptr(GByteArray) file = NULL;
    g_autoptr(VeuCapture) again = NULL;

    change(c);
    file = veu_capture_write(c, NULL);
    again = veu_capture_read(file->data, file->len, NULL);
    return again;
}

/* "Counts, sizes and offsets are consistent." */
static void test_illegal_members_are_refused(void)
{
    static void (*const changes[])(VeuCapture * c) = {
        no_slots,      part_of_a_slot,
        many_slots,    launch_moved,
        types,         contracts,
        no_bytes,      name_without_end,
        no_permission, other_permission,
        descending,    overlap,
        barrier,       calls,
        much_slm,      no_fault,
        bad_access,    no_file,
        earlier_line,
    };

    g_assert_true(is_read(none));
    for (unsigned i = 0; i < G_N_ELEMENTS(changes); i++) {
        g_test_message("change %u", i);
        g_assert_false(is_read(changes[i]));
    }
}

/* A position counts from its offset on; line 0 is none. */
static void test_the_line_of_an_offset(void)
{
    static const VeuCaptureLine lines[] = { { 8, 5, 0 },
                                            { 16, 0, 0 },
                                            { 24, 7, 0 } };
    static const unsigned known[] = { 0, 5, 5, 0, 0, 7, 7 };
    GArray *array = g_array_new(FALSE, FALSE, sizeof(VeuCaptureLine));

    g_array_append_vals(array, lines, G_N_ELEMENTS(lines));
    for (unsigned i = 0; i < G_N_ELEMENTS(known); i++) {
        const VeuCaptureLine *found = veu_capture_line(array, 4 + 4 * i);

        g_assert_cmpuint(found ? found->line : 0, ==, known[i]);
    }
    g_array_unref(array);
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
    g_test_add_func("/capture/rules-have-limits", test_rules_have_limits);
    g_test_add_func("/capture/any-fault-of-a-launch-counts",
                    test_any_fault_of_a_launch_counts);
    g_test_add_func("/capture/illegal-members-are-refused",
                    test_illegal_members_are_refused);
    g_test_add_func("/capture/the-line-of-an-offset",
                    test_the_line_of_an_offset);
    return g_test_run();
}
