/*
 * veu-format tile, untile: raw images, tiled and linear.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The addresses are those of a 2D surface at address 0 of the device. The image
 * is processed in rows of tiles, because that is the distance over which a
 * row's bytes are spread.
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/surface/texel.h"
#include "hw/veu/eu/surface/descriptor.h"
#include "tools/veu-format/veu-format.h"

typedef struct Tiler {
    VeuSurface surface;
    uint32_t width;
    uint32_t height;
    uint32_t row_bytes;
    uint32_t strip_rows;  /* of a row of tiles */
    uint32_t strip_bytes; /* the same, tiled */
    uint8_t *rows;        /* a strip, linear */
    uint8_t *tiles;       /* a strip, tiled */
} Tiler;

static bool parse_tiling(const char *name, uint8_t *tiling)
{
    static const struct {
        const char *name;
        uint8_t tiling;
    } tilings[] = {
        { "x", VEU_TILING_X },
        { "y", VEU_TILING_Y },
        { "tile4", VEU_TILING_TILE4 },
    };

    for (unsigned i = 0; name && i < G_N_ELEMENTS(tilings); i++) {
        if (!g_ascii_strcasecmp(name, tilings[i].name)) {
            *tiling = tilings[i].tiling;
            return true;
        }
    }
    return name ? tool_error("--tiling %s: write x, y or tile4", name) :
                  tool_error("--tiling is missing: write x, y or tile4");
}

/* Tilings move bytes, so any format of this size will do. */
static bool parse_texel(const FmtOptions *o, uint16_t *format)
{
    uint32_t bits;

    if ((o->format != NULL) == (o->bpp != NULL)) {
        return tool_error("write a FORMAT, or --bpp with the bits of a texel");
    }
    if (o->format) {
        *format = o->format->code;
        return true;
    }
    if (!fmt_number("--bpp", o->bpp, &bits)) {
        return false;
    }
    for (unsigned i = 0; i < veu_format_count; i++) {
        if (veu_formats[i].channels[0].bits &&
            veu_formats[i].bytes * 8 == bits) {
            *format = veu_formats[i].code;
            return true;
        }
    }
    return tool_error("--bpp %s: a texel has 8, 16, 32, 64 or 128 bits",
                      o->bpp);
}

static uint32_t round_up(uint64_t value, uint32_t unit)
{
    return MIN((value + unit - 1) / unit * unit, UINT32_MAX);
}

/* The least pitch, unless there is an option. */
static bool parse_pitch(const FmtOptions *o, struct veu_surface *d)
{
    uint64_t row = (uint64_t)d->width * veu_format_find(d->format)->bytes;

    d->pitch = round_up(row, d->tiling == VEU_TILING_X ? 512 : 128);
    return !o->pitch || fmt_number("--pitch", o->pitch, &d->pitch);
}

/* Refuses what the device would refuse, by its rules for descriptors. */
static bool refused(const struct veu_surface *d, uint32_t offset)
{
    switch (offset) {
    case offsetof(struct veu_surface, format):
        return tool_error("RAW is not a format of images; write --bpp");
    case offsetof(struct veu_surface, width):
        return tool_error("--width %u: write 1 to 16384 texels", d->width);
    case offsetof(struct veu_surface, height):
        return tool_error("--height %u: write 1 to 16384 rows", d->height);
    default:
        return tool_error("--pitch %u: write a multiple of %u, at least a row "
                          "and at most 262144 bytes",
                          d->pitch, d->tiling == VEU_TILING_X ? 512 : 128);
    }
}

static bool parse_image(const FmtOptions *o, Tiler *t)
{
    struct veu_surface d = { .type = VEU_SURFACE_2D, .levels = 1 };
    uint32_t offset;

    if (!parse_tiling(o->tiling, &d.tiling) || !parse_texel(o, &d.format) ||
        !fmt_number("--width", o->width, &d.width) ||
        !fmt_number("--height", o->height, &d.height) || !parse_pitch(o, &d)) {
        return false;
    }
    if (!veu_surface_decode(&d, &t->surface, &offset)) {
        return refused(&d, offset);
    }
    t->width = d.width;
    t->height = d.height;
    t->row_bytes = d.width * t->surface.format->bytes;
    t->strip_rows = 1u << t->surface.tile->height_log2;
    t->strip_bytes = t->strip_rows * d.pitch;
    return true;
}

