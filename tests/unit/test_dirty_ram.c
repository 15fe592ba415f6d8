/*
 * veu unit tests: written pages, as QEMU is told of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The test plays the part of QEMU for hw/veu/qemu/dirty.c: a page that is not
 * reported would be lost by a migration, and one that is reported again costs
 * time.
 */
#include "qemu/osdep.h"
#include "hw/veu/qemu/dirty.c"

#define PAGE  VEU_PAGE_BYTES
#define BLOCK (VEU_NOTE_PAGES * PAGE)

/* ---- QEMU ---- */

struct MemoryRegion {
    uint8_t *host;
    uint64_t bytes;
    unsigned references;
};

struct AddressSpace {
    unsigned reports;
    uint8_t *from[8];
    uint64_t bytes[8];
    MemoryRegion *mr; /* of the reports */
};

void *memory_region_get_ram_ptr(MemoryRegion *mr)
{
    return mr->host;
}

uint64_t memory_region_size(MemoryRegion *mr)
{
    return mr->bytes;
}

void memory_region_ref(MemoryRegion *mr)
{
    mr->references++;
}

/* It drops a reference, too. */
void address_space_unmap(AddressSpace *as, void *from, hwaddr bytes,
                         bool is_write, hwaddr written)
{
    g_assert_true(is_write);
    g_assert_cmpuint(written, ==, bytes);
    g_assert_cmpuint(as->reports, <, G_N_ELEMENTS(as->from));
    g_assert_cmpuint(as->mr->references, ==, 1);
    as->mr->references--;
    as->from[as->reports] = from;
    as->bytes[as->reports++] = bytes;
}

/* ---- regions ---- */

/* A region that begins @offset after the beginning of a block. */
static MemoryRegion make_region(uint64_t offset, uint64_t bytes)
{
    uint64_t blocks = (offset + bytes + BLOCK - 1) / BLOCK;

    return (MemoryRegion){
        .host = (uint8_t *)aligned_alloc(BLOCK, blocks * BLOCK) + offset,
        .bytes = bytes,
    };
}

static void free_region(MemoryRegion *mr)
{
    free((void *)((uintptr_t)mr->host & -(uintptr_t)BLOCK));
}

/* Writes as the execution unit does. */
static void write_page(VeuDirty *d, MemoryRegion *mr, uint64_t offset)
{
    uint8_t *at = mr->host + offset;
    VeuExtent extent = { 0 };

    veu_dirty_open(d, mr, &extent);
    if (!*(uint8_t *)(extent.listed + ((uintptr_t)at >> VEU_NOTE_BITS))) {
        veu_dirty_list(d, at);
    }
    *(uint8_t *)(extent.noted + ((uintptr_t)at >> VEU_PAGE_BITS)) = 1;
}

/* Asserts that a flush reports [@offset, @offset + @bytes) and no more. */
static void assert_reports(VeuDirty *d, MemoryRegion *mr, uint64_t offset,
                           uint64_t bytes)
{
    AddressSpace as = { .mr = mr };

    veu_dirty_flush(d, &as);
    g_assert_cmpuint(as.reports, ==, 1);
    g_assert_true(as.from[0] == mr->host + offset);
    g_assert_cmpuint(as.bytes[0], ==, bytes);
}

static void assert_reports_nothing(VeuDirty *d)
{
    AddressSpace as = { 0 };

    veu_dirty_flush(d, &as);
    g_assert_cmpuint(as.reports, ==, 0);
    g_assert_cmpuint(d->blocks, ==, 0);
}

/* ---- tests ---- */

static void test_a_page_is_reported_once_for_each_write(void)
{
    MemoryRegion mr = make_region(0, 2 * BLOCK);
    VeuDirty d = { 0 };

    veu_dirty_init(&d);
    for (unsigned i = 0; i < 3; i++) {
        write_page(&d, &mr, 5 * PAGE + i);
        write_page(&d, &mr, 5 * PAGE + 100);
        g_assert_cmpuint(d.blocks, ==, 1);
        assert_reports(&d, &mr, 5 * PAGE, PAGE);
        assert_reports_nothing(&d);
        write_page(&d, &mr, 7 * PAGE);
        assert_reports(&d, &mr, 7 * PAGE, PAGE);
    }
    veu_dirty_cleanup(&d);
    free_region(&mr);
}

