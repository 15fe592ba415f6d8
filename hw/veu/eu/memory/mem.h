/*
 * veu execution unit: the memory gate.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The gate (VeuMem) is the only place where a guest address becomes a host
 * pointer. The host of the device model provides one gate for each context; a
 * slice that runs on its own host thread has a gate of its own.
 *
 * A gate answers two questions. map() answers for one access: where the bytes
 * at this address are, up to the next multiple of 4096. open() answers for many
 * accesses: the extent, which is the largest range around the address that is
 * RAM at consecutive host addresses, with the required permission. open() is
 * optional: without it only map() is used, and each access is slower.
 *
 * Lifetimes. A pointer from map(), and an extent, are valid until the current
 * step of the ring ends, or until the host flushes what was written, whichever
 * is first. The gate keeps the extents of a step in a cache: the last one that
 * was found, and tables that are indexed by units of 2 MiB and of 4 KiB. Code
 * that begins a step, or flushes, calls veu_mem_forget(). Only the pages of a
 * context with page tables live longer (memory/host_pages.h): a gate has them
 * if its host reports changes of memory.
 *
 * Dirty bytes. RAM that a step has written must reach the migration and display
 * code of the host. The host has a byte for each host page (4 KiB), which the
 * writer sets to 1, and a byte for each dirty block (256 KiB), which tells the
 * host that pages of this block may be dirty. The writer calls note() for a
 * block before it sets the first byte of a page in it. The host reads and
 * clears both in its flush(). map() does all this itself; code that writes
 * through an extent does it with the functions of memory/extent.h.
 *
 * Callers. Executors call veu_mem_span(), and the device model calls
 * veu_mem_read() and veu_mem_write(): these check every byte, and name the
 * address that fails. Fast paths call veu_mem_find() and veu_mem_at(), which
 * refuse unless one extent has all bytes; the executor runs then. A gate is
 * used by one thread at a time, and no function here takes a lock.
 */
#ifndef VEU_EU_MEM_H
#define VEU_EU_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "hw/veu/eu/memory/host_pages.h"
#include "hw/veu/eu/memory/page_map.h"
#include "hw/veu/eu/memory/page_run.h"
#include "hw/veu/eu/simd/cpu.h"
#include "veu/fault.h"

#define VEU_PAGE_BITS      12
#define VEU_PAGE_BYTES     UINT64_C(4096)
/* Extents of at least 2 MiB are in the table of large extents. */
#define VEU_MEM_BLOCK_BITS 21
/* A dirty block, 256 KiB. The bytes of its pages fill one cache line. */
#define VEU_NOTE_BITS      18
#define VEU_NOTE_PAGES     (1u << (VEU_NOTE_BITS - VEU_PAGE_BITS))

typedef struct VeuMem VeuMem;

/* Guest addresses [iova, iova + bytes) are RAM at host. */
typedef struct VeuExtent {
    uint64_t iova;
    uint64_t bytes; /* 0: no extent */
    uint8_t *host;
    /*
     * For an extent that may be written: code that writes to host page p (an
     * address >> VEU_PAGE_BITS) sets the byte at noted + p to 1. Before that,
     * where the byte at listed + b of its block (an address >> VEU_NOTE_BITS)
     * is 0, it calls note(). noted is 0 if the host does not track dirty
     * pages, listed where it does not track dirty blocks.
     */
    uintptr_t noted;
    uintptr_t listed;
    /*
     * For an extent that may be written: true if it is not known to be
     * readable. Fast paths of atomics, which read what they write, leave such
     * memory to the executor.
     */
    bool write_only;
    /*
     * In a context of page tables: log2 of the bytes of the page that the
     * extent is a part of. Otherwise, and for several pages, 0.
     */
    uint8_t page_bits;
} VeuExtent;

/* Cached extents: large ones by block, small ones by page. */
#define VEU_MEM_BLOCKS 16
#define VEU_MEM_PAGES  256

