/*
 * veu proofs: extents of memory, and dirty pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/memory/mem.c"
#include "tests/proofs/proof.h"

/* RAM that the host offers in pieces; it has bytes, so that it is an object. */
#define RAM_BYTES 8

static uint8_t ram[RAM_BYTES];
static uint64_t ram_at;
static VeuMem mem;

/* Returns a piece of RAM around @iova, as mem.h requires. */
static bool open_some(VeuMem *m, uint64_t iova, enum veu_access access,
                      VeuExtent *extent)
{
    uint64_t at = iova - ram_at;
    uint64_t before = nondet_u64();
    uint64_t bytes = nondet_u64();

    if (at >= RAM_BYTES || nondet_bool()) {
        return false;
    }
    ASSUME(before <= at && bytes > before && bytes <= RAM_BYTES - at + before);
    *extent = (VeuExtent){
        .iova = iova - before,
        .bytes = bytes,
        .host = ram + at - before,
    };
    return true;
}

/* Likewise for a mapping: at least a byte, and at most as many as requested. */
static uint8_t *map_some(VeuMem *m, uint64_t iova, uint32_t *bytes,
                         enum veu_access access)
{
    uint64_t at = iova - ram_at;
    uint32_t some = nondet_u32();

    if (at >= RAM_BYTES || nondet_bool()) {
        return NULL;
    }
    ASSUME(some >= 1 && some <= *bytes && some <= RAM_BYTES - at);
    *bytes = some;
    return ram + at;
}

static void take_memory(void)
{
    ram_at = nondet_u64();
    mem.open = open_some;
    mem.map = map_some;
}

static enum veu_access any_access(void)
{
    return nondet_bool() ? VEU_ACCESS_WRITE : VEU_ACCESS_READ;
}

/* This holds after any look-up, which may have left entries. */
void what_is_found_has_all_bytes(void)
{
    uint64_t iova = nondet_u64();
    uint64_t bytes = nondet_u64();
    enum veu_access access = any_access();
    const VeuExtent *found;

    take_memory();
    veu_mem_find(&mem, nondet_u64(), nondet_u64(), any_access());
    if (nondet_bool()) {
        veu_mem_forget(&mem);
        PROVE(!mem.used_count, "nothing is left of what was forgotten");
    }
    ASSUME(bytes >= 1);
    found = veu_mem_find(&mem, iova, bytes, access);
    REACHED(found && bytes == RAM_BYTES);
    REACHED(found && found->iova < iova);
    REACHED(mem.used_count == 1 && found);
    PROVE(!found || (iova - ram_at < RAM_BYTES &&
                     bytes <= RAM_BYTES - (iova - ram_at)),
          "what is found is RAM, to its last byte");
    PROVE(!found || found->host + (iova - found->iova) == ram + (iova - ram_at),
          "and the host's pointer is of that address");
    PROVE(mem.used_count <= sizeof(mem.used) / sizeof(mem.used[0]),
          "there is a place for all that is remembered");
}

void spans_have_their_bytes(void)
{
    uint64_t iova = nondet_u64();
    uint32_t bytes = nondet_u32();
    uint32_t n = nondet_u32();
    VeuSpan span;

    take_memory();
    ASSUME(bytes >= 1 && bytes <= RAM_BYTES);
    bool good = veu_mem_span(&mem, iova, bytes, VEU_ACCESS_READ, &span);

    REACHED(good && span.piece_bytes[1] == 3);
    REACHED(!good && span.piece_bytes[0] == 2);
    PROVE(span.piece_bytes[0] <= bytes, "no piece is longer than the access");
    PROVE(!good || span.piece_bytes[0] + span.piece_bytes[1] == bytes,
          "the pieces have all bytes of the access");
    ASSUME(good && n < bytes);
    const uint8_t *at = n < span.piece_bytes[0] ?
                            span.piece[0] + n :
                            span.piece[1] + (n - span.piece_bytes[0]);

    PROVE(at == ram + (iova + n - ram_at), "each byte is where its address is");
}

void noted_pages_are_told_once(void)
{
    uint64_t pages = nondet_u64();
    uint64_t before = pages;
    unsigned first = 0, end = 0;
    unsigned page = nondet_u8();

    ASSUME(page < 64);
    bool any = veu_noted_next(&pages, &first, &end);

    REACHED(end == 64 && first == 0);
    REACHED(any && pages);
    PROVE(any == (before != 0), "there are some iff some are noted");
    ASSUME(any);
    PROVE(first < end && end <= 64, "a run has a page");
    bool noted = before >> page & 1;
    bool told = page >= first && page < end;

    PROVE(noted == (told || (pages >> page & 1)), "no page is lost, or added");
    PROVE(!told || !(pages >> page & 1), "and none is told twice");
    PROVE(page != end || !noted, "a run ends where it must");
}

void noted_bytes_are_bits(void)
{
    uint8_t noted[VEU_NOTE_PAGES];
    unsigned page = nondet_u8();

    for (unsigned i = 0; i < VEU_NOTE_PAGES; i++) {
        noted[i] = nondet_bool();
    }
    ASSUME(page < VEU_NOTE_PAGES);
    uint64_t pages = veu_noted_pages(noted);

    REACHED(pages == UINT64_MAX);
    PROVE((pages >> page & 1) == noted[page], "a byte is the bit of its page");
}
