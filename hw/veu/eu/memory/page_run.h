/*
 * veu execution unit: runs of pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pages of a buffer often follow each other in host memory as they do in
 * the address space: in a large page, or because the guest's allocator had
 * memory in one piece. If all of them are known (host_pages.h), the buffer is
 * one extent. Each page is looked at once, until one is forgotten;
 * attempts that find none become rare.
 */
#ifndef VEU_EU_PAGE_RUN_H
#define VEU_EU_PAGE_RUN_H

#include "hw/veu/eu/memory/host_pages.h"

/* The runs of a gate for reads, and for writes. */
#define VEU_PAGE_RUNS 16

typedef struct VeuPageRun {
    const VeuHostPages *pages;
    uint64_t version; /* of the pages */
    uint64_t page;    /* number of the first page */
    uint64_t count;   /* of all its pages, up to VEU_HOST_PAGES */
    uint64_t needs;   /* VEU_HOST_PAGE_READ, WRITE: of all of them */
    uint64_t known;   /* of the first ones, which are known and adjacent */
    uint64_t host;    /* address of the first page, if one is known */
    bool lacks_read;  /* one of them is not known to be readable */
    uint32_t tried;   /* attempts since one that added a page */
    uint32_t skip;    /* requests before the next attempt */
} VeuPageRun;

/*
 * Makes @run that of the pages of [address, address + bytes), @bytes at least
 * 1. Returns true if all of them are known with the permissions of @needs, and
 * follow each other in host memory; false also if it is too soon to try again.
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