/* Cached buffers, by the index of their surface, and their extents. */
#define VEU_MEM_BUFFERS 32

/* A buffer of a surface that lies in one extent, and is aligned for dwords. */
typedef struct VeuMemBuffer {
    uint64_t base;
    uint64_t bytes; /* 0: no buffer; otherwise at least 4 */
    uint64_t limit; /* bytes that 32-bit offsets reach */
    uint8_t *host;
} VeuMemBuffer;

/*
 * The part of a surface's buffer that an extent has, for host code. Offsets
 * from @first on, and below @end, are at @host plus the offset.
 */
typedef struct VeuMemWindow {
    uint64_t owner; /* the host's address of the surface; 0: no window */
    uint64_t first;
    uint64_t end;
    uintptr_t host;
    uintptr_t noted; /* VeuExtent.noted */
    bool is_whole;   /* it has all offsets of the buffer, at least 4 */
    uint64_t missed; /* page number of the last veu_mem_keep_window() */
} VeuMemWindow;

/* The buffer of a surface, an entry of a table. */
typedef struct VeuMemSurface {
    const void *owner;
    uint64_t base;
    uint64_t bytes;
    unsigned index;
} VeuMemSurface;

/* The cache for one kind of access. */
typedef struct VeuMemKept {
    VeuExtent last; /* that was found */
    VeuExtent block[VEU_MEM_BLOCKS];
    VeuExtent page[VEU_MEM_PAGES];
    VeuMemBuffer buffer[VEU_MEM_BUFFERS];
    VeuExtent buffer_extent[VEU_MEM_BUFFERS]; /* of each buffer */
    VeuMemWindow window[VEU_MEM_BUFFERS];     /* by the same index */
} VeuMemKept;

/* Host addresses [start, start + bytes), whose blocks are all listed. */
typedef struct VeuMemListed {
    uintptr_t in; /* VeuExtent.listed */
    uintptr_t start;
    uintptr_t bytes;
} VeuMemListed;

/* Host pages [page, end), which are all noted, and whose blocks are listed. */
typedef struct VeuMemNoted {
    uintptr_t in; /* VeuExtent.noted */
    uintptr_t page;
    uintptr_t end;
    unsigned skip; /* the number of scans to skip */
} VeuMemNoted;

/* An access that the gate has refused, and why: a fault record's detail. */
typedef struct VeuMemMiss {
    uint64_t page; /* address of the page of 4 KiB */
    enum veu_access access;
    uint32_t detail;
    bool can_ask; /* the page may appear later: see VeuMem.asks */
} VeuMemMiss;

/* The maximum number of misses that a gate remembers. */
#define VEU_MEM_MISSES 64

struct VeuMem {
    /*
     * A host pointer to the RAM at @iova, or NULL if the context has none that
     * allows @access. *@bytes: in, the bytes wanted, at least 1; out, the
     * number of valid bytes, which is less only if the access crosses a
     * multiple of 4096. The pointer is valid until the current step ends.
     */
    uint8_t *(*map)(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                    enum veu_access access);
    /*
     * For repeated accesses: finds the largest extent that contains @iova.
     * Returns false if none of them allows @access. The extent is valid as long
     * as a pointer from map(). NULL: the gate has only map().
     */
    bool (*open)(VeuMem *mem, uint64_t iova, enum veu_access access,
                 VeuExtent *extent);
    /* Pages of the block that @host is in are about to be noted. */
    void (*note)(VeuMem *mem, uint8_t *host);
    /* Extents that open() returned in this step; [1]: for writing. */
    VeuMemKept kept[2];
    VeuMemListed listed;
    VeuMemNoted noted;
    /*
     * The pages of a context of page tables, or NULL. They outlive the cache of
     * extents.
     */
    VeuHostPages *host_pages;
    /*
     * Host memory [host, host + bytes) around pages that were opened for
     * writing in this step, and its dirty bytes. Its iova is not used.
     */
    VeuExtent written;
    /* work that misses a page that can be requested stops and waits */
    bool asks;
    bool answered; /* the piece of work has requested pages, and runs again */
    bool probes;   /* map() and open() are called, but no access may follow */
    /* What map() and open() have refused, if the context knows the reason. */
    unsigned miss_count;
    VeuMemMiss miss[VEU_MEM_MISSES];
    unsigned used_count;
    /* The size of each cached extent and buffer, or owner, which is not 0. */
    uint64_t *used[2 * (VEU_MEM_BLOCKS + VEU_MEM_PAGES + 2 * VEU_MEM_BUFFERS)];
    uint64_t epoch; /* of dirty pages: the calls of veu_mem_forget() */
    /* since the last one: calls of note(), and of map() to write */
    uint32_t writes;
    /* Maps of buffers in host_pages; [1]: for writing. */
    VeuPageMap maps[2][VEU_PAGE_MAPS];
    /* Runs of pages in host_pages; [1]: for writing. */
    VeuPageRun runs[2][VEU_PAGE_RUNS];
};

