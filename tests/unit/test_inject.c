/*
 * veu unit tests: injected faults: docs/fault-inject.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The expectations repeat by hand what a rule has to do; everything that it
 * must not affect is compared with a run without rules.
 */
#include <string.h>
#include "hw/veu/eu/message/message.h"
#include "hw/veu/device/model.h"
#include "tests/lib/fault_world.h"

static const VeuInjectRule *rule(Dev *d, unsigned n)
{
    return &d->device->inject.rules.rule[n];
}

static void assert_counts(Dev *d, unsigned n, uint64_t matched, uint64_t fired)
{
    g_assert_cmpuint(rule(d, n)->matched, ==, matched);
    g_assert_cmpuint(rule(d, n)->fired, ==, fired);
}

static Dev *new_dev(const char *rules)
{
    Dev *d = dev_running();

    dev_inject(d, rules);
    return d;
}

/* ---- commands ---- */

static void test_the_nth_command_faults(void)
{
    g_autoptr(Dev) d = new_dev("ring=0 opcode=fence nth=3 "
                               "action=fault:COMMAND_MEMORY");

    dev_push_fences(d, 5);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY, 0);
    g_assert_cmpuint(dev_record(d, 0).slot, ==, 2);
    g_assert_cmphex(dev_record(d, 0).address, ==, DEV_FENCE);
    g_assert_cmpuint(dev_record(d, 0).bytes, ==, 8);
    g_assert_cmpuint(dev_record(d, 0).access, ==, VEU_ACCESS_WRITE);
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_HALTED);
    g_assert_cmpuint(dev_fence_value(d), ==, 2);
    assert_counts(d, 0, 3, 1);
}

static void test_a_policy_goes_on_behind_it(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    dev_inject(d, "every=2 action=fault:COMMAND_FIELD");
    dev_push_fences(d, 5);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    dev_assert_fault(d, 2, VEU_FAULT_COMMAND_FIELD, 0);
    g_assert_cmpuint(dev_fence_value(d), ==, 5);
    assert_counts(d, 0, 5, 2);
}

/* A fault of the ring itself halts it, whatever the policy. */
static void test_a_fault_of_the_ring_halts_it(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    dev_inject(d, "nth=2 action=fault:RING_TAIL");
    dev_push_fences(d, 3);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    dev_assert_fault(d, 1, VEU_FAULT_RING_TAIL, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_HALTED);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
    g_assert_cmpuint(dev_fence_value(d), ==, 1);
}

static void test_other_rings_and_addresses_do_not_match(void)
{
    g_autoptr(Dev) d = new_dev("ring=1 action=hang; "
                               "address=0..0xfff action=hang; "
                               "opcode=nop action=hang");

    dev_push_fences(d, 3);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(dev_fence_value(d), ==, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_counts(d, i, 0, 0);
    }
}

static void test_a_delay_is_waited_for(void)
{
    g_autoptr(Dev) d = new_dev("opcode=fence nth=2 action=delay:50us");

    d->host.now_ns = 1000;
    dev_push_fences(d, 3);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    g_assert_cmpuint(dev_fence_value(d), ==, 1);
    g_assert_cmpuint(veu_device_deadline(d->device), ==, 51000);
    g_assert_cmphex(veu_device_ready(d->device), ==, 0);
    d->host.now_ns = 50999;
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    d->host.now_ns = 51000;
    g_assert_cmphex(veu_device_ready(d->device), ==, 1);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(dev_fence_value(d), ==, 3);
}

/* Only a reset ends a hang, and it uses no processor time. */
static void test_a_hang_lasts_until_reset(void)
{
    g_autoptr(Dev) d = new_dev("opcode=fence nth=2 action=hang");

    dev_push_fences(d, 3);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    d->host.now_ns = UINT64_MAX;
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    g_assert_true(veu_device_sleep(d->device));
    dev_inject(d, "");
    dev_disable(d);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    g_assert_cmphex(veu_device_ready(d->device), ==, 0);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                     VEU_RING_DRAINING);
    g_assert_cmpuint(dev_fence_value(d), ==, 1);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    dev_setup(d);
    dev_enable(d);
    dev_push_fences(d, 4);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(dev_fence_value(d), ==, 4);
}

