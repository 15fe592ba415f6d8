/*
 * veu unit tests: registers: docs/spec.md, section 2.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/host/registers.h"
#include "tests/lib/device_fixture.h"

enum {
    RO,
    RW,
    RWD,
};

typedef struct Row {
    const char *name;
    uint32_t offset; /* in BAR0 */
    unsigned bytes;
    int access;
    uint64_t reset;
    uint64_t writable;
} Row;

/* Typed from the tables of the text, for ring 0 and context 0. */
static const Row rows[] = {
    { "MAGIC", 0x000, 4, RO, 0x31554556, 0 },
    { "ABI_VERSION", 0x004, 4, RO, 0x10002, 0 },
    { "CAP_RINGS", 0x010, 4, RO, DEV_RINGS, 0 },
    { "CAP_CONTEXTS", 0x014, 4, RO, DEV_RINGS, 0 },
    { "CAP_CONTEXT_TYPES", 0x018, 4, RO, 0xb, 0 },
    { "CAP_DOORBELL_STRIDE", 0x01c, 4, RO, 4096, 0 },
    { "CAP_VECTORS", 0x020, 4, RO, DEV_VECTORS, 0 },
    { "CAP_RING_SLOTS", 0x024, 4, RO, 0x100000, 0 },
    { "CAP_GRF_BYTES", 0x028, 4, RO, 0x60, 0 },
    { "CAP_SIMD", 0x02c, 4, RO, 0x38, 0 },
    { "CAP_FLAGS", 0x06c, 4, RO, 0, 0 },
    { "CAP_PROGRAM_KINDS", 0x070, 4, RO, 3, 0 },
    { "CAP_VA_BITS", 0x08c, 4, RO, 48, 0 },
    { "CAP_CONTEXT_OPTIONS", 0x094, 4, RO, 3, 0 },
    { "LIMIT_PROGRAM_BYTES", 0x030, 4, RO, 0x40000, 0 },
    { "LIMIT_MESSAGES", 0x034, 4, RO, 0x2000, 0 },
    { "LIMIT_VARIABLES", 0x038, 4, RO, 0x1000, 0 },
    { "LIMIT_PREDICATES", 0x03c, 4, RO, 0x400, 0 },
    { "LIMIT_REGISTER_BYTES", 0x040, 4, RO, 0x10000, 0 },
    { "LIMIT_SURFACES", 0x044, 4, RO, 0xfa, 0 },
    { "LIMIT_SLM_BYTES", 0x048, 4, RO, 0x10000, 0 },
    { "LIMIT_THREADS", 0x04c, 4, RO, 0x400, 0 },
    { "LIMIT_GROUPS", 0x050, 4, RO, 0x100000, 0 },
    { "LIMIT_ADDRESSES", 0x064, 4, RO, 0x100, 0 },
    { "LIMIT_FAULT_RECORDS", 0x054, 4, RO, 0x10000, 0 },
    { "LIMIT_WINDOWS", 0x060, 4, RO, 0x100, 0 },
    { "LIMIT_INSTRUCTIONS", 0x074, 4, RO, 0x8000, 0 },
    { "LIMIT_LABELS", 0x078, 4, RO, 0x8000, 0 },
    { "LIMIT_ROUTINES", 0x07c, 4, RO, 0x1000, 0 },
    { "LIMIT_FUNCTIONS", 0x080, 4, RO, 0x400, 0 },
    { "LIMIT_CALLS", 0x084, 4, RO, 0x40, 0 },
    { "LIMIT_STATES", 0x088, 4, RO, 0x11a, 0 },
    { "LIMIT_LAUNCH_BYTES", 0x090, 4, RO, 0x400000, 0 },
    { "LIMIT_PROGRAM_MEMORY", 0x098, 4, RO, 64 << 20, 0 }, /* of dev_new() */
    { "LIMIT_PROGRAMS", 0x09c, 4, RO, 0x400, 0 },
    { "LIMIT_LOAD_BYTES", 0x0a0, 4, RO, 0x400000, 0 },
    { "LIMIT_LOAD_INSTRUCTIONS", 0x0a4, 4, RO, 0x20000, 0 },
    { "LIMIT_LOAD_VARIABLES", 0x0a8, 4, RO, 0x10000, 0 },
    { "TIME", 0x058, 8, RO, 0, 0 },
    { "RING_STATE", 0x4004, 4, RO, 0, 0 },
    { "RING_BASE", 0x4008, 8, RWD, 0, 0xffffffffffffffc0 },
    { "RING_SHARED", 0x4010, 8, RWD, 0, 0xffffffffffffffc0 },
    { "RING_FAULTS", 0x4018, 8, RWD, 0, 0xffffffffffffffc0 },
    { "RING_SLOTS", 0x4020, 4, RWD, 0, 0xffffffff },
    { "RING_FAULT_RECORDS", 0x4024, 4, RWD, 0, 0xffffffff },
    { "RING_CONTEXT", 0x4028, 4, RWD, 0, 0xffffffff },
    { "RING_VECTOR", 0x402c, 4, RWD, 0xffffffff, 0xffffffff },
    { "RING_POLICY", 0x4030, 4, RWD, 0, 0xffffffff },
    { "RING_HEAD", 0x4034, 4, RWD, 0, 0xffffffff },
    { "RING_LAST_FAULT", 0x4038, 4, RO, 0, 0 },
    { "RING_FAULT_COUNT", 0x403c, 4, RO, 0, 0 },
    { "RING_LAST_DETAIL", 0x4040, 4, RO, 0, 0 },
    { "RING_PRIORITY", 0x4044, 4, RW, 1, 0x3 },
    { "RING_BUDGET", 0x4048, 4, RWD, 0, 0xffffffff },
    { "RING_TIMES", 0x4050, 8, RWD, 0, 0xffffffffffffffc0 },
    { "RING_COUNTER_COMMANDS", 0x4058, 8, RO, 0, 0 },
    { "RING_COUNTER_MESSAGES", 0x4060, 8, RO, 0, 0 },
    { "RING_COUNTER_LANES", 0x4068, 8, RO, 0, 0 },
    { "RING_COUNTER_BYTES", 0x4070, 8, RO, 0, 0 },
    { "RING_COUNTER_FAULTS", 0x4078, 8, RO, 0, 0 },
    { "RING_BUSY_NS", 0x4080, 8, RO, 0, 0 },
    { "CONTEXT_TYPE", 0x8000, 4, RW, 0, 0xffffffff },
    { "CONTEXT_WINDOW_COUNT", 0x8004, 4, RW, 0, 0xffffffff },
    { "CONTEXT_WINDOWS", 0x8008, 8, RW, 0, 0xfffffffffffffff8 },
    { "CONTEXT_ROOT", 0x8010, 8, RW, 0, 0xfffffffffffff000 },
    { "CONTEXT_OPTIONS", 0x8020, 4, RW, 0, 0xffffffff },
    { "CONTEXT_QUEUE", 0x8028, 8, RW, 0, 0xffffffffffffffc0 },
    { "CONTEXT_QUEUE_RECORDS", 0x8030, 4, RW, 0, 0xffffffff },
    { "CONTEXT_QUEUE_VECTOR", 0x8034, 4, RW, 0xffffffff, 0xffffffff },
    { "CONTEXT_COUNTER_COMMANDS", 0x8058, 8, RO, 0, 0 },
    { "CONTEXT_COUNTER_MESSAGES", 0x8060, 8, RO, 0, 0 },
    { "CONTEXT_COUNTER_LANES", 0x8068, 8, RO, 0, 0 },
    { "CONTEXT_COUNTER_BYTES", 0x8070, 8, RO, 0, 0 },
    { "CONTEXT_COUNTER_FAULTS", 0x8078, 8, RO, 0, 0 },
    { "CONTEXT_BUSY_NS", 0x8080, 8, RO, 0, 0 },
};

