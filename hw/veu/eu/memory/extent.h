/*
 * veu execution unit: access through extents, the inline part of the gate.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * memory/mem.h explains extents, dirty bytes, and how long they are valid. This
 * code runs in the loops of fast paths, so it is compiled into each of their
 * clones.
 */
#ifndef VEU_EU_EXTENT_H
#define VEU_EU_EXTENT_H

#include "hw/veu/eu/memory/mem.h"

/* Returns true if [iova, iova + bytes) is in the extent. */
VEU_CLONED bool veu_extent_has(const VeuExtent *extent, uint64_t iova,
                               uint64_t bytes)
{
    uint64_t at = iova - extent->iova;

    return at < extent->bytes && bytes <= extent->bytes - at;
}

/* The host address of @iova, which is in the extent. */
VEU_CLONED uint8_t *veu_extent_at(const VeuExtent *extent, uint64_t iova)
{
    return extent->host + (iova - extent->iova);
}

VEU_CLONED const VeuExtent *veu_mem_find(VeuMem *mem, uint64_t iova,
                                         uint64_t bytes, enum veu_access access)
{
    const VeuExtent *last = &mem->kept[access == VEU_ACCESS_WRITE].last;

    return veu_extent_has(last, iova, bytes) ?
               last :
               veu_mem_look(mem, iova, bytes, access);
}

/*
 * Like veu_mem_find(), for a buffer of which a message may access any part, or
 * none.
 */
VEU_CLONED const VeuExtent *veu_mem_find_buffer(VeuMem *mem, uint64_t iova,
                                                uint64_t bytes,
                                                enum veu_access access)
{
    const VeuExtent *last = &mem->kept[access == VEU_ACCESS_WRITE].last;

    return veu_extent_has(last, iova, bytes) ?
               last :
               veu_mem_look_buffer(mem, iova, bytes, access);
}

/*
 * The buffer that is kept for the surface with this index, if it is that at
 * @base; otherwise NULL.
 */
VEU_CLONED const VeuMemBuffer *veu_mem_kept_buffer(const VeuMem *mem,
                                                   unsigned surface,
                                                   uint64_t base,
                                                   uint64_t bytes,
                                                   enum veu_access access)
{
    const VeuMemBuffer *b = &mem->kept[access == VEU_ACCESS_WRITE]
                                 .buffer[surface % VEU_MEM_BUFFERS];

    return b->base == base && b->bytes == bytes && bytes ? b : NULL;
}

/* The extent of a buffer that is kept for the surface with this index. */
VEU_CLONED const VeuExtent *veu_mem_kept_extent(const VeuMem *mem,
                                                unsigned surface,
                                                enum veu_access access)
{
    return &mem->kept[access == VEU_ACCESS_WRITE]
                .buffer_extent[surface % VEU_MEM_BUFFERS];
}

/*
 * The extent of a buffer, if it is the one that was found last or the one that
 * is kept for the surface with this index. NULL: the buffer must be looked up.
 */
VEU_CLONED const VeuExtent *veu_mem_known_extent(const VeuMem *mem,
                                                 unsigned surface,
                                                 uint64_t base, uint64_t bytes,
                                                 enum veu_access access)
{
    const VeuExtent *last = &mem->kept[access == VEU_ACCESS_WRITE].last;

    return veu_extent_has(last, base, bytes) ?
               last :
           veu_mem_kept_buffer(mem, surface, base, bytes, access) ?
               veu_mem_kept_extent(mem, surface, access) :
               NULL;
}

/*
 * The map of a buffer of at least one byte, or NULL: messages then look up each
 * lane. @needs is as for veu_mem_look_at(). The gate has host pages.
 */
