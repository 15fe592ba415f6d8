/*
 * veu-run: surface descriptors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Missing fields take the right values for the surface's type. Given fields are
 * stored unchanged: the device reports what is wrong with them.
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/surface/descriptor.h"
#include "hw/veu/eu/surface/layout.h"
#include "hw/veu/eu/surface/texel.h"
#include "tools/lib/names.h"
#include "tools/lib/number.h"
#include "tools/veu-run/veu-run.h"

#define KEY(field)                                   \
    {                                                \
#field, offsetof(struct veu_surface, field), \
            sizeof(((struct veu_surface *)0)->field) \
    }

static const struct {
    const char *name;
    uint32_t offset;
    uint32_t bytes;
} keys[] = {
    KEY(base),
    KEY(format),
    KEY(type),
    KEY(tiling),
    KEY(width),
    KEY(height),
    KEY(depth),
    KEY(pitch),
    KEY(qpitch),
    KEY(levels),
    KEY(min_array_element),
    KEY(view_extent),
    KEY(min_lod),
    KEY(flags),
    KEY(halign),
    KEY(valign),
};

const char *run_surface_field(uint32_t offset)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (keys[i].offset == offset) {
            return keys[i].name;
        }
    }
    return offset == offsetof(struct veu_surface, reserved) ? "reserved" : NULL;
}

typedef struct Word {
    const char *name;
    uint64_t value;
} Word;

static const Word types[] = {
    { "1d", VEU_SURFACE_1D },
    { "2d", VEU_SURFACE_2D },
    { "3d", VEU_SURFACE_3D },
    { "cube", VEU_SURFACE_CUBE },
    { "null", VEU_SURFACE_NULL },
    { "buffer", VEU_SURFACE_BUFFER },
    { NULL, 0 },
};

static const Word tilings[] = {
    { "linear", VEU_TILING_LINEAR },
    { "x", VEU_TILING_X },
    { "y", VEU_TILING_Y },
    { "tile4", VEU_TILING_TILE4 },
    { NULL, 0 },
};

/* Words without a value. */
static const Word flags[] = {
    { "slm", VEU_SURFACE_SLM },
    { "array", VEU_SURFACE_ARRAY },
    { NULL, 0 },
};

static bool find_word(const Word *words, const char *name, uint64_t *value)
{
    for (; words->name; words++) {
        if (!g_ascii_strcasecmp(name, words->name)) {
            *value = words->value;
            return true;
        }
    }
    return false;
}

static bool format_code(const char *name, uint64_t *code)
{
    const VeuFormat *format = format_by_name(name);

    *code = format ? format->code : 0;
    return format;
}

/*
 * A descriptor under construction. Bit i of given is set if keys[i] was given.
 */
typedef struct Draft {
    const char *option;
    struct veu_surface surface;
    uint32_t given;
} Draft;

static bool is_given(const Draft *d, const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (g_str_equal(keys[i].name, name)) {
            return d->given & (1u << i);
        }
    }
    return false;
}

static bool parse_value(const char *key, const char *text, uint64_t *value)
{
    return (g_str_equal(key, "format") && format_code(text, value)) ||
           (g_str_equal(key, "type") && find_word(types, text, value)) ||
           (g_str_equal(key, "tiling") && find_word(tilings, text, value)) ||
           number_parse(text, value);
}

static bool bad_value(const Draft *d, const char *key, const char *text)
{
    const char *advice = "write a number that the field can hold";

    if (g_str_equal(key, "format")) {
        advice = "veu-spec formats prints the formats";
    } else if (g_str_equal(key, "type")) {
        advice = "write 1d, 2d, 3d, cube, buffer or null";
    } else if (g_str_equal(key, "tiling")) {
        advice = "write linear, x, y or tile4";
    }
    return tool_error("--surface %s: %s=%s: %s", d->option, key, text, advice);
}

static bool set_key(Draft *d, const char *key, const char *text)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(keys); i++) {
        uint64_t value;

        if (!g_str_equal(keys[i].name, key)) {
            continue;
        }
        if (!parse_value(key, text, &value) ||
            value > UINT64_MAX >> (64 - 8 * keys[i].bytes)) {
            return bad_value(d, key, text);
        }
        memcpy((uint8_t *)&d->surface + keys[i].offset, &value, keys[i].bytes);
        d->given |= 1u << i;
        return true;
    }
    return tool_error(
        "--surface %s: no key is named '%s'; the keys are type, "
        "format, width, height, depth, pitch, qpitch, base, "
        "levels, flags, ... (veu-spec veu_surface), slm and array",
        d->option, key);
}

