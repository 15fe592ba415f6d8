/*
 * veu unit tests: random messages against the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers, guest memory, shared local memory and faults have to be the same
 * after every message. VEU_TEST_SEED repeats a run, VEU_TEST_MESSAGES makes it
 * longer or shorter.
 */
#include <glib.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tests/lib/random_message.h"

#define MESSAGES       1000000
#define WORLD_MESSAGES 64

static uint64_t clean[TEST_KINDS]; /* some lanes ran and none faulted */
static uint64_t faulted;
static uint64_t refused;

/* Ends the test; the seed and the number repeat it. */
static void differs(const TestCode *code, uint64_t number, const char *what)
{
    g_autoptr(GString) hex = g_string_new(NULL);

    for (unsigned i = 0; i < code->count; i++) {
        g_string_append_printf(hex, "%02x", code->bytes[i]);
    }
    g_error("message %" G_GUINT64_FORMAT ": %s: %s", number, hex->str, what);
}

static char *same_faults(const VeuFault *a, const RefFault *b)
{
    if (a->code == b->code && a->detail == b->detail &&
        a->access == b->access && a->lane == b->lane &&
        a->element == b->element && a->address == b->address &&
        a->bytes == b->bytes && a->bytes_done == b->bytes_done &&
        a->lanes == b->lanes) {
        return NULL;
    }
    return g_strdup_printf(
        "a fault (the other implementation's): code %x (%x) detail %x (%x) "
        "access %u (%u) lane %u (%u) element %u (%u) address %#" PRIx64
        " (%#" PRIx64 ") bytes %u (%u) done %u (%u) lanes %x (%x)",
        a->code, b->code, a->detail, b->detail, a->access, b->access, a->lane,
        b->lane, a->element, b->element, a->address, b->address, a->bytes,
        b->bytes, a->bytes_done, b->bytes_done, a->lanes, b->lanes);
}

/* Decodes on both sides; NULL or what is not the same. */
static char *decode_both(World *w, const TestCode *code, RefMessage *ref,
                         bool *legal)
{
    RefFault fault;

    *legal = ref_decode(&w->program, code->bytes, code->count, ref, &fault);
    if (eu_decode_bytes(w->eu, code->bytes, code->count) != *legal) {
        return *legal ?
                   g_strdup_printf("fault %x, detail %u", w->eu->fault.code,
                                   w->eu->fault.detail) :
                   g_strdup_printf("no fault %x, detail %u", fault.code,
                                   fault.detail);
    }
    if (!*legal) {
        return same_faults(&w->eu->fault, &fault);
    }
    g_assert_cmpuint(w->eu->program->register_bytes, ==,
                     w->thread.register_bytes);
    return w->eu->next == ref->bytes ? NULL : g_strdup("the length");
}

/* Pages that were not noted as written are as they were before. */
static bool notes_what_it_writes(const TestMemory *m, const TestMemory *before)
{
    for (unsigned i = 0; i < m->count; i++) {
        if (!m->noted[i] &&
            memcmp(m->page[i].bytes, before->page[i].bytes, TEST_PAGE_BYTES)) {
            return false;
        }
    }
    return true;
}

static void see_nothing(VeuObserver *observer, const VeuLaneAccess *access,
                        VeuLanePlace place, const VeuSpan *span)
{
}

static VeuObserver watches = { .lane = see_nothing };

/* The same, for what a message does: by the rules alone where one watches. */
static char *execute_both(World *w, const RefMessage *m)
{
    EuFixture *eu = w->eu;
    VeuThread *t = &eu->thread;
    RefFault fault;
    bool ok;

    memcpy(w->ref_registers, eu->registers, EU_REGISTER_BYTES);
    memcpy(w->ref_slm, eu->slm, EU_SLM_BYTES);
    memset(eu->memory.noted, 0, sizeof(eu->memory.noted));
    veu_mem_forget(&eu->memory.mem);
    t->observer = world_chance(w, 25) ? &watches : NULL;
    ok = veu_execute(t, &eu->message);
    if (!notes_what_it_writes(&eu->memory, &w->ref_memory)) {
        return g_strdup("a page that was written and not noted");
    }
    ref_execute(&w->thread, m, &fault);
    clean[m->kind] += ok && t->active;
    faulted += !ok;
    if (t->active != ref_enabled(&w->thread, m)) {
        return g_strdup("the lanes that run");
    }
    if (ok != !t->fault.code || ok != !fault.code) {
        return g_strdup_printf("fault %x (%x)", t->fault.code, fault.code);
    }
    return !ok && same_faults(&t->fault, &fault) ?
               same_faults(&t->fault, &fault) :
           t->moved_bytes != w->thread.moved_bytes ?
               g_strdup("the bytes that are moved") :
           memcmp(eu->registers, w->ref_registers, EU_REGISTER_BYTES) ?
               g_strdup("registers") :
           memcmp(eu->slm, w->ref_slm, EU_SLM_BYTES) ? g_strdup("SLM") :
           !test_memory_equal(&eu->memory, &w->ref_memory) ?
                                                       g_strdup("memory") :
                                                       NULL;
}

static uint64_t message_count(void)
{
    const char *text = g_getenv("VEU_TEST_MESSAGES");

    return text ? g_ascii_strtoull(text, NULL, 0) : MESSAGES;
}

static uint32_t seed(void)
{
    static uint32_t value;
    const char *text = g_getenv("VEU_TEST_SEED");

    if (!value) {
        value = text ? g_ascii_strtoull(text, NULL, 0) : g_random_int() | 1;
    }
    g_test_message("VEU_TEST_SEED=%u", value);
    return value;
}

/* Message number @n, in a world that is made anew now and then. */
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
    g_autoptr(GRand) rng = g_rand_new_with_seed(seed());
    uint64_t count = message_count();

    for (uint64_t n = 0; n < count; n++) {
        TestMessage m;
        TestCode code = next_message(w, rng, n, &m);
        RefMessage ref;
        bool legal;
        char *what = decode_both(w, &code, &ref, &legal);

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

/* Random bytes in legal messages: mostly refused, always for one reason. */
static void test_broken_messages_are_refused_alike(void)
{
    g_autofree World *w = g_new0(World, 1);
    g_autoptr(GRand) rng = g_rand_new_with_seed(seed());
    uint64_t count = message_count() / 4;

    for (uint64_t n = 0; n < count; n++) {
        TestMessage m;
        TestCode code = next_message(w, rng, n, &m);
        RefMessage ref;
        bool legal;
        char *what;

        break_message(rng, &code);
        what = decode_both(w, &code, &ref, &legal);
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
