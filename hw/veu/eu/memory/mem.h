/*
 * veu execution unit: the memory gate.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nothing but a gate turns a guest address into a pointer. Whoever drives the
 * execution unit provides one for each context.
 */
#ifndef VEU_EU_MEM_H
#define VEU_EU_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "hw/veu/eu/simd/cpu.h"
#include "veu/fault.h"

#define VEU_PAGE_BITS      12
#define VEU_MEM_BLOCK_BITS 21
/* Blocks that are listed: a cache line has the bytes of their pages. */
#define VEU_NOTE_BITS      18
#define VEU_NOTE_PAGES     (1u << (VEU_NOTE_BITS - VEU_PAGE_BITS))

typedef struct VeuMem VeuMem;

/* Guest addresses [iova, iova + bytes) are RAM at host. */
typedef struct VeuExtent {
    uint64_t iova;
    uint64_t bytes; /* 0: there is none */
    uint8_t *host;
    /*
     * Of one that may be written: who writes to host page p (an address >>
     * VEU_PAGE_BITS) sets the byte at noted + p to 1. Before that, where the
     * byte at listed + b of its block (an address >> VEU_NOTE_BITS) is 0, it
     * calls note(). noted is 0 where nobody wants to know, listed where
     * there is no list.
     */
    uintptr_t noted;
    uintptr_t listed;
} VeuExtent;

/* Extents that are remembered: large ones by block, small ones by page. */
#define VEU_MEM_BLOCKS 16
#define VEU_MEM_PAGES  256

/* For one kind of access. */
typedef struct VeuMemKept {
    VeuExtent last; /* that was found */
    VeuExtent block[VEU_MEM_BLOCKS];
    VeuExtent page[VEU_MEM_PAGES];
} VeuMemKept;

/* Host addresses [start, start + bytes), all of whose blocks are listed. */
typedef struct VeuMemListed {
    uintptr_t in; /* VeuExtent.listed */
    uintptr_t start;
    uintptr_t bytes;
} VeuMemListed;

/* Host pages [page, end), all of which are noted, and their blocks listed. */
typedef struct VeuMemNoted {
    uintptr_t in; /* VeuExtent.noted */
    uintptr_t page;
    uintptr_t end;
    unsigned skip; /* so many times it is not worth looking for more */
} VeuMemNoted;

struct VeuMem {
    /*
     * A host pointer to the RAM at @iova, or NULL where the context has none
     * that allows @access. *@bytes: in, the bytes wanted, at least 1; out, how
     * many of them the pointer is good for. Less than wanted only where a
     * multiple of 4096 is crossed. The pointer lives until the current step
     * ends.
     */
    uint8_t *(*map)(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                    enum veu_access access);
    /*
     * For who comes often: the extent around @iova, as large as can be; false
     * where there is none that allows @access. It lives as long as what map()
     * says. NULL: there is only map().
     */
    bool (*open)(VeuMem *mem, uint64_t iova, enum veu_access access,
                 VeuExtent *extent);
    /* Pages of the block that @host is in are about to be noted. */
    void (*note)(VeuMem *mem, uint8_t *host);
    /* What open() has said in this step, by whether it is for writing. */
    VeuMemKept kept[2];
    VeuMemListed listed;
    VeuMemNoted noted;
    unsigned used_count;
    VeuExtent *used[2 * (VEU_MEM_BLOCKS + VEU_MEM_PAGES)];
};

/* When a step begins, and after a flush: what open() has said is forgotten. */
void veu_mem_forget(VeuMem *mem);

/* Is [iova, iova + bytes) in the extent? */
VEU_CLONED bool veu_extent_has(const VeuExtent *extent, uint64_t iova,
                               uint64_t bytes)
{
    uint64_t at = iova - extent->iova;

    return at < extent->bytes && bytes <= extent->bytes - at;
}

/* Of an extent that has it. */
VEU_CLONED uint8_t *veu_extent_at(const VeuExtent *extent, uint64_t iova)
{
    return extent->host + (iova - extent->iova);
}

/*
 * The extent around @iova, or NULL where open() does not say that it has all of
 * [iova, iova + bytes).
 */
const VeuExtent *veu_mem_look(VeuMem *mem, uint64_t iova, uint64_t bytes,
                              enum veu_access access);

VEU_CLONED const VeuExtent *veu_mem_find(VeuMem *mem, uint64_t iova,
                                         uint64_t bytes, enum veu_access access)
{
    const VeuExtent *last = &mem->kept[access == VEU_ACCESS_WRITE].last;

    return veu_extent_has(last, iova, bytes) ?
               last :
               veu_mem_look(mem, iova, bytes, access);
}

