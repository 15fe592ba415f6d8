/*
 * veu execution unit: the memory gate.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/guest_copy.h"
#include "hw/veu/eu/mem.h"

bool veu_mem_span(VeuMem *mem, uint64_t iova, uint32_t bytes,
                  enum veu_access access, VeuSpan *span)
{
    uint32_t first = bytes;
    uint32_t rest;

    span->piece_bytes[0] = 0;
    span->piece_bytes[1] = 0;
    span->piece[0] = mem->map(mem, iova, &first, access);
    if (!span->piece[0]) {
        return false;
    }
    span->piece_bytes[0] = first;
    if (first == bytes) {
        return true;
    }
    rest = bytes - first;
    span->piece[1] = mem->map(mem, iova + first, &rest, access);
    span->piece_bytes[1] = rest;
    return span->piece[1] && first + rest == bytes;
}

void veu_span_load(const VeuSpan *span, uint8_t *to)
{
    veu_guest_load(to, span->piece[0], span->piece_bytes[0]);
    if (span->piece_bytes[1]) {
        veu_guest_load(to + span->piece_bytes[0], span->piece[1],
                       span->piece_bytes[1]);
    }
}

void veu_span_store(const VeuSpan *span, const uint8_t *from,
                    uint32_t from_byte, uint32_t bytes)
{
    uint32_t first = span->piece_bytes[0];

    if (from_byte + bytes <= first) {
        veu_guest_store(span->piece[0] + from_byte, from, bytes);
    } else if (from_byte >= first) {
        veu_guest_store(span->piece[1] + from_byte - first, from, bytes);
    } else {
        first -= from_byte;
        veu_guest_store(span->piece[0] + from_byte, from, first);
        veu_guest_store(span->piece[1], from + first, bytes - first);
    }
}

/* One mapped piece of a long copy. */
static uint32_t mem_piece(VeuMem *mem, uint64_t iova, uint64_t bytes,
                          enum veu_access access, uint8_t **piece)
{
    uint32_t piece_bytes = bytes < UINT32_MAX ? bytes : UINT32_MAX;

    *piece = mem->map(mem, iova, &piece_bytes, access);
    return *piece ? piece_bytes : 0;
}

bool veu_mem_read(VeuMem *mem, uint64_t iova, void *to, uint64_t bytes,
                  uint64_t *failed)
{
    uint8_t *out = to;

    while (bytes) {
        uint8_t *piece;
        uint32_t n = mem_piece(mem, iova, bytes, VEU_ACCESS_READ, &piece);

        if (!n) {
            *failed = iova;
            return false;
        }
        veu_guest_read(out, piece, n);
        out += n;
        iova += n;
        bytes -= n;
    }
    return true;
}

bool veu_mem_write(VeuMem *mem, uint64_t iova, const void *from, uint64_t bytes,
                   uint64_t *failed)
{
    const uint8_t *in = from;

    while (bytes) {
        uint8_t *piece;
        uint32_t n = mem_piece(mem, iova, bytes, VEU_ACCESS_WRITE, &piece);

        if (!n) {
            *failed = iova;
            return false;
        }
        veu_guest_write(piece, in, n);
        in += n;
        iova += n;
        bytes -= n;
    }
    return true;
}
