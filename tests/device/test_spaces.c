/*
 * veu device tests: contexts of type 3: pages that move under running work,
 * and requests for pages: docs/spec.md, sections 3.4 to 3.6.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>
#include "tests/device/move.h"
#include "tests/device/space.h"

#define ROUNDS 200

/* Maps the arena's first page to @page; afterwards nothing writes to @old. */
static void move_page(Space *w, const uint8_t *page)
{
    veu_space_map(&w->space, space_arena(w), page, SPACE_PAGE_BYTES,
                  SPACE_BOTH);
    veu_space_invalidate(&w->space, space_arena(w), 0);
}

static void check_moves(Space *w, unsigned rounds)
{
    uint8_t *pages[] = { w->rig->arena, space_spare_page(w),
                         space_spare_page(w) };

    for (unsigned i = 1; i <= rounds; i++) {
        uint8_t *old = pages[(i - 1) % 3];
        uint8_t *page = pages[i % 3];

        space_store(page, 0);
        move_page(w, page);
        space_store(old, 0);
        VM_WAIT(w->rig->vm, space_load(page),
                "writes to the page in its new place");
        g_assert_cmphex(space_load(old), ==, 0);
    }
}

static void check_pages_move(const char *accel, const char *machine)
{
    g_autoptr(Rig) r = rig_new(accel, machine);
    Space w;

    vm_run(r->vm);
    space_init(&w, r, false);
    space_map(&w, r->arena, SPACE_PAGE_BYTES);
    rig_start(r);
    rig_run_endless(r);
    check_moves(&w, ROUNDS);
}

static void test_pages_move_under_work(const char *accel)
{
    check_pages_move(accel, RIG_Q35);
}

static void test_pages_move_under_workers(const char *accel)
{
    check_pages_move(accel, RIG_Q35 ",workers=3");
}

/* Walks of all workers replace entries all the time. */
static void test_pages_move_under_a_small_tlb(const char *accel)
{
    check_pages_move(accel, RIG_Q35 ",workers=3,x-tlb-entries=4");
}

static void test_pages_move_without_threads(const char *accel)
{
    check_pages_move(accel, RIG_Q35 ",deterministic=on");
}

static void test_an_unmapped_page_is_a_fault(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_fault_record record;
    Space w;

    space_init(&w, r, false);
    space_map(&w, r->arena, SPACE_PAGE_BYTES);
    rig_start(r);
    rig_run_endless(r);
    veu_space_unmap(&w.space, space_arena(&w), SPACE_PAGE_BYTES);
    space_store(r->arena, 0);
    rig_wait_state(r, VEU_RING_HALTED);
    g_assert_cmphex(space_load(r->arena), ==, 0);
    g_assert_true(veu_ring_read_fault(&r->ring, &record));
    g_assert_cmpuint(record.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmphex(record.address, ==, space_arena(&w));
    g_assert_cmphex(record.detail, ==, VEU_WALK_NOT_VALID | 1 << 8);
}

/* ---- requests ---- */

/*
 * Work that loses its page waits, and continues when the page is mapped again.
 */
static void check_requests(Rig *r, unsigned rounds)
{
    Space w;

    vm_run(r->vm);
    space_init(&w, r, true);
    space_map(&w, r->arena, SPACE_PAGE_BYTES);
    rig_start(r);
    rig_run_endless(r);
    for (unsigned i = 0; i < rounds; i++) {
        veu_space_unmap(&w.space, space_arena(&w), SPACE_PAGE_BYTES);
        space_store(r->arena, 0);
        space_wait_request(&w);
        g_assert_cmphex(space_load(r->arena), ==, 0);
        g_assert_cmpuint(veu_space_serve(&w.space, space_provide, &w), >, 0);
        VM_WAIT(r->vm, space_load(r->arena), "work to continue");
    }
}

static void test_work_waits_for_pages(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    check_requests(r, ROUNDS);
}

static void test_work_of_workers_waits_for_pages(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",workers=3");

    check_requests(r, ROUNDS);
}

