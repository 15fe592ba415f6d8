/*
 * veu device tests: all writes of the device during a migration arrive.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When the work begins, the first pass of the migration is complete
 * (move_while_it_works()): only pages that the device reports are sent again.
 */
#include "tests/device/iommu.h"
#include "tests/device/move.h"
#include "tests/device/work.h"

#define MACHINE "-M pc-q35-7.2 "
#define DEVICE  "-device veu,id=veu0,addr=4"

/* Offsets in the arena, past what work_make() writes to. */
#define COPY_AT    0x100000
#define FILL_AT    0x180000
#define COPY_BYTES 0x9001
#define FILL_BYTES 0x70003

/* Memory that contains nothing else. */
#define FRESH_AT    0x3000000
#define FRESH_BYTES 0x3000000
/* Payloads of the dispatch that writes to it. */
#define PAYLOAD_AT  0x2000000
#define PROGRAM_AT  0x20000
#define PAGE_BYTES  4096
#define LANES       8
#define SURFACE     1 /* T7 */

/*
 * Each group writes to a page of its own. There are more groups than the device
 * thread runs in one turn, so that workers get some. If a thread does not
 * report its last pages, they are lost.
 */
#define GROUPS 12000

static struct veu_command_dispatch make_pages(Rig *r)
{
    struct veu_command_dispatch c;
    struct veu_program p;
    uint8_t *payload = r->vm->ram + PAYLOAD_AT;
    uint32_t offsets, bytes;

    veu_program_begin(&p, r->program + PROGRAM_AT,
                      RIG_PROGRAM_BYTES - PROGRAM_AT, 32);
    offsets = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    veu_encode_scatter_scaled(&p.code, 0, 4, veu_m(1, LANES), T6 + SURFACE,
                              veu_ud(0), veu_v(offsets), veu_v(offsets));
    c = veu_make_dispatch(4, r->program + PROGRAM_AT, veu_program_end(&p), 8);
    bytes = veu_payload_bytes(&p);
    for (unsigned g = 0; g < GROUPS; g++) {
        struct veu_payload_header *header = (void *)(payload + g * bytes);
        uint32_t *words = (uint32_t *)veu_payload_registers(header, &p);

        header->exec_mask = 0xff;
        for (unsigned lane = 0; lane < LANES; lane++) {
            words[lane] = g * PAGE_BYTES + lane * 4 + 4;
        }
    }
    r->surfaces[SURFACE] = veu_surface_raw(r->vm->ram + FRESH_AT,
                                           GROUPS * PAGE_BYTES);
    veu_launch_surfaces(&c.launch, r->surfaces, SURFACE + 1);
    veu_launch_payload(&c.launch, payload, bytes);
    c.launch.payload_stride = bytes;
    c.launch.groups = GROUPS;
    return c;
}

/* Writes by fast paths and by executors, of few bytes and of many. */
static void put_work(Rig *r, bool has_pages)
{
    struct veu_command_nop unknown = { .header = { .opcode = 200,
                                                   .slots = 1 } };
    struct veu_command_fill fill = veu_make_fill(1, r->arena + FILL_AT + 5,
                                                 0x123456789abcdef, FILL_BYTES);
    struct veu_command_copy copy = veu_make_copy(2, r->arena + COPY_AT + 4093,
                                                 r->program, COPY_BYTES);
    struct veu_command_fence fence = veu_make_fence(3, r->fence, 99);
    struct veu_command_dispatch dispatch;

    work_make(r, &dispatch);
    rig_put(r, &dispatch.header);
    if (has_pages) {
        dispatch = make_pages(r);
        rig_put(r, &dispatch.header);
    }
    rig_put(r, &fill.header);
    rig_put(r, &copy.header);
    rig_put(r, &unknown.header);
    rig_put(r, &fence.header);
}

