/*
 * veu proofs: the dirty pages that the QEMU host reports.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "tests/proofs/proof.h"

/* RAM of up to this number of pages, anywhere in blocks of 8. */
#define RAM_PAGES  6
#define RAM_BLOCKS 2

static uint8_t noted_bytes[RAM_BLOCKS * 8];
static uint8_t listed_bytes[RAM_BLOCKS];
static uint32_t listed_blocks[RAM_BLOCKS];

/* The first call of a region requests the pages, the second one the blocks. */
static void *give_bytes(uint64_t bytes)
{
    static bool again;
    bool first = !again;

    again = true;
    PROVE(bytes <= (first ? sizeof(noted_bytes) : sizeof(listed_bytes)),
          "there are as many bytes as pages, or blocks");
    return first ? noted_bytes : listed_bytes;
}

#define g_malloc0(bytes)    give_bytes(bytes)
#define g_new0(type, count) listed_blocks
#define g_free(memory)      ((void)(memory))

void memory_region_ref(MemoryRegion *mr);
void address_space_unmap(AddressSpace *as, void *from, hwaddr bytes, bool write,
                         hwaddr written);

#include "hw/veu/qemu/dirty.c"

/* QEMU drops a reference with each unmap. */
void memory_region_ref(MemoryRegion *mr)
{
}

void g_array_set_size(GArray *array, unsigned length)
{
    array->len = length;
}

static MemoryRegion region;
static uintptr_t page; /* any page of the region */
static unsigned told;  /* the number of times that QEMU is told about it */

void address_space_unmap(AddressSpace *as, void *from, hwaddr bytes, bool write,
                         hwaddr written)
{
    uintptr_t first = (uintptr_t)from;

    PROVE(write && written == bytes && bytes, "something was written");
    PROVE(first - (uintptr_t)region.host < region.bytes &&
              bytes <= region.bytes - (first - (uintptr_t)region.host),
          "what is told of is in the region");
    told += first >> VEU_PAGE_BITS <= page &&
            page <= (first + bytes - 1) >> VEU_PAGE_BITS;
}

/* Takes a region before any RAM is known. */
static void take_region(VeuDirty *dirty)
{
    static VeuDirtyRam ram;
    static GArray rams = { .data = (char *)&ram, .element_bytes = sizeof(ram) };
    static uint8_t blocks[RAM_BLOCKS << VEU_NOTE_BITS];
    uintptr_t host = (uintptr_t)blocks + nondet_u32() % sizeof(blocks);

    *dirty = (VeuDirty){ .rams = &rams };
    region.bytes = nondet_u64();
    ASSUME(region.bytes >= 1 && region.bytes <= RAM_PAGES << VEU_PAGE_BITS);
    region.host = blocks + (host - (uintptr_t)blocks);
    ASSUME(region.bytes <= sizeof(blocks) - (host - (uintptr_t)blocks));
    page = nondet_u64();
    ASSUME(page >= host >> VEU_PAGE_BITS &&
           page <= (host + region.bytes - 1) >> VEU_PAGE_BITS);
}

/* Returns true if the access includes a byte of that page. */
static bool write_some(VeuDirty *dirty)
{
    uint64_t at = nondet_u64();
    uint64_t bytes = nondet_u64();
    uintptr_t first = (uintptr_t)region.host + at;

    ASSUME(at < region.bytes && bytes >= 1 && bytes <= region.bytes - at);
    ASSUME(bytes <= 1 << VEU_PAGE_BITS);
    veu_dirty_note_all(dirty, &region, region.host + at, bytes);
    return first >> VEU_PAGE_BITS <= page &&
           page <= (first + bytes - 1) >> VEU_PAGE_BITS;
}

void written_pages_are_told_once(void)
{
    VeuDirty dirty;
    AddressSpace as;

    take_region(&dirty);
    bool written = write_some(&dirty);

    veu_dirty_flush(&dirty, &as);
    REACHED(written && told);
    REACHED(!written && region.bytes == RAM_PAGES << VEU_PAGE_BITS);
    PROVE(told == written, "a page is told once iff it was written");
    told = 0;
    veu_dirty_list(&dirty, region.host);
    veu_dirty_flush(&dirty, &as);
    PROVE(!told, "and not again");
}

/* The execution unit marks pages by itself in this case. */
void pages_are_noted_where_they_are_looked_for(void)
{
    VeuDirty dirty;
    VeuExtent extent;

    take_region(&dirty);
    veu_dirty_open(&dirty, &region, &extent);
    const VeuDirtyRam *ram = ram_at(&dirty, 0);
    uintptr_t at = extent.noted + page - (uintptr_t)ram->noted;
    uintptr_t block = extent.listed + page / VEU_NOTE_PAGES -
                      (uintptr_t)ram->listed;

    REACHED(block == 1);
    PROVE(at / VEU_NOTE_PAGES == block, "a page is in its block");
    PROVE(first_page(ram) + at == page, "a page is where it is looked for");
    PROVE(block <=
              block_of(region.host + region.bytes - 1) - block_of(region.host),
          "and in what there is");
}