static void test_work_without_threads_waits_for_pages(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",deterministic=on");

    check_requests(r, ROUNDS / 4);
}

/* An open request moves with its id. */
static void test_an_open_request_moves_along(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, RIG_Q35);
    Space w;
    Vm *vm;

    space_init(&w, from, true);
    rig_start(from);
    space_put_fill(&w);
    space_wait_request(&w);
    vm = move_vm(from->vm, accel, RIG_Q35);
    vm_run(vm);
    g_autoptr(Rig) to = rig_follow(from, vm);

    space_follow(&w, to);
    g_assert_cmpuint(veu_space_serve(&w.space, space_provide, &w), ==, 1);
    rig_wait(to);
    g_assert_cmphex(space_load(to->arena), ==, SPACE_FILLED);
}

/*
 * The entries of the tables get ACCESSED and DIRTY. Pages that are contiguous
 * only for the process go through the gate one by one.
 */
static void test_written_pages_arrive(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, RIG_Q35);
    g_autoptr(Rig) to = NULL;
    uint64_t address = veu_port_device_address(from->arena);
    struct veu_command_fill fill;
    Space w;

    vm_run(from->vm);
    space_init(&w, from, false);
    veu_write32(&from->device, veu_context_register(0, VEU_REG_CONTEXT_OPTIONS),
                VEU_CONTEXT_ACCESSED);
    for (unsigned i = 0; i < 8; i++) {
        veu_space_map(&w.space, address + i * SPACE_PAGE_BYTES,
                      from->arena + (7 - i) * SPACE_PAGE_BYTES,
                      SPACE_PAGE_BYTES, SPACE_BOTH);
    }
    rig_start(from);
    fill = veu_make_fill(1, from->arena + 77, 0x123456789abcdef,
                         7 * SPACE_PAGE_BYTES);
    rig_put(from, &fill.header);
    to = move_while_it_works(from, accel, RIG_Q35, rig_wait);
    g_assert_cmphex(space_load(to->arena + 7 * SPACE_PAGE_BYTES + 77), ==,
                    0x89abcdef);
}

/* A reset ends work that waits, and a response to it has no effect. */
static void test_a_reset_ends_work_that_waits(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    Space w;

    space_init(&w, r, true);
    rig_start(r);
    space_put_fill(&w);
    space_wait_request(&w);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    g_assert_cmpuint(veu_space_serve(&w.space, space_provide, &w), ==, 1);
    veu_reset(&r->device);
    rig_start(r);
    rig_assert_works(r);
}

/* ---- output of the monitor ---- */

/* Returns the answer to a command about the property "walk". */
static char *ask_walk(Rig *r, const char *command, const char *value)
{
    g_autofree char *arguments = g_strdup_printf(
        "{\"path\":\"/machine/peripheral/veu0\",\"property\":\"walk\"%s%s%s}",
        value ? ",\"value\":\"" : "", value ? value : "", value ? "\"" : "");

    return qmp_ask(&r->vm->qmp, command, arguments);
}

static char *get_walk(Rig *r, const char *value)
{
    g_autofree char *set = ask_walk(r, "qom-set", value);

    g_assert_null(strstr(set, "error"));
    return ask_walk(r, "qom-get", NULL);
}

static void assert_walk(Rig *r, const char *value, const char *expected)
{
    g_autofree char *got = get_walk(r, value);

    if (!strstr(got, expected)) {
        g_error("no %s in %s", expected, got);
    }
}

