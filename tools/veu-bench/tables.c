/*
 * veu-bench: page tables: docs/spec.md, section 3.4.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The virtual addresses of everything that a case uses equal its guest
 * addresses, except for the accessed memory: each of its pages is swapped with
 * another one, so that neighbours are not adjacent for the host.
 */
#include <string.h>
#include "tools/veu-bench/bench.h"

#define LARGE_BYTES (UINT64_C(1) << (VEU_TABLE_PAGE_BITS + VEU_TABLE_BITS))

static unsigned page_bits(unsigned level)
{
    return VEU_TABLE_PAGE_BITS + (level - 1) * VEU_TABLE_BITS;
}

static uint64_t new_table(BenchRam *ram)
{
    uint64_t table = bench_ram_take(ram, BENCH_PAGE_BYTES, BENCH_PAGE_BYTES);

    if (table) {
        memset(bench_ram_at(ram, table), 0, BENCH_PAGE_BYTES);
    }
    return table;
}

/* The entry of @level for @address, or NULL if there is no RAM for a table. */
static uint64_t *find_entry(BenchRam *ram, uint64_t root, uint64_t address,
                            unsigned level)
{
    uint64_t table = root;

    for (unsigned at = VEU_TABLE_LEVELS;; at--) {
        uint64_t *entry = bench_ram_at(ram, table);

        entry += address >> page_bits(at) & (VEU_TABLE_ENTRIES - 1);
        if (at == level) {
            return entry;
        }
        if (!*entry) {
            uint64_t next = new_table(ram);

            if (!next) {
                return NULL;
            }
            *entry = next | VEU_PAGE_VALID;
        }
        table = *entry & VEU_PAGE_ADDRESS;
    }
}

uint64_t *bench_tables_entry(const BenchRam *ram, uint64_t root,
                             uint64_t address)
{
    uint64_t table = root;

    for (unsigned at = VEU_TABLE_LEVELS; table; at--) {
        uint64_t *entry = bench_ram_at(ram, table);

        entry += address >> page_bits(at) & (VEU_TABLE_ENTRIES - 1);
        if (at == 1) {
            return entry;
        }
        table = *entry & VEU_PAGE_ADDRESS;
    }
    return NULL;
}

static uint64_t translate(const BenchWork *w, uint64_t address)
{
    uint64_t offset = address - w->memory;

    if (!w->partners || offset >= w->memory_bytes) {
        return address;
    }
    return w->memory +
           w->partners[offset / w->c->page_bytes] * w->c->page_bytes;
}

/* Maps the memory below @end. */
static uint64_t make_tables(const BenchWork *w, BenchRam *ram, uint64_t end)
{
    bool is_large = w->c->page_bytes == LARGE_BYTES;
    uint64_t root = new_table(ram);

    for (uint64_t page = 0; root && page < end; page += w->c->page_bytes) {
        uint64_t *entry = find_entry(ram, root, page, is_large ? 2 : 1);

        if (!entry) {
            return 0;
        }
        *entry = translate(w, page) | VEU_PAGE_VALID | VEU_PAGE_READ |
                 VEU_PAGE_WRITE | (is_large ? VEU_PAGE_LARGE : 0);
    }
    return root;
}

uint64_t bench_tables_make(const BenchWork *w, BenchRam *ram)
{
    return make_tables(w, ram, ram->next);
}

uint64_t bench_tables_of_all(BenchRam *ram, uint64_t page_bytes)
{
    const BenchCase c = { .page_bytes = page_bytes };
    const BenchWork w = { .c = &c };

    return make_tables(&w, ram, ram->bytes);
}

/* --- Pages that change places -------------------------------------------- */

/* Random pairs of pages; an odd one stays in its place. */
void bench_partners_make(BenchWork *w)
{
    uint32_t count = w->memory_bytes / w->c->page_bytes;
    g_autofree uint32_t *order = g_new(uint32_t, MAX(count, 1));
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = g_rand_int_range(rand, 0, i + 1);

        order[i] = order[at];
        order[at] = i;
    }
    w->partners = count > 1 ? g_new(uint32_t, count) : NULL;
    for (uint32_t i = 0; count > 1 && i < count; i++) {
        uint32_t other = (i ^ 1) < count ? i ^ 1 : i;

        w->partners[order[i]] = order[other];
    }
}

void bench_partners_swap(const BenchWork *w, const BenchRam *ram)
{
    uint64_t bytes = w->c->page_bytes;
    g_autofree uint8_t *kept = g_malloc(MAX(bytes, 1));

    for (uint32_t i = 0; w->partners && i < w->memory_bytes / bytes; i++) {
        uint8_t *a = bench_ram_at(ram, w->memory + i * bytes);
        uint8_t *b = bench_ram_at(ram, w->memory + w->partners[i] * bytes);

        if (a < b) {
            memcpy(kept, a, bytes);
            memcpy(a, b, bytes);
            memcpy(b, kept, bytes);
        }
    }
}
