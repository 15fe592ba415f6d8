/*
 * veu device tests: resets, moves and snapshots while requests for pages are
 * open, and page tables whose DMA addresses a vIOMMU translates: docs/spec.md,
 * sections 3.4 and 3.5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include <unistd.h>
#include "tests/device/iommu.h"
#include "tests/device/move.h"
#include "tests/device/resets.h"
#include "tests/device/slot.h"
#include "tests/device/space.h"

/* The number of group runners: docs/spec.md, DEV-3.19. */
#define RUNNERS 8

static uint32_t queue_tail(const Space *s)
{
    return __atomic_load_n(&s->space.config.queue->tail, __ATOMIC_ACQUIRE);
}

/*
 * All group runners of a dispatch wait for the arena's page, and continue to
 * wait.
 */
static void open_requests(Space *s, Rig *r)
{
    space_init(s, r, true);
    space_map(s, r->arena, SPACE_PAGE_BYTES);
    rig_start(r);
    rig_run_endless(r);
    veu_space_unmap(&s->space, space_arena(s), SPACE_PAGE_BYTES);
    space_store(r->arena, 0);
    VM_WAIT(r->vm, queue_tail(s) == RUNNERS, "requests of all group runners");
    rig_assert_no_writes(r);
}

/* ---- resets ---- */

/* Maps the page, and responds to ids that were open. */
static void respond_late(Space *s)
{
    for (uint32_t id = 0; id < RUNNERS; id++) {
        veu_write64(s->space.device,
                    VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_RESPONSE, id);
    }
    veu_space_map(&s->space, space_arena(s), s->rig->arena, SPACE_PAGE_BYTES,
                  SPACE_BOTH);
}

/* Ids start at 0 again. */
static void assert_requests_work(Rig *r)
{
    struct veu_request *record;
    Space s;

    space_init(&s, r, true);
    rig_start(r);
    space_put_fill(&s);
    space_wait_request(&s);
    record = (struct veu_request *)(s.space.config.queue + 1);
    g_assert_cmpuint(record->id, ==, 0);
    g_assert_cmpuint(record->asked, ==, 1);
    g_assert_cmpuint(veu_space_serve(&s.space, space_provide, &s), ==, 1);
    rig_wait(r);
    g_assert_cmphex(space_load(r->arena), ==, SPACE_FILLED);
}

/* No record and no write follows; the next driver finds a new device. */
static void check_reset(const char *accel, void (*reset)(Rig *r))
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    uint32_t tail;
    Space s;

    vm_run(r->vm);
    open_requests(&s, r);
    reset(r);
    rig_reopen_pci(r);
    tail = queue_tail(&s);
    rig_assert_reset_values(r);
    respond_late(&s);
    rig_assert_no_writes(r);
    g_assert_cmpuint(queue_tail(&s), ==, tail);
    rig_open(r);
    assert_requests_work(r);
}

static void test_a_function_level_reset(const char *accel)
{
    check_reset(accel, reset_function);
}

static void test_a_reset_by_register(const char *accel)
{
    check_reset(accel, reset_control);
}

static void test_a_sleep_in_d3hot(const char *accel)
{
    check_reset(accel, reset_power);
}

/* ---- unplug ---- */

static Rig *plug(Vm *vm)
{
    slot_power_on(vm);
    qmp_do(&vm->qmp, "device_add",
           "{\"driver\":\"veu\",\"id\":\"veu0\",\"bus\":\"rp\","
           "\"workers\":2}");
    return rig_attach(vm, 0);
}

static void test_an_unplug(const char *accel)
{
    Vm *vm = vm_new(accel, "-M q35 " SLOT_PORT);
    uint32_t tail;
    Space s;
    Rig *r;

    port_use(vm);
    rig_set_up_bridge(vm, 2);
    vm_run(vm);
    r = plug(vm);
    open_requests(&s, r);
    slot_unplug(vm);
    tail = queue_tail(&s);
    rig_assert_no_writes(r);
    g_assert_cmpuint(queue_tail(&s), ==, tail);
    rig_free(r);
    r = plug(vm);
    assert_requests_work(r);
    rig_free(r);
    vm_free(vm);
}

