/*
 * veu device tests: the property fault-inject.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include <unistd.h>
#include "tests/device/move.h"
#include "tests/device/resets.h"
#include "tests/device/slot.h"

#define ID "/machine/peripheral/veu0"

static char *set_rules(Rig *r, const char *rules)
{
    g_autofree char *arguments = g_strdup_printf(
        "{\"path\":\"" ID "\",\"property\":\"fault-inject\",\"value\":\"%s\"}",
        rules);

    return qmp_ask(&r->vm->qmp, "qom-set", arguments);
}

static void use_rules(Rig *r, const char *rules)
{
    g_autofree char *answer = set_rules(r, rules);

    g_assert_false(qmp_is_error(answer));
}

static void assert_state(Rig *r, const char *piece)
{
    g_autofree char *answer =
        qmp_ask(&r->vm->qmp, "qom-get",
                "{\"path\":\"" ID "\",\"property\":\"fault-inject-state\"}");

    if (!strstr(answer, piece)) {
        g_error("no '%s' in %s", piece, answer);
    }
}

static void test_rules_of_the_command_line_hold_at_once(const char *accel)
{
    g_autoptr(Rig)
        r = rig_new(accel,
                    "-trace 'veu_inject' -M q35 -device 'veu,id=veu0,addr=4,"
                    "fault-inject=opcode=fence nth=2 "
                    "action=fault:COMMAND_MEMORY'");
    struct veu_command_fence fence = veu_make_fence(7, r->fence, 1);
    g_autofree char *text = NULL;

    rig_start(r);
    rig_run(r, &fence.header);
    fence.value = 2;
    rig_run_fault(r, &fence.header, VEU_FAULT_COMMAND_MEMORY);
    g_assert_cmpuint(*r->fence, ==, 1);
    assert_state(r, "\"matched\": 2, \"fired\": 1");
    text = vm_errors(r->vm);
    g_assert_nonnull(strstr(text, "veu_inject ring 0 fault by rule 0"));
    reset_power(r);
    rig_open(r);
    rig_start(r);
    rig_assert_works(r);
}

/* QEMU sets global properties first. */
static void test_rules_may_precede_the_number_of_rings(const char *accel)
{
    g_autoptr(Rig)
        r = rig_new(accel,
                    "-global 'veu.fault-inject=ring=5 action=hang' " RIG_Q35
                    ",rings=6");

    assert_state(r, "\"fired\": 0");
}

static void test_wrong_rules_leave_those_before(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_nop nop = veu_make_nop(1);
    g_autofree char *answer = NULL;

    use_rules(r, "opcode=nop action=fault:COMMAND_FIELD");
    answer = set_rules(r, "ring=4 action=hang");
    g_assert_true(qmp_is_error(answer));
    g_assert_nonnull(strstr(answer, "rule 1: ring is '4'"));
    rig_start(r);
    rig_run_fault(r, &nop.header, VEU_FAULT_COMMAND_FIELD);
}

/*
 * Sets the property repeatedly while the device thread and its workers are
 * busy.
 */
static void test_rules_can_be_set_while_it_is_busy(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",workers=3");

    rig_start(r);
    rig_run_endless(r);
    for (unsigned i = 0; i < 100; i++) {
        use_rules(r, i % 2 ? "probability=0.5 lane=0 action=corrupt" : "");
    }
    rig_wait_writes(r);
    use_rules(r, "action=hang");
    assert_state(r, "action=hang");
    /* the command was there before; one of its messages hangs */
    VM_WAIT(r->vm, ({
                g_autofree char *ring = qmp_ask(&r->vm->qmp, "qom-get",
                                                "{\"path\":\"" ID
                                                "\",\"property\":\"ring[0]\"}");
                strstr(ring, "\"held\": \"yes\"") != NULL;
            }),
            "ring 0 hangs");
    rig_assert_no_writes(r);
    use_rules(r, "");
    rig_start(r);
    rig_assert_works(r);
}

static bool is_held(Rig *r)
{
    g_autofree char *ring = qmp_ask(&r->vm->qmp, "qom-get",
                                    "{\"path\":\"" ID
                                    "\",\"property\":\"ring[0]\"}");

    return strstr(ring, "\"held\": \"yes\"");
}

/* A ring that hangs does not block the others. */
static void test_a_hang_blocks_no_other(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_fence fence = veu_make_fence(7, r->fence, 1);

    use_rules(r, "nth=1 action=hang");
    rig_start(r);
    rig_put(r, &fence.header);
    rig_submit(r);
    VM_WAIT(r->vm, is_held(r), "a command that hangs");
    rig_wait_asleep(r);
    vm_assert_answers(r->vm);
    vm_run(r->vm);
    vm_stop(r->vm);
    g_assert_cmpuint(*r->fence, ==, 0);
    vm_run(r->vm);
    rig_start(r);
    rig_assert_works(r);
}

