/*
 * veu unit tests: page tables: the walk and the TLB by themselves, compared
 * with a second walk and with a list of what should be cached.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "hw/veu/device/tlb.h"
#include "tests/lib/page_tables.h"
#include "tests/lib/test_host.h"

#define RAM   UINT64_C(0x100000)
#define PAGES 64
#define END   (RAM + PAGES * 4096)

typedef struct World {
    TestHost host;
    TestTables tables;
} World;

static World *world_new(void)
{
    World *w = g_new0(World, 1);

    test_host_init(&w->host);
    test_memory_add(&w->host.memory, RAM, END - RAM, true);
    test_tables_init(&w->tables, &w->host.memory, RAM, END);
    return w;
}

static void world_free(World *w)
{
    test_host_free(&w->host);
    g_free(w);
}

/* Returns the DMA address by the device's walk, or UINT64_MAX. */
static uint64_t walk(World *w, uint64_t address, enum veu_access access,
                     uint32_t *detail)
{
    VeuPage page;

    *detail = veu_page_walk(&w->host.host, w->tables.root, address, access,
                            &page);
    if (*detail) {
        return UINT64_MAX;
    }
    g_assert_cmphex(page.address % page.bytes, ==, 0);
    g_assert_cmphex(address - page.address, <, page.bytes);
    return page.iova + (address - page.address);
}

static void check_walk(World *w, uint64_t address)
{
    for (int access = VEU_ACCESS_READ; access <= VEU_ACCESS_WRITE; access++) {
        uint32_t expected_detail, detail;
        uint64_t expected = test_tables_translate(&w->host.memory,
                                                  w->tables.root, address,
                                                  access, &expected_detail);

        g_assert_cmphex(walk(w, address, access, &detail), ==, expected);
        g_assert_cmphex(detail, ==, expected_detail);
    }
}

/* Chooses from few addresses, so that random walks go deep and meet again. */
static uint64_t random_address(void)
{
    static const uint64_t few[] = { 0, 1, 511, 256 };
    uint64_t address = g_test_rand_int_range(0, 4096);

    for (unsigned level = 1; level <= 4; level++) {
        address |= few[g_test_rand_int_range(0, 4)] << (12 + 9 * (level - 1));
    }
    return address;
}

/* Mostly returns a legal table or page. */
static uint64_t random_entry(void)
{
    uint64_t entry = RAM + g_test_rand_int_range(0, PAGES + 1) * UINT64_C(4096);

    entry |= 1;
    switch (g_test_rand_int_range(0, 8)) {
    case 0:
        entry |= g_test_rand_int_range(0, 16);
        break;
    case 1:
        entry = g_test_rand_int_range(0, 4) * (UINT64_C(1) << 30) | 9 |
                g_test_rand_int_range(0, 4) << 1;
        break;
    case 2:
        entry = g_test_rand_int_range(0, 1024) * (UINT64_C(1) << 21) | 15;
        break;
    case 3:
        entry |= UINT64_C(1) << g_test_rand_int_range(0, 64);
        break;
    case 4:
        entry &= ~UINT64_C(1);
        break;
    default:
        entry |= g_test_rand_int_range(0, 4) << 1;
        break;
    }
    return entry;
}

static void test_walks_are_those_of_the_spec(void)
{
    World *w = world_new();
    unsigned steps = g_test_slow() ? 400000 : 20000;

    for (unsigned step = 0; step < steps; step++) {
        uint64_t address = random_address();

        if (step % 512 == 0) {
            test_memory_fill(&w->host.memory, RAM, 0, END - RAM);
        }
        test_memory_put64(&w->host.memory,
                          RAM + g_test_rand_int_range(0, PAGES) * 4096 +
                              (address >> 12 & 511) * 8,
                          random_entry());
        check_walk(w, address);
        check_walk(w, address | UINT64_C(1) << g_test_rand_int_range(48, 64));
    }
    world_free(w);
}

