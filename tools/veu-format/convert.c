/*
 * veu-format pack, unpack: texels from and to the words of registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A texel has a word for each channel of the mask, in the order R, G, B, A.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tools/lib/names.h"
#include "tools/veu-format/veu-format.h"

#define CHUNK_TEXELS 8192

typedef struct Converter {
    const VeuFormat *format;
    uint8_t type;        /* type of the words: F, D or UD */
    uint8_t wanted;      /* type that the format takes */
    unsigned mask;       /* mask of channels; R is bit 0 */
    unsigned word_count; /* of a texel */
    FILE *onto;
    uint32_t words[CHUNK_TEXELS * 4];
    uint8_t texels[CHUNK_TEXELS * VEU_MAX_TEXEL_BYTES];
} Converter;

static double as_double(uint8_t type, uint32_t word)
{
    float f;

    if (type == VEU_TYPE_D) {
        return (int32_t)word;
    }
    if (type == VEU_TYPE_UD) {
        return word;
    }
    memcpy(&f, &word, sizeof(f));
    return f;
}

/* All three types are exact as doubles. */
uint32_t fmt_convert(uint8_t from, uint8_t to, uint32_t word)
{
    double value = as_double(from, word);
    double min = to == VEU_TYPE_D ? INT32_MIN : 0;
    double max = to == VEU_TYPE_D ? INT32_MAX : UINT32_MAX;
    float f = value;

    if (from == to) {
        return word;
    }
    if (to == VEU_TYPE_F) {
        memcpy(&word, &f, sizeof(word));
        return word;
    }
    value = isnan(value) ? 0 : value < min ? min : value > max ? max : value;
    return (int64_t)rint(value);
}

static void put_texels(const Converter *c, VeuTexels *t, const uint8_t *texels,
                       unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        veu_texels_put(t, c->format, i, texels + i * c->format->bytes);
    }
}

static void pack_lanes(const Converter *c, const uint32_t *words,
                       uint8_t *texels, unsigned lanes)
{
    VeuTexels t;
    uint32_t values[VEU_MAX_LANES];

    put_texels(c, &t, texels, lanes);
    for (unsigned name = 0; name < 4; name++) {
        const VeuChannel *channel = veu_format_channel(c->format, name);

        if (!(c->mask & (1u << name))) {
            continue;
        }
        for (unsigned i = 0; i < lanes; i++) {
            values[i] = fmt_convert(c->type, c->wanted,
                                    words[i * c->word_count]);
        }
        words++;
        if (channel) {
            veu_texels_pack(&t, channel, values, lanes);
        }
    }
    for (unsigned i = 0; i < lanes; i++) {
        veu_texels_get(&t, c->format, i, texels + i * c->format->bytes);
    }
}

static void unpack_lanes(const Converter *c, const uint8_t *texels,
                         uint32_t *words, unsigned lanes)
{
    VeuTexels t;
    uint32_t values[VEU_MAX_LANES];

    put_texels(c, &t, texels, lanes);
    for (unsigned name = 0; name < 4; name++) {
        const VeuChannel *channel = veu_format_channel(c->format, name);

        if (!(c->mask & (1u << name))) {
            continue;
        }
        if (channel) {
            veu_texels_unpack(&t, channel, values, lanes);
        }
        for (unsigned i = 0; i < lanes; i++) {
            uint32_t value = channel ? values[i] :
                                       veu_format_default(c->format, name);

            words[i * c->word_count] = fmt_convert(c->wanted, c->type, value);
        }
        words++;
    }
}

static bool parse_type(Converter *c, const char *type)
{
    c->wanted = veu_format_register_type(c->format);
    c->type = c->wanted;
    return !type ||
           (type_by_name(type, &c->type) &&
            (c->type == VEU_TYPE_F || c->type == VEU_TYPE_D ||
             c->type == VEU_TYPE_UD)) ||
           tool_error("--type %s: write f, d or ud", type);
}

/* Letters of RGBA in any case and order, each at most once. */
static bool parse_channels(Converter *c, const char *channels)
{
    for (const char *at = channels; *at; at++) {
        const char *name = strchr("RGBA", g_ascii_toupper(*at));

        if (!name || (c->mask & 1u << (name - "RGBA"))) {
            c->mask = 0;
            break;
        }
        c->mask |= 1u << (name - "RGBA");
    }
    c->word_count = __builtin_popcount(c->mask);
    return c->mask || tool_error("--channels %s: write some of the letters "
                                 "RGBA, each once",
                                 channels);
}

