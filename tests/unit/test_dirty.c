/*
 * veu unit tests: pages that are written again after a flush.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * memory/mem.h, "Dirty bytes". The fixture checks after each step that all
 * pages that were written are dirty (tests/lib/device_fixture.h). In this file
 * a step contains flushes, so that a fast path that remembers dirty pages from
 * before a flush would lose some.
 */
#include "hw/veu/device/model.h"
#include "launch.h"
#include "tests/lib/helpers.h"
#include "tests/lib/state_bytes.h"

#define LANES   8
#define STRIDE  128 /* of a payload: a header and two variables */
/* Enough threads for a fast path to notice that the whole page is dirty. */
#define THREADS 120
#define LONG    100000 /* the work ends a step, not its budget */

/*
 * All EU threads store their number, from 1 on, to the same words. These are
 * not consecutive, because rows of dwords mark their pages each time.
 */
static struct veu_command_dispatch make_stores(Dev *d)
{
    TestProgram *p = &d->program;
    uint32_t places, data;
    struct veu_command_dispatch c;

    test_program_init(p);
    places = test_program_variable(p, 0, LANES, VEU_TYPE_UD);
    data = test_program_variable(p, 32, LANES, VEU_TYPE_UD);
    test_program_add(p, &(TestMessage){ .kind = TEST_SCATTER_SCALED,
                                        .exec = TEST_LANES_8,
                                        .num_blocks = 2,
                                        .surface = 5,
                                        .offset = test_immediate(0),
                                        .address = { places, 0 },
                                        .data = { data, 0 } });
    for (unsigned t = 0; t < THREADS; t++) {
        uint64_t at = DEV_PAYLOAD + t * STRIDE;

        put32(d, at, 0xff);
        for (unsigned lane = 0; lane < LANES; lane++) {
            put32(d, at + 64 + lane * 4, lane * 8);
            put32(d, at + 96 + lane * 4, 1 + t);
        }
    }
    c = dispatch(d);
    c.launch.stateless_bytes = 64;
    c.launch.groups = THREADS;
    c.launch.payload_bytes = STRIDE;
    c.launch.payload_stride = STRIDE;
    c.launch.result_bytes = 0;
    return c;
}

static void (*host_note)(VeuHost *host, uint8_t *at);
static void (*host_flush)(VeuHost *host);
static VeuMem *writer;
static unsigned flushes;

/* Each block counts like many. */
static void note_many(VeuHost *host, uint8_t *at)
{
    writer->writes += VEU_FLUSH_WRITES;
    host_note(host, at);
}

static void count_flush(VeuHost *host)
{
    flushes++;
    host_flush(host);
}

/* A page that follows no other, so that nothing else stores to its blocks. */
#define FAR UINT64_C(0x100000000)

/*
 * Returns how often stores flush, of which there are more than
 * VEU_FLUSH_PIECES pieces.
 */
static unsigned flushes_of_stores(bool are_many)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch c = make_stores(d);

    test_memory_add(&d->host.memory, FAR, TEST_PAGE_BYTES, true);
    c.launch.stateless_base = FAR;
    host_note = d->host.host.note;
    host_flush = d->host.host.flush;
    writer = &d->device->ring[0].context.mem;
    flushes = 0;
    d->host.host.flush = count_flush;
    if (are_many) {
        d->host.host.note = note_many;
    }
    DEV_PUSH(d, c);
    dev_run_by(d, LONG);
    dev_assert_no_fault(d);
    g_assert_cmpuint(get32(d, FAR), ==, THREADS);
    return flushes;
}

/* It notes again after that, which the fixture checks. */
static void test_a_slice_flushes_after_it_has_written_to_many_blocks(void)
{
    g_assert_cmpuint(flushes_of_stores(true), >, flushes_of_stores(false));
}

/* A fence flushes, so that the host knows about earlier stores. */
static void test_a_ring_notes_again_after_a_fence(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch c = make_stores(d);
    struct veu_command_fence fence = dev_fence(1);

    c.launch.groups = VEU_FLUSH_PIECES / 4;
    DEV_PUSH(d, c);
    DEV_PUSH(d, fence);
    c.launch.payload_address += STRIDE * (THREADS - c.launch.groups);
    DEV_PUSH(d, c);
    dev_run_by(d, LONG);
    dev_assert_no_fault(d);
    g_assert_cmpuint(get32(d, DEV_DATA), ==, THREADS);
}

static Dev *flushed;
static bool is_early; /* a flush had the store, and the driver did not */

static void watch_flush(VeuHost *host)
{
    host_flush(host);
    is_early |= get32(flushed, DEV_DATA) == 1 && !dev_fence_value(flushed) &&
                !DEV_SHARED_WORD(flushed, head);
}

/* Returns true if the host learns of a store before the driver does. */
static bool host_is_first(bool has_fence)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch c = make_stores(d);
    struct veu_command_fence fence = dev_fence(1);

    host_flush = d->host.host.flush;
    d->host.host.flush = watch_flush;
    flushed = d;
    is_early = false;
    c.launch.groups = 1;
    DEV_PUSH(d, c);
    if (has_fence) {
        DEV_PUSH(d, fence);
    }
    dev_run_by(d, LONG);
    dev_assert_no_fault(d);
    g_assert_cmpuint(dev_fence_value(d), ==, has_fence);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), !=, 0);
    return is_early;
}

/* Stores are dirty before the fence, or the head, tells the driver of them. */
static void test_stores_are_dirty_before_the_driver_sees_them(void)
{
    g_assert_true(host_is_first(false));
    g_assert_true(host_is_first(true));
}

/* Slices that had helpers run one after the other, with flushes in between. */
static void test_slices_of_one_share_note_again(void)
{
    Helpers h;
    g_autoptr(Dev) from = fixture();
    struct veu_command_dispatch c = make_stores(from);
    g_autoptr(Dev) to = NULL;

    helpers_add(from, &h, 3, false);
    c.launch.groups = 4;
    c.launch.threads = THREADS / 4;
    from->host.host.awaited = &(unsigned){ 1 };
    DEV_PUSH(from, c);
    for (unsigned n = 0; n < 8; n++) {
        dev_step(from, 1);
    }
    to = dev_destination(from);
    state_move(from->device, to->device);
    dev_run_by(to, LONG);
    dev_assert_no_fault(to);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/dirty/" #name, test_##name)
    RULE(a_slice_flushes_after_it_has_written_to_many_blocks);
    RULE(a_ring_notes_again_after_a_fence);
    RULE(stores_are_dirty_before_the_driver_sees_them);
    RULE(slices_of_one_share_note_again);
    return g_test_run();
}
