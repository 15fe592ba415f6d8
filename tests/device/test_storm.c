/*
 * veu device tests: a driver gone mad.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Random registers, contexts, commands, doorbells, resets, stops, unplugs. QEMU
 * has to survive, and afterwards the device has to work. The seed is printed;
 * --seed repeats. VEU_TEST_STEPS says how many there are.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/device/iommu.h"
#include "tests/device/resets.h"
#include "tests/device/rounds.h"
#include "tests/device/slot.h"
#include "tests/device/storm.h"

#define STORM_MS    2500
#define IOMMU_Q35   "-M q35 " IOMMU_DEVICE "-device veu,id=veu0,addr=4"
#define DISPLAY_Q35 "-M q35 -device veu-display,id=veu0,addr=4"
#define SLOT_Q35    "-M q35 " SLOT_PORT " -device veu,id=veu0,bus=rp,workers=3"

/* ---- the ring and the machine ---- */

static void start_ring(Storm *s)
{
    Rig *r = s->rig;

    r->config.policy = storm_below(3);
    rig_start_raw(r);
    rig_ring_write(r, VEU_REG_RING_CONTEXT, storm_below(STORM_RINGS));
    rig_ring_write(r, VEU_REG_RING_HEAD, g_test_rand_int());
    r->shared->tail = rig_ring_read(r, VEU_REG_RING_HEAD) +
                      storm_below(RIG_SLOTS);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
}

static void stop_ring(Storm *s)
{
    rig_ring_write(s->rig, VEU_REG_RING_CONTROL, storm_below(4));
}

static void toggle_master(Storm *s)
{
    const uint16_t function = s->rig->device.function;

    veu_port_config_write(function, 4, 2, 2);
    vm_assert_answers(s->rig->vm);
    veu_port_config_write(function, 4, 2, 6);
}

static void toggle_vm(Storm *s)
{
    vm_stop(s->rig->vm);
    if (storm_below(2)) {
        storm_ring_doorbell(s);
        storm_write_register(s);
    }
    vm_run(s->rig->vm);
}

static void open_again(Storm *s)
{
    s->rig->config.number = 0;
    rig_open(s->rig);
    rig_set_up_msix(s->rig);
}

static void reset_device(Storm *s)
{
    if (s->has_slot && storm_below(2)) {
        reset_bus(s->rig);
    } else if (storm_below(2)) {
        reset_power(s->rig);
    } else {
        reset_function(s->rig);
    }
    open_again(s);
}

static void look(Storm *s)
{
    g_autofree char *arguments = g_strdup_printf(
        "{\"path\":\"/machine/peripheral/veu0\",\"property\":\"ring[%u]\"}",
        s->rig->config.number);

    qmp_do(&s->rig->vm->qmp, "qom-get", arguments);
    qmp_do(&s->rig->vm->qmp, "qom-get",
           "{\"path\":\"/machine/peripheral/veu0\","
           "\"property\":\"counters\"}");
}

/* Pending bits come and go. */
static void mask(Storm *s)
{
    veu_msix_mask(&s->rig->device, storm_below(STORM_RINGS), storm_below(2));
}

/* Pulled out, and another one put in. */
static void replug(Storm *s)
{
    Vm *vm = s->rig->vm;

    if (!s->has_slot) {
        return;
    }
    slot_unplug(vm);
    slot_power_on(vm);
    qmp_do(&vm->qmp, "device_add",
           "{\"driver\":\"veu\",\"id\":\"veu0\",\"bus\":\"rp\","
           "\"workers\":3}");
    open_again(s);
}

static void reset_machine(Storm *s)
{
    if (storm_below(4)) {
        return; /* takes longer than the others */
    }
    vm_reset(s->rig->vm);
    if (s->has_iommu) {
        iommu_set_up(s->rig->vm);
    }
    if (s->has_slot) {
        rig_set_up_bridge(s->rig->vm, 2);
    }
    open_again(s);
}

static void toggle_iommu(Storm *s)
{
    Rig *r = s->rig;
    uint8_t *page = r->slots + storm_below(0x2000) * IOMMU_PAGE_BYTES;

    if (!s->has_iommu) {
        return;
    }
    if (storm_below(8) == 0) {
        iommu_set_enabled(r->vm, false);
        iommu_set_enabled(r->vm, true);
    }
    iommu_map(r->vm, page, page, storm_below(4));
    iommu_invalidate(r->vm, 1 + storm_below(3), page);
    iommu_arm_fault_event(r->vm);
    iommu_map(r->vm, page, page, IOMMU_BOTH);
}

typedef void (*Action)(Storm *storm);

