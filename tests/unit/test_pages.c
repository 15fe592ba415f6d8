/*
 * veu unit tests: messages in a context of page tables, whose pages are known:
 * hw/veu/eu/message/fast_pages.h, page_lanes.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An extent is a page here. Pages are apart in host memory, so that an access
 * that continues in the next page finds other bytes, or they are adjacent, so
 * that ranges of dirty pages become longer.
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define BIG       UINT64_C(0x1000000)
#define BIG_PAGES 24
#define BIG_BYTES (BIG_PAGES * TEST_PAGE_BYTES)
#define ROUNDS    1500

/* A message whose lanes each access @count pieces of @unit bytes. */
typedef struct Form {
    TestKind kind;
    uint8_t block_size;
    uint8_t num_blocks;
    uint8_t unit;
    uint8_t count;
    bool addresses;
    bool stores;
} Form;

static const Form forms[] = {
    { TEST_SVM_GATHER, 1, 0, 4, 1, true, false },
    { TEST_SVM_GATHER, 2, 0, 8, 1, true, false },
    { TEST_SVM_GATHER, 1, 2, 4, 4, true, false },
    { TEST_SVM_GATHER, 2, 1, 8, 2, true, false },
    { TEST_SVM_GATHER4_SCALED, 0, 0, 4, 4, true, false },
    { TEST_SVM_SCATTER, 1, 0, 4, 1, true, true },
    { TEST_SVM_SCATTER, 2, 0, 8, 1, true, true },
    { TEST_SVM_SCATTER, 1, 2, 4, 4, true, true },
    { TEST_SVM_SCATTER, 2, 1, 8, 2, true, true },
    { TEST_SVM_SCATTER4_SCALED, 0, 0, 4, 4, true, true },
    { TEST_GATHER_SCALED, 0, 2, 4, 1, false, false },
    { TEST_SCATTER_SCALED, 0, 2, 4, 1, false, true },
    { TEST_GATHER4_SCALED, 0, 0, 4, 4, false, false },
    { TEST_SCATTER4_SCALED, 0, 0, 4, 4, false, true },
    { TEST_QW_GATHER, 0, 0, 8, 1, false, false },
    { TEST_QW_SCATTER, 0, 0, 8, 1, false, true },
};

typedef struct Paged {
    EuFixture *eu;
    unsigned surface;
    const Form *form;
    unsigned lanes;
    uint8_t memory[BIG_BYTES]; /* as expected */
    bool written[BIG_PAGES];   /* since the last flush */
    uint64_t at[VEU_MAX_LANES];
} Paged;

static Paged *paged_new(bool joined)
{
    Paged *p = g_new0(Paged, 1);

    p->eu = eu_standard();
    p->eu->memory.joined = joined;
    test_memory_add(&p->eu->memory, BIG, BIG_BYTES, true);
    test_memory_set_paged(&p->eu->memory);
    p->surface = eu_buffer(p->eu, BIG, BIG_BYTES);
    for (unsigned i = 0; i < BIG_BYTES; i++) {
        p->memory[i] = i * 11 + i / 256;
    }
    test_memory_put(&p->eu->memory, BIG, p->memory, BIG_BYTES);
    return p;
}

static void paged_free(Paged *p)
{
    eu_free(p->eu);
    g_free(p);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Paged, paged_free)

static TestMessage message_of(Paged *p, const Form *form, unsigned lanes)
{
    TestMessage m = eu_message(form->kind);

    p->form = form;
    p->lanes = lanes;
    m.exec = __builtin_ctz(lanes);
    m.block_size = form->block_size;
    m.num_blocks = form->num_blocks;
    m.surface = p->surface;
    return m;
}

static void set_place(Paged *p, unsigned lane, uint64_t at)
{
    p->at[lane] = at;
    if (p->form->addresses) {
        eu_set64(p->eu, EU_ADDRESSES_AT, lane, BIG + at);
    } else {
        eu_set32(p->eu, EU_OFFSETS_AT, lane, at);
    }
}

/* Near the border of two pages, or anywhere. */
static uint64_t any_place(const Paged *p)
{
    unsigned page = g_test_rand_int_range(1, BIG_PAGES - 1);
    int near = g_test_rand_int_range(-3, 3) * p->form->unit;
    int any = g_test_rand_int_range(0, TEST_PAGE_BYTES / 8) * 8;

    return page * TEST_PAGE_BYTES + (g_test_rand_int_range(0, 8) ? near : any);
}

static bool is_on(const Paged *p, unsigned lane)
{
    return p->eu->thread.exec_mask >> lane & 1;
}

