/*
 * veu execution unit: lanes in pages of a context with page tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * If an extent is a page, each lane may be in another one. Here all lanes are
 * looked up in the table of host pages (memory/host_pages.h), four at a time.
 * The words and the elements are loaded one by one: on CPUs with slow gathers
 * this takes half the time, and on others it is not slower.
 */
#ifndef VEU_EU_FAST_PAGES_H
#define VEU_EU_FAST_PAGES_H

#include "hw/veu/eu/message/fast_elements.h"
#include "hw/veu/eu/message/fast_pieces.h"
#include "hw/veu/eu/message/page_lanes.h"
#include "hw/veu/eu/memory/host_pages.h"

#ifdef VEU_HAS_AVX2

/* The memory that lanes access. */
typedef struct VeuPageAccess {
    const VeuHostPages *pages;
    uint64_t needs;    /* VEU_HOST_PAGE_READ, VEU_HOST_PAGE_WRITE */
    unsigned bytes;    /* size of an access */
    uint64_t low_bits; /* bits of an address that must be 0: at most 0xff */
} VeuPageAccess;

VEU_CLONED VeuPageAccess veu_page_access(const VeuThread *t,
                                         enum veu_access access, unsigned bytes,
                                         uint64_t low_bits)
{
    return (VeuPageAccess){
        .pages = t->mem->host_pages,
        .needs = access == VEU_ACCESS_WRITE ? VEU_HOST_PAGE_WRITE :
                                              VEU_HOST_PAGE_READ,
        .bytes = bytes,
        .low_bits = low_bits,
    };
}

VEU_AVX2 uint64_t veu_page_word(const VeuHostPages *pages, uint64_t place)
{
    return __atomic_load_n(&pages->word[place], __ATOMIC_RELAXED);
}

/* --- Addresses ------------------------------------------------------------ */

VEU_AVX2 __m256i veu_page_words(const VeuHostPages *pages, __m256i places)
{
    return _mm256_setr_epi64x(
        veu_page_word(pages, _mm256_extract_epi64(places, 0)),
        veu_page_word(pages, _mm256_extract_epi64(places, 1)),
        veu_page_word(pages, _mm256_extract_epi64(places, 2)),
        veu_page_word(pages, _mm256_extract_epi64(places, 3)));
}

/* veu_host_page_place() for four addresses. */
VEU_AVX2 __m256i veu_page_places(__m256i addresses)
{
    return _mm256_and_si256(
        _mm256_xor_si256(_mm256_srli_epi64(addresses, VEU_PAGE_BITS),
                         _mm256_srli_epi64(addresses, VEU_PAGE_BITS +
                                                          VEU_HOST_PAGES_BITS)),
        _mm256_set1_epi64x(VEU_HOST_PAGES - 1));
}

/* veu_host_page_tag() for four addresses. */
VEU_AVX2 __m256i veu_page_tags(__m256i addresses)
{
    const __m256i bytes = _mm256_setr_epi8(3, -1, -1, -1, -1, -1, 4, 5, 11, -1,
                                           -1, -1, -1, -1, 12, 13, 3, -1, -1,
                                           -1, -1, -1, 4, 5, 11, -1, -1, -1, -1,
                                           -1, 12, 13);

    return _mm256_shuffle_epi8(addresses, bytes);
}

/*
 * Bits of VEU_HOST_PAGE_TAG where four addresses are not in pages, or not of 48
 * bits, or not aligned. @in_page: their low bits. An access that is aligned to
 * its own size is in one page.
 */
VEU_AVX2 __m256i veu_page_misfits(const VeuPageAccess *a, __m256i addresses,
                                  __m256i in_page)
{
    const uint64_t high_bits = UINT64_C(0xffff) << 48;
    const int64_t last = VEU_HOST_PAGE_BYTES - a->bytes;
    __m256i bits = _mm256_set1_epi64x(high_bits | a->low_bits);

    bits = _mm256_and_si256(addresses, bits);
    return a->low_bits == a->bytes - 1 ?
               bits :
               _mm256_or_si256(
                   bits, _mm256_cmpgt_epi64(in_page, _mm256_set1_epi64x(last)));
}

/*
 * Puts lane @lane and the three that follow it, which access @addresses if they
 * are @on, into @to. Sets bits of *@bad for lanes whose page is not known.
 */