/* Registers with effects, which have tests of their own below. */
static const Row controls[] = {
    { "CONTROL", 0x008, 4, RW, 0, 0x1 },
    { "RING_CONTROL", 0x4000, 4, RW, 0, 0xf },
    { "CONTEXT_INVALIDATE", 0x8018, 8, RW, 0, UINT64_MAX },
    { "CONTEXT_RESPONSE", 0x8038, 8, RW, 0, UINT64_MAX },
};

#define FOR_EACH_ROW(r) \
    for (const Row *r = rows; r < rows + G_N_ELEMENTS(rows); r++)

static unsigned ignored(Dev *d)
{
    return test_host_count_events(&d->host, VEU_EVENT_REGISTER);
}

static void assert_ignored(Dev *d, const char *name)
{
    const VeuEvent *event = test_host_last_event(&d->host, VEU_EVENT_REGISTER);

    g_assert_nonnull(event);
    g_assert_cmpstr(event->name, ==, name);
}

/* The event of an access without effect has the register's name, if any. */
static void test_names_of_ignored_accesses(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_write(d, VEU_REG_MAGIC, 1, 4);
    assert_ignored(d, "MAGIC");
    dev_write(d, VEU_REG_MAGIC + 2, 1, 4);
    assert_ignored(d, "write to no register");
    dev_read(d, VEU_REG_MAGIC + 2, 4);
    assert_ignored(d, "read of no register");
}

