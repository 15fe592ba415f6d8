/*
 * veu execution unit: MEDIA_LD, MEDIA_ST.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They have no lanes; a fault record reports lane 0, and the row as element.
 */
#include <string.h>
#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/surface/texel.h"
#include "hw/veu/eu/memory/guest_copy.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/message/media.h"

/* Bytes of the block that are contiguous in host memory. */
typedef struct Piece {
    uint8_t *guest;
    uint16_t at; /* in the block */
    uint16_t bytes;
} Piece;

/*
 * A block, with its pitch in registers. Its pieces do not overlap, and none is
 * empty, so there are at most as many as bytes.
 */
typedef struct Block {
    const VeuSurface *surface;
    uint32_t x;
    uint32_t y;
    unsigned pitch;
    unsigned count;
    Piece pieces[VEU_MEDIA_MAX_BYTES];
} Block;

/* Surfaces have one plane. */
static bool open_surface(VeuThread *t, const VeuMessage *m, Block *block)
{
    const VeuSurface *s = veu_surface_typed(t, m);

    if (!s) {
        return false;
    }
    if (m->plane != 0) {
        return veu_fault_form(&t->fault, VEU_FAULT_SURFACE_KIND, 0);
    }
    block->surface = s;
    return true;
}

static bool open_block(VeuThread *t, const VeuMessage *m, Block *block)
{
    uint64_t x;
    uint64_t y;

    if (!open_surface(t, m, block) ||
        !veu_scalar_value(t, &m->global_offset, &x) ||
        !veu_scalar_value(t, &m->y_offset, &y)) {
        return false;
    }
    block->x = x;
    block->y = y;
    block->pitch = veu_media_pitch(m->width_byte);
    block->count = 0;
    return true;
}

static void add_span(Block *block, unsigned at, const VeuSpan *span)
{
    for (unsigned i = 0; i < 2 && span->piece_bytes[i]; i++) {
        block->pieces[block->count++] = (Piece){
            .guest = span->piece[i],
            .at = at,
            .bytes = span->piece_bytes[i],
        };
        at += span->piece_bytes[i];
    }
}

static bool plan_piece(VeuThread *t, Block *block, unsigned at,
                       const VeuLaneAccess *access)
{
    VeuSpan span;
    uint16_t code = VEU_FAULT_ADDRESS;

    if (veu_mem_span(t->mem, access->address, access->bytes, access->access,
                     &span)) {
        code = veu_observe(t, access, VEU_LANE_MEMORY, &span);
    } else {
        veu_mem_probe(t->mem, access->address, access->bytes, access->access);
    }
    if (code) {
        veu_fault_lane(t, code, access, 0);
        return false;
    }
    add_span(block, at, &span);
    return true;
}

/*
 * Each byte is in or out of bounds by itself. Y does not wrap within the block,
 * nor does X: all bytes after the first one out of bounds are out, too.
 */
static bool plan_row(VeuThread *t, const VeuMessage *m, Block *block,
                     unsigned row)
{
    uint64_t y = veu_media_row(m, block->y, row);

    if (y > UINT32_MAX) {
        return true;
    }
    for (uint32_t at = 0, bytes; at < m->width_byte; at += bytes) {
        VeuLaneAccess access = { .blocks = UINT64_C(1) << row,
                                 .access = m->info->access };

        bytes = veu_surface_byte(block->surface, block->x + at, y,
                                 &access.address);
        if (bytes == 0) {
            return true;
        }
        if (bytes > m->width_byte - at) {
            bytes = m->width_byte - at;
        }
        access.bytes = bytes;
        access.element_bytes = bytes;
        if (!plan_piece(t, block, row * block->pitch + at, &access)) {
            return false;
        }
    }
    return true;
}

/*
 * Returns false if a row faults. A message that may wait for pages continues
 * with the other rows, so that it requests all their missing pages.
 */
static bool plan_rows(VeuThread *t, const VeuMessage *m, Block *block)
{
    bool ok = true;

    for (unsigned row = 0; row < m->height && (ok || t->mem->asks); row++) {
        ok = plan_row(t, m, block, row) && ok;
    }
    return ok;
}

/*
 * Resolves all of the block before any of it is performed. Returns false if the
 * message faults.
 */
static bool plan_block(VeuThread *t, const VeuMessage *m, Block *block)
{
    VeuLaneAccess whole = { .element_bytes = m->width_byte,
                            .bytes = m->height * m->width_byte,
                            .access = m->info->access };

    if (!open_block(t, m, block)) {
        return false;
    }
    whole.address = block->x;
    /* spec.md, media_st: X is a multiple of 4. */
    if (m->align_bytes && block->x % m->align_bytes) {
        veu_fault_lane(t, VEU_FAULT_ALIGNMENT, &whole, 0);
        return false;
    }
    if (!plan_rows(t, m, block)) {
        return false;
    }
    if (block->count == 0) {
        veu_observe(t, &whole, VEU_LANE_OUTSIDE, NULL);
    }
    return true;
}

static bool finish(VeuThread *t, const Block *block)
{
    uint32_t moved = 0;

    for (unsigned i = 0; i < block->count; i++) {
        moved += block->pieces[i].bytes;
    }
    return veu_finish(t, moved);
}

bool veu_execute_media_ld(VeuThread *t, const VeuMessage *m)
{
    uint8_t bytes[VEU_MEDIA_MAX_BYTES] = { 0 };
    uint8_t *to = t->registers + m->data.register_byte;
    Block block;

    if (!plan_block(t, m, &block)) {
        return false;
    }
    for (unsigned i = 0; i < block.count; i++) {
        const Piece *piece = &block.pieces[i];

        veu_guest_load_block(bytes + piece->at, piece->guest, piece->bytes);
    }
    for (unsigned row = 0; row < m->height && !m->data.null; row++) {
        memcpy(to + row * block.pitch, bytes + row * block.pitch,
               m->width_byte);
    }
    return finish(t, &block);
}

bool veu_execute_media_st(VeuThread *t, const VeuMessage *m)
{
    static const uint8_t zero[VEU_MEDIA_MAX_BYTES];
    const uint8_t *from = m->data.null ? zero :
                                         t->registers + m->data.register_byte;
    Block block;

    if (!plan_block(t, m, &block)) {
        return false;
    }
    for (unsigned i = 0; i < block.count; i++) {
        const Piece *piece = &block.pieces[i];

        veu_guest_store_block(piece->guest, from + piece->at, piece->bytes);
    }
    return finish(t, &block);
}
