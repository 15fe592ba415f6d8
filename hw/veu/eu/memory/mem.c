/*
 * veu execution unit: the memory gate.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/param.h>
#include "hw/veu/eu/memory/guest_copy.h"
#include "hw/veu/eu/memory/extent.h"
#include "hw/veu/eu/memory/mem.h"

void veu_mem_forget(VeuMem *mem)
{
    while (mem->used_count) {
        *mem->used[--mem->used_count] = 0;
    }
    mem->kept[0].last.bytes = 0;
    mem->kept[1].last.bytes = 0;
    mem->written.bytes = 0;
    mem->listed.bytes = 0;
    mem->noted = (VeuMemNoted){ 0 };
    mem->miss_count = 0;
    mem->writes = 0;
    mem->epoch++;
}

static uint8_t *map(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                    enum veu_access access)
{
    mem->writes += access == VEU_ACCESS_WRITE;
    return mem->map(mem, iova, bytes, access);
}

void veu_mem_miss(VeuMem *mem, uint64_t iova, enum veu_access access,
                  uint32_t detail, bool can_ask)
{
    uint64_t page = iova & -VEU_PAGE_BYTES;
    unsigned at = 0;

    while (at < mem->miss_count &&
           !(mem->miss[at].page == page && mem->miss[at].access == access)) {
        at++;
    }
    at = MIN(at, VEU_MEM_MISSES - 1);
    mem->miss[at] = (VeuMemMiss){ page, access, detail, can_ask };
    mem->miss_count = MAX(mem->miss_count, at + 1);
}

/* One page more than there is room for, because the first may be partial. */
void veu_mem_probe(VeuMem *mem, uint64_t iova, uint64_t bytes,
                   enum veu_access access)
{
    uint64_t left = MIN(bytes, VEU_MEM_MISSES * VEU_PAGE_BYTES);

    mem->probes = true;
    while (mem->asks && left) {
        uint64_t in_page = MIN(left, VEU_PAGE_BYTES - iova % VEU_PAGE_BYTES);
        uint32_t one = 1;

        mem->map(mem, iova, &one, access);
        /* wraps to 0 after the last page of the address space */
        iova += in_page;
        left -= in_page;
    }
    mem->probes = false;
}

uint32_t veu_mem_why(const VeuMem *mem, uint64_t iova)
{
    uint64_t page = iova & -VEU_PAGE_BYTES;

    for (unsigned i = mem->miss_count; i-- > 0;) {
        if (mem->miss[i].page == page) {
            return mem->miss[i].detail;
        }
    }
    return 0;
}

/* Stores an extent where lookups find it. */
static void keep(VeuMem *mem, VeuExtent *at, const VeuExtent *extent)
{
    if (!at->bytes) {
        mem->used[mem->used_count++] = &at->bytes;
    }
    *at = *extent;
}

/* Returns the extent from one of its two places, or NULL. */
static VeuExtent *look_kept(VeuMemKept *kept, uint64_t iova)
{
    VeuExtent *block =
        &kept->block[(iova >> VEU_MEM_BLOCK_BITS) % VEU_MEM_BLOCKS];
    VeuExtent *page = &kept->page[(iova >> VEU_PAGE_BITS) % VEU_MEM_PAGES];

    return veu_extent_has(block, iova, 1) ? block :
           veu_extent_has(page, iova, 1)  ? page :
                                            NULL;
}

static bool look_further(VeuMem *mem, VeuMemKept *kept, uint64_t iova,
                         enum veu_access access)
{
    bool is_large;

    if (!mem->open || !mem->open(mem, iova, access, &kept->last)) {
        kept->last.bytes = 0;
        return false;
    }
    is_large = kept->last.bytes >> VEU_MEM_BLOCK_BITS;
    keep(mem,
         is_large ?
             &kept->block[(iova >> VEU_MEM_BLOCK_BITS) % VEU_MEM_BLOCKS] :
             &kept->page[(iova >> VEU_PAGE_BITS) % VEU_MEM_PAGES],
         &kept->last);
    return true;
}

