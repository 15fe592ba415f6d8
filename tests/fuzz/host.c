/*
 * veu fuzzers: a host for the device model that is fast to reset.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include "tests/fuzz/host.h"
#include "veu/ring.h"

/* Returns the number of the page, or FUZZ_PAGES. */
static unsigned page_of(uint64_t iova)
{
    if (iova - FUZZ_RAM < FUZZ_RAM_BYTES) {
        return (iova - FUZZ_RAM) / FUZZ_PAGE_BYTES;
    }
    return iova - FUZZ_ROM < FUZZ_PAGE_BYTES ? FUZZ_RAM_PAGES :
           iova >= FUZZ_TOP                  ? FUZZ_RAM_PAGES + 1 :
                                               FUZZ_PAGES;
}

static uint32_t next_random(FuzzHost *h)
{
    h->race ^= h->race << 13;
    h->race ^= h->race >> 17;
    h->race ^= h->race << 5;
    return h->race;
}

/* Remembers memory that is about to be read, or written. */
static void note_look(FuzzHost *h, unsigned page, uint32_t at, uint32_t bytes)
{
    if (h->race) {
        h->look[h->looks++ % FUZZ_LOOKS] = (FuzzLook){
            .at = h->page[page] + at,
            .bytes = MIN(bytes, FUZZ_PAGE_BYTES - at),
            .page = page,
        };
    }
}

/*
 * Changes bytes that the device has just read, and others: it may read
 * everything only once.
 */
static void change_bytes(FuzzHost *h)
{
    for (unsigned n = 0; h->race && n < 2; n++) {
        uint32_t r = next_random(h);
        const FuzzLook *look = &h->look[r % FUZZ_LOOKS];

        if (look->at) {
            look->at[(r >> 3) % look->bytes] ^= r >> 24;
            h->written[look->page] = true;
        }
        r = next_random(h);
        h->page[r % FUZZ_RAM_PAGES][r >> 8 & 0xfff] ^= r >> 20;
        h->written[r % FUZZ_RAM_PAGES] = true;
    }
}

static uint8_t *map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                    enum veu_access access)
{
    FuzzHost *h = (FuzzHost *)host;
    unsigned page = page_of(iova);
    uint32_t at = iova % FUZZ_PAGE_BYTES;

    g_assert_cmpuint(*bytes, >=, 1);
    change_bytes(h);
    if (page == FUZZ_PAGES ||
        (access == VEU_ACCESS_WRITE && page == FUZZ_RAM_PAGES)) {
        return NULL;
    }
    if (access == VEU_ACCESS_WRITE) {
        g_assert_false(h->quiet);
        h->written[page] = true;
    }
    *bytes = MIN(*bytes, FUZZ_PAGE_BYTES - at);
    note_look(h, page, at, *bytes);
    return h->page[page] + at;
}

/* Returns RAM if its pages are contiguous, otherwise a page. */
static bool open_extent(VeuHost *host, uint64_t iova, enum veu_access access,
                        VeuExtent *extent)
{
    FuzzHost *h = (FuzzHost *)host;
    unsigned page = page_of(iova);
    bool ram = h->joined && page < FUZZ_RAM_PAGES;

    change_bytes(h);
    if (page == FUZZ_PAGES ||
        (access == VEU_ACCESS_WRITE && page == FUZZ_RAM_PAGES)) {
        return false;
    }
    note_look(h, page, iova % FUZZ_PAGE_BYTES, VEU_SLOT_BYTES);
    page = ram ? 0 : page;
    *extent = (VeuExtent){
        .iova = ram ? FUZZ_RAM : iova & -(uint64_t)FUZZ_PAGE_BYTES,
        .bytes = ram ? FUZZ_RAM_BYTES : FUZZ_PAGE_BYTES,
        .host = h->page[page],
        .noted = (uintptr_t)&h->noted[page] -
                 ((uintptr_t)h->page[page] >> VEU_PAGE_BITS),
    };
    return true;
}

/* Marks recorded pages as written. */
static void flush(VeuHost *host)
{
    FuzzHost *h = (FuzzHost *)host;

    for (unsigned i = 0; i < FUZZ_PAGES; i++) {
        h->written[i] |= h->noted[i];
    }
    memset(h->noted, 0, sizeof(h->noted));
}

