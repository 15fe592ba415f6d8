/*
 * veu-bench: guest RAM, and a memory gate that does what QEMU's does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include <sys/mman.h>
#include "tools/bench/bench.h"

#define BLOCK_BYTES (UINT64_C(1) << BENCH_BLOCK_BITS)
#define BITS        64

/* As QEMU has its RAM: not reserved, in huge pages where there are any. */
bool bench_ram_init(BenchRam *ram, uint64_t bytes)
{
    void *host = mmap(NULL, bytes + BLOCK_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    *ram = (BenchRam){ .bytes = bytes, .mapped = host };
    if (host == MAP_FAILED) {
        return bench_error(
            "the host has no address space for %" G_GUINT64_FORMAT
            " bytes of RAM: write a smaller --ram",
            bytes);
    }
    ram->host = (uint8_t *)(((uintptr_t)host + BLOCK_BYTES - 1) &
                            -(uintptr_t)BLOCK_BYTES);
    madvise(ram->host, bytes, MADV_HUGEPAGE);
    ram->dirty = g_new0(uint64_t, bytes / BENCH_PAGE_BYTES / BITS + 1);
    bench_ram_clear(ram);
    return true;
}

void bench_ram_free(BenchRam *ram)
{
    if (ram->host) {
        munmap(ram->mapped, ram->bytes + BLOCK_BYTES);
    }
    g_free(ram->dirty);
}

/* Address 0 stays free: it means that there is nothing. */
void bench_ram_clear(BenchRam *ram)
{
    ram->next = BENCH_PAGE_BYTES;
}

uint64_t bench_ram_take(BenchRam *ram, uint64_t bytes, uint64_t align)
{
    uint64_t at = (ram->next + align - 1) / align * align;

    if (at > ram->bytes || bytes > ram->bytes - at) {
        bench_error("there is not enough RAM for this case: write a larger "
                    "--ram");
        return 0;
    }
    ram->next = at + bytes;
    return at;
}

static bool covers(const BenchBlock *block, uint64_t iova)
{
    return iova - block->start < block->bytes;
}

static BenchBlock *find_block(BenchGate *g, uint64_t iova)
{
    BenchBlock *block =
        &g->cache[(iova >> BENCH_BLOCK_BITS) % BENCH_CACHE_ENTRIES];

    if (!covers(block, iova)) {
        uint64_t start = iova & ~(BLOCK_BYTES - 1);

        if (iova >= g->ram->bytes) {
            return NULL;
        }
        *block = (BenchBlock){
            .start = start,
            .bytes = MIN(BLOCK_BYTES, g->ram->bytes - start),
            .host = g->ram->host + start,
        };
    }
    return block;
}

static void mark(BenchRam *ram, const uint8_t *page)
{
    uint64_t number = (page - ram->host) / BENCH_PAGE_BYTES;

    __atomic_fetch_or(&ram->dirty[number / BITS], UINT64_C(1) << number % BITS,
                      __ATOMIC_RELAXED);
}

static void gate_flush(VeuHost *host)
{
    BenchGate *g = (BenchGate *)host;

    for (unsigned i = 0; i < g->dirty_count; i++) {
        mark(g->ram, g->dirty[i]);
    }
    if (g->dirty_count) {
        g->dirty_count = 0;
        memset(g->dirty_filter, 0, sizeof(g->dirty_filter));
    }
}

static void note_page(BenchGate *g, uint8_t *page)
{
    unsigned slot = (uintptr_t)page / BENCH_PAGE_BYTES % BENCH_DIRTY_FILTER;

    if (g->dirty_filter[slot] == page) {
        return;
    }
    if (g->dirty_count == BENCH_DIRTY_PAGES) {
        gate_flush(&g->host);
    }
    g->dirty_filter[slot] = page;
    g->dirty[g->dirty_count++] = page;
}

static void note_pages(BenchGate *g, uint8_t *host, uint32_t bytes)
{
    uint8_t *page = (uint8_t *)((uintptr_t)host & -(uintptr_t)BENCH_PAGE_BYTES);

    for (; page < host + bytes; page += BENCH_PAGE_BYTES) {
        note_page(g, page);
    }
}

static uint8_t *gate_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                         enum veu_access access)
{
    BenchGate *g = (BenchGate *)host;
    BenchBlock *block = find_block(g, iova);
    uint64_t offset;
    uint8_t *at;

    if (!block) {
        return NULL;
    }
    offset = iova - block->start;
    at = block->host + offset;
    *bytes = MIN(*bytes, block->bytes - offset);
    if (access == VEU_ACCESS_WRITE) {
        note_pages(g, at, *bytes);
    }
    return at;
}

void bench_gate_init(BenchGate *g, BenchRam *ram)
{
    g->host.map = gate_map;
    g->host.flush = gate_flush;
    g->ram = ram;
}
