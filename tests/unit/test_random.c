/*
 * veu unit tests: random messages, compared with the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Both sides must agree on registers, guest memory, shared local memory and
 * faults after every message. VEU_TEST_SEED repeats a run, VEU_TEST_MESSAGES
 * makes it longer or shorter.
 */
#include <glib.h>
#include <stdlib.h>
#include "tests/lib/compare.h"
#include "tests/lib/random_message.h"
#include "tests/lib/random_numbers.h"

#define MESSAGES       300000
#define WORLD_MESSAGES 64

static uint64_t clean[TEST_KINDS]; /* some lanes ran and none faulted */
static uint64_t faulted;
static uint64_t refused;

/* Ends the test; the seed and the number of the message reproduce it. */
static void differs(const TestCode *code, uint64_t number, const char *what)
{
    g_autoptr(GString) hex = g_string_new(NULL);

    for (unsigned i = 0; i < code->count; i++) {
        g_string_append_printf(hex, "%02x", code->bytes[i]);
    }
    g_error("message %" G_GUINT64_FORMAT ": %s: %s", number, hex->str, what);
}

static char *execute_both(World *w, const RefMessage *m)
{
    char *what = compare_execute(w, m);
    const VeuThread *t = &w->eu->thread;

    clean[m->kind] += !t->fault.code && t->active;
    faulted += t->fault.code != 0;
    return what;
}

static uint64_t message_count(void)
{
    return test_count("VEU_TEST_MESSAGES", MESSAGES);
}

/* Message number @n, in a world that is replaced occasionally. */
static TestCode next_message(World *w, GRand *rng, uint64_t n, TestMessage *m)
{
    if (n % WORLD_MESSAGES == 0) {
        if (n) {
            world_free(w);
        }
        world_init(w, rng);
    }
    world_restart(w);
    *m = random_message(w, g_rand_int(rng) % TEST_KINDS);
    return test_encode(m);
}

static void report(uint64_t count)
{
    for (unsigned i = 0; i < TEST_KINDS; i++) {
        g_test_message("%s: %" G_GUINT64_FORMAT " without a fault",
                       test_layouts[i].name, clean[i]);
        g_assert_cmpuint(clean[i], >=, count / (3 * TEST_KINDS));
    }
    g_test_message("messages with a fault: %" G_GUINT64_FORMAT, faulted);
    g_assert_cmpuint(faulted, >=, count / 50);
}

static void test_messages_do_the_same(void)
{
    g_autofree World *w = g_new0(World, 1);
    g_autoptr(GRand) rng = test_rand_any();
    uint64_t count = message_count();

    for (uint64_t n = 0; n < count; n++) {
        TestMessage m;
        TestCode code = next_message(w, rng, n, &m);
        RefMessage ref;
        bool legal;
        char *what = compare_decode(w, &code, &ref, &legal);

        if (!what) {
            g_assert_true(legal);
            random_operands(w, &m, &ref);
            what = execute_both(w, &ref);
        }
        if (what) {
            differs(&code, n, what);
        }
    }
    world_free(w);
    report(count);
}

static void break_message(GRand *rng, TestCode *code)
{
    for (unsigned i = 1 + g_rand_int(rng) % 3; i; i--) {
        uint32_t at = g_rand_int(rng) % code->count;

        code->bytes[at] = g_rand_int(rng) & 1 ?
                              code->bytes[at] ^ 1u << g_rand_int(rng) % 8 :
                              g_rand_int(rng);
    }
    if (g_rand_int(rng) % 10 == 0) {
        code->count = 1 + g_rand_int(rng) % code->count;
    }
}

/*
 * Random bytes in legal messages: most are refused, and both sides give the
 * same reason.
 */
static void test_broken_messages_are_refused_alike(void)
{
    g_autofree World *w = g_new0(World, 1);
    g_autoptr(GRand) rng = test_rand_any();
    uint64_t count = message_count() / 4;

    for (uint64_t n = 0; n < count; n++) {
        TestMessage m;
        TestCode code = next_message(w, rng, n, &m);
        RefMessage ref;
        bool legal;
        char *what;

        break_message(rng, &code);
        what = compare_decode(w, &code, &ref, &legal);
        if (!what && legal) {
            what = execute_both(w, &ref);
        }
        if (what) {
            differs(&code, n, what);
        }
        refused += !legal;
    }
    world_free(w);
    g_test_message("refused: %" G_GUINT64_FORMAT, refused);
    g_assert_cmpuint(refused, >=, count / 4);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/random/messages-do-the-same", test_messages_do_the_same);
    g_test_add_func("/random/broken-messages-are-refused-alike",
                    test_broken_messages_are_refused_alike);
    return g_test_run();
}
