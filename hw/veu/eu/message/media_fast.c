/*
 * veu execution unit: the fast paths of MEDIA_LD, MEDIA_ST.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They handle only blocks of a surface in one extent. What is out of bounds is
 * at the right and at the bottom of a block: a smaller block is moved then.
 */
#include <string.h>
#include <sys/param.h>
#include "hw/veu/eu/message/fast_blocks.h"
#include "hw/veu/eu/message/fast_path.h"
#include "hw/veu/eu/message/media.h"
#include "hw/veu/eu/surface/texel_lanes.h"

/* A surface that consecutive messages name, and its place. */
typedef struct Plane {
    const VeuSurface *surface;
    const VeuExtent *extent;
    uint8_t *host; /* address of the surface's base */
    uint64_t width_byte;
    uint32_t height;
} Plane;

/* The part of a block that is inside, and its place in the surface. */
typedef struct Block {
    const Plane *plane;
    enum veu_access access;
    uint32_t width_byte;
    uint32_t height;
    uint32_t x_byte;
    uint64_t y;           /* of its first row */
    uint64_t step;        /* from one row to the next */
    uintptr_t noted_page; /* the page that was marked last; 0: none */
} Block;

/* False: give up. */
VEU_CLONED bool open_plane(VeuThread *t, const VeuMessage *m,
                           enum veu_access access, Plane *p)
{
    const VeuSurface *s = veu_table_surface(t, m);

    if (!s || s->type != VEU_SURFACE_2D || !s->is_narrow) {
        return false;
    }
    p->surface = s;
    p->extent = veu_mem_find_buffer(t->mem, s->base, s->bytes, access);
    if (!p->extent) {
        return false;
    }
    p->host = veu_extent_at(p->extent, s->base);
    p->width_byte = (uint64_t)s->level[0].width << s->texel_log2;
    p->height = s->level[0].height;
    return true;
}

VEU_CLONED bool is_inside(const VeuMessage *m, const Block *b)
{
    uint64_t end = (uint64_t)b->x_byte + m->width_byte;

    return end <= b->plane->width_byte &&
           b->y + (m->height - 1) * b->step < b->plane->height;
}

/* A load returns 0 for what is out of bounds. */
static __attribute__((noinline)) void clear_block(VeuThread *t,
                                                  const VeuMessage *m)
{
    uint8_t *registers = t->registers + m->data.register_byte;
    unsigned pitch = veu_media_pitch(m->width_byte);

    if (m->width_byte == pitch) {
        memset(registers, 0, m->height * pitch);
        return;
    }
    for (unsigned row = 0; row < m->height; row++) {
        memset(registers + row * pitch, 0, m->width_byte);
    }
}

/* Cuts off what is out of bounds. */
VEU_CLONED void clip_block(VeuThread *t, const VeuMessage *m, Block *b)
{
    const Plane *p = b->plane;
    uint64_t left = p->width_byte > b->x_byte ? p->width_byte - b->x_byte : 0;
    uint64_t rows = p->height > b->y ? p->height - b->y : 0;

    b->width_byte = MIN(left, m->width_byte);
    b->height = left ? MIN(b->step == 1 ? rows : (rows + 1) / 2, m->height) : 0;
    if (b->access == VEU_ACCESS_READ) {
        clear_block(t, m);
    }
}

