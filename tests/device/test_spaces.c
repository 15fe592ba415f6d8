/*
 * veu device tests: contexts of type 3: pages that move under running work,
 * and requests for pages: docs/spec.md, sections 3.4 to 3.6.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>
#include "tests/device/move.h"
#include "tests/device/rig.h"
#include "veu_space.h"

#define PAGE_BYTES 4096
#define BOTH       (VEU_PAGE_READ | VEU_PAGE_WRITE)
#define RECORDS    128
#define ROUNDS     200

/* The space of a rig: virtual addresses are DMA addresses. */
typedef struct World {
    Rig *rig;
    struct veu_space space;
    uint8_t *next; /* page of the arena that is free */
} World;

/* The arena's first page is what work writes to. */
static uint8_t *spare_page(World *w)
{
    uint8_t *page = w->next;

    w->next += PAGE_BYTES;
    g_assert_true(w->next <= w->rig->arena + RIG_ARENA_BYTES);
    memset(page, 0, PAGE_BYTES);
    return page;
}

static void *alloc_table(void *opaque)
{
    return spare_page(opaque);
}

static void *find_table(void *opaque, uint64_t address)
{
    World *w = opaque;

    return w->rig->arena + (address - veu_port_device_address(w->rig->arena));
}

static void map_memory(World *w, uint8_t *memory, uint64_t bytes)
{
    g_assert_cmpint(veu_space_map(&w->space, veu_port_device_address(memory),
                                  memory, bytes, BOTH),
                    ==, VEU_OK);
}

static void world_init(World *w, Rig *r, bool asks)
{
    struct veu_space_config config = {
        .alloc = alloc_table,
        .find = find_table,
        .opaque = w,
        .records = RECORDS,
        .vector = VEU_NO_VECTOR,
    };

    w->rig = r;
    w->next = r->arena + RIG_ARENA_BYTES / 2;
    if (asks) {
        config.queue = (void *)w->next;
        w->next += 4 * PAGE_BYTES;
    }
    g_assert_cmpint(veu_space_start(&w->space, &r->device, &config), ==,
                    VEU_OK);
    map_memory(w, r->program, RIG_PROGRAM_BYTES);
    map_memory(w, (uint8_t *)((uintptr_t)r->surfaces & -PAGE_BYTES),
               PAGE_BYTES);
    map_memory(w, (uint8_t *)((uintptr_t)r->fence & -PAGE_BYTES), PAGE_BYTES);
    map_memory(w, r->payload, RIG_PAYLOAD_BYTES);
    map_memory(w, r->result, RIG_RESULT_BYTES / 8);
}

static uint64_t arena_address(const World *w)
{
    return veu_port_device_address(w->rig->arena);
}

static uint32_t load(const uint8_t *memory)
{
    return __atomic_load_n((const uint32_t *)memory, __ATOMIC_ACQUIRE);
}

static void store(uint8_t *memory, uint32_t value)
{
    __atomic_store_n((uint32_t *)memory, value, __ATOMIC_SEQ_CST);
}

/* Maps the arena's first page to @page; from then on nothing writes @old. */
static void move_page(World *w, const uint8_t *page)
{
    veu_space_map(&w->space, arena_address(w), page, PAGE_BYTES, BOTH);
    veu_space_invalidate(&w->space, arena_address(w), 0);
}

static void check_moves(World *w, unsigned rounds)
{
    uint8_t *pages[] = { w->rig->arena, spare_page(w), spare_page(w) };

    for (unsigned i = 1; i <= rounds; i++) {
        uint8_t *old = pages[(i - 1) % 3];
        uint8_t *page = pages[i % 3];

        store(page, 0);
        move_page(w, page);
        store(old, 0);
        VM_WAIT(w->rig->vm, load(page), "writes to the page in its new place");
        g_assert_cmphex(load(old), ==, 0);
    }
}

