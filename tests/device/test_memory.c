/*
 * veu device tests: changes of memory by QEMU, which the device has to follow.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/device/rig.h"

/* The BIOS jumps here if the memory contains code. */
#define GUEST_CODE VM_GUEST_CODE
#define GUEST_DATA 0x9000

/* mov byte [GUEST_DATA], value; jmp to itself */
static uint64_t guest_code(uint8_t value)
{
    return UINT64_C(0xf9eb00900006c6) | (uint64_t)value << 32;
}

static uint8_t guest_data(Rig *r)
{
    return __atomic_load_n(r->vm->ram + GUEST_DATA, __ATOMIC_ACQUIRE);
}

/* Translated code is stale after the device has written to its memory. */
static void test_guest_executes_what_the_device_wrote(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 0);

    fence.address = GUEST_CODE;
    *(uint64_t *)(r->vm->ram + GUEST_CODE) = guest_code(1);
    rig_start(r);
    vm_run(r->vm);
    VM_WAIT(r->vm, guest_data(r) == 1, "the guest's code to run");
    for (unsigned i = 2; i < 100; i++) {
        fence.value = guest_code(i);
        rig_run(r, &fence.header);
        VM_WAIT(r->vm, guest_data(r) == i,
                "the guest to run code %u; it runs %u", i, guest_data(r));
    }
}

/* ---- RAM in a BAR, which can go away ---- */

#define SHARED_MEMORY                                     \
    "-M q35 -device veu,id=veu0,addr=4 "                  \
    "-object memory-backend-ram,id=shm,size=1M,share=on " \
    "-device ivshmem-plain,memdev=shm,addr=6"
#define SHARED_FUNCTION (6 << 3)
#define SHARED_ADDRESS  UINT64_C(0xc0000000)

static void set_shared_memory(bool on)
{
    veu_port_config_write(SHARED_FUNCTION, 0x18, 4, SHARED_ADDRESS);
    veu_port_config_write(SHARED_FUNCTION, 0x1c, 4, 0);
    veu_port_config_write(SHARED_FUNCTION, 0x04, 2, on ? 2 : 0);
}

static void test_ram_of_another_device(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, SHARED_MEMORY);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 0x1234);

    fence.address = SHARED_ADDRESS + 0x80008;
    for (unsigned i = 0; i < 3; i++) {
        set_shared_memory(true);
        rig_start(r);
        rig_run(r, &fence.header);
        g_assert_cmphex(qtest_read(&r->vm->qtest, fence.address, 8), ==,
                        0x1234);
        set_shared_memory(false);
        rig_run_fault(r, &fence.header, VEU_FAULT_COMMAND_MEMORY);
        rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    }
}

/*
 * The memory may exist or not at any moment: QEMU survives, and the rest works.
 */
static void test_ram_comes_and_goes_while_it_is_written(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, SHARED_MEMORY);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 1);

    fence.address = SHARED_ADDRESS;
    set_shared_memory(true);
    rig_start_policy(r, VEU_POLICY_SKIP_COMMAND);
    for (unsigned i = 0; i < 300; i++) {
        for (unsigned n = 0; n < RIG_SLOTS / 2; n++) {
            rig_put(r, &fence.header);
        }
        rig_submit(r);
        set_shared_memory(i % 2);
        rig_wait(r);
    }
    rig_assert_works(r);
}

/*
 * The chipset has shadow RAM below 1 MiB, which firmware makes read-only when
 * it has filled it: then neither a guest CPU nor the device can write there.
 */
static void test_shadow_ram_is_rom_when_it_is_locked(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 0x77);
    uint64_t *shadow = (uint64_t *)(r->vm->ram + 0xf0000);

    fence.address = 0xf0000;
    for (unsigned i = 0; i < 3; i++) {
        *shadow = 0;
        veu_port_config_write(0, 0x90, 1, 0x30); /* PAM0: read and write */
        rig_start(r);
        rig_run(r, &fence.header);
        g_assert_cmphex(*shadow, ==, 0x77);
        *shadow = 0x55;
        veu_port_config_write(0, 0x90, 1, 0x10); /* read */
        rig_run_fault(r, &fence.header, VEU_FAULT_COMMAND_MEMORY);
        g_assert_cmphex(*shadow, ==, 0x55);
        rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    }
}

/* 16 KiB at 0xc0000 are locked, the next ones are not. */
static void test_shadow_ram_next_to_rom(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 0x77);

    veu_port_config_write(0, 0x91, 1, 0x31); /* PAM1 */
    rig_start(r);
    fence.address = 0xc4000;
    rig_run(r, &fence.header);
    g_assert_cmphex(*(uint64_t *)(r->vm->ram + 0xc4000), ==, 0x77);
    fence.address = 0xc3ff8;
    rig_run_fault(r, &fence.header, VEU_FAULT_COMMAND_MEMORY);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("guest-executes-what-the-device-wrote",
                      test_guest_executes_what_the_device_wrote);
    rig_test_add_both("ram-of-another-device", test_ram_of_another_device);
    rig_test_add_both("ram-comes-and-goes-while-it-is-written",
                      test_ram_comes_and_goes_while_it_is_written);
    rig_test_add_both("shadow-ram-is-rom-when-it-is-locked",
                      test_shadow_ram_is_rom_when_it_is_locked);
    rig_test_add("shadow-ram-next-to-rom", test_shadow_ram_next_to_rom);
    return g_test_run();
}