static void check(Rig *from, const char *accel, const char *machine,
                  bool has_pages)
{
    g_autoptr(Rig) to = NULL;

    rig_start_policy(from, VEU_POLICY_SKIP_COMMAND);
    put_work(from, has_pages);
    to = move_while_it_works(from, accel, machine, rig_wait);
    g_assert_cmpuint(*to->fence, ==, 99);
    work_assert_done(to);
    /* one fault is intended: the unknown command */
    g_assert_cmpuint(rig_ring_read(to, VEU_REG_RING_FAULT_COUNT), ==, 1);
    for (unsigned g = 0; has_pages && g < GROUPS; g++) {
        const uint32_t *page = (uint32_t *)(to->vm->ram + FRESH_AT +
                                            g * PAGE_BYTES);

        g_assert_cmpuint(page[LANES], ==, g * PAGE_BYTES + LANES * 4);
    }
}

static void check_machine(const char *accel, const char *machine)
{
    g_autoptr(Rig) from = rig_new(accel, machine);

    vm_run(from->vm);
    check(from, accel, machine, true);
}

static void test_the_thread(const char *accel)
{
    check_machine(accel, MACHINE DEVICE);
}

static void test_workers(const char *accel)
{
    check_machine(accel, MACHINE DEVICE ",workers=3");
}

static void test_without_threads(const char *accel)
{
    check_machine(accel, MACHINE DEVICE ",deterministic=on");
}

static Rig *rig_behind_an_iommu(const char *accel, const char *machine)
{
    Rig *r = rig_new(accel, machine);

    vm_run(r->vm);
    iommu_set_up(r->vm);
    port_set_device_offset(IOMMU_OFFSET);
    return r;
}

/* Workers cannot ask for translations, and are idle in this case. */
static void test_behind_an_iommu(const char *accel)
{
    static const char machine[] = MACHINE IOMMU_DEVICE DEVICE ",workers=3";
    g_autoptr(Rig) from = rig_behind_an_iommu(accel, machine);

    check(from, accel, machine, false);
}

/* ---- a batch that ends in the middle of a command ---- */

static void stop_in_the_middle(Rig *r)
{
    const uint8_t *fresh = r->vm->ram + FRESH_AT;

    VM_WAIT(r->vm, __atomic_load_n(fresh + FRESH_BYTES / 64, __ATOMIC_ACQUIRE),
            "the FILL");
    vm_stop(r->vm);
    g_test_message("the last byte is %u", fresh[FRESH_BYTES - 1]);
}

/* Only the end of a batch reports what an unfinished command has written. */
static void check_stop(Rig *from, const char *accel, const char *machine)
{
    g_autoptr(Rig) to = NULL;
    struct veu_command_fill fill = veu_make_fill(1, from->vm->ram + FRESH_AT,
                                                 0x0101010101010101,
                                                 FRESH_BYTES);

    rig_start(from);
    rig_put(from, &fill.header);
    to = move_while_it_works(from, accel, machine, stop_in_the_middle);
    vm_run(to->vm);
    rig_wait(to);
    g_assert_cmpuint(to->vm->ram[FRESH_AT + FRESH_BYTES - 1], ==, 1);
}

static void test_a_stop_in_the_middle(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, MACHINE DEVICE);

    vm_run(from->vm);
    check_stop(from, accel, MACHINE DEVICE);
}

/* Where misses are frequent, the main loop runs the work. */
static void test_a_stop_in_the_main_loop(const char *accel)
{
    static const char machine[] = MACHINE IOMMU_DEVICE DEVICE;
    g_autoptr(Rig) from = rig_behind_an_iommu(accel, machine);

    check_stop(from, accel, machine);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("dirty/the-thread", test_the_thread);
    rig_test_add("dirty/workers", test_workers);
    rig_test_add("dirty/without-threads", test_without_threads);
    rig_test_add("dirty/behind-an-iommu", test_behind_an_iommu);
    rig_test_add("dirty/a-stop-in-the-middle", test_a_stop_in_the_middle);
    rig_test_add("dirty/a-stop-in-the-main-loop", test_a_stop_in_the_main_loop);
    return g_test_run();
}