static bool set_pair(Draft *d, const char *pair)
{
    g_auto(GStrv) parts = g_strsplit(pair, "=", 2);
    uint64_t flag;

    if (find_word(flags, pair, &flag)) {
        d->surface.flags |= flag;
        return true;
    }
    if (!parts[0] || !parts[1]) {
        return tool_error("--surface %s: '%s' is not KEY=VALUE", d->option,
                          pair);
    }
    return set_key(d, parts[0], parts[1]);
}

#define DEFAULT(d, field, value)          \
    do {                                  \
        if (!is_given(d, #field)) {       \
            (d)->surface.field = (value); \
        }                                 \
    } while (0)

static bool has_slices(const VeuShape *shape)
{
    return shape->v_slice || shape->r_slice;
}

static void fill_in_size(Draft *d, const VeuShape *shape)
{
    struct veu_surface *s = &d->surface;

    if (shape->v_row) {
        DEFAULT(d, height, s->type == VEU_SURFACE_CUBE ? s->width : 1);
    }
    if (has_slices(shape)) {
        DEFAULT(d, depth, s->type == VEU_SURFACE_CUBE ? 6 : 1);
    }
    if (shape->lod) {
        DEFAULT(d, levels, 1);
    }
    if (s->min_lod + s->levels > 1) {
        DEFAULT(d, halign, 4);
        DEFAULT(d, valign, shape->v_row ? 4 : 0);
    }
}

static uint32_t round_up(uint64_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Fills in the smallest legal ones. */
static void fill_in_pitches(Draft *d, const VeuShape *shape)
{
    struct veu_surface *s = &d->surface;
    const VeuFormat *format = veu_format_find(s->format);
    const VeuTile *tile = veu_tile_find(s->tiling);
    bool whole_tiles = tile && s->type == VEU_SURFACE_3D;
    uint32_t align = MAX(4, shape->v_row ? s->valign : s->halign);
    VeuLayout layout;

    veu_layout_place(s, shape, &layout);
    if (shape->v_row && format) {
        DEFAULT(d, pitch,
                round_up((uint64_t)layout.width_el * format->bytes,
                         tile ? 1u << tile->width_log2 : format->bytes));
    }
    if (has_slices(shape)) {
        DEFAULT(d, qpitch,
                round_up(shape->v_row ? layout.height : layout.width_el,
                         whole_tiles ? 1u << tile->height_log2 : align));
    }
}

/* Fills in fields that the type needs and that were not given. */
static void fill_in(Draft *d)
{
    const struct veu_surface *s = &d->surface;
    const VeuShape *shape = veu_shape_find(s->type,
                                           s->flags & VEU_SURFACE_ARRAY);

    if (shape) {
        fill_in_size(d, shape);
        fill_in_pitches(d, shape);
    }
}

static bool add_pairs(GArray *surfaces, const char *option)
{
    g_auto(GStrv) pairs = g_strsplit(option, ",", -1);
    Draft d = {
        .option = option,
        .surface = { .type = VEU_SURFACE_BUFFER, .format = VEU_FORMAT_RAW },
    };

    for (char **pair = pairs; *pair; pair++) {
        if (!set_pair(&d, *pair)) {
            return false;
        }
    }
    fill_in(&d);
    g_array_append_val(surfaces, d.surface);
    return true;
}

#define TABLE_BYTES (VEU_LIMIT_SURFACES * sizeof(struct veu_surface))

static bool add_file(GArray *surfaces, const char *option)
{
    RunBytes content;
    bool ok;

    if (!run_file_read(option, TABLE_BYTES, "--surface ", option,
                       "write KEY=VALUE,... or name a file", &content)) {
        return false;
    }
    ok = content.bytes && content.bytes % sizeof(struct veu_surface) == 0;
    if (ok) {
        g_array_append_vals(surfaces, content.data,
                            content.bytes / sizeof(struct veu_surface));
    } else {
        tool_error("--surface %s: a file of descriptors has a multiple of %zu "
                   "bytes, not %" G_GUINT64_FORMAT,
                   option, sizeof(struct veu_surface), content.bytes);
    }
    g_free(content.data);
    return ok;
}

bool run_surface_add(GArray *surfaces, const char *option)
{
    uint64_t flag;
    bool pairs = strchr(option, '=') || find_word(flags, option, &flag);

    if (!(pairs ? add_pairs(surfaces, option) : add_file(surfaces, option))) {
        return false;
    }
    return surfaces->len <= VEU_LIMIT_SURFACES ||
           tool_error("--surface %s: a launch has at most %u surfaces", option,
                      VEU_LIMIT_SURFACES);
}
