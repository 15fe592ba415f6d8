/*
 * veu device tests: every kind of reset, while the device is busy and idle.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A reset returns promptly, all registers have their reset values, and from
 * then on the device writes nothing.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/device/resets.h"
#include "tests/device/work.h"

#define ROOT_PORT                                 \
    "-M q35 -device pcie-root-port,id=rp,addr=2 " \
    "-device veu,id=veu0,bus=rp"

/* The maximum time of a reset, on a machine with other load. */
#define RESET_S 5

typedef struct Reset {
    const char *arguments;
    void (*reset)(Rig *rig);
    /* BARs and bus mastering have to be set up again afterwards */
    bool resets_pci;
    bool has_bridge; /* ... and the bridge before the device */
} Reset;

static const Reset control = { RIG_Q35, reset_control, false, false };
static const Reset ring = { RIG_Q35, reset_ring, false, false };
static const Reset function = { RIG_Q35, reset_function, true, false };
static const Reset behind_port = { ROOT_PORT, reset_function, true, false };
static const Reset machine = { RIG_Q35, reset_system, true, false };
static const Reset power = { RIG_Q35, reset_power, true, false };
static const Reset bus = { ROOT_PORT, reset_bus, true, false };
static const Reset machine_port = { ROOT_PORT, reset_system, true, true };

static void reset_promptly(Rig *r, const Reset *kind)
{
    int64_t start = g_get_monotonic_time();

    kind->reset(r);
    vm_assert_answers(r->vm);
    g_assert_cmpint(g_get_monotonic_time() - start, <,
                    RESET_S * G_USEC_PER_SEC);
}

static void assert_pci_is_reset(Rig *r)
{
    const uint16_t at = r->device.function;

    g_assert_cmphex(veu_port_config_read(at, 0x04, 2) & 6, ==, 0);
    g_assert_cmphex(veu_port_config_read(at, 0x10, 4), ==, 0);
    g_assert_cmphex(veu_port_config_read(at, 0x18, 4), ==, 0);
}

/* Sets up the device's BARs again, without the reset that rig_open() makes. */
static void reopen_pci(Rig *r, const Reset *kind)
{
    if (kind->has_bridge) {
        rig_set_up_bridge(r->vm, 2);
    }
    if (kind->resets_pci) {
        assert_pci_is_reset(r);
        rig_reopen_pci(r);
    }
}

static void check_busy(const char *accel, const Reset *kind)
{
    g_autoptr(Rig) r = rig_new(accel, kind->arguments);

    for (unsigned i = 0; i < 3; i++) {
        rig_set_up_msix(r);
        rig_start(r);
        rig_run_endless(r);
        reset_promptly(r, kind);
        rig_assert_no_writes(r);
        reopen_pci(r, kind);
        rig_assert_reset_values(r);
        rig_assert_no_writes(r);
        g_assert_cmphex(*r->message, ==, 0);
    }
    rig_start(r);
    rig_assert_works(r);
}

static void check_idle(const char *accel, const Reset *kind)
{
    g_autoptr(Rig) r = rig_new(accel, kind->arguments);
    struct veu_ring_shared before;

    rig_start(r);
    rig_assert_works(r);
    rig_wait_asleep(r);
    before = *r->shared;
    reset_promptly(r, kind);
    vm_settle();
    g_assert_cmpint(memcmp(&before, r->shared, sizeof(before)), ==, 0);
    reopen_pci(r, kind);
    rig_assert_reset_values(r);
    rig_start(r);
    rig_assert_works(r);
}

#define TESTS(name)                                   \
    static void test_##name##_busy(const char *accel) \
    {                                                 \
        check_busy(accel, &name);                     \
    }                                                 \
    static void test_##name##_idle(const char *accel) \
    {                                                 \
        check_idle(accel, &name);                     \
    }
TESTS(control)
TESTS(ring)
TESTS(function)
TESTS(behind_port)
TESTS(machine)
TESTS(machine_port)
TESTS(power)
TESTS(bus)
#undef TESTS

/* ---- at any moment ---- */

/* The number of moments at which to reset; --seed repeats them. */
static unsigned moments(void)
{
    const char *count = g_getenv("VEU_TEST_MOMENTS");

    return count ? atoi(count) : 5;
}

/* A part of a ring's memory. */
typedef struct Area {
    uint8_t *memory;
    size_t bytes;
    uint8_t *before;
} Area;

