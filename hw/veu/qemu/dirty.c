/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pages of RAM that one thread has written since its last report. There is
 * a byte for each page, which the execution unit sets itself, and a list of the
 * blocks to check. Only written pages are marked, because under TCG a mark
 * discards translated code.
 */
#include "qemu/osdep.h"
#include "exec/memory.h"
#include "hw/veu/qemu/dirty.h"

static VeuDirtyRam *ram_at(const VeuDirty *d, unsigned i)
{
    return &g_array_index(d->rams, VeuDirtyRam, i);
}

static uintptr_t page_of(const uint8_t *host)
{
    return (uintptr_t)host >> VEU_PAGE_BITS;
}

static uintptr_t block_of(const uint8_t *host)
{
    return (uintptr_t)host >> VEU_NOTE_BITS;
}

/* The first page of the first block, which may begin before the region. */
static uintptr_t first_page(const VeuDirtyRam *ram)
{
    return block_of(ram->host) * VEU_NOTE_PAGES;
}

static VeuDirtyRam *add_ram(VeuDirty *d, MemoryRegion *mr)
{
    VeuDirtyRam ram = {
        .mr = mr,
        .host = memory_region_get_ram_ptr(mr),
        .bytes = memory_region_size(mr),
    };
    uint64_t blocks = block_of(ram.host + ram.bytes - 1) - block_of(ram.host) +
                      1;

    /* Untouched memory costs nothing. */
    ram.noted = g_malloc0(blocks * VEU_NOTE_PAGES);
    ram.listed = g_malloc0(blocks);
    ram.blocks = g_new0(uint32_t, blocks);
    g_array_append_val(d->rams, ram);
    return ram_at(d, d->rams->len - 1);
}

static VeuDirtyRam *find_ram(VeuDirty *d, MemoryRegion *mr)
{
    for (unsigned i = 0; i < d->rams->len; i++) {
        if (ram_at(d, i)->mr == mr) {
            return ram_at(d, i);
        }
    }
    return add_ram(d, mr);
}

void veu_dirty_open(VeuDirty *d, MemoryRegion *mr, VeuExtent *extent)
{
    const VeuDirtyRam *ram = find_ram(d, mr);

    extent->noted = (uintptr_t)ram->noted - first_page(ram);
    extent->listed = (uintptr_t)ram->listed - block_of(ram->host);
}

static void list_block(VeuDirty *d, VeuDirtyRam *ram, const uint8_t *host)
{
    uint32_t block = block_of(host) - block_of(ram->host);

    if (!ram->listed[block]) {
        ram->listed[block] = 1;
        ram->blocks[ram->block_count++] = block;
        d->blocks++;
    }
}

void veu_dirty_list(VeuDirty *d, const uint8_t *host)
{
    for (unsigned i = 0; i < d->rams->len; i++) {
        VeuDirtyRam *ram = ram_at(d, i);

        if ((uintptr_t)host - (uintptr_t)ram->host < ram->bytes) {
            list_block(d, ram, host);
            return;
        }
    }
}

void veu_dirty_note_all(VeuDirty *d, MemoryRegion *mr, uint8_t *host,
                        uint64_t bytes)
{
    VeuDirtyRam *ram = find_ram(d, mr);
    uintptr_t last = page_of(host + bytes - 1);

    for (uintptr_t page = page_of(host); page <= last; page++) {
        list_block(d, ram, (uint8_t *)(page << VEU_PAGE_BITS));
        ram->noted[page - first_page(ram)] = 1;
    }
}

/*
 * Tells QEMU that a mapping of [@page, @end) has ended, and drops a reference
 * to the region.
 */
static void unmap(const VeuDirtyRam *ram, AddressSpace *as, uint64_t page,
                  uint64_t end)
{
    uintptr_t base = first_page(ram) * VEU_PAGE_BYTES;
    uint8_t *from = MAX(ram->host, (uint8_t *)(base + page * VEU_PAGE_BYTES));
    uint8_t *to = MIN(ram->host + ram->bytes,
                      (uint8_t *)(base + end * VEU_PAGE_BYTES));

    memory_region_ref(ram->mr);
    address_space_unmap(as, from, to - from, true, to - from);
}

static void flush_block(VeuDirtyRam *ram, AddressSpace *as, uint32_t block)
{
    uint64_t base = (uint64_t)block * VEU_NOTE_PAGES;
    uint64_t pages = veu_noted_pages(ram->noted + base);
    unsigned first, end;

    while (veu_noted_next(&pages, &first, &end)) {
        unmap(ram, as, base + first, base + end);
    }
    memset(ram->noted + base, 0, VEU_NOTE_PAGES);
    ram->listed[block] = 0;
}

static void flush_ram(VeuDirtyRam *ram, AddressSpace *as)
{
    for (unsigned i = 0; i < ram->block_count; i++) {
        flush_block(ram, as, ram->blocks[i]);
    }
    ram->block_count = 0;
}

static void free_rams(VeuDirty *d)
{
    for (unsigned i = 0; i < d->rams->len; i++) {
        g_free(ram_at(d, i)->noted);
        g_free(ram_at(d, i)->listed);
        g_free(ram_at(d, i)->blocks);
    }
    g_array_set_size(d->rams, 0);
}

void veu_dirty_flush(VeuDirty *d, AddressSpace *as)
{
    for (unsigned i = 0; d->blocks && i < d->rams->len; i++) {
        flush_ram(ram_at(d, i), as);
    }
    d->blocks = 0;
    if (d->is_outdated) {
        free_rams(d);
        d->is_outdated = false;
    }
}

void veu_dirty_init(VeuDirty *d)
{
    d->rams = g_array_new(false, false, sizeof(VeuDirtyRam));
}

void veu_dirty_cleanup(VeuDirty *d)
{
    free_rams(d);
    g_array_unref(d->rams);
}