static void test_reset_values(void)
{
    g_autoptr(Dev) d = dev_new();

    FOR_EACH_ROW(r)
    {
        g_assert_cmphex(dev_read(d, r->offset, r->bytes), ==, r->reset);
    }
    g_assert_cmphex(dev_read(d, controls[0].offset, 4), ==, 0);
    g_assert_cmphex(dev_read(d, controls[1].offset, 4), ==, 0);
    g_assert_cmpuint(ignored(d), ==, 0);
}

static void test_writes_keep_the_bits_that_are_not_writable(void)
{
    g_autoptr(Dev) d = dev_new();

    FOR_EACH_ROW(r)
    {
        dev_write(d, r->offset, UINT64_MAX, r->bytes);
        g_assert_cmphex(dev_read(d, r->offset, r->bytes), ==,
                        r->reset | r->writable);
        dev_write(d, r->offset, 0, r->bytes);
        g_assert_cmphex(dev_read(d, r->offset, r->bytes), ==,
                        r->reset & ~r->writable);
        dev_write(d, r->offset, 0x5a5a5a5a5a5a5a5a, r->bytes);
        g_assert_cmphex(dev_read(d, r->offset, r->bytes), ==,
                        (r->reset & ~r->writable) |
                            (0x5a5a5a5a5a5a5a5a & r->writable));
    }
}

/* A write of an RO register is ignored, and the host is notified. */
static void test_writes_of_read_only_registers_are_ignored(void)
{
    g_autoptr(Dev) d = dev_new();

    FOR_EACH_ROW(r)
    {
        unsigned before = ignored(d);

        dev_write(d, r->offset, UINT64_MAX, r->bytes);
        g_assert_cmpuint(ignored(d) - before, ==, r->access == RO);
    }
}

/* The two halves do not affect each other. */
static void test_8_byte_registers_take_accesses_of_4_bytes(void)
{
    g_autoptr(Dev) d = dev_new();

    FOR_EACH_ROW(r)
    {
        if (r->bytes != 8 || r->access == RO) {
            continue;
        }
        dev_write(d, r->offset, 0x1111222233334444, 8);
        dev_write(d, r->offset, 0x55556666, 4);
        g_assert_cmphex(dev_read(d, r->offset, 8), ==,
                        0x1111222255556666 & r->writable);
        dev_write(d, r->offset + 4, 0x77778888, 4);
        g_assert_cmphex(dev_read(d, r->offset, 8), ==,
                        0x7777888855556666 & r->writable);
        g_assert_cmphex(dev_read(d, r->offset, 4), ==,
                        0x55556666 & r->writable);
        g_assert_cmphex(dev_read(d, r->offset + 4, 4), ==, 0x77778888);
    }
    g_assert_cmpuint(ignored(d), ==, 0);
}

/* Bits above a 4-byte access do not take part in it. */
static void test_4_byte_writes_ignore_what_is_above(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_write(d, 0x4008, 0x9999999900000040, 4);
    g_assert_cmphex(dev_read(d, 0x4008, 8), ==, 0x40);
    dev_write(d, 0x4020, 0x9999999900000010, 4);
    g_assert_cmphex(dev_read(d, 0x4020, 4), ==, 0x10);
}

static void check_ignored(Dev *d, uint32_t offset, unsigned bytes)
{
    const VeuEvent *event;

    test_host_clear_log(&d->host);
    g_assert_cmphex(dev_read(d, offset, bytes), ==, 0);
    g_assert_cmpuint(ignored(d), ==, 1);
    dev_write(d, offset, UINT64_MAX, bytes);
    g_assert_cmpuint(ignored(d), ==, 2);
    event = test_host_last_event(&d->host, VEU_EVENT_REGISTER);
    if (event) {
        g_assert_cmphex(event->at, ==, offset);
        g_assert_cmphex(event->value, ==, UINT64_MAX);
    }
    FOR_EACH_ROW(r)
    {
        g_assert_cmphex(dev_read(d, r->offset, r->bytes), ==, r->reset);
    }
}