/* An extent ends with its page, or with the memory. */
static void keep_page(VeuMem *mem, const VeuExtent *extent, uint64_t iova,
                      enum veu_access access)
{
    uint64_t page = iova & -VEU_PAGE_BYTES;
    bool is_part = extent->page_bits == VEU_MEM_BLOCK_BITS;
    uint64_t bits = is_part ? VEU_HOST_PAGE_PART : 0;

    if ((!is_part && extent->page_bits != VEU_PAGE_BITS) ||
        !veu_extent_has(extent, page, VEU_PAGE_BYTES)) {
        return;
    }
    if (access == VEU_ACCESS_WRITE) {
        bits |= VEU_HOST_PAGE_WRITE;
    }
    if (access != VEU_ACCESS_WRITE || !extent->write_only) {
        bits |= VEU_HOST_PAGE_READ;
    }
    veu_host_pages_keep(mem->host_pages, page, veu_extent_at(extent, page),
                        bits);
}

const VeuExtent *veu_mem_look(VeuMem *mem, uint64_t iova, uint64_t bytes,
                              enum veu_access access)
{
    VeuMemKept *kept = &mem->kept[access == VEU_ACCESS_WRITE];
    const VeuExtent *extent = look_kept(kept, iova);

    if (extent) {
        kept->last = *extent;
    } else if (!look_further(mem, kept, iova, access)) {
        return NULL;
    }
    if (mem->host_pages) {
        keep_page(mem, &kept->last, iova, access);
    }
    return veu_extent_has(&kept->last, iova, bytes) ? &kept->last : NULL;
}

const VeuExtent *veu_mem_look_run(VeuMem *mem, uint64_t iova, uint64_t bytes,
                                  enum veu_access access)
{
    bool is_write = access == VEU_ACCESS_WRITE;
    uint64_t needs = is_write ? VEU_HOST_PAGE_WRITE : VEU_HOST_PAGE_READ;
    uint64_t page = iova >> VEU_PAGE_BITS;
    /* buffers at usual distances, or of different sizes, have different runs */
    uint64_t hash = page ^ page >> 4 ^ page >> 8 ^ page >> 12 ^ bytes >> 12;
    VeuPageRun *run = &mem->runs[is_write][hash % VEU_PAGE_RUNS];
    VeuExtent *last = &mem->kept[is_write].last;

    if (!veu_page_run_find(run, mem->host_pages, iova, bytes, needs) ||
        (is_write && !veu_mem_has_written(mem, veu_page_run_host(run),
                                          veu_page_run_bytes(run)))) {
        return NULL;
    }
    *last = (VeuExtent){
        .iova = page << VEU_PAGE_BITS,
        .bytes = veu_page_run_bytes(run),
        .host = veu_page_run_host(run),
        .noted = mem->written.noted,
        .listed = mem->written.listed,
        .write_only = run->lacks_read,
    };
    return last;
}

const VeuExtent *veu_mem_look_buffer(VeuMem *mem, uint64_t iova, uint64_t bytes,
                                     enum veu_access access)
{
    const VeuExtent *extent;

    mem->probes = true;
    extent = veu_mem_look(mem, iova, bytes, access);
    mem->probes = false;
    return extent || !mem->host_pages ?
               extent :
               veu_mem_look_run(mem, iova, bytes, access);
}

void veu_mem_keep_buffer(VeuMem *mem, unsigned surface, uint64_t base,
                         uint64_t bytes, const VeuExtent *extent,
                         enum veu_access access)
{
    VeuMemKept *kept = &mem->kept[access == VEU_ACCESS_WRITE];
    VeuMemBuffer *at = &kept->buffer[surface % VEU_MEM_BUFFERS];
    uint8_t *host = veu_extent_at(extent, base);

    if (bytes < sizeof(uint32_t) || (uintptr_t)host % sizeof(uint32_t)) {
        return;
    }
    if (!at->bytes) {
        mem->used[mem->used_count++] = &at->bytes;
    }
    *at = (VeuMemBuffer){
        .base = base,
        .bytes = bytes,
        .limit = MIN(bytes, UINT64_C(1) << 32),
        .host = host,
    };
    kept->buffer_extent[surface % VEU_MEM_BUFFERS] = *extent;
}