/* Each as often as it stands here. */
static const Action actions[] = {
    storm_write_register,
    storm_write_register,
    storm_write_register,
    storm_write_register,
    storm_write_register,
    storm_write_register,
    storm_read_register,
    storm_read_register,
    storm_mask_vector,
    storm_mask_vector,
    storm_ring_doorbell,
    storm_ring_doorbell,
    storm_ring_doorbell,
    storm_ring_doorbell,
    storm_write_dispatch,
    storm_write_dispatch,
    storm_write_dispatch,
    storm_write_dispatch,
    storm_write_dispatch,
    storm_write_dispatch,
    storm_write_fence,
    storm_write_fence,
    storm_write_fence,
    storm_write_fence,
    storm_write_wait,
    storm_write_wait,
    storm_write_wait,
    storm_write_wait,
    storm_write_copy,
    storm_write_copy,
    storm_clear_slots,
    storm_clear_slots,
    storm_spoil_memory,
    storm_spoil_memory,
    storm_move_tail,
    storm_move_tail,
    storm_move_tail,
    storm_move_tail,
    storm_move_tail,
    storm_move_tail,
    storm_move_tail,
    storm_move_tail,
    storm_change_context,
    storm_change_context,
    storm_change_context,
    storm_flip,
    storm_flip,
    storm_flip,
    start_ring,
    start_ring,
    start_ring,
    start_ring,
    start_ring,
    start_ring,
    stop_ring,
    stop_ring,
    toggle_master,
    toggle_master,
    toggle_vm,
    toggle_vm,
    reset_device,
    reset_device,
    reset_machine,
    reset_machine,
    toggle_iommu,
    toggle_iommu,
    toggle_iommu,
    toggle_iommu,
    look,
    mask,
    mask,
    replug,
};

/* As many actions as somebody wants, or for a while. */
static bool goes_on(const Storm *s, int64_t start)
{
    const char *steps = g_getenv("VEU_TEST_STEPS");

    return steps ? s->actions < (unsigned)atoi(steps) :
                   g_get_monotonic_time() - start < STORM_MS * 1000;
}

static void run_storm(Storm *s)
{
    int64_t start = g_get_monotonic_time();

    for (; goes_on(s, start); s->actions++) {
        /* All rings have the same memory: the more do they disturb. */
        s->rig->config.number = storm_below(STORM_RINGS);
        actions[storm_below(G_N_ELEMENTS(actions))](s);
    }
    g_test_message("%u actions", s->actions);
}

static void assert_calm(Rig *r)
{
    g_autofree char *id = qmp_ask(&r->vm->qmp, "qom-get",
                                  "{\"path\":\"/machine/peripheral/veu0\","
                                  "\"property\":\"device-id\"}");
    g_autofree char *status = qmp_ask(&r->vm->qmp, "query-status", NULL);

    g_assert_nonnull(strstr(id, "30309"));
    g_assert_nonnull(strstr(status, "running"));
    r->config.number = 0;
    rig_open(r);
    rig_assert_reset_values(r);
    rig_assert_no_writes(r);
    r->config.policy = VEU_POLICY_HALT;
    rig_set_up_msix(r);
    rig_start(r);
    for (unsigned i = 0; i < 10; i++) {
        rig_assert_works(r);
    }
    rounds_set_up(r);
    rounds_put(r, 0, 16);
    rig_wait(r);
    g_assert_cmpuint(rounds_done(r), ==, 16);
    rounds_assert_right(r);
}

static void test_storm(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, DISPLAY_Q35);
    Storm storm = { .rig = r };

    rig_set_up_msix(r);
    vm_run(r->vm);
    rig_start(r);
    run_storm(&storm);
    assert_calm(r);
}

static void test_storm_behind_iommu(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, IOMMU_Q35);
    Storm storm = { .rig = r, .has_iommu = true };

    iommu_set_up(r->vm);
    rig_set_up_msix(r);
    vm_run(r->vm);
    rig_start(r);
    run_storm(&storm);
    iommu_invalidate(r->vm, IOMMU_GLOBAL, NULL);
    assert_calm(r);
}

static void test_storm_of_unplugs(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, SLOT_Q35);
    Storm storm = { .rig = r, .has_slot = true };

    rig_set_up_msix(r);
    vm_run(r->vm);
    rig_start(r);
    run_storm(&storm);
    assert_calm(r);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("storm", test_storm);
    rig_test_add_both("storm-behind-iommu", test_storm_behind_iommu);
    rig_test_add_both("storm-of-unplugs", test_storm_of_unplugs);
    return g_test_run();
}
