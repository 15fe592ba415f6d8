/*
 * veu device tests: RAM that consists of several blocks, ends, appears and
 * disappears.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/rig.h"
#include "tests/device/space.h"
#include "tests/device/work.h"

#define PAGE_BYTES 4096
#define LANES      8

/*
 * ---- DIMMs, one after the other, from 4 GiB on ----
 *
 * No test with DIMMs migrates, and none that migrates has DIMMs: that avoids
 * the RAM list deadlock (docs/caveats.md, "QEMU's own races").
 */

#define DIMMS      "-M q35 -m slots=2,maxmem=1G -device veu,id=veu0,addr=4"
#define DIMM_BYTES UINT64_C(0x2000000)
#define DIMM_BASE  UINT64_C(0x100000000)

static void plug(Rig *r, unsigned n)
{
    g_autofree char *memory = g_strdup_printf(
        "{\"qom-type\":\"memory-backend-ram\",\"id\":\"memory%u\","
        "\"size\":%" G_GUINT64_FORMAT "}",
        n, DIMM_BYTES);
    g_autofree char *dimm = g_strdup_printf(
        "{\"driver\":\"pc-dimm\",\"id\":\"dimm%u\",\"memdev\":\"memory%u\","
        "\"addr\":%" G_GUINT64_FORMAT "}",
        n, n, DIMM_BASE + n * DIMM_BYTES);

    qmp_do(&r->vm->qmp, "object-add", memory);
    qmp_do(&r->vm->qmp, "device_add", dimm);
}

/* The registers that ACPI's tables make the guest's system use. */
#define HOTPLUG_SLOT  0xa00
#define HOTPLUG_FLAGS 0xa14
#define HOTPLUG_EJECT 8

static void unplug(Rig *r, unsigned n)
{
    g_autofree char *dimm = g_strdup_printf("{\"id\":\"dimm%u\"}", n);
    g_autofree char *memory = g_strdup_printf("{\"id\":\"memory%u\"}", n);

    qmp_do(&r->vm->qmp, "device_del", dimm);
    qtest_out(&r->vm->qtest, HOTPLUG_SLOT, 4, n);
    qtest_out(&r->vm->qtest, HOTPLUG_FLAGS, 1, HOTPLUG_EJECT);
    qmp_wait_event(&r->vm->qmp, "DEVICE_DELETED");
    qmp_do(&r->vm->qmp, "object-del", memory);
}

/* ---- elements that cross something ---- */

/*
 * Elements of 4 bytes in a surface of 128 bytes, with the border in its middle.
 */
#define SURFACE_BYTES 128
#define MIDDLE        (SURFACE_BYTES / 2)
static const uint32_t offsets[LANES] = { 0,          30,     MIDDLE - 3,
                                         MIDDLE - 2, MIDDLE, MIDDLE + 9,
                                         100,        124 };

static uint32_t lane_value(unsigned lane)
{
    return 0x04030201u * (lane + 1);
}

/* A scatter, followed by a gather of the same bytes. */
static struct veu_command_dispatch make_crossing(Rig *r, uint64_t base)
{
    struct veu_program p;
    struct veu_command_dispatch command;
    uint32_t at, from, to, *registers;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    at = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    from = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    to = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    veu_encode_scatter_scaled(&p.code, 0, 4, veu_m(1, LANES), T6, veu_ud(0),
                              veu_v(at), veu_v(from));
    veu_encode_gather_scaled(&p.code, 0, 4, veu_m(1, LANES), T6, veu_ud(0),
                             veu_v(at), veu_v(to));
    command = veu_make_dispatch(1, r->program, veu_program_end(&p), 8);
    memset(r->payload, 0, veu_payload_bytes(&p));
    *(uint32_t *)r->payload = 0xff;
    registers = (uint32_t *)veu_payload_registers(r->payload, &p);
    for (unsigned i = 0; i < LANES; i++) {
        registers[i] = offsets[i];
        registers[LANES + i] = lane_value(i);
    }
    r->surfaces[0] = veu_surface_raw(r->arena, SURFACE_BYTES);
    r->surfaces[0].base = base;
    veu_launch_surfaces(&command.launch, r->surfaces, 1);
    veu_launch_payload(&command.launch, r->payload, veu_payload_bytes(&p));
    veu_launch_result(&command.launch, r->result, veu_program_offset(&p, to),
                      4 * LANES);
    return command;
}