/* No surface is there. A window with an owner is in VeuMem.used. */
#define NO_OWNER 1

/* Makes @w the part of a buffer that @extent has: at least a byte. */
static void set_window(VeuMemWindow *w, const VeuMemSurface *s,
                       const VeuExtent *extent)
{
    uint64_t limit = MIN(s->bytes, UINT64_C(1) << 32);
    bool begins = extent->iova <= s->base;
    uint64_t at = begins ? s->base - extent->iova : 0;
    uint64_t first = begins ? 0 : extent->iova - s->base;

    w->owner = (uintptr_t)s->owner;
    w->first = first;
    w->end = first + MIN(limit - first, extent->bytes - at);
    w->host = (uintptr_t)extent->host + at - first;
    w->noted = extent->noted;
}

/*
 * Returns true if the page of @at is known, as an extent for reads. Returns
 * false for a part of a large page, which has a larger extent.
 */
static bool find_host_page(const VeuMem *mem, uint64_t at, VeuExtent *page)
{
    uint64_t word = mem->host_pages ? veu_host_page_find(mem->host_pages, at, 1,
                                                         VEU_HOST_PAGE_READ) :
                                      0;

    page->iova = at & -VEU_PAGE_BYTES;
    page->bytes = VEU_PAGE_BYTES;
    page->host = veu_host_page_at(word, page->iova);
    page->noted = 0;
    return word && !(word & VEU_HOST_PAGE_PART);
}

/* The extent of @at, an address in a buffer that is not kept, or NULL. */
static const VeuExtent *find_part(VeuMem *mem, uint64_t at,
                                  enum veu_access access, VeuExtent *page)
{
    return access != VEU_ACCESS_WRITE && find_host_page(mem, at, page) ?
               page :
               veu_mem_find_buffer(mem, at, 1, access);
}

void veu_mem_keep_window(VeuMem *mem, const VeuMemSurface *s, uint64_t at,
                         enum veu_access access)
{
    VeuMemWindow *w = &mem->kept[access == VEU_ACCESS_WRITE]
                           .window[s->index % VEU_MEM_BUFFERS];
    bool is_kept = veu_mem_kept_buffer(mem, s->index, s->base, s->bytes,
                                       access);
    uint64_t page = at >> VEU_PAGE_BITS, missed = w->missed;
    const VeuExtent *extent;
    VeuExtent host_page;

    w->missed = page;
    if (!is_kept && missed != page) {
        return;
    }
    extent = is_kept ? veu_mem_kept_extent(mem, s->index, access) :
                       find_part(mem, at, access, &host_page);
    if (!extent) {
        return;
    }
    if (!w->owner) {
        mem->used[mem->used_count++] = &w->owner;
    }
    set_window(w, s, extent);
    w->is_whole = is_kept;
}

void veu_mem_forget_windows(VeuMem *mem)
{
    for (unsigned n = 0; n < 2 * VEU_MEM_BUFFERS; n++) {
        VeuMemWindow *w = &mem->kept[n % 2].window[n / 2];

        w->owner = w->owner ? NO_OWNER : 0;
    }
}

void veu_mem_set_written(VeuMem *mem, const VeuExtent *extent)
{
    VeuExtent *w = &mem->written;
    uintptr_t from = (uintptr_t)extent->host;
    uintptr_t end = from + extent->bytes;
    uintptr_t old = (uintptr_t)w->host;

    if (w->bytes && w->noted == extent->noted && w->listed == extent->listed &&
        from <= old + w->bytes && old <= end) {
        from = MIN(from, old);
        end = MAX(end, old + w->bytes);
    }
    *w = *extent;
    w->host = (uint8_t *)from;
    w->bytes = end - from;
}

/*
 * Looks up the page. Returns NULL if it is not known, or if it would have to be
 * marked dirty.
 */
