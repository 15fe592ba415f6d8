/*
 * veu execution unit: runs of pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pages of a buffer often follow each other in host memory as they do in
 * the address space: in a large page, or because the guest's allocator had
 * memory in one piece. If all of them are known (host_pages.h), the buffer is
 * one extent. A run looks at each page once, until a page is forgotten or
 * another buffer takes its place. Attempts that add no page become rare.
 */
#ifndef VEU_EU_PAGE_RUN_H
#define VEU_EU_PAGE_RUN_H

#include "hw/veu/eu/memory/host_pages.h"

/* The runs of a gate for reads, and for writes. */
#define VEU_PAGE_RUNS 16

/* A run keeps its place during this many requests for other buffers. */
#define VEU_PAGE_RUN_DEFENDS 64

typedef struct VeuPageRun {
    const VeuHostPages *pages;
    uint64_t version; /* of @pages when the run began */
    uint64_t page;    /* number of the first page */
    uint64_t count;   /* number of pages, up to VEU_HOST_PAGES */
    uint64_t needs;   /* permissions: VEU_HOST_PAGE_READ, WRITE */
    uint64_t known;   /* number of leading pages: known and adjacent */
    uint64_t host;    /* host address of the first page, if it is known */
    bool lacks_read;  /* a page is not known to be readable */
    uint32_t tried;   /* number of attempts since one added a page */
    uint32_t skip;    /* number of requests before the next attempt */
    uint32_t defends; /* number of requests for others that it withstands */
} VeuPageRun;

/*
 * Makes @run that of the pages of [address, address + bytes), @bytes at least
 * 1. Returns true if all of them are known with the permissions of @needs, and
 * follow each other in host memory. Returns false also before it has looked at
 * all of them, and as long as @run is in use for another buffer.
 */
bool veu_page_run_find(VeuPageRun *run, const VeuHostPages *pages,
                       uint64_t address, uint64_t bytes, uint64_t needs);

VEU_CLONED uint8_t *veu_page_run_host(const VeuPageRun *run)
{
    return (uint8_t *)(uintptr_t)run->host;
}

VEU_CLONED uint64_t veu_page_run_bytes(const VeuPageRun *run)
{
    return run->count * VEU_HOST_PAGE_BYTES;
}

#endif