/* ---- snapshots and moves ---- */

/* A request from before the snapshot is open after it, with its id. */
static void test_a_snapshot(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    g_autofree char *path = move_path("snapshot");
    uint32_t tail, head;
    Space s;

    vm_run(r->vm);
    move_add_disk(r->vm, path);
    open_requests(&s, r);
    vm_stop(r->vm);
    tail = queue_tail(&s);
    head = s.space.head;
    move_save_snapshot(r->vm);
    veu_reset(&r->device);
    memset(s.space.config.queue, 0, 4 * SPACE_PAGE_BYTES);
    move_load_snapshot(r->vm);
    g_assert_cmpuint(queue_tail(&s), ==, tail);
    g_assert_cmpuint(s.space.head, ==, head);
    vm_run(r->vm);
    rig_assert_no_writes(r);
    g_assert_cmpuint(veu_space_serve(&s.space, space_provide, &s), >, 0);
    rig_wait_writes(r);
    unlink(path);
}

/* The requests of all group runners move through a file. */
static void test_a_move(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, RIG_Q35 ",workers=2");
    Space s;

    vm_run(from->vm);
    open_requests(&s, from);
    vm_stop(from->vm);
    g_autoptr(Rig)
        to = rig_follow(from, move_vm_through_file(from->vm, accel,
                                                   RIG_Q35 ",workers=2"));

    space_follow(&s, to);
    vm_run(to->vm);
    rig_assert_no_writes(to);
    g_assert_cmpuint(veu_space_serve(&s.space, space_provide, &s), >, 0);
    rig_wait_writes(to);
}

/* ---- PAUSE ---- */

static void test_a_pause(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    Space s;

    vm_run(r->vm);
    open_requests(&s, r);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_PAUSE);
    rig_ring_read(r, VEU_REG_RING_STATE);
    g_assert_cmpuint(veu_space_serve(&s.space, space_provide, &s), >, 0);
    rig_assert_no_writes(r);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    rig_wait_writes(r);
}

/* ---- page tables whose DMA addresses a vIOMMU translates ---- */

static Rig *new_rig_with_iommu(const char *accel)
{
    Rig *r = rig_new(accel,
                     "-M q35 " IOMMU_DEVICE "-device veu,id=veu0,addr=4");

    iommu_set_up(r->vm);
    port_set_device_offset(IOMMU_OFFSET);
    return r;
}

/* The vIOMMU translates the addresses in entries: pages move in both. */
static void test_pages_move_in_tables_and_iommu(const char *accel)
{
    g_autoptr(Rig) r = new_rig_with_iommu(accel);
    uint8_t *other, *third;
    Space s;

    vm_run(r->vm);
    space_init(&s, r, false);
    other = space_spare_page(&s);
    third = space_spare_page(&s);
    space_map(&s, r->arena, SPACE_PAGE_BYTES);
    rig_start(r);
    rig_run_endless(r);
    for (unsigned i = 0; i < 20; i++) {
        iommu_map(r->vm, r->arena, other, IOMMU_BOTH);
        iommu_invalidate(r->vm, IOMMU_PAGE, r->arena);
        space_store(r->arena, 0);
        space_store(other, 0);
        VM_WAIT(r->vm, space_load(other), "writes where the vIOMMU says");
        g_assert_cmphex(space_load(r->arena), ==, 0);
        veu_space_map(&s.space, space_arena(&s), third, SPACE_PAGE_BYTES,
                      SPACE_BOTH);
        veu_space_invalidate(&s.space, space_arena(&s), 0);
        space_store(other, 0);
        space_store(third, 0);
        VM_WAIT(r->vm, space_load(third), "writes where the tables say");
        g_assert_cmphex(space_load(other), ==, 0);
        iommu_map(r->vm, r->arena, r->arena, IOMMU_BOTH);
        iommu_invalidate(r->vm, IOMMU_PAGE, r->arena);
        veu_space_map(&s.space, space_arena(&s), r->arena, SPACE_PAGE_BYTES,
                      SPACE_BOTH);
        veu_space_invalidate(&s.space, space_arena(&s), 0);
    }
}

