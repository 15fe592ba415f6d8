/*
 * veu unit tests: the values that sample_lz and load_lz read from formats of
 * halves and of sRGB: docs/spec.md, 8.7.26, 8.7.27 and 9.9.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A row of eight texels is read by eight lanes. Halves are computed here from
 * the definition of binary16, and sRGB from the formula of its specification.
 */
#include <math.h>
#include <string.h>
#include "tests/lib/eu_fixture.h"
#include "tests/lib/helpers.h"

#define LANES 8
#define RED   0
#define ALPHA 3

typedef struct Row {
    EuFixture *eu;
    VeuMessage message;
} Row;

static const struct veu_sampler linear = { .filter = VEU_FILTER_LINEAR,
                                           .addressing = VEU_ADDRESSING_EDGE };
static const struct veu_sampler nearest = {
    .addressing = VEU_ADDRESSING_EDGE,
};

/* @bytes: of a lane's datum, 4 or 2. */
static Row *row_new(uint16_t format, const void *texels, unsigned texel_bytes,
                    unsigned bytes)
{
    struct veu_surface surface = { .base = EU_RAM,
                                   .format = format,
                                   .type = VEU_SURFACE_1D,
                                   .width = LANES,
                                   .levels = 1 };
    Row *row = g_new0(Row, 1);

    row->eu = eu_standard();
    row->message = (VeuMessage){
        .all_lanes = 0xff,
        .lanes = LANES,
        .surface = eu_surface(row->eu, &surface),
        .channels = 0xf,
        .element_bytes = bytes,
        .channel_stride = LANES,
        .first_lane = { 0, LANES, 2 * LANES, 3 * LANES },
        .address = { .register_byte = EU_OFFSETS_AT },
        .v = { .null = true },
        .r = { .null = true },
        .lod = { .null = true },
        .data = { .register_byte = EU_DATA_AT, .type = VEU_TYPE_F },
    };
    test_memory_put(&row->eu->memory, EU_RAM, texels, LANES * texel_bytes);
    return row;
}

static void row_free(Row *row)
{
    eu_free(row->eu);
    g_free(row);
}

static bool load(Row *row)
{
    const uint8_t code[2] = { VEU_OPCODE_LOAD, VEU_LOAD_LZ };

    row->message.info = veu_message_find(code, 2);
    for (unsigned lane = 0; lane < LANES; lane++) {
        eu_set32(row->eu, EU_OFFSETS_AT, lane, lane);
    }
    return veu_execute(&row->eu->thread, &row->message);
}

/* Lane n reads at n + @from. */
static bool sample(Row *row, const struct veu_sampler *sampler, float from)
{
    const uint8_t code[2] = { VEU_OPCODE_SAMPLE, VEU_SAMPLE_LZ };

    row->message.info = veu_message_find(code, 2);
    row->eu->thread.samplers[0] = *sampler;
    for (unsigned lane = 0; lane < LANES; lane++) {
        float at = lane + from;
        uint32_t bits;

        memcpy(&bits, &at, sizeof(bits));
        eu_set32(row->eu, EU_OFFSETS_AT, lane, bits);
    }
    return veu_execute(&row->eu->thread, &row->message);
}

static uint32_t half_read(Row *row, unsigned channel, unsigned lane)
{
    unsigned at = channel * LANES + lane;

    return eu_get32(row->eu, EU_DATA_AT, at / 2) >> at % 2 * 16 & 0xffff;
}

static uint32_t bits_read(Row *row, unsigned channel, unsigned lane)
{
    return eu_get32(row->eu, EU_DATA_AT, channel * LANES + lane);
}

static void check_halves(Row *row, unsigned channel, const uint16_t *wanted)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        g_assert_cmphex(half_read(row, channel, lane), ==, wanted[lane]);
    }
}

/* --- Halves -------------------------------------------------------------- */

/* Zeros, denormals, the largest number, infinities, NaNs. */
static const uint16_t special[LANES] = { 0x8000, 0x0001, 0x83ff, 0x7bff,
                                         0x7c00, 0xfc00, 0x7c01, 0xfe12 };
/* What they are after a conversion, which makes NaNs quiet. */
static const uint16_t special_read[LANES] = { 0x8000, 0x0001, 0x83ff, 0x7bff,
                                              0x7c00, 0xfc00, 0x7e01, 0xfe12 };

static void test_halves_are_read_as_they_are(void)
{
    Row *row = row_new(VEU_FORMAT_R16_FLOAT, special, 2, 2);

    g_assert_true(load(row));
    check_halves(row, RED, special_read);
    for (unsigned lane = 0; lane < LANES; lane++) {
        g_assert_cmphex(half_read(row, 1, lane), ==, 0);
        g_assert_cmphex(half_read(row, ALPHA, lane), ==, 0x3c00);
    }
    g_assert_true(sample(row, &nearest, 0.5f));
    check_halves(row, RED, special_read);
    row_free(row);
}

static void test_all_channels_of_halves_are_read(void)
{
    uint16_t texels[LANES][4];
    Row *row;

    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned name = 0; name < 4; name++) {
            texels[lane][name] = special[(lane + name) % LANES];
        }
    }
    row = row_new(VEU_FORMAT_R16G16B16A16_FLOAT, texels, 8, 2);
    for (unsigned round = 0; round < 2; round++) {
        g_assert_true(round ? sample(row, &nearest, 0.5f) : load(row));
        for (unsigned name = 0; name < 4; name++) {
            for (unsigned lane = 0; lane < LANES; lane++) {
                g_assert_cmphex(half_read(row, name, lane), ==,
                                special_read[(lane + name) % LANES]);
            }
        }
    }
    row_free(row);
}

