/*
 * veu execution unit: maps of buffers in pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of host pages (host_pages.h) may change at any time, so a message
 * that uses it compares the word of each lane before it accesses anything. A
 * map is a copy of the words of one buffer, all of which were found to be
 * valid: with it, an address takes one load and one addition. It belongs to one
 * gate (mem.h), and is used until pages of the table are forgotten.
 *
 * A gate makes a map as soon as the table has all pages of a buffer. An attempt
 * without success is repeated after an increasing number of messages.
 */
#ifndef VEU_EU_PAGE_MAP_H
#define VEU_EU_PAGE_MAP_H

#include "hw/veu/eu/memory/host_pages.h"

/* The pages of the largest buffer that has a map: 2 MiB. */
#define VEU_PAGE_MAP_PAGES 512

/* The maps of a gate for reads, and for writes. */
#define VEU_PAGE_MAPS 4

/* Buffers that take turns would each time make the map of the other invalid. */
#define VEU_PAGE_MAP_DEFENDS 64

typedef struct VeuPageMap {
    uint64_t base;
    uint64_t bytes;            /* 0: there is no map */
    uint64_t permissions;      /* of all pages: VEU_HOST_PAGE_READ, WRITE */
    const VeuHostPages *pages; /* from which it was made */
    uint64_t version;          /* of the pages */
    uint32_t count;            /* of the pages of the buffer */
    uint32_t asked;            /* how often since the last attempt */
    uint32_t tried;            /* attempts since the last success */
    uint32_t defends; /* against this many requests for other buffers */
    uint32_t dirty;   /* the first pages, which are known to be dirty ... */
    uint64_t epoch;   /* ... in this epoch of the gate */
    uint64_t low;     /* host addresses [low, end) have all pages */
    uint64_t end;
    /*
     * The byte at @base + n is at distance[at / 4096] + at in host memory,
     * where at is n + base % 4096. The distance after the last one leads to the
     * sink.
     */
    uint64_t distance[VEU_PAGE_MAP_PAGES + 1];
    /* The place of lanes that access nothing. For reads, it is always 0. */
    uint64_t sink;
} VeuPageMap;

/* Returns true if a buffer is small enough for a map. */
VEU_CLONED bool veu_page_map_fits(uint64_t base, uint64_t bytes)
{
    return bytes <= (uint64_t)VEU_PAGE_MAP_PAGES * VEU_HOST_PAGE_BYTES -
                        base % VEU_HOST_PAGE_BYTES;
}

/* Returns true if no page was forgotten since @map was made of @pages. */
VEU_CLONED bool veu_page_map_is_current(const VeuPageMap *map,
                                        const VeuHostPages *pages)
{
    return map->pages == pages && map->version == veu_host_pages_version(pages);
}

/*
 * Returns true if @map is that of the buffer of @bytes, at least one, at @base,
 * with all permissions of @needs. Such a use keeps the map in its place.
 */
VEU_CLONED bool veu_page_map_use(VeuPageMap *map, const VeuHostPages *pages,
                                 uint64_t base, uint64_t bytes, uint64_t needs)
{
    if (map->base != base || map->bytes != bytes || needs & ~map->permissions ||
        !veu_page_map_is_current(map, pages)) {
        return false;
    }
    map->defends = VEU_PAGE_MAP_DEFENDS;
    return true;
}

/*
 * Makes @map that of a buffer of at least one byte, unless it is. Returns false
 * if @pages lacks a page or a permission of @needs, if it is too soon to try
 * again, or if @map is that of another buffer, which was used more recently.
 */
bool veu_page_map_make(VeuPageMap *map, const VeuHostPages *pages,
                       uint64_t base, uint64_t bytes, uint64_t needs);

/* The host address of page @n of the buffer. */
VEU_CLONED uint64_t veu_page_map_host(const VeuPageMap *map, uint32_t n)
{
    return map->distance[n] + n * (uint64_t)VEU_HOST_PAGE_BYTES;
}

#endif