/* It begins and ends within blocks, and within a page. */
static void test_reports_are_in_the_region(void)
{
    const uint64_t bytes = BLOCK + 2 * PAGE + 100;
    MemoryRegion mr = make_region(3 * PAGE, bytes);
    VeuDirty d = { 0 };
    AddressSpace as = { .mr = &mr };

    veu_dirty_init(&d);
    write_page(&d, &mr, 0);
    assert_reports(&d, &mr, 0, PAGE);
    write_page(&d, &mr, bytes - 1);
    assert_reports(&d, &mr, bytes - 100, 100);
    veu_dirty_note_all(&d, &mr, mr.host + 1, bytes - 1);
    g_assert_cmpuint(d.blocks, ==, 2);
    veu_dirty_flush(&d, &as);
    g_assert_cmpuint(as.reports, ==, 2);
    g_assert_true(as.from[0] == mr.host);
    g_assert_true(as.from[1] == mr.host + BLOCK - 3 * PAGE);
    g_assert_cmpuint(as.bytes[0] + as.bytes[1], ==, bytes);
    veu_dirty_cleanup(&d);
    free_region(&mr);
}

static void test_pages_between_are_not_reported(void)
{
    MemoryRegion mr = make_region(0, BLOCK);
    VeuDirty d = { 0 };
    AddressSpace as = { .mr = &mr };

    veu_dirty_init(&d);
    veu_dirty_note_all(&d, &mr, mr.host + PAGE, 2 * PAGE);
    veu_dirty_note_all(&d, &mr, mr.host + 4 * PAGE - 1, 2);
    veu_dirty_note_all(&d, &mr, mr.host + BLOCK - 1, 1);
    veu_dirty_flush(&d, &as);
    g_assert_cmpuint(as.reports, ==, 2);
    g_assert_true(as.from[0] == mr.host + PAGE);
    g_assert_cmpuint(as.bytes[0], ==, 4 * PAGE);
    g_assert_true(as.from[1] == mr.host + BLOCK - PAGE);
    g_assert_cmpuint(as.bytes[1], ==, PAGE);
    veu_dirty_cleanup(&d);
    free_region(&mr);
}

static void test_regions_are_told_apart(void)
{
    MemoryRegion mr[] = { make_region(0, BLOCK), make_region(0, BLOCK) };
    VeuDirty d = { 0 };

    veu_dirty_init(&d);
    for (unsigned i = 0; i < 4; i++) {
        write_page(&d, &mr[i % 2], i * PAGE);
        assert_reports(&d, &mr[i % 2], i * PAGE, PAGE);
    }
    g_assert_cmpuint(d.rams->len, ==, 2);
    veu_dirty_cleanup(&d);
    free_region(&mr[0]);
    free_region(&mr[1]);
}

/* What is written before that is reported; then another may take its place. */
static void test_an_outdated_region_is_forgotten(void)
{
    MemoryRegion mr = make_region(0, BLOCK);
    MemoryRegion old = mr;
    VeuDirty d = { 0 };

    veu_dirty_init(&d);
    write_page(&d, &mr, PAGE);
    d.is_outdated = true;
    assert_reports(&d, &mr, PAGE, PAGE);
    g_assert_cmpuint(d.rams->len, ==, 0);
    mr = make_region(PAGE, 4 * BLOCK);
    for (unsigned i = 0; i < 2; i++) {
        write_page(&d, &mr, 3 * BLOCK);
        assert_reports(&d, &mr, 3 * BLOCK, PAGE);
        g_assert_cmpuint(d.rams->len, ==, 1);
    }
    veu_dirty_cleanup(&d);
    free_region(&mr);
    free_region(&old);
}

#define ADD(test) g_test_add_func("/dirty-ram/" #test, test_##test)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD(a_page_is_reported_once_for_each_write);
    ADD(reports_are_in_the_region);
    ADD(pages_between_are_not_reported);
    ADD(regions_are_told_apart);
    ADD(an_outdated_region_is_forgotten);
    return g_test_run();
}