static void test_other_sizes_are_ignored(void)
{
    static const unsigned sizes[] = { 0, 1, 2, 3, 5, 6, 7, 16 };
    g_autoptr(Dev) d = dev_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        check_ignored(d, 0x0000, sizes[i]);
        check_ignored(d, 0x4008, sizes[i]);
        check_ignored(d, 0x8000, sizes[i]);
    }
}

static void test_misaligned_accesses_are_ignored(void)
{
    g_autoptr(Dev) d = dev_new();

    for (unsigned at = 1; at < 4; at++) {
        check_ignored(d, 0x4008 + at, 4);
        check_ignored(d, 0x4020 + at, 4);
        check_ignored(d, at, 4);
    }
    for (unsigned at = 1; at < 8; at++) {
        check_ignored(d, 0x4008 + at, 8);
        check_ignored(d, 0x058 + at, 8);
    }
}

static void test_8_bytes_do_not_reach_two_registers(void)
{
    g_autoptr(Dev) d = dev_new();

    check_ignored(d, 0x0000, 8); /* MAGIC, ABI_VERSION */
    check_ignored(d, 0x0008, 8); /* CONTROL: no reset */
    check_ignored(d, 0x4000, 8); /* RING_CONTROL, RING_STATE */
    check_ignored(d, 0x4020, 8); /* RING_SLOTS, RING_FAULT_RECORDS */
    check_ignored(d, 0x8000, 8);
}

static void test_there_is_nothing_between_the_registers(void)
{
    g_autoptr(Dev) d = dev_new();
    static const uint32_t nothing[] = { 0x00c,  0x0fc,  0x3ffc, 0x404c,
                                        0x40fc, 0x8024, 0x80fc, 0xe000,
                                        0xf000, 0xfffc, 0x10000 };

    for (unsigned i = 0; i < G_N_ELEMENTS(nothing); i++) {
        check_ignored(d, nothing[i], 4);
    }
    check_ignored(d, 0x068, 8);
    check_ignored(d, UINT32_MAX - 3, 4);
    check_ignored(d, UINT32_MAX - 7, 8);
}

/* Blocks of rings and contexts that the device does not have are empty. */
static void test_there_are_only_as_many_blocks_as_rings(void)
{
    g_autoptr(Dev) d = dev_new();

    g_assert_cmphex(dev_read(d, 0x412c, 4), ==, 0xffffffff); /* ring 1 */
    g_assert_cmpuint(ignored(d), ==, 0);
    check_ignored(d, 0x422c, 4);
    check_ignored(d, 0x7f2c, 4);
    dev_write(d, 0x8100, 5, 4);
    g_assert_cmphex(dev_read(d, 0x8100, 4), ==, 5); /* context 1 */
    g_assert_cmphex(dev_read(d, 0x8000, 4), ==, 0);
    check_ignored(d, 0x8200, 4);
}

/* A device reports its settings in CAP_FLAGS, at any time. */
static void check_flags(VeuConfig eu, bool wants_kicks, uint32_t host_flags,
                        uint32_t flags)
{
    g_autoptr(Dev) d = dev_new();

    veu_device_free(d->device);
    d->config.eu = eu;
    d->config.host_flags = host_flags;
    d->host.host.wants_kicks = wants_kicks;
    d->device = veu_device_new(&d->config, &d->host.host);
    g_assert_cmphex(dev_read(d, 0x06c, 4), ==, flags);
    dev_write(d, 0x06c, ~flags, 4);
    dev_write(d, 0x008, 1, 4);
    g_assert_cmphex(dev_read(d, 0x06c, 4), ==, flags);
}

static void test_flags_tell_how_the_device_was_set_up(void)
{
    check_flags((VeuConfig){ 0 }, false, 0, 0);
    check_flags((VeuConfig){ .strict_types = true }, false, 0, 0x1);
    check_flags((VeuConfig){ 0 }, false, VEU_FLAG_MODERATION, 0x2);
    check_flags((VeuConfig){ 0 }, false, VEU_FLAG_PARALLEL, 0x4);
    check_flags((VeuConfig){ 0 }, true, 0, 0x8);
    check_flags((VeuConfig){ .undefined = 0xa5 }, false, 0, 0xa500);
    check_flags((VeuConfig){ .check = true }, false, 0, 0);
}

