/*
 * veu unit tests: the command WAIT: docs/spec.md, "WAIT".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/model.h"
#include "tests/lib/device_rings.h"

#define WORD DEVS_FENCE(0)

static struct veu_command_wait wait_for(uint32_t condition, uint64_t value)
{
    return (struct veu_command_wait){
        .header = { .opcode = 4, .slots = 1, .tag = 0xaa },
        .address = WORD,
        .mask = UINT64_MAX,
        .value = value,
        .condition = condition,
    };
}

static struct veu_command_fence fence_at(uint64_t address, uint64_t value)
{
    struct veu_command_fence fence = dev_fence(value);

    fence.address = address;
    return fence;
}

static void store(Devs *d, uint64_t value)
{
    test_memory_put64(&d->dev->host.memory, WORD, value);
}

static uint32_t head(Devs *d, unsigned ring)
{
    return DEVS_SHARED_WORD(d, ring, head);
}

static void assert_fault(Devs *d, uint16_t code, uint32_t detail)
{
    struct veu_fault_record record = devs_record(d, 0, 0);

    devs_settle(d);
    record = devs_record(d, 0, 0);
    g_assert_cmphex(devs_get(d, 0, VEU_REG_RING_LAST_FAULT), ==, code);
    g_assert_cmphex(record.code, ==, code);
    g_assert_cmpuint(record.detail, ==, detail);
    g_assert_cmphex(record.tag, ==, 0xaa);
    g_assert_cmphex(record.command, ==, 4);
}

/* Returns true if a WAIT for @condition lets the ring proceed. */
static bool is_fulfilled(uint32_t condition, uint64_t word, uint64_t mask,
                         uint64_t value)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_wait wait = wait_for(condition, value);

    wait.mask = mask;
    store(d, word);
    DEVS_PUSH(d, 0, wait);
    devs_settle(d);
    g_assert_cmphex(devs_get(d, 0, VEU_REG_RING_LAST_FAULT), ==, 0);
    return head(d, 0) == 1;
}

/* Bits 0, 1, 2 mean that the condition accepts less, equal, greater. */
static void test_conditions(void)
{
    static const uint8_t accepted[] = { 2, 5, 1, 3, 4, 6 };
    static const uint64_t high = UINT64_C(1) << 63; /* unsigned */

    for (unsigned i = 0; i < G_N_ELEMENTS(accepted); i++) {
        for (unsigned order = 0; order < 3; order++) {
            g_assert_cmpint(is_fulfilled(i, high + order, UINT64_MAX, high + 1),
                            ==, accepted[i] >> order & 1);
        }
        g_assert_cmpint(is_fulfilled(i, 0, UINT64_MAX, UINT64_MAX), ==,
                        accepted[i] & 1);
        g_assert_cmpint(is_fulfilled(i, UINT64_MAX, UINT64_MAX, 0), ==,
                        accepted[i] >> 2 & 1);
    }
}

static void test_the_mask_is_of_the_word(void)
{
    g_assert_true(is_fulfilled(0, 0x1234567800000007, 0xffffffff, 7));
    g_assert_true(is_fulfilled(0, 0x1234567800000007, ~0xffffffffull,
                               0x1234567800000000));
    g_assert_false(
        is_fulfilled(0, 0x1234567800000007, 0xffffffff, 0x1234567800000007));
    g_assert_true(is_fulfilled(1, 0x80, 0x80, 0));
}

static void test_bad_fields(void)
{
    for (unsigned at = 1; at < 8; at++) {
        g_autoptr(Devs) d = devs_new(1);
        struct veu_command_wait wait = wait_for(9, 0); /* is checked second */

        wait.address += at;
        DEVS_PUSH(d, 0, wait);
        assert_fault(d, VEU_FAULT_COMMAND_FIELD, 8);
    }
    for (unsigned bit = 3; bit < 32; bit++) {
        g_autoptr(Devs) d = devs_new(1);
        struct veu_command_wait wait = wait_for(1u << bit, 0);

        DEVS_PUSH(d, 0, wait);
        assert_fault(d, VEU_FAULT_COMMAND_FIELD, 40);
    }
}

static void test_a_word_that_is_not_in_ram(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_wait wait = wait_for(0, 1);

    wait.address = DEV_HOLE;
    DEVS_PUSH(d, 0, wait);
    assert_fault(d, VEU_FAULT_COMMAND_MEMORY, 0);
    g_assert_cmphex(devs_record(d, 0, 0).address, ==, DEV_HOLE);
    g_assert_cmpuint(devs_record(d, 0, 0).access, ==, VEU_ACCESS_READ);
    g_assert_cmpuint(devs_record(d, 0, 0).bytes, ==, 8);
}

