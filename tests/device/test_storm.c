/*
 * veu device tests: a rogue driver.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Random registers, configuration space, contexts, commands, doorbells, DMA,
 * interrupts, resets, stops, saved states, unplugs, while the guest's processor
 * also writes registers. QEMU has to survive, and afterwards the device has to
 * work. The seed is printed; --seed repeats it. VEU_TEST_STEPS sets the number
 * of actions, VEU_STORM_SECONDS the length of each storm.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/device/iommu.h"
#include "tests/device/move.h"
#include "tests/device/resets.h"
#include "tests/device/rounds.h"
#include "tests/device/storm.h"
#include "tests/device/slot.h"

#define STORM_MS  2000
#define IOMMU_Q35 "-M q35 " IOMMU_DEVICE "-device veu,id=veu0,addr=4"
#define PAIR_Q35  "-M q35 -device veu,id=veu0,addr=4 -device veu,id=veu1,addr=5"
#define SLOT_Q35  "-M q35 " SLOT_PORT " -device veu,id=veu0,bus=rp,workers=3"

/*
 * One device with a display, one that works in the main loop, and a third
 * device.
 */
#define PEERS_Q35                                            \
    "-M q35 -device veu-display,id=veu0,addr=4 "             \
    "-device veu,id=veu1,addr=5,deterministic=on,workers=1 " \
    "-device edu,addr=6,dma_mask=0xffffffffffffffff"

/* Actions, each with its relative frequency. */
static const struct {
    const char *name;
    void (*act)(Storm *storm);
    unsigned weight;
} actions[] = {
    { "write register", storm_write_register, 6 },
    { "read register", storm_read_register, 2 },
    { "access oddly", storm_access_oddly, 2 },
    { "ring doorbell", storm_ring_doorbell, 4 },
    { "write vector", storm_write_vector, 3 },
    { "mask vector", storm_mask_vector, 3 },
    { "write config", storm_write_config, 2 },
    { "write ecam", storm_write_ecam, 2 },
    { "move BAR", storm_move_bar, 1 },
    { "repair", storm_repair, 3 },
    { "start DMA", storm_start_dma, 3 },
    { "toggle guest", storm_toggle_guest, 2 },
    { "write dispatch", storm_write_dispatch, 6 },
    { "write fence", storm_write_fence, 4 },
    { "write wait", storm_write_wait, 4 },
    { "write copy", storm_write_copy, 2 },
    { "write load", storm_write_load, 3 },
    { "write unload", storm_write_unload, 2 },
    { "write kernel", storm_write_kernel, 5 },
    { "write invalidate", storm_write_invalidate, 1 },
    { "clear slots", storm_clear_slots, 2 },
    { "spoil memory", storm_spoil_memory, 2 },
    { "move tail", storm_move_tail, 8 },
    { "change context", storm_change_context, 3 },
    { "change tables", storm_change_tables, 3 },
    { "serve pages", storm_serve_pages, 4 },
    { "toggle pause", storm_toggle_pause, 2 },
    { "flip", storm_flip, 3 },
    { "start ring", storm_start_ring, 6 },
    { "stop ring", storm_stop_ring, 2 },
    { "toggle bus master", storm_toggle_master, 2 },
    { "toggle VM", storm_toggle_vm, 2 },
    { "reset device", storm_reset_device, 2 },
    { "reset machine", storm_reset_machine, 2 },
    { "toggle IOMMU", storm_toggle_iommu, 4 },
    { "save", storm_save, 1 },
    { "load", storm_load, 1 },
    { "look", storm_look, 1 },
    { "set rules", storm_set_rules, 2 },
    { "replug", storm_replug, 1 },
};

/* Runs the number of actions, or for the time, that the environment gives. */
static bool goes_on(const Storm *s, int64_t start)
{
    const char *steps = g_getenv("VEU_TEST_STEPS");
    const char *seconds = g_getenv("VEU_STORM_SECONDS");
    int64_t ms = seconds ? atoi(seconds) * INT64_C(1000) : STORM_MS;

    return steps ? s->actions < (unsigned)atoi(steps) :
                   g_get_monotonic_time() - start < ms * 1000;
}