static void test_a_fence_that_is_not_stored(void)
{
    g_autoptr(Dev) d = new_dev("opcode=fence nth=2 action=drop:store");

    dev_push_fences(d, 2);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(dev_fence_value(d), ==, 1);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 2);
    dev_assert_no_fault(d);
}

/* Not even a device that falls asleep stores it. */
static void test_a_head_that_is_not_stored(void)
{
    g_autoptr(Dev) d = new_dev("nth=2 action=drop:head");

    dev_push_fences(d, 2);
    dev_run(d);
    g_assert_true(veu_device_sleep(d->device));
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), <, 2);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_HEAD), ==, 2);
    dev_push_fences(d, 1);
    dev_run(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 3);
}

static void test_an_interrupt_that_is_not_made(void)
{
    g_autoptr(Dev) d = new_dev("nth=1 action=drop:interrupt");
    struct veu_command_nop nop = dev_nop(1);

    nop.header.flags = VEU_COMMAND_INTERRUPT;
    DEV_PUSH(d, nop);
    dev_run(d);
    g_assert_cmpuint(test_host_count(&d->host, TEST_LOG_INTERRUPT), ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
    DEV_PUSH(d, nop);
    dev_run(d);
    g_assert_cmpuint(test_host_count(&d->host, TEST_LOG_INTERRUPT), ==, 1);
}

static unsigned flipped(const uint8_t *a, const uint8_t *b, unsigned bytes)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < bytes; i++) {
        bits += __builtin_popcount(a[i] ^ b[i]);
    }
    return bits;
}

/* One bit changes, and it is the same bit with the same seed. */
static void test_commands_are_corrupted(void)
{
    uint8_t filled[2][256];
    uint64_t fences[2];
    uint8_t pattern[256];

    memset(pattern, 0x5a, sizeof(pattern));
    for (unsigned i = 0; i < 2; i++) {
        g_autoptr(Dev) d = new_dev("seed=7 action=corrupt");
        struct veu_command_fill fill = {
            .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
            .pattern = UINT64_C(0x5a5a5a5a5a5a5a5a),
            .destination = DEV_DATA,
            .bytes = sizeof(filled[i]),
        };

        dev_push_fences(d, 1);
        DEV_PUSH(d, fill);
        g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
        test_memory_get(&d->host.memory, DEV_DATA, filled[i], 256);
        fences[i] = dev_fence_value(d);
    }
    g_assert_cmpuint(__builtin_popcountll(fences[0] ^ 1), ==, 1);
    g_assert_cmpuint(flipped(filled[0], pattern, 256), ==, 1);
    g_assert_cmphex(fences[0], ==, fences[1]);
    g_assert_cmpmem(filled[0], 256, filled[1], 256);
}

/*
 * About the given share of commands, and the same commands with the same seed.
 */
static void test_probability(void)
{
    uint64_t fired[2];

    for (unsigned i = 0; i < 2; i++) {
        g_autoptr(Dev) d = new_dev("probability=0.25 seed=3 "
                                   "action=drop:store");

        for (unsigned n = 0; n < 200; n++) {
            dev_push_fences(d, 5);
            dev_run(d);
        }
        g_assert_cmpuint(rule(d, 0)->matched, ==, 1000);
        fired[i] = rule(d, 0)->fired;
    }
    g_assert_cmpuint(fired[0], >, 200);
    g_assert_cmpuint(fired[0], <, 300);
    g_assert_cmpuint(fired[0], ==, fired[1]);
}

/* ---- messages, in the world of faults: 25 of them ---- */

