/*
 * veu execution unit: a table of the pages of a context with page tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/memory/host_pages.h"

#define PERMISSIONS (VEU_HOST_PAGE_READ | VEU_HOST_PAGE_WRITE)

/* Pages of 4 KiB in a page of 2 MiB. */
#define PARTS UINT64_C(512)

static uint64_t load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

void veu_host_pages_keep(VeuHostPages *pages, uint64_t address,
                         const uint8_t *host, uint64_t bits)
{
    uint64_t *at = &pages->word[veu_host_page_place(address)];
    uint64_t page = (uintptr_t)host & -(uintptr_t)VEU_HOST_PAGE_BYTES;
    uint64_t word = page | veu_host_page_tag(address);
    uint64_t old = load(at);

    if (page & ~VEU_HOST_PAGE_HOST || address >> 48 ||
        ((uintptr_t)host ^ address) % VEU_HOST_PAGE_BYTES) {
        return;
    }
    if ((old & ~(PERMISSIONS | VEU_HOST_PAGE_PART)) == word) {
        bits |= old & (PERMISSIONS | VEU_HOST_PAGE_PART);
    }
    if (bits & VEU_HOST_PAGE_PART) {
        __atomic_store_n(&pages->has_parts, true, __ATOMIC_RELAXED);
    }
    __atomic_store_n(at, word | bits, __ATOMIC_RELAXED);
}

/* Returns true if @word describes page number @number. */
static bool is_of(uint64_t word, uint64_t number)
{
    return (word & PERMISSIONS) &&
           (word & VEU_HOST_PAGE_TAG) == veu_host_page_tag(number << 12);
}

/* Whoever sees the new version does not see the pages that were forgotten. */
static void change_version(VeuHostPages *pages)
{
    __atomic_fetch_add(&pages->version, 1, __ATOMIC_RELEASE);
}

/* If a part of a large page is in the range, all its parts are forgotten. */
void veu_host_pages_forget(VeuHostPages *pages, uint64_t first, uint64_t count)
{
    bool has_parts = __atomic_load_n(&pages->has_parts, __ATOMIC_RELAXED);
    uint64_t from = has_parts ? first & -PARTS : first;
    uint64_t end = has_parts ? (first + count + PARTS - 1) & -PARTS :
                               first + count;

    for (uint64_t number = from; number < end; number++) {
        uint64_t *at = &pages->word[veu_host_page_place(number << 12)];
        uint64_t word = load(at);

        if (is_of(word, number) &&
            (number - first < count || (word & VEU_HOST_PAGE_PART))) {
            __atomic_store_n(at, 0, __ATOMIC_RELAXED);
        }
    }
    change_version(pages);
}

void veu_host_pages_forget_all(VeuHostPages *pages)
{
    for (unsigned i = 0; i < VEU_HOST_PAGES; i++) {
        if (load(&pages->word[i])) {
            __atomic_store_n(&pages->word[i], 0, __ATOMIC_RELAXED);
        }
    }
    __atomic_store_n(&pages->has_parts, false, __ATOMIC_RELAXED);
    change_version(pages);
}
