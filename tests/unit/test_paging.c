/*
 * veu unit tests: a driver that pages: an address space that exceeds its
 * memory, two rings that evict each other's pages, and entries that change at
 * any time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A frame that is taken from a page is poisoned once the invalidation is
 * complete. A late access through the old translation would read poison, or be
 * lost: either makes memory differ from a model of plain arrays.
 */
#include <string.h>
#include "hw/veu/device/model.h"
#include "tests/lib/device_fixture.h"
#include "tests/lib/page_tables.h"

#define RINGS      2
#define HALF_PAGES 16 /* of a ring */
#define PAGES      (RINGS * HALF_PAGES)
#define PAGE       4096u
#define SPACE      UINT64_C(0x7e5a80000000) /* virtual address of page 0 */
#define MAX_BYTES  8192 /* of a command: 4 pages, with both ends */
#define MAX_FRAMES 16
#define POISON     0xee
#define SLOTS      64
#define RECORDS    128
#define PATIENCE   8 /* a piece that has asked this often is served alone */

/* Memory of the driver. */
#define BASE         UINT64_C(0x1000000)
#define TABLES       (BASE + 0x0)
#define QUEUE        (BASE + 0x10000)
#define FRAME(n)     (BASE + 0x20000 + (n)*PAGE)
#define RING(n)      (BASE + 0x40000 + (n)*0x4000)
#define SHARED(n)    (RING(n) + 0x1000)
#define FAULTS(n)    (RING(n) + 0x2000)
#define MEMORY_BYTES 0x50000

#define ALL (VEU_PAGE_VALID | VEU_PAGE_READ | VEU_PAGE_WRITE)

typedef struct Pager {
    Dev *d;
    TestTables tables;
    unsigned frames;
    int page_of[MAX_FRAMES]; /* of a frame; -1 if it is free */
    int frame_of[PAGES];     /* of a page; -1 if it is in backing[] */
    unsigned next;           /* the next frame to take */
    uint32_t tail[RINGS];
    bool paused[RINGS];
    int favoured;           /* ring that is served alone, or -1 */
    uint32_t favoured_head; /* until its head is past this */
    uint32_t served;        /* groups */
    uint8_t backing[PAGES][PAGE];
    uint8_t expected[PAGES * PAGE];
} Pager;

static TestMemory *memory_of(Pager *p)
{
    return &p->d->host.memory;
}

static void set_ring(Pager *p, unsigned ring, uint32_t reg, uint64_t value)
{
    dev_write(p->d, VEU_RING_BLOCK + ring * VEU_RING_BLOCK_STRIDE + reg, value,
              dev_ring_register_bytes(reg));
}

static uint64_t get_ring(Pager *p, unsigned ring, uint32_t reg)
{
    return dev_read(p->d, VEU_RING_BLOCK + ring * VEU_RING_BLOCK_STRIDE + reg,
                    dev_ring_register_bytes(reg));
}

static void set_context(Pager *p, uint32_t reg, uint64_t value, unsigned bytes)
{
    dev_write(p->d, VEU_CONTEXT_BLOCK + reg, value, bytes);
}

