/*
 * veu execution unit: runs of pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/param.h>
#include "hw/veu/eu/memory/page_run.h"

/*
 * After n attempts that add no page, 2^n - 1 requests are refused without one,
 * but at most 2^this.
 */
#define MAX_PATIENCE 6

/* The most pages that an attempt adds: a message is a bounded piece of work. */
#define MOST_PAGES 64

/* Returns true if no page was forgotten since @run began in @pages. */
static bool is_current(const VeuPageRun *run, const VeuHostPages *pages)
{
    return run->pages == pages && run->version == veu_host_pages_version(pages);
}

/* Returns true if the run of other pages keeps its place for now. */
static bool is_defended(VeuPageRun *run, const VeuHostPages *pages)
{
    if (!is_current(run, pages) || !run->defends) {
        return false;
    }
    run->defends--;
    return true;
}

static bool is_of(const VeuPageRun *run, const VeuHostPages *pages,
                  uint64_t page, uint64_t count, uint64_t needs)
{
    return run->page == page && run->count == count && run->needs == needs &&
           is_current(run, pages);
}

/* Returns false if @run remains that of other pages. */
static bool open_run(VeuPageRun *run, const VeuHostPages *pages, uint64_t page,
                     uint64_t count, uint64_t needs)
{
    if (!is_of(run, pages, page, count, needs)) {
        if (is_defended(run, pages)) {
            return false;
        }
        *run = (VeuPageRun){
            .pages = pages,
            .version = veu_host_pages_version(pages),
            .page = page,
            .count = count,
            .needs = needs,
        };
    }
    run->defends = VEU_PAGE_RUN_DEFENDS;
    return true;
}

/* Adds the next page. Returns false if it is not known, or not adjacent. */
static bool add_page(VeuPageRun *run)
{
    uint64_t address = (run->page + run->known) * VEU_HOST_PAGE_BYTES;
    uint64_t word = veu_host_page_find(run->pages, address, 1, run->needs);
    uint64_t first = (word & VEU_HOST_PAGE_HOST) -
                     run->known * VEU_HOST_PAGE_BYTES;

    if (!word || (run->known && first != run->host)) {
        return false;
    }
    run->host = first;
    run->lacks_read |= !(word & VEU_HOST_PAGE_READ);
    run->known++;
    return true;
}

/* Adds pages. Returns true if these are all. */
static bool add_pages(VeuPageRun *run)
{
    uint64_t known = run->known;
    uint64_t end = MIN(known + MOST_PAGES, run->count);

    while (run->known < end && add_page(run)) {}
    run->tried = run->known > known ? 0 : MIN(run->tried + 1, MAX_PATIENCE);
    run->skip = (1u << run->tried) - 1;
    return run->known == run->count;
}

bool veu_page_run_find(VeuPageRun *run, const VeuHostPages *pages,
                       uint64_t address, uint64_t bytes, uint64_t needs)
{
    uint64_t first = address / VEU_HOST_PAGE_BYTES;
    uint64_t last = (address + (bytes - 1)) / VEU_HOST_PAGE_BYTES;

    if (address + (bytes - 1) < address || last - first >= VEU_HOST_PAGES ||
        !open_run(run, pages, first, last - first + 1, needs)) {
        return false;
    }
    if (run->known == run->count) {
        return true;
    }
    if (run->skip) {
        run->skip--;
        return false;
    }
    return add_pages(run);
}
