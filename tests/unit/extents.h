/*
 * veu unit tests: a gate whose host has extents at addresses that are never
 * accessed, so that they may be large, and counts what it is asked.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_EXTENTS_H
#define VEU_TEST_EXTENTS_H

#include <glib.h>
#include "hw/veu/eu/memory/extent.h"

#define PAGE  VEU_PAGE_BYTES
#define BLOCK (UINT64_C(1) << VEU_NOTE_BITS)
#define LARGE (UINT64_C(1) << VEU_MEM_BLOCK_BITS)

#define SMALL_AT UINT64_C(0x5000)
#define OTHER_AT UINT64_C(0x9000)
#define LARGE_AT (16 * LARGE)
#define LAST_AT  (49 * LARGE)

/* The host's memory: its address, its first page and its first block. */
#define HOST       UINT64_C(0x7f1240000000)
#define HOST_PAGE  (HOST / PAGE)
#define HOST_BLOCK (HOST / BLOCK)
#define PAGES      2048
#define BLOCKS     (PAGES / VEU_NOTE_PAGES)

typedef struct Gate {
    VeuMem mem; /* the first member, from which callbacks find the rest */
    VeuExtent extent[4];
    bool unwritable[4];
    unsigned count;
    unsigned opens;
    unsigned maps;
    unsigned notes;
    bool probed; /* by the last open() or map() */
    uint64_t mapped[VEU_MEM_MISSES + 8];
    uint8_t noted[PAGES + 1];
    uint8_t listed[BLOCKS + 1];
} Gate;

static inline uint8_t *host_at(uint64_t offset)
{
    return (uint8_t *)(uintptr_t)(HOST + offset);
}

static inline bool open_extent(VeuMem *mem, uint64_t iova,
                               enum veu_access access, VeuExtent *extent)
{
    Gate *g = (Gate *)mem;

    g->opens++;
    g->probed = mem->probes;
    for (unsigned i = 0; i < g->count; i++) {
        *extent = g->extent[i]; /* must not be used if this returns false */
        if (veu_extent_has(&g->extent[i], iova, 1)) {
            return access == VEU_ACCESS_WRITE ? !g->unwritable[i] :
                                                !extent->write_only;
        }
    }
    return false;
}

/* No address is accessible. */
static inline uint8_t *map(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                           enum veu_access access)
{
    Gate *g = (Gate *)mem;

    g_assert_cmpuint(g->maps, <, G_N_ELEMENTS(g->mapped));
    g->probed = mem->probes;
    g->mapped[g->maps++] = iova;
    return NULL;
}

static inline void note(VeuMem *mem, uint8_t *host)
{
    Gate *g = (Gate *)mem;

    g->notes++;
    g->listed[((uintptr_t)host - HOST) / BLOCK] = 1;
}

static inline Gate *begin(void)
{
    Gate *g = g_new0(Gate, 1);

    g->mem.open = open_extent;
    g->mem.map = map;
    g->mem.note = note;
    return g;
}

static inline void end(Gate *g)
{
    g_free(g->mem.host_pages);
    g_free(g);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Gate, end)

/* Adds an extent of @bytes at @iova, which is at @offset of the host. */
static inline VeuExtent *add(Gate *g, uint64_t iova, uint64_t bytes,
                             uint64_t offset)
{
    g->extent[g->count] = (VeuExtent){
        .iova = iova,
        .bytes = bytes,
        .host = host_at(offset),
        .noted = (uintptr_t)g->noted - HOST_PAGE,
        .listed = (uintptr_t)g->listed - HOST_BLOCK,
    };
    return &g->extent[g->count++];
}

static inline uint8_t *find(Gate *g, uint64_t iova, enum veu_access access)
{
    const VeuExtent *e = veu_mem_find(&g->mem, iova, 4, access);

    return e ? veu_extent_at(e, iova) : NULL;
}

/* Pages [@first, @end) of the first extent have been written. */
static inline void set_written(Gate *g, unsigned first, unsigned end)
{
    VeuExtent e = g->extent[0];

    e.host = host_at(first * PAGE);
    e.bytes = (end - first) * PAGE;
    veu_mem_set_written(&g->mem, &e);
}

#endif