/* Piece @j of a lane is in the registers after those of the lanes before. */
static uint8_t *piece_data(const Paged *p, unsigned lane, unsigned j)
{
    return p->eu->registers + EU_DATA_AT +
           (j * p->lanes + lane) * p->form->unit;
}

static void expect_stores(Paged *p)
{
    for (unsigned n = 0; n < p->lanes; n++) {
        for (unsigned j = 0; is_on(p, n) && j < p->form->count; j++) {
            uint64_t at = p->at[n] + j * p->form->unit;

            memcpy(p->memory + at, piece_data(p, n, j), p->form->unit);
            p->written[at / TEST_PAGE_BYTES] = true;
        }
    }
}

static void assert_loads(const Paged *p)
{
    for (unsigned n = 0; n < p->lanes; n++) {
        for (unsigned j = 0; is_on(p, n) && j < p->form->count; j++) {
            g_assert_cmpmem(piece_data(p, n, j), p->form->unit,
                            p->memory + p->at[n] + j * p->form->unit,
                            p->form->unit);
        }
    }
}

static void assert_memory(const Paged *p)
{
    const TestMemory *m = &p->eu->memory;
    unsigned first = m->count - BIG_PAGES;

    for (unsigned i = 0; i < BIG_PAGES; i++) {
        g_assert_true(!memcmp(m->page[first + i].bytes,
                              p->memory + i * TEST_PAGE_BYTES,
                              TEST_PAGE_BYTES));
        g_assert_true(test_memory_is_noted(m, first + i) || !p->written[i]);
    }
}

static void run_any(Paged *p)
{
    const Form *form = &forms[g_test_rand_int_range(0, G_N_ELEMENTS(forms))];
    TestMessage m = message_of(p, form, 8 << g_test_rand_bit());

    p->eu->thread.exec_mask = g_test_rand_bit() ? UINT32_MAX :
                                                  (uint32_t)g_test_rand_int();
    for (unsigned n = 0; n < p->lanes; n++) {
        set_place(p, n, any_place(p));
        for (unsigned j = 0; form->stores && j < form->count; j++) {
            *piece_data(p, n, j) = g_test_rand_int();
        }
    }
    if (form->stores) {
        expect_stores(p);
    }
    g_assert_true(eu_run(p->eu, &m));
    if (!form->stores) {
        assert_loads(p);
    }
}

/* From time to time, the host takes what is dirty. */
static void check_pages(bool joined)
{
    g_autoptr(Paged) p = paged_new(joined);

    for (unsigned round = 0; round < ROUNDS; round++) {
        run_any(p);
        assert_memory(p);
        if (g_test_rand_int_range(0, 12) == 0) {
            veu_mem_forget(&p->eu->memory.mem);
            test_memory_forget_notes(&p->eu->memory);
            memset(p->written, 0, sizeof(p->written));
        }
    }
}

static void test_pages_that_are_apart(void)
{
    check_pages(false);
}

static void test_pages_that_are_adjacent(void)
{
    check_pages(true);
}

/* Runs twice, so that all pages are known. */
static void begin_known(Paged *p, const TestMessage *m)
{
    for (unsigned n = 0; n < p->lanes; n++) {
        set_place(p, n, n * TEST_PAGE_BYTES + 64);
    }
    g_assert_true(eu_run(p->eu, m));
    g_assert_true(eu_run(p->eu, m));
}

static void check_bits(Paged *p, const Form *form, unsigned lanes)
{
    TestMessage m = message_of(p, form, lanes);

    begin_known(p, &m);
    for (unsigned bit = 17; bit < 64; bit++) {
        unsigned odd = bit % lanes;
        uint64_t right = p->at[odd];
        uint64_t wrong = (BIG + right) ^ UINT64_C(1) << bit;

        set_place(p, odd, wrong - BIG);
        g_assert_false(eu_run(p->eu, &m));
        eu_assert_faulted(p->eu, VEU_FAULT_ADDRESS, odd, 0, wrong);
        set_place(p, odd, right);
    }
}

/* One bit of the address of one lane differs from that of a known page. */
static void test_addresses_that_differ_in_a_bit(void)
{
    g_autoptr(Paged) p = paged_new(false);

    for (unsigned i = 0; i < G_N_ELEMENTS(forms); i++) {
        for (unsigned lanes = 8; lanes <= 16 && forms[i].addresses;
             lanes *= 2) {
            check_bits(p, &forms[i], lanes);
        }
    }
}

/*
 * All lanes store to page 5 until it is known to be dirty. Then one of them is
 * right before it, or right after it.
 */