static uint8_t *look_at_page(VeuMem *mem, uint64_t iova, uint32_t bytes,
                             uint64_t needs)
{
    uint64_t word = veu_host_page_find(mem->host_pages, iova, bytes, needs);
    uint8_t *host = veu_host_page_at(word, iova);

    if (!word) {
        return NULL;
    }
    if (needs & VEU_HOST_PAGE_WRITE) {
        if (!veu_mem_has_written(mem, host, bytes)) {
            return NULL;
        }
        veu_mem_note(mem, &mem->written, host, bytes);
    }
    return host;
}

/* In an extent. */
static uint8_t *look_in_extent(VeuMem *mem, uint64_t iova, uint32_t bytes,
                               uint64_t needs)
{
    bool is_write = needs & VEU_HOST_PAGE_WRITE;
    const VeuExtent *extent = veu_mem_look(mem, iova, bytes,
                                           is_write ? VEU_ACCESS_WRITE :
                                                      VEU_ACCESS_READ);
    uint8_t *host;

    if (!extent ||
        (is_write && (needs & VEU_HOST_PAGE_READ) && extent->write_only)) {
        return NULL;
    }
    host = veu_extent_at(extent, iova);
    if (is_write) {
        veu_mem_note(mem, extent, host, bytes);
    }
    return host;
}

uint8_t *veu_mem_look_at(VeuMem *mem, uint64_t iova, uint32_t bytes,
                         uint64_t needs)
{
    uint8_t *host = mem->host_pages ? look_at_page(mem, iova, bytes, needs) :
                                      NULL;

    return host ? host : look_in_extent(mem, iova, bytes, needs);
}

/* The number of the first pages of @map that are marked dirty. */
static uint32_t count_dirty(const VeuExtent *written, const VeuPageMap *map)
{
    const uint8_t *noted = (const uint8_t *)written->noted;
    uint32_t n = map->dirty;

    while (n < map->count &&
           (!noted || noted[veu_page_map_host(map, n) >> VEU_PAGE_BITS])) {
        n++;
    }
    return n;
}

/* Pages that are dirty remain so until the next veu_mem_forget(). */
bool veu_mem_look_map_dirty(VeuMem *mem, VeuPageMap *map)
{
    const VeuExtent *written = &mem->written;
    const uint8_t *host = (const uint8_t *)(uintptr_t)map->low;
    uint64_t bytes = map->end - map->low;

    if (map->epoch != mem->epoch) {
        map->epoch = mem->epoch;
        map->dirty = 0;
    }
    if (!veu_mem_has_written(mem, host, bytes)) {
        veu_mem_look_buffer(mem, map->base, 1, VEU_ACCESS_WRITE);
    }
    if (map->dirty < map->count && veu_mem_has_written(mem, host, bytes)) {
        map->dirty = veu_mem_knows_noted(mem, written, host, bytes) ?
                         map->count :
                         count_dirty(written, map);
    }
    return map->dirty == map->count;
}

VeuPageMap *veu_mem_make_map(VeuMem *mem, VeuPageMap *map, uint64_t base,
                             uint64_t bytes, uint64_t needs)
{
    return veu_page_map_make(map, mem->host_pages, base, bytes, needs) ? map :
                                                                         NULL;
}

void veu_mem_list_blocks(VeuMem *mem, const VeuExtent *extent, uint8_t *host,
                         uint64_t bytes)
{
    const uintptr_t block_bytes = (uintptr_t)1 << VEU_NOTE_BITS;
    uintptr_t at = (uintptr_t)host;
    uintptr_t end = at + bytes;

    for (; at < end; at = (at | (block_bytes - 1)) + 1) {
        if (!veu_mem_is_listed(extent, (uint8_t *)at)) {
            mem->writes++;
            mem->note(mem, (uint8_t *)at);
        }
    }
}

/* The end of the dirty pages that begin at @page, at most @end. */
static uintptr_t scan_up(const uint8_t *noted, uintptr_t page, uintptr_t end)
{
    while (end - page >= 8 && !memcmp(noted + page, "\1\1\1\1\1\1\1\1", 8)) {
        page += 8;
    }
    while (page < end && noted[page]) {
        page++;
    }
    return page;
}