/* ROM is accepted: only reads are needed. */
static void test_a_word_that_can_only_be_read(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_wait wait = wait_for(0, 0);

    wait.address = DEV_ROM;
    DEVS_PUSH(d, 0, wait);
    devs_settle(d);
    g_assert_cmpuint(head(d, 0), ==, 1);
}

static void test_nothing_behind_it_is_done_before(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_wait wait = wait_for(5, 10);
    struct veu_command_fence before = fence_at(DEVS_FENCE(0) + 8, 1);
    struct veu_command_fence behind = fence_at(DEVS_FENCE(0) + 16, 2);

    DEVS_PUSH(d, 0, before);
    DEVS_PUSH(d, 0, wait);
    DEVS_PUSH(d, 0, behind);
    for (unsigned value = 0; value < 10; value++) {
        store(d, value);
        devs_settle(d);
        g_assert_cmpuint(head(d, 0), ==, 1);
        g_assert_cmpuint(test_memory_get64(&d->dev->host.memory, WORD + 8), ==,
                         1);
        g_assert_cmpuint(test_memory_get64(&d->dev->host.memory, WORD + 16), ==,
                         0);
    }
    store(d, 10);
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 1);
    devs_settle(d);
    g_assert_cmpuint(head(d, 0), ==, 3);
    g_assert_cmpuint(test_memory_get64(&d->dev->host.memory, WORD + 16), ==, 2);
}

/* The step reports the wait, and costs nothing more. */
static void test_a_step_that_waits(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_wait wait = wait_for(0, 1);

    DEVS_PUSH(d, 0, wait);
    g_assert_cmpint(veu_ring_step(d->dev->device, 0, 64), ==, VEU_STEP_WAIT);
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 0);
    g_assert_cmpint(veu_ring_step(d->dev->device, 0, 64), ==, VEU_STEP_WAIT);
    store(d, 1);
    g_assert_cmpint(veu_ring_step(d->dev->device, 0, 64), ==, VEU_STEP_IDLE);
}

/* ---- sleep ---- */

static void test_a_ring_that_waits_sleeps(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_wait wait = wait_for(0, 1);

    DEVS_PUSH(d, 0, wait);
    devs_settle(d);
    g_assert_cmpuint(DEVS_SHARED_WORD(d, 0, asleep), ==, 0);
    g_assert_true(veu_device_sleep(d->dev->device));
    g_assert_cmpuint(DEVS_SHARED_WORD(d, 0, asleep), ==, 1);
    g_assert_cmpuint(DEVS_SHARED_WORD(d, 0, state), ==, VEU_RING_RUNNING);
    /* later commands are no reason to wake it */
    DEVS_PUSH(d, 0, wait);
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 0);
    store(d, 1);
    devs_settle(d);
    g_assert_cmpuint(DEVS_SHARED_WORD(d, 0, asleep), ==, 0);
    g_assert_cmpuint(head(d, 0), ==, 2);
}

static void store_word(TestHost *host)
{
    test_memory_put64(&host->memory, WORD, 1);
}

/*
 * The driver saw asleep = 0 and does not kick, so the device reads the word
 * again.
 */
static void test_a_word_stored_during_the_fence_is_noticed(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_wait wait = wait_for(0, 1);

    DEVS_PUSH(d, 0, wait);
    devs_settle(d);
    d->dev->host.on_fence = store_word;
    g_assert_false(veu_device_sleep(d->dev->device));
    d->dev->host.on_fence = NULL;
    devs_settle(d);
    g_assert_cmpuint(head(d, 0), ==, 1);
}

/* ---- time ---- */

/* Waits from 1,000 to 1,500 ns. */
static Devs *devs_that_wait_500_ns(void)
{
    Devs *d = devs_new(1);
    struct veu_command_wait wait = wait_for(0, 1);

    wait.timeout_ns = 500;
    d->dev->host.now_ns = 1000;
    DEVS_PUSH(d, 0, wait);
    devs_settle(d);
    return d;
}