VEU_AVX2 void veu_page_targets(const VeuPageAccess *a, unsigned lane,
                               __m256i addresses, __m256i on, VeuTargets *to,
                               __m256i *bad)
{
    __m256i in_page = _mm256_and_si256(addresses, _mm256_set1_epi64x(
                                                      VEU_HOST_PAGE_BYTES - 1));
    __m256i word = _mm256_xor_si256(
        _mm256_xor_si256(veu_page_words(a->pages, veu_page_places(addresses)),
                         veu_page_tags(addresses)),
        _mm256_set1_epi64x(a->needs));
    __m256i at = _mm256_or_si256(
        _mm256_and_si256(word, _mm256_set1_epi64x(VEU_HOST_PAGE_HOST)),
        in_page);
    __m256i wrong = _mm256_or_si256(word,
                                    veu_page_misfits(a, addresses, in_page));

    *bad = _mm256_or_si256(*bad, _mm256_and_si256(wrong, on));
    veu_targets_set(to, lane, at, on);
}

VEU_AVX2 bool veu_pages_are_known(const VeuPageAccess *a, __m256i bad)
{
    return _mm256_testz_si256(bad,
                              _mm256_set1_epi64x(VEU_HOST_PAGE_TAG | a->needs));
}

/* --- Offsets in a buffer -------------------------------------------------- */

/* Bits of VEU_HOST_PAGE_TAG that the index in the table implies as well. */
#define VEU_PAGE_INDEX_TAG UINT64_C(7)

/* log2 of the memory whose pages have the same other bits of the tag. */
#define VEU_PAGE_AREA_BITS (VEU_PAGE_BITS + VEU_HOST_PAGES_BITS)

/*
 * A buffer in pages, for the lanes of several messages. If it does not cross a
 * multiple of 128 MiB, the words of its pages differ in host addresses only.
 */
typedef struct VeuPageBuffer {
    VeuPageAccess access;
    uint64_t base;
    bool in_area;    /* it does not cross such a multiple */
    __m256i start;   /* of the buffer in its first page */
    __m256i page;    /* its first page, in the area */
    __m256i hash;    /* by which indices differ from pages */
    __m256i word;    /* the tag, and the permissions that lanes need */
    __m256i differs; /* the bits in which words must equal it */
    /*
     * The map of the buffer that begins @map_first bytes before this one, or
     * NULL.
     */
    VeuPageMap *map;
    unsigned map_first;
    /* The messages to execute before the gate is asked for a map again. */
    unsigned most;
} VeuPageBuffer;

VEU_AVX2 __m256i veu_page_dwords(uint64_t number, uint32_t below)
{
    return _mm256_set1_epi32(number & (below - 1));
}

VEU_AVX2 void veu_page_buffer_open(const VeuPageAccess *a, uint64_t base,
                                   uint64_t bytes, VeuPageBuffer *b)
{
    const uint64_t area_bytes = UINT64_C(1) << VEU_PAGE_AREA_BITS;

    b->access = *a;
    b->base = base;
    b->map = NULL;
    b->map_first = 0;
    b->most = veu_page_map_fits(base, bytes) ? 4 : UINT32_MAX;
    b->in_area = !(base >> 48) && base % area_bytes + bytes <= area_bytes;
    b->start = veu_page_dwords(base, VEU_HOST_PAGE_BYTES);
    b->page = veu_page_dwords(base >> VEU_PAGE_BITS, VEU_HOST_PAGES);
    b->hash = veu_page_dwords(base >> VEU_PAGE_AREA_BITS, VEU_HOST_PAGES);
    b->word = _mm256_set1_epi64x(veu_host_page_tag(base) | a->needs);
    b->differs = _mm256_set1_epi64x((VEU_HOST_PAGE_TAG & ~VEU_PAGE_INDEX_TAG) |
                                    a->needs);
}

/* The words at four places. */
VEU_AVX2 __m256i veu_page_half_words(const uint64_t *words, __m128i places)
{
    uint32_t at[4] = {
        _mm_extract_epi32(places, 0),
        _mm_extract_epi32(places, 1),
        _mm_extract_epi32(places, 2),
        _mm_extract_epi32(places, 3),
    };

    return _mm256_setr_epi64x(__atomic_load_n(words + at[0], __ATOMIC_RELAXED),
                              __atomic_load_n(words + at[1], __ATOMIC_RELAXED),
                              __atomic_load_n(words + at[2], __ATOMIC_RELAXED),
                              __atomic_load_n(words + at[3], __ATOMIC_RELAXED));
}

