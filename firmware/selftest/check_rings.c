/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Waits, copies and fills; two rings that wait for each other.
 */
#include "checks.h"
#include "veu_space.h"

#define ROUNDS     20
#define TIMEOUT_NS 5000000

static void wait_for_the_processor(struct bench *b)
{
    struct veu_command_wait wait = veu_make_wait(1, b->fence,
                                                 VEU_CONDITION_EQUAL, 7);
    uint32_t before = veu_ring_head(&b->ring);
    bool early;

    report_begin("a ring waits for a store of the processor");
    *b->fence = 6;
    bench_put(b, &wait.header);
    veu_ring_submit(&b->ring);
    early = veu_ring_wait(&b->ring, TIMEOUT_NS) == VEU_OK;
    *b->fence = 7;
    veu_ring_notify(&b->ring);
    report_result(!early && veu_ring_wait(&b->ring, BENCH_TIMEOUT_NS) == VEU_OK,
                  "it continued %s", early ? "too early" : "never");
    if (veu_ring_head(&b->ring) == before) {
        bench_start_ring(b, VEU_POLICY_HALT);
    }
}

static void wait_in_vain(struct bench *b)
{
    struct veu_command_wait wait = veu_make_wait(1, b->fence,
                                                 VEU_CONDITION_NOT_EQUAL, 0);
    uint64_t start = veu_time(&b->device);

    report_begin("a wait ends when its time is up");
    *b->fence = 0;
    wait.timeout_ns = TIMEOUT_NS;
    report_result(bench_run(b, &wait.header) == VEU_FAULTED &&
                      b->fault.code == VEU_FAULT_WAIT_TIMEOUT &&
                      b->fault.time >= start + TIMEOUT_NS,
                  "fault %s after %lu ns", veu_fault_name(b->fault.code),
                  b->fault.time - start);
}

static void copy_and_fill(struct bench *b)
{
    uint8_t *half = b->arena + BENCH_ARENA_BYTES / 2;
    struct veu_command_fill fill = veu_make_fill(1, b->arena + 1,
                                                 0x0807060504030201, 5000);
    struct veu_command_copy copy = veu_make_copy(1, half, b->arena + 1, 5000);
    unsigned wrong = 0;

    report_begin("a fill, and a copy of it");
    for (unsigned i = 0; i < BENCH_ARENA_BYTES; i++) {
        b->arena[i] = 0xee;
    }
    bench_run(b, &fill.header);
    bench_run(b, &copy.header);
    for (unsigned i = 0; i < 5000; i++) {
        wrong += b->arena[1 + i] != i % 8 + 1 || half[i] != i % 8 + 1;
    }
    report_result(!wrong && b->arena[0] == 0xee && half[5000] == 0xee,
                  "%u bytes are wrong", wrong);
}

/* A second ring, whose memory belongs to the device until that is reset. */
static bool start_second(struct bench *b, struct veu_ring *ring,
                         uint32_t context)
{
    struct veu_ring_config config = {
        .number = 1,
        .context = context,
        .vector = VEU_NO_VECTOR,
        .slots = machine_alloc(BENCH_SLOTS * VEU_SLOT_BYTES, 4096),
        .slot_count = BENCH_SLOTS,
        .shared = machine_alloc(sizeof(struct veu_ring_shared), 64),
    };

    return veu_ring_start(ring, &b->device, &config) == VEU_OK;
}

/* The ring waits for @value and stores the next one. */
static void put_round(struct bench *b, struct veu_ring *ring, uint64_t value)
{
    struct veu_command_wait wait = veu_make_wait(1, b->fence,
                                                 VEU_CONDITION_EQUAL, value);
    struct veu_command_fence fence = veu_make_fence(1, b->fence, value + 1);

    veu_ring_put(ring, &wait.header);
    veu_ring_put(ring, &fence.header);
    veu_ring_submit(ring);
}

static void two_rings(struct bench *b)
{
    struct veu_ring second;

    report_begin("two rings wait for each other's fences");
    if (b->device.limits.rings < 2) {
        report_skip("the device has one ring");
        return;
    }
    if (!start_second(b, &second, 0)) {
        report_result(false, "ring 1 cannot be started");
        return;
    }
    *b->fence = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        put_round(b, &second, 2 * i + 1);
        put_round(b, &b->ring, 2 * i);
    }
    report_result(veu_ring_wait(&second, BENCH_TIMEOUT_NS) == VEU_OK &&
                      veu_ring_wait(&b->ring, BENCH_TIMEOUT_NS) == VEU_OK &&
                      *b->fence == 2 * ROUNDS,
                  "they have come to %lu", *b->fence);
    veu_ring_stop(&second, BENCH_TIMEOUT_NS);
}