static void test_time_is_the_hosts_clock(void)
{
    g_autoptr(Dev) d = dev_new();

    d->host.now_ns = 0x123456789abcdef0;
    g_assert_cmphex(dev_read(d, 0x058, 8), ==, 0x123456789abcdef0);
    g_assert_cmphex(dev_read(d, 0x058, 4), ==, 0x9abcdef0);
    g_assert_cmphex(dev_read(d, 0x05c, 4), ==, 0x12345678);
}

/*
 * RWD registers are locked in the states running, draining and halted; context
 * registers are not.
 */
static void check_rwd_is_locked(Dev *d)
{
    FOR_EACH_ROW(r)
    {
        if (r->access == RWD) {
            uint64_t before = dev_read(d, r->offset, r->bytes);

            test_host_clear_log(&d->host);
            dev_write(d, r->offset, ~before, r->bytes);
            g_assert_cmphex(dev_read(d, r->offset, r->bytes), ==, before);
            g_assert_cmpuint(ignored(d), ==, 1);
        }
    }
}

static void test_rwd_is_writable_while_the_ring_is_disabled(void)
{
    g_autoptr(Dev) d = dev_running();

    check_rwd_is_locked(d); /* enabled, but not stepped yet */
    dev_run(d);
    check_rwd_is_locked(d); /* running */
    dev_disable(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                     VEU_RING_DRAINING);
    check_rwd_is_locked(d);
    dev_run(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                     VEU_RING_DISABLED);
    dev_ring_set(d, VEU_REG_RING_SLOTS, 3);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_SLOTS), ==, 3);
    dev_enable(d); /* 3 slots: the ring halts */
    dev_run(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
    check_rwd_is_locked(d);
}

static void test_context_registers_are_always_writable(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    dev_write(d, 0x8000, 7, 4);
    g_assert_cmphex(dev_read(d, 0x8000, 4), ==, 7);
}

/* Ring 1 has registers of its own. */
static void test_rings_have_their_own_registers(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_write(d, 0x4108, 0x1240, 8);
    g_assert_cmphex(dev_read(d, 0x4108, 8), ==, 0x1240);
    g_assert_cmphex(dev_read(d, 0x4008, 8), ==, 0);
}

static void test_control_reset_resets_all_registers(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_write(d, 0x4108, 0x1240, 8);
    dev_write(d, 0x8000, 7, 4);
    dev_enable(d);
    dev_run(d);
    d->host.now_ns = 99;
    dev_write(d, 0x008, 1, 4);
    FOR_EACH_ROW(r)
    {
        g_assert_cmphex(dev_read(d, r->offset, r->bytes), ==,
                        strcmp(r->name, "TIME") ? r->reset : 99);
    }
    g_assert_cmphex(dev_read(d, 0x4108, 8), ==, 0);
    g_assert_cmphex(dev_read(d, 0x008, 4), ==, 0); /* RESET reads as 0 */
    g_assert_cmphex(dev_read(d, 0x4000, 4), ==, 0);
    g_assert_nonnull(test_host_last_event(&d->host, VEU_EVENT_RESET));
}

static unsigned host_resets;

static void count_reset(VeuHost *host)
{
    host_resets++;
}

/*
 * The host is told to drop interrupts in flight; those of a ring may still
 * arrive.
 */
static void test_the_host_hears_of_device_resets(void)
{
    g_autoptr(Dev) d = dev_running();

    d->host.host.reset = count_reset;
    host_resets = 0;
    dev_write(d, 0x4000, VEU_RING_RESET, 4);
    g_assert_cmpuint(host_resets, ==, 0);
    dev_write(d, 0x008, 1, 4);
    g_assert_cmpuint(host_resets, ==, 1);
}

static void test_control_without_reset_does_nothing(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_write(d, 0x008, 0xfffffffe, 4);
    g_assert_cmphex(dev_read(d, 0x4008, 8), ==, DEV_RING);
    g_assert_cmphex(dev_read(d, 0x008, 4), ==, 0);
}