static void enable(Pager *p, unsigned ring)
{
    set_ring(p, ring, VEU_REG_RING_BASE, RING(ring));
    set_ring(p, ring, VEU_REG_RING_SHARED, SHARED(ring));
    set_ring(p, ring, VEU_REG_RING_FAULTS, FAULTS(ring));
    set_ring(p, ring, VEU_REG_RING_SLOTS, SLOTS);
    set_ring(p, ring, VEU_REG_RING_FAULT_RECORDS, 16);
    set_ring(p, ring, VEU_REG_RING_CONTEXT, 0);
    set_ring(p, ring, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
}

/* @tlb_limit is the number of TLB entries to use; 0 means all. */
static Pager *pager_new(unsigned frames, unsigned tlb_limit)
{
    Pager *p = g_new0(Pager, 1);

    p->d = dev_new_rings(RINGS);
    p->d->device->tlbs[0].limit = tlb_limit;
    p->frames = frames;
    p->favoured = -1;
    memset(p->page_of, -1, sizeof(p->page_of));
    memset(p->frame_of, -1, sizeof(p->frame_of));
    test_memory_add(memory_of(p), BASE, MEMORY_BYTES, true);
    test_tables_init(&p->tables, memory_of(p), TABLES, QUEUE);
    set_context(p, VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_TABLES, 4);
    set_context(p, VEU_REG_CONTEXT_ROOT, p->tables.root, 8);
    set_context(p, VEU_REG_CONTEXT_OPTIONS, VEU_CONTEXT_REQUESTS, 4);
    set_context(p, VEU_REG_CONTEXT_QUEUE_RECORDS, RECORDS, 4);
    set_context(p, VEU_REG_CONTEXT_QUEUE, QUEUE, 8);
    for (unsigned i = 0; i < sizeof(p->expected); i++) {
        p->expected[i] = g_test_rand_int();
    }
    memcpy(p->backing, p->expected, sizeof(p->backing));
    for (unsigned ring = 0; ring < RINGS; ring++) {
        enable(p, ring);
    }
    return p;
}

static void pager_free(Pager *p)
{
    dev_free(p->d);
    g_free(p);
}

/* ---- frames ---- */

static uint64_t virtual_of(unsigned page)
{
    return SPACE + (uint64_t)page * PAGE;
}

/* DRV-3.13: change the entry, invalidate, read a register, use the page. */
static void evict(Pager *p, unsigned frame)
{
    int page = p->page_of[frame];

    if (page < 0) {
        return;
    }
    test_tables_map(&p->tables, virtual_of(page), 0, 0);
    set_context(p, VEU_REG_CONTEXT_INVALIDATE,
                VEU_INVALIDATE(virtual_of(page), 0), 8);
    dev_read(p->d, VEU_REG_MAGIC, 4);
    test_memory_get(memory_of(p), FRAME(frame), p->backing[page], PAGE);
    test_memory_fill(memory_of(p), FRAME(frame), POISON, PAGE);
    p->page_of[frame] = -1;
    p->frame_of[page] = -1;
}

static void page_in(Pager *p, unsigned page)
{
    unsigned frame = p->next;

    if (p->frame_of[page] >= 0) {
        return;
    }
    p->next = (p->next + 1) % p->frames;
    evict(p, frame);
    test_memory_put(memory_of(p), FRAME(frame), p->backing[page], PAGE);
    test_tables_map(&p->tables, virtual_of(page), FRAME(frame), ALL);
    p->page_of[frame] = page;
    p->frame_of[page] = frame;
}

/* ---- requests ---- */

static uint32_t queue_word(Pager *p, size_t field)
{
    return test_memory_get32(memory_of(p), QUEUE + field);
}

#define QUEUE_HEAD offsetof(struct veu_request_queue, head)
#define QUEUE_TAIL offsetof(struct veu_request_queue, tail)

static void respond(Pager *p, uint64_t value)
{
    set_context(p, VEU_REG_CONTEXT_RESPONSE, value, 8);
}

static void step(Pager *p, unsigned ring, unsigned budget)
{
    veu_ring_step(p->d->device, ring, budget);
}

static uint32_t head_of(Pager *p, unsigned ring)
{
    return test_memory_get32(
        memory_of(p), SHARED(ring) + offsetof(struct veu_ring_shared, head));
}

/* docs/spec.md, section 3.5: a ring that has asked often keeps its pages. */
static bool may_have_pages(Pager *p, unsigned ring)
{
    if (p->favoured >= 0 && head_of(p, p->favoured) != p->favoured_head) {
        p->favoured = -1;
    }
    return p->favoured < 0 || p->favoured == (int)ring;
}

static void favour(Pager *p, unsigned ring)
{
    if (p->favoured < 0) {
        p->favoured = ring;
        p->favoured_head = head_of(p, ring);
    }
    step(p, ring, 1);
}

/* Serves a group, if there is one. A ring that gets no pages asks again. */
static bool serve(Pager *p)
{
    uint32_t head = queue_word(p, QUEUE_HEAD);
    struct veu_request r;

    if (head == queue_word(p, QUEUE_TAIL)) {
        return false;
    }
    do {
        test_memory_get(memory_of(p),
                        QUEUE + sizeof(struct veu_request_queue) +
                            head++ % RECORDS * sizeof(r),
                        &r, sizeof(r));
        g_assert_cmphex(r.address, >=, SPACE);
        g_assert_cmphex(r.address, <, virtual_of(PAGES));
        g_assert_cmpuint(r.ring, <, RINGS);
        if (may_have_pages(p, r.ring)) {
            page_in(p, (r.address - SPACE) / PAGE);
        }
    } while (!(r.flags & VEU_REQUEST_LAST));
    test_memory_put32(memory_of(p), QUEUE + QUEUE_HEAD, head);
    respond(p, r.id);
    p->served++;
    if (r.asked >= PATIENCE && !p->paused[r.ring]) {
        favour(p, r.ring);
    }
    return true;
}

/* ---- commands, and what they do to arrays ---- */

static void push(Pager *p, unsigned ring, const void *command)
{
    uint64_t slot = RING(ring) + p->tail[ring] % SLOTS * VEU_SLOT_BYTES;

    test_memory_put(memory_of(p), slot, command, VEU_SLOT_BYTES);
    test_memory_put32(memory_of(p),
                      SHARED(ring) + offsetof(struct veu_ring_shared, tail),
                      ++p->tail[ring]);
}

/* A random place in quarter @n of the ring's half, for up to MAX_BYTES. */
static uint32_t random_place(unsigned ring, unsigned quarter, uint32_t align)
{
    uint32_t quarter_bytes = HALF_PAGES * PAGE / 4;

    return ring * HALF_PAGES * PAGE + quarter * quarter_bytes +
           g_test_rand_int_range(0, (quarter_bytes - MAX_BYTES) / align) *
               align;
}

static void push_random(Pager *p, unsigned ring)
{
    unsigned quarter = g_test_rand_int_range(0, 4);
    uint32_t bytes = g_test_rand_int_range(1, MAX_BYTES);
    uint32_t from = random_place(ring, quarter, 1);
    uint32_t to = random_place(ring, quarter ^ 1, 1);

    if (g_test_rand_bit()) {
        struct veu_command_copy copy = {
            .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
            .source = SPACE + from,
            .destination = SPACE + to,
            .bytes = bytes,
        };

        memcpy(p->expected + to, p->expected + from, bytes);
        push(p, ring, &copy);
    } else {
        struct veu_command_fill fill = {
            .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
            .destination = SPACE + (to & -8u),
            .pattern = (uint64_t)g_test_rand_int() << 32 | g_test_rand_int(),
            .bytes = bytes & -8u,
        };

        for (uint32_t i = 0; i < fill.bytes; i += 8) {
            memcpy(p->expected + (to & -8u) + i, &fill.pattern, 8);
        }
        push(p, ring, &fill);
    }
}

/* ---- what a driver and a device do, in any order ---- */

static void toggle_pause(Pager *p, unsigned ring)
{
    p->paused[ring] = !p->paused[ring];
    set_ring(p, ring, VEU_REG_RING_CONTROL,
             VEU_RING_ENABLE | (p->paused[ring] ? VEU_RING_PAUSE : 0));
}

/* Responds to a group that is not open, or to one that then asks again. */
static void respond_wrongly(Pager *p)
{
    if (g_test_rand_bit()) {
        respond(p, (uint64_t)g_test_rand_int() | UINT64_C(1) << 31 |
                       VEU_RESPONSE_REFUSED);
    } else {
        respond(p, p->served + g_test_rand_int_range(-2, 3));
    }
}

static void act(Pager *p)
{
    unsigned ring = g_test_rand_int_range(0, RINGS);

    switch (g_test_rand_int_range(0, 16)) {
    case 0:
        evict(p, g_test_rand_int_range(0, p->frames));
        break;
    case 1:
        respond_wrongly(p);
        break;
    case 2:
        toggle_pause(p, ring);
        break;
    case 3:
        set_context(p, VEU_REG_CONTEXT_INVALIDATE, VEU_INVALIDATE_ALL, 8);
        break;
    case 4 ... 6:
        if (p->tail[ring] - head_of(p, ring) < SLOTS) {
            push_random(p, ring);
        }
        break;
    case 7 ... 9:
        serve(p);
        break;
    default:
        step(p, ring, g_test_rand_int_range(1, 20));
        break;
    }
}

static bool is_done(Pager *p)
{
    for (unsigned ring = 0; ring < RINGS; ring++) {
        if (head_of(p, ring) != p->tail[ring]) {
            return false;
        }
    }
    return true;
}

/* Runs each ring in turn, serving a group after each step. */
static void finish(Pager *p)
{
    for (unsigned ring = 0; ring < RINGS; ring++) {
        if (p->paused[ring]) {
            toggle_pause(p, ring);
        }
    }
    for (unsigned i = 0; i < 20000 && !is_done(p); i++) {
        step(p, i % RINGS, 20);
        serve(p);
    }
    g_assert_true(is_done(p));
}

static void assert_right(Pager *p)
{
    for (unsigned frame = 0; frame < p->frames; frame++) {
        evict(p, frame);
    }
    g_assert_cmpmem(p->backing, sizeof(p->backing), p->expected,
                    sizeof(p->expected));
    for (unsigned ring = 0; ring < RINGS; ring++) {
        g_assert_cmpuint(get_ring(p, ring, VEU_REG_RING_FAULT_COUNT), ==, 0);
    }
}

static void check_paging(unsigned frames, unsigned tlb_limit)
{
    unsigned rounds = g_test_slow() ? 200 : 8;

    for (unsigned round = 0; round < rounds; round++) {
        Pager *p = pager_new(frames, tlb_limit);

        for (unsigned i = 0; i < 1500; i++) {
            act(p);
        }
        finish(p);
        g_assert_cmpuint(p->served, >, 0);
        assert_right(p);
        pager_free(p);
    }
}

static void test_work_is_right_while_pages_move(void)
{
    check_paging(MAX_FRAMES, 0);
}

static void test_work_is_right_with_a_small_tlb(void)
{
    check_paging(MAX_FRAMES, 4);
}

/* One command needs six pages, so that none remain for the other ring. */
static void test_rings_that_evict_each_other_make_progress(void)
{
    Pager *p = pager_new(6, 4);

    for (unsigned i = 0; i < 60; i++) {
        push_random(p, 0);
        push_random(p, 1);
    }
    finish(p);
    assert_right(p);
    pager_free(p);
}

/* ---- entries that a processor changes during walks ---- */

typedef struct Changer {
    uint64_t *entry;
    uint64_t values[4];
    int stop;
} Changer;

static void *change_entries(void *opaque)
{
    Changer *c = opaque;

    for (unsigned i = 0; !__atomic_load_n(&c->stop, __ATOMIC_RELAXED); i++) {
        /*
         * The top bits of a product: valgrind changes threads after a multiple
         * of 4 turns, so that the low bits of i would always be the same there.
         */
        __atomic_store_n(c->entry, c->values[i * 2654435769u >> 30],
                         __ATOMIC_RELEASE);
    }
    return NULL;
}

/* A level-1 table appears, disappears, has a reserved bit, and is replaced. */
static void test_tables_that_change_during_walks(void)
{
    Pager *p = pager_new(2, 4);
    uint64_t place = test_tables_entry(&p->tables, SPACE, 2);
    Changer c = { .values = { 0 } };
    struct veu_command_fill fill = {
        .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
        .destination = SPACE,
        .pattern = UINT64_C(0x1111111111111111),
        .bytes = 2 * PAGE,
    };
    GThread *thread;

    page_in(p, 0);
    page_in(p, 1);
    c.values[0] = c.values[3] = test_memory_get64(memory_of(p), place);
    c.values[2] = c.values[0] | UINT64_C(1) << 63;
    c.entry = (uint64_t *)test_memory_byte(memory_of(p), place,
                                           VEU_ACCESS_WRITE);
    set_context(p, VEU_REG_CONTEXT_OPTIONS, 0, 4);
    set_ring(p, 0, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    set_ring(p, 0, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    enable(p, 0);
    thread = g_thread_new("changer", change_entries, &c);
    for (unsigned i = 0; i < 20000; i++) {
        push(p, 0, &fill);
        set_context(p, VEU_REG_CONTEXT_INVALIDATE, VEU_INVALIDATE_ALL, 8);
        step(p, 0, 20);
    }
    __atomic_store_n(&c.stop, 1, __ATOMIC_RELAXED);
    g_thread_join(thread);
    for (unsigned i = 0; i < 100 && head_of(p, 0) != p->tail[0]; i++) {
        step(p, 0, 20);
    }
    g_assert_cmpuint(head_of(p, 0), ==, p->tail[0]);
    g_assert_cmpuint(test_memory_get64(memory_of(p), FRAME(0)), ==,
                     fill.pattern);
    g_assert_cmpuint(test_memory_get64(memory_of(p), FRAME(2)), ==, 0);
    pager_free(p);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/paging/" #name, test_##name)
    TEST(work_is_right_while_pages_move);
    TEST(work_is_right_with_a_small_tlb);
    TEST(rings_that_evict_each_other_make_progress);
    TEST(tables_that_change_during_walks);
#undef TEST
    return g_test_run();
}