#define HANDLE 9

static bool load_and_forget(struct bench *b, uint32_t program_bytes)
{
    struct veu_command_load load = veu_make_load(0, b->program, program_bytes,
                                                 16, HANDLE);
    bool loaded = bench_run(b, &load.header) == VEU_OK;

    __builtin_memset(b->program, 0, program_bytes);
    return loaded;
}

/* The device has its own copy of a loaded program. */
static void loaded_program(struct bench *b)
{
    struct veu_program program;
    struct veu_command_dispatch command;
    struct veu_command_unload unload = veu_make_unload(0, HANDLE);
    volatile uint32_t *word = (uint32_t *)b->arena;
    uint32_t data, bytes, wrong = 0;

    report_begin("a program that stays: loaded, run twice, unloaded");
    veu_program_begin(&program, b->program, BENCH_PROGRAM_BYTES, 32);
    data = veu_program_variable(&program, VEU_TYPE_UD, 16);
    veu_encode_gather(&program.code, 4, veu_m(1, 16), T6, veu_ud(0),
                      veu_v(data), veu_v(data));
    bytes = veu_program_end(&program);
    command = veu_make_dispatch(0, b->program, bytes, 16);
    veu_dispatch_loaded(&command, HANDLE);
    b->surfaces[0] = veu_surface_raw(b->arena, 64);
    veu_launch_surfaces(&command.launch, b->surfaces, 1);
    veu_launch_result(&command.launch, b->result, 0, 64);
    wrong += !load_and_forget(b, bytes);
    for (uint32_t value = 1; value < 3; value++) {
        *word = value;
        wrong += bench_run(b, &command.header) != VEU_OK ||
                 *(uint32_t *)b->result != value;
    }
    wrong += bench_run(b, &unload.header) != VEU_OK;
    report_result(!wrong, "%u commands are wrong", wrong);
}

#define PAGE_BYTES 4096
#define PROCESS    1
#define VIRTUAL    UINT64_C(0x123456789000)

/* Ring 1 stores @value to the page that the process has mapped there. */
static bool store_through(struct veu_ring *ring, uint64_t value)
{
    struct veu_command_fence fence = veu_make_fence(1, NULL, value);

    fence.address = VIRTUAL;
    veu_ring_put(ring, &fence.header);
    veu_ring_submit(ring);
    return veu_ring_wait(ring, BENCH_TIMEOUT_NS) == VEU_OK;
}

/* The driver's ring moves the process's page without the processor. */
static bool move_page(struct bench *b, uint64_t *entry, const void *page)
{
    struct veu_command_fence fence =
        veu_make_fence(1, entry,
                       veu_port_device_address(page) | VEU_PAGE_VALID |
                           VEU_PAGE_READ | VEU_PAGE_WRITE);
    struct veu_command_invalidate invalidate = veu_make_invalidate(1, PROCESS,
                                                                   VIRTUAL, 0);

    return bench_run(b, &fence.header) == VEU_OK &&
           bench_run(b, &invalidate.header) == VEU_OK;
}

static bool start_process(struct bench *b, struct veu_space *space,
                          struct veu_ring *ring, const void *page)
{
    struct veu_space_config config = { .context = PROCESS,
                                       .alloc = machine_alloc_page,
                                       .vector = VEU_NO_VECTOR };

    return veu_space_start(space, &b->device, &config) == VEU_OK &&
           veu_space_map(space, VIRTUAL, page, PAGE_BYTES,
                         VEU_PAGE_READ | VEU_PAGE_WRITE) == VEU_OK &&
           start_second(b, ring, PROCESS);
}

static void invalidate(struct bench *b)
{
    uint64_t *from = machine_alloc(PAGE_BYTES, PAGE_BYTES);
    uint64_t *to = machine_alloc(PAGE_BYTES, PAGE_BYTES);
    struct veu_space space;
    struct veu_ring ring;

    report_begin("a ring moves a page of another one's process");
    if (b->device.limits.rings < 2) {
        report_skip("the device has one ring");
        return;
    }
    if (!start_process(b, &space, &ring, from)) {
        report_result(false, "ring 1 cannot be started");
        return;
    }
    report_result(store_through(&ring, 1) &&
                      move_page(b, veu_space_entry(&space, VIRTUAL, 1), to) &&
                      store_through(&ring, 2) && *from == 1 && *to == 2,
                  "the pages have %lu and %lu", *from, *to);
    veu_ring_stop(&ring, BENCH_TIMEOUT_NS);
}

void check_rings(struct bench *b)
{
    report_section("waits, copies, several rings");
    wait_for_the_processor(b);
    wait_in_vain(b);
    copy_and_fill(b);
    two_rings(b);
    loaded_program(b);
    invalidate(b);
}