/* Tests each bit of each level's entry alone. */
static void test_each_bit_of_an_entry(void)
{
    World *w = world_new();
    const uint64_t address = UINT64_C(0x123456789000);

    for (unsigned level = 1; level <= 4; level++) {
        uint64_t place = test_tables_entry(&w->tables, address, level);
        uint64_t below = test_tables_entry(&w->tables, address, 1);
        uint64_t entry = level == 1 ? RAM | 7 :
                                      test_memory_get64(&w->host.memory, place);

        test_memory_put64(&w->host.memory, below, RAM | 7);
        for (unsigned bit = 0; bit < 64; bit++) {
            test_memory_put64(&w->host.memory, place,
                              entry ^ UINT64_C(1) << bit);
            check_walk(w, address);
        }
        test_memory_put64(&w->host.memory, place, entry);
        check_walk(w, address);
    }
    world_free(w);
}

static void test_large_pages(void)
{
    World *w = world_new();
    uint32_t detail;

    test_tables_map_level(&w->tables, 0x40000000, 0x80000000, 7, 3);
    test_tables_map_level(&w->tables, 0x200000, 0x600000, 7, 2);
    g_assert_cmphex(walk(w, 0x7fffffff, VEU_ACCESS_WRITE, &detail), ==,
                    0xbfffffff);
    g_assert_cmphex(walk(w, 0x3fffff, VEU_ACCESS_READ, &detail), ==, 0x7fffff);
    walk(w, 0x400000, VEU_ACCESS_READ, &detail);
    g_assert_cmphex(detail, ==, VEU_WALK_NOT_VALID | 2 << 8);
    world_free(w);
}

/* ---- ACCESSED and DIRTY ---- */

#define ACCESSED UINT64_C(0x10)
#define DIRTY    UINT64_C(0x20)

/* Compares each entry of the tables with its expected value. */
static void test_an_access_changes_the_bits_of_its_page_only(void)
{
    World *w = world_new();
    g_autofree uint8_t *before = g_malloc(END - RAM);
    g_autofree uint8_t *after = g_malloc(END - RAM);

    for (unsigned step = 0; step < 5000; step++) {
        int access = g_test_rand_bit() ? VEU_ACCESS_WRITE : VEU_ACCESS_READ;
        uint64_t address = random_address();
        uint64_t at, changed;
        uint32_t detail, expected;
        VeuPage page;

        test_memory_put64(&w->host.memory,
                          RAM + g_test_rand_int_range(0, PAGES) * 4096 +
                              (address >> 12 & 511) * 8,
                          random_entry());
        at = test_tables_translate(&w->host.memory, w->tables.root, address,
                                   access, &expected);
        test_memory_get(&w->host.memory, RAM, before, END - RAM);
        detail = veu_page_access(&w->host.host, w->tables.root, address, access,
                                 &page);
        g_assert_cmphex(detail, ==, expected);
        test_memory_get(&w->host.memory, RAM, after, END - RAM);
        if (!detail) {
            g_assert_cmphex(page.iova + (address - page.address), ==, at);
            changed = test_tables_leaf(&w->host.memory, w->tables.root,
                                       address);
            before[changed - RAM] |= access == VEU_ACCESS_WRITE ?
                                         ACCESSED | DIRTY :
                                         ACCESSED;
            g_assert_cmpint(!!(page.permissions & VEU_PAGE_WRITE), ==,
                            (after[changed - RAM] & (DIRTY | 4)) ==
                                (DIRTY | 4));
        }
        g_assert_cmpmem(before, END - RAM, after, END - RAM);
    }
    world_free(w);
}

/* A processor that stores another entry each time the device sets bits. */
typedef struct Racer {
    World *w;
    uint64_t place;
    unsigned stores; /* that remain */
    uint8_t *(*map)(VeuHost *host, uint64_t iova, uint32_t *bytes,
                    enum veu_access access);
} Racer;

static Racer racer;

static uint8_t *map_and_store(VeuHost *host, uint64_t iova, uint32_t *bytes,
                              enum veu_access access)
{
    uint8_t *at = racer.map(host, iova, bytes, access);

    if (iova == racer.place && access == VEU_ACCESS_WRITE && racer.stores) {
        racer.stores--;
        test_memory_put64(&racer.w->host.memory, racer.place,
                          RAM | (racer.stores % 2 ? 0xa00 : 0xc00) | 7);
    }
    return at;
}

