/*
 * veu unit tests: which rules of fault injection are accepted, and the edges of
 * what they select: docs/fault-inject.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>
#include "hw/veu/device/model.h"
#include "launch.h"

static bool parse(const char *text, VeuInjectError *error)
{
    g_autofree VeuInjectRules *rules = g_new0(VeuInjectRules, 1);

    return veu_inject_parse(text, DEV_RINGS, rules, error);
}

/* Only rules that can fire are accepted. */
static const struct {
    const char *rule;
    bool accepted;
} rows[] = {
    /* faults that a command has, and those that it does not have */
    { "opcode=nop action=fault:COMMAND_OPCODE", true },
    { "opcode=nop action=fault:COMMAND_FIELD", true },
    { "opcode=nop action=fault:BUDGET", true },
    { "opcode=nop action=fault:COMMAND_MEMORY", false },
    { "opcode=wait action=fault:COMMAND_MEMORY", true },
    { "opcode=fence action=fault:COMMAND_MEMORY", true },
    { "opcode=wait action=fault:WAIT_TIMEOUT", true },
    { "opcode=fence action=fault:WAIT_TIMEOUT", false },
    { "opcode=load action=fault:PROGRAM_MEMORY", true },
    { "opcode=load action=fault:PROGRAM_SPACE", true },
    { "opcode=unload action=fault:PROGRAM_HANDLE", true },
    { "opcode=unload action=fault:PROGRAM_SPACE", false },
    { "opcode=dispatch action=fault:PROGRAM_HANDLE", true },
    { "opcode=dispatch action=fault:PROGRAM_SPACE", false },
    { "opcode=kernel action=fault:PROGRAM_HANDLE", true },
    { "opcode=message action=fault:PROGRAM_HANDLE", false },
    /* EU threads: a KERNEL has no results, a FENCE has no EU threads */
    { "opcode=dispatch action=fault:RESULT_MEMORY", true },
    { "opcode=kernel action=fault:RESULT_MEMORY", false },
    { "opcode=kernel action=fault:PAYLOAD_MEMORY", true },
    { "opcode=fence action=fault:PAYLOAD_MEMORY", false },
    /* faults of flips */
    { "action=fault:SCANOUT_FIELD", false },
    /* commands that write memory, and those that access it */
    { "opcode=copy action=corrupt", true },
    { "opcode=wait action=corrupt", false },
    { "opcode=wait action=miss", true },
    { "opcode=nop action=miss", false },
    { "opcode=wait address=0x1000 action=hang", true },
    { "opcode=nop address=0x1000 action=hang", false },
    /* times: up to an hour */
    { "action=delay:3600s", true },
    { "action=delay:3601s", false },
    { "action=delay:3600000000000ns", true },
    { "action=delay:3600000000001ns", false },
    { "action=delay:0s", false },
    /* numbers */
    { "nth=0x1 action=hang", true },
    { "nth=0x action=hang", false },
    { "nth=0 action=hang", false },
    { "nth=5x action=hang", false },
    { "seed=18446744073709551615 action=hang", true },
    { "seed=18446744073709551616 action=hang", false },
    { "seed=0xffffffffffffffff action=hang", true },
    { "seed=0x10000000000000000 action=hang", false },
    { "lane=31 action=hang", true },
    { "lane=32 action=hang", false },
    { "ring=1 action=hang", true },
    { "ring=2 action=hang", false },
    { "ring=1..0 action=hang", false },
    { "probability=1.000000000 action=hang", true },
    { "probability=1.000000001 action=hang", false },
    { "probability=0.0000000001 action=hang", false },
    { "probability=2 action=hang", false },
    { "ring=0 ring=1 action=hang", false },
};

static void test_rules_that_can_fire_are_accepted(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        VeuInjectError error;

        g_test_message("%s", rows[i].rule);
        g_assert_cmpint(parse(rows[i].rule, &error), ==, rows[i].accepted);
    }
}

/* Only names that can be used are offered in place of a wrong one. */
static void test_names_that_are_offered(void)
{
    VeuInjectError error;

    g_assert_false(parse("action=fault:NO", &error));
    g_assert_nonnull(strstr(error.hint, " COMMAND_MEMORY"));
    g_assert_null(strstr(error.hint, "SCANOUT"));
}

