/*
 * veu unit tests: launches and EU threads, as a host sees them that records or
 * debugs them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/group.h"
#include "hw/veu/device/host/capture.h"
#include "hw/veu/device/model.h"
#include "launch.h"
#include "requests.h"
#include "tests/lib/kernel_builder.h"

#define HANDLE 7

static VeuRing *ring_of(Dev *d)
{
    return &d->device->ring[0];
}

static VeuLaunchView view_of(Dev *d)
{
    VeuLaunchView view;

    g_assert_true(veu_device_view_launch(d->device, 0, &view));
    return view;
}

/* Steps until the launch is in this phase. */
static void step_to(Dev *d, VeuLaunchPhase phase)
{
    do {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    } while (!ring_of(d)->command.begun || ring_of(d)->launch->phase != phase);
}

/* A dispatch of two groups of two EU threads with two messages. */
static struct veu_command_dispatch two_messages(Dev *d)
{
    TestMessage m = store(0);
    struct veu_command_dispatch c;

    test_program_init(&d->program);
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_add(&d->program, &m);
    test_program_add(&d->program, &m);
    c = dispatch(d);
    c.launch.groups = 2;
    c.launch.threads = 2;
    return c;
}

/* ---- launches ---- */

static void test_memory_of_the_ring(void)
{
    TestTables t;
    g_autoptr(Dev) plain = dev_running();
    g_autoptr(Dev) asking = make_asking(&t);
    Dev *const both[] = { plain, asking };

    dev_enable(asking);
    for (unsigned i = 0; i < G_N_ELEMENTS(both); i++) {
        struct veu_command_dispatch c = two_messages(both[i]);
        VeuLaunchView view;

        DEV_PUSH(both[i], c);
        dev_step(both[i], 1);
        view = view_of(both[i]);
        g_assert_cmphex(view.own[0].address, ==, DEV_SHARED);
        g_assert_cmpuint(view.own[0].bytes, ==, sizeof(struct veu_ring_shared));
        g_assert_cmphex(view.own[1].address, ==, DEV_FAULTS);
        g_assert_cmpuint(view.own[1].bytes, ==,
                         DEV_RECORDS * sizeof(struct veu_fault_record));
        g_assert_cmphex(view.own[2].address, ==, i ? QUEUE : 0);
        g_assert_cmpuint(view.own[2].bytes, ==,
                         i ? sizeof(struct veu_request_queue) +
                                 RECORDS * sizeof(struct veu_request) :
                             0);
    }
}

/* A launch before it has left a program that was copied. */
static void test_a_program_is_there_once_it_is_copied(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_dispatch c = two_messages(d);

    RUN(d, c);
    DEV_PUSH(d, c);
    dev_step(d, 1);
    g_assert_false(ring_of(d)->command.begun);
    g_assert_null(view_of(d).code);
    step_to(d, VEU_LAUNCH_COPY);
    g_assert_null(view_of(d).code);
    step_to(d, VEU_LAUNCH_RUN);
    g_assert_true(view_of(d).code == ring_of(d)->launch->code);
    g_assert_cmpuint(view_of(d).code_bytes, ==, c.launch.code_bytes);
}

static struct veu_command_kernel make_items(Dev *d)
{
    Code code = kernel_items();

    return kernel_command(d, &code, (uint32_t[]){ 2, 1, 1 });
}

/*
 * Its handle was given to another program meanwhile; a handle whose program is
 * not loaded yet has none.
 */
static void test_the_program_of_a_handle(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel c = make_items(d);
    struct veu_command_kernel run = kernel_loaded(&c, HANDLE);
    struct veu_command_load load = kernel_load(&c, HANDLE);
    VeuLoaded *l = d->device->programs.loaded;

    RUN(d, load);
    DEV_PUSH(d, run);
    step_to(d, VEU_LAUNCH_RUN);
    g_assert_true(view_of(d).code == l->code);
    l[1] = l[0];
    l[1].code++;
    l->state = VEU_LOADED_GONE;
    g_assert_true(view_of(d).code == l->code);
    l[1].state = VEU_LOADED_FREE;
    l->state = VEU_LOADED_READY;
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    DEV_PUSH(d, run);
    dev_step(d, 1);
    g_assert_true(view_of(d).code == l->code);
    l->state = VEU_LOADED_DECODE;
    g_assert_null(view_of(d).code);
    l->state = VEU_LOADED_READY;
}