/* Moves the rows from @first on to their tiles, or back. */
static void move_rows(const Tiler *t, uint32_t first, uint32_t count, bool tile)
{
    uint64_t strip = (uint64_t)first * t->surface.pitch;

    for (uint32_t y = 0; y < count; y++) {
        uint8_t *row = t->rows + (size_t)y * t->row_bytes;
        uint64_t address;
        uint32_t run;

        for (uint32_t x = 0; x < t->row_bytes; x += run) {
            uint8_t *at;

            run = veu_surface_byte(&t->surface, x, first + y, &address);
            at = t->tiles + (address - strip);
            memcpy(tile ? at : row + x, tile ? row + x : at, run);
        }
    }
}

/* Reads exactly @bytes of input. */
static bool read_whole(const Tiler *t, FmtStream *s, void *to, uint32_t bytes,
                       uint64_t image_bytes)
{
    int64_t got = fmt_stream_read(s, to, bytes);

    return got == bytes ||
           (got >= 0 && tool_error("%s: the input ends after %" G_GUINT64_FORMAT
                                   " bytes; the %s image of %u x %u texels has "
                                   "%" G_GUINT64_FORMAT,
                                   s->command, s->in_bytes,
                                   *s->command == 't' ? "linear" : "tiled",
                                   t->width, t->height, image_bytes));
}

static bool read_end(FmtStream *s, uint64_t image_bytes)
{
    uint8_t byte;
    int64_t got = fmt_stream_read(s, &byte, 1);

    return got == 0 ||
           (got > 0 && tool_error("%s: the input is longer than the "
                                  "%" G_GUINT64_FORMAT " bytes of the image",
                                  s->command, image_bytes));
}

static bool tile_all(const Tiler *t, FmtStream *s)
{
    uint64_t image_bytes = (uint64_t)t->height * t->row_bytes;

    for (uint32_t y = 0; y < t->height; y += t->strip_rows) {
        uint32_t count = MIN(t->strip_rows, t->height - y);

        if (!read_whole(t, s, t->rows, count * t->row_bytes, image_bytes)) {
            return false;
        }
        memset(t->tiles, 0, t->strip_bytes);
        move_rows(t, y, count, true);
        if (!fmt_stream_write(t->tiles, t->strip_bytes)) {
            return false;
        }
    }
    return read_end(s, image_bytes);
}

static bool untile_all(const Tiler *t, FmtStream *s)
{
    uint32_t strips = (t->height + t->strip_rows - 1) / t->strip_rows;
    uint64_t image_bytes = (uint64_t)strips * t->strip_bytes;

    for (uint32_t y = 0; y < t->height; y += t->strip_rows) {
        uint32_t count = MIN(t->strip_rows, t->height - y);

        if (!read_whole(t, s, t->tiles, t->strip_bytes, image_bytes)) {
            return false;
        }
        move_rows(t, y, count, false);
        if (!fmt_stream_write(t->rows, (size_t)count * t->row_bytes)) {
            return false;
        }
    }
    return read_end(s, image_bytes);
}

static int run(const FmtOptions *o, const char *command,
               bool (*all)(const Tiler *t, FmtStream *s))
{
    Tiler t = { 0 };
    FmtStream s;
    bool ok;

    if (!parse_image(o, &t)) {
        return FMT_USAGE;
    }
    t.rows = g_malloc((size_t)t.strip_rows * t.row_bytes);
    t.tiles = g_malloc(t.strip_bytes);
    fmt_stream_open(&s, command);
    ok = all(&t, &s);
    g_free(t.rows);
    g_free(t.tiles);
    return fmt_stream_close(&s, ok);
}

int fmt_tile(const FmtOptions *o)
{
    return run(o, "tile", tile_all);
}

int fmt_untile(const FmtOptions *o)
{
    return run(o, "untile", untile_all);
}
