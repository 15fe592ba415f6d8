/*
 * veu unit tests: what drops the cached entries of page tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/model.h"
#include "tables.h"
#include "tests/lib/state_bytes.h"

/* The invalidated range is walked again; other translations may be old. */
static void test_an_invalidation_takes_effect(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    dev_enable(d);
    for (unsigned log2 = 0; log2 < 40; log2++) {
        uint64_t page = TARGET + log2 % 2 * 4096;

        test_tables_map(&t, SCATTERED, page, ALL);
        test_memory_put64(&d->host.memory, SOURCE, log2 + 100);
        invalidate(d, SCATTERED, log2);
        push_copy(d, VA(SOURCE), SCATTERED, 8);
        g_assert_cmpuint(test_memory_get64(&d->host.memory, page), ==,
                         log2 + 100);
    }
    test_tables_map(&t, SCATTERED, TARGET, READ);
    invalidate(d, SCATTERED, 0);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
}

/* VEU_INVALIDATE_ALL is for pages far from the address, too. */
static void test_all_addresses_are_invalidated(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    dev_enable(d);
    for (unsigned i = 0; i < 2; i++) {
        test_tables_map(&t, SCATTERED, TARGET + i * 4096, ALL);
        test_memory_put64(&d->host.memory, SOURCE, 5 + i);
        invalidate(d, 0, VEU_INVALIDATE_ALL);
        push_copy(d, VA(SOURCE), SCATTERED, 8);
        g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET + i * 4096),
                         ==, 5 + i);
    }
    dev_assert_no_fault(d);
}

static struct veu_command_invalidate invalidate_command(uint64_t address)
{
    return (struct veu_command_invalidate){
        .header = { .opcode = VEU_COMMAND_INVALIDATE, .slots = 1 },
        .range = VEU_INVALIDATE(address, 0),
    };
}

/* Runs a command in ring 1, whose context is of type 0. */
static void run_in_ring_1(Dev *d, const void *command)
{
    const uint32_t ring1 = VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE;

    test_memory_put(&d->host.memory, DEV_DATA, command, VEU_SLOT_BYTES);
    test_memory_put32(&d->host.memory, DEV_DATA + 0x1000, 1);
    dev_write(d, ring1 + VEU_REG_RING_CONTEXT, 1, 4);
    dev_write(d, ring1 + VEU_REG_RING_BASE, DEV_DATA, 8);
    dev_write(d, ring1 + VEU_REG_RING_SHARED, DEV_DATA + 0x1000, 8);
    dev_write(d, ring1 + VEU_REG_RING_SLOTS, 1, 4);
    dev_write(d, ring1 + VEU_REG_RING_CONTROL, VEU_RING_ENABLE, 4);
    veu_ring_step(d->device, 1, 100);
}

static void test_the_command_invalidates(void)
{
    struct veu_command_invalidate c = invalidate_command(SCATTERED);
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    test_tables_map(&t, SCATTERED, TARGET + 4096, ALL);
    test_memory_put64(&d->host.memory, SOURCE, 5);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET), ==, 5);
    run_in_ring_1(d, &c);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    dev_assert_no_fault(d);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET + 4096), ==, 5);
}

static void test_a_context_to_invalidate_that_does_not_exist(void)
{
    const uint32_t ring1 = VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE;
    struct veu_command_invalidate c = invalidate_command(SCATTERED);
    g_autoptr(Dev) d = dev_new();

    c.context = dev_read(d, VEU_REG_CAP_CONTEXTS, 4);
    run_in_ring_1(d, &c);
    g_assert_cmphex(dev_read(d, ring1 + VEU_REG_RING_LAST_FAULT, 4), ==,
                    VEU_FAULT_COMMAND_FIELD);
    g_assert_cmpuint(dev_read(d, ring1 + VEU_REG_RING_LAST_DETAIL, 4), ==, 16);
}

/* In a context of page tables or windows, the opcode does not exist. */
static void test_a_process_has_no_command_to_invalidate(void)
{
    struct veu_command_invalidate c = invalidate_command(SCATTERED);
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    c.reserved[0] = 1; /* which is not even read */
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_OPCODE, 0);
}

/* ---- invalidations beside a batch ---- */

static bool invalidate_beside(Dev *d, unsigned context, uint64_t address)
{
    return veu_device_write_beside(d->device,
                                   VEU_CONTEXT_BLOCK +
                                       context * VEU_CONTEXT_BLOCK_STRIDE +
                                       VEU_REG_CONTEXT_INVALIDATE,
                                   VEU_INVALIDATE(address, 0), 8);
}

