/*
 * veu device tests: power states: docs/spec.md, "Power".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/resets.h"
#include "tests/device/slot.h"

#define D0 0

static unsigned config(Rig *r, unsigned at, unsigned bytes)
{
    return veu_port_config_read(r->device.function, at, bytes);
}

static Rig *new_busy(const char *accel, const char *machine)
{
    Rig *r = rig_new(accel, machine);

    rig_set_up_msix(r);
    rig_start(r);
    rig_run_endless(r);
    return r;
}

static bool has_registers(Rig *r)
{
    return rig_read(r, VEU_REG_MAGIC) == VEU_MAGIC;
}

static void check_capability(const char *accel, const char *machine)
{
    g_autoptr(Rig) r = rig_new(accel, machine);
    unsigned at = veu_pci_capability(r->device.function, 1);

    /* version 3, no D1, no D2, no PME; D3hot preserves nothing */
    g_assert_cmphex(config(r, at + 2, 2), ==, 3);
    g_assert_cmphex(resets_power_state(r), ==, D0);
}

static void test_capability_has_d0_and_d3hot_only(const char *accel)
{
    check_capability(accel, RIG_Q35);
    if (port_is_pc()) {
        check_capability(accel, "-M pc -device veu,id=veu0,addr=4");
    }
    check_capability(accel,
                     "-M q35 -device pcie-root-port,id=rp,addr=2 -device "
                     "veu,id=veu0,bus=rp");
}

/* Only configuration space answers, and memory is not accessed. */
static void test_in_d3hot_only_configuration_space_answers(const char *accel)
{
    g_autoptr(Rig) r = new_busy(accel, RIG_Q35 ",workers=3");

    resets_set_power_state(r, RESETS_D3HOT);
    g_assert_cmphex(resets_power_state(r), ==, RESETS_D3HOT);
    rig_assert_no_writes(r);
    g_assert_false(has_registers(r));
    g_assert_cmphex(config(r, 0, 4), ==,
                    VEU_PCI_DEVICE_ID << 16 | VEU_PCI_VENDOR_ID);
    rig_submit(r);
    veu_write32(&r->device, VEU_REG_CONTROL, VEU_CONTROL_RESET);
    rig_assert_no_writes(r);
    g_assert_cmphex(*r->message, ==, 0);
}

/* The state is that after a function level reset. */
static void assert_was_reset(Rig *r)
{
    unsigned msix = veu_pci_capability(r->device.function, VEU_PCI_CAP_MSIX);

    g_assert_cmphex(resets_power_state(r), ==, D0);
    /* memory space and bus master */
    g_assert_cmphex(config(r, 0x04, 2) & 6, ==, 0);
    g_assert_cmphex(config(r, 0x10, 4), ==, 0);
    g_assert_cmphex(config(r, 0x18, 4), ==, 0);
    g_assert_cmphex(config(r, msix + 2, 2) & 0x8000, ==, 0);
    rig_assert_no_writes(r);
    rig_open(r);
    rig_assert_reset_values(r);
    rig_set_up_msix(r);
    rig_start(r);
    rig_assert_works(r);
}

static bool has_rung(Rig *r)
{
    g_autofree char *text = vm_errors(r->vm);

    return strstr(text, "veu_doorbell");
}

/* In D3hot doorbells do nothing, and only the power state can be written. */
static void test_d3hot_has_no_doorbells(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, "-trace veu_doorbell " RIG_Q35);
    unsigned at = veu_pci_capability(r->device.function, 1) + 4;

    veu_port_config_write(r->device.function, at, 2, 0xff00 | RESETS_D3HOT);
    g_assert_cmphex(config(r, at, 2), ==, RESETS_D3HOT);
    /* of 2 bytes, so that no event descriptor takes the write */
    port_write(r->device.doorbells, 2, 0);
    vm_settle();
    g_assert_false(has_rung(r));
    veu_port_config_write(r->device.function, at, 2, D0);
    rig_open(r);
    port_write(r->device.doorbells, 2, 0);
    VM_WAIT(r->vm, has_rung(r), "the doorbell");
}

static void test_d0_again_is_a_reset(const char *accel)
{
    g_autoptr(Rig) r = new_busy(accel, RIG_Q35);

    for (unsigned i = 0; i < 3; i++) {
        resets_set_power_state(r, RESETS_D3HOT);
        resets_set_power_state(r, D0);
        assert_was_reset(r);
        rig_run_endless(r);
    }
}

static void test_d0_after_d3hot_is_a_reset_on_pc(const char *accel)
{
    g_autoptr(Rig) r = new_busy(accel, "-M pc -device veu,id=veu0,addr=4");

    resets_set_power_state(r, RESETS_D3HOT);
    rig_assert_no_writes(r);
    g_assert_false(has_registers(r));
    resets_set_power_state(r, D0);
    assert_was_reset(r);
}

static void test_other_states_are_not_taken(const char *accel)
{
    g_autoptr(Rig) r = new_busy(accel, RIG_Q35);

    for (unsigned state = 0; state < RESETS_D3HOT; state++) {
        resets_set_power_state(r, 0xff00 | state);
        g_assert_cmphex(resets_power_state(r), ==, D0);
        g_assert_true(has_registers(r));
        rig_wait_writes(r);
    }
    resets_set_power_state(r, RESETS_D3HOT);
    for (unsigned state = 1; state <= RESETS_D3HOT; state++) {
        resets_set_power_state(r, state);
        g_assert_cmphex(resets_power_state(r), ==, RESETS_D3HOT);
        g_assert_false(has_registers(r));
    }
}