/* The limits themselves are accepted, and nothing beyond them. */
static void test_limits_of_the_text(void)
{
    g_autofree char *blanks = g_strnfill(VEU_INJECT_MAX_BYTES, ' ');
    g_autofree char *more = g_strconcat(blanks, " ", NULL);
    g_autoptr(GString) rules = g_string_new("action=hang");
    VeuInjectError error;

    memcpy(blanks, "action=hang", strlen("action=hang"));
    memcpy(more, "action=hang", strlen("action=hang"));
    g_assert_true(parse(blanks, &error));
    g_assert_false(parse(more, &error));
    for (unsigned i = 1; i < VEU_INJECT_MAX_RULES; i++) {
        g_string_append(rules, ";action=hang");
    }
    g_assert_true(parse(rules->str, &error));
    g_string_append(rules, ";action=hang");
    g_assert_false(parse(rules->str, &error));
}

/* ---- what a rule selects ---- */

static const VeuInjectRule *rule(Dev *d)
{
    return &d->device->inject.rules.rule[0];
}

/* How often a range of addresses matches a FENCE at @address. */
static unsigned matches(uint64_t address, uint64_t first, uint64_t last)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_fence fence = dev_fence(1);
    g_autofree char *text = g_strdup_printf("address=0x%" PRIx64 "..0x%" PRIx64
                                            " action=delay:1ns",
                                            first, last);

    dev_inject(d, text);
    fence.address = address;
    DEV_PUSH(d, fence);
    dev_step(d, 1);
    return rule(d)->matched;
}

static void test_the_ends_of_a_range(void)
{
    const uint64_t at = DEV_FENCE;

    g_assert_cmpuint(matches(at, at, at), ==, 1);
    g_assert_cmpuint(matches(at, at - 4, at - 1), ==, 0);
    g_assert_cmpuint(matches(at, at - 4, at), ==, 1);
    g_assert_cmpuint(matches(at, at + 7, at + 9), ==, 1);
    g_assert_cmpuint(matches(at, at + 8, at + 9), ==, 0);
    /* an access that would wrap ends with the addresses */
    g_assert_cmpuint(matches(-UINT64_C(4), -UINT64_C(1), -UINT64_C(1)), ==, 1);
    g_assert_cmpuint(matches(-UINT64_C(4), 0, 3), ==, 0);
}

static struct veu_command_copy copy_of(uint64_t from, uint64_t to,
                                       uint32_t bytes)
{
    return (struct veu_command_copy){
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = from,
        .destination = to,
        .bytes = bytes,
    };
}

/* The fault is that of a first span that is not in RAM. */
static void test_a_fault_has_the_bytes_of_its_page(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_copy copy = copy_of(DEV_DATA + 0xff0, DEV_RESULT, 64);

    dev_inject(d, "action=fault:COMMAND_MEMORY");
    DEV_PUSH(d, copy);
    dev_run(d);
    g_assert_cmphex(dev_record(d, 0).address, ==, DEV_DATA + 0xff0);
    g_assert_cmpuint(dev_record(d, 0).bytes, ==, 16);
    g_assert_cmpuint(dev_record(d, 0).access, ==, VEU_ACCESS_READ);
}

/* One bit of what the command has written, and nothing else. */
static void test_a_corrupted_copy(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_copy copy = copy_of(DEV_DATA, DEV_RESULT + 1, 1);

    dev_inject(d, "opcode=copy action=corrupt");
    for (unsigned i = 0; i < 24; i++) {
        test_memory_fill(&d->host.memory, DEV_RESULT, 0, 16);
        DEV_PUSH(d, copy);
        dev_run(d);
        g_assert_cmpuint(get32(d, DEV_DATA), ==, 0);
        g_assert_cmphex(get32(d, DEV_RESULT) & ~0xff00u, ==, 0);
        g_assert_cmpint(__builtin_popcount(get32(d, DEV_RESULT)), ==, 1);
    }
    dev_assert_no_fault(d);
}

/* Any of its bytes may be the wrong one. */
static void test_each_byte_of_a_copy_is_corrupted(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_copy copy = copy_of(DEV_DATA, DEV_RESULT, 4);
    uint32_t flipped = 0;

    dev_inject(d, "opcode=copy action=corrupt");
    for (unsigned i = 0; i < 64; i++) {
        DEV_PUSH(d, copy);
        dev_run(d);
        flipped |= get32(d, DEV_RESULT);
    }
    for (unsigned byte = 0; byte < 4; byte++) {
        g_assert_cmphex(flipped >> byte * 8 & 0xff, !=, 0);
    }
}

/* The event has the rule's number, and how often it has fired. */
static void test_an_event_has_the_times_of_its_rule(void)
{
    g_autoptr(Dev) d = dev_running();
    const VeuEvent *event;

    dev_inject(d, "nth=9 action=hang; every=3 action=drop:interrupt");
    dev_push_fences(d, 6);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    event = test_host_last_event(&d->host, VEU_EVENT_INJECT);
    g_assert_nonnull(event);
    g_assert_cmpuint(event->at, ==, 1);
    g_assert_cmpuint(event->value, ==, 2);
}