/* Halves end at 65504, and at 2^-24; ties go to the even one. */
static void test_floats_become_the_nearest_halves(void)
{
    const float texels[LANES] = { 65519.996f,   65520.0f,    -1e10f,
                                  0x1p-24f,     0x1p-25f,    0x1.8p-24f,
                                  1 + 0x1p-11f, 1 + 0x3p-11f };
    const uint16_t wanted[LANES] = { 0x7bff, 0x7c00, 0xfc00, 0x0001,
                                     0x0000, 0x0002, 0x3c00, 0x3c02 };
    Row *row = row_new(VEU_FORMAT_R32_FLOAT, texels, 4, 2);

    g_assert_true(load(row));
    check_halves(row, RED, wanted);
    g_assert_true(sample(row, &nearest, 0.5f));
    check_halves(row, RED, wanted);
    row_free(row);
}

/*
 * A lane reads a quarter of the texel to its left and three quarters of its
 * own, and the sum is rounded to a half once.
 */
static void test_linear_filters_halves_as_floats(void)
{
    const uint16_t texels[LANES] = { 0x3c00, 0x4000, 0x0001, 0x0004,
                                     0x7bff, 0x7bff, 0x7c00, 0xfc00 };
    /* 1; 1.75; 0.5, to which 2^-24 adds nothing; 3.25 * 2^-24; 49128; ... */
    const uint16_t wanted[LANES - 1] = { 0x3c00, 0x3f00, 0x3800, 0x0003,
                                         0x79ff, 0x7bff, 0x7c00 };
    Row *row = row_new(VEU_FORMAT_R16_FLOAT, texels, 2, 2);

    g_assert_true(sample(row, &linear, 0.25f));
    for (unsigned lane = 0; lane < LANES - 1; lane++) {
        g_assert_cmphex(half_read(row, RED, lane), ==, wanted[lane]);
    }
    g_assert_cmphex(half_read(row, RED, 7) & 0x7e00, ==, 0x7e00);
    row_free(row);
}

/* --- sRGB ---------------------------------------------------------------- */

static double from_srgb(unsigned code)
{
    double c = code / 255.0;

    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static float float_read(Row *row, unsigned channel, unsigned lane)
{
    uint32_t bits = bits_read(row, channel, lane);
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Four channels, each with its own codes; @blue_first: B, G, R, A in memory. */
static void check_srgb(uint16_t format, bool blue_first, unsigned first)
{
    uint8_t texels[LANES][4];
    Row *row;

    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned name = 0; name < 4; name++) {
            texels[lane][name] = first + lane + 50 * name;
        }
    }
    row = row_new(format, texels, 4, 4);
    for (unsigned round = 0; round < 2; round++) {
        g_assert_true(round ? sample(row, &nearest, 0.5f) : load(row));
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint8_t *codes = texels[lane];

            g_assert_cmpfloat(float_read(row, 0, lane), ==,
                              (float)from_srgb(codes[blue_first ? 2 : 0]));
            g_assert_cmpfloat(float_read(row, 1, lane), ==,
                              (float)from_srgb(codes[1]));
            g_assert_cmpfloat(float_read(row, 2, lane), ==,
                              (float)from_srgb(codes[blue_first ? 0 : 2]));
            g_assert_cmpfloat(float_read(row, ALPHA, lane), ==,
                              (float)(codes[3] / 255.0));
        }
    }
    row_free(row);
}

static void test_colours_of_srgb_are_read_as_linear(void)
{
    for (unsigned code = 0; code < 256; code += LANES) {
        check_srgb(VEU_FORMAT_R8G8B8A8_UNORM_SRGB, false, code);
        check_srgb(VEU_FORMAT_B8G8R8A8_UNORM_SRGB, true, code);
    }
}

/* Black and white: their middle is 0.5, which is not the code 127. */
static void test_srgb_is_filtered_after_the_conversion(void)
{
    const uint32_t texels[LANES] = { 0, UINT32_MAX, 0, UINT32_MAX,
                                     0, UINT32_MAX, 0, UINT32_MAX };
    Row *row = row_new(VEU_FORMAT_R8G8B8A8_UNORM_SRGB, texels, 4, 4);

    g_assert_true(sample(row, &linear, 1.0f));
    for (unsigned lane = 0; lane < LANES - 1; lane++) {
        g_assert_cmpfloat(float_read(row, RED, lane), ==, 0.5f);
    }
    row_free(row);
}

static void test_other_messages_do_not_take_srgb(void)
{
    static const uint8_t codes[] = { VEU_OPCODE_GATHER4_TYPED,
                                     VEU_OPCODE_SCATTER4_TYPED,
                                     VEU_OPCODE_TYPED_ATOMIC };
    const uint32_t texels[LANES] = { 1, 2, 3, 4, 5, 6, 7, 8 };

    for (unsigned i = 0; i < G_N_ELEMENTS(codes); i++) {
        Row *row = row_new(VEU_FORMAT_R8G8B8A8_UNORM_SRGB, texels, 4, 4);

        row->message.info = veu_message_find(&codes[i], 1);
        g_assert_false(veu_execute(&row->eu->thread, &row->message));
        g_assert_cmphex(row->eu->thread.fault.code, ==, VEU_FAULT_SURFACE_KIND);
        row_free(row);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/sample-formats/" #name, test_##name)
    RULE(halves_are_read_as_they_are);
    RULE(all_channels_of_halves_are_read);
    RULE(floats_become_the_nearest_halves);
    RULE(linear_filters_halves_as_floats);
    RULE(colours_of_srgb_are_read_as_linear);
    RULE(srgb_is_filtered_after_the_conversion);
    RULE(other_messages_do_not_take_srgb);
#undef RULE
    return g_test_run();
}