static unsigned draw_action(void)
{
    unsigned sum = 0, drawn, i;

    for (i = 0; i < G_N_ELEMENTS(actions); i++) {
        sum += actions[i].weight;
    }
    drawn = storm_below(sum);
    for (i = 0; drawn >= actions[i].weight; i++) {
        drawn -= actions[i].weight;
    }
    return i;
}

static void swap(Storm *s)
{
    Rig *rig = s->rig;

    s->rig = s->peer;
    s->peer = rig;
}

static void act(Storm *s)
{
    unsigned action = draw_action();

    if (s->peer && storm_below(2)) {
        swap(s);
    }
    /* all rings have the same memory, so that they disturb each other */
    s->rig->config.number = storm_below(STORM_RINGS);
    if (g_test_verbose()) {
        g_test_message("%u: device %u: %s", s->actions, s->rig->index,
                       actions[action].name);
    }
    actions[action].act(s);
}

/* ---- afterwards ---- */

static void assert_works(Rig *r)
{
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
    for (uint64_t put = 0; put < 16;) {
        put = rounds_put(r, put, 16);
        rig_wait(r);
    }
    g_assert_cmpuint(rounds_done(r), ==, 16);
    rounds_assert_right(r);
}

/* Nothing disturbs the devices after they have all been reset. */
static void quieten(Storm *s)
{
    storm_stop_guest(s);
    if (s->has_iommu) {
        iommu_invalidate(s->rig->vm, IOMMU_GLOBAL, NULL);
    }
    storm_clear_rules(s);
    storm_repair(s);
    if (s->peer) {
        swap(s);
        storm_clear_rules(s);
        storm_repair(s);
        storm_end_dma(s);
        storm_repair(s);
        swap(s);
        storm_repair(s);
    }
}

static void assert_calm(Storm *s)
{
    g_autofree char *status = qmp_ask(&s->rig->vm->qmp, "query-status", NULL);

    g_assert_nonnull(
        strstr(status, s->has_no_processor ? "prelaunch" : "running"));
    quieten(s);
    assert_works(s->rig);
    if (s->peer) {
        assert_works(s->peer);
    }
}

static void run_storm(Storm *s)
{
    int64_t start = g_get_monotonic_time();
    unsigned files = vm_count_files(s->rig->vm);

    rig_set_up_msix(s->rig);
    if (!s->has_no_processor) {
        vm_run(s->rig->vm);
    }
    rig_start(s->rig);
    for (; goes_on(s, start); s->actions++) {
        act(s);
    }
    g_test_message("%u actions", s->actions);
    assert_calm(s);
    VM_WAIT(s->rig->vm, vm_count_files(s->rig->vm) <= files,
            "%u open files; there are %u", files, vm_count_files(s->rig->vm));
}

static void test_storm(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, PEERS_Q35);
    g_autofree char *disk = move_path("disk");
    Storm storm = { .rig = r, .peer = rig_attach(r->vm, 1), .has_dma = true };
    Rig *peer = storm.peer;

    storm_set_up_dma(&storm);
    storm_put_guest_code(&storm);
    storm.has_guest = true;
    move_add_disk(r->vm, disk);
    storm.disk = disk;
    run_storm(&storm);
    unlink(disk);
    rig_free(peer);
}

static void test_storm_behind_iommu(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, IOMMU_Q35);
    Storm storm = { .rig = r, .has_iommu = true };

    iommu_set_up(r->vm);
    run_storm(&storm);
}

static void test_storm_of_unplugs(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, SLOT_Q35);
    Storm storm = { .rig = r, .has_slot = true };

    run_storm(&storm);
}

/*
 * Sends interrupts of all kinds in a VM that was never started, which devices
 * cannot know.
 */
static void test_storm_of_interrupts(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, PAIR_Q35);
    Storm storm = { .rig = r,
                    .peer = rig_attach(r->vm, 1),
                    .has_no_processor = true };
    Rig *peer = storm.peer;

    run_storm(&storm);
    rig_free(peer);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("storm", test_storm);
    rig_test_add_both("storm-behind-iommu", test_storm_behind_iommu);
    rig_test_add_both("storm-of-unplugs", test_storm_of_unplugs);
    rig_test_add_both("storm-of-interrupts", test_storm_of_interrupts);
    return g_test_run();
}