/* What a host's processor does while a step of context 0 maps memory. */
static struct {
    Dev *d;
    uint8_t *(*map)(VeuHost *host, uint64_t iova, uint32_t *bytes,
                    enum veu_access access);
    unsigned own;   /* invalidations of context 0 */
    unsigned other; /* of context 1 */
} beside;

static uint8_t *map_and_invalidate(VeuHost *host, uint64_t iova,
                                   uint32_t *bytes, enum veu_access access)
{
    if (iova - TABLES < TABLES_BYTES) { /* a walk */
        beside.own += invalidate_beside(beside.d, 0, SCATTERED);
        beside.other += invalidate_beside(beside.d, 1, SCATTERED);
    }
    return beside.map(host, iova, bytes, access);
}

/* The next looks into memory are beside invalidations. */
static void begin_beside(Dev *d)
{
    g_assert_true(invalidate_beside(d, 0, SCATTERED));
    beside.d = d;
    beside.own = beside.other = 0;
    beside.map = d->host.host.map;
    d->host.host.map = map_and_invalidate;
}

/* The invalidation waits only for a step of the same context. */
static void test_an_invalidation_beside_a_step(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    dev_run(d);
    begin_beside(d);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    d->host.host.map = beside.map;
    dev_assert_no_fault(d);
    g_assert_cmpuint(beside.own, ==, 0);
    g_assert_cmpuint(beside.other, >, 0);
    g_assert_true(invalidate_beside(d, 0, SCATTERED));
    g_assert_false(veu_device_write_beside(
        d->device, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_ROOT, 0, 8));
}

/* So does each time that the word of a WAIT is read. */
static void test_an_invalidation_beside_a_wait(void)
{
    struct veu_command_wait wait = {
        .header = { .opcode = VEU_COMMAND_WAIT,
                    .slots = sizeof(wait) / VEU_SLOT_BYTES },
        .address = SCATTERED,
        .value = 1,
        .mask = UINT64_MAX,
        .condition = VEU_CONDITION_EQUAL,
    };
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    DEV_PUSH(d, wait);
    dev_run(d);
    begin_beside(d);
    g_assert_cmphex(veu_device_ready(d->device), ==, 0);
    d->host.host.map = beside.map;
    g_assert_cmpuint(beside.own, ==, 0);
    g_assert_cmpuint(beside.other, >, 0);
}

/* The linker redirects all calls of veu_tlb_forget() to this function. */
void __real_veu_tlb_forget(VeuTlb *tlb, uint64_t address, unsigned log2_pages);
void __wrap_veu_tlb_forget(VeuTlb *tlb, uint64_t address, unsigned log2_pages);

/* the device that copies while entries are dropped, or NULL */
static Dev *works_meanwhile;

void __wrap_veu_tlb_forget(VeuTlb *tlb, uint64_t address, unsigned log2_pages)
{
    Dev *d = works_meanwhile;

    works_meanwhile = NULL;
    __real_veu_tlb_forget(tlb, address, log2_pages);
    if (d) {
        push_copy(d, VA(SOURCE), SCATTERED, 8);
    }
}

/*
 * The step may have cached what was dropped: the invalidation has to be
 * repeated.
 */
static void test_a_step_during_an_invalidation(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    works_meanwhile = d;
    g_assert_true(invalidate_beside(d, 1, SCATTERED));
    g_assert_null(works_meanwhile);
    works_meanwhile = d;
    g_assert_false(invalidate_beside(d, 0, SCATTERED));
    g_assert_null(works_meanwhile);
    g_assert_true(invalidate_beside(d, 0, SCATTERED));
    dev_assert_no_fault(d);
}

/* Returns true if the TLB has @address; each look-up is that of a read. */
static bool is_kept(const Dev *d, uint64_t address)
{
    VeuPage page;

    return veu_tlb_find(&d->device->tlbs[0], address, VEU_ACCESS_READ, &page);
}

/* The results of look-ups in the middle of a step. */
static struct {
    unsigned looks;
    unsigned kept;
} middle;

static uint8_t *map_and_look(VeuHost *host, uint64_t iova, uint32_t *bytes,
                             enum veu_access access)
{
    if (iova - TABLES < TABLES_BYTES) { /* a walk */
        g_assert_false(invalidate_beside(beside.d, 0, SCATTERED));
        middle.looks++;
        middle.kept += is_kept(beside.d, SCATTERED);
    }
    return beside.map(host, iova, bytes, access);
}