/*
 * Not 0 in lanes that are not aligned, or cross a page. @at: offsets from the
 * buffer's first page. An access that is aligned to its own size is in one
 * page.
 */
VEU_AVX2 __m256i veu_page_group_misfits(const VeuPageAccess *a, __m256i at,
                                        __m256i in_page)
{
    const int last = VEU_HOST_PAGE_BYTES - a->bytes;
    __m256i bits = _mm256_and_si256(at, _mm256_set1_epi32(a->low_bits));

    return a->low_bits == a->bytes - 1 ?
               bits :
               _mm256_or_si256(
                   bits, _mm256_cmpgt_epi32(in_page, _mm256_set1_epi32(last)));
}

/*
 * Puts lane @lane and the seven that follow it, which are at @offsets in the
 * buffer if they are @in, into @to. Sets bits of *@bad for lanes whose page is
 * not known, and of *@misfits.
 */
VEU_AVX2 void veu_page_group_targets(const VeuPageBuffer *b, unsigned lane,
                                     __m256i offsets, __m256i in,
                                     VeuTargets *to, __m256i *bad,
                                     __m256i *misfits)
{
    const uint64_t *words = b->access.pages->word;
    __m256i at = _mm256_add_epi32(offsets, b->start);
    __m256i in_page = _mm256_and_si256(at, _mm256_set1_epi32(
                                               VEU_HOST_PAGE_BYTES - 1));
    __m256i places = _mm256_and_si256(
        _mm256_xor_si256(_mm256_add_epi32(_mm256_srli_epi32(at, VEU_PAGE_BITS),
                                          b->page),
                         b->hash),
        in);

    *misfits = _mm256_or_si256(
        *misfits,
        _mm256_and_si256(in, veu_page_group_misfits(&b->access, at, in_page)));
    VEU_UNROLL
    for (unsigned half = 0; half < 2; half++) {
        __m256i on = _mm256_cvtepi32_epi64(veu_half_of(in, half));
        __m256i word = _mm256_xor_si256(
            veu_page_half_words(words, veu_half_of(places, half)), b->word);

        *bad = _mm256_or_si256(*bad, _mm256_and_si256(word, on));
        word = _mm256_and_si256(word, _mm256_set1_epi64x(VEU_HOST_PAGE_HOST));
        word = _mm256_or_si256(word, _mm256_cvtepu32_epi64(
                                         veu_half_of(in_page, half)));
        veu_targets_set(to, lane + half * 4, word, on);
    }
}

/* Like veu_pages_place_offsets(), for a buffer that is not in one area. */
VEU_AVX2 bool veu_pages_place_in_areas(const VeuPageBuffer *b,
                                       const __m256i *offsets,
                                       const __m256i *in, unsigned lanes,
                                       VeuTargets *to)
{
    __m256i bad = _mm256_setzero_si256();

    for (unsigned i = 0; i < lanes / 4; i++) {
        __m128i four = veu_half_of(offsets[i / 2], i % 2);

        veu_page_targets(&b->access, i * 4,
                         _mm256_add_epi64(_mm256_set1_epi64x(b->base),
                                          _mm256_cvtepu32_epi64(four)),
                         _mm256_cvtepi32_epi64(veu_half_of(in[i / 2], i % 2)),
                         to, &bad);
    }
    return veu_pages_are_known(&b->access, bad);
}

