/*
 * veu device tests: what QEMU's monitor shows of a device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>
#include "tests/device/rig.h"
#include "tests/device/work.h"

#define ID "/machine/peripheral/veu0"

/* Returns the answer to qom-get. */
static char *get(Rig *r, const char *property)
{
    g_autofree char *arguments =
        g_strdup_printf("{\"path\":\"" ID "\",\"property\":\"%s\"}", property);

    return qmp_ask(&r->vm->qmp, "qom-get", arguments);
}

static void assert_has(const char *text, const char *piece)
{
    if (!strstr(text, piece)) {
        g_error("no '%s' in %s", piece, text);
    }
}

/* Waits until the property contains all these pieces of JSON. */
#define ASSERT_GET(r, property, ...)                              \
    do {                                                          \
        static const char *const pieces_[] = { __VA_ARGS__ };     \
        g_autofree char *answer_ = get((r), (property));          \
        for (unsigned i_ = 0; i_ < G_N_ELEMENTS(pieces_); i_++) { \
            assert_has(answer_, pieces_[i_]);                     \
        }                                                         \
    } while (0)

static uint64_t number(const char *answer, const char *name)
{
    g_autofree char *key = g_strdup_printf("\"%s\": ", name);
    const char *at = strstr(answer, key);

    g_assert_nonnull(at);
    return g_ascii_strtoull(at + strlen(key), NULL, 10);
}

static void test_ring_has_registers_and_counters(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    g_autofree char *ring = NULL;
    g_autofree char *base = g_strdup_printf("\"base\": \"0x%" PRIx64 "\"",
                                            veu_port_device_address(r->slots));

    ASSERT_GET(r, "ring[3]", "\"state\": \"disabled\"", "\"vector\": \"none\"",
               "\"priority\": \"normal\"", "\"policy\": \"halt\"");
    rig_start(r);
    rig_assert_works(r);
    rig_wait_asleep(r);
    ASSERT_GET(r, "ring[0]", "\"state\": \"running\"", "\"head\": 1",
               "\"tail\": 1", "\"asleep\": \"yes\"", "\"slots\": 64");
    ring = get(r, "ring[0]");
    assert_has(ring, base);
    ASSERT_GET(r, "ring[0]", "\"times\": \"0x0\"", "\"counter-commands\": 1");
    ASSERT_GET(r, "ring[4]", "\"error\"");
    ASSERT_GET(r, "context[0]", "\"type\": \"0x0\"", "\"root\": \"0x0\"",
               "\"counter-commands\": 1", "\"queue-tail\": 0");
    ASSERT_GET(r, "context[3]", "\"counter-commands\": 0");
    ASSERT_GET(r, "context[4]", "\"error\"");
}

static void test_last_fault(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_fence fence = veu_make_fence(77, r->fence, 1);

    ASSERT_GET(r, "last-fault", "\"fault\": \"none\"");
    fence.address = UINT64_C(0xfff000000000);
    rig_start(r);
    rig_run_fault(r, &fence.header, VEU_FAULT_COMMAND_MEMORY);
    ASSERT_GET(r, "last-fault", "\"fault\": \"COMMAND_MEMORY\"",
               "\"command\": \"fence\"", "\"address\": \"0xfff000000000\"",
               "\"access\": \"write\"", "\"tag\": 77", "\"ring\": 0");
    ASSERT_GET(r, "ring[0]", "\"state\": \"halted\"", "\"last-fault\": {",
               "\"fault\": \"COMMAND_MEMORY\"");
}

/* The device thread and its workers are busy throughout. */
static void test_read_while_busy(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",workers=3");
    uint64_t last = 0;

    rig_start(r);
    rig_run_endless(r);
    for (unsigned i = 0; i < 200; i++) {
        g_autofree char *ring = get(r, "ring[0]");
        g_autofree char *counters = get(r, "counters");
        uint64_t messages = number(counters, "messages");

        assert_has(ring, "\"name\": \"dispatch\"");
        assert_has(ring, "\"groups-begun\": ");
        g_assert_cmpuint(messages, >=, last);
        last = messages;
    }
    g_assert_cmpuint(last, >, 0);
    rig_wait_writes(r);
}