static uint32_t race(World *w, unsigned stores)
{
    const uint64_t address = UINT64_C(0x123456789000);
    VeuPage page;

    racer = (Racer){ w, test_tables_entry(&w->tables, address, 1), stores,
                     w->host.host.map };
    test_memory_put64(&w->host.memory, racer.place, RAM | 7);
    w->host.host.map = map_and_store;
    return veu_page_access(&w->host.host, w->tables.root, address,
                           VEU_ACCESS_WRITE, &page);
}

/* A concurrent store of a processor is not lost, and finally gets the bits. */
static void test_a_store_beside_the_bits_is_not_lost(void)
{
    World *w = world_new();

    g_assert_cmphex(race(w, 3), ==, 0);
    g_assert_cmphex(test_memory_get64(&w->host.memory, racer.place), ==,
                    RAM | 0xc00 | 7 | ACCESSED | DIRTY);
    world_free(w);
}

/* A page that is removed meanwhile counts as a miss. */
static void test_an_entry_that_never_rests(void)
{
    World *w = world_new();

    g_assert_cmphex(race(w, UINT32_MAX), ==, VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmphex(test_memory_get64(&w->host.memory, racer.place) &
                        (ACCESSED | DIRTY),
                    ==, 0);
    world_free(w);
}

/* ---- the TLB ---- */

typedef struct Kept {
    uint64_t address;
    VeuPage page;
} Kept;

static VeuPage random_page(uint64_t address)
{
    static const uint64_t sizes[] = { UINT64_C(1) << 12, UINT64_C(1) << 21,
                                      UINT64_C(1) << 30 };
    uint64_t bytes = sizes[g_test_rand_int_range(0, 3)];
    uint64_t iova = (uint64_t)g_test_rand_int() << 32 | g_test_rand_int();

    return (VeuPage){
        .address = address & -bytes,
        .iova = iova & 0xffffffffff000 & -bytes,
        .bytes = bytes,
        .permissions = g_test_rand_int_range(1, 4) << 1,
    };
}

static VeuPage small_page(uint64_t address, uint64_t iova)
{
    return (VeuPage){
        .address = address,
        .iova = iova,
        .bytes = 4096,
        .permissions = VEU_PAGE_READ,
    };
}

static bool is_kept(const VeuTlb *tlb, const Kept *k)
{
    VeuPage page;
    bool can_read = k->page.permissions & VEU_PAGE_READ;

    if (!veu_tlb_find(tlb, k->address,
                      can_read ? VEU_ACCESS_READ : VEU_ACCESS_WRITE, &page)) {
        return false;
    }
    return page.iova + (k->address - page.address) ==
               k->page.iova + (k->address - k->page.address) &&
           page.permissions == k->page.permissions;
}

/* A translation is found with the cached permissions, or not at all. */
static void test_what_is_kept_is_found(void)
{
    VeuTlb *tlb = g_new0(VeuTlb, 1);

    for (unsigned i = 0; i < 20000; i++) {
        uint64_t address = ((uint64_t)g_test_rand_int() << 16 ^
                            g_test_rand_int()) &
                           0xffffffffffff;
        Kept k = { address, random_page(address) };
        VeuPage page;

        veu_tlb_forget_all(tlb);
        veu_tlb_keep(tlb, address, &k.page);
        g_assert_true(is_kept(tlb, &k));
        g_assert_cmpint(veu_tlb_find(tlb, address, VEU_ACCESS_READ, &page), ==,
                        !!(k.page.permissions & VEU_PAGE_READ));
        g_assert_cmpint(veu_tlb_find(tlb, address, VEU_ACCESS_WRITE, &page), ==,
                        !!(k.page.permissions & VEU_PAGE_WRITE));
        for (unsigned bit = 12; bit < 64; bit++) {
            uint64_t other = address ^ UINT64_C(1) << bit;
            bool inside = other - k.page.address < k.page.bytes;

            g_assert_true(!veu_tlb_find(tlb, other, VEU_ACCESS_READ, &page) ||
                          inside);
        }
    }
    g_free(tlb);
}

/* Entries outside of the range remain; none within it does. */
static void test_what_is_invalidated_is_gone(void)
{
    VeuTlb *tlb = g_new0(VeuTlb, 1);
    enum {
        COUNT = 64
    };
    Kept kept[COUNT];

    for (unsigned round = 0; round < 2000; round++) {
        unsigned log2 = g_test_rand_int_range(0, 40);
        uint64_t range = log2 < 36 ? UINT64_C(4096) << log2 : UINT64_C(1) << 48;
        uint64_t from;

        veu_tlb_forget_all(tlb);
        for (unsigned i = 0; i < COUNT; i++) {
            kept[i].address = (uint64_t)g_test_rand_int_range(0, 1 << 20) << 12;
            kept[i].page = random_page(kept[i].address);
            veu_tlb_keep(tlb, kept[i].address, &kept[i].page);
        }
        from = kept[0].address & -range;
        veu_tlb_forget(tlb, kept[0].address, log2);
        for (unsigned i = 0; i < COUNT; i++) {
            const VeuPage *p = &kept[i].page;

            if (p->address < from + range && p->address + p->bytes > from) {
                g_assert_false(is_kept(tlb, &kept[i]));
            }
        }
    }
    g_free(tlb);
}

static void test_an_invalidation_leaves_the_rest(void)
{
    VeuTlb *tlb = g_new0(VeuTlb, 1);
    Kept k[3];

    for (unsigned i = 0; i < 3; i++) {
        k[i].address = 0x10000 + i * 0x1000;
        k[i].page = small_page(k[i].address, 0x5000 + i * 0x1000);
        veu_tlb_keep(tlb, k[i].address, &k[i].page);
    }
    veu_tlb_forget(tlb, 0x11000, 0);
    g_assert_true(is_kept(tlb, &k[0]));
    g_assert_false(is_kept(tlb, &k[1]));
    g_assert_true(is_kept(tlb, &k[2]));
    g_free(tlb);
}

/* Addresses that share a place of the TLB do not share its entry. */
static void test_an_entry_is_for_one_address(void)
{
    VeuTlb *tlb = g_new0(VeuTlb, 1);
    const uint64_t address = UINT64_C(0x123456789000);
    VeuPage page = small_page(address, 0x5000);
    unsigned found = 0;

    veu_tlb_keep(tlb, address, &page);
    for (uint64_t low = 0; low < VEU_TLB_PAGES; low++) {
        uint64_t other = (address & -(VEU_TLB_PAGES * UINT64_C(4096))) +
                         (VEU_TLB_PAGES + low) * 4096;

        found += veu_tlb_find(tlb, other, VEU_ACCESS_READ, &page);
    }
    g_assert_cmpuint(found, ==, 0);
    g_free(tlb);
}

static void test_a_limit_keeps_the_newest(void)
{
    VeuTlb *tlb = g_new0(VeuTlb, 1);
    Kept k[10];

    tlb->limit = 4;
    for (unsigned i = 0; i < 10; i++) {
        k[i].address = 0x10000 + i * 0x1000;
        k[i].page = small_page(k[i].address, 0x5000);
        veu_tlb_keep(tlb, k[i].address, &k[i].page);
    }
    for (unsigned i = 0; i < 10; i++) {
        g_assert_cmpint(is_kept(tlb, &k[i]), ==, i >= 6);
    }
    g_free(tlb);
}

/* Two buffers as far apart as the TLB reaches do not replace each other. */
static void test_pages_at_a_distance_of_its_reach(void)
{
    static const struct {
        uint64_t bytes;
        uint64_t reach;
    } cases[] = { { UINT64_C(1) << 12, UINT64_C(1) << 27 },
                  { UINT64_C(1) << 21, UINT64_C(1) << 31 } };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        VeuTlb *tlb = g_new0(VeuTlb, 1);
        Kept k[2];

        for (unsigned n = 0; n < 2; n++) {
            k[n].address = n * cases[i].reach;
            k[n].page = small_page(k[n].address, n * cases[i].bytes);
            k[n].page.bytes = cases[i].bytes;
            veu_tlb_keep(tlb, k[n].address, &k[n].page);
        }
        g_assert_true(is_kept(tlb, &k[0]));
        g_assert_true(is_kept(tlb, &k[1]));
        g_free(tlb);
    }
}

