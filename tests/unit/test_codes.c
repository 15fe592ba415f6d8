/*
 * veu unit tests: every texel of up to 32 bits, unpacked and packed again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All codes come back unchanged, except these: the lowest SNORM code comes back
 * as the one above it, which is also -1.0; a signalling NaN of a float of less
 * than 32 bits comes back quiet. X bits are not unpacked, and keep their
 * previous value. Without VEU_TEST_ALL the test covers all texels of 8 and 16
 * bits, and every 4099th of 32 bits. sRGB is only unpacked.
 */
#include <glib.h>
#include <string.h>
#include "hw/veu/eu/surface/format.h"
#include "tests/lib/ref.h"
#include "tests/lib/sweep.h"

static uint32_t low_bits(unsigned bits)
{
    return UINT32_MAX >> (32 - bits);
}

/* A NaN with 5 bits of exponent, whose upper fraction bit is set. */
static uint32_t quiet(unsigned fraction_bits, uint32_t code)
{
    uint32_t fraction = code & low_bits(fraction_bits);
    bool nan = fraction && (code >> fraction_bits & 31) == 31;

    return nan ? code | 1u << (fraction_bits - 1) : code;
}

static uint32_t code_back(const RefChannel *c, uint32_t code)
{
    switch (c->type) {
    case REF_SNORM:
        return code == 1u << (c->bits - 1) ? code + 1 : code;
    case REF_UFLOAT:
        return quiet(c->bits - 5, code);
    case REF_FLOAT:
        return c->bits == 16 ? quiet(10, code) : code;
    default:
        return code;
    }
}

/* The channels that a format has. */
static unsigned channels_of(const RefFormat *f, RefChannel channels[4])
{
    unsigned count = 0;

    for (unsigned i = 0; i < 4; i++) {
        count += ref_channel(f, "RGBA"[i], &channels[count]);
    }
    return count;
}

/* @before is the texel before it is packed. */
static uint32_t texel_back(const RefChannel *channels, unsigned count,
                           uint32_t texel, uint32_t before)
{
    for (unsigned i = 0; i < count; i++) {
        const RefChannel *c = &channels[i];
        uint32_t mask = low_bits(c->bits);
        uint32_t code = code_back(c, texel >> c->bit & mask);

        before = (before & ~(mask << c->bit)) | code << c->bit;
    }
    return before;
}

static void there_and_back(const VeuFormat *f, const uint32_t *texels,
                           uint32_t *back, unsigned lanes)
{
    VeuTexels from;
    VeuTexels to;
    uint32_t values[VEU_MAX_LANES];

    for (unsigned i = 0; i < lanes; i++) {
        from.dword[0][i] = texels[i];
        to.dword[0][i] = ~texels[i];
    }
    VEU_FOR_EACH_CHANNEL(c, f) {
        veu_texels_unpack(&from, c, values, lanes);
        veu_texels_pack(&to, c, values, lanes);
    }
    memcpy(back, to.dword[0], lanes * sizeof(*back));
}

static bool check(const void *data, const uint32_t *texels, unsigned count,
                  uint32_t *wrong)
{
    const RefFormat *ref = data;
    const VeuFormat *f = veu_format_find(ref->code);
    RefChannel channels[4];
    unsigned channel_count = channels_of(ref, channels);

    for (unsigned at = 0; at < count; at += VEU_MAX_LANES) {
        unsigned lanes = MIN(VEU_MAX_LANES, count - at);
        uint32_t back[VEU_MAX_LANES];

        there_and_back(f, texels + at, back, lanes);
        for (unsigned i = 0; i < lanes; i++) {
            *wrong = texels[at + i];
            if (back[i] !=
                texel_back(channels, channel_count, *wrong, ~*wrong)) {
                return false;
            }
        }
    }
    return true;
}

static void check_small(const RefFormat *f, unsigned bytes)
{
    for (uint32_t texel = 0; texel >> (8 * bytes) == 0; texel++) {
        uint32_t wrong;

        if (!check(f, &texel, 1, &wrong)) {
            g_test_message("%s: wrong for %#x", f->name, wrong);
            g_test_fail();
            return;
        }
    }
}

/* Formats with texels of this size. */
static void for_each_format(unsigned bytes,
                            void (*run)(const RefFormat *f, unsigned bytes))
{
    unsigned count = 0;

    for (unsigned i = 0; i < ref_format_count; i++) {
        const RefFormat *f = &ref_formats[i];

        if (*f->channels && ref_texel_bytes(f) == bytes &&
            f->type != REF_SRGB) {
            run(f, bytes);
            count++;
        }
    }
    g_assert_cmpuint(count, >, 0);
}

static void test_texels_of_8_bits_come_back(void)
{
    for_each_format(1, check_small);
}

static void test_texels_of_16_bits_come_back(void)
{
    for_each_format(2, check_small);
}

static void check_large(const RefFormat *f, unsigned bytes)
{
    Sweep s = { f->name, sweep_stride(4099), check, f };

    g_assert_true(sweep(&s));
}

static void test_texels_of_32_bits_come_back(void)
{
    for_each_format(4, check_large);
}

static uint32_t back_of(enum veu_format format, uint32_t texel)
{
    uint32_t back;

    there_and_back(veu_format_find(format), &texel, &back, 1);
    return back;
}

static void test_codes_that_do_not_come_back(void)
{
    g_assert_cmphex(back_of(VEU_FORMAT_R8_SNORM, 0x80) & 0xff, ==, 0x81);
    g_assert_cmphex(back_of(VEU_FORMAT_R16_SNORM, 0x8000) & 0xffff, ==, 0x8001);
    g_assert_cmphex(back_of(VEU_FORMAT_R16_FLOAT, 0x7c01) & 0xffff, ==, 0x7e01);
    g_assert_cmphex(back_of(VEU_FORMAT_R16_FLOAT, 0xfd55) & 0xffff, ==, 0xff55);
    g_assert_cmphex(back_of(VEU_FORMAT_R11G11B10_FLOAT, 0x7c1), ==, 0x7e1);
    g_assert_cmphex(back_of(VEU_FORMAT_R11G11B10_FLOAT, 0xf8400000), ==,
                    0xfc400000);
    /* 32 bits are never changed */
    g_assert_cmphex(back_of(VEU_FORMAT_R32_FLOAT, 0x7f800001), ==, 0x7f800001);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/codes/" #name, test_##name)
    RULE(texels_of_8_bits_come_back);
    RULE(texels_of_16_bits_come_back);
    RULE(texels_of_32_bits_come_back);
    RULE(codes_that_do_not_come_back);
#undef RULE
    return g_test_run();
}
