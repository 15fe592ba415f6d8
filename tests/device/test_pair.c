/*
 * veu device tests: several devices in one VM.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/rig.h"
#include "tests/device/work.h"

typedef struct Pair {
    Vm *vm;
    Rig *a;
    Rig *b;
} Pair;

static Pair new_pair(const char *accel)
{
    Pair p = { .vm = vm_new(accel, "-M q35 -device veu,id=veu0,addr=4 "
                                   "-device veu,id=veu1,addr=5") };

    port_use(p.vm);
    p.a = rig_attach(p.vm, 0);
    p.b = rig_attach(p.vm, 1);
    g_assert_cmphex(p.a->device.function, !=, p.b->device.function);
    return p;
}

static void free_pair(Pair *p)
{
    rig_free(p->a);
    rig_free(p->b);
    vm_free(p->vm);
}

static void test_both_work_at_once(const char *accel)
{
    Pair p = new_pair(accel);

    rig_set_up_msix(p.a);
    rig_set_up_msix(p.b);
    rig_start(p.a);
    rig_start(p.b);
    for (uint64_t i = 1; i <= 100; i++) {
        struct veu_command_fence fa = veu_make_fence(0, p.a->fence, i);
        struct veu_command_fence fb = veu_make_fence(0, p.b->fence, ~i);

        fa.header.flags = fb.header.flags = VEU_COMMAND_INTERRUPT;
        rig_put(p.a, &fa.header);
        rig_put(p.b, &fb.header);
        rig_submit(p.b);
        rig_submit(p.a);
        rig_wait_message(p.a);
        rig_wait_message(p.b);
        g_assert_cmphex(*p.a->fence, ==, i);
        g_assert_cmphex(*p.b->fence, ==, ~i);
    }
    free_pair(&p);
}

static void test_one_is_reset_while_the_other_works(const char *accel)
{
    Pair p = new_pair(accel);

    for (unsigned i = 0; i < 5; i++) {
        rig_start(p.a);
        rig_start(p.b);
        rig_run_endless(p.a);
        rig_run_endless(p.b);
        veu_reset(&p.a->device);
        rig_assert_no_writes(p.a);
        rig_wait_writes(p.b);
        rig_assert_reset_values(p.a);
        veu_reset(&p.b->device);
        rig_assert_no_writes(p.b);
    }
    free_pair(&p);
}

static void test_fault_of_one_leaves_the_other(const char *accel)
{
    Pair p = new_pair(accel);
    struct veu_command_fence bad = veu_make_fence(0, p.a->fence, 1);

    bad.address = UINT64_C(0xfff000000000);
    rig_start(p.a);
    rig_start(p.b);
    rig_run_fault(p.a, &bad.header, VEU_FAULT_COMMAND_MEMORY);
    g_assert_cmpuint(rig_ring_read(p.b, VEU_REG_RING_STATE), ==,
                     VEU_RING_RUNNING);
    rig_assert_works(p.b);
    free_pair(&p);
}

static void test_both_stop_and_go_on(const char *accel)
{
    Pair p = new_pair(accel);

    vm_run(p.vm);
    rig_start(p.a);
    rig_start(p.b);
    rig_run_endless(p.a);
    rig_run_endless(p.b);
    for (unsigned i = 0; i < 3; i++) {
        vm_stop(p.vm);
        rig_assert_no_writes(p.a);
        rig_assert_no_writes(p.b);
        vm_run(p.vm);
        rig_wait_writes(p.a);
        rig_wait_writes(p.b);
    }
    vm_reset(p.vm);
    rig_assert_no_writes(p.a);
    rig_assert_no_writes(p.b);
    free_pair(&p);
}

/* The registers and memory of a device are not RAM for the other one either. */
static void test_one_does_not_reach_the_other(const char *accel)
{
    Pair p = new_pair(accel);
    struct veu_command_fence fence = veu_make_fence(0, p.a->fence, 1);

    fence.address = (uintptr_t)p.b->device.regs + 0x8000;
    rig_start(p.a);
    rig_run_fault(p.a, &fence.header, VEU_FAULT_COMMAND_MEMORY);
    rig_assert_reset_values(p.b);
    free_pair(&p);
}

/*
 * Three devices with workers are stopped repeatedly: all results are correct.
 */
static void test_each_has_workers_of_its_own(const char *accel)
{
    Vm *vm = vm_new(accel, "-M q35 -device veu,id=a,addr=4,workers=2 "
                           "-device veu,id=b,addr=5,workers=3 "
                           "-device veu,id=c,addr=6,workers=4");
    Rig *rigs[3];

    port_use(vm);
    vm_run(vm);
    for (unsigned i = 0; i < G_N_ELEMENTS(rigs); i++) {
        rigs[i] = rig_attach(vm, i);
        rig_start(rigs[i]);
    }
    VM_WAIT(vm, vm_count_threads(vm, "veu-worker") == 1 + 2 + 3, "workers");
    for (unsigned round = 0; round < 10; round++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(rigs); i++) {
            struct veu_command_dispatch work;

            work_make(rigs[i], &work);
            memset(rigs[i]->arena, 0, 0x10000);
            rig_put(rigs[i], &work.header);
            rig_submit(rigs[i]);
        }
        vm_stop(vm);
        vm_run(vm);
        for (unsigned i = 0; i < G_N_ELEMENTS(rigs); i++) {
            rig_wait(rigs[i]);
            work_assert_done(rigs[i]);
        }
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(rigs); i++) {
        rig_free(rigs[i]);
    }
    vm_free(vm);
}

#define COMMAND        0x04
#define COMMAND_MEMORY 0x02
#define DOORBELL_BAR   0x18

/*
 * Moves doorbells there and back; KVM must not be told about two doorbells at
 * one address. The device stays master of the bus: it may be about to sleep,
 * and what it stores to its shared block meanwhile must arrive.
 */
static void put_doorbells_over(const Rig *moves, const Rig *stays)
{
    const uint16_t function = moves->device.function;
    uint32_t own = veu_port_config_read(function, DOORBELL_BAR, 4);
    uint32_t command = veu_port_config_read(function, COMMAND, 2);

    veu_port_config_write(function, DOORBELL_BAR, 4,
                          (uintptr_t)stays->device.doorbells);
    veu_port_config_write(function, COMMAND, 2, command & ~COMMAND_MEMORY);
    veu_port_config_write(function, COMMAND, 2, command);
    veu_port_config_write(function, DOORBELL_BAR, 4, own);
}

static void test_doorbells_at_one_place(const char *accel)
{
    Pair p = new_pair(accel);

    vm_run(p.vm);
    rig_start(p.a);
    rig_start(p.b);
    for (unsigned i = 0; i < 4; i++) {
        put_doorbells_over(p.a, p.b);
        put_doorbells_over(p.b, p.a);
        rig_wait_asleep(p.a);
        rig_assert_works(p.a);
        rig_wait_asleep(p.b);
        rig_assert_works(p.b);
    }
    free_pair(&p);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("both-work-at-once", test_both_work_at_once);
    rig_test_add_both("each-has-workers-of-its-own",
                      test_each_has_workers_of_its_own);
    rig_test_add_both("doorbells-at-one-place", test_doorbells_at_one_place);
    rig_test_add("one-is-reset-while-the-other-works",
                 test_one_is_reset_while_the_other_works);
    rig_test_add("fault-of-one-leaves-the-other",
                 test_fault_of_one_leaves_the_other);
    rig_test_add("both-stop-and-go-on", test_both_stop_and_go_on);
    rig_test_add("one-does-not-reach-the-other",
                 test_one_does_not_reach_the_other);
    return g_test_run();
}
