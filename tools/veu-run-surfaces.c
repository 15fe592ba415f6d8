/*
 * veu-run: surface descriptors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is not given takes the value that is right for the surface's type. What
 * is given is stored as it is: the device tells what is wrong with it.
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/format.h"
#include "tools/lib/number.h"
#include "tools/veu-run.h"

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

static const struct {
    const char *name;
    uint64_t value;
} types[] = {
    { "1d", VEU_SURFACE_1D },     { "2d", VEU_SURFACE_2D },
    { "3d", VEU_SURFACE_3D },     { "buffer", VEU_SURFACE_BUFFER },
    { "null", VEU_SURFACE_NULL },
};

static bool format_by_name(const char *name, uint64_t *code)
{
    for (unsigned i = 0; i < veu_format_count; i++) {
        if (!g_ascii_strcasecmp(name, veu_formats[i].name)) {
            *code = veu_formats[i].code;
            return true;
        }
    }
    return false;
}

static bool type_by_word(const char *name, uint64_t *code)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++) {
        if (!g_ascii_strcasecmp(name, types[i].name)) {
            *code = types[i].value;
            return true;
        }
    }
    return false;
}

/* A descriptor in the making: bit i of given: keys[i] was given. */
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
    return (g_str_equal(key, "format") && format_by_name(text, value)) ||
           (g_str_equal(key, "type") && type_by_word(text, value)) ||
           number_parse(text, value);
}

static bool bad_value(const Draft *d, const char *key, const char *text)
{
    const char *advice = "write a number that the field can hold";

    if (g_str_equal(key, "format")) {
        advice = "veu-spec formats prints the formats";
    } else if (g_str_equal(key, "type")) {
        advice = "write 1d, 2d, 3d, buffer or null";
    }
    return run_error("--surface %s: %s=%s: %s", d->option, key, text, advice);
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
    return run_error("--surface %s: no key is named '%s'; the keys are type, "
                     "format, width, height, depth, pitch, qpitch, base, "
                     "levels, flags, ... (veu-spec veu_surface), and slm",
                     d->option, key);
}

static bool set_pair(Draft *d, const char *pair)
{
    g_auto(GStrv) parts = g_strsplit(pair, "=", 2);

    if (g_str_equal(pair, "slm")) {
        return set_key(d, "flags", "1");
    }
    if (!parts[0] || !parts[1]) {
        return run_error("--surface %s: '%s' is no KEY=VALUE", d->option, pair);
    }
    return set_key(d, parts[0], parts[1]);
}

/* The fields that the type wants and nobody gave. */
static void fill_in(Draft *d)
{
    struct veu_surface *s = &d->surface;
    const VeuFormat *format = veu_format_find(s->format);
    bool rows = s->type == VEU_SURFACE_2D || s->type == VEU_SURFACE_3D;

    if (rows && !is_given(d, "height")) {
        s->height = 1;
    }
    if (rows && format && !is_given(d, "pitch")) {
        s->pitch = s->width * format->bytes;
    }
    if (s->type == VEU_SURFACE_3D && !is_given(d, "depth")) {
        s->depth = 1;
    }
    if (s->type == VEU_SURFACE_3D && !is_given(d, "qpitch")) {
        s->qpitch = (s->height + 3) & ~3u;
    }
    if ((rows || s->type == VEU_SURFACE_1D) && !is_given(d, "levels")) {
        s->levels = 1;
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
        run_error("--surface %s: a file of descriptors has a multiple of %zu "
                  "bytes, not %" G_GUINT64_FORMAT,
                  option, sizeof(struct veu_surface), content.bytes);
    }
    g_free(content.data);
    return ok;
}

bool run_surface_add(GArray *surfaces, const char *option)
{
    bool pairs = strchr(option, '=') || g_str_equal(option, "slm");

    if (!(pairs ? add_pairs(surfaces, option) : add_file(surfaces, option))) {
        return false;
    }
    return surfaces->len <= VEU_LIMIT_SURFACES ||
           run_error("--surface %s: a launch has at most %u surfaces", option,
                     VEU_LIMIT_SURFACES);
}
