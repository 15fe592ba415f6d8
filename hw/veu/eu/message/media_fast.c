/*
 * veu execution unit: the fast paths of MEDIA_LD, MEDIA_ST.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They handle only blocks that are in bounds as a whole, of a surface in one
 * extent.
 */
#include <sys/param.h>
#include "hw/veu/eu/message/fast_path.h"
#include "hw/veu/eu/memory/guest_copy.h"
#include "hw/veu/eu/message/media.h"
#include "hw/veu/eu/surface/texel_lanes.h"

/* A block: its place in the surface, and the place of the surface. */
typedef struct Block {
    const VeuSurface *surface;
    const VeuExtent *extent;
    uint8_t *host;   /* address of the surface's base */
    uint32_t x_byte; /* place in the surface, once it is known to be inside */
    uint32_t y;
    uintptr_t noted_page; /* the page that was marked last; 0: none */
} Block;

/* NULL: give up. */
static const VeuSurface *find_surface(const VeuThread *t, const VeuMessage *m)
{
    const VeuSurface *s = m->plane == 0 ? veu_table_surface(t, m) : NULL;

    return s && s->type == VEU_SURFACE_2D && s->is_narrow ? s : NULL;
}

static bool is_inside(const VeuMessage *m, const Block *b)
{
    const VeuLevel *level = &b->surface->level[0];
    uint64_t end = (uint64_t)b->x_byte + m->width_byte;

    return end <= level->width << b->surface->texel_log2 &&
           veu_media_row(m, b->y, m->height - 1) < level->height &&
           !(m->align_bytes && b->x_byte % m->align_bytes);
}

static bool open_block(VeuThread *t, const VeuMessage *m, Block *b)
{
    const VeuSurface *s = find_surface(t, m);
    uint64_t x, y;

    if (!s || !veu_fast_scalar(t, &m->global_offset, &x) ||
        !veu_fast_scalar(t, &m->y_offset, &y)) {
        return false;
    }
    b->surface = s;
    b->x_byte = x;
    b->y = y;
    b->extent = veu_mem_find_buffer(t->mem, s->base, s->bytes, m->info->access);
    if (!b->extent || !is_inside(m, b)) {
        return false;
    }
    b->x_byte += s->level[0].x_byte;
    b->host = veu_extent_at(b->extent, s->base);
    b->noted_page = 0;
    return true;
}

/* Contiguous bytes, in @count rows. */
typedef struct Rows {
    uint8_t *registers;
    uint8_t *guest;
    unsigned pitch; /* in registers */
    uint64_t guest_pitch;
    unsigned count;
    uint32_t bytes;
} Rows;

typedef void MoveRows(VeuThread *t, Block *b, const Rows *r);

/*
 * Moves one row of a tile in pieces, because a tile keeps only the lowest bits
 * of X together.
 */
VEU_CLONED void move_tiled_row(VeuThread *t, const VeuMessage *m, Block *b,
                               uint32_t y, uint8_t *registers, MoveRows *move)
{
    const VeuSurface *s = b->surface;
    uint32_t run = s->tile->x[0].mask + 1;

    for (uint32_t at = 0, bytes; at < m->width_byte; at += bytes) {
        uint32_t x = b->x_byte + at;

        bytes = MIN(run - x % run, m->width_byte - at);
        move(t, b,
             &(Rows){ .registers = registers + at,
                      .guest = b->host +
                               veu_texel_offset(s->tile, s->pitch, x, y),
                      .count = 1,
                      .bytes = bytes });
    }
}

VEU_CLONED void move_linear(VeuThread *t, const VeuMessage *m, Block *b,
                            MoveRows *move)
{
    uint64_t pitch = b->surface->pitch;
    uint64_t y = veu_media_row(m, b->y, 0);

    move(t, b,
         &(Rows){ .registers = t->registers + m->data.register_byte,
                  .guest = b->host + (b->surface->level[0].y + y) * pitch +
                           b->x_byte,
                  .pitch = veu_media_pitch(m->width_byte),
                  .guest_pitch = (veu_media_row(m, b->y, 1) - y) * pitch,
                  .count = m->height,
                  .bytes = m->width_byte });
}