static void fence(VeuHost *host)
{
    change_bytes((FuzzHost *)host);
}

static void interrupt(VeuHost *host, uint32_t vector)
{
    g_assert_cmpuint(vector, <, FUZZ_VECTORS);
}

static uint64_t now_ns(VeuHost *host)
{
    return ((FuzzHost *)host)->now_ns;
}

static void event(VeuHost *host, const VeuEvent *e)
{
    g_assert_nonnull(e->name);
}

static bool screen_begin(VeuHost *host, const VeuFrame *frame)
{
    g_assert_cmpuint(frame->width, <=, VEU_LIMIT_SCANOUT_SIDE);
    g_assert_cmpuint(frame->height, <=, VEU_LIMIT_SCANOUT_SIDE);
    return frame->height != 3; /* there may not be enough memory */
}

static void screen_row(VeuHost *host, uint32_t y, const uint8_t *texels)
{
}

static void screen_done(VeuHost *host)
{
}

static const VeuScreen screen = {
    .begin = screen_begin,
    .row = screen_row,
    .show = screen_done,
    .blank = screen_done,
};

static uint8_t *aligned_pages(unsigned count)
{
    uint8_t *pages = aligned_alloc(FUZZ_PAGE_BYTES, count * FUZZ_PAGE_BYTES);

    g_assert_nonnull(pages);
    return memset(pages, 0, count * FUZZ_PAGE_BYTES);
}

void fuzz_host_init(FuzzHost *h)
{
    uint8_t *all = aligned_pages(FUZZ_PAGES);

    memset(h, 0, sizeof(*h));
    h->host = (VeuHost){
        .map = map,
        .open = open_extent,
        .flush = flush,
        .fence = fence,
        .interrupt = interrupt,
        .now_ns = now_ns,
        .event = event,
        .events = (1u << VEU_EVENT_COUNT) - 1,
        .screen = &screen,
    };
    for (unsigned i = 0; i < FUZZ_PAGES; i++) {
        h->together[i] = all + i * FUZZ_PAGE_BYTES;
        h->apart[i] = aligned_pages(1);
    }
    memcpy(h->page, h->apart, sizeof(h->page));
}

void fuzz_host_keep(FuzzHost *h)
{
    for (unsigned i = 0; i < FUZZ_PAGES; i++) {
        memcpy(h->kept[i], h->page[i], FUZZ_PAGE_BYTES);
        memcpy(h->apart[i], h->kept[i], FUZZ_PAGE_BYTES);
        memcpy(h->together[i], h->kept[i], FUZZ_PAGE_BYTES);
    }
}

void fuzz_host_reset(FuzzHost *h, bool together)
{
    flush(&h->host);
    for (unsigned i = 0; i < FUZZ_PAGES; i++) {
        if (h->written[i]) {
            memcpy(h->page[i], h->kept[i], FUZZ_PAGE_BYTES);
        }
    }
    memset(h->written, 0, sizeof(h->written));
    h->joined = together;
    memcpy(h->page, together ? h->together : h->apart, sizeof(h->page));
    h->now_ns = 0;
    h->race = 0;
    memset(h->look, 0, sizeof(h->look));
    h->looks = 0;
    h->quiet = false;
}

void fuzz_host_extents(FuzzHost *h, bool extents)
{
    h->host.open = extents ? open_extent : NULL;
}

uint8_t *fuzz_byte(FuzzHost *h, uint64_t iova)
{
    unsigned page = page_of(iova);

    if (page == FUZZ_PAGES) {
        return NULL;
    }
    h->written[page] = true;
    return h->page[page] + iova % FUZZ_PAGE_BYTES;
}

void fuzz_store(FuzzHost *h, uint64_t iova, const void *from, uint32_t bytes)
{
    while (bytes) {
        uint8_t *to = fuzz_byte(h, iova);
        uint32_t n = MIN(bytes, FUZZ_PAGE_BYTES - iova % FUZZ_PAGE_BYTES);

        if (to) {
            memcpy(to, from, n);
        }
        from = (const uint8_t *)from + n;
        iova += n;
        bytes -= n;
    }
}