/* The thread sleeps, and wakes up when the delay is over. */
static void test_a_delay_ends_by_itself(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_timestamp stamp;
    uint64_t before, after;

    stamp = veu_make_timestamp(1, r->fence);
    vm_run(r->vm);
    rig_start(r);
    rig_run(r, &stamp.header);
    before = *r->fence;
    use_rules(r, "opcode=timestamp action=delay:20ms");
    rig_run(r, &stamp.header);
    after = *r->fence;
    g_assert_cmpuint(after - before, >=, 20000000);
}

static void put_fence(Rig *r)
{
    struct veu_command_fence fence = veu_make_fence(7, r->fence, 7);

    rig_put(r, &fence.header);
    rig_submit(r);
}

/*
 * At the destination, the rules of its command line start; what hung here
 * continues.
 */
static void test_rules_stay_where_they_are(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    g_autoptr(Rig) there = NULL;
    Vm *vm;

    vm_run(r->vm);
    rig_start(r);
    use_rules(r, "action=hang");
    put_fence(r);
    VM_WAIT(r->vm, is_held(r), "the hang");
    vm = move_vm(r->vm, accel,
                 "-M q35 -device 'veu,id=veu0,addr=4,"
                 "fault-inject=opcode=fence nth=2 action=drop:store'");
    there = rig_follow(r, vm);
    vm_run(vm);
    rig_wait(there);
    g_assert_cmpuint(*there->fence, ==, 7);
    assert_state(there, "\"matched\": 0, \"fired\": 0");
    rig_assert_works(there);
    *there->fence = 0;
    put_fence(there);
    rig_wait(there);
    g_assert_cmpuint(*there->fence, ==, 0);
    assert_state(there, "\"matched\": 2, \"fired\": 1");
}

/* Loading a snapshot ends a hang; the rule remains, and continues to count. */
static void test_a_snapshot_ends_a_hang(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    g_autofree char *path = move_path("snapshot");

    move_add_disk(r->vm, path);
    vm_run(r->vm);
    rig_start(r);
    use_rules(r, "opcode=fence nth=1 action=hang");
    put_fence(r);
    VM_WAIT(r->vm, is_held(r), "the hang");
    move_save_snapshot(r->vm);
    g_assert_true(is_held(r));
    move_load_snapshot(r->vm);
    vm_run(r->vm);
    rig_wait(r);
    g_assert_cmpuint(*r->fence, ==, 7);
    assert_state(r, "\"matched\": 1, \"fired\": 1");
    unlink(path);
}

/*
 * A device that hangs, or waits for an hour, can be unplugged like any other.
 */
static void check_unplug(Rig *r, const char *rules)
{
    rig_start(r);
    use_rules(r, rules);
    put_fence(r);
    VM_WAIT(r->vm, is_held(r), "the fence to be held back");
    slot_unplug(r->vm);
    rig_wait_threads(r->vm, 0);
    slot_power_on(r->vm);
    qmp_do(&r->vm->qmp, "device_add",
           "{\"driver\":\"veu\",\"id\":\"veu0\",\"bus\":\"rp\"}");
    rig_open(r);
    rig_start(r);
    rig_assert_works(r);
}

static void test_a_held_device_can_be_unplugged(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, "-M q35 " SLOT_PORT
                                      " -device veu,id=veu0,bus=rp,workers=3");

    vm_run(r->vm);
    check_unplug(r, "action=hang");
    check_unplug(r, "action=delay:3600s");
}

/* This includes one that works with QEMU's big lock held. */
static void test_rules_hold_in_deterministic_devices(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",deterministic=on");

    vm_run(r->vm);
    rig_start(r);
    use_rules(r, "opcode=fence nth=1 action=delay:20ms; nth=2 action=hang");
    rig_assert_works(r);
    put_fence(r);
    VM_WAIT(r->vm, is_held(r), "the hang");
    vm_assert_answers(r->vm);
    rig_start(r);
    rig_assert_works(r);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("rules-of-the-command-line-hold-at-once",
                 test_rules_of_the_command_line_hold_at_once);
    rig_test_add("rules-may-precede-the-number-of-rings",
                 test_rules_may_precede_the_number_of_rings);
    rig_test_add("wrong-rules-leave-those-before",
                 test_wrong_rules_leave_those_before);
    rig_test_add_both("rules-can-be-set-while-it-is-busy",
                      test_rules_can_be_set_while_it_is_busy);
    rig_test_add("a-hang-blocks-no-other", test_a_hang_blocks_no_other);
    rig_test_add("a-delay-ends-by-itself", test_a_delay_ends_by_itself);
    rig_test_add("rules-stay-where-they-are", test_rules_stay_where_they_are);
    rig_test_add("a-snapshot-ends-a-hang", test_a_snapshot_ends_a_hang);
    rig_test_add("a-held-device-can-be-unplugged",
                 test_a_held_device_can_be_unplugged);
    rig_test_add("rules-hold-in-deterministic-devices",
                 test_rules_hold_in_deterministic_devices);
    return g_test_run();
}
