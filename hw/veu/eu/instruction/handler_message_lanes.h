/*
 * veu execution unit: the 16 lanes of a message that a handler executes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * @bytes is the size of an element: 1, 2 or 4. It and @slm, which is true for
 * messages to SLM, are constants wherever these functions are used.
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_MESSAGE_LANES_H
#define VEU_EU_INSTRUCTION_HANDLER_MESSAGE_LANES_H

#include <sys/param.h>
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/instruction/handler_message.h"
#include "hw/veu/eu/message/fast_path.h"
#include "hw/veu/eu/message/fast_avx2.h"
#include "hw/veu/eu/message/fast_avx512.h"

#ifdef VEU_HAS_AVX2

/* The memory that a message accesses: offsets below @limit, at least 4. */
typedef struct VeuStepBuffer {
    uint8_t *host;
    uint64_t limit;
} VeuStepBuffer;

VEU_CLONED uint32_t veu_step_index(const VeuThread *t, const VeuHandlerStep *i)
{
    return t->flow->states[i->from[VEU_STEP_STATE]];
}

/*
 * The buffer in guest memory that the message names by the surface table, or
 * NULL.
 */
VEU_CLONED const VeuSurface *veu_step_surface(const VeuThread *t,
                                              const VeuHandlerStep *i)
{
    uint32_t index = veu_step_index(t, i);
    const VeuSurface *s;

    if (index >= t->surfaces->count) {
        return NULL;
    }
    s = &t->surfaces->surface[index];
    return s->type == VEU_SURFACE_BUFFER && !s->slm ? s : NULL;
}

VEU_CLONED const VeuMemBuffer *veu_step_kept(const VeuThread *t,
                                             const VeuHandlerStep *i,
                                             const VeuSurface *s,
                                             enum veu_access access)
{
    return veu_mem_kept_buffer(t->mem, veu_step_index(t, i), s->base, s->bytes,
                               access);
}

/* Returns false to give up. */
VEU_CLONED bool veu_step_buffer(const VeuThread *t, const VeuHandlerStep *i,
                                enum veu_access access, bool slm,
                                VeuStepBuffer *b)
{
    const VeuMemBuffer *kept;
    const VeuSurface *s;

    if (slm) {
        *b = (VeuStepBuffer){ t->slm, t->slm_bytes };
        return b->limit >= sizeof(uint32_t);
    }
    s = veu_step_surface(t, i);
    kept = s ? veu_step_kept(t, i, s, access) : NULL;
    if (!kept) {
        return false;
    }
    *b = (VeuStepBuffer){ kept->host, kept->limit };
    return true;
}

/*
 * Keeps the buffer of the message, if it is in the extent that was found last,
 * or in pages that are known and adjacent, so that the next message finds it.
 */
static inline void veu_step_keep(VeuThread *t, const VeuHandlerStep *i,
                                 enum veu_access access)
{
    const VeuExtent *extent = &t->mem->kept[access == VEU_ACCESS_WRITE].last;
    const VeuSurface *s = veu_step_surface(t, i);

    if (!s || veu_step_kept(t, i, s, access)) {
        return;
    }
    if (!veu_extent_has(extent, s->base, s->bytes)) {
        extent = t->mem->host_pages ?
                     veu_mem_look_run(t->mem, s->base, s->bytes, access) :
                     NULL;
    }
    if (extent) {
        veu_mem_keep_buffer(t->mem, veu_step_index(t, i), s->base, s->bytes,
                            extent, access);
    }
}

/*
 * Limits a row to a buffer that is not kept: it is in several pages, or has not
 * been accessed yet. Such a row is found by its address. Returns false to give
 * up.
 */
VEU_CLONED bool veu_step_apart_buffer(const VeuThread *t,
                                      const VeuHandlerStep *i, VeuStepBuffer *b)
{
    const VeuSurface *s = veu_step_surface(t, i);

    if (s) {
        *b = (VeuStepBuffer){ NULL, MIN(s->bytes, UINT64_C(1) << 32) };
    }
    return s && s->base % sizeof(uint32_t) == 0;
}

/*
 * The place of a row of such a buffer, or NULL to give up. Pages are marked as
 * dirty if @access is a write. It does not cross a page, so that all of it is
 * accessed if any of it is.
 */
VEU_CLONED uint8_t *veu_step_apart_row(VeuThread *t, const VeuHandlerStep *i,
                                       uint32_t first, unsigned bytes,
                                       enum veu_access access)
{
    const VeuHostPages *pages = t->mem->host_pages;
    uint64_t at = veu_step_surface(t, i)->base + first;
    uint32_t row_bytes = VEU_ROW_LANES * bytes;
    uint64_t word = 0;
    uint8_t *host;

    if (at % VEU_PAGE_BYTES + row_bytes > VEU_PAGE_BYTES) {
        return NULL;
    }
    if (pages && access != VEU_ACCESS_WRITE) {
        word = veu_host_page_find(pages, at, row_bytes, VEU_HOST_PAGE_READ);
    }
    host = word ? veu_host_page_at(word, at) :
                  veu_mem_lane_at(t->mem, at, row_bytes, access);
    veu_step_keep(t, i, access);
    return host;
}

/* Returns true if a row that begins at offset @first is aligned and inside. */
VEU_CLONED bool veu_step_has_row(const VeuStepBuffer *b, unsigned bytes,
                                 uint32_t first)
{
    return (uint64_t)first + VEU_ROW_LANES * bytes <= b->limit &&
           first % bytes == 0;
}

