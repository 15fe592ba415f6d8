/*
 * veu execution unit: maps of buffers in pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/param.h>
#include "hw/veu/eu/memory/page_map.h"

/* After n attempts without success, 2^n requests pass, but at most 2^this. */
#define MAX_PATIENCE 10

/* Pages of one tag and one hash: 16 MiB. */
#define TAG_PAGES 4096u

/* Returns true if the map of another buffer keeps its place for now. */
static bool is_defended(VeuPageMap *map, const VeuHostPages *pages)
{
    if (!map->bytes || !veu_page_map_is_current(map, pages) || !map->defends) {
        return false;
    }
    map->defends--;
    return true;
}

static uint64_t count_pages(uint64_t base, uint64_t bytes)
{
    return (base % VEU_HOST_PAGE_BYTES + bytes - 1) / VEU_HOST_PAGE_BYTES + 1;
}

static bool is_due(VeuPageMap *map)
{
    if (++map->asked < 1u << map->tried) {
        return false;
    }
    map->asked = 0;
    if (map->tried < MAX_PATIENCE) {
        map->tried++;
    }
    return true;
}

/*
 * Copies the words of pages @from to @end of the map, which have one tag. The
 * buffer begins in page number @first. Removes permissions from the map that a
 * page does not have.
 */
static bool copy_words(VeuPageMap *map, const VeuHostPages *pages,
                       uint64_t first, uint64_t from, uint64_t end,
                       uint64_t needs)
{
    uint64_t address = (first + from) * VEU_HOST_PAGE_BYTES;
    uint64_t expected = veu_host_page_tag(address) | needs;
    uint64_t hash = (first + from) ^ veu_host_page_place(address);

    for (uint64_t i = from; i < end; i++) {
        uint64_t place = ((first + i) ^ hash) & (VEU_HOST_PAGES - 1);
        uint64_t word = __atomic_load_n(&pages->word[place], __ATOMIC_RELAXED);

        if ((word ^ expected) & (VEU_HOST_PAGE_TAG | needs)) {
            return false;
        }
        map->distance[i] = (word & VEU_HOST_PAGE_HOST) -
                           i * VEU_HOST_PAGE_BYTES;
        map->permissions &= word;
    }
    return true;
}

static bool copy_all(VeuPageMap *map, const VeuHostPages *pages, uint64_t first,
                     uint64_t count, uint64_t needs)
{
    uint64_t from = 0;

    while (from < count) {
        uint64_t left = TAG_PAGES - (first + from) % TAG_PAGES;
        uint64_t end = MIN(from + left, count);

        if (!copy_words(map, pages, first, from, end, needs)) {
            return false;
        }
        from = end;
    }
    return true;
}

static void measure(VeuPageMap *map)
{
    map->low = UINT64_MAX;
    map->end = 0;
    for (uint32_t i = 0; i < map->count; i++) {
        uint64_t host = veu_page_map_host(map, i);

        map->low = MIN(map->low, host);
        map->end = MAX(map->end, host + VEU_HOST_PAGE_BYTES);
    }
}

bool veu_page_map_make(VeuPageMap *map, const VeuHostPages *pages,
                       uint64_t base, uint64_t bytes, uint64_t needs)
{
    uint64_t first = base / VEU_HOST_PAGE_BYTES;
    uint64_t count = count_pages(base, bytes);
    uint64_t version;

    if (veu_page_map_use(map, pages, base, bytes, needs)) {
        return true;
    }
    if (!veu_page_map_fits(base, bytes) || (base + bytes - 1) >> 48 ||
        is_defended(map, pages) || !is_due(map)) {
        return false;
    }
    map->bytes = 0;
    map->permissions = VEU_HOST_PAGE_READ | VEU_HOST_PAGE_WRITE;
    version = veu_host_pages_version(pages);
    if (!copy_all(map, pages, first, count, needs)) {
        return false;
    }
    map->distance[count] = (uintptr_t)&map->sink - count * VEU_HOST_PAGE_BYTES;
    map->sink = 0;
    map->base = base;
    map->bytes = bytes;
    map->pages = pages;
    map->version = version;
    map->count = count;
    map->dirty = 0;
    map->tried = 0;
    map->defends = VEU_PAGE_MAP_DEFENDS;
    measure(map);
    return true;
}