static void test_a_walk_can_be_inspected(const char *accel)
{
    static const char *const wrong[] = {
        "",     "0",    "0:",    ":1",           "x:1",
        "0:1x", "-1:0", "0:0:0", "4294967296:0", "0;1"
    };
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    g_autofree char *place = NULL, *decimal = NULL, *found = NULL;
    Space w;

    assert_walk(r, "0:0", "context 0 has no page tables");
    assert_walk(r, "77:0", "context 77 has no page tables");
    assert_walk(r, "0x4d:0", "context 77 has no page tables");
    space_init(&w, r, false);
    place = g_strdup_printf("0:0x%" PRIx64, space_arena(&w) + 5);
    decimal = g_strdup_printf("0:%" PRIu64, space_arena(&w) + 5);
    found = g_strdup_printf("\"dma-address\": \"0x%" PRIx64 "\"",
                            space_arena(&w) + 5);
    assert_walk(r, place, "\"reason\": \"NOT_VALID\"");
    space_map(&w, r->arena, SPACE_PAGE_BYTES);
    assert_walk(r, place, found);
    assert_walk(r, place, "\"permissions\": \"read, write\"");
    assert_walk(r, decimal, found);
    rig_start(r);
    rig_run_endless(r);
    assert_walk(r, place, "\"kept\": {");
    for (unsigned i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autofree char *answer = ask_walk(r, "qom-set", wrong[i]);

        g_assert_nonnull(strstr(answer, "invalid walk="));
    }
}

/* Returns whether a page that was loaded from is still in the TLB. */
static bool is_kept(const char *accel, const char *machine)
{
    g_autoptr(Rig) r = rig_new(accel, machine);
    g_autofree char *place = NULL, *walk = NULL;
    struct veu_command_dispatch load;
    Space w;

    space_init(&w, r, false);
    space_map(&w, r->arena, SPACE_PAGE_BYTES);
    load = space_make_load(r, space_arena(&w));
    rig_start(r);
    rig_run(r, &load.header);
    place = g_strdup_printf("0:%" PRIu64, space_arena(&w));
    walk = get_walk(r, place);
    return strstr(walk, "\"kept\"");
}

/* The write of the result needs the only entry. */
static void test_a_tlb_of_one_entry(const char *accel)
{
    g_assert_true(is_kept(accel, RIG_Q35));
    g_assert_false(is_kept(accel, RIG_Q35 ",x-tlb-entries=1"));
}

/* ---- PAUSE ---- */

static void test_a_paused_ring_writes_nothing(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    Space w;

    space_init(&w, r, false);
    space_map(&w, r->arena, SPACE_PAGE_BYTES);
    rig_start(r);
    rig_run_endless(r);
    for (unsigned i = 0; i < 4; i++) {
        rig_ring_write(r, VEU_REG_RING_CONTROL,
                       VEU_RING_ENABLE | VEU_RING_PAUSE);
        rig_ring_read(r, VEU_REG_RING_STATE);
        rig_assert_no_writes(r);
        rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
        rig_wait_writes(r);
    }
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("pages-move-under-work", test_pages_move_under_work);
    rig_test_add_both("pages-move-under-workers",
                      test_pages_move_under_workers);
    rig_test_add_both("pages-move-under-a-small-tlb",
                      test_pages_move_under_a_small_tlb);
    rig_test_add("pages-move-without-threads", test_pages_move_without_threads);
    rig_test_add_both("an-unmapped-page-is-a-fault",
                      test_an_unmapped_page_is_a_fault);
    rig_test_add_both("work-waits-for-pages", test_work_waits_for_pages);
    rig_test_add_both("work-of-workers-waits-for-pages",
                      test_work_of_workers_waits_for_pages);
    rig_test_add("work-without-threads-waits-for-pages",
                 test_work_without_threads_waits_for_pages);
    rig_test_add("an-open-request-moves-along",
                 test_an_open_request_moves_along);
    rig_test_add("written-pages-arrive", test_written_pages_arrive);
    rig_test_add("a-reset-ends-work-that-waits",
                 test_a_reset_ends_work_that_waits);
    rig_test_add_both("a-walk-can-be-inspected", test_a_walk_can_be_inspected);
    rig_test_add("a-tlb-of-one-entry", test_a_tlb_of_one_entry);
    rig_test_add_both("a-paused-ring-writes-nothing",
                      test_a_paused_ring_writes_nothing);
    return g_test_run();
}