static bool open_onto(Converter *c, const char *path)
{
    c->onto = path ? fopen(path, "rb") : NULL;
    return !path || c->onto ||
           tool_error("--onto %s: %s", path, g_strerror(errno));
}

/* Returns NULL with an error. */
static Converter *converter_new(const FmtOptions *o, bool pack)
{
    Converter *c = g_new0(Converter, 1);

    c->format = o->format;
    if (!c->format->channels[0].bits) {
        tool_error("%s has no channels", c->format->name);
    } else if (pack && veu_format_is_srgb(c->format)) {
        tool_error("%s is only read: convert the colors to sRGB, and write "
                   "the format without _SRGB",
                   c->format->name);
    } else if (parse_type(c, o->type) &&
               parse_channels(c, o->channels ? o->channels : "RGBA") &&
               open_onto(c, o->onto)) {
        return c;
    }
    g_free(c);
    return NULL;
}

static void converter_free(Converter *c)
{
    if (c->onto) {
        fclose(c->onto);
    }
    g_free(c);
}

/*
 * Reads whole texels of @texel_bytes, at most a chunk. Returns -1 with an
 * error.
 */
static int64_t read_texels(FmtStream *s, void *to, unsigned texel_bytes)
{
    uint64_t before = s->in_bytes / texel_bytes;
    int64_t got = fmt_stream_read(s, to, (size_t)CHUNK_TEXELS * texel_bytes);

    if (got > 0 && got % texel_bytes) {
        tool_error("%s: the input ends within texel %" G_GUINT64_FORMAT
                   ": it has %u of %u bytes",
                   s->command, before + got / texel_bytes,
                   (unsigned)(got % texel_bytes), texel_bytes);
        return -1;
    }
    return got < 0 ? got : got / texel_bytes;
}

/* Reads the previous texels: zeroes, or those of --onto. */
static bool read_onto(Converter *c, const FmtOptions *o, uint64_t texels)
{
    size_t bytes = texels * c->format->bytes;

    memset(c->texels, 0, bytes);
    return !c->onto || fread(c->texels, 1, bytes, c->onto) == bytes ||
           tool_error("--onto %s: it has fewer texels than the input", o->onto);
}

static bool onto_is_read(Converter *c, const FmtOptions *o)
{
    return !c->onto || getc(c->onto) == EOF ||
           tool_error("--onto %s: it has more texels than the input", o->onto);
}

static bool pack_all(Converter *c, const FmtOptions *o, FmtStream *s)
{
    int64_t count;

    while ((count = read_texels(s, c->words, c->word_count * 4)) > 0) {
        if (!read_onto(c, o, count)) {
            return false;
        }
        for (int64_t i = 0; i < count; i += VEU_MAX_LANES) {
            pack_lanes(c, c->words + i * c->word_count,
                       c->texels + i * c->format->bytes,
                       MIN(VEU_MAX_LANES, count - i));
        }
        if (!fmt_stream_write(c->texels, count * c->format->bytes)) {
            return false;
        }
    }
    return count == 0 && onto_is_read(c, o);
}

static bool unpack_all(Converter *c, FmtStream *s)
{
    int64_t count;

    while ((count = read_texels(s, c->texels, c->format->bytes)) > 0) {
        for (int64_t i = 0; i < count; i += VEU_MAX_LANES) {
            unpack_lanes(c, c->texels + i * c->format->bytes,
                         c->words + i * c->word_count,
                         MIN(VEU_MAX_LANES, count - i));
        }
        if (!fmt_stream_write(c->words, count * c->word_count * 4)) {
            return false;
        }
    }
    return count == 0;
}

static int convert(const FmtOptions *o, const char *command, bool pack)
{
    Converter *c = converter_new(o, pack);
    FmtStream s;
    bool ok;

    if (!c) {
        return FMT_USAGE;
    }
    fmt_stream_open(&s, command);
    ok = pack ? pack_all(c, o, &s) : unpack_all(c, &s);
    converter_free(c);
    return fmt_stream_close(&s, ok);
}

int fmt_pack(const FmtOptions *o)
{
    return convert(o, "pack", true);
}

int fmt_unpack(const FmtOptions *o)
{
    return convert(o, "unpack", false);
}