/* The largest range that is dropped page by page covers each place once. */
static void test_an_invalidation_leaves_what_shares_a_place(void)
{
    VeuTlb *tlb = g_new0(VeuTlb, 1);
    Kept small = { 0x10000, small_page(0x10000, 0x5000) };
    Kept large = { UINT64_C(9) << 30, small_page(UINT64_C(9) << 30, 0) };

    large.page.bytes = UINT64_C(1) << 30;
    veu_tlb_keep(tlb, small.address, &small.page);
    veu_tlb_keep(tlb, large.address, &large.page);
    for (uint64_t range = 1; range < 8 * 8; range++) {
        veu_tlb_forget(tlb, range << 27, 15);
    }
    g_assert_true(is_kept(tlb, &small));
    g_assert_true(is_kept(tlb, &large));
    g_free(tlb);
}

/* An invalidation of any size also drops the host page of its address. */
static void test_host_pages_go_as_well(void)
{
    VeuTlb *tlb = g_new0(VeuTlb, 1);
    const uint64_t address = 0x10000;
    VeuPage page = small_page(address, 0x5000);

    for (unsigned log2_pages = 0; log2_pages < 64; log2_pages++) {
        veu_tlb_keep(tlb, address, &page);
        veu_host_pages_keep(&tlb->host_pages, address,
                            (const uint8_t *)(uintptr_t)0x7000,
                            VEU_HOST_PAGE_READ);
        g_assert_cmphex(veu_host_page_find(&tlb->host_pages, address, 4,
                                           VEU_HOST_PAGE_READ),
                        !=, 0);
        veu_tlb_forget(tlb, address, log2_pages);
        g_assert_cmphex(veu_host_page_find(&tlb->host_pages, address, 4,
                                           VEU_HOST_PAGE_READ),
                        ==, 0);
    }
    g_free(tlb);
}