static void look(Area *area, uint8_t *memory, uint8_t *end)
{
    area->memory = memory;
    area->bytes = end - memory;
    area->before = g_memdup2(memory, area->bytes);
}

static void assert_unchanged(Area *area)
{
    for (size_t i = 0; i < area->bytes; i++) {
        if (area->memory[i] != area->before[i]) {
            g_error("byte 0x%zx was written after the reset", i);
        }
    }
    g_free(area->before);
}

/*
 * The offsets of registers: the device's, of four rings and of four contexts.
 */
static const struct {
    unsigned offset;
    unsigned bytes;
} blocks[] = {
    { 0x0000, 0x200 }, { 0x4000, 0x50 }, { 0x4100, 0x50 },
    { 0x4200, 0x50 },  { 0x4300, 0x50 }, { 0x8000, 0x10 },
    { 0x8100, 0x10 },  { 0x8200, 0x10 }, { 0x8300, 0x10 },
};
#define TIME_AT 0x58

static GArray *read_registers(Rig *r)
{
    GArray *values = g_array_new(false, false, sizeof(uint32_t));

    for (unsigned i = 0; i < G_N_ELEMENTS(blocks); i++) {
        for (unsigned at = 0; at < blocks[i].bytes; at += 4) {
            unsigned offset = blocks[i].offset + at;
            bool is_time = (offset & ~4u) == TIME_AT;
            uint32_t value = is_time ? 0 : rig_read(r, offset);

            g_array_append_val(values, value);
        }
    }
    return values;
}

/* Changes every writable register of rings 2 and 3 and of the contexts. */
static void change_registers(Rig *r)
{
    for (unsigned i = 3; i < G_N_ELEMENTS(blocks); i++) {
        unsigned first = blocks[i].offset < 0x8000 ? 4 : 0;

        for (unsigned at = first; at < blocks[i].bytes; at += 4) {
            veu_write32(&r->device, blocks[i].offset + at, 0xabcdefc0);
        }
    }
    veu_write32(&r->device, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT);
}

static void assert_as_new(Rig *r, const GArray *fresh)
{
    g_autoptr(GArray) now = read_registers(r);

    rig_assert_reset_values(r);
    g_assert_cmpmem(now->data, now->len * 4, fresh->data, fresh->len * 4);
}

/* Repeats loads, messages, results, fences and interrupts. */
static void fill_with_work(Rig *r)
{
    struct veu_command_dispatch work;
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 1);

    work_make(r, &work);
    fence.header.flags = VEU_COMMAND_INTERRUPT;
    while (veu_ring_space(&r->ring) >= work.header.slots + 1u) {
        rig_put(r, &work.header);
        rig_put(r, &fence.header);
    }
}

static void fill_with_copies(Rig *r)
{
    struct veu_command_copy copy = veu_make_copy(1, r->arena, r->arena + 0x4001,
                                                 0x4000);

    copy.header.flags = VEU_COMMAND_INTERRUPT;
    while (veu_ring_space(&r->ring)) {
        rig_put(r, &copy.header);
    }
}

/* Two rings work; returns after a while. */
static void work_for_a_while(Rig *r, Rig *other)
{
    rig_set_up_msix(r);
    rig_start(r);
    rig_start(other);
    fill_with_work(r);
    fill_with_copies(other);
    rig_submit(other);
    rig_submit(r);
    g_usleep(g_test_rand_int_range(0, 4000));
}

/*
 * A message may be in flight when a ring or device is reset: spec.md, section
 * 11.
 */
static void spare_message(Area *area, const Rig *r, const Reset *kind)
{
    if (!kind->resets_pci) {
        memcpy(area->before + ((uint8_t *)r->message - area->memory),
               r->message, sizeof(*r->message));
    }
}

/* The device discards all addresses: this ring has none. */
static void assert_forgotten(Rig *r)
{
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    rig_wait_ring_fault(r, VEU_FAULT_RING_CONFIG);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET);
}