/* The device does not answer at BARs that are written in D3hot. */
static void test_bars_written_in_d3hot(const char *accel)
{
    g_autoptr(Rig) r = new_busy(accel, RIG_Q35);
    uintptr_t elsewhere = port_window() + 0x100000;

    resets_set_power_state(r, RESETS_D3HOT);
    veu_port_config_write(r->device.function, 0x10, 4, elsewhere);
    veu_port_config_write(r->device.function, 0x04, 2, 6);
    g_assert_cmphex(port_read((void *)elsewhere, 4), !=, VEU_MAGIC);
    resets_set_power_state(r, D0);
    assert_was_reset(r);
}

static void test_function_level_reset_wakes_it(const char *accel)
{
    g_autoptr(Rig) r = new_busy(accel, RIG_Q35);
    unsigned express = veu_pci_capability(r->device.function,
                                          VEU_PCI_CAP_EXPRESS);

    resets_set_power_state(r, RESETS_D3HOT);
    veu_port_config_write(r->device.function, express + 8, 2, 0x8000);
    assert_was_reset(r);
}

static void test_machine_reset_wakes_it(const char *accel)
{
    g_autoptr(Rig) r = new_busy(accel, RIG_Q35);

    vm_run(r->vm);
    resets_set_power_state(r, RESETS_D3HOT);
    vm_reset(r->vm);
    assert_was_reset(r);
}

static void test_stop_and_cont_leave_the_state(const char *accel)
{
    g_autoptr(Rig) r = new_busy(accel, RIG_Q35);

    vm_run(r->vm);
    resets_set_power_state(r, RESETS_D3HOT);
    vm_stop(r->vm);
    vm_run(r->vm);
    rig_assert_no_writes(r);
    g_assert_cmphex(resets_power_state(r), ==, RESETS_D3HOT);
    g_assert_false(has_registers(r));
    vm_stop(r->vm);
    resets_set_power_state(r, D0);
    vm_run(r->vm);
    assert_was_reset(r);
}

/* ---- S3: the machine sleeps, its memory stays ---- */

#define LPC         (0x1f << 3)
#define PM_BASE     0x600
#define PM1_CONTROL (PM_BASE + 4)
#define SLEEP_S3    (1u << 13 | 1u << 10)

static void suspend(Vm *vm)
{
    veu_port_config_write(LPC, 0x40, 4, PM_BASE | 1);
    veu_port_config_write(LPC, 0x44, 1, 0x80);
    qtest_out(&vm->qtest, PM1_CONTROL, 2, SLEEP_S3);
    qmp_wait_event(&vm->qmp, "SUSPEND");
}

static void test_machine_sleeps_while_busy(const char *accel)
{
    g_autoptr(Rig) r = new_busy(accel, RIG_Q35 ",workers=3");

    vm_run(r->vm);
    rig_wait_writes(r);
    for (unsigned i = 0; i < 3; i++) {
        suspend(r->vm);
        rig_assert_no_writes(r);
        qmp_do(&r->vm->qmp, "system_wakeup", NULL);
        qmp_wait_event(&r->vm->qmp, "WAKEUP");
        assert_was_reset(r);
        rig_run_endless(r);
    }
}

/* A device that has gone is not told. */
static void test_machine_sleeps_after_an_unplug(const char *accel)
{
    g_autoptr(Rig)
        r = rig_new(accel, "-M q35 " SLOT_PORT " -device veu,id=veu0,bus=rp");

    vm_run(r->vm);
    slot_unplug(r->vm);
    suspend(r->vm);
    vm_assert_answers(r->vm);
}

/* A device that was refused is not told, either. */
static void test_machine_sleeps_after_a_refusal(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 " " SLOT_PORT);
    g_autofree char *answer = NULL;

    vm_run(r->vm);
    answer = qmp_ask(&r->vm->qmp, "device_add",
                     "{\"driver\":\"veu\",\"bus\":\"rp\","
                     "\"capture\":\"/nonexistent\"}");
    g_assert_nonnull(strstr(answer, "capture"));
    suspend(r->vm);
    vm_assert_answers(r->vm);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("capability-has-d0-and-d3hot-only",
                 test_capability_has_d0_and_d3hot_only);
    rig_test_add_both("in-d3hot-only-configuration-space-answers",
                      test_in_d3hot_only_configuration_space_answers);
    rig_test_add("d3hot-has-no-doorbells", test_d3hot_has_no_doorbells);
    rig_test_add_both("d0-again-is-a-reset", test_d0_again_is_a_reset);
    rig_test_add("other-states-are-not-taken", test_other_states_are_not_taken);
    rig_test_add("bars-written-in-d3hot", test_bars_written_in_d3hot);
    rig_test_add("function-level-reset-wakes-it",
                 test_function_level_reset_wakes_it);
    rig_test_add("machine-reset-wakes-it", test_machine_reset_wakes_it);
    rig_test_add("stop-and-cont-leave-the-state",
                 test_stop_and_cont_leave_the_state);
    if (port_is_pc()) {
        rig_test_add("d0-after-d3hot-is-a-reset-on-pc",
                     test_d0_after_d3hot_is_a_reset_on_pc);
        rig_test_add_both("machine-sleeps-while-busy",
                          test_machine_sleeps_while_busy);
        rig_test_add("machine-sleeps-after-an-unplug",
                     test_machine_sleeps_after_an_unplug);
        rig_test_add("machine-sleeps-after-a-refusal",
                     test_machine_sleeps_after_a_refusal);
    }
    return g_test_run();
}