static void test_the_longest_delay_counts(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(1);

    dev_inject(d, "action=delay:50us; action=delay:20us");
    DEV_PUSH(d, nop);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    g_assert_cmpuint(veu_device_deadline(d->device), ==, 50000);
}

/* A hold ends after its own delay, not at the deadline of the WAIT before. */
static void test_a_delay_after_a_wait(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(1);
    struct veu_command_wait wait = {
        .header = { .opcode = VEU_COMMAND_WAIT, .slots = 1 },
        .address = DEV_FENCE,
        .mask = UINT64_MAX,
        .value = 1,
        .timeout_ns = 1000000,
    };

    dev_inject(d, "opcode=nop action=delay:50us");
    DEV_PUSH(d, wait);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    g_assert_cmpuint(veu_device_deadline(d->device), ==, 1000000);
    put32(d, DEV_FENCE, 1);
    DEV_PUSH(d, nop);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    g_assert_cmpuint(veu_device_deadline(d->device), ==, 50000);
}

/* Once the delay is over, a drain does not wait for the WAIT. */
static void test_a_wait_after_its_delay(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_wait wait = {
        .header = { .opcode = VEU_COMMAND_WAIT, .slots = 1 },
        .address = DEV_FENCE,
        .mask = UINT64_MAX,
        .value = 1,
    };

    dev_inject(d, "opcode=wait action=delay:1us");
    DEV_PUSH(d, wait);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    d->host.now_ns += 1000;
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    dev_disable(d);
    dev_run(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                     VEU_RING_DISABLED);
}

/* ---- launches ---- */

/* A dispatch of two stores of one lane, with a payload. */
static struct veu_command_dispatch make_stores(Dev *d)
{
    TestMessage m = store(0);
    struct veu_command_dispatch c;

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_add(&d->program, &m);
    m = store(4);
    test_program_add(&d->program, &m);
    c = dispatch(d);
    c.launch.payload_bytes = 64;
    put32(d, DEV_PAYLOAD, UINT32_MAX);
    return c;
}

static Dev *make_dev(const char *rules)
{
    Dev *d = dev_new();

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_MESSAGE);
    dev_enable(d);
    dev_inject(d, rules);
    return d;
}

static void test_opcodes_of_launches(void)
{
    g_autoptr(Dev) d = make_dev("opcode=kernel action=fault:PAYLOAD_MEMORY");
    struct veu_command_dispatch c = make_stores(d);

    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(rule(d)->matched, ==, 0);
}

/* An EU thread without a payload does not read it. */
static void test_no_payload_does_not_fault(void)
{
    g_autoptr(Dev) d = make_dev("opcode=dispatch action=fault:PAYLOAD_MEMORY");
    struct veu_command_dispatch c = make_stores(d);

    c.launch.payload_bytes = 0;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(rule(d)->matched, ==, 0);
}

/* A rule that needs no lanes decides once for each message. */
static void test_a_message_matches_once(void)
{
    g_autoptr(Dev) d = make_dev("opcode=scatter_scaled nth=9 action=hang");
    struct veu_command_dispatch c = make_stores(d);

    DEV_PUSH(d, c);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(rule(d)->matched, ==, 2);
}

/* What was decided for one message does not apply to the next. */
static void test_lanes_of_the_first_message(void)
{
    g_autoptr(Dev) d = make_dev("lane=0 nth=1 action=fault:ADDRESS");
    struct veu_command_dispatch c = make_stores(d);

    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 1);
    g_assert_cmpuint(rule(d)->matched, ==, 2);
}

static void test_a_lane_is_delayed(void)
{
    g_autoptr(Dev) d = make_dev("lane=0 nth=1 action=delay:50us");
    struct veu_command_dispatch c = make_stores(d);

    DEV_PUSH(d, c);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    g_assert_cmpuint(veu_device_deadline(d->device), ==, 50000);
    d->host.now_ns = 50000;
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(d);
}

/* Each lane has two of them here, so lanes 0 to 15 are corrupted. */
static void test_a_message_has_32_corrupted_accesses(void)
{
    g_autoptr(Dev) d = make_dev("opcode=gather_scaled seed=1 action=corrupt; "
                                "opcode=gather_scaled seed=2 action=corrupt");
    TestProgram *p = &d->program;
    TestMessage load = { .kind = TEST_GATHER_SCALED,
                         .exec = TEST_LANES_32,
                         .num_blocks = 2,
                         .surface = 5,
                         .offset = test_immediate(0),
                         .address = { 32, 0 },
                         .data = { 33, 0 } };
    struct veu_command_dispatch c;

    test_program_variable(p, 0, 32, VEU_TYPE_UD);
    test_program_variable(p, 128, 32, VEU_TYPE_UD);
    test_program_add(p, &load);
    c = dispatch(d);
    c.launch.simd = 32;
    c.launch.result_offset = 128;
    c.launch.result_bytes = 128;
    DEV_PUSH(d, c);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(d);
    for (unsigned lane = 0; lane < 32; lane++) {
        g_assert_cmpint(get32(d, DEV_RESULT + lane * 4) != 0, ==, lane < 16);
    }
}