/* The table's entry changes, and nothing else tells the device. */
static void test_memory_is_forgotten(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_memory_put32(&d->host.memory, DEV_DATA, 1);
    test_memory_put32(&d->host.memory, SPARE_PAGE, 2);
    dev_enable(d);
    push_copy(d, VA(DEV_DATA), VA(DEV_FENCE), 8);
    g_assert_cmpuint(get32(d, DEV_FENCE), ==, 1);
    test_tables_map(&t, VA(DEV_DATA), SPARE_PAGE, ALL);
    push_copy(d, VA(DEV_DATA), VA(DEV_FENCE), 8);
    g_assert_cmpuint(get32(d, DEV_FENCE), ==, 1);
    veu_device_forget_memory(d->device, 0);
    push_copy(d, VA(DEV_DATA), VA(DEV_FENCE), 8);
    g_assert_cmpuint(get32(d, DEV_FENCE), ==, 2);
}

/* ---- EU threads ---- */

typedef struct Seen {
    unsigned count;
    VeuThreadView last;
} Seen;

static void see(void *opaque, const VeuThreadView *view)
{
    Seen *seen = opaque;

    seen->count++;
    seen->last = *view;
}

static Seen see_threads(Dev *d)
{
    Seen seen = { 0 };

    veu_device_view_threads(d->device, 0, see, &seen);
    return seen;
}

static void test_eu_threads_of_messages(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_dispatch c = two_messages(d);
    const VeuLaunch *l = ring_of(d)->launch;
    unsigned in_last = 0;

    DEV_PUSH(d, c);
    while (dev_step(d, 1) == VEU_STEP_MORE) {
        const VeuSlice *s = &l->slice[0];
        Seen seen = see_threads(d);

        if (seen.count) {
            g_assert_cmpuint(seen.count, ==, 1);
            g_assert_cmpuint(seen.last.number, ==,
                             2 * seen.last.group + seen.last.thread);
            g_assert_cmphex(seen.last.offset, ==,
                            s->message < 2 ?
                                l->program->messages[s->message].offset :
                                VEU_FAULT_NOT_APPLICABLE);
            in_last += seen.last.number == 3;
        }
    }
    g_assert_cmpuint(in_last, ==, 3);
}

/* What a launch that was reset has left is not seen. */
static void test_eu_threads_of_before(void)
{
    for (unsigned kernel = 0; kernel < 2; kernel++) {
        g_autoptr(Dev) d = dev_running();
        struct veu_command_dispatch messages = two_messages(d);
        struct veu_command_kernel items = make_items(d);

        for (unsigned i = 0; i < 2; i++) {
            if (kernel) {
                DEV_PUSH(d, items);
            } else {
                messages = two_messages(d);
                DEV_PUSH(d, messages);
            }
            dev_step(d, 1);
            g_assert_false(ring_of(d)->command.begun);
            g_assert_cmpuint(see_threads(d).count, ==, 0);
            step_to(d, VEU_LAUNCH_COPY);
            g_assert_cmpuint(see_threads(d).count, ==, 0);
            step_to(d, VEU_LAUNCH_RUN);
            g_assert_cmpuint(see_threads(d).count, ==, 0);
            while (!see_threads(d).count) {
                g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
            }
            dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
            dev_setup(d);
            d->tail = 0;
            dev_enable(d);
        }
    }
}

static struct {
    VeuDevice *device;
    Seen seen;
} fault;

static void see_fault(VeuHost *host, const VeuEvent *event)
{
    if (event->kind == VEU_EVENT_FAULT) {
        veu_device_view_threads(fault.device, 0, see, &fault.seen);
    }
}

/* One that faults at a message is still there; without a payload none began. */
static void test_eu_threads_that_fault(void)
{
    for (unsigned payload = 0; payload < 2; payload++) {
        g_autoptr(Dev) d = dev_running();
        struct veu_command_dispatch c = two_messages(d);

        if (payload) {
            c.launch.payload_address = DEV_HOLE;
            c.launch.payload_bytes = 64;
        } else {
            c.launch.stateless_base = DEV_HOLE;
        }
        fault.device = d->device;
        fault.seen = (Seen){ 0 };
        d->host.host.event = see_fault;
        DEV_PUSH(d, c);
        dev_run(d);
        g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 1);
        g_assert_cmpuint(fault.seen.count, ==, payload ? 0 : 1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/launch_view/" #name, test_##name)
    RULE(memory_of_the_ring);
    RULE(a_program_is_there_once_it_is_copied);
    RULE(the_program_of_a_handle);
    RULE(memory_is_forgotten);
    RULE(eu_threads_of_messages);
    RULE(eu_threads_of_before);
    RULE(eu_threads_that_fault);
#undef RULE
    return g_test_run();
}