VEU_CLONED bool move_block(VeuThread *t, const VeuMessage *m, MoveRows *move,
                           uint32_t *moved_bytes)
{
    uint8_t *registers = t->registers + m->data.register_byte;
    Block b;

    if (!open_block(t, m, &b)) {
        return false;
    }
    *moved_bytes += m->width_byte * m->height;
    if (!b.surface->tile) {
        move_linear(t, m, &b, move);
        return true;
    }
    for (unsigned row = 0; row < m->height; row++) {
        uint32_t y = b.surface->level[0].y + veu_media_row(m, b.y, row);

        move_tiled_row(t, m, &b, y, registers, move);
        registers += veu_media_pitch(m->width_byte);
    }
    return true;
}

/*
 * Returns true if all rows begin at a multiple of 16 and are a multiple of 16
 * bytes long.
 */
VEU_CLONED bool has_owords(const Rows *r)
{
    return veu_guest_is_owords((uintptr_t)r->guest | r->guest_pitch | r->bytes);
}

static void load_rows(VeuThread *t, Block *b, const Rows *r)
{
    bool owords = has_owords(r);
    uint8_t *to = r->registers;
    const uint8_t *from = r->guest;

    for (unsigned row = 0; row < r->count; row++) {
        if (owords) {
            veu_guest_load_owords(to, from, r->bytes);
        } else {
            veu_guest_load_block(to, from, r->bytes);
        }
        to += r->pitch;
        from += r->guest_pitch;
    }
}

/* A piece is usually in the same page as the one before. */
VEU_CLONED void note_piece(VeuThread *t, Block *b, uint8_t *guest,
                           uint32_t bytes)
{
    uintptr_t page = (uintptr_t)guest >> VEU_PAGE_BITS;
    uintptr_t last = (uintptr_t)(guest + bytes - 1) >> VEU_PAGE_BITS;

    if (page != b->noted_page || last != page) {
        veu_mem_note(t->mem, b->extent, guest, bytes);
        b->noted_page = last;
    }
}

/* If rows are at most a page apart, every page between them has one. */
VEU_CLONED void note_rows(VeuThread *t, Block *b, const Rows *r)
{
    if (r->guest_pitch <= 1u << VEU_PAGE_BITS) {
        note_piece(t, b, r->guest, (r->count - 1) * r->guest_pitch + r->bytes);
        return;
    }
    for (unsigned row = 0; row < r->count; row++) {
        note_piece(t, b, r->guest + row * r->guest_pitch, r->bytes);
    }
}

static void store_rows(VeuThread *t, Block *b, const Rows *r)
{
    bool owords = has_owords(r);
    const uint8_t *from = r->registers;
    uint8_t *to = r->guest;

    note_rows(t, b, r);
    for (unsigned row = 0; row < r->count; row++) {
        if (owords) {
            veu_guest_store_owords(to, from, r->bytes);
        } else {
            veu_guest_store_block(to, from, r->bytes);
        }
        from += r->pitch;
        to += r->guest_pitch;
    }
}

static bool load_one(VeuThread *t, const VeuMessage *m, uint32_t *moved_bytes)
{
    return move_block(t, m, load_rows, moved_bytes);
}

static bool store_one(VeuThread *t, const VeuMessage *m, uint32_t *moved_bytes)
{
    return move_block(t, m, store_rows, moved_bytes);
}

static bool load_media(VeuThread *t, const VeuMessage *m)
{
    return veu_fast_each(t, m, load_one);
}

static bool store_media(VeuThread *t, const VeuMessage *m)
{
    return veu_fast_each(t, m, store_one);
}

VeuFast *veu_fast_media_ld(const VeuMessage *m)
{
    return m->data.null ? NULL : load_media;
}

VeuFast *veu_fast_media_st(const VeuMessage *m)
{
    return m->data.null ? NULL : store_media;
}