/*
 * A step that has loaded an old entry caches it a little later. If a concurrent
 * invalidation dropped the cached entries, found the step at its end and
 * returned, the old entry would remain. Therefore it drops nothing, and its
 * caller does so after the step.
 */
static void test_nothing_is_dropped_beside_a_step_of_the_context(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    test_tables_map(&t, SCATTERED + 4096, TARGET + 4096, ALL);
    dev_enable(d);
    push_copy(d, SCATTERED, VA(DEV_DATA), 8);
    g_assert_true(is_kept(d, SCATTERED));
    beside.d = d;
    beside.map = d->host.host.map;
    middle.looks = middle.kept = 0;
    d->host.host.map = map_and_look;
    push_copy(d, SCATTERED + 4096, VA(DEV_DATA), 8);
    d->host.host.map = beside.map;
    g_assert_cmpuint(middle.looks, >, 0);
    g_assert_cmpuint(middle.kept, ==, middle.looks);
    g_assert_true(invalidate_beside(d, 0, SCATTERED));
    g_assert_false(is_kept(d, SCATTERED));
    g_assert_true(is_kept(d, SCATTERED + 4096));
}

#define MOVES 200

/* A ring that copies from a page, which another thread moves. */
typedef struct Storm {
    Dev *d;
    GMutex batch;
    GCond copied;
    bool done;
    unsigned copies; /* like stale, only accessed with batch locked */
    unsigned stale;  /* copies of a page that had been removed */
} Storm;

#define FRESH UINT64_C(0x1111111111111111)
#define STALE UINT64_C(0x2222222222222222)

static gpointer copy_in_steps(gpointer opaque)
{
    Storm *s = opaque;

    while (!__atomic_load_n(&s->done, __ATOMIC_ACQUIRE)) {
        g_mutex_lock(&s->batch);
        push_copy(s->d, SCATTERED, VA(DEV_DATA), 8);
        s->copies++;
        s->stale += test_memory_get64(&s->d->host.memory, DEV_DATA) == STALE;
        g_cond_signal(&s->copied);
        g_mutex_unlock(&s->batch);
    }
    return NULL;
}

/* Maps the page at @to instead of the other one, which is then free. */
static void move_page(Storm *s, uint64_t *entry, uint64_t to)
{
    __atomic_store_n(entry, to | ALL, __ATOMIC_RELEASE);
    if (!invalidate_beside(s->d, 0, SCATTERED)) {
        g_mutex_lock(&s->batch);
        invalidate(s->d, SCATTERED, 0);
        g_mutex_unlock(&s->batch);
    }
}

/* Waits for a copy that begins after this call. */
static void wait_for_copy(Storm *s)
{
    unsigned before;

    g_mutex_lock(&s->batch);
    before = s->copies;
    while (s->copies == before) {
        g_cond_wait(&s->copied, &s->batch);
    }
    g_mutex_unlock(&s->batch);
}

/*
 * DEV-3.12: one thread runs the ring, and another moves its page. After each
 * move, the old page stays stale until the ring has made another copy.
 */
static void test_a_storm_of_invalidations(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    Storm s = { .d = d };
    uint64_t *page[2];
    uint64_t *entry;
    GThread *thread;

    d->keep_memory = true; /* the threads keep pointers to it */
    for (unsigned i = 0; i < 2; i++) {
        page[i] = (uint64_t *)test_memory_byte(&d->host.memory,
                                               TARGET + i * 4096,
                                               VEU_ACCESS_WRITE);
        *page[i] = FRESH;
    }
    test_tables_map(&t, SCATTERED, TARGET, ALL);
    entry = (uint64_t *)test_memory_byte(&d->host.memory,
                                         test_tables_entry(&t, SCATTERED, 1),
                                         VEU_ACCESS_WRITE);
    dev_enable(d);
    dev_run(d);
    g_mutex_init(&s.batch);
    g_cond_init(&s.copied);
    thread = g_thread_new("ring", copy_in_steps, &s);
    for (unsigned i = 0; i < MOVES; i++) {
        unsigned to = (i + 1) % 2;

        __atomic_store_n(page[to], FRESH, __ATOMIC_RELAXED);
        move_page(&s, entry, TARGET + to * 4096);
        __atomic_store_n(page[!to], STALE, __ATOMIC_RELAXED);
        wait_for_copy(&s);
    }
    __atomic_store_n(&s.done, true, __ATOMIC_RELEASE);
    g_thread_join(thread);
    g_mutex_clear(&s.batch);
    g_cond_clear(&s.copied);
    dev_assert_no_fault(d);
    g_assert_cmpuint(s.stale, ==, 0);
}