static void look(Dev *d, FaultOutcome *o)
{
    TestMemory *memory = &d->host.memory;

    test_memory_get(memory, FAULT_PAGES, o->pages, sizeof(o->pages));
    test_memory_get(memory, DEV_RESULT, o->result, sizeof(o->result));
    o->fence = test_memory_get64(memory, DEV_FENCE);
    o->faults = dev_ring_get(d, VEU_REG_RING_FAULT_COUNT);
    o->record = dev_record(d, 0);
}

/* %s stands for the message's name. */
static Dev *run_world(TestKind kind, const char *format, FaultOutcome *o)
{
    FaultWorld w;
    Dev *d;
    g_autofree char *text = NULL;
    uint8_t code[2];

    fault_world_init(&w, kind);
    d = fault_world_new(&w, o);
    code[0] = test_layouts[kind].opcode;
    code[1] = test_layouts[kind].sub;
    text = g_strdup_printf(format, veu_message_find(code, 2)->mnemonic);
    dev_inject(d, text);
    dev_run(d);
    look(d, o);
    return d;
}

/* The last EU thread is the only one with running lanes. */
static void test_a_lane_faults(void)
{
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        const FaultMessage *info = &fault_messages[kind];
        g_autofree FaultOutcome *o = g_new0(FaultOutcome, 1);
        g_autoptr(Dev) d = NULL;
        bool marks = kind == TEST_SCATTER_SCALED;

        if (!info->lanes || marks) {
            continue;
        }
        d = run_world(kind, "opcode=%s lane=5 action=fault:ADDRESS", o);
        g_test_message("%s", test_layouts[kind].name);
        g_assert_cmpuint(o->faults, ==, 1);
        g_assert_cmphex(o->record.code, ==, VEU_FAULT_ADDRESS);
        g_assert_cmpuint(o->record.lane, ==, 5);
        g_assert_cmphex(o->record.lanes, ==, 1u << 5);
        g_assert_cmphex(o->record.address, ==,
                        fault_good_place(info, 5) + info->first * 4);
        g_assert_cmpuint(o->record.bytes, ==, info->element_bytes);
        g_assert_cmpuint(o->record.access, ==,
                         info->writes ? VEU_ACCESS_WRITE : VEU_ACCESS_READ);
        g_assert_cmpuint(o->record.group, ==, FAULT_GROUP);
        g_assert_cmphex(o->record.message_offset, ==, o->message_offset);
        g_assert_cmpuint(o->fence, ==, 1);
        assert_counts(d, 0, 1, 1);
    }
}

/* A fault of the message as a whole: no part of it is performed. */
static void test_a_message_faults(void)
{
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        g_autofree FaultOutcome *o = g_new0(FaultOutcome, 1);
        g_autoptr(Dev) d = NULL;

        if (kind == TEST_SCATTER_SCALED) {
            continue; /* the marks are of this kind as well */
        }
        d = run_world(kind, "opcode=%s action=fault:SURFACE_INDEX", o);
        g_assert_cmpuint(o->faults, ==, rule(d, 0)->fired);
        g_assert_cmpuint(o->faults, >=, 1);
        g_assert_cmphex(o->record.code, ==, VEU_FAULT_SURFACE_INDEX);
        g_assert_cmphex(o->record.lane, ==, VEU_FAULT_NO_LANE);
        for (uint64_t at = FAULT_PAGES; at < FAULT_END; at++) {
            g_assert_cmphex(o->pages[at - FAULT_PAGES], ==, fault_byte(at));
        }
        g_assert_cmpuint(o->fence, ==, 1);
    }
}

