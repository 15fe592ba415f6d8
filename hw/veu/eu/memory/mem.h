/*
 * veu execution unit: the memory gate.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The gate (VeuMem) is the only place where a guest address becomes a host
 * pointer. The host of the device model provides one gate for each context; a
 * slice of a dispatch that runs on a thread of its own has a gate of its own.
 *
 * A gate answers two questions. map() answers for one access: where the bytes
 * at this address are, up to the next multiple of 4096. open() answers for many
 * accesses: the extent, which is the largest range around the address that is
 * RAM at consecutive host addresses, with the required permission. A host may
 * lack open(); then only map() is used, and each access is slower.
 *
 * Lifetimes. A pointer from map(), and an extent, are valid until the current
 * step of the ring ends, or until the host flushes what was written, whichever
 * is first. The gate keeps the extents of a step in a cache: the last one that
 * was found, and tables that are indexed by units of 2 MiB and of 4 KiB. Code
 * that begins a step, or flushes, calls veu_mem_forget(). Only the pages of a
 * context of page tables live longer (memory/host_pages.h): a gate has them
 * where its host says when memory changes.
 *
 * Dirty bytes. RAM that a step has written must reach the migration and display
 * code of the host. The host has a byte for each host page (4 KiB), which the
 * writer sets to 1, and a byte for each dirty block (256 KiB), which says that
 * the host knows that pages of this block may be dirty. The writer calls note()
 * for a block before it sets the first byte of a page in it. The host reads and
 * clears both in its flush(). map() does all this itself; code that writes
 * through an extent does it with the functions of memory/extent.h.
 *
 * Callers. Executors call veu_mem_span(), and the device model calls
 * veu_mem_read() and veu_mem_write(): these check every byte, and name the
 * address that fails. Fast paths call veu_mem_find() and veu_mem_at(), which
 * refuse where one extent does not have all bytes; the executor runs then. A
 * gate is used by one thread at a time, and no function here takes a lock.
 */
#ifndef VEU_EU_MEM_H
#define VEU_EU_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "hw/veu/eu/memory/host_pages.h"
#include "hw/veu/eu/simd/cpu.h"
#include "veu/fault.h"

#define VEU_PAGE_BITS      12
#define VEU_PAGE_BYTES     UINT64_C(4096)
/* Extents that are this large, 2 MiB, are in the table of large extents. */
#define VEU_MEM_BLOCK_BITS 21
/* A dirty block, 256 KiB: a cache line has the bytes of its pages. */
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
     * is 0, it calls note(). noted is 0 where the host does not track dirty
     * pages, listed where it does not track dirty blocks.
     */
    uintptr_t noted;
    uintptr_t listed;
    /*
     * For an extent that may be written: it is not known to be readable. Fast
     * paths of atomics, which read what they write, leave it to the executor.
     */
    bool write_only;
    /*
     * In a context of page tables: log2 of the bytes of the page that the
     * extent is a part of. Otherwise 0.
     */
    uint8_t page_bits;
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
    unsigned skip; /* the number of scans to skip */
} VeuMemNoted;

/* An access that the gate has refused, and why: a fault record's detail. */
typedef struct VeuMemMiss {
    uint64_t page; /* address of the page of 4 KiB */
    enum veu_access access;
    uint32_t detail;
    bool can_ask; /* the page may be there later: see VeuMem.asks */
} VeuMemMiss;

/* The most misses that a gate remembers. */
#define VEU_MEM_MISSES 64

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
     * writing in this step, and where dirty pages are noted in it. Its iova
     * means nothing.
     */
    VeuExtent written;
    /* What map() and open() have refused, where the context knows why. */
    bool asks;     /* work that misses what can be asked for stops, and waits */
    bool answered; /* the piece of work has asked, and runs again */
    bool probes;   /* map() and open() are called, and no access may follow */
    unsigned miss_count;
    VeuMemMiss miss[VEU_MEM_MISSES];
    unsigned used_count;
    VeuExtent *used[2 * (VEU_MEM_BLOCKS + VEU_MEM_PAGES)];
};

/* Empties the cache of extents: when a step begins, and after a flush. */
void veu_mem_forget(VeuMem *mem);

/*
 * Looks an extent up that has all of [iova, iova + bytes): in the cache, then
 * with open(). Returns NULL if no single extent has them.
 */
const VeuExtent *veu_mem_look(VeuMem *mem, uint64_t iova, uint64_t bytes,
                              enum veu_access access);

/*
 * Like veu_mem_look() for a buffer or a surface, of which a message may access
 * any part, or none: bits of page tables that record accesses stay as they are,
 * and no extent is found before an access has set them.
 */
const VeuExtent *veu_mem_look_buffer(VeuMem *mem, uint64_t iova, uint64_t bytes,
                                     enum veu_access access);

/*
 * Like veu_mem_at() where the extent that was found last does not have
 * [iova, iova + bytes): looks in the pages, then for an extent. @needs:
 * VEU_HOST_PAGE_READ, VEU_HOST_PAGE_WRITE, or both for a word that is read and
 * written.
 */
uint8_t *veu_mem_look_at(VeuMem *mem, uint64_t iova, uint32_t bytes,
                         uint64_t needs);

/*
 * Remembers @extent, which open() is about to make smaller, as host memory that
 * is written to: VeuMem.written.
 */
void veu_mem_set_written(VeuMem *mem, const VeuExtent *extent);

/* Calls note() for each block of [host, host + bytes) that is not listed. */
void veu_mem_list_blocks(VeuMem *mem, const VeuExtent *extent, uint8_t *host,
                         uint64_t bytes);

/*
 * Returns true if all pages of [host, host + bytes) are dirty. The gate
 * remembers them then, together with an adjacent range that it knew.
 */
bool veu_mem_look_noted(VeuMem *mem, const VeuExtent *extent,
                        const uint8_t *host, uint64_t bytes);

/* A piece of work begins: only what it misses itself counts. */
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

/* Looks for what is missing of [iova, iova + bytes): what a piece will need. */
void veu_mem_probe(VeuMem *mem, uint64_t iova, uint64_t bytes,
                   enum veu_access access);

/*
 * Remembers why @access to @iova was refused. A page that is refused again has
 * the newest reason; where there is no room, the newest miss takes the last
 * place.
 */
void veu_mem_miss(VeuMem *mem, uint64_t iova, enum veu_access access,
                  uint32_t detail, bool can_ask);

/* Why the page of @iova was refused, a fault record's detail; 0: not known. */
uint32_t veu_mem_why(const VeuMem *mem, uint64_t iova);

/* The longest thing that one lane accesses at one address. */
#define VEU_SPAN_MAX_BYTES 256

/* Where an access goes: one piece, or two where it crosses a page. */
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
 * Returns true if the VEU_GUEST_EQUALS_BYTES from @iova on are certainly equal
 * to @copy, and need not be copied again.
 */
bool veu_mem_equals(VeuMem *mem, uint64_t iova, const void *copy);

#endif
