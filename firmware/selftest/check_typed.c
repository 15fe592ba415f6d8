/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SCATTER4_TYPED: formats, channels, kinds of surface, bounds, conversions.
 */
#include "checks.h"
#include "convert.h"
#include "trial.h"

#define SHAPES_PER_MASK 3
#define ALL_MASKS       15

enum channel_type {
    FLOAT,
    UNORM,
    SNORM,
    SINT,
    UINT
};

/*
 * Typed by hand, not from the table that the device uses. All channels are
 * alike.
 */
struct format {
    const char *name;
    enum veu_format code;
    unsigned channels;
    unsigned channel_bits;
    enum channel_type type;
};

static const struct format formats[] = {
    { "R32G32B32A32_FLOAT", 0x000, 4, 32, FLOAT },
    { "R16G16B16A16_FLOAT", 0x084, 4, 16, FLOAT },
    { "R8G8B8A8_UNORM", 0x0c7, 4, 8, UNORM },
    { "R8G8B8A8_SNORM", 0x0c9, 4, 8, SNORM },
    { "R8G8B8A8_SINT", 0x0ca, 4, 8, SINT },
    { "R8G8B8A8_UINT", 0x0cb, 4, 8, UINT },
    { "R32_SINT", 0x0d6, 1, 32, SINT },
    { "R32_UINT", 0x0d7, 1, 32, UINT },
    { "R32_FLOAT", 0x0d8, 1, 32, FLOAT },
};

static unsigned texel_bytes(const struct format *f)
{
    return f->channels * f->channel_bits / 8;
}

static uint32_t convert(const struct format *f, uint32_t value)
{
    switch (f->type) {
    case UNORM:
        return convert_unorm(value, f->channel_bits);
    case SNORM:
        return convert_snorm(value, f->channel_bits);
    case SINT:
        return convert_sint(value, f->channel_bits);
    case UINT:
        return convert_uint(value, f->channel_bits);
    case FLOAT:
        break;
    }
    return f->channel_bits == 16 ? convert_half(value) : value;
}

/* An image in the arena; dimensions that it lacks have extent 1. */
struct image {
    enum veu_surface_type type;
    uint32_t width, height, depth;
    uint32_t pitch, rows;
};

static struct image random_image(struct bench *b, enum veu_surface_type type,
                                 unsigned texel)
{
    struct image i = {
        .type = type,
        .width = 1 + bench_below(b, 20),
        .height = 1,
        .depth = 1,
    };

    if (type == VEU_SURFACE_2D || type == VEU_SURFACE_3D) {
        i.height = 1 + bench_below(b, 8);
        i.pitch = (i.width + bench_below(b, 5)) * texel;
    }
    if (type == VEU_SURFACE_3D) {
        i.depth = 1 + bench_below(b, 3);
        i.rows = (i.height + 3) / 4 * 4;
    }
    return i;
}

static struct veu_surface describe(const struct image *i, void *memory,
                                   enum veu_format format)
{
    switch (i->type) {
    case VEU_SURFACE_1D:
        return veu_surface_1d(memory, format, i->width);
    case VEU_SURFACE_2D:
        return veu_surface_2d(memory, format, i->width, i->height, i->pitch);
    case VEU_SURFACE_3D:
        return veu_surface_3d(memory, format, i->width, i->height, i->depth,
                              i->pitch, i->rows);
    default:
        return veu_surface_buffer(memory, format, i->width);
    }
}

/* The coordinates and the data; id 0 is null. */
struct operands {
    uint32_t u, v, r, data;
};

static uint32_t coordinate(const struct trial *t, uint32_t id, unsigned lane)
{
    uint32_t value = 0;

    if (id) {
        __builtin_memcpy(&value,
                         t->registers + veu_program_offset(&t->program, id) +
                             4 * lane,
                         4);
    }
    return value;
}

/* The loop of the vendor's page. */
static void page_scatter(struct trial *t, const struct image *i,
                         const struct format *f, unsigned channels,
                         const struct operands *o)
{
    const uint32_t *src = trial_register(t, o->data);
    unsigned lanes = t->shape.exec.lanes, words = t->shape.grf_bytes / 4;
    unsigned stride = lanes > words ? lanes : words, position = 0;
    uint32_t enabled = shape_enabled(&t->shape);

    for (unsigned c = 0; c < 4; c++) {
        if (!(channels >> c & 1)) {
            continue;
        }
        for (unsigned n = 0; n < lanes; n++) {
            uint32_t u = coordinate(t, o->u, n), v = coordinate(t, o->v, n);
            uint32_t r = coordinate(t, o->r, n);
            uint32_t value = convert(f, src[position * stride + n]);

            if (enabled >> n & 1 && u < i->width && v < i->height &&
                r < i->depth && c < f->channels) {
                __builtin_memcpy(t->expected_arena + u * texel_bytes(f) +
                                     (r * i->rows + v) * i->pitch +
                                     c * f->channel_bits / 8,
                                 &value, f->channel_bits / 8);
            }
        }
        position++;
    }
}