static void test_timeout(void)
{
    g_autoptr(Devs) d = devs_that_wait_500_ns();

    g_assert_cmpuint(veu_device_deadline(d->dev->device), ==, 1500);
    d->dev->host.now_ns = 1499;
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 0);
    d->dev->host.now_ns = 1500;
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 1);
    assert_fault(d, VEU_FAULT_WAIT_TIMEOUT, 0);
    g_assert_cmphex(devs_record(d, 0, 0).address, ==, WORD);
    g_assert_cmpuint(devs_record(d, 0, 0).time, ==, 1500);
    g_assert_cmpuint(devs_get(d, 0, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
    g_assert_cmpuint(head(d, 0), ==, 0);
    g_assert_cmphex(veu_device_deadline(d->dev->device), ==, VEU_NO_DEADLINE);
}

/* A paused ring does not look at the time: the fault comes after the pause. */
static void test_a_paused_wait_has_no_deadline(void)
{
    g_autoptr(Devs) d = devs_that_wait_500_ns();

    devs_set(d, 0, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_PAUSE);
    g_assert_cmphex(veu_device_deadline(d->dev->device), ==, VEU_NO_DEADLINE);
    d->dev->host.now_ns = 1500;
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 0);
    devs_set(d, 0, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    g_assert_cmpuint(veu_device_deadline(d->dev->device), ==, 1500);
    assert_fault(d, VEU_FAULT_WAIT_TIMEOUT, 0);
}

/*
 * If the word fulfils the condition and the timeout has expired, the word
 * counts.
 */
static void test_the_word_goes_before_the_time(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_wait wait = wait_for(0, 1);

    wait.timeout_ns = 1;
    DEVS_PUSH(d, 0, wait);
    devs_settle(d);
    d->dev->host.now_ns = 1000;
    store(d, 1);
    devs_settle(d);
    g_assert_cmpuint(head(d, 0), ==, 1);
    g_assert_cmphex(devs_get(d, 0, VEU_REG_RING_LAST_FAULT), ==, 0);
}

static void test_other_policies_skip_a_late_wait(void)
{
    for (unsigned policy = 1; policy <= 2; policy++) {
        g_autoptr(Devs) d = devs_new(1);
        struct veu_command_wait wait = wait_for(0, 1);
        struct veu_command_fence behind = fence_at(WORD + 8, 2);

        devs_set(d, 0, VEU_REG_RING_CONTROL, 0);
        devs_settle(d);
        devs_set(d, 0, VEU_REG_RING_POLICY, policy);
        devs_set(d, 0, VEU_REG_RING_CONTROL, 1);
        wait.timeout_ns = 10;
        DEVS_PUSH(d, 0, wait);
        DEVS_PUSH(d, 0, behind);
        devs_settle(d);
        d->dev->host.now_ns = 10;
        assert_fault(d, VEU_FAULT_WAIT_TIMEOUT, 0);
        g_assert_cmpuint(head(d, 0), ==, 2);
        g_assert_cmpuint(test_memory_get64(&d->dev->host.memory, WORD + 8), ==,
                         2);
    }
}

static void test_no_timeout(void)
{
    static const uint64_t endless[] = { 0, UINT64_MAX, UINT64_MAX - 4 };

    for (unsigned i = 0; i < G_N_ELEMENTS(endless); i++) {
        g_autoptr(Devs) d = devs_new(1);
        struct veu_command_wait wait = wait_for(0, 1);

        d->dev->host.now_ns = 5;
        wait.timeout_ns = endless[i];
        DEVS_PUSH(d, 0, wait);
        devs_settle(d);
        g_assert_cmphex(veu_device_deadline(d->dev->device), ==,
                        VEU_NO_DEADLINE);
        d->dev->host.now_ns = UINT64_MAX;
        g_assert_cmphex(veu_device_ready(d->dev->device), ==, 0);
    }
}

static void test_the_first_of_all_deadlines(void)
{
    static const uint64_t timeouts[] = { 0, 700, 300, 900 };
    g_autoptr(Devs) d = devs_new(4);

    for (unsigned i = 0; i < 4; i++) {
        struct veu_command_wait wait = wait_for(0, 1);

        wait.timeout_ns = timeouts[i];
        DEVS_PUSH(d, i, wait);
    }
    devs_settle(d);
    g_assert_cmpuint(veu_device_deadline(d->dev->device), ==, 300);
    devs_set(d, 2, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    g_assert_cmpuint(veu_device_deadline(d->dev->device), ==, 700);
    d->dev->host.now_ns = 700;
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 2);
}

/* ---- drain, reset, several rings ---- */

/* A drain abandons the WAIT; the next enable begins it again. */
static void test_drain_does_not_wait_for_a_wait(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_wait wait = wait_for(0, 1);

    wait.timeout_ns = 100;
    DEVS_PUSH(d, 0, wait);
    devs_settle(d);
    devs_set(d, 0, VEU_REG_RING_CONTROL, 0);
    devs_settle(d);
    g_assert_cmpuint(devs_get(d, 0, VEU_REG_RING_STATE), ==, 0);
    g_assert_cmpuint(devs_get(d, 0, VEU_REG_RING_HEAD), ==, 0);
    g_assert_cmphex(devs_get(d, 0, VEU_REG_RING_LAST_FAULT), ==, 0);
    d->dev->host.now_ns = 1000;
    devs_set(d, 0, VEU_REG_RING_CONTROL, 1);
    devs_settle(d);
    g_assert_cmpuint(veu_device_deadline(d->dev->device), ==, 1100);
    store(d, 1);
    devs_settle(d);
    g_assert_cmpuint(head(d, 0), ==, 1);
}

/* The command after a WAIT that a drain abandoned has no deadline. */
static void test_an_abandoned_wait_leaves_no_deadline(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_wait wait = wait_for(0, 1);
    struct veu_command_nop nop = dev_nop(1);

    wait.timeout_ns = 100;
    DEVS_PUSH(d, 0, wait);
    devs_settle(d);
    devs_set(d, 0, VEU_REG_RING_CONTROL, 0);
    devs_settle(d);
    devs_set(d, 0, VEU_REG_RING_HEAD, 1);
    devs_set(d, 0, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    DEVS_PUSH(d, 0, nop);
    dev_ring_step(d->dev, 0, 1);
    g_assert_nonnull(d->dev->device->ring[0].command.info);
    g_assert_cmphex(veu_device_deadline(d->dev->device), ==, VEU_NO_DEADLINE);
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 1);
}

static void test_reset_ends_a_wait(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_wait wait = wait_for(0, 1);

    wait.timeout_ns = 100;
    DEVS_PUSH(d, 0, wait);
    devs_settle(d);
    devs_set(d, 0, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    store(d, 1);
    d->dev->host.now_ns = 1000;
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 0);
    g_assert_cmphex(veu_device_deadline(d->dev->device), ==, VEU_NO_DEADLINE);
    g_assert_cmpuint(devs_get(d, 0, VEU_REG_RING_STATE), ==, 0);
    g_assert_cmpuint(head(d, 0), ==, 0);
}

/* Each ring wakes the other one, without a kick or a driver. */
static void test_rings_play_ping_pong(void)
{
    g_autoptr(Devs) d = devs_new(2);

    for (unsigned i = 1; i <= 30; i++) {
        struct veu_command_wait ping = wait_for(0, 2 * i - 2);
        struct veu_command_fence to_pong = fence_at(WORD, 2 * i - 1);
        struct veu_command_wait pong = wait_for(0, 2 * i - 1);
        struct veu_command_fence to_ping = fence_at(WORD, 2 * i);

        DEVS_PUSH(d, 0, ping);
        DEVS_PUSH(d, 0, to_pong);
        DEVS_PUSH(d, 1, pong);
        DEVS_PUSH(d, 1, to_ping);
    }
    devs_settle(d);
    g_assert_cmpuint(head(d, 0), ==, 60);
    g_assert_cmpuint(head(d, 1), ==, 60);
    g_assert_cmpuint(test_memory_get64(&d->dev->host.memory, WORD), ==, 60);
}

static void test_a_wait_does_not_hold_up_others(void)
{
    g_autoptr(Devs) d = devs_new(2);
    struct veu_command_wait wait = wait_for(0, 1);
    struct veu_command_nop nop = dev_nop(0);

    DEVS_PUSH(d, 0, wait);
    for (unsigned i = 0; i < 20; i++) {
        DEVS_PUSH(d, 1, nop);
        devs_settle(d);
        g_assert_cmpuint(head(d, 1), ==, i + 1);
    }
    g_assert_cmpuint(head(d, 0), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/wait/" #name, test_##name)
    RULE(conditions);
    RULE(the_mask_is_of_the_word);
    RULE(bad_fields);
    RULE(a_word_that_is_not_in_ram);
    RULE(a_word_that_can_only_be_read);
    RULE(nothing_behind_it_is_done_before);
    RULE(a_step_that_waits);
    RULE(a_ring_that_waits_sleeps);
    RULE(a_word_stored_during_the_fence_is_noticed);
    RULE(timeout);
    RULE(a_paused_wait_has_no_deadline);
    RULE(the_word_goes_before_the_time);
    RULE(other_policies_skip_a_late_wait);
    RULE(no_timeout);
    RULE(the_first_of_all_deadlines);
    RULE(drain_does_not_wait_for_a_wait);
    RULE(an_abandoned_wait_leaves_no_deadline);
    RULE(reset_ends_a_wait);
    RULE(rings_play_ping_pong);
    RULE(a_wait_does_not_hold_up_others);
#undef RULE
    return g_test_run();
}
