/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * GATHER4_TYPED: integer formats, channel masks, bounds.
 */
#include "checks.h"
#include "trial.h"

#define SHAPES 45

/* Typed by hand, not from the table that the device uses. R is at bit 0. */
struct format {
    const char *name;
    enum veu_format code;
    unsigned texel_bytes;
    bool sign;
    unsigned bits[4]; /* 0 if the format lacks the channel */
};

static const struct format formats[] = {
    { "R8G8B8A8_UINT", 0x0cb, 4, false, { 8, 8, 8, 8 } },
    { "R8G8B8A8_SINT", 0x0ca, 4, true, { 8, 8, 8, 8 } },
    { "R16G16_SINT", 0x0ce, 4, true, { 16, 16, 0, 0 } },
    { "R10G10B10A2_UINT", 0x0c4, 4, false, { 10, 10, 10, 2 } },
    { "R8_UINT", 0x143, 1, false, { 8, 0, 0, 0 } },
};

/*
 * Returns channel @c of a texel; 0, 0, 0 and 1 outside of the surface, and for
 * missing channels.
 */
static uint32_t page_value(const struct format *f, const uint8_t *texel,
                           unsigned c)
{
    unsigned bits = f->bits[c], shift = 0;
    uint32_t dword = 0, value;

    if (!texel || !bits) {
        return c == 3;
    }
    __builtin_memcpy(&dword, texel, f->texel_bytes);
    for (unsigned i = 0; i < c; i++) {
        shift += f->bits[i];
    }
    value = dword >> shift & ((1u << bits) - 1);
    return f->sign && value >> (bits - 1) ? value - (1u << bits) : value;
}

/* The loop of the vendor's page. */
static void page_gather(struct trial *t, const struct format *f,
                        unsigned channels, uint32_t width, const uint32_t *u,
                        uint32_t *dst)
{
    unsigned lanes = t->shape.exec.lanes, words = t->shape.grf_bytes / 4;
    unsigned stride = lanes > words ? lanes : words, position = 0;
    uint32_t enabled = shape_enabled(&t->shape);

    for (unsigned c = 0; c < 4; c++) {
        if (!(channels >> c & 1)) {
            continue;
        }
        for (unsigned n = 0; n < lanes; n++) {
            const uint8_t *texel = t->arena + u[n] * f->texel_bytes;

            if (enabled >> n & 1) {
                dst[position * stride + n] =
                    page_value(f, u[n] < width ? texel : NULL, c);
            }
        }
        position++;
    }
}

static bool try(struct bench *b, const struct format *f, unsigned n,
                struct trial **t)
{
    struct shape shape = shape_random(b, n % 2 ? 64 : 32, n % 4 < 2 ? 8 : 16,
                                      true);
    unsigned lanes = shape.exec.lanes, channels = 1 + n % 15;
    uint32_t width = 1 + bench_below(b, 40);
    uint32_t u_id, data_id, *u;
    uint8_t surface;

    *t = trial_begin(b, &shape);
    u_id = trial_variable(*t, VEU_TYPE_UD, lanes);
    data_id = trial_variable(*t, f->sign ? VEU_TYPE_D : VEU_TYPE_UD, 64);
    surface = trial_surface(*t, veu_surface_1d(b->arena, f->code, width));
    u = trial_register(*t, u_id);
    for (unsigned i = 0; i < lanes; i++) {
        u[i] = bench_below(b, width + 2);
    }
    __builtin_memcpy(trial_expected(*t, u_id), u, lanes * 4);
    veu_encode_gather4_typed(
        &(*t)->program.code, (*t)->pred, channels, shape.exec, surface,
        (struct veu_texels){ veu_v(u_id), VEU_NULL, VEU_NULL, VEU_NULL },
        veu_v(data_id));
    page_gather(*t, f, channels, width, u, trial_expected(*t, data_id));
    return trial_run(*t);
}

void check_typed_read(struct bench *b)
{
    report_section("gather4_typed");
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        struct trial *t = NULL;
        bool good = true;

        report_begin("%s, 8 and 16 lanes, 15 channel masks", formats[i].name);
        for (unsigned n = 0; good && n < SHAPES; n++) {
            good = try(b, &formats[i], n, &t);
        }
        report_result(good, "%s", good ? "" : t->reason);
    }
}