/* Like veu_pages_place_offsets(), for a buffer that has a map. */
VEU_AVX2 bool veu_pages_place_in_map(const VeuPageBuffer *b,
                                     const __m256i *offsets, const __m256i *in,
                                     unsigned lanes, VeuTargets *to)
{
    const VeuPageMap *map = b->map;
    const __m256i start = _mm256_set1_epi32(
        (int)(map->base % VEU_PAGE_BYTES + b->map_first));
    const __m256i in_page = _mm256_set1_epi32(VEU_PAGE_BYTES - 1);
    _Alignas(32) uint32_t at[VEU_MAX_LANES], page[VEU_MAX_LANES];
    __m256i misfits = _mm256_setzero_si256();
    uint32_t out = 0;

    VEU_UNROLL
    for (unsigned i = 0; i < lanes / 8; i++) {
        __m256i group = _mm256_and_si256(in[i],
                                         _mm256_add_epi32(offsets[i], start));

        misfits = _mm256_or_si256(
            misfits, veu_page_group_misfits(&b->access, group,
                                            _mm256_and_si256(group, in_page)));
        _mm256_store_si256((__m256i *)(at + i * 8), group);
        _mm256_store_si256((__m256i *)(page + i * 8),
                           _mm256_srli_epi32(group, VEU_PAGE_BITS));
        out |= (~veu_bits_of(in[i]) & 0xff) << (i * 8);
    }
    VEU_UNROLL
    for (unsigned lane = 0; lane < lanes; lane++) {
        to->at[lane] = map->distance[page[lane]] + at[lane];
    }
    VEU_FOR_EACH_LANE(lane, out) {
        to->at[lane] = (uintptr_t)to->sink;
    }
    return _mm256_testz_si256(misfits, misfits);
}

/*
 * Places the lanes that are @in, at @offsets in the buffer. Returns false if
 * the lanes must be looked up one by one.
 */
VEU_AVX2 bool veu_pages_place_offsets(const VeuPageBuffer *b,
                                      const __m256i *offsets, const __m256i *in,
                                      unsigned lanes, VeuTargets *to)
{
    __m256i bad = _mm256_setzero_si256();
    __m256i misfits = _mm256_setzero_si256();

    if (b->map) {
        return veu_pages_place_in_map(b, offsets, in, lanes, to);
    }
    if (!b->in_area) {
        return veu_pages_place_in_areas(b, offsets, in, lanes, to);
    }
    VEU_UNROLL
    for (unsigned i = 0; i < lanes / 8; i++) {
        veu_page_group_targets(b, i * 8, offsets[i], in[i], to, &bad, &misfits);
    }
    return _mm256_testz_si256(misfits, misfits) &&
           _mm256_testz_si256(bad, b->differs);
}

/* --- Dirty pages ---------------------------------------------------------- */

/* Returns true if lanes @bits are in the host memory [first, first + bytes). */
VEU_AVX2 bool veu_targets_are_in(uint64_t first, uint64_t bytes, uint32_t bits,
                                 unsigned lanes, const VeuTargets *to)
{
    __m256i low = _mm256_set1_epi64x(first);
    __m256i high = _mm256_set1_epi64x(first - 1 + bytes);
    uint32_t outside = 0;

    VEU_UNROLL
    for (unsigned i = 0; i < lanes; i += 4) {
        __m256i at = _mm256_load_si256((const __m256i *)(to->at + i));
        __m256i sign = _mm256_or_si256(_mm256_sub_epi64(at, low),
                                       _mm256_sub_epi64(high, at));
        uint32_t four = _mm256_movemask_pd(_mm256_castsi256_pd(sign));

        outside |= four << i;
    }
    return !(outside & bits);
}

/* Returns true if the pages of lanes @bits are known to be dirty. */
VEU_AVX2 bool veu_targets_are_noted(const VeuMem *mem, uint32_t bits,
                                    unsigned lanes, const VeuTargets *to)
{
    const VeuMemNoted *n = &mem->noted;

    return n->in == mem->written.noted &&
           veu_targets_are_in(n->page << VEU_PAGE_BITS,
                              (n->end - n->page) << VEU_PAGE_BITS, bits, lanes,
                              to);
}

/*
 * If @needs has VEU_HOST_PAGE_WRITE, marks the pages of lanes @bits as dirty.
 * Returns false if one is not in the memory whose dirty bytes are known.
 */
VEU_AVX2 bool veu_pages_note(VeuThread *t, uint64_t needs, uint32_t bits,
                             unsigned lanes, const VeuTargets *to)
{
    const VeuExtent *written = &t->mem->written;

    if (!(needs & VEU_HOST_PAGE_WRITE) ||
        veu_targets_are_noted(t->mem, bits, lanes, to)) {
        return true;
    }
    if (!veu_targets_are_in((uintptr_t)written->host, written->bytes, bits,
                            lanes, to)) {
        return false;
    }
    if (bits && written->noted) {
        veu_targets_note(t, written, bits, lanes, to);
        veu_mem_learn_noted(t->mem, to->at[__builtin_ctz(bits)]);
    }
    return true;
}