/* The enabled lanes of the message. */
VEU_CLONED uint32_t veu_step_active(const VeuThread *t, const VeuHandlerStep *i)
{
    return (t->flow->running | i->always) >> i->mask_offset & VEU_ROW_MASK;
}

VEU_CLONED void veu_step_count(VeuThread *t, uint32_t lanes,
                               uint32_t moved_bytes)
{
    t->message_sum->messages++;
    t->message_sum->lanes += lanes;
    t->message_sum->moved_bytes += moved_bytes;
}

/* The bytes above an element of less than a dword. */
VEU_CLONED uint32_t veu_step_above(const VeuThread *t, unsigned bytes)
{
    return bytes < 4 ? veu_undefined_dword(t) << 8 * (bytes % 4) : 0;
}

/* --- AVX2: two groups of 8 lanes ------------------------------------------ */

typedef struct VeuStepGroups {
    __m256i offset[2];
    __m256i inside[2];
    uint32_t active;
    uint32_t bits; /* the lanes that are inside */
} VeuStepGroups;

VEU_AVX2 void veu_step_offsets_avx2(const VeuHandlerStep *i,
                                    const uint8_t *registers, bool slm,
                                    VeuStepGroups *g)
{
    const uint8_t *at = registers + i->from[VEU_STEP_OFFSETS];

    for (unsigned k = 0; k < 2; k++) {
        g->offset[k] = _mm256_add_epi32(veu_load_group(at + k * 32),
                                        _mm256_set1_epi32((int)i->value));
        if (slm) {
            g->offset[k] = _mm256_and_si256(g->offset[k],
                                            _mm256_set1_epi32(VEU_SLM_OFFSETS));
        }
    }
}

VEU_AVX2 uint32_t veu_step_first_avx2(const VeuStepGroups *g)
{
    return _mm_cvtsi128_si32(_mm256_castsi256_si128(g->offset[0]));
}

VEU_AVX2 bool veu_step_is_row_avx2(const VeuStepBuffer *b, unsigned bytes,
                                   const VeuStepGroups *g)
{
    uint32_t first = veu_step_first_avx2(g);
    __m256i row = _mm256_add_epi32(
        _mm256_set1_epi32(first),
        _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                           _mm256_set1_epi32(bytes)));
    __m256i other = _mm256_add_epi32(row, _mm256_set1_epi32(8 * bytes));
    __m256i differs = _mm256_or_si256(_mm256_xor_si256(row, g->offset[0]),
                                      _mm256_xor_si256(other, g->offset[1]));

    return g->active == VEU_ROW_MASK && veu_step_has_row(b, bytes, first) &&
           _mm256_testz_si256(differs, differs);
}

/* Finds the lanes that are inside. Returns false if one is not aligned. */
VEU_AVX2 bool veu_step_place_avx2(const VeuStepBuffer *b, unsigned bytes,
                                  VeuStepGroups *g)
{
    __m256i low = _mm256_setzero_si256();

    g->bits = 0;
    for (unsigned k = 0; k < 2; k++) {
        __m256i on = veu_group_of(g->active >> 8 * k);

        low = _mm256_or_si256(low, _mm256_and_si256(g->offset[k], on));
        g->inside[k] = _mm256_and_si256(
            on, veu_group_at_most(g->offset[k],
                                  _mm256_set1_epi32((int)(b->limit - bytes))));
        g->bits |= veu_bits_of(g->inside[k]) << 8 * k;
    }
    return bytes == 1 || _mm256_testz_si256(low, _mm256_set1_epi32(bytes - 1));
}

/* --- AVX-512 -------------------------------------------------------------- */

typedef struct VeuStepLanes {
    __m512i offset;
    __mmask16 active;
    __mmask16 inside;
} VeuStepLanes;

VEU_AVX512 __m512i veu_step_offsets_avx512(const VeuHandlerStep *i,
                                           const uint8_t *registers, bool slm)
{
    __m512i offset = _mm512_add_epi32(
        _mm512_loadu_si512(registers + i->from[VEU_STEP_OFFSETS]),
        _mm512_set1_epi32((int)i->value));

    return slm ? _mm512_and_si512(offset, _mm512_set1_epi32(VEU_SLM_OFFSETS)) :
                 offset;
}

VEU_AVX512 uint32_t veu_step_first_avx512(const VeuStepLanes *l)
{
    return _mm512_cvtsi512_si32(l->offset);
}

VEU_AVX512 bool veu_step_is_row_avx512(const VeuStepBuffer *b, unsigned bytes,
                                       const VeuStepLanes *l)
{
    uint32_t first = veu_step_first_avx512(l);
    __m512i row = _mm512_add_epi32(
        _mm512_set1_epi32(first),
        _mm512_mullo_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                             11, 12, 13, 14, 15),
                           _mm512_set1_epi32(bytes)));

    return l->active == VEU_ROW_MASK && veu_step_has_row(b, bytes, first) &&
           _mm512_cmpeq_epi32_mask(row, l->offset) == VEU_ROW_MASK;
}

VEU_AVX512 bool veu_step_place_avx512(const VeuStepBuffer *b, unsigned bytes,
                                      VeuStepLanes *l)
{
    l->inside = _mm512_mask_cmple_epu32_mask(
        l->active, l->offset, _mm512_set1_epi32((int)(b->limit - bytes)));
    return bytes == 1 ||
           !_mm512_mask_test_epi32_mask(l->active, l->offset,
                                        _mm512_set1_epi32(bytes - 1));
}

#endif
#endif