static void check_next_page(const Form *form, unsigned lanes, unsigned odd,
                            bool after)
{
    const uint64_t page = 5 * TEST_PAGE_BYTES;
    g_autoptr(Paged) p = paged_new(true);
    TestMessage m = message_of(p, form, lanes);

    for (unsigned times = 0; times < 40; times++) {
        uint64_t at = (times < 3 ? 4 + times : 5) * TEST_PAGE_BYTES;

        for (unsigned n = 0; n < lanes; n++) {
            set_place(p, n, at + n * 64);
        }
        if (times == 3) { /* pages 4 and 6 are known, too, but not dirty */
            test_memory_forget_notes(&p->eu->memory);
            memset(p->written, 0, sizeof(p->written));
        }
        expect_stores(p);
        g_assert_true(eu_run(p->eu, &m));
    }
    set_place(p, odd,
              after ? page + TEST_PAGE_BYTES : page - form->unit * form->count);
    expect_stores(p);
    g_assert_true(eu_run(p->eu, &m));
    assert_memory(p);
}

static void test_the_page_next_to_a_dirty_one(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(forms); i++) {
        for (unsigned odd = 0; odd < 16 && forms[i].stores; odd++) {
            check_next_page(&forms[i], 16, odd, false);
            check_next_page(&forms[i], 16, odd, true);
        }
        for (unsigned odd = 0; odd < 8 && forms[i].stores; odd++) {
            check_next_page(&forms[i], 8, odd, false);
            check_next_page(&forms[i], 8, odd, true);
        }
    }
}

/* A lane that is not aligned faults, although its page is known. */
static void test_atomics_that_are_not_aligned(void)
{
    static const Form form = { TEST_SVM_ATOMIC, 0, 0, 4, 1, true, true };
    g_autoptr(Paged) p = paged_new(true);
    TestMessage m = message_of(p, &form, 8);

    begin_known(p, &m);
    for (unsigned odd = 0; odd < 8; odd++) {
        uint64_t right = p->at[odd];

        set_place(p, odd, right + 2);
        g_assert_false(eu_run(p->eu, &m));
        eu_assert_faulted(p->eu, VEU_FAULT_ALIGNMENT, odd, 0, BIG + right + 2);
        set_place(p, odd, right);
    }
}

/* Offsets in a buffer of more than 4 GiB do not wrap to its beginning. */
static void test_elements_beyond_4_gib(void)
{
    static const TestKind kinds[] = { TEST_GATHER, TEST_SCATTER };
    const uint32_t index = 1u << 30;
    struct veu_surface s = { .base = BIG,
                             .format = VEU_FORMAT_R32_UINT,
                             .type = VEU_SURFACE_BUFFER,
                             .width = index + 64 };
    g_autoptr(Paged) p = paged_new(false);
    unsigned surface = eu_surface(p->eu, &s);

    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(kinds); i++) {
        TestMessage m = eu_message(kinds[i / 2]);

        m.surface = surface;
        m.num_elts = i % 2;
        for (unsigned n = 0; n < 16; n++) {
            eu_set32(p->eu, EU_OFFSETS_AT, n, n);
        }
        g_assert_true(eu_run(p->eu, &m));
        eu_set32(p->eu, EU_OFFSETS_AT, 3, index + 3);
        g_assert_false(eu_run(p->eu, &m));
        eu_assert_faulted(p->eu, VEU_FAULT_ADDRESS, 3, 0,
                          BIG + (index + UINT64_C(3)) * 4);
    }
}

/*
 * A buffer whose base differs from a known one in a bit that words of pages do
 * not hold is not that buffer.
 */
static void check_base(Paged *p, const Form *form, unsigned bit)
{
    const uint64_t base = BIG | UINT64_C(1) << bit;
    TestMessage m = message_of(p, form, 8);

    begin_known(p, &m);
    m.surface = eu_buffer(p->eu, base, BIG_BYTES);
    g_assert_false(eu_run(p->eu, &m));
    eu_assert_faulted(p->eu, VEU_FAULT_ADDRESS, 0, 0, base + p->at[0]);
}

static void test_buffers_beyond_48_bits(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(forms); i++) {
        for (unsigned bit = 48; bit < 64 && !forms[i].addresses; bit++) {
            g_autoptr(Paged) p = paged_new(false);

            check_base(p, &forms[i], bit);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/pages/" #name, test_##name)
    RULE(pages_that_are_apart);
    RULE(pages_that_are_adjacent);
    RULE(addresses_that_differ_in_a_bit);
    RULE(the_page_next_to_a_dirty_one);
    RULE(atomics_that_are_not_aligned);
    RULE(elements_beyond_4_gib);
    RULE(buffers_beyond_48_bits);
#undef RULE
    return g_test_run();
}