static void reset_at_some_moment(Rig *r, Rig *other, const Reset *kind,
                                 const GArray *fresh)
{
    bool all = kind != &ring;
    Area area, other_area;

    work_for_a_while(r, other);
    if (all && g_test_rand_bit()) {
        change_registers(r);
    }
    reset_promptly(r, kind);
    look(&area, r->slots, r->arena + RIG_ARENA_BYTES);
    look(&other_area, other->slots, other->arena + (all ? 0x10000 : 0));
    vm_settle();
    spare_message(&area, r, kind);
    reopen_pci(r, kind);
    if (all) {
        assert_as_new(r, fresh);
        assert_forgotten(r);
        assert_unchanged(&other_area);
    } else {
        g_free(other_area.before);
        rig_wait(other); /* the other ring does not notice */
        rig_ring_write(other, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    }
    rig_assert_reset_values(r);
    assert_forgotten(r);
    assert_unchanged(&area);
}

static void check_moments(const char *accel, const Reset *kind,
                          unsigned workers)
{
    g_autofree char *arguments = g_strdup_printf("%s,workers=%u",
                                                 kind->arguments, workers);
    g_autoptr(Rig) r = rig_new(accel, arguments);
    g_autoptr(Rig) other = rig_add_ring(r, 1);
    g_autoptr(GArray) fresh = read_registers(r);

    for (unsigned i = moments(); i; i--) {
        reset_at_some_moment(r, other, kind, fresh);
    }
    rig_start(r);
    rig_assert_works(r);
}

static void test_a_reset_may_come_at_any_moment(const char *accel)
{
    static const Reset *const kinds[] = { &control, &ring, &function,
                                          &power,   &bus,  &machine };

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        check_moments(accel, kinds[i], 1);
        check_moments(accel, kinds[i], 4);
    }
}

static void test_function_reset_clears_msix(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    unsigned at;

    rig_set_up_msix(r);
    at = veu_pci_capability(r->device.function, VEU_PCI_CAP_MSIX);
    reset_function(r);
    reopen_pci(r, &function);
    g_assert_cmphex(veu_port_config_read(r->device.function, at + 2, 2), ==, 3);
    g_assert_cmphex(rig_read(r, 0xe000), ==, 0);
    g_assert_cmphex(rig_read(r, 0xe00c), ==, 1);
}

/* The VM and its processors run meanwhile. */
static void test_machine_resets_while_it_runs(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    vm_run(r->vm);
    for (unsigned i = 0; i < 5; i++) {
        rig_start(r);
        rig_run_endless(r);
        reset_promptly(r, &machine);
        rig_assert_no_writes(r);
        rig_open(r);
    }
    rig_start(r);
    rig_assert_works(r);
}

static void test_resets_in_a_row_do_no_harm(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    for (unsigned i = 0; i < 100; i++) {
        rig_start(r);
        if (i % 4 == 0) {
            rig_run_endless(r);
        }
        if (i % 2) {
            reset_control(r);
        } else {
            reset_ring(r);
        }
    }
    rig_assert_no_writes(r);
    rig_start(r);
    rig_assert_works(r);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("a-device-reset-ends-work", test_control_busy);
    rig_test_add("a-device-reset-resets-registers", test_control_idle);
    rig_test_add_both("a-ring-reset-ends-work", test_ring_busy);
    rig_test_add("a-ring-reset-resets-registers", test_ring_idle);
    rig_test_add_both("a-function-reset-ends-work", test_function_busy);
    rig_test_add("a-function-reset-resets-registers", test_function_idle);
    rig_test_add("a-function-reset-behind-a-port-ends-work",
                 test_behind_port_busy);
    rig_test_add("a-function-reset-behind-a-port-resets-registers",
                 test_behind_port_idle);
    rig_test_add_both("a-machine-reset-ends-work", test_machine_busy);
    rig_test_add("a-machine-reset-resets-registers", test_machine_idle);
    rig_test_add("a-machine-reset-behind-a-port-ends-work",
                 test_machine_port_busy);
    rig_test_add("a-machine-reset-behind-a-port-resets-registers",
                 test_machine_port_idle);
    rig_test_add_both("a-bus-reset-ends-work", test_bus_busy);
    rig_test_add("a-bus-reset-resets-registers", test_bus_idle);
    rig_test_add_both("d3hot-ends-work", test_power_busy);
    rig_test_add("d0-after-d3hot-resets-registers", test_power_idle);
    rig_test_add("function-reset-clears-msix", test_function_reset_clears_msix);
    rig_test_add_both("machine-resets-while-it-runs",
                      test_machine_resets_while_it_runs);
    rig_test_add("resets-in-a-row-do-no-harm", test_resets_in_a_row_do_no_harm);
    rig_test_add_both("a-reset-may-come-at-any-moment",
                      test_a_reset_may_come_at_any_moment);
    return g_test_run();
}