/* A store in two pages: one bit of one of them. */
static void test_a_store_in_two_pages_is_corrupted(void)
{
    const uint64_t first = DEV_DATA + TEST_PAGE_BYTES - 64;
    g_autoptr(Dev) d = make_dev("opcode=svm_block_st action=corrupt");
    TestMessage store = { .kind = TEST_SVM_BLOCK_ST,
                          .size = 3,
                          .offset = test_immediate(first),
                          .data = { 32, 0 } };
    struct veu_command_dispatch c;
    unsigned bits[2] = { 0 };

    test_program_variable(&d->program, 0, 32, VEU_TYPE_UD);
    test_program_add(&d->program, &store);
    c = dispatch(d);
    for (unsigned i = 0; i < 32; i++) {
        DEV_PUSH(d, c);
        dev_run(d);
        for (unsigned at = 0; at < 128; at += 4) {
            bits[at / 64] += __builtin_popcount(get32(d, first + at));
        }
        g_assert_cmpuint(bits[0] + bits[1], ==, i + 1);
    }
    dev_assert_no_fault(d);
    g_assert_cmpuint(bits[0], >, 0);
    g_assert_cmpuint(bits[1], >, 0);
}

typedef struct Watcher {
    VeuObserver observer; /* first */
    unsigned begun, lanes, ended;
    bool refuses;
} Watcher;

static bool see_begin(VeuObserver *observer, VeuThread *t, const VeuMessage *m)
{
    Watcher *w = (Watcher *)observer;

    w->begun++;
    return !w->refuses || veu_fault_form(&t->fault, VEU_FAULT_BUDGET, 0);
}

static uint16_t see_lane(VeuObserver *observer, const VeuLaneAccess *access,
                         VeuLanePlace place, VeuSpan *span)
{
    ((Watcher *)observer)->lanes++;
    return VEU_FAULT_NONE;
}

static void see_end(VeuObserver *observer)
{
    ((Watcher *)observer)->ended++;
}

/* The host's observer sees the messages and lanes that rules check, too. */
static void test_the_hosts_observer(void)
{
    g_autoptr(Dev) d = make_dev("lane=0 nth=9 action=fault:ADDRESS");
    struct veu_command_dispatch c = make_stores(d);
    Watcher w = { .observer = {
                      .lane = see_lane, .begin = see_begin, .end = see_end } };

    d->host.host.observer = &w.observer;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(w.begun, ==, 2);
    g_assert_cmpuint(w.lanes, ==, 2);
    g_assert_cmpuint(w.ended, ==, 2);
}

/* A message that the host's observer refuses matches no rule. */
static void test_the_hosts_observer_refuses(void)
{
    g_autoptr(Dev) d = make_dev("opcode=scatter_scaled action=fault:ADDRESS");
    struct veu_command_dispatch c = make_stores(d);
    Watcher w = { .observer = { .lane = see_lane, .begin = see_begin },
                  .refuses = true };

    d->host.host.observer = &w.observer;
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(rule(d)->matched, ==, 0);
    g_assert_cmpuint(w.begun, ==, 2);
    g_assert_cmpuint(w.lanes, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/inject_rules/" #name, test_##name)
    RULE(rules_that_can_fire_are_accepted);
    RULE(names_that_are_offered);
    RULE(limits_of_the_text);
    RULE(the_ends_of_a_range);
    RULE(a_fault_has_the_bytes_of_its_page);
    RULE(a_corrupted_copy);
    RULE(each_byte_of_a_copy_is_corrupted);
    RULE(an_event_has_the_times_of_its_rule);
    RULE(the_longest_delay_counts);
    RULE(a_delay_after_a_wait);
    RULE(a_wait_after_its_delay);
    RULE(opcodes_of_launches);
    RULE(no_payload_does_not_fault);
    RULE(a_message_matches_once);
    RULE(lanes_of_the_first_message);
    RULE(a_lane_is_delayed);
    RULE(a_message_has_32_corrupted_accesses);
    RULE(a_store_in_two_pages_is_corrupted);
    RULE(the_hosts_observer);
    RULE(the_hosts_observer_refuses);
#undef RULE
    return g_test_run();
}