static void test_ring_reset_resets_the_rings_registers(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    dev_write(d, 0x4108, 0x1240, 8);
    dev_write(d, 0x8000, 7, 4);
    /* the other bits of that write are ignored */
    dev_write(d, 0x4000, VEU_RING_RESET | VEU_RING_ENABLE, 4);
    FOR_EACH_ROW(r)
    {
        if (r->offset >= 0x4000 && r->offset < 0x8000) {
            g_assert_cmphex(dev_read(d, r->offset, r->bytes), ==, r->reset);
        }
    }
    g_assert_cmphex(dev_read(d, 0x4000, 4), ==, 0);
    g_assert_cmphex(dev_read(d, 0x4108, 8), ==, 0x1240);
    g_assert_cmphex(dev_read(d, 0x8000, 4), ==, 7);
}

static void test_the_largest_device(void)
{
    VeuDeviceConfig config = { .rings = VEU_MAX_RINGS,
                               .vectors = VEU_MAX_RINGS,
                               .doorbell_stride_bytes = 65536 };
    g_autoptr(Dev) d = dev_new();

    veu_device_free(d->device);
    d->device = veu_device_new(&config, &d->host.host);
    g_assert_nonnull(d->device);
    test_host_clear_log(&d->host);
    g_assert_cmpuint(dev_read(d, 0x010, 4), ==, 64);
    g_assert_cmpuint(dev_read(d, 0x01c, 4), ==, 65536);
    g_assert_cmphex(dev_read(d, 0x4000 + 63 * 0x100 + 0x2c, 4), ==, 0xffffffff);
    dev_write(d, 0x8000 + 63 * 0x100, 9, 4);
    g_assert_cmphex(dev_read(d, 0x8000 + 63 * 0x100, 4), ==, 9);
    g_assert_cmphex(dev_read(d, 0xc000, 4), ==, 0);
    g_assert_cmpuint(ignored(d), ==, 1);
}

/* Values of registers that logs and `veu-run` show by their names. */
static void test_values_have_names(void)
{
    static const struct {
        unsigned row;
        uint32_t value;
        const char *name;
    } names[] = {
        { VEU_ROW_RING_STATE, 0, "disabled" },
        { VEU_ROW_RING_STATE, 1, "running" },
        { VEU_ROW_RING_STATE, 2, "draining" },
        { VEU_ROW_RING_STATE, 3, "halted" },
        { VEU_ROW_RING_STATE, 4, NULL },
        { VEU_ROW_RING_VECTOR, 0xffffffff, "none" },
        { VEU_ROW_RING_VECTOR, 0, NULL },
        { VEU_ROW_RING_POLICY, 0, "halt" },
        { VEU_ROW_RING_POLICY, 1, "skip-message" },
        { VEU_ROW_RING_POLICY, 2, "skip-command" },
        { VEU_ROW_RING_POLICY, 3, NULL },
        { VEU_ROW_RING_PRIORITY, 0, "low" },
        { VEU_ROW_RING_PRIORITY, 1, "normal" },
        { VEU_ROW_RING_PRIORITY, 2, "high" },
        { VEU_ROW_RING_PRIORITY, 3, "highest" },
        { VEU_ROW_RING_SLOTS, 0, NULL },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        g_assert_cmpstr(veu_ring_value_name(names[i].row, names[i].value), ==,
                        names[i].name);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/registers/" #name, test_##name)
    RULE(names_of_ignored_accesses);
    RULE(reset_values);
    RULE(writes_keep_the_bits_that_are_not_writable);
    RULE(writes_of_read_only_registers_are_ignored);
    RULE(8_byte_registers_take_accesses_of_4_bytes);
    RULE(4_byte_writes_ignore_what_is_above);
    RULE(other_sizes_are_ignored);
    RULE(misaligned_accesses_are_ignored);
    RULE(flags_tell_how_the_device_was_set_up);
    RULE(8_bytes_do_not_reach_two_registers);
    RULE(there_is_nothing_between_the_registers);
    RULE(there_are_only_as_many_blocks_as_rings);
    RULE(time_is_the_hosts_clock);
    RULE(rwd_is_writable_while_the_ring_is_disabled);
    RULE(context_registers_are_always_writable);
    RULE(rings_have_their_own_registers);
    RULE(control_reset_resets_all_registers);
    RULE(the_host_hears_of_device_resets);
    RULE(control_without_reset_does_nothing);
    RULE(ring_reset_resets_the_rings_registers);
    RULE(the_largest_device);
    RULE(values_have_names);
#undef RULE
    return g_test_run();
}