/* The limits of conversions, their neighbours, and halves between codes. */
static uint32_t random_value(struct bench *b)
{
    static const uint32_t special[] = {
        0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff,
        0x7f800000, 0xff800000, 0x7fc00000, 0xffc01234, 0x7f800001, 0x00000001,
        0x7fffffff, 0x477fefff, 0x477ff000, 0x38800000, 0x387fffff, 0x33000000,
        0x33000001, 0x0000007f, 0x00000080, 0x000000ff, 0x00000100, 0xffffff80,
        0xffffff7f, 0x3b008082, 0x3b008081,
    };

    switch (bench_below(b, 5)) {
    case 0:
        return bench_random(b) >> 11;
    case 1:
        return special[bench_below(b, ARRAY_SIZE(special))];
    case 2: /* (2k + 1) / 512: halves between the multiples of 1/256 */
        return convert_float(2 * bench_below(b, 256) + 1, 9);
    case 3: /* near the limits of half precision, with either sign */
        return (bench_random(b) >> 7 & 0x8ff00000) | 0x30000000 |
               (0x1000 + bench_below(b, 3) - 1);
    default: /* 0 to 1 */
        return convert_float(bench_below(b, 1 << 24), 24);
    }
}

static uint32_t fill_coordinates(struct trial *t, unsigned limit)
{
    unsigned lanes = t->shape.exec.lanes;
    uint32_t id = trial_variable(t, VEU_TYPE_UD, lanes);
    uint32_t *u = trial_register(t, id);

    for (unsigned i = 0; i < lanes; i++) {
        u[i] = bench_below(t->bench, 8) ? bench_below(t->bench, limit) :
               bench_below(t->bench, 2) ? limit + bench_below(t->bench, 3) :
                                          bench_random(t->bench) >> 9;
    }
    __builtin_memcpy(trial_expected(t, id), u, lanes * 4);
    return id;
}

static unsigned count_channels(unsigned channels)
{
    unsigned count = 0;

    for (; channels; channels &= channels - 1) {
        count++;
    }
    return count;
}

static uint32_t fill_data(struct trial *t, const struct format *f,
                          unsigned channels)
{
    static const enum veu_type types[] = {
        [FLOAT] = VEU_TYPE_F, [UNORM] = VEU_TYPE_F, [SNORM] = VEU_TYPE_F,
        [SINT] = VEU_TYPE_D,  [UINT] = VEU_TYPE_UD,
    };
    unsigned lanes = t->shape.exec.lanes, words = t->shape.grf_bytes / 4;
    unsigned stride = lanes > words ? lanes : words;
    unsigned count = (count_channels(channels) - 1) * stride + lanes;
    uint32_t id = trial_variable(t, types[f->type], count);
    uint32_t *d = trial_register(t, id);

    for (unsigned i = 0; i < count; i++) {
        d[i] = random_value(t->bench);
    }
    __builtin_memcpy(trial_expected(t, id), d, count * 4);
    return id;
}

static struct trial *prepare(struct bench *b, const struct shape *shape,
                             const struct format *f, enum veu_surface_type type,
                             unsigned channels)
{
    struct trial *t = trial_begin(b, shape);
    struct image i = random_image(b, type, texel_bytes(f));
    struct operands o = { .u = fill_coordinates(t, i.width) };
    uint8_t surface = trial_surface(t, describe(&i, b->arena, f->code));
    struct veu_texels texels;

    /* null stands for 0 */
    if (i.pitch && bench_below(b, 8)) {
        o.v = fill_coordinates(t, i.height);
    }
    if (i.rows && o.v && bench_below(b, 8)) {
        o.r = fill_coordinates(t, i.depth);
    }
    o.data = fill_data(t, f, channels);
    texels = (struct veu_texels){ veu_v(o.u), veu_v(o.v), veu_v(o.r),
                                  VEU_NULL };
    veu_encode_scatter4_typed(&t->program.code, t->pred, channels, shape->exec,
                              surface, texels, veu_v(o.data));
    page_scatter(t, &i, f, channels, &o);
    return t;
}

