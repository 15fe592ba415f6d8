/*
 * veu unit tests: packets, registers and watchpoints of gdb's remote protocol,
 * as gdb's manual describes them ("Remote Protocol").
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/debug/gdb_packet.h"
#include "hw/veu/debug/gdb_registers.h"
#include "hw/veu/debug/gdb_watch.h"
#include "tests/lib/code_builder.h"

/* --- Packets -------------------------------------------------------------- */

static void assert_taken(GString *input, const char *text)
{
    g_autofree char *taken = veu_gdb_packet_take(input);

    g_assert_cmpstr(taken, ==, text);
}

static void append(GString *input, const char *text)
{
    g_string_append(input, text);
}

/* The manual's example is "OK", whose bytes have the sum 0x9a. */
static void test_a_packet_ends_with_the_sum_of_its_bytes(void)
{
    static const char *const pairs[][2] = {
        { "OK", "$OK#9a" },
        { "", "$#00" },
        { "\x01", "$\x01#01" },
        { "zzz", "$zzz#6e" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(pairs); i++) {
        g_autofree char *packet = veu_gdb_packet(pairs[i][0]);

        g_assert_cmpstr(packet, ==, pairs[i][1]);
    }
}

/* However it is divided, a packet is taken when its last digit is there. */
static void test_a_packet_is_taken_when_it_is_complete(void)
{
    static const char packet[] = "$m1000,4#8e";

    for (unsigned i = 0; i < strlen(packet); i++) {
        GString *input = g_string_new_len(packet, i);

        assert_taken(input, NULL);
        append(input, packet + i);
        assert_taken(input, "m1000,4");
        g_assert_cmpuint(input->len, ==, 0);
        g_string_free(input, TRUE);
    }
}

static void test_packets_are_taken_in_order(void)
{
    GString *input = g_string_new("+#00$#00$c#63-$s#");

    assert_taken(input, "");
    assert_taken(input, "c");
    assert_taken(input, NULL);
    g_assert_cmpstr(input->str, ==, "$s#");
    append(input, "73+");
    assert_taken(input, "s");
    assert_taken(input, NULL);
    g_assert_cmpuint(input->len, ==, 0);
    g_string_free(input, TRUE);
}

static void assert_interrupt(const char *bytes, bool interrupts,
                             const char *rest)
{
    GString *input = g_string_new(bytes);

    g_assert_true(veu_gdb_packet_take_interrupt(input) == interrupts);
    g_assert_cmpstr(input->str, ==, rest);
    g_string_free(input, TRUE);
}

static void test_an_interrupt_is_outside_of_packets(void)
{
    assert_interrupt("", false, "");
    assert_interrupt("+", false, "");
    assert_interrupt("\x03", true, "");
    assert_interrupt("++\x03", true, "");
    assert_interrupt("+\x03$?#3f", true, "$?#3f");
    assert_interrupt("+$?#3f\x03", false, "$?#3f\x03");
    assert_interrupt("$\x03#03", false, "$\x03#03");
}

static void test_bytes_are_two_digits_each(void)
{
    static const uint8_t bytes[] = { 0x00, 0x0f, 0xf0, 0x9a, 0xff };
    g_autoptr(GByteArray) read = g_byte_array_new();
    GString *text = g_string_new("=");

    veu_gdb_append_hex(text, bytes, sizeof(bytes));
    g_assert_cmpstr(text->str, ==, "=000ff09aff");
    g_assert_true(veu_gdb_parse_hex("000FF09aFf", read));
    g_assert_cmpmem(read->data, read->len, bytes, sizeof(bytes));
    g_assert_true(veu_gdb_parse_hex("", read));
    g_assert_cmpuint(read->len, ==, sizeof(bytes));
    g_assert_false(veu_gdb_parse_hex("000", read));
    g_assert_false(veu_gdb_parse_hex("0g", read));
    g_assert_false(veu_gdb_parse_hex("g0", read));
    g_assert_false(veu_gdb_parse_hex("00 00", read));
    g_string_free(text, TRUE);
}

static void test_numbers_have_1_to_16_digits(void)
{
    static const char *const wrong[] = {
        "", ",", "-1", "+1", " 1", "x1", "g", "00000000000000001",
    };
    const char *rest;
    uint64_t number;

    for (unsigned i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_assert_null(veu_gdb_parse_number(wrong[i], &number));
    }
    rest = veu_gdb_parse_number("fedcba9876543210x", &number);
    g_assert_cmpstr(rest, ==, "x");
    g_assert_cmphex(number, ==, UINT64_C(0xfedcba9876543210));
    rest = veu_gdb_parse_number("ABCDEF,", &number);
    g_assert_cmpstr(rest, ==, ",");
    g_assert_cmphex(number, ==, 0xabcdef);
    g_assert_cmpstr(veu_gdb_parse_number("0", &number), ==, "");
    g_assert_cmphex(number, ==, 0);
}

static void test_ranges_are_two_numbers(void)
{
    static const char *const wrong[] = {
        "", "1", "1,", ",1", "1:1", "1,x", "x,1", "1,00000000000000001",
    };
    uint64_t first, second;

    for (unsigned i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_assert_null(veu_gdb_parse_range(wrong[i], &first, &second));
    }
    g_assert_cmpstr(veu_gdb_parse_range("10,ff:00", &first, &second), ==,
                    ":00");
    g_assert_cmphex(first, ==, 0x10);
    g_assert_cmphex(second, ==, 0xff);
}

/* --- Registers ------------------------------------------------------------ */

/* An x86-64 has 16 words, rip, 7 halves, 8 floats and 8 halves. */
#define RIP   16
#define LANES 40
#define P1    41

/* More than the program of make_run() has: 128, 4 and 16. */
static const VeuGdbLayout layout = { 32, 129, 5, 17 };

#define A0  (P1 + 5)
#define G0  (A0 + 17)
#define END (G0 + 129)

/* An EU thread with a value in each place. */
static CodeRun *make_run(void)
{
    Code *code = g_new0(Code, 1);
    CodeRun *run = g_new0(CodeRun, 1);

    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_true(code_load(run, code));
    veu_flow_start(&run->thread, 0x89abcdef);
    for (unsigned i = 0; i < 4; i++) {
        run->predicates[i] = 0x01020304 * (i + 1);
    }
    for (unsigned i = 0; i < 16; i++) {
        run->addresses[i] = 0x1020 + i;
    }
    for (unsigned i = 0; i < CODE_REGISTER_BYTES; i++) {
        run->registers[i] = i / 32;
    }
    g_free(code);
    return run;
}

static void run_free(CodeRun *run)
{
    code_free(run);
    g_free(run);
}

static void assert_register(const VeuGdbThread *t, int64_t number,
                            const char *wanted)
{
    GString *out = g_string_new(NULL);

    g_assert_true(veu_gdb_registers(&layout, t, number, out));
    g_assert_cmpstr(out->str, ==, wanted);
    g_string_free(out, TRUE);
}

/* @count times @digits */
static char *repeated(const char *digits, unsigned count)
{
    GString *out = g_string_new(NULL);

    while (count--) {
        append(out, digits);
    }
    return g_string_free(out, FALSE);
}

static void assert_repeated(const VeuGdbThread *t, int64_t number,
                            const char *digits, unsigned count)
{
    g_autofree char *wanted = repeated(digits, count);

    assert_register(t, number, wanted);
}

/* Returns what is true of both: a stopped thread, and none. */
static void assert_core(const VeuGdbThread *t, const char *rip)
{
    for (unsigned i = 0; i < LANES; i++) {
        unsigned bytes = i <= RIP ? 8 : i >= 24 && i < 32 ? 10 : 4;

        if (i != RIP) {
            assert_repeated(t, i, "00", bytes);
        }
    }
    assert_register(t, RIP, rip);
}

static void test_registers_are_those_of_the_thread(void)
{
    CodeRun *run = make_run();
    VeuGdbThread t;

    veu_gdb_thread_init(&t);
    veu_gdb_thread_copy(&t, &run->thread);
    t.offset = 0x01020304;
    memset(run->registers, 0xee, sizeof(run->registers)); /* it is a copy */
    assert_core(&t, "0403020100000000");
    assert_register(&t, LANES, "efcdab89");
    assert_register(&t, P1, "04030201");
    assert_register(&t, P1 + 3, "100c0804");
    assert_register(&t, A0, "2010");
    assert_register(&t, A0 + 15, "2f10");
    assert_repeated(&t, G0, "00", 32);
    assert_repeated(&t, G0 + 1, "01", 32);
    assert_repeated(&t, G0 + 127, "7f", 32);
    veu_gdb_thread_free(&t);
    run_free(run);
}

/* As the manual has it: "x" in place of a digit. */
static void test_registers_that_a_program_lacks_are_unavailable(void)
{
    CodeRun *run = make_run();
    VeuGdbThread t;

    veu_gdb_thread_init(&t);
    assert_repeated(&t, P1, "x", 8);
    assert_repeated(&t, A0, "x", 4);
    assert_repeated(&t, G0, "x", 64);
    veu_gdb_thread_copy(&t, &run->thread);
    assert_repeated(&t, P1 + 4, "x", 8);
    assert_repeated(&t, A0 + 16, "x", 4);
    assert_repeated(&t, G0 + 128, "x", 64);
    veu_gdb_thread_copy(&t, NULL);
    assert_core(&t, "0000000000000000");
    assert_register(&t, LANES, "00000000");
    assert_repeated(&t, P1, "x", 8);
    assert_repeated(&t, A0, "x", 4);
    assert_repeated(&t, G0, "x", 64);
    veu_gdb_thread_free(&t);
    run_free(run);
}

static void test_all_registers_are_each_of_them_in_order(void)
{
    CodeRun *run = make_run();
    GString *each = g_string_new(NULL), *all = g_string_new(NULL);
    VeuGdbThread t;

    veu_gdb_thread_init(&t);
    veu_gdb_thread_copy(&t, &run->thread);
    for (unsigned i = 0; i < END; i++) {
        g_assert_true(veu_gdb_registers(&layout, &t, i, each));
    }
    g_assert_false(veu_gdb_registers(&layout, &t, END, each));
    g_assert_false(veu_gdb_registers(&layout, &t, INT32_MAX, each));
    g_assert_true(veu_gdb_registers(&layout, &t, -1, all));
    g_assert_cmpstr(all->str, ==, each->str);
    g_string_free(each, TRUE);
    g_string_free(all, TRUE);
    veu_gdb_thread_free(&t);
    run_free(run);
}

/* The description has each register with the size that its value has. */
static void test_the_description_has_each_register_in_order(void)
{
    static const struct {
        unsigned number;
        const char *name;
    } some[] = {
        { 0, "rax" }, { RIP, "rip" },       { 24, "st0" }, { LANES, "lanes" },
        { P1, "p1" }, { P1 + 4, "p5" },     { A0, "a0" },  { A0 + 16, "a16" },
        { G0, "g0" }, { G0 + 128, "g128" },
    };
    g_autofree char *xml = veu_gdb_description(&layout);
    g_auto(GStrv) parts = g_strsplit(xml, "<reg name=\"", -1);
    VeuGdbThread t;

    veu_gdb_thread_init(&t);
    g_assert_cmpuint(g_strv_length(parts), ==, END + 1);
    g_assert_nonnull(strstr(xml, "type=\"uint32\" count=\"8\""));
    for (unsigned i = 0; i < END; i++) {
        GString *value = g_string_new(NULL);
        const char *bits = strstr(parts[i + 1], "bitsize=\"");

        veu_gdb_registers(&layout, &t, i, value);
        g_assert_cmpuint(atoi(bits + strlen("bitsize=\"")), ==, 4 * value->len);
        g_string_free(value, TRUE);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(some); i++) {
        g_autofree char *name = g_strdup_printf("%s\"", some[i].name);

        g_assert_true(g_str_has_prefix(parts[some[i].number + 1], name));
    }
    veu_gdb_thread_free(&t);
}

/* --- Watchpoints ---------------------------------------------------------- */

/* An observer beside the watchpoints. */
typedef struct Next {
    VeuObserver observer; /* first */
    unsigned lanes, begins, ends;
    bool refuses;
} Next;

static uint16_t next_lane(VeuObserver *observer, const VeuLaneAccess *access,
                          VeuLanePlace place, VeuSpan *span)
{
    ((Next *)observer)->lanes++;
    return VEU_FAULT_ADDRESS;
}

static bool next_begin(VeuObserver *observer, VeuThread *t, const VeuMessage *m)
{
    ((Next *)observer)->begins++;
    return !((Next *)observer)->refuses;
}

static void next_end(VeuObserver *observer)
{
    ((Next *)observer)->ends++;
}

static VeuGdbWatches *make_watches(char kind, uint64_t address, uint64_t bytes)
{
    VeuGdbWatches *w = g_new0(VeuGdbWatches, 1);
    VeuGdbWatch watch = { kind, address, bytes };

    veu_gdb_watches_init(w);
    g_assert_true(veu_gdb_watch_add(w, &watch));
    return w;
}

static void watches_free(VeuGdbWatches *w)
{
    veu_gdb_watches_free(w);
    g_free(w);
}

static bool see(VeuGdbWatches *w, const VeuLaneAccess *access)
{
    w->observer.lane(&w->observer, access, VEU_LANE_MEMORY, NULL);
    return veu_gdb_watches_take(w);
}

/* Returns whether a read of @bytes hits. */
static bool reads(VeuGdbWatches *w, uint64_t address, uint32_t bytes)
{
    VeuLaneAccess access = { .element_bytes = bytes,
                             .address = address,
                             .bytes = bytes,
                             .access = VEU_ACCESS_READ };

    return see(w, &access);
}

static void assert_hit(const VeuGdbWatches *w, const char *wanted)
{
    g_autofree char *text = veu_gdb_watch_text(w);

    g_assert_cmpstr(text, ==, wanted);
}

static void test_a_hit_is_the_first_common_byte(void)
{
    VeuGdbWatches *w = make_watches('3', 0x1010, 4);

    g_assert_false(reads(w, 0x100c, 4));
    g_assert_false(reads(w, 0x1014, 4));
    g_assert_true(reads(w, 0x100d, 4));
    assert_hit(w, "rwatch:1010;");
    g_assert_true(reads(w, 0x1013, 1));
    assert_hit(w, "rwatch:1013;");
    g_assert_true(reads(w, 0x1000, 0x100));
    assert_hit(w, "rwatch:1010;");
    g_assert_false(veu_gdb_watches_take(w));
    watches_free(w);
}

static void test_an_access_may_wrap(void)
{
    VeuGdbWatches *w = make_watches('3', 0, 4);
    VeuGdbWatch last = { '3', UINT64_MAX, 1 };

    g_assert_false(reads(w, UINT64_MAX - 3, 4));
    g_assert_true(reads(w, UINT64_MAX - 3, 5));
    assert_hit(w, "rwatch:0;");
    g_assert_true(veu_gdb_watch_add(w, &last));
    g_assert_true(reads(w, UINT64_MAX - 3, 4));
    assert_hit(w, "rwatch:ffffffffffffffff;");
    g_assert_false(reads(w, 4, 4));
    watches_free(w);
}

/* An atomic reads and writes. */
static void test_kinds_see_reads_and_writes(void)
{
    static const struct {
        char kind;
        bool read, write, atomic;
        const char *name;
    } rows[] = {
        { '2', false, true, true, "watch:1000;" },
        { '3', true, false, true, "rwatch:1000;" },
        { '4', true, true, true, "awatch:1000;" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        VeuGdbWatches *w = make_watches(rows[i].kind, 0x1000, 1);
        VeuLaneAccess access = { .address = 0x1000,
                                 .bytes = 1,
                                 .access = VEU_ACCESS_READ };

        g_assert_true(see(w, &access) == rows[i].read);
        access.access = VEU_ACCESS_WRITE;
        g_assert_true(see(w, &access) == rows[i].write);
        access.is_atomic = true;
        g_assert_true(see(w, &access) == rows[i].atomic);
        assert_hit(w, rows[i].name);
        watches_free(w);
    }
}

/* Blocks 2 and 4 of an access: the first one is at its address. */
static void test_bytes_between_blocks_are_not_accessed(void)
{
    VeuGdbWatches *w = make_watches('3', 0x1004, 4);
    VeuGdbWatch after = { '3', 0x100c, 1 }, last = { '3', 0x100b, 1 },
                first = { '3', 0x1003, 1 };
    VeuLaneAccess access = { .element_bytes = 4,
                             .address = 0x1000,
                             .blocks = 0x14,
                             .bytes = 12,
                             .access = VEU_ACCESS_READ };

    g_assert_false(see(w, &access));
    g_assert_true(veu_gdb_watch_add(w, &after));
    g_assert_false(see(w, &access));
    g_assert_true(veu_gdb_watch_add(w, &last));
    g_assert_true(see(w, &access));
    assert_hit(w, "rwatch:100b;");
    veu_gdb_watch_remove(w, &last);
    g_assert_true(veu_gdb_watch_add(w, &first));
    g_assert_true(see(w, &access));
    assert_hit(w, "rwatch:1003;");
    watches_free(w);
}

static void test_the_first_hit_is_kept_until_it_is_taken(void)
{
    VeuGdbWatches *w = make_watches('3', 0x1000, 4);
    VeuGdbWatch other = { '4', 0x2000, 4 };
    VeuLaneAccess access = { .address = 0x2000,
                             .bytes = 4,
                             .access = VEU_ACCESS_READ };

    g_assert_true(veu_gdb_watch_add(w, &other));
    w->observer.lane(&w->observer, &access, VEU_LANE_MEMORY, NULL);
    g_assert_true(reads(w, 0x1000, 4));
    assert_hit(w, "awatch:2000;");
    watches_free(w);
}

static void test_only_memory_is_watched(void)
{
    VeuGdbWatches *w = make_watches('4', 0x1000, 4);
    VeuLaneAccess access = { .address = 0x1000, .bytes = 4 };

    for (VeuLanePlace p = VEU_LANE_SLM; p <= VEU_LANE_FAULT; p++) {
        w->observer.lane(&w->observer, &access, p, NULL);
        g_assert_false(veu_gdb_watches_take(w));
    }
    watches_free(w);
}

/* gdb could not stop in a program of messages. */
static void test_only_programs_of_instructions_are_watched(void)
{
    VeuGdbWatches *w = make_watches('4', 0x1000, 4);
    CodeRun *run = make_run();

    run->program->kind = VEU_PROGRAM_MESSAGES;
    g_assert_true(w->observer.begin(&w->observer, &run->thread, NULL));
    g_assert_false(reads(w, 0x1000, 4));
    run->program->kind = VEU_PROGRAM_INSTRUCTIONS;
    g_assert_true(w->observer.begin(&w->observer, &run->thread, NULL));
    g_assert_true(reads(w, 0x1000, 4));
    w->observer.end(&w->observer);
    run_free(run);
    watches_free(w);
}

static void test_another_observer_sees_what_watchpoints_see(void)
{
    VeuGdbWatches *w = make_watches('4', 0x1000, 4);
    CodeRun *run = make_run();
    Next next = { .observer = { .lane = next_lane } };
    VeuLaneAccess access = { .address = 0x1000, .bytes = 4 };

    g_assert_cmpuint(w->observer.lane(&w->observer, &access, VEU_LANE_SLM,
                                      NULL),
                     ==, VEU_FAULT_NONE);
    w->next = &next.observer;
    g_assert_cmpuint(w->observer.lane(&w->observer, &access, VEU_LANE_SLM,
                                      NULL),
                     ==, VEU_FAULT_ADDRESS);
    g_assert_true(w->observer.begin(&w->observer, &run->thread, NULL));
    w->observer.end(&w->observer);
    next.observer.begin = next_begin;
    next.observer.end = next_end;
    g_assert_true(w->observer.begin(&w->observer, &run->thread, NULL));
    w->observer.end(&w->observer);
    next.refuses = true;
    g_assert_false(w->observer.begin(&w->observer, &run->thread, NULL));
    g_assert_cmpuint(next.lanes, ==, 1);
    g_assert_cmpuint(next.begins, ==, 2);
    g_assert_cmpuint(next.ends, ==, 1);
    run_free(run);
    watches_free(w);
}

static void test_a_watchpoint_is_a_range(void)
{
    static const VeuGdbWatch wrong[] = {
        { '2', 0x1000, 0 },
        { '2', UINT64_MAX, 2 },
        { '2', 2, UINT64_MAX },
    };
    static const VeuGdbWatch right[] = {
        { '2', UINT64_MAX, 1 },
        { '2', 0, UINT64_MAX },
        { '2', 1, UINT64_MAX },
    };
    VeuGdbWatches *w = make_watches('2', 0x1000, 1);

    for (unsigned i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_assert_false(veu_gdb_watch_add(w, &wrong[i]));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(right); i++) {
        g_assert_true(veu_gdb_watch_add(w, &right[i]));
    }
    watches_free(w);
}

/* gdb may remove one that it has not set, or set one twice. */
static void test_a_watchpoint_is_removed_by_what_it_is(void)
{
    static const VeuGdbWatch others[] = {
        { '2', 0x1000, 4 },
        { '3', 0x1001, 4 },
        { '3', 0x1000, 5 },
    };
    VeuGdbWatches *w = make_watches('3', 0x1000, 4);
    VeuGdbWatch watch = { '3', 0x1000, 4 };

    g_assert_true(veu_gdb_watch_add(w, &watch));
    for (unsigned i = 0; i < G_N_ELEMENTS(others); i++) {
        veu_gdb_watch_remove(w, &others[i]);
        g_assert_true(reads(w, 0x1000, 1));
    }
    veu_gdb_watch_remove(w, &watch);
    g_assert_false(reads(w, 0x1000, 1));
    watches_free(w);
}

static void test_there_are_64_watchpoints(void)
{
    VeuGdbWatches *w = make_watches('2', 0, 1);

    for (unsigned i = 1; i < 65; i++) {
        VeuGdbWatch watch = { '2', i, 1 };

        g_assert_true(veu_gdb_watch_add(w, &watch) == (i < 64));
    }
    watches_free(w);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gdb-parts/a-packet-ends-with-the-sum-of-its-bytes",
                    test_a_packet_ends_with_the_sum_of_its_bytes);
    g_test_add_func("/gdb-parts/a-packet-is-taken-when-it-is-complete",
                    test_a_packet_is_taken_when_it_is_complete);
    g_test_add_func("/gdb-parts/packets-are-taken-in-order",
                    test_packets_are_taken_in_order);
    g_test_add_func("/gdb-parts/an-interrupt-is-outside-of-packets",
                    test_an_interrupt_is_outside_of_packets);
    g_test_add_func("/gdb-parts/bytes-are-two-digits-each",
                    test_bytes_are_two_digits_each);
    g_test_add_func("/gdb-parts/numbers-have-1-to-16-digits",
                    test_numbers_have_1_to_16_digits);
    g_test_add_func("/gdb-parts/ranges-are-two-numbers",
                    test_ranges_are_two_numbers);
    g_test_add_func("/gdb-parts/registers-are-those-of-the-thread",
                    test_registers_are_those_of_the_thread);
    g_test_add_func("/gdb-parts/registers-that-a-program-lacks-are-unavailable",
                    test_registers_that_a_program_lacks_are_unavailable);
    g_test_add_func("/gdb-parts/all-registers-are-each-of-them-in-order",
                    test_all_registers_are_each_of_them_in_order);
    g_test_add_func("/gdb-parts/the-description-has-each-register-in-order",
                    test_the_description_has_each_register_in_order);
    g_test_add_func("/gdb-parts/a-hit-is-the-first-common-byte",
                    test_a_hit_is_the_first_common_byte);
    g_test_add_func("/gdb-parts/an-access-may-wrap", test_an_access_may_wrap);
    g_test_add_func("/gdb-parts/kinds-see-reads-and-writes",
                    test_kinds_see_reads_and_writes);
    g_test_add_func("/gdb-parts/bytes-between-blocks-are-not-accessed",
                    test_bytes_between_blocks_are_not_accessed);
    g_test_add_func("/gdb-parts/the-first-hit-is-kept-until-it-is-taken",
                    test_the_first_hit_is_kept_until_it_is_taken);
    g_test_add_func("/gdb-parts/only-memory-is-watched",
                    test_only_memory_is_watched);
    g_test_add_func("/gdb-parts/only-programs-of-instructions-are-watched",
                    test_only_programs_of_instructions_are_watched);
    g_test_add_func("/gdb-parts/another-observer-sees-what-watchpoints-see",
                    test_another_observer_sees_what_watchpoints_see);
    g_test_add_func("/gdb-parts/a-watchpoint-is-a-range",
                    test_a_watchpoint_is_a_range);
    g_test_add_func("/gdb-parts/a-watchpoint-is-removed-by-what-it-is",
                    test_a_watchpoint_is_removed_by_what_it_is);
    g_test_add_func("/gdb-parts/there-are-64-watchpoints",
                    test_there_are_64_watchpoints);
    return g_test_run();
}