VEU_CLONED VeuPageMap *veu_mem_find_map(VeuMem *mem, uint64_t base,
                                        uint64_t bytes, uint64_t needs)
{
    bool is_write = needs & VEU_HOST_PAGE_WRITE;
    /* buffers at usual distances have different maps */
    uint64_t hash = base >> 12 ^ base >> 16 ^ base >> 20;
    VeuPageMap *map = &mem->maps[is_write][hash % VEU_PAGE_MAPS];

    return veu_page_map_use(map, mem->host_pages, base, bytes, needs) ?
               map :
               veu_mem_make_map(mem, map, base, bytes, needs);
}

/*
 * Returns true if all pages of @map, which is for writes, are dirty. If not,
 * the code that writes marks the pages of its lanes.
 */
VEU_CLONED bool veu_mem_map_is_dirty(VeuMem *mem, VeuPageMap *map)
{
    return (map->dirty == map->count && map->epoch == mem->epoch) ||
           veu_mem_look_map_dirty(mem, map);
}

/* Returns true if [host, host + bytes) is in mem->written. */
VEU_CLONED bool veu_mem_has_written(const VeuMem *mem, const uint8_t *host,
                                    uint64_t bytes)
{
    uint64_t at = (uintptr_t)host - (uintptr_t)mem->written.host;

    return at < mem->written.bytes && bytes <= mem->written.bytes - at;
}

VEU_CLONED bool veu_mem_is_listed(const VeuExtent *extent, const uint8_t *host)
{
    return *(const uint8_t *)(extent->listed +
                              ((uintptr_t)host >> VEU_NOTE_BITS));
}

/*
 * Like veu_mem_list_blocks(), for at most a few blocks: does nothing where the
 * first and the last of them are listed.
 */
VEU_CLONED void veu_mem_list(VeuMem *mem, const VeuExtent *extent,
                             uint8_t *host, uint64_t bytes)
{
    if (extent->listed && !(veu_mem_is_listed(extent, host) &&
                            veu_mem_is_listed(extent, host + bytes - 1) &&
                            bytes <= 1u << VEU_NOTE_BITS)) {
        veu_mem_list_blocks(mem, extent, host, bytes);
    }
}

/*
 * Like veu_mem_list_blocks(), for memory that is written repeatedly: remembers
 * the range that it has listed last.
 */
VEU_CLONED void veu_mem_list_all(VeuMem *mem, const VeuExtent *extent,
                                 uint8_t *host, uint64_t bytes)
{
    const uintptr_t block_bytes = (uintptr_t)1 << VEU_NOTE_BITS;
    const VeuMemListed *l = &mem->listed;
    uintptr_t at = (uintptr_t)host - l->start;

    if (extent->listed &&
        !(l->in == extent->listed && at < l->bytes && bytes <= l->bytes - at)) {
        veu_mem_list_blocks(mem, extent, host, bytes);
        mem->listed.in = extent->listed;
        mem->listed.start = (uintptr_t)host & -block_bytes;
        mem->listed.bytes = (((uintptr_t)host + bytes - 1) |
                             (block_bytes - 1)) -
                            mem->listed.start + 1;
    }
}

/*
 * Returns true if all pages of [host, host + bytes) are in the range of pages
 * that were found to be dirty.
 */
VEU_CLONED bool veu_mem_knows_noted(const VeuMem *mem, const VeuExtent *extent,
                                    const uint8_t *host, uint64_t bytes)
{
    const VeuMemNoted *n = &mem->noted;

    return n->in == extent->noted &&
           (uintptr_t)host >> VEU_PAGE_BITS >= n->page &&
           ((uintptr_t)host + bytes - 1) >> VEU_PAGE_BITS < n->end;
}

/*
 * Like veu_mem_knows_noted(), but scans for a larger range where it does not
 * know. After an unsuccessful scan it skips the next ones: a program that
 * writes at random has soon made all pages dirty.
 */
VEU_CLONED bool veu_mem_is_noted(VeuMem *mem, const VeuExtent *extent,
                                 const uint8_t *host, uint64_t bytes)
{
    if (veu_mem_knows_noted(mem, extent, host, bytes)) {
        return true;
    }
    if (mem->noted.skip) {
        mem->noted.skip--;
        return false;
    }
    return veu_mem_look_noted(mem, extent, host, bytes);
}

