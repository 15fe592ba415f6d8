/*
 * veu execution unit: the memory gate.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nothing but a gate turns a guest address into a pointer. Whoever drives the
 * execution unit provides one for each context.
 */
#ifndef VEU_EU_MEM_H
#define VEU_EU_MEM_H

#include <stdbool.h>
#include <stdint.h>
#include "veu/fault.h"

typedef struct VeuMem VeuMem;

struct VeuMem {
    /*
     * A host pointer to the RAM at @iova, or NULL where the context has none
     * that allows @access. *@bytes: in, the bytes wanted, at least 1; out, how
     * many of them the pointer is good for. Less than wanted only where a
     * multiple of 4096 is crossed. The pointer lives until the current step
     * ends.
     */
    uint8_t *(*map)(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                    enum veu_access access);
};

/* The longest thing that one lane accesses at one address. */
#define VEU_SPAN_MAX_BYTES 256

/* Where an access goes: one piece, or two where it crosses a page. */
typedef struct VeuSpan {
    uint8_t *piece[2];
    uint32_t piece_bytes[2];
} VeuSpan;

/*
 * Resolves [iova, iova + bytes), modulo 2^64, bytes <= VEU_SPAN_MAX_BYTES.
 * On failure span->piece_bytes[0] tells how many bytes are accessible.
 */
bool veu_mem_span(VeuMem *mem, uint64_t iova, uint32_t bytes,
                  enum veu_access access, VeuSpan *span);

void veu_span_load(const VeuSpan *span, uint8_t *to);
/* Stores bytes [from_byte, from_byte + bytes) of the span, the rest stays. */
void veu_span_store(const VeuSpan *span, const uint8_t *from,
                    uint32_t from_byte, uint32_t bytes);

/*
 * Copies any amount; false where it is not accessible, with the first
 * inaccessible address in *failed. A failing write may have written a part.
 */
bool veu_mem_read(VeuMem *mem, uint64_t iova, void *to, uint64_t bytes,
                  uint64_t *failed);
bool veu_mem_write(VeuMem *mem, uint64_t iova, const void *from, uint64_t bytes,
                   uint64_t *failed);

#endif