/* The first of the dirty pages that end before @page, at least @first. */
static uintptr_t scan_down(const uint8_t *noted, uintptr_t page,
                           uintptr_t first)
{
    while (page - first >= 8 &&
           !memcmp(noted + page - 8, "\1\1\1\1\1\1\1\1", 8)) {
        page -= 8;
    }
    while (page > first && noted[page - 1]) {
        page--;
    }
    return page;
}

/* Returns true if pages [@page, @end) are marked dirty. */
static bool are_noted(const VeuExtent *extent, uintptr_t page, uintptr_t end)
{
    return scan_up((const uint8_t *)extent->noted, page, end) == end;
}

/*
 * Scans to skip after veu_mem_look_noted() found a page that is not dirty, and
 * after each scan of veu_mem_learn_noted().
 */
#define LOOK_SKIP 16

bool veu_mem_look_noted(VeuMem *mem, const VeuExtent *extent,
                        const uint8_t *host, uint64_t bytes)
{
    uintptr_t page = (uintptr_t)host >> VEU_PAGE_BITS;
    uintptr_t end = (((uintptr_t)host + bytes - 1) >> VEU_PAGE_BITS) + 1;
    VeuMemNoted *n = &mem->noted;

    n->skip = LOOK_SKIP;
    if (!are_noted(extent, page, end)) {
        return false;
    }
    if (n->in == extent->noted && page <= n->end && n->page <= end) {
        page = MIN(page, n->page);
        end = MAX(end, n->end);
    }
    *n = (VeuMemNoted){ .in = extent->noted, .page = page, .end = end };
    return true;
}

/* A scan adds at most this many pages at each end. */
#define SCAN_PAGES 2048u

/* The number of pages from @low to @high that a scan may read. */
static uintptr_t scan_pages(uintptr_t low, uintptr_t high)
{
    return high > low ? MIN(high - low, SCAN_PAGES) : 0;
}

/* A page that is in the range that is known makes it longer at its ends. */
void veu_mem_learn_noted(VeuMem *mem, uint64_t at)
{
    const VeuExtent *w = &mem->written;
    const uint8_t *noted = (const uint8_t *)w->noted;
    uintptr_t first = (uintptr_t)w->host >> VEU_PAGE_BITS;
    uintptr_t end = (((uintptr_t)w->host + w->bytes - 1) >> VEU_PAGE_BITS) + 1;
    uintptr_t page = at >> VEU_PAGE_BITS;
    VeuMemNoted n = { w->noted, page, page + 1, LOOK_SKIP };

    if (mem->noted.skip) {
        mem->noted.skip--;
        return;
    }
    if (mem->noted.in == w->noted &&
        page - mem->noted.page < mem->noted.end - mem->noted.page) {
        n.page = mem->noted.page;
        n.end = mem->noted.end;
    }
    n.page = scan_down(noted, n.page, n.page - scan_pages(first, n.page));
    n.end = scan_up(noted, n.end, n.end + scan_pages(n.end, end));
    mem->noted = n;
}

/*
 * Like map(), but uses the result of open(); bytes is at most what was wanted.
 * A page that open() has missed may be there for map(), because the driver has
 * provided it meanwhile. Then it is no miss.
 */
static uint8_t *map_piece(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                          enum veu_access access)
{
    unsigned miss_count = mem->miss_count;
    uint8_t *host = veu_mem_at(mem, iova, *bytes, access);

    if (!host) {
        host = map(mem, iova, bytes, access);
    }
    if (host) {
        mem->miss_count = miss_count;
    }
    return host;
}

bool veu_mem_span(VeuMem *mem, uint64_t iova, uint32_t bytes,
                  enum veu_access access, VeuSpan *span)
{
    uint32_t first = bytes;
    uint32_t rest;

    span->piece_bytes[0] = 0;
    span->piece_bytes[1] = 0;
    span->piece[0] = map_piece(mem, iova, &first, access);
    if (!span->piece[0]) {
        return false;
    }
    span->piece_bytes[0] = first;
    if (first == bytes) {
        return true;
    }
    rest = bytes - first;
    span->piece[1] = map_piece(mem, iova + first, &rest, access);
    span->piece_bytes[1] = rest;
    return span->piece[1] && first + rest == bytes;
}

