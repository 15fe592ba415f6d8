/*
 * veu device tests: resets and unplug at each stop point of work that pages on
 * demand, with requests open: docs/spec.md, sections 1.3, 3.5 and 11.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A stop point is the number of groups of requests that have had a response.
 * The device has either stopped there, because the next group needs one, or
 * has just got the response and is at work.
 */
#include <string.h>
#include "tests/device/resets.h"
#include "tests/device/slot.h"
#include "tests/device/space.h"
#include "tests/device/work.h"

#define GROUPS 64

/* Pages of the arena, past those that groups write. */
#define SOURCE     (r->arena + 0x20000)
#define COPY       (r->arena + 0x30004)
#define COPY_BYTES 0x3000
#define FILL       (r->arena + 0x40ff8)
#define WORD       ((uint64_t *)(r->arena + 0x50000))
#define TIME       ((uint64_t *)(r->arena + 0x60000))

#define FENCE_VALUE 0xfe7ce

/* ---- the work, of which nothing is mapped ---- */

static void clear_memory(const Rig *r)
{
    memset(r->arena, 0, RIG_ARENA_BYTES);
    memset(r->result, 0, GROUPS * 32);
    *r->fence = 0;
}

static void put_work(Rig *r)
{
    struct veu_command_dispatch dispatch;
    struct veu_command_copy copy = veu_make_copy(2, COPY, SOURCE, COPY_BYTES);
    struct veu_command_fill fill = veu_make_fill(3, FILL, SPACE_FILLED, 16);
    struct veu_command_wait wait = veu_make_wait(4, WORD, VEU_CONDITION_EQUAL,
                                                 1);
    struct veu_command_timestamp time = veu_make_timestamp(5, TIME);
    struct veu_command_fence fence = veu_make_fence(6, r->fence, FENCE_VALUE);

    work_make(r, &dispatch);
    dispatch.launch.groups = GROUPS;
    memset(SOURCE, 0x5c, COPY_BYTES);
    *WORD = 1;
    rig_put(r, &dispatch.header);
    rig_put(r, &copy.header);
    rig_put(r, &fill.header);
    rig_put(r, &wait.header);
    rig_put(r, &time.header);
    rig_put(r, &fence.header);
    rig_submit(r);
}

static bool is_done(const Rig *r)
{
    return veu_ring_head(&r->ring) == r->ring.tail;
}

static void assert_work_is_done(Rig *r)
{
    rig_wait(r);
    work_assert_groups_done(r, GROUPS);
    g_assert_cmpmem(COPY, COPY_BYTES, SOURCE, COPY_BYTES);
    g_assert_cmphex(*(uint64_t *)FILL, ==, SPACE_FILLED);
    g_assert_cmphex(*(uint64_t *)(FILL + 8), ==, SPACE_FILLED);
    g_assert_cmphex(*TIME, !=, 0);
    g_assert_cmphex(*r->fence, ==, FENCE_VALUE);
}

static void start_work(Space *s, Rig *r)
{
    clear_memory(r);
    space_init_empty(s, r, true);
    rig_start(r);
    put_work(r);
}

/* ---- the driver ---- */

static uint32_t queue_tail(const Space *s)
{
    return __atomic_load_n(&s->space.config.queue->tail, __ATOMIC_ACQUIRE);
}

static void map_page(Space *s, uint64_t address)
{
    uint8_t *page = s->rig->arena + (int64_t)(address - space_arena(s));

    g_assert_true(page >= s->rig->slots &&
                  page < s->rig->arena + RIG_ARENA_BYTES);
    space_map(s, page, SPACE_PAGE_BYTES);
}

static void respond(Space *s, uint32_t id)
{
    veu_write64(s->space.device,
                veu_context_register(s->space.config.context,
                                     VEU_REG_CONTEXT_RESPONSE),
                id);
}

static void wait_for_request(Space *s)
{
    VM_WAIT(s->rig->vm, is_done(s->rig) || queue_tail(s) != s->space.head,
            "a request or the end of the work");
}

/* Waits for a group, maps its pages and responds; other groups stay open. */
static bool serve_group(Space *s)
{
    const struct veu_request *records = (const void *)(s->space.config.queue +
                                                       1);
    struct veu_request r;

    wait_for_request(s);
    if (is_done(s->rig)) {
        return false;
    }
    do {
        r = records[s->space.head++ % s->space.config.records];
        map_page(s, r.address);
    } while (!(r.flags & VEU_REQUEST_LAST));
    __atomic_store_n(&s->space.config.queue->head, s->space.head,
                     __ATOMIC_RELEASE);
    respond(s, r.id);
    return true;
}