/* What the device has read there once, it must not find again. */
static void test_loads_in_tables_and_iommu(const char *accel)
{
    g_autoptr(Rig) r = new_rig_with_iommu(accel);
    struct veu_command_dispatch load;
    uint8_t *pages[2] = { r->arena };
    Space s;

    vm_run(r->vm);
    space_init(&s, r, false);
    pages[1] = space_spare_page(&s);
    space_map(&s, r->arena, SPACE_PAGE_BYTES);
    load = space_make_load(r, space_arena(&s));
    rig_start(r);
    for (unsigned i = 0; i < 20; i++) {
        space_store(pages[i % 2], i);
        iommu_map(r->vm, r->arena, pages[i % 2], IOMMU_BOTH);
        iommu_invalidate(r->vm, IOMMU_PAGE, r->arena);
        for (unsigned times = 0; times < 3; times++) {
            rig_run(r, &load.header);
            g_assert_cmpuint(space_load(r->result), ==, i);
        }
    }
}

static void check_iommu_fault(const char *accel, bool of_table, uint32_t detail)
{
    g_autoptr(Rig) r = new_rig_with_iommu(accel);
    struct veu_fault_record record;
    Space s;

    vm_run(r->vm);
    space_init(&s, r, true);
    space_map(&s, r->arena, SPACE_PAGE_BYTES);
    rig_start(r);
    iommu_map(r->vm, of_table ? (uint8_t *)s.space.root : r->arena, NULL,
              IOMMU_NONE);
    iommu_invalidate(r->vm, IOMMU_GLOBAL, NULL);
    space_put_fill(&s);
    rig_wait_state(r, VEU_RING_HALTED);
    g_assert_true(veu_ring_read_fault(&r->ring, &record));
    g_assert_cmpuint(record.code, ==, VEU_FAULT_COMMAND_MEMORY);
    g_assert_cmphex(record.address, ==, space_arena(&s));
    g_assert_cmphex(record.detail, ==, detail);
    g_assert_cmpuint(queue_tail(&s), ==, 0);
}

/*
 * A driver cannot correct this in the tables, so it is a fault, not a request.
 */
static void test_a_page_that_the_iommu_refuses(const char *accel)
{
    check_iommu_fault(accel, false, VEU_WALK_PAGE_MEMORY);
}

static void test_a_table_that_the_iommu_refuses(const char *accel)
{
    check_iommu_fault(accel, true, VEU_WALK_TABLE_MEMORY | 4 << 8);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("a-function-level-reset", test_a_function_level_reset);
    rig_test_add("a-reset-by-register", test_a_reset_by_register);
    rig_test_add("a-sleep-in-d3hot", test_a_sleep_in_d3hot);
    rig_test_add_both("an-unplug", test_an_unplug);
    rig_test_add_both("a-snapshot", test_a_snapshot);
    rig_test_add_both("a-move", test_a_move);
    rig_test_add("a-pause", test_a_pause);
    rig_test_add("pages-move-in-tables-and-iommu",
                 test_pages_move_in_tables_and_iommu);
    rig_test_add("loads-in-tables-and-iommu", test_loads_in_tables_and_iommu);
    rig_test_add("a-page-that-the-iommu-refuses",
                 test_a_page_that_the_iommu_refuses);
    rig_test_add("a-table-that-the-iommu-refuses",
                 test_a_table_that_the_iommu_refuses);
    return g_test_run();
}