void veu_span_load(const VeuSpan *span, uint8_t *to)
{
    veu_guest_load(to, span->piece[0], span->piece_bytes[0]);
    if (span->piece_bytes[1]) {
        veu_guest_load(to + span->piece_bytes[0], span->piece[1],
                       span->piece_bytes[1]);
    }
}

void veu_span_store(const VeuSpan *span, const uint8_t *from,
                    uint32_t from_byte, uint32_t bytes)
{
    uint32_t first = span->piece_bytes[0];

    if (from_byte + bytes <= first) {
        veu_guest_store(span->piece[0] + from_byte, from, bytes);
    } else if (from_byte >= first) {
        veu_guest_store(span->piece[1] + from_byte - first, from, bytes);
    } else {
        first -= from_byte;
        veu_guest_store(span->piece[0] + from_byte, from, first);
        veu_guest_store(span->piece[1], from + first, bytes - first);
    }
}

/* Like veu_mem_find(). Zero bytes have no extent. */
static inline const VeuExtent *find_all(VeuMem *mem, uint64_t iova,
                                        uint64_t bytes, enum veu_access access)
{
    return bytes && bytes <= UINT32_MAX ?
               veu_mem_find(mem, iova, bytes, access) :
               NULL;
}

/* One mapped piece of a long copy. */
static uint32_t mem_piece(VeuMem *mem, uint64_t iova, uint64_t bytes,
                          enum veu_access access, uint8_t **piece)
{
    uint32_t piece_bytes = bytes < UINT32_MAX ? bytes : UINT32_MAX;

    *piece = map(mem, iova, &piece_bytes, access);
    return *piece ? piece_bytes : 0;
}

static __attribute__((noinline)) bool read_pieces(VeuMem *mem, uint64_t iova,
                                                  void *to, uint64_t bytes,
                                                  uint64_t *failed)
{
    uint8_t *out = to;

    while (bytes) {
        uint8_t *piece;
        uint32_t n = mem_piece(mem, iova, bytes, VEU_ACCESS_READ, &piece);

        if (!n) {
            *failed = iova;
            return false;
        }
        veu_guest_read(out, piece, n);
        out += n;
        iova += n;
        bytes -= n;
    }
    return true;
}

bool veu_mem_read(VeuMem *mem, uint64_t iova, void *to, uint64_t bytes,
                  uint64_t *failed)
{
    const VeuExtent *extent = find_all(mem, iova, bytes, VEU_ACCESS_READ);

    if (!extent) {
        return read_pieces(mem, iova, to, bytes, failed);
    }
    veu_guest_read(to, veu_extent_at(extent, iova), bytes);
    return true;
}

static __attribute__((noinline)) bool write_pieces(VeuMem *mem, uint64_t iova,
                                                   const void *from,
                                                   uint64_t bytes,
                                                   uint64_t *failed)
{
    const uint8_t *in = from;

    while (bytes) {
        uint8_t *piece;
        uint32_t n = mem_piece(mem, iova, bytes, VEU_ACCESS_WRITE, &piece);

        if (!n) {
            *failed = iova;
            return false;
        }
        veu_guest_write(piece, in, n);
        in += n;
        iova += n;
        bytes -= n;
    }
    return true;
}

bool veu_mem_write(VeuMem *mem, uint64_t iova, const void *from, uint64_t bytes,
                   uint64_t *failed)
{
    const VeuExtent *extent;
    uint8_t *to;

    if (!bytes) {
        return true; /* most messages have no results */
    }
    extent = find_all(mem, iova, bytes, VEU_ACCESS_WRITE);
    if (!extent) {
        return write_pieces(mem, iova, from, bytes, failed);
    }
    to = veu_extent_at(extent, iova);
    veu_mem_note(mem, extent, to, bytes);
    veu_guest_write(to, from, bytes);
    return true;
}

bool veu_mem_equals(VeuMem *mem, uint64_t iova, const void *copy)
{
    const VeuExtent *extent = veu_mem_find(mem, iova, VEU_GUEST_EQUALS_BYTES,
                                           VEU_ACCESS_READ);

    return extent && veu_guest_equals(veu_extent_at(extent, iova), copy);
}