static void check_pages_move(const char *accel, const char *machine)
{
    g_autoptr(Rig) r = rig_new(accel, machine);
    World w;

    vm_run(r->vm);
    world_init(&w, r, false);
    map_memory(&w, r->arena, PAGE_BYTES);
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

/* Entries are replaced all the time, by walks of all workers. */
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
    World w;

    world_init(&w, r, false);
    map_memory(&w, r->arena, PAGE_BYTES);
    rig_start(r);
    rig_run_endless(r);
    veu_space_unmap(&w.space, arena_address(&w), PAGE_BYTES);
    store(r->arena, 0);
    rig_wait_state(r, VEU_RING_HALTED);
    g_assert_cmphex(load(r->arena), ==, 0);
    g_assert_true(veu_ring_read_fault(&r->ring, &record));
    g_assert_cmpuint(record.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmphex(record.address, ==, arena_address(&w));
    g_assert_cmphex(record.detail, ==, VEU_WALK_NOT_VALID | 1 << 8);
}

/* ---- requests ---- */

static bool provide(void *opaque, const struct veu_request *request)
{
    World *w = opaque;

    return request->address == arena_address(w) &&
           veu_space_map(&w->space, request->address, w->rig->arena, PAGE_BYTES,
                         BOTH) == VEU_OK;
}

static void wait_request(World *w)
{
    VM_WAIT(w->rig->vm,
            __atomic_load_n(&w->space.config.queue->tail, __ATOMIC_ACQUIRE) !=
                w->space.head,
            "a request");
}

/* Work that lost its page waits, and continues when it is there again. */
static void check_requests(Rig *r, unsigned rounds)
{
    World w;

    vm_run(r->vm);
    world_init(&w, r, true);
    map_memory(&w, r->arena, PAGE_BYTES);
    rig_start(r);
    rig_run_endless(r);
    for (unsigned i = 0; i < rounds; i++) {
        veu_space_unmap(&w.space, arena_address(&w), PAGE_BYTES);
        store(r->arena, 0);
        wait_request(&w);
        g_assert_cmphex(load(r->arena), ==, 0);
        g_assert_cmpuint(veu_space_serve(&w.space, provide, &w), >, 0);
        VM_WAIT(r->vm, load(r->arena), "work to continue");
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

/* An open request moves along, with its id. */
static void test_an_open_request_moves_along(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, RIG_Q35);
    World w;
    Vm *vm;

    world_init(&w, from, true);
    rig_start(from);
    rig_put(from,
            &(struct veu_command_fill){
                .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
                .pattern = 0x77,
                .destination = arena_address(&w),
                .bytes = 64 }
                 .header);
    rig_submit(from);
    wait_request(&w);
    vm = move_vm(from->vm, accel, RIG_Q35);
    vm_run(vm);
    g_autoptr(Rig) to = rig_follow(from, vm);

    w.rig = to;
    w.next = to->arena + (w.next - from->arena);
    w.space.device = &to->device;
    w.space.root = (void *)(to->arena +
                            ((uint8_t *)w.space.root - from->arena));
    w.space.config.queue =
        (void *)(to->arena + ((uint8_t *)w.space.config.queue - from->arena));
    g_assert_cmpuint(veu_space_serve(&w.space, provide, &w), ==, 1);
    rig_wait(to);
    g_assert_cmphex(load(to->arena), ==, 0x77);
}

/* A reset ends work that waits, and its response means nothing. */
static void test_a_reset_ends_work_that_waits(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    World w;

    world_init(&w, r, true);
    rig_start(r);
    rig_put(r,
            &(struct veu_command_fill){
                .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
                .destination = arena_address(&w),
                .bytes = 64 }
                 .header);
    rig_submit(r);
    wait_request(&w);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    g_assert_cmpuint(veu_space_serve(&w.space, provide, &w), ==, 1);
    veu_reset(&r->device);
    rig_start(r);
    rig_assert_works(r);
}

/* ---- what the monitor shows ---- */

/* The answer to a command about property "walk". */
static char *ask_walk(Rig *r, const char *command, const char *value)
{
    g_autofree char *arguments = g_strdup_printf(
        "{\"path\":\"/machine/peripheral/veu0\",\"property\":\"walk\"%s%s%s}",
        value ? ",\"value\":\"" : "", value ? value : "", value ? "\"" : "");

    return qmp_ask(&r->vm->qmp, command, arguments);
}

static void assert_walk(Rig *r, const char *value, const char *expected)
{
    g_autofree char *set = ask_walk(r, "qom-set", value);
    g_autofree char *got = ask_walk(r, "qom-get", NULL);

    g_assert_null(strstr(set, "error"));
    if (!strstr(got, expected)) {
        g_error("no %s in %s", expected, got);
    }
}

static void test_a_walk_can_be_inspected(const char *accel)
{
    static const char *const wrong[] = { "", "0", "0:", ":1", "x:1", "0:1x",
                                         "-1:0", "0:0:0", "4294967296:0" };
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    g_autofree char *place = NULL, *found = NULL;
    World w;

    assert_walk(r, "0:0", "context 0 has no page tables");
    assert_walk(r, "77:0", "context 77 has no page tables");
    world_init(&w, r, false);
    place = g_strdup_printf("0:0x%" PRIx64, arena_address(&w) + 5);
    found = g_strdup_printf("\"dma-address\": \"0x%" PRIx64 "\"",
                            arena_address(&w) + 5);
    assert_walk(r, place, "\"reason\": \"NOT_VALID\"");
    map_memory(&w, r->arena, PAGE_BYTES);
    assert_walk(r, place, found);
    assert_walk(r, place, "\"permissions\": \"read, write\"");
    rig_start(r);
    rig_run_endless(r);
    assert_walk(r, place, "\"kept\": {");
    for (unsigned i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autofree char *answer = ask_walk(r, "qom-set", wrong[i]);

        g_assert_nonnull(strstr(answer, "invalid walk="));
    }
}

/* ---- PAUSE ---- */

static void test_a_paused_ring_writes_nothing(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    World w;

    world_init(&w, r, false);
    map_memory(&w, r->arena, PAGE_BYTES);
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
    rig_test_add("a-reset-ends-work-that-waits",
                 test_a_reset_ends_work_that_waits);
    rig_test_add_both("a-walk-can-be-inspected", test_a_walk_can_be_inspected);
    rig_test_add_both("a-paused-ring-writes-nothing",
                      test_a_paused_ring_writes_nothing);
    return g_test_run();
}