VEU_CLONED bool open_block(VeuThread *t, const VeuMessage *m, Block *b)
{
    const VeuLevel *level = &b->plane->surface->level[0];
    uint64_t x, y;

    if (m->plane != 0 || !veu_fast_scalar(t, &m->global_offset, &x) ||
        !veu_fast_scalar(t, &m->y_offset, &y)) {
        return false;
    }
    b->x_byte = x;
    b->y = veu_media_row(m, y, 0);
    b->step = veu_media_row(m, y, 1) - b->y;
    b->noted_page = 0;
    b->width_byte = m->width_byte;
    b->height = m->height;
    if (m->align_bytes && b->x_byte & (m->align_bytes - 1)) {
        return false;
    }
    if (!is_inside(m, b)) {
        clip_block(t, m, b);
    }
    b->x_byte += level->x_byte;
    b->y += level->y;
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

/* Moves rows. For a store, their pages are marked. */
typedef void MoveRows(const Rows *r);

/* A piece is usually in the same page as the one before. */
VEU_CLONED void note_piece(VeuThread *t, Block *b, uint8_t *guest,
                           uint32_t bytes)
{
    uintptr_t page = (uintptr_t)guest >> VEU_PAGE_BITS;
    uintptr_t last = (uintptr_t)(guest + bytes - 1) >> VEU_PAGE_BITS;

    if (page != b->noted_page || last != page) {
        veu_mem_note(t->mem, b->plane->extent, guest, bytes);
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

VEU_CLONED void move_rows(VeuThread *t, Block *b, const Rows *r, MoveRows *move)
{
    if (b->access == VEU_ACCESS_WRITE) {
        note_rows(t, b, r);
    }
    move(r);
}

/*
 * Moves one row of a tile in pieces, because a tile keeps only the lowest bits
 * of X together.
 */
VEU_CLONED void move_tiled_row(VeuThread *t, Block *b, uint32_t y,
                               uint8_t *registers, MoveRows *move)
{
    const VeuSurface *s = b->plane->surface;
    uint32_t run = s->tile->x[0].mask + 1;

    for (uint32_t at = 0, bytes; at < b->width_byte; at += bytes) {
        uint32_t x = b->x_byte + at;

        bytes = MIN(run - x % run, b->width_byte - at);
        move_rows(t, b,
                  &(Rows){ .registers = registers + at,
                           .guest = b->plane->host +
                                    veu_texel_offset(s->tile, s->pitch, x, y),
                           .count = 1,
                           .bytes = bytes },
                  move);
    }
}

VEU_CLONED void move_tiled(VeuThread *t, const VeuMessage *m, Block *b,
                           MoveRows *move)
{
    uint8_t *registers = t->registers + m->data.register_byte;

    for (unsigned row = 0; row < b->height; row++) {
        move_tiled_row(t, b, b->y + row * b->step, registers, move);
        registers += veu_media_pitch(m->width_byte);
    }
}

VEU_CLONED void move_linear(VeuThread *t, const VeuMessage *m, Block *b,
                            MoveRows *move)
{
    uint64_t pitch = b->plane->surface->pitch;

    move_rows(t, b,
              &(Rows){ .registers = t->registers + m->data.register_byte,
                       .guest = b->plane->host + b->y * pitch + b->x_byte,
                       .pitch = veu_media_pitch(m->width_byte),
                       .guest_pitch = b->step * pitch,
                       .count = b->height,
                       .bytes = b->width_byte },
              move);
}

VEU_CLONED void move_block(VeuThread *t, const VeuMessage *m, Block *b,
                           MoveRows *move)
{
    if (b->plane->surface->tile) {
        move_tiled(t, m, b, move);
    } else {
        move_linear(t, m, b, move);
    }
}

/* --- Common blocks -------------------------------------------------------- */

/* Bytes of a row, which most programs use. */
#define COMMON_BYTES 32

/*
 * Blocks of such rows, all inside, which begin at multiples of 16 bytes and
 * have their places in dwords of registers.
 */
typedef struct CommonBlocks {
    uint8_t *host; /* of the block at (0, 0) */
    uint64_t pitch;
    uint64_t end_x; /* the first place that is out of bounds */
    uint64_t end_y;
    uint32_t span_bytes; /* from its first byte to its last */
    unsigned height;
} CommonBlocks;

/* Row 1 of a block is row 1 of the surface: it is not that of a field. */
VEU_CLONED bool has_common_form(const VeuMessage *m)
{
    return m->width_byte == COMMON_BYTES && m->plane == 0 &&
           veu_media_row(m, 0, 1) == 1 &&
           veu_is_general(&m->global_offset, VEU_TYPE_UD) &&
           veu_is_general(&m->y_offset, VEU_TYPE_UD);
}

/* Returns false if messages like @m have no such blocks. */
VEU_CLONED bool prepare_common(const VeuMessage *m, const Plane *p,
                               CommonBlocks *c)
{
    const VeuSurface *s = p->surface;
    const VeuLevel *level = &s->level[0];

    if (!has_common_form(m) || s->tile || p->width_byte < COMMON_BYTES ||
        p->height < m->height || s->pitch > 1u << VEU_PAGE_BITS) {
        return false;
    }
    *c = (CommonBlocks){
        .host = p->host + level->y * (uint64_t)s->pitch + level->x_byte,
        .pitch = s->pitch,
        .end_x = p->width_byte - COMMON_BYTES + 1,
        .end_y = p->height - m->height + 1,
        .span_bytes = (m->height - 1) * s->pitch + COMMON_BYTES,
        .height = m->height,
    };
    return ((uintptr_t)c->host | c->pitch) % 16 == 0;
}

/* Moves a block of @height rows of COMMON_BYTES. */
typedef void MoveCommon(uint8_t *registers, uint8_t *guest, uint64_t pitch,
                        unsigned height);

/*
 * Executes messages as long as they have common blocks and follow closely.
 * Returns true if it stops at a message for another reason.
 */
VEU_CLONED bool run_common(VeuThread *t, VeuFollow *f, Block *b,
                           MoveCommon *move, uint32_t *moved_bytes)
{
    uint8_t *const registers = t->registers;
    CommonBlocks c;

    if (!prepare_common(f->m, b->plane, &c)) {
        return true;
    }
    b->noted_page = 0;
    do {
        uint8_t *guest;
        uint32_t x, y;

        memcpy(&x, registers + f->m->global_offset.register_byte, sizeof(x));
        memcpy(&y, registers + f->m->y_offset.register_byte, sizeof(y));
        if (x >= c.end_x || y >= c.end_y || x % 16) {
            return true;
        }
        guest = c.host + y * c.pitch + x;
        if (b->access == VEU_ACCESS_WRITE) {
            note_piece(t, b, guest, c.span_bytes);
        }
        move(registers + f->m->data.register_byte, guest, c.pitch, c.height);
        *moved_bytes += COMMON_BYTES * c.height;
    } while (veu_follow_closely(f));
    return false;
}

/* --- Messages ------------------------------------------------------------- */

/* Makes @b the block of a message, and moves it. */
VEU_CLONED bool run_fallback(VeuThread *t, const VeuMessage *m, Block *b,
                             MoveRows *move, uint32_t *moved_bytes)
{
    if (!open_block(t, m, b)) {
        return false;
    }
    *moved_bytes += b->width_byte * b->height;
    if (b->height) {
        move_block(t, m, b, move);
    }
    return true;
}

/* Executes a message, and those that follow it. */
VEU_CLONED bool move_blocks(VeuThread *t, const VeuMessage *m,
                            enum veu_access access, MoveRows *move,
                            MoveCommon *move_common)
{
    VeuFollow f = veu_follow_open(t, m);
    uint32_t moved_bytes = 0;
    Plane plane;
    Block b = { .plane = &plane, .access = access };

    if (!open_plane(t, m, access, &plane)) {
        return false;
    }
    do {
        if (run_common(t, &f, &b, move_common, &moved_bytes)) {
            if (!run_fallback(t, f.m, &b, move, &moved_bytes)) {
                break;
            }
            f.m++;
        }
    } while (veu_follow_is_next(&f) && (f.m->surface == f.m[-1].surface ||
                                        open_plane(t, f.m, access, &plane)));
    return veu_follow_finish(t, m, f.m, moved_bytes);
}

/* --- Rows ----------------------------------------------------------------- */

VEU_CLONED void load_rows(const Rows *r)
{
    for (unsigned row = 0; row < r->count; row++) {
        veu_guest_load_block(r->registers + row * r->pitch,
                             r->guest + row * r->guest_pitch, r->bytes);
    }
}

VEU_CLONED void store_rows(const Rows *r)
{
    for (unsigned row = 0; row < r->count; row++) {
        veu_guest_store_block(r->guest + row * r->guest_pitch,
                              r->registers + row * r->pitch, r->bytes);
    }
}

VEU_CLONED void load_common(uint8_t *registers, uint8_t *guest, uint64_t pitch,
                            unsigned height)
{
    for (unsigned row = 0; row < height; row++) {
        veu_guest_load_block(registers + row * COMMON_BYTES,
                             guest + row * pitch, COMMON_BYTES);
    }
}

VEU_CLONED void store_common(uint8_t *registers, uint8_t *guest, uint64_t pitch,
                             unsigned height)
{
    for (unsigned row = 0; row < height; row++) {
        veu_guest_store_block(guest + row * pitch,
                              registers + row * COMMON_BYTES, COMMON_BYTES);
    }
}

#ifdef VEU_HAS_AVX2

VEU_AVX2 void avx2_copy_each(uint8_t *to, uint64_t to_pitch,
                             const uint8_t *from, uint64_t from_pitch,
                             unsigned count, uint32_t bytes)
{
    do {
        veu_avx2_copy(to, from, bytes);
        to += to_pitch;
        from += from_pitch;
    } while (--count);
}

VEU_AVX2 void avx2_copy_8(uint8_t *to, uint64_t to_pitch, const uint8_t *from,
                          uint64_t from_pitch)
{
    VEU_UNROLL
    for (unsigned row = 0; row < 8; row++) {
        veu_avx2_copy(to + row * to_pitch, from + row * from_pitch,
                      COMMON_BYTES);
    }
}

/* The largest block of such rows has 8, which are moved without branches. */
VEU_AVX2 void avx2_copy_common(uint8_t *to, uint64_t to_pitch,
                               const uint8_t *from, uint64_t from_pitch,
                               unsigned height)
{
    if (height == 8) {
        avx2_copy_8(to, to_pitch, from, from_pitch);
    } else {
        avx2_copy_each(to, to_pitch, from, from_pitch, height, COMMON_BYTES);
    }
}

VEU_AVX2 void avx2_load_common(uint8_t *registers, uint8_t *guest,
                               uint64_t pitch, unsigned height)
{
    avx2_copy_common(registers, COMMON_BYTES, guest, pitch, height);
}

VEU_AVX2 void avx2_store_common(uint8_t *registers, uint8_t *guest,
                                uint64_t pitch, unsigned height)
{
    avx2_copy_common(guest, pitch, registers, COMMON_BYTES, height);
}

/*
 * Returns true if all rows begin at a multiple of 16 and are a multiple of 16
 * bytes long.
 */
VEU_CLONED bool has_owords(const Rows *r)
{
    return ((uintptr_t)r->guest | r->guest_pitch | r->bytes) % 16 == 0;
}

/* In loops without branches, if rows have the sizes of common formats. */
VEU_AVX2 void avx2_copy_rows(uint8_t *to, uint64_t to_pitch,
                             const uint8_t *from, uint64_t from_pitch,
                             const Rows *r)
{
    if (r->bytes == 32) {
        avx2_copy_each(to, to_pitch, from, from_pitch, r->count, 32);
    } else if (r->bytes == 16) {
        avx2_copy_each(to, to_pitch, from, from_pitch, r->count, 16);
    } else {
        avx2_copy_each(to, to_pitch, from, from_pitch, r->count, r->bytes);
    }
}

VEU_AVX2 void avx2_load_rows(const Rows *r)
{
    if (has_owords(r)) {
        avx2_copy_rows(r->registers, r->pitch, r->guest, r->guest_pitch, r);
    } else {
        load_rows(r);
    }
}

VEU_AVX2 void avx2_store_rows(const Rows *r)
{
    if (has_owords(r)) {
        avx2_copy_rows(r->guest, r->guest_pitch, r->registers, r->pitch, r);
    } else {
        store_rows(r);
    }
}

#endif

static bool load_scalar(VeuThread *t, const VeuMessage *m)
{
    return move_blocks(t, m, VEU_ACCESS_READ, load_rows, load_common);
}

static bool store_scalar(VeuThread *t, const VeuMessage *m)
{
    return move_blocks(t, m, VEU_ACCESS_WRITE, store_rows, store_common);
}

#ifdef VEU_HAS_AVX2

VEU_TARGET_AVX2 static bool load_avx2(VeuThread *t, const VeuMessage *m)
{
    return move_blocks(t, m, VEU_ACCESS_READ, avx2_load_rows, avx2_load_common);
}

VEU_TARGET_AVX2 static bool store_avx2(VeuThread *t, const VeuMessage *m)
{
    return move_blocks(t, m, VEU_ACCESS_WRITE, avx2_store_rows,
                       avx2_store_common);
}

#endif

static VeuFastTable loads = {
    [VEU_CPU_SCALAR] = load_scalar,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = load_avx2,
#endif
};

static VeuFastTable stores = {
    [VEU_CPU_SCALAR] = store_scalar,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = store_avx2,
#endif
};

VeuFast *veu_fast_media_ld(const VeuMessage *m)
{
    return veu_fast_pick(loads, m);
}

VeuFast *veu_fast_media_st(const VeuMessage *m)
{
    return veu_fast_pick(stores, m);
}