/* Has the blocks of [host, host + bytes) listed. */
void veu_mem_list_blocks(VeuMem *mem, const VeuExtent *extent, uint8_t *host,
                         uint64_t bytes);

VEU_CLONED bool veu_mem_is_listed(const VeuExtent *extent, const uint8_t *host)
{
    return *(const uint8_t *)(extent->listed +
                              ((uintptr_t)host >> VEU_NOTE_BITS));
}

/* The same, of little memory. */
VEU_CLONED void veu_mem_list(VeuMem *mem, const VeuExtent *extent,
                             uint8_t *host, uint64_t bytes)
{
    if (extent->listed && !(veu_mem_is_listed(extent, host) &&
                            veu_mem_is_listed(extent, host + bytes - 1) &&
                            bytes <= 1u << VEU_NOTE_BITS)) {
        veu_mem_list_blocks(mem, extent, host, bytes);
    }
}

/* The same, of memory that is written again and again. */
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

/* Looks; is all of it noted? */
bool veu_mem_look_noted(VeuMem *mem, const VeuExtent *extent,
                        const uint8_t *host, uint64_t bytes);

/* Are all pages of [host, host + bytes) known to be noted? */
VEU_CLONED bool veu_mem_knows_noted(const VeuMem *mem, const VeuExtent *extent,
                                    const uint8_t *host, uint64_t bytes)
{
    const VeuMemNoted *n = &mem->noted;

    return n->in == extent->noted &&
           (uintptr_t)host >> VEU_PAGE_BITS >= n->page &&
           ((uintptr_t)host + bytes - 1) >> VEU_PAGE_BITS < n->end;
}

/*
 * The same; where they are not, it is looked now and then: who writes at random
 * has soon noted them all.
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

/* The bytes of a block's pages, each of which is 0 or 1, as bits. */
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

/* Takes the lowest pages that are noted side by side; false: there are none. */
static inline bool veu_noted_next(uint64_t *pages, unsigned *first,
                                  unsigned *end)
{
    uint64_t behind;

    if (!*pages) {
        return false;
    }
    *first = __builtin_ctzll(*pages);
    behind = ~(*pages | ((UINT64_C(1) << *first) - 1));
    *end = behind ? __builtin_ctzll(behind) : 64;
    *pages &= behind ? -(UINT64_C(1) << *end) : 0;
    return true;
}

/* Notes the pages of [host, host + bytes), which are in @extent. */
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
 * Where [iova, iova + bytes) is, noted where it is to be written; NULL where
 * open() does not say that one extent has all of it.
 */
VEU_CLONED uint8_t *veu_mem_at(VeuMem *mem, uint64_t iova, uint32_t bytes,
                               enum veu_access access)
{
    const VeuExtent *extent = veu_mem_find(mem, iova, bytes, access);
    uint8_t *host;

    if (!extent) {
        return NULL;
    }
    host = veu_extent_at(extent, iova);
    if (access == VEU_ACCESS_WRITE) {
        veu_mem_note(mem, extent, host, bytes);
    }
    return host;
}

/* The longest thing that one lane accesses at one address. */
#define VEU_SPAN_MAX_BYTES 256

/* Where an access goes: one piece, or two where it crosses a page. */
typedef struct VeuSpan {
    uint8_t *piece[2];
    uint32_t piece_bytes[2];
} VeuSpan;

/*
 * Resolves [iova, iova + bytes), modulo 2^64, bytes <= VEU_SPAN_MAX_BYTES.
 * On failure span->piece_bytes[0] tells how many bytes are accessible.
 */
bool veu_mem_span(VeuMem *mem, uint64_t iova, uint32_t bytes,
                  enum veu_access access, VeuSpan *span);

void veu_span_load(const VeuSpan *span, uint8_t *to);
/* Stores bytes [from_byte, from_byte + bytes) of the span, the rest stays. */
void veu_span_store(const VeuSpan *span, const uint8_t *from,
                    uint32_t from_byte, uint32_t bytes);

/*
 * Copies any amount; false where it is not accessible, with the first
 * inaccessible address in *failed. A failing write may have written a part.
 */
bool veu_mem_read(VeuMem *mem, uint64_t iova, void *to, uint64_t bytes,
                  uint64_t *failed);
bool veu_mem_write(VeuMem *mem, uint64_t iova, const void *from, uint64_t bytes,
                   uint64_t *failed);

/*
 * Is it certain that the VEU_GUEST_EQUALS_BYTES from @iova on are @copy? Then
 * they need not be copied again.
 */
bool veu_mem_equals(VeuMem *mem, uint64_t iova, const void *copy);

#endif