/*
 * A write of the lower half invalidates; the upper half alone is only stored.
 */
static void test_an_invalidation_in_halves(void)
{
    const uint32_t reg = VEU_REG_CONTEXT_INVALIDATE;
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    test_tables_map(&t, SCATTERED, TARGET + 4096, ALL);
    test_memory_put64(&d->host.memory, SOURCE, 5);
    context_write(d, reg + 4, SCATTERED >> 32, 4);
    g_assert_cmphex(dev_read(d, VEU_CONTEXT_BLOCK + reg + 4, 4), ==,
                    SCATTERED >> 32);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET), ==, 5);
    context_write(d, reg, (uint32_t)SCATTERED, 4);
    g_assert_cmphex(dev_read(d, VEU_CONTEXT_BLOCK + reg, 4), ==, 0);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET + 4096), ==, 5);
}

/* So is one that does not wait for the end of a step. */
static void test_an_invalidation_in_halves_beside_steps(void)
{
    const uint32_t reg = VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_INVALIDATE;
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    test_tables_map(&t, SCATTERED, TARGET + 4096, ALL);
    test_memory_put64(&d->host.memory, SOURCE, 5);
    dev_write(d, reg + 4, SCATTERED >> 32, 4);
    g_assert_true(
        veu_device_write_beside(d->device, reg, (uint32_t)SCATTERED, 4));
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET + 4096), ==, 5);
}

/* All other writes are for the thread that runs the device. */
static void test_no_other_write_is_beside_steps(void)
{
    const uint32_t reg = VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_INVALIDATE;
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    /* A new device uses no context. */
    g_assert_true(veu_device_write_beside(d->device, reg, 0, 8));
    for (uint32_t at = 0; at < 0xc100; at += 4) {
        uint64_t before = dev_read(d, at, 4);

        if (at % VEU_CONTEXT_BLOCK_STRIDE == reg % VEU_CONTEXT_BLOCK_STRIDE ||
            at % VEU_CONTEXT_BLOCK_STRIDE ==
                reg % VEU_CONTEXT_BLOCK_STRIDE + 4) {
            continue;
        }
        g_assert_false(veu_device_write_beside(d->device, at, UINT32_MAX, 4));
        g_assert_cmphex(dev_read(d, at, 4), ==, before);
    }
}

/* "The device never caches an entry that is not valid." */
static void test_a_new_page_needs_no_invalidation(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 1);
    test_tables_map(&t, SCATTERED, TARGET, VALID | READ);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    push_copy(d, SCATTERED, VA(DEV_DATA), 8);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 2);
    test_tables_map(&t, SCATTERED, TARGET, ALL);
    test_memory_put64(&d->host.memory, SOURCE, 9);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 2);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET), ==, 9);
}

/* "ENABLE drops all cached entries": the driver may have made new tables. */
static void test_an_enable_drops_what_is_kept(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    dev_disable(d);
    dev_run(d);
    test_tables_map(&t, SCATTERED, TARGET + 4096, ALL);
    test_memory_put64(&d->host.memory, SOURCE, 6);
    dev_enable(d);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET + 4096), ==, 6);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/page_invalidations/" #name, test_##name)
    TEST(an_invalidation_takes_effect);
    TEST(all_addresses_are_invalidated);
    TEST(the_command_invalidates);
    TEST(a_context_to_invalidate_that_does_not_exist);
    TEST(a_process_has_no_command_to_invalidate);
    TEST(an_invalidation_beside_a_step);
    TEST(an_invalidation_beside_a_wait);
    TEST(a_step_during_an_invalidation);
    TEST(nothing_is_dropped_beside_a_step_of_the_context);
    TEST(a_storm_of_invalidations);
    TEST(an_invalidation_in_halves);
    TEST(an_invalidation_in_halves_beside_steps);
    TEST(no_other_write_is_beside_steps);
    TEST(a_new_page_needs_no_invalidation);
    TEST(an_enable_drops_what_is_kept);
#undef TEST
    return g_test_run();
}