/*
 * Empties the cache of extents. Called when a step begins, and after a flush.
 */
void veu_mem_forget(VeuMem *mem);

/*
 * Looks up an extent that has all of [iova, iova + bytes), in the cache and
 * then with open(). Returns NULL if no single extent has them.
 */
const VeuExtent *veu_mem_look(VeuMem *mem, uint64_t iova, uint64_t bytes,
                              enum veu_access access);

/*
 * Like veu_mem_look() for a buffer or a surface, of which a message may access
 * any part, or none: bits of page tables that record accesses stay as they are,
 * and an extent is found only after an access has set them.
 */
const VeuExtent *veu_mem_look_buffer(VeuMem *mem, uint64_t iova, uint64_t bytes,
                                     enum veu_access access);

/*
 * Finds an extent that has all of [iova, iova + bytes) in pages that are known,
 * and that follow each other in host memory; otherwise returns NULL. The gate
 * has host pages. @bytes: at least 1.
 */
const VeuExtent *veu_mem_look_run(VeuMem *mem, uint64_t iova, uint64_t bytes,
                                  enum veu_access access);

/*
 * Keeps the buffer of the surface with this index, which is in @extent, for
 * veu_mem_kept_buffer().
 */
void veu_mem_keep_buffer(VeuMem *mem, unsigned surface, uint64_t base,
                         uint64_t bytes, const VeuExtent *extent,
                         enum veu_access access);

/*
 * Keeps the part of the surface's buffer that is in the extent of its kept
 * buffer. If there is none, keeps that in the extent of @at, an address in the
 * buffer that has been accessed, but only if the previous call for this window
 * was for the same page: where accesses to several pages take turns, each would
 * replace the window that the next one needs. The surface must not change while
 * the gate has its window.
 */
void veu_mem_keep_window(VeuMem *mem, const VeuMemSurface *surface, uint64_t at,
                         enum veu_access access);

/* Forgets all windows: surfaces may have changed. */
void veu_mem_forget_windows(VeuMem *mem);

/*
 * Like veu_mem_at() if the extent that was found last does not have [iova, iova
 * + bytes): looks in the pages first, then for an extent. @needs:
 * VEU_HOST_PAGE_READ, VEU_HOST_PAGE_WRITE, or both for a word that is read and
 * written.
 */
uint8_t *veu_mem_look_at(VeuMem *mem, uint64_t iova, uint32_t bytes,
                         uint64_t needs);

/* Like veu_mem_find_map() if @map, the place of the map, has none of it. */
VeuPageMap *veu_mem_make_map(VeuMem *mem, VeuPageMap *map, uint64_t base,
                             uint64_t bytes, uint64_t needs);

/*
 * Like veu_mem_map_is_dirty() if that is not known: finds the dirty bytes of
 * the map's pages, if possible, and reads them.
 */