/* One bit of a lane changes: in memory for a write, in registers for a read. */
static void test_a_lane_is_corrupted(void)
{
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        const FaultMessage *info = &fault_messages[kind];
        g_autofree FaultOutcome *good = g_new0(FaultOutcome, 1);
        g_autofree FaultOutcome *o = g_new0(FaultOutcome, 1);
        g_autoptr(Dev) plain = NULL;
        g_autoptr(Dev) d = NULL;
        bool typed = info->form == FORM_TEXELS;

        if (!info->lanes || kind == TEST_SCATTER_SCALED) {
            continue;
        }
        plain = run_world(kind, "opcode=%s probability=0 action=hang", good);
        d = run_world(kind, "opcode=%s lane=3 action=corrupt", o);
        g_test_message("%s", test_layouts[kind].name);
        assert_counts(d, 0, 1, 1);
        g_assert_cmpuint(o->faults, ==, 0);
        g_assert_cmpuint(o->fence, ==, 1);
        g_assert_cmpuint(flipped(o->pages, good->pages, sizeof(o->pages)), ==,
                         info->writes);
        if (!info->writes) {
            unsigned bits = flipped(o->result[0], good->result[0],
                                    sizeof(o->result));

            /* in a texel, one bit makes another number */
            g_assert_cmpuint(bits, >=, 1);
            g_assert_true(typed || bits == 1);
        }
    }
}

/*
 * The mark that follows is of the same kind, but has no lane 3: it leaves what
 * the message before it has corrupted.
 */
static void test_the_next_message_corrupts_nothing(void)
{
    g_autofree FaultOutcome *good = g_new0(FaultOutcome, 1);
    g_autofree FaultOutcome *o = g_new0(FaultOutcome, 1);
    g_autoptr(Dev)
        plain = run_world(TEST_SCATTER_SCALED,
                          "opcode=%s probability=0 action=hang", good);
    g_autoptr(Dev) d = run_world(TEST_SCATTER_SCALED,
                                 "opcode=%s lane=3 action=corrupt", o);

    assert_counts(d, 0, 1, 1);
    g_assert_cmpuint(flipped(o->pages, good->pages, sizeof(o->pages)), ==, 1);
    g_assert_cmpuint(rule(plain, 0)->fired, ==, 0);
}

/*
 * The message is held afterwards, with or without work of other EU threads
 * before it.
 */
static void test_messages_are_delayed(void)
{
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        g_autofree FaultOutcome *o = g_new0(FaultOutcome, 1);
        g_autofree FaultOutcome *good = g_new0(FaultOutcome, 1);
        g_autoptr(Dev) plain = run_world(kind,
                                         "opcode=%s probability=0 "
                                         "action=hang",
                                         good);
        g_autoptr(Dev)
            d = run_world(kind, "opcode=%s nth=1 action=delay:1s", o);

        g_assert_cmpuint(o->fence, ==, 0);
        g_assert_cmpuint(veu_device_deadline(d->device), ==,
                         FAULT_TIME + 1000000000);
        d->host.now_ns += 1000000000;
        dev_run(d);
        look(d, o);
        g_assert_cmpuint(o->fence, ==, 1);
        g_assert_cmpmem(o->pages, sizeof(o->pages), good->pages,
                        sizeof(good->pages));
        g_assert_cmpmem(o->result, sizeof(o->result), good->result,
                        sizeof(good->result));
    }
}

static void test_an_address_range(void)
{
    g_autofree FaultOutcome *o = g_new0(FaultOutcome, 1);
    uint64_t at = fault_good_place(&fault_messages[TEST_GATHER], 4);
    g_autofree char *rules = g_strdup_printf(
        "address=0x%" G_GINT64_MODIFIER "x..0x%" G_GINT64_MODIFIER
        "x opcode=%%s action=fault:ADDRESS",
        at, at + 2 * FAULT_STRIDE);
    g_autoptr(Dev) d = run_world(TEST_GATHER, rules, o);

    g_assert_cmphex(o->record.lanes, ==, 0x70);
    g_assert_cmphex(o->record.address, ==, at);
    assert_counts(d, 0, 1, 1);
}

