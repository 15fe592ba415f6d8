/*
 * veu fuzzer: rules of fault-inject. Accepted rules have a meaning, keep it
 * when they are read again, and do not harm a device that works under them:
 * without rules, after a reset, it works normally.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <string.h>
#include "hw/veu/device/host/inject.h"
#include "tests/fuzz/input.h"
#include "tests/lib/device_fixture.h"

#define STEPS 200

static void check_error(const VeuInjectError *error)
{
    g_assert_true(g_utf8_validate(error->hint, -1, NULL));
    g_assert_cmpuint(strlen(error->text), >, 0);
    g_assert_cmpuint(strlen(error->hint), >, 0);
}

/* Checks that a rule can fire, and has the bounds of the documentation. */
static void check_rule(const VeuInjectRule *r, unsigned rings)
{
    g_assert_cmpuint(r->points, !=, 0);
    g_assert_cmpuint(r->rings, !=, 0);
    g_assert_cmpuint(r->lanes, !=, 0);
    g_assert_true(r->rings == UINT64_MAX || !(r->rings >> rings));
    g_assert_cmpuint(r->probability, <=, VEU_INJECT_ALWAYS);
    g_assert_true(r->delay_ns <= VEU_INJECT_MAX_NS ||
                  r->delay_ns == VEU_NO_DEADLINE);
    g_assert_true(!r->nth || !r->every);
    g_assert_true(!r->has_range || r->first_address <= r->last_address);
}

static void check_rules(const VeuInjectRules *rules, unsigned rings)
{
    static VeuInjectRules again;
    VeuInjectError error;

    g_assert_cmpuint(rules->count, <=, VEU_INJECT_MAX_RULES);
    for (unsigned i = 0; i < rules->count; i++) {
        check_rule(&rules->rule[i], rings);
    }
    g_assert_true(veu_inject_parse(rules->text, rings, &again, &error));
    g_assert_cmpmem(rules->rule, sizeof(rules->rule), again.rule,
                    sizeof(again.rule));
}

/* ---- a device at work ---- */

static void push_message(Dev *d, TestKind kind)
{
    TestMessage m = { .kind = kind,
                      .exec = TEST_LANES_8,
                      .num_blocks = 2,
                      .surface = 6,
                      .offset = test_immediate(64),
                      .address = { 32, 0 },
                      .data = { 33, 0 } };
    struct veu_command_message c = dev_message(&m);

    c.launch.variable_count = 2;
    c.variables[0] = (struct veu_variable){ 0, 8, VEU_TYPE_UD, 0 };
    c.variables[1] = (struct veu_variable){ 32, 8, VEU_TYPE_UD, 0 };
    c.launch.surface_count = 1;
    c.launch.threads = 2;
    DEV_PUSH(d, c);
}

static void push_work(Dev *d)
{
    struct veu_command_fence fence = dev_fence(1);
    struct veu_command_timestamp stamp = {
        .header = { .opcode = VEU_COMMAND_TIMESTAMP, .slots = 1 },
        .address = DEV_DATA + 8,
    };
    struct veu_command_copy copy = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = DEV_DATA,
        .destination = DEV_DATA + 100,
        .bytes = 5000,
    };
    struct veu_command_fill fill = {
        .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
        .destination = DEV_DATA + 8000,
        .bytes = 100,
    };

    dev_buffer(d, 0, DEV_DATA, 4096);
    push_message(d, TEST_GATHER_SCALED);
    push_message(d, TEST_SCATTER_SCALED);
    DEV_PUSH(d, fence);
    DEV_PUSH(d, stamp);
    DEV_PUSH(d, copy);
    DEV_PUSH(d, fill);
}

/* Time passes where a rule waits for it. */
static void run(Dev *d)
{
    for (unsigned i = 0; i < STEPS; i++) {
        switch (dev_step(d, 16)) {
        case VEU_STEP_MORE:
            break;
        case VEU_STEP_WAIT:
            d->host.now_ns = veu_device_deadline(d->device);
            break;
        default:
            return;
        }
    }
}

static void assert_works(Dev *d)
{
    static const VeuInjectRules none;
    struct veu_command_fence fence = dev_fence(99);

    veu_device_inject(d->device, &none);
    veu_device_reset(d->device);
    dev_setup(d);
    dev_enable(d);
    DEV_PUSH(d, fence);
    run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, DEV_FENCE), ==, 99);
}

/* Memory does not move, because moving it would take most of the time. */
static void work(const VeuInjectRules *rules, uint8_t policy)
{
    g_autoptr(Dev) d = dev_new();

    d->keep_memory = true;
    veu_device_inject(d->device, rules);
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, policy % 3);
    dev_enable(d);
    push_work(d);
    run(d);
    assert_works(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static VeuInjectRules rules;
    FuzzInput in = { data, bytes };
    unsigned rings = 1 + fuzz_u8(&in) % VEU_MAX_RINGS;
    uint8_t policy = fuzz_u8(&in);
    g_autofree char *text = g_strndup((const char *)in.data, in.left);
    VeuInjectError error = { 0 };

    if (veu_inject_parse(text, rings, &rules, &error)) {
        check_rules(&rules, rings);
        work(&rules, policy);
    } else {
        check_error(&error);
    }
    return 0;
}
