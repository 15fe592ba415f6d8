/*
 * veu tests: a second implementation: formats and conversions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <math.h>
#include <string.h>
#include "tests/lib/ref.h"

const RefFormat ref_formats[] = {
    { 0x000, "R32G32B32A32_FLOAT", "RGBA", 32, REF_FLOAT },
    { 0x084, "R16G16B16A16_FLOAT", "RGBA", 16, REF_FLOAT },
    { 0x0c7, "R8G8B8A8_UNORM", "RGBA", 8, REF_UNORM },
    { 0x0c9, "R8G8B8A8_SNORM", "RGBA", 8, REF_SNORM },
    { 0x0ca, "R8G8B8A8_SINT", "RGBA", 8, REF_SINT },
    { 0x0cb, "R8G8B8A8_UINT", "RGBA", 8, REF_UINT },
    { 0x0d6, "R32_SINT", "R", 32, REF_SINT },
    { 0x0d7, "R32_UINT", "R", 32, REF_UINT },
    { 0x0d8, "R32_FLOAT", "R", 32, REF_FLOAT },
    { 0x1ff, "RAW", "", 8, REF_UINT },
};
const unsigned ref_format_count = G_N_ELEMENTS(ref_formats);

const RefFormat *ref_format(uint16_t code)
{
    for (unsigned i = 0; i < ref_format_count; i++) {
        if (ref_formats[i].code == code) {
            return &ref_formats[i];
        }
    }
    return NULL;
}

unsigned ref_texel_bytes(const RefFormat *f)
{
    return *f->channels ? strlen(f->channels) * f->bits / 8 : 1;
}

/* To the nearest integer; a value in the middle to the even one. */
static double nearest_even(double x)
{
    double below = floor(x);

    if (x - below != 0.5) {
        return floor(x + 0.5);
    }
    return fmod(below, 2) == 0 ? below : below + 1;
}

static float as_float(uint32_t lane)
{
    float f;

    memcpy(&f, &lane, sizeof(f));
    return f;
}

static uint32_t convert_norm(double min, double max_code, uint32_t lane)
{
    double x = as_float(lane);

    if (isnan(x)) {
        return 0;
    }
    x = x < min ? min : x > 1 ? 1 : x;
    /* The product of two floats is exact in double; rounded once to float. */
    x = (float)(x * max_code);
    return (uint32_t)(int32_t)nearest_even(x);
}

/* 5 bits of exponent, 10 of mantissa: multiples of 2^(exponent - 10). */
static uint32_t convert_half(uint32_t lane)
{
    uint32_t sign = lane >> 31 << 15;
    double x = fabs((double)as_float(lane));
    double n;
    int exponent;

    if (isnan(x)) {
        return sign | 0x7e00 | (lane >> 13 & 0x3ff);
    }
    if (x >= 65520) { /* half-way between 65504 and what would be 65536 */
        return sign | 0x7c00;
    }
    if (x < 0x1p-14) { /* denormals: multiples of 2^-24; 1024 is 2^-14 */
        return sign | (uint32_t)nearest_even(x * 0x1p24);
    }
    exponent = ilogb(x);
    n = nearest_even(ldexp(x, 10 - exponent)); /* 1024 to 2048 */
    return sign | (((exponent + 15) << 10) + (uint32_t)n - 1024);
}

static uint32_t convert_sint(unsigned bits, uint32_t lane)
{
    int64_t max = (INT64_C(1) << (bits - 1)) - 1;
    int64_t x = (int32_t)lane;

    return (uint32_t)(x > max ? max : x < -max - 1 ? -max - 1 : x);
}

static uint32_t convert_uint(unsigned bits, uint32_t lane)
{
    uint64_t max = (UINT64_C(1) << bits) - 1;

    return lane > max ? max : lane;
}

uint32_t ref_convert(RefType type, unsigned bits, uint32_t lane)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint32_t code = lane;

    switch (type) {
    case REF_FLOAT:
        code = bits == 32 ? lane : convert_half(lane);
        break;
    case REF_UNORM:
        code = convert_norm(0, (1 << bits) - 1, lane);
        break;
    case REF_SNORM:
        code = convert_norm(-1, (1 << (bits - 1)) - 1, lane);
        break;
    case REF_SINT:
        code = convert_sint(bits, lane);
        break;
    case REF_UINT:
        code = convert_uint(bits, lane);
        break;
    }
    return code & mask;
}