/* Payload and result of EU threads fault. */
static void test_threads_fault(void)
{
    static const uint16_t codes[] = { VEU_FAULT_PAYLOAD_MEMORY,
                                      VEU_FAULT_PAYLOAD_FIELD,
                                      VEU_FAULT_RESULT_MEMORY };

    for (unsigned i = 0; i < G_N_ELEMENTS(codes); i++) {
        g_autofree FaultOutcome *o = g_new0(FaultOutcome, 1);
        g_autofree char *rules =
            g_strdup_printf("opcode=dispatch nth=2 action=fault:%s",
                            veu_fault_info(codes[i])->name);
        FaultWorld w;
        g_autoptr(Dev) d = NULL;

        fault_world_init(&w, TEST_GATHER);
        d = fault_world_new(&w, o);
        dev_inject(d, rules);
        dev_run(d);
        look(d, o);
        g_assert_cmpuint(o->faults, ==, 1);
        g_assert_cmphex(o->record.code, ==, codes[i]);
        g_assert_cmpuint(o->record.group, ==, 0);
        g_assert_cmpuint(o->record.thread, ==, 1);
        g_assert_cmpuint(o->fence, ==, 1);
    }
}

/*
 * Every fault of the table, except those of flips, can be injected and is
 * recorded.
 */
static void test_every_fault_has_a_rule(void)
{
    for (unsigned i = 0; i < veu_fault_count; i++) {
        g_autofree VeuInjectRules *rules = g_new0(VeuInjectRules, 1);
        g_autofree char *text = g_strdup_printf("action=fault:%s",
                                                veu_faults[i].name);
        VeuInjectError error;
        bool flip = veu_faults[i].code >= VEU_FAULT_SCANOUT_CONFIG;

        g_assert_cmpint(veu_inject_parse(text, 1, rules, &error), ==, !flip);
    }
}

/* ---- text ---- */

/* Rules that are refused, and a part of the hint that suggests a correction. */
static const struct {
    const char *text;
    const char *hint;
} refused[] = {
    { "ring=0", "action" },
    { ";", "action" },
    { "action=hang;", NULL }, /* is legal: nothing follows the semicolon */
    { "action=hang; ", "action" },
    { "action=explode", "corrupt" },
    { "action=", "corrupt" },
    { "action", "corrupt" },
    { "action=hang:1", "nothing" },
    { "action=delay", "delay:50us" },
    { "action=delay:5", "delay:50us" },
    { "action=delay:0us", "delay:50us" },
    { "action=delay:3601s", "delay:50us" },
    { "action=delay:99999999999999999999ns", "delay:50us" },
    { "action=drop", "drop:head" },
    { "action=fault:PAGE", "ADDRESS" },
    { "action=fault:SCANOUT_HOST", "ADDRESS" },
    { "action=hang action=hang", "already" },
    { "ring=2 action=hang", "0 to 1" },
    { "ring=1..0 action=hang", "0 to 1" },
    { "lane=32 action=corrupt", "0 to 31" },
    { "lane=-1 action=corrupt", "0 to 31" },
    { "address=x action=hang", "0x1000" },
    { "address=0x1.. action=hang", "0x1000" },
    { "nth=0 action=hang", "1" },
    { "every=18446744073709551616 action=hang", "1" },
    { "nth=1 every=1 action=hang", "not both" },
    { "probability=1.1 action=hang", "0.25" },
    { "probability=2 action=hang", "0.25" },
    { "probability=0.0000000001 action=hang", "0.25" },
    { "probability=.5 action=hang", "0.25" },
    { "seed=z action=hang", "64" },
    { "opcode=gahter action=hang", "gather" },
    { "lanes=1 action=hang", "lane" },
    { "opcode=nop action=drop:store", "timestamp" },
    { "opcode=gather action=drop:head", "commands" },
    { "opcode=dispatch action=corrupt", "Messages" },
    { "opcode=gather action=fault:WAIT_TIMEOUT", "opcode" },
    { "lane=1 action=fault:SURFACE_KIND", "lanes" },
    { "opcode=nop address=1 action=hang", "memory" },
};