static void all_masks(struct bench *b, const struct format *f,
                      enum veu_surface_type type, const char *kind,
                      unsigned lanes)
{
    struct trial *t = NULL;
    bool good = true;

    report_begin("%s %s, %u lanes, 15 channel masks", f->name, kind, lanes);
    for (unsigned n = 0; good && n < ALL_MASKS * SHAPES_PER_MASK; n++) {
        struct shape shape = shape_random(b, n % 2 ? 64 : 32, lanes, true);

        t = prepare(b, &shape, f, type, 1 + n % ALL_MASKS);
        good = trial_run(t);
    }
    report_result(good, "%s", good ? "" : t->reason);
}

/* The self-test's own conversions, compared with constants computed by hand. */
static void constants(void)
{
    static const struct {
        uint32_t (*convert)(uint32_t, unsigned);
        unsigned bits;
        uint32_t value, result;
    } rows[] = {
        { convert_unorm, 8, 0x00000000, 0 },
        { convert_unorm, 8, 0x3f800000, 255 },
        { convert_unorm, 8, 0x3f000000, 128 }, /* 127.5 */
        { convert_unorm, 8, 0x3b008082, 1 },   /* 0.50000009 */
        /* 0.50000003, which is 0.5 as a float */
        { convert_unorm, 8, 0x3b008081, 0 },
        { convert_unorm, 8, 0xbf800000, 0 },
        { convert_unorm, 8, 0x7fc00000, 0 },   /* NaN */
        { convert_unorm, 8, 0x7f800000, 255 }, /* infinity */
        { convert_unorm, 8, 0x3f4ccccd, 204 }, /* 0.8 */
        { convert_snorm, 8, 0x3f800000, 0x7f },
        { convert_snorm, 8, 0xbf800000, 0x81 }, /* never 0x80 */
        { convert_snorm, 8, 0xff800000, 0x81 },
        { convert_snorm, 8, 0x3f000000, 0x40 }, /* 63.5 */
        { convert_snorm, 8, 0xbf000000, 0xc0 },
        { convert_sint, 8, 0x00000080, 0x7f },
        { convert_sint, 8, 0xffffff7f, 0x80 },
        { convert_sint, 8, 0xfffffffb, 0xfb },
        { convert_uint, 8, 0x00000100, 0xff },
        { convert_uint, 8, 0xffffffff, 0xff },
        { convert_uint, 32, 0xfffffffe, 0xfffffffe },
    };
    static const struct {
        uint32_t value, result;
    } halves[] = {
        { 0x3f800000, 0x3c00 }, { 0xc0000000, 0xc000 }, /* 1, -2 */
        { 0x477fe000, 0x7bff }, { 0x477fefff, 0x7bff }, /* 65504 */
        { 0x477ff000, 0x7c00 }, { 0xff800000, 0xfc00 }, /* 65520 */
        { 0x38800000, 0x0400 }, { 0x387fc000, 0x03ff }, /* 2^-14 */
        { 0x33800000, 0x0001 }, { 0x33000000, 0x0000 }, /* 2^-24, 2^-25 */
        { 0x33000001, 0x0001 }, { 0x3f801000, 0x3c00 }, /* to even */
        { 0x3f803000, 0x3c02 }, { 0x7fc02000, 0x7e01 }, /* NaN */
        { 0x7f800001, 0x7e00 }, { 0x80000001, 0x8000 },
    };
    unsigned wrong = 0;

    report_begin("conversions of the self-test against constants");
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        wrong += rows[i].convert(rows[i].value, rows[i].bits) != rows[i].result;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(halves); i++) {
        wrong += convert_half(halves[i].value) != halves[i].result;
    }
    report_result(wrong == 0, "%u of %lu differ", wrong,
                  ARRAY_SIZE(rows) + ARRAY_SIZE(halves));
}

void check_typed(struct bench *b)
{
    const struct format *unorm8 = &formats[2];

    report_section("scatter4_typed");
    constants();
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        all_masks(b, &formats[i], VEU_SURFACE_2D, "2D", 8);
    }
    all_masks(b, unorm8, VEU_SURFACE_1D, "1D", 8);
    all_masks(b, unorm8, VEU_SURFACE_3D, "3D", 8);
    all_masks(b, unorm8, VEU_SURFACE_BUFFER, "buffer", 8);
    all_masks(b, unorm8, VEU_SURFACE_2D, "2D", 16);
}