/* Serves @stop_point groups. Returns false if the work ends earlier. */
static bool run_to(Space *s, unsigned stop_point, bool settles)
{
    for (unsigned i = 0; i < stop_point; i++) {
        if (!serve_group(s)) {
            return false;
        }
    }
    if (settles) {
        wait_for_request(s);
    }
    return true;
}

/* ---- invariants after a stop ---- */

/* Copies all memory that the device could name, from the ring's slots on. */
static uint8_t *copy_memory(const Rig *r, size_t *bytes)
{
    *bytes = r->arena + RIG_ARENA_BYTES - r->slots;
    return g_memdup2(r->slots, *bytes);
}

static void assert_memory_stays(const Rig *r)
{
    size_t bytes;
    g_autofree uint8_t *before = copy_memory(r, &bytes);

    g_usleep(2000);
    g_assert_cmpmem(r->slots, bytes, before, bytes);
}

/* A late driver responds to ids that were open, and to some that never were. */
static void respond_late(Space *s)
{
    for (uint32_t id = 0; id < 4 * GROUPS; id++) {
        respond(s, id);
    }
}

/* The new driver knows nothing about the last one; its ids start at 0. */
static void repeat_work(Rig *r)
{
    const struct veu_request *first;
    Space s;

    start_work(&s, r);
    while (serve_group(&s)) {}
    first = (const struct veu_request *)(s.space.config.queue + 1);
    g_assert_cmpuint(first->id, ==, 0);
    g_assert_cmpuint(first->asked, ==, 1);
    assert_work_is_done(r);
}

/* ---- resets ---- */

static bool check_reset(Rig *r, unsigned stop_point, bool settles,
                        void (*reset)(Rig *r))
{
    bool more;
    Space s;

    start_work(&s, r);
    more = run_to(&s, stop_point, settles);
    reset(r);
    assert_memory_stays(r);
    rig_reopen_pci(r);
    rig_assert_reset_values(r);
    respond_late(&s);
    assert_memory_stays(r);
    rig_open(r);
    repeat_work(r);
    return more;
}

static void check_resets(const char *accel, const char *arguments,
                         void (*reset)(Rig *r))
{
    g_autoptr(Rig) r = rig_new(accel, arguments);
    unsigned stop_point = 0;

    vm_run(r->vm);
    while (check_reset(r, stop_point, true, reset)) {
        check_reset(r, stop_point, false, reset);
        stop_point++;
    }
    g_test_message("%u stop points", stop_point);
    g_assert_cmpuint(stop_point, >, 15);
}

static void test_a_function_level_reset(const char *accel)
{
    check_resets(accel, RIG_Q35, reset_function);
}

static void test_a_function_level_reset_with_workers(const char *accel)
{
    check_resets(accel, RIG_Q35 ",workers=3", reset_function);
}

static void test_a_sleep_in_d3hot(const char *accel)
{
    check_resets(accel, RIG_Q35, reset_power);
}

static void test_a_reset_by_register(const char *accel)
{
    check_resets(accel, RIG_Q35, reset_control);
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

/* Afterwards @r is a new device. */
static bool check_unplug(Rig **r, unsigned stop_point, bool settles)
{
    Vm *vm = (*r)->vm;
    bool more;
    Space s;

    start_work(&s, *r);
    more = run_to(&s, stop_point, settles);
    slot_unplug(vm);
    assert_memory_stays(*r);
    rig_free(*r);
    *r = plug(vm);
    repeat_work(*r);
    return more;
}

static void test_an_unplug(const char *accel)
{
    Vm *vm = vm_new(accel, "-M q35 " SLOT_PORT);
    unsigned stop_point = 0;
    Rig *r;

    port_use(vm);
    rig_set_up_bridge(vm, 2);
    vm_run(vm);
    r = plug(vm);
    while (check_unplug(&r, stop_point, true)) {
        check_unplug(&r, stop_point, false);
        stop_point++;
    }
    g_test_message("%u stop points", stop_point);
    g_assert_cmpuint(stop_point, >, 15);
    rig_free(r);
    vm_free(vm);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("a-function-level-reset", test_a_function_level_reset);
    rig_test_add("a-function-level-reset-with-workers",
                 test_a_function_level_reset_with_workers);
    rig_test_add("a-sleep-in-d3hot", test_a_sleep_in_d3hot);
    rig_test_add("a-reset-by-register", test_a_reset_by_register);
    rig_test_add("an-unplug", test_an_unplug);
    return g_test_run();
}
