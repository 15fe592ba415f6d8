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
#include "hw/veu/eu/memory/host_pages.h"

#ifdef VEU_HAS_AVX2

/* The memory that lanes access. */
typedef struct VeuPageAccess {
    const VeuHostPages *pages;
    uint64_t needs;    /* VEU_HOST_PAGE_READ, VEU_HOST_PAGE_WRITE */
    unsigned bytes;    /* size of an access */
    uint64_t low_bits; /* bits of an address that must be 0: at most 0xff */
    /* for writing: VeuMem.written must contain all lanes */
    const VeuMem *notes;
} VeuPageAccess;

VEU_AVX2 uint64_t veu_page_word(const VeuHostPages *pages, uint64_t place)
{
    return __atomic_load_n(&pages->word[place], __ATOMIC_RELAXED);
}

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
 * All ones in lanes whose host address is not in the memory with dirty bytes.
 */
VEU_AVX2 __m256i veu_page_not_noted(const VeuMem *mem, __m256i at)
{
    int64_t first = (intptr_t)mem->written.host;

    return _mm256_or_si256(
        _mm256_cmpgt_epi64(_mm256_set1_epi64x(first), at),
        _mm256_cmpgt_epi64(at,
                           _mm256_set1_epi64x(first - 1 + mem->written.bytes)));
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

    if (a->notes) {
        wrong = _mm256_or_si256(wrong, veu_page_not_noted(a->notes, at));
    }
    *bad = _mm256_or_si256(*bad, _mm256_and_si256(wrong, on));
    veu_targets_set(to, lane, at, on);
}

VEU_AVX2 bool veu_pages_are_known(const VeuPageAccess *a, __m256i bad)
{
    return _mm256_testz_si256(bad,
                              _mm256_set1_epi64x(VEU_HOST_PAGE_TAG | a->needs));
}

VEU_CLONED VeuPageAccess veu_page_access(const VeuThread *t,
                                         enum veu_access access, unsigned bytes,
                                         uint64_t low_bits)
{
    bool is_write = access == VEU_ACCESS_WRITE;

    return (VeuPageAccess){
        .pages = t->mem->host_pages,
        .needs = is_write ? VEU_HOST_PAGE_WRITE : VEU_HOST_PAGE_READ,
        .bytes = bytes,
        .low_bits = low_bits,
        .notes = is_write ? t->mem : NULL,
    };
}

/* --- Elements of a buffer ------------------------------------------------- */

/*
 * Returns false if the lanes must be looked up one by one. @bits: the lanes
 * that are inside.
 */
VEU_AVX2 bool veu_pages_place_elements(VeuThread *t, const VeuMessage *m,
                                       const VeuElements *e,
                                       enum veu_access access, unsigned lanes,
                                       VeuTargets *to, uint32_t *bits)
{
    VeuPageAccess a = veu_page_access(t, access, m->element_bytes,
                                      m->element_bytes - 1);
    __m256i base = _mm256_set1_epi64x(e->view.base);
    __m256i bad = _mm256_setzero_si256();

    *bits = 0;
    for (unsigned i = 0; i < lanes / 8; i++) {
        __m256i in;
        __m256i offset = veu_elements_offsets(
            t, m, e, i * 8, veu_group_of(t->active >> (i * 8)), &in);

        *bits |= veu_bits_of(in) << (i * 8);
        for (unsigned half = 0; half < 2; half++) {
            veu_page_targets(
                &a, i * 8 + half * 4,
                _mm256_add_epi64(base, _mm256_cvtepu32_epi64(
                                           veu_half_of(offset, half))),
                _mm256_cvtepi32_epi64(veu_half_of(in, half)), to, &bad);
        }
    }
    return veu_pages_are_known(&a, bad);
}

/* Returns true if lanes of @e may be looked up in the table of host pages. */
VEU_CLONED bool veu_elements_suit_pages(const VeuThread *t,
                                        const VeuElements *e)
{
    return t->mem->host_pages && !e->view.host &&
           e->last <= UINT32_MAX >> e->shift;
}

/* --- Pieces at addresses -------------------------------------------------- */

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
    return veu_pages_are_known(&a, bad);
}

#endif
#endif