/*
 * Host pages would be found after a limited TLB has forgotten their page; and
 * without a version of the host's memory they cannot be checked.
 */
static void test_a_limited_tlb_has_no_host_pages(void)
{
    VeuTlb *tlb = g_new0(VeuTlb, 1);
    VeuHost host = { .memory_version = 1 };

    g_assert_nonnull(veu_tlb_host_pages(tlb, &host));
    tlb->limit = 4;
    g_assert_null(veu_tlb_host_pages(tlb, &host));
    tlb->limit = 0;
    host.memory_version = 0;
    g_assert_null(veu_tlb_host_pages(tlb, &host));
    g_free(tlb);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/page_walk/walks_are_those_of_the_spec",
                    test_walks_are_those_of_the_spec);
    g_test_add_func("/page_walk/each_bit_of_an_entry",
                    test_each_bit_of_an_entry);
    g_test_add_func("/page_walk/large_pages", test_large_pages);
    g_test_add_func("/page_walk/an_access_changes_the_bits_of_its_page_only",
                    test_an_access_changes_the_bits_of_its_page_only);
    g_test_add_func("/page_walk/a_store_beside_the_bits_is_not_lost",
                    test_a_store_beside_the_bits_is_not_lost);
    g_test_add_func("/page_walk/an_entry_that_never_rests",
                    test_an_entry_that_never_rests);
    g_test_add_func("/page_walk/what_is_kept_is_found",
                    test_what_is_kept_is_found);
    g_test_add_func("/page_walk/what_is_invalidated_is_gone",
                    test_what_is_invalidated_is_gone);
    g_test_add_func("/page_walk/an_invalidation_leaves_the_rest",
                    test_an_invalidation_leaves_the_rest);
    g_test_add_func("/page_walk/an_entry_is_for_one_address",
                    test_an_entry_is_for_one_address);
    g_test_add_func("/page_walk/a_limit_keeps_the_newest",
                    test_a_limit_keeps_the_newest);
    g_test_add_func("/page_walk/pages_at_a_distance_of_its_reach",
                    test_pages_at_a_distance_of_its_reach);
    g_test_add_func("/page_walk/an_invalidation_leaves_what_shares_a_place",
                    test_an_invalidation_leaves_what_shares_a_place);
    g_test_add_func("/page_walk/host_pages_go_as_well",
                    test_host_pages_go_as_well);
    g_test_add_func("/page_walk/a_limited_tlb_has_no_host_pages",
                    test_a_limited_tlb_has_no_host_pages);
    return g_test_run();
}