/* Like veu_pages_note(), for lanes in @b. */
VEU_AVX2 bool veu_page_buffer_note(VeuThread *t, const VeuPageBuffer *b,
                                   uint32_t bits, unsigned lanes,
                                   const VeuTargets *to)
{
    VeuPageMap *map = b->map;

    if (!map || !(b->access.needs & VEU_HOST_PAGE_WRITE)) {
        return veu_pages_note(t, b->access.needs, bits, lanes, to);
    }
    if (veu_mem_map_is_dirty(t->mem, map)) {
        return true;
    }
    if (!veu_mem_has_written(t->mem, (uint8_t *)(uintptr_t)map->low,
                             map->end - map->low)) {
        return veu_pages_note(t, b->access.needs, bits, lanes, to);
    }
    veu_targets_note(t, &t->mem->written, bits, lanes, to);
    return true;
}

/* --- Elements of a buffer ------------------------------------------------- */

/*
 * Places lanes in @b, the buffer of @e, and marks the pages that they write.
 * Returns false if the lanes must be looked up one by one. @bits: the lanes
 * that are inside.
 */
VEU_AVX2 bool veu_pages_place_elements(VeuThread *t, const VeuMessage *m,
                                       const VeuElements *e,
                                       const VeuPageBuffer *b, unsigned lanes,
                                       VeuTargets *to, uint32_t *bits)
{
    __m256i offsets[4], in[4];

    *bits = 0;
    VEU_UNROLL
    for (unsigned i = 0; i < lanes / 8; i++) {
        offsets[i] = veu_elements_offsets(t, m, e, i * 8,
                                          veu_group_of(t->active >> (i * 8)),
                                          &in[i]);
        *bits |= veu_bits_of(in[i]) << (i * 8);
    }
    return veu_pages_place_offsets(b, offsets, in, lanes, to) &&
           veu_page_buffer_note(t, b, *bits, lanes, to);
}

/*
 * Opens the buffer of @e for @access of messages like @m. @map: of the buffer,
 * or NULL.
 */
VEU_AVX2 void veu_pages_open_elements(const VeuThread *t, const VeuMessage *m,
                                      const VeuElements *e,
                                      enum veu_access access, VeuPageMap *map,
                                      VeuPageBuffer *b)
{
    VeuPageAccess a = veu_page_access(t, access, m->element_bytes,
                                      m->element_bytes - 1);

    veu_page_buffer_open(&a, e->view.base, e->view.bytes, b);
    b->map = map;
}

/* Returns true if lanes of @e may be looked up in the table of host pages. */
VEU_CLONED bool veu_elements_suit_pages(const VeuThread *t,
                                        const VeuElements *e)
{
    return t->mem->host_pages && !e->view.host &&
           e->last <= UINT32_MAX >> e->shift;
}

/*
 * @m follows one in a loop that began with @first. Returns true if the loop may
 * execute @m, whose buffer is @pages; where that is NULL, makes @e its buffer.
 */
VEU_AVX2 bool veu_elements_continue(VeuThread *t, const VeuMessage *first,
                                    const VeuMessage *m,
                                    const VeuPageBuffer *pages,
                                    enum veu_access access, VeuElements *e)
{
    return pages ? m->surface == first->surface && m - first < pages->most :
                   veu_elements_follow(t, m, m->element_bytes, access, e);
}

/* --- Pieces at addresses -------------------------------------------------- */

/* Like veu_pages_place_elements(), for all lanes that run. */
VEU_AVX2 bool veu_pages_place_pieces(VeuThread *t, const VeuMessage *m,
                                     const VeuPieces *p, enum veu_access access,
                                     unsigned lanes, VeuTargets *to)
{
    const uint8_t *addresses = t->registers + m->address.register_byte;
    VeuPageAccess a = veu_page_access(t, access, p->span_bytes,
                                      veu_pieces_low_bits(m, p));
    __m256i base = _mm256_set1_epi64x(p->base);
    __m256i bad = _mm256_setzero_si256();

    for (unsigned i = 0; i < lanes / 4; i++) {
        veu_page_targets(&a, i * 4,
                         _mm256_add_epi64(base,
                                          veu_load_group(addresses + i * 32)),
                         veu_half_group_of(t->active >> (i * 4)), to, &bad);
    }
    return veu_pages_are_known(&a, bad) &&
           veu_pages_note(t, a.needs, t->active, lanes, to);
}

#endif
#endif
