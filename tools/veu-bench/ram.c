/*
 * veu-bench: guest RAM, and a memory gate that works like QEMU's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include <sys/mman.h>
#include "hw/veu/eu/memory/extent.h"
#include "tools/veu-bench/bench.h"

#define BLOCK_BYTES (UINT64_C(1) << BENCH_BLOCK_BITS)
#define BITS        64

/* Like QEMU's RAM: not reserved, and in huge pages if there are any. */
bool bench_ram_init(BenchRam *ram, uint64_t bytes)
{
    void *host = mmap(NULL, bytes + BLOCK_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    *ram = (BenchRam){ .bytes = bytes, .mapped = host };
    if (host == MAP_FAILED) {
        return tool_error("the host has no address space for %" G_GUINT64_FORMAT
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

/* Address 0 stays free: it means that there is no memory. */
void bench_ram_clear(BenchRam *ram)
{
    ram->next = BENCH_PAGE_BYTES;
}

uint64_t bench_ram_take(BenchRam *ram, uint64_t bytes, uint64_t align)
{
    uint64_t at = (ram->next + align - 1) / align * align;

    if (at > ram->bytes || bytes > ram->bytes - at) {
        tool_error("there is not enough RAM for this case: write a larger "
                   "--ram");
        return 0;
    }
    ram->next = at + bytes;
    return at;
}

/* --- Translation --------------------------------------------------------- */

static bool covers(const BenchBlock *block, uint64_t iova)
{
    return iova - block->start < block->bytes;
}

/* A block extends to the end of the RAM that follows it without a gap. */
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
            .bytes = g->ram->bytes - start,
            .host = g->ram->host + start,
        };
    }
    return block;
}

/* --- Written pages ------------------------------------------------------- */

static uint64_t page_of(const BenchGate *g, const uint8_t *host)
{
    return (host - g->ram->host) / BENCH_PAGE_BYTES;
}

static void list_group(BenchDirty *d, uint64_t page)
{
    uint64_t group = page / VEU_NOTE_PAGES;

    if (!d->listed[group]) {
        d->listed[group] = 1;
        d->groups[d->group_count++] = group;
    }
}

static void gate_note(VeuHost *host, uint8_t *at)
{
    BenchGate *g = (BenchGate *)host;

    list_group(&g->dirty, page_of(g, at));
}

/* Marks a range of pages as QEMU does: bits that all its threads may change. */
static void mark(BenchRam *ram, uint64_t page, uint64_t end)
{
    while (page < end) {
        uint64_t next = MIN(end, (page / BITS + 1) * BITS);
        uint64_t bits = UINT64_MAX >> (BITS - (next - page));

        __atomic_fetch_or(&ram->dirty[page / BITS], bits << page % BITS,
                          __ATOMIC_SEQ_CST);
        page = next;
    }
}

static void flush_group(BenchGate *g, uint32_t group)
{
    BenchDirty *d = &g->dirty;
    uint64_t base = (uint64_t)group * VEU_NOTE_PAGES;
    uint64_t pages = veu_noted_pages(d->noted + base);
    unsigned first, end;

    while (veu_noted_next(&pages, &first, &end)) {
        mark(g->ram, base + first, base + end);
    }
    memset(d->noted + base, 0, VEU_NOTE_PAGES);
    d->listed[group] = 0;
}

static void gate_flush(VeuHost *host)
{
    BenchGate *g = (BenchGate *)host;

    for (unsigned i = 0; i < g->dirty.group_count; i++) {
        flush_group(g, g->dirty.groups[i]);
    }
    g->dirty.group_count = 0;
}

void bench_gate_end_turn(BenchGate *g)
{
    if (g->dirty.group_count >= BENCH_DIRTY_MANY) {
        gate_flush(&g->host);
    }
}

/* --- The gate ------------------------------------------------------------ */

static uint8_t *gate_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                         enum veu_access access)
{
    BenchGate *g = (BenchGate *)host;
    BenchBlock *block = find_block(g, iova);
    uint64_t offset;

    if (!block) {
        return NULL;
    }
    offset = iova - block->start;
    *bytes = MIN(*bytes, block->bytes - offset);
    if (access == VEU_ACCESS_WRITE) {
        uint64_t last = (iova + *bytes - 1) / BENCH_PAGE_BYTES;

        for (uint64_t i = iova / BENCH_PAGE_BYTES; i <= last; i++) {
            list_group(&g->dirty, i);
            g->dirty.noted[i] = 1;
        }
    }
    return block->host + offset;
}

static bool gate_open(VeuHost *host, uint64_t iova, enum veu_access access,
                      VeuExtent *extent)
{
    BenchGate *g = (BenchGate *)host;
    const BenchBlock *block = find_block(g, iova);
    uintptr_t ram = (uintptr_t)g->ram->host;

    if (!block) {
        return false;
    }
    *extent = (VeuExtent){
        .iova = block->start,
        .bytes = block->bytes,
        .host = block->host,
    };
    if (access == VEU_ACCESS_WRITE) {
        extent->noted = (uintptr_t)g->dirty.noted - (ram >> VEU_PAGE_BITS);
        extent->listed = (uintptr_t)g->dirty.listed - (ram >> VEU_NOTE_BITS);
    }
    return true;
}

void bench_gate_init(BenchGate *g, BenchRam *ram)
{
    uint64_t groups = ram->bytes / BENCH_PAGE_BYTES / VEU_NOTE_PAGES + 1;

    g->host.map = gate_map;
    g->host.open = gate_open;
    g->host.note = gate_note;
    g->host.flush = gate_flush;
    g->host.memory_version = 1; /* it never changes */
    g->ram = ram;
    g->dirty = (BenchDirty){
        .noted = g_malloc0(groups * VEU_NOTE_PAGES),
        .listed = g_malloc0(groups),
        .groups = g_new0(uint32_t, groups),
    };
}

void bench_gate_cleanup(BenchGate *g)
{
    g_free(g->dirty.noted);
    g_free(g->dirty.listed);
    g_free(g->dirty.groups);
}