static void test_wrong_rules_are_refused_with_a_hint(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autofree VeuInjectRules *rules = g_new0(VeuInjectRules, 1);
        VeuInjectError error = { 0 };
        bool ok;

        rules->count = 77;
        ok = veu_inject_parse(refused[i].text, 2, rules, &error);
        g_test_message("%s: %s: %s", refused[i].text, error.text, error.hint);
        g_assert_cmpint(ok, ==, !refused[i].hint);
        if (!ok) {
            g_assert_nonnull(strstr(error.hint, refused[i].hint));
            g_assert_cmpuint(rules->count, ==, 77);
        }
    }
}

/* The examples of docs/fault-inject.md are legal rules. */
static void test_examples(void)
{
    g_autofree char *path = g_build_filename(g_getenv("VEU_TEST_SOURCE"),
                                             "docs", "fault-inject.md", NULL);
    g_autofree char *page = NULL;
    g_auto(GStrv) parts = NULL;
    g_auto(GStrv) lines = NULL;

    g_assert_true(g_file_get_contents(path, &page, NULL, NULL));
    parts = g_strsplit(page, "```rules\n", 2);
    g_assert_cmpuint(g_strv_length(parts), ==, 2);
    *strstr(parts[1], "\n```") = '\0';
    lines = g_strsplit(parts[1], "\n", -1);
    g_assert_cmpuint(g_strv_length(lines), >=, 8);
    for (char **line = lines; *line; line++) {
        g_autofree VeuInjectRules *rules = g_new0(VeuInjectRules, 1);
        VeuInjectError error;

        g_test_message("%s", *line);
        g_assert_true(veu_inject_parse(*line, 4, rules, &error));
    }
}

static void test_bounds(void)
{
    g_autofree VeuInjectRules *rules = g_new0(VeuInjectRules, 1);
    g_autoptr(GString) text = g_string_new("action=hang");
    VeuInjectError error;

    for (unsigned i = 1; i < VEU_INJECT_MAX_RULES; i++) {
        g_string_append(text, ";action=hang");
    }
    g_assert_true(veu_inject_parse(text->str, 1, rules, &error));
    g_assert_cmpuint(rules->count, ==, VEU_INJECT_MAX_RULES);
    g_string_append(text, ";action=hang");
    g_assert_false(veu_inject_parse(text->str, 1, rules, &error));
    g_string_assign(text, "action=hang");
    g_string_set_size(text, VEU_INJECT_MAX_BYTES + 1);
    memset(text->str + 11, ' ', VEU_INJECT_MAX_BYTES + 1 - 11);
    g_assert_false(veu_inject_parse(text->str, 1, rules, &error));
    g_string_truncate(text, VEU_INJECT_MAX_BYTES);
    g_assert_true(veu_inject_parse(text->str, 1, rules, &error));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/inject/" #name, test_##name)
    RULE(the_nth_command_faults);
    RULE(a_policy_goes_on_behind_it);
    RULE(a_fault_of_the_ring_halts_it);
    RULE(other_rings_and_addresses_do_not_match);
    RULE(a_delay_is_waited_for);
    RULE(a_hang_lasts_until_reset);
    RULE(a_fence_that_is_not_stored);
    RULE(a_head_that_is_not_stored);
    RULE(an_interrupt_that_is_not_made);
    RULE(commands_are_corrupted);
    RULE(probability);
    RULE(a_lane_faults);
    RULE(a_message_faults);
    RULE(a_lane_is_corrupted);
    RULE(the_next_message_corrupts_nothing);
    RULE(messages_are_delayed);
    RULE(an_address_range);
    RULE(threads_fault);
    RULE(every_fault_has_a_rule);
    RULE(wrong_rules_are_refused_with_a_hint);
    RULE(examples);
    RULE(bounds);
#undef RULE
    return g_test_run();
}