/* The bytes after the lanes of @mask have written, where all were 0xee. */
static void make_expected(uint8_t bytes[SURFACE_BYTES], unsigned mask)
{
    memset(bytes, 0xee, SURFACE_BYTES);
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t value = lane_value(i);

        if (mask & 1u << i) {
            memcpy(bytes + offsets[i], &value, 4);
        }
    }
}

static void clear(Rig *r, uint64_t base, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        qtest_write(&r->vm->qtest, base + i, 1, 0xee);
    }
}

static void assert_bytes(Rig *r, uint64_t base, const uint8_t *expected,
                         unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        g_assert_cmphex(qtest_read(&r->vm->qtest, base + i, 1), ==,
                        expected[i]);
    }
}

static void check_crossing(Rig *r, uint64_t boundary)
{
    uint64_t base = boundary - MIDDLE;
    struct veu_command_dispatch command = make_crossing(r, base);
    uint8_t expected[SURFACE_BYTES];

    clear(r, base, SURFACE_BYTES);
    rig_start(r);
    rig_run(r, &command.header);
    make_expected(expected, 0xff);
    assert_bytes(r, base, expected, SURFACE_BYTES);
    for (unsigned i = 0; i < LANES; i++) {
        g_assert_cmpmem(r->result + 4 * i, 4, expected + offsets[i], 4);
    }
}

static void test_elements_cross_pages(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    check_crossing(r, veu_port_device_address(r->arena) + PAGE_BYTES);
}

static void test_elements_cross_ram_blocks(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, DIMMS);

    plug(r, 0);
    plug(r, 1);
    check_crossing(r, DIMM_BASE + DIMM_BYTES);
}

/* Copies two and a half pages on each side. */
static void test_copies_cross_ram_blocks(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, DIMMS);
    const unsigned bytes = 5 * PAGE_BYTES;
    const uint64_t base = DIMM_BASE + DIMM_BYTES - bytes / 2;
    uint64_t from = veu_port_device_address(r->arena);
    struct veu_command_copy there = veu_make_copy(1, r->arena, r->arena, bytes);
    struct veu_command_copy back = there;

    plug(r, 0);
    plug(r, 1);
    for (unsigned i = 0; i < bytes; i++) {
        r->arena[i] = i * 7 ^ i >> 8;
    }
    there.destination = base;
    back.source = base;
    back.destination = from + bytes;
    rig_start(r);
    rig_run(r, &there.header);
    assert_bytes(r, DIMM_BASE + DIMM_BYTES - 8, r->arena + bytes / 2 - 8, 16);
    rig_run(r, &back.header);
    g_assert_cmpmem(r->arena + bytes, bytes, r->arena, bytes);
}

/* Lanes 2 and 3 straddle the end, and the later lanes are past it. */
static void check_end(Rig *r, uint64_t end)
{
    uint64_t base = end - MIDDLE;
    struct veu_command_dispatch command = make_crossing(r, base);
    struct veu_fault_record record;
    uint8_t expected[SURFACE_BYTES];

    clear(r, base, MIDDLE);
    rig_start(r);
    record = rig_run_fault(r, &command.header, VEU_FAULT_ADDRESS);
    g_assert_cmpuint(record.lane, ==, 2);
    g_assert_cmphex(record.lanes, ==, 0xfc);
    make_expected(expected, 0x03);
    assert_bytes(r, base, expected, MIDDLE);
}

static void test_elements_straddle_the_end_of_ram(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, DIMMS);

    check_end(r, VM_RAM_BYTES);
    plug(r, 0);
    check_end(r, DIMM_BASE + DIMM_BYTES);
    plug(r, 1);
    check_crossing(r, DIMM_BASE + DIMM_BYTES);
    check_end(r, DIMM_BASE + 2 * DIMM_BYTES);
    unplug(r, 1);
    check_end(r, DIMM_BASE + DIMM_BYTES);
}

/* ---- under load ---- */

static void wait_counting(Rig *r)
{
    uint32_t first = work_counter(r, 0);

    VM_WAIT(r->vm, work_counter(r, 0) != first, "the dispatch to continue");
}

/* Fills the ring with fences into the DIMM, which may exist or not. */
static void put_fences(Rig *r, const struct veu_command_fence *fence)
{
    for (unsigned n = 0; n < RIG_SLOTS - 1; n++) {
        rig_put(r, &fence->header);
    }
    rig_submit(r);
}