bool veu_mem_look_map_dirty(VeuMem *mem, VeuPageMap *map);

/*
 * Remembers @extent, which open() is about to make smaller, as host memory that
 * is written to: VeuMem.written.
 */
void veu_mem_set_written(VeuMem *mem, const VeuExtent *extent);

/* Calls note() for each block of [host, host + bytes) that is not listed. */
void veu_mem_list_blocks(VeuMem *mem, const VeuExtent *extent, uint8_t *host,
                         uint64_t bytes);

/*
 * Returns true if all pages of [host, host + bytes) are dirty. If so, the gate
 * remembers them, merged with an adjacent known range.
 */
bool veu_mem_look_noted(VeuMem *mem, const VeuExtent *extent,
                        const uint8_t *host, uint64_t bytes);

/*
 * The page at host address @at, which is in VeuMem.written, is dirty. Remembers
 * it in VeuMem.noted together with adjacent pages that are dirty too. Most
 * calls do nothing.
 */
void veu_mem_learn_noted(VeuMem *mem, uint64_t at);

/* Begins a piece of work: earlier misses do not count. */
static inline void veu_mem_forget_misses(VeuMem *mem)
{
    mem->miss_count = 0;
}

/*
 * Returns true if pages are missing that a driver may still provide, so that
 * the piece of work must not be performed.
 */
static inline bool veu_mem_must_wait(const VeuMem *mem)
{
    for (unsigned i = 0; __builtin_expect(mem->asks, 0) && i < mem->miss_count;
         i++) {
        if (mem->miss[i].can_ask) {
            return true;
        }
    }
    return false;
}

/*
 * Records the missing pages of [iova, iova + bytes), which a piece of work will
 * need.
 */
void veu_mem_probe(VeuMem *mem, uint64_t iova, uint64_t bytes,
                   enum veu_access access);

/*
 * Remembers why @access to @iova was refused. A page that is refused again
 * keeps the newest reason. If the list is full, the newest miss replaces the
 * last one.
 */
void veu_mem_miss(VeuMem *mem, uint64_t iova, enum veu_access access,
                  uint32_t detail, bool can_ask);

/*
 * The reason why the page of @iova was refused, a fault record's detail, or 0
 * if it is not known.
 */
uint32_t veu_mem_why(const VeuMem *mem, uint64_t iova);

/* The maximum number of bytes that one lane accesses at one address. */
#define VEU_SPAN_MAX_BYTES 256

/* Where an access goes: one piece, or two if it crosses a page. */
typedef struct VeuSpan {
    uint8_t *piece[2];
    uint32_t piece_bytes[2];
} VeuSpan;

/*
 * Resolves [iova, iova + bytes), modulo 2^64, bytes <= VEU_SPAN_MAX_BYTES.
 * On failure span->piece_bytes[0] is the number of accessible bytes.
 */
bool veu_mem_span(VeuMem *mem, uint64_t iova, uint32_t bytes,
                  enum veu_access access, VeuSpan *span);

void veu_span_load(const VeuSpan *span, uint8_t *to);
/*
 * Stores bytes [from_byte, from_byte + bytes) of the span and leaves the rest.
 */
void veu_span_store(const VeuSpan *span, const uint8_t *from,
                    uint32_t from_byte, uint32_t bytes);

/*
 * Copies any number of bytes. Returns false if they are not all accessible,
 * with the first inaccessible address in *failed; a write may then have stored
 * some of them.
 */
bool veu_mem_read(VeuMem *mem, uint64_t iova, void *to, uint64_t bytes,
                  uint64_t *failed);
bool veu_mem_write(VeuMem *mem, uint64_t iova, const void *from, uint64_t bytes,
                   uint64_t *failed);

/*
 * Returns true if the VEU_GUEST_EQUALS_BYTES at @iova certainly equal @copy and
 * need not be copied again.
 */
bool veu_mem_equals(VeuMem *mem, uint64_t iova, const void *copy);

#endif