/* The monitor and the registers agree about the same moment. */
static void test_counters_are_those_of_the_registers(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_dispatch work;
    g_autofree char *counters = NULL;

    rig_start(r);
    work_make(r, &work);
    rig_run(r, &work.header);
    rig_wait_asleep(r);
    counters = get(r, "counters");
    veu_write32(&r->device, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT);
#define SAME(name, reg)                          \
    g_assert_cmpuint(number(counters, name), ==, \
                     veu_read64(&r->device, VEU_REG_COUNTER_##reg))
    SAME("commands", COMMANDS);
    SAME("messages", MESSAGES);
    SAME("lanes", LANES);
    SAME("bytes", BYTES);
    SAME("faults", FAULTS);
#undef SAME
    g_assert_cmpuint(number(counters, "messages"), >, 0);
    g_assert_cmpuint(number(counters, "cache-hits"), >,
                     number(counters, "cache-misses"));
    g_assert_cmpuint(number(counters, "cache-misses"), >, 0);
}

/*
 * Idle time grows while the device sleeps, and stands still while the VM does.
 */
static void test_idle_time_stands_still_with_the_vm(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    g_autofree char *a = NULL, *b = NULL, *c = NULL, *e = NULL;

    vm_run(r->vm);
    rig_start(r);
    rig_wait_asleep(r);
    vm_settle();
    a = get(r, "counters");
    vm_settle();
    b = get(r, "counters");
    g_assert_cmpuint(number(b, "idle-ns"), >, number(a, "idle-ns"));
    vm_stop(r->vm);
    c = get(r, "counters");
    vm_settle();
    e = get(r, "counters");
    g_assert_cmpuint(number(e, "idle-ns"), ==, number(c, "idle-ns"));
}

static void test_rings_of_two_digits(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",rings=11");

    veu_write32(&r->device, veu_ring_register(10, VEU_REG_RING_BUDGET), 77);
    ASSERT_GET(r, "ring[10]", "\"budget\": 77");
    ASSERT_GET(r, "ring[8]", "\"budget\": 0");
}

static void test_they_cannot_be_set(const char *accel)
{
    static const char *const names[] = { "counters", "last-fault", "ring[0]" };
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *arguments = g_strdup_printf(
            "{\"path\":\"" ID "\",\"property\":\"%s\",\"value\":{}}", names[i]);
        g_autofree char *answer = qmp_ask(&r->vm->qmp, "qom-set", arguments);

        g_assert_true(qmp_is_error(answer));
    }
}

/* Every property and option has a description. */
static void test_all_are_described(const char *accel)
{
    static const char *const names[] = {
        "capture",
        "capture-rules",
        "check",
        "counters",
        "deterministic",
        "device-id",
        "doorbell-stride",
        "fault-inject",
        "fault-inject-state",
        "gdb",
        "interrupt-interval-us",
        "jit",
        "last-fault",
        "poison",
        "profile",
        "program-memory",
        "revision",
        "rings",
        "strict-types",
        "subsystem-id",
        "subsystem-vendor-id",
        "timeline",
        "trace-contracts",
        "undefined",
        "vectors",
        "vendor-id",
        "walk",
        "workers",
        "x-tlb-entries",
    };
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    g_autofree char *answer = qmp_ask(&r->vm->qmp, "device-list-properties",
                                      "{\"typename\":\"veu\"}");

    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *name = g_strdup_printf("\"name\": \"%s\"", names[i]);
        const char *at = strstr(answer, name);
        g_autofree char *entry = NULL;

        g_assert_nonnull(at);
        while (*at != '{') {
            at--;
        }
        entry = g_strndup(at, strcspn(at, "}"));
        assert_has(entry, "\"description\": \"");
    }
}

static void test_the_human_monitor(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    g_autofree char *answer = qmp_human(&r->vm->qmp, "qom-get " ID " ring[0]");

    assert_has(answer, "\\\"state\\\": \\\"disabled\\\"");
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("ring-has-registers-and-counters",
                 test_ring_has_registers_and_counters);
    rig_test_add("last-fault", test_last_fault);
    rig_test_add_both("read-while-busy", test_read_while_busy);
    rig_test_add("counters-are-those-of-the-registers",
                 test_counters_are_those_of_the_registers);
    rig_test_add("idle-time-stands-still-with-the-vm",
                 test_idle_time_stands_still_with_the_vm);
    rig_test_add("rings-of-two-digits", test_rings_of_two_digits);
    rig_test_add("they-cannot-be-set", test_they_cannot_be_set);
    rig_test_add("all-are-described", test_all_are_described);
    rig_test_add("the-human-monitor", test_the_human_monitor);
    return g_test_run();
}