/* Ring 0 counts in RAM, ring 1 writes to memory that appears and disappears. */
static void test_dimms_come_and_go_while_it_is_busy(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, DIMMS);
    g_autoptr(Rig) other = rig_add_ring(r, 1);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 0);

    vm_run(r->vm);
    rig_start(r);
    work_run_counters(r);
    for (unsigned i = 1; i <= 20; i++) {
        fence.address = DIMM_BASE + DIMM_BYTES / 2;
        fence.value = i;
        rig_start_policy(other, VEU_POLICY_SKIP_COMMAND);
        put_fences(other, &fence);
        plug(r, 0);
        rig_wait(other);
        put_fences(other, &fence);
        rig_wait(other);
        g_assert_cmpuint(qtest_read(&r->vm->qtest, fence.address, 8), ==, i);
        put_fences(other, &fence);
        unplug(r, 0);
        rig_wait(other);
        rig_start_policy(other, VEU_POLICY_HALT);
        rig_run_fault(other, &fence.header, VEU_FAULT_COMMAND_MEMORY);
        wait_counting(r);
    }
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_FAULT_COUNT), ==, 0);
}

/* ---- page tables ---- */

#define VIRTUAL UINT64_C(0x7f0000000000)

/*
 * The entry stays valid, and nothing is invalidated: what the device knows
 * about the memory of a page ends with that memory.
 */
static void test_the_memory_of_a_page_goes(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, DIMMS);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 5);
    struct veu_command_dispatch load = space_make_load(r, VIRTUAL);
    struct veu_fault_record record;
    Space s;

    vm_run(r->vm);
    space_init(&s, r, false);
    *veu_space_entry(&s.space, VIRTUAL, 1) = DIMM_BASE | SPACE_BOTH |
                                             VEU_PAGE_VALID;
    fence.address = VIRTUAL;
    plug(r, 0);
    rig_start(r);
    rig_run(r, &fence.header);
    for (unsigned i = 0; i < 3; i++) {
        rig_run(r, &load.header);
        g_assert_cmpuint(*(uint32_t *)r->result, ==, i ? 0 : 5);
        rig_run(r, &load.header);
        unplug(r, 0);
        record = rig_run_fault(r, &load.header, VEU_FAULT_ADDRESS);
        g_assert_cmphex(record.address, ==, VIRTUAL);
        g_assert_cmphex(record.detail, ==, VEU_WALK_PAGE_MEMORY);
        plug(r, 0);
        rig_start(r);
    }
}

/* BARs move while memory decoding is disabled. */
static void test_bars_move_while_it_is_busy(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    uint16_t function = r->device.function;
    uint32_t home = veu_port_config_read(function, 0x10, 4) & ~15u;
    uint32_t doorbells = veu_port_config_read(function, 0x18, 4) & ~15u;

    vm_run(r->vm);
    rig_start(r);
    work_run_counters(r);
    for (unsigned i = 0; i < 50; i++) {
        uint32_t away = i % 2 ? 0 : 0x1000000;

        veu_port_config_write(function, 4, 2, 4);
        veu_port_config_write(function, 0x10, 4, home + away);
        veu_port_config_write(function, 0x18, 4, doorbells + away);
        veu_port_config_write(function, 4, 2, 6);
        g_assert_cmphex(qtest_read(&r->vm->qtest, home + away + VEU_REG_MAGIC,
                                   4),
                        ==, VEU_MAGIC);
        wait_counting(r);
    }
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_FAULT_COUNT), ==, 0);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("elements-cross-pages", test_elements_cross_pages);
    rig_test_add_both("elements-cross-ram-blocks",
                      test_elements_cross_ram_blocks);
    rig_test_add_both("copies-cross-ram-blocks", test_copies_cross_ram_blocks);
    rig_test_add_both("elements-straddle-the-end-of-ram",
                      test_elements_straddle_the_end_of_ram);
    rig_test_add_both("dimms-come-and-go-while-it-is-busy",
                      test_dimms_come_and_go_while_it_is_busy);
    rig_test_add("the-memory-of-a-page-goes", test_the_memory_of_a_page_goes);
    rig_test_add_both("bars-move-while-it-is-busy",
                      test_bars_move_while_it_is_busy);
    return g_test_run();
}