/* The bytes of a block's pages, each 0 or 1, as a mask. */
static inline uint64_t veu_noted_pages(const uint8_t *noted)
{
    uint64_t pages = 0;

    for (unsigned i = 0; i < VEU_NOTE_PAGES; i += 8) {
        uint64_t eight;

        memcpy(&eight, noted + i, sizeof(eight));
        pages |= (eight * UINT64_C(0x0102040810204080) >> 56) << i;
    }
    return pages;
}

/*
 * Removes the lowest run of set bits from @pages: [first, end). Returns false
 * if no bit is set.
 */
static inline bool veu_noted_next(uint64_t *pages, unsigned *first,
                                  unsigned *end)
{
    uint64_t after;

    if (!*pages) {
        return false;
    }
    *first = __builtin_ctzll(*pages);
    after = ~(*pages | ((UINT64_C(1) << *first) - 1));
    *end = after ? __builtin_ctzll(after) : 64;
    *pages &= after ? -(UINT64_C(1) << *end) : 0;
    return true;
}

/* Marks the pages of [host, host + bytes), which are in @extent, as dirty. */
VEU_CLONED void veu_mem_note(VeuMem *mem, const VeuExtent *extent,
                             uint8_t *host, uint32_t bytes)
{
    uintptr_t page = (uintptr_t)host >> VEU_PAGE_BITS;
    uintptr_t last = (uintptr_t)(host + bytes - 1) >> VEU_PAGE_BITS;

    veu_mem_list(mem, extent, host, bytes);
    for (; extent->noted && page <= last; page++) {
        *(uint8_t *)(extent->noted + page) = 1;
    }
}

/*
 * The host address of [iova, iova + bytes), whose pages are marked as dirty if
 * @access is a write. NULL if no single extent has all of these bytes.
 */
VEU_CLONED uint8_t *veu_mem_at(VeuMem *mem, uint64_t iova, uint32_t bytes,
                               enum veu_access access)
{
    const bool is_write = access == VEU_ACCESS_WRITE;
    const VeuExtent *last = &mem->kept[is_write].last;
    uint8_t *host;

    if (!veu_extent_has(last, iova, bytes)) {
        return veu_mem_look_at(mem, iova, bytes,
                               is_write ? VEU_HOST_PAGE_WRITE :
                                          VEU_HOST_PAGE_READ);
    }
    host = veu_extent_at(last, iova);
    if (is_write) {
        veu_mem_note(mem, last, host, bytes);
    }
    return host;
}

/*
 * Like veu_mem_at(), for messages that are faster once the pages of their lanes
 * are known (host_pages.h). In a page of 2 MiB, that was found last as a whole,
 * each part becomes known with its first access.
 */
VEU_CLONED uint8_t *veu_mem_lane_at(VeuMem *mem, uint64_t iova, uint32_t bytes,
                                    enum veu_access access)
{
    bool is_write = access == VEU_ACCESS_WRITE;

    return mem->host_pages &&
                   mem->kept[is_write].last.page_bits == VEU_MEM_BLOCK_BITS ?
               veu_mem_look_at(mem, iova, bytes,
                               is_write ? VEU_HOST_PAGE_WRITE :
                                          VEU_HOST_PAGE_READ) :
               veu_mem_at(mem, iova, bytes, access);
}

/*
 * Like veu_mem_at() for a word that is read and written; also returns NULL if
 * the word is not known to be readable.
 */
VEU_CLONED uint8_t *veu_mem_at_both(VeuMem *mem, uint64_t iova, uint32_t bytes)
{
    const VeuExtent *last = &mem->kept[1].last;

    return veu_extent_has(last, iova, bytes) && !last->write_only ?
               veu_mem_at(mem, iova, bytes, VEU_ACCESS_WRITE) :
               veu_mem_look_at(mem, iova, bytes,
                               VEU_HOST_PAGE_READ | VEU_HOST_PAGE_WRITE);
}

#endif
