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
    { 0x000,
      "R32G32B32A32_FLOAT",
      "RGBA",
      { 32, 32, 32, 32 },
      REF_FLOAT,
      REF_FLOAT,
      false },
    { 0x001,
      "R32G32B32A32_SINT",
      "RGBA",
      { 32, 32, 32, 32 },
      REF_SINT,
      REF_SINT,
      false },
    { 0x002,
      "R32G32B32A32_UINT",
      "RGBA",
      { 32, 32, 32, 32 },
      REF_UINT,
      REF_UINT,
      false },
    { 0x080,
      "R16G16B16A16_UNORM",
      "RGBA",
      { 16, 16, 16, 16 },
      REF_UNORM,
      REF_UNORM,
      false },
    { 0x081,
      "R16G16B16A16_SNORM",
      "RGBA",
      { 16, 16, 16, 16 },
      REF_SNORM,
      REF_SNORM,
      false },
    { 0x082,
      "R16G16B16A16_SINT",
      "RGBA",
      { 16, 16, 16, 16 },
      REF_SINT,
      REF_SINT,
      false },
    { 0x083,
      "R16G16B16A16_UINT",
      "RGBA",
      { 16, 16, 16, 16 },
      REF_UINT,
      REF_UINT,
      false },
    { 0x084,
      "R16G16B16A16_FLOAT",
      "RGBA",
      { 16, 16, 16, 16 },
      REF_FLOAT,
      REF_FLOAT,
      false },
    { 0x085, "R32G32_FLOAT", "RG", { 32, 32 }, REF_FLOAT, REF_FLOAT, false },
    { 0x086, "R32G32_SINT", "RG", { 32, 32 }, REF_SINT, REF_SINT, false },
    { 0x087, "R32G32_UINT", "RG", { 32, 32 }, REF_UINT, REF_UINT, false },
    { 0x0c0,
      "B8G8R8A8_UNORM",
      "BGRA",
      { 8, 8, 8, 8 },
      REF_UNORM,
      REF_UNORM,
      false },
    { 0x0c1,
      "B8G8R8A8_UNORM_SRGB",
      "BGRA",
      { 8, 8, 8, 8 },
      REF_SRGB,
      REF_UNORM,
      false },
    { 0x0c2,
      "R10G10B10A2_UNORM",
      "RGBA",
      { 10, 10, 10, 2 },
      REF_UNORM,
      REF_UNORM,
      false },
    { 0x0c4,
      "R10G10B10A2_UINT",
      "RGBA",
      { 10, 10, 10, 2 },
      REF_UINT,
      REF_UINT,
      false },
    { 0x0c7,
      "R8G8B8A8_UNORM",
      "RGBA",
      { 8, 8, 8, 8 },
      REF_UNORM,
      REF_UNORM,
      false },
    { 0x0c8,
      "R8G8B8A8_UNORM_SRGB",
      "RGBA",
      { 8, 8, 8, 8 },
      REF_SRGB,
      REF_UNORM,
      false },
    { 0x0c9,
      "R8G8B8A8_SNORM",
      "RGBA",
      { 8, 8, 8, 8 },
      REF_SNORM,
      REF_SNORM,
      false },
    { 0x0ca,
      "R8G8B8A8_SINT",
      "RGBA",
      { 8, 8, 8, 8 },
      REF_SINT,
      REF_SINT,
      false },
    { 0x0cb,
      "R8G8B8A8_UINT",
      "RGBA",
      { 8, 8, 8, 8 },
      REF_UINT,
      REF_UINT,
      false },
    { 0x0cc, "R16G16_UNORM", "RG", { 16, 16 }, REF_UNORM, REF_UNORM, false },
    { 0x0cd, "R16G16_SNORM", "RG", { 16, 16 }, REF_SNORM, REF_SNORM, false },
    { 0x0ce, "R16G16_SINT", "RG", { 16, 16 }, REF_SINT, REF_SINT, false },
    { 0x0cf, "R16G16_UINT", "RG", { 16, 16 }, REF_UINT, REF_UINT, false },
    { 0x0d0, "R16G16_FLOAT", "RG", { 16, 16 }, REF_FLOAT, REF_FLOAT, false },
    { 0x0d1,
      "B10G10R10A2_UNORM",
      "BGRA",
      { 10, 10, 10, 2 },
      REF_UNORM,
      REF_UNORM,
      false },
    { 0x0d3,
      "R11G11B10_FLOAT",
      "RGB",
      { 11, 11, 10 },
      REF_UFLOAT,
      REF_UFLOAT,
      false },
    { 0x0d5,
      "R10G10B10_FLOAT_A2_UNORM",
      "RGBA",
      { 10, 10, 10, 2 },
      REF_UFLOAT,
      REF_UNORM,
      false },
    { 0x0d6, "R32_SINT", "R", { 32 }, REF_SINT, REF_SINT, true },
    { 0x0d7, "R32_UINT", "R", { 32 }, REF_UINT, REF_UINT, true },
    { 0x0d8, "R32_FLOAT", "R", { 32 }, REF_FLOAT, REF_FLOAT, true },
    { 0x100, "B5G6R5_UNORM", "BGR", { 5, 6, 5 }, REF_UNORM, REF_UNORM, false },
    { 0x102,
      "B5G5R5A1_UNORM",
      "BGRA",
      { 5, 5, 5, 1 },
      REF_UNORM,
      REF_UNORM,
      false },
    { 0x104,
      "B4G4R4A4_UNORM",
      "BGRA",
      { 4, 4, 4, 4 },
      REF_UNORM,
      REF_UNORM,
      false },
    { 0x106, "R8G8_UNORM", "RG", { 8, 8 }, REF_UNORM, REF_UNORM, false },
    { 0x107, "R8G8_SNORM", "RG", { 8, 8 }, REF_SNORM, REF_SNORM, false },
    { 0x108, "R8G8_SINT", "RG", { 8, 8 }, REF_SINT, REF_SINT, false },
    { 0x109, "R8G8_UINT", "RG", { 8, 8 }, REF_UINT, REF_UINT, false },
    { 0x10a, "R16_UNORM", "R", { 16 }, REF_UNORM, REF_UNORM, false },
    { 0x10b, "R16_SNORM", "R", { 16 }, REF_SNORM, REF_SNORM, false },
    { 0x10c, "R16_SINT", "R", { 16 }, REF_SINT, REF_SINT, true },
    { 0x10d, "R16_UINT", "R", { 16 }, REF_UINT, REF_UINT, true },
    { 0x10e, "R16_FLOAT", "R", { 16 }, REF_FLOAT, REF_FLOAT, true },
    { 0x11a,
      "B5G5R5X1_UNORM",
      "BGRX",
      { 5, 5, 5, 1 },
      REF_UNORM,
      REF_UNORM,
      false },
    { 0x140, "R8_UNORM", "R", { 8 }, REF_UNORM, REF_UNORM, false },
    { 0x141, "R8_SNORM", "R", { 8 }, REF_SNORM, REF_SNORM, false },
    { 0x142, "R8_SINT", "R", { 8 }, REF_SINT, REF_SINT, false },
    { 0x143, "R8_UINT", "R", { 8 }, REF_UINT, REF_UINT, false },
    { 0x144, "A8_UNORM", "A", { 8 }, REF_UNORM, REF_UNORM, false },
    { 0x1ff, "RAW", "", { 8 }, REF_UINT, REF_UINT, false },
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
    return (f->bits[0] + f->bits[1] + f->bits[2] + f->bits[3]) / 8;
}

bool ref_channel(const RefFormat *f, char name, RefChannel *channel)
{
    channel->bit = 0;
    for (unsigned i = 0; f->channels[i]; i++) {
        if (f->channels[i] == name) {
            channel->bits = f->bits[i];
            channel->type = name == 'A' ? f->alpha_type : f->type;
            return true;
        }
        channel->bit += f->bits[i];
    }
    return false;
}

/* Rounds to the nearest integer; a tie goes to the even one. */
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
    /*
     * the product of two floats is exact in double, and is rounded once to
     * float
     */
    x = (float)(x * max_code);
    return (uint32_t)(int32_t)nearest_even(x);
}

/*
 * Converts to 5 bits of exponent and @digits of fraction: multiples of
 * 2^(exponent - digits). A NaN becomes quiet and keeps the upper bits of the
 * payload.
 */
static uint32_t convert_small(unsigned digits, uint32_t lane)
{
    double x = fabs((double)as_float(lane));
    uint32_t infinity = 31u << digits;
    double n;
    int exponent;

    if (isnan(x)) {
        uint32_t payload = (lane & 0x7fffff) >> (23 - digits);

        return infinity | 1u << (digits - 1) | payload;
    }
    if (x < 0x1p-14) { /* denormals: 2^digits of them make 2^-14 */
        return nearest_even(ldexp(x, 14 + digits));
    }
    /* half-way between the largest number and 65536 */
    if (x >= 65536 - ldexp(1, 14 - digits)) {
        return infinity;
    }
    exponent = ilogb(x);
    n = nearest_even(ldexp(x, digits - exponent)); /* 1 to 2 times 2^digits */
    return ((exponent + 14) << digits) + (uint32_t)n;
}

static uint32_t convert_float(unsigned bits, uint32_t lane)
{
    return bits == 32 ? lane : (lane >> 31 << 15) | convert_small(10, lane);
}

static uint32_t convert_ufloat(unsigned bits, uint32_t lane)
{
    bool negative = as_float(lane) <= 0; /* false for a NaN */

    return negative ? 0 : convert_small(bits - 5, lane);
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
        code = convert_float(bits, lane);
        break;
    case REF_UFLOAT:
        code = convert_ufloat(bits, lane);
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
    case REF_SRGB: /* no message writes it */
    case REF_UINT:
        code = convert_uint(bits, lane);
        break;
    }
    return code & mask;
}

static uint32_t as_bits(double x)
{
    float f = x; /* rounded once, to nearest even */
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

/*
 * Returns the float nearest to k / max. The quotient is rounded to double
 * first. That does not cause double rounding: max is below 2^16, so that a
 * quotient which is not half-way between two floats is farther from there than
 * a double's rounding moves it, and none is half-way, because max is odd.
 */
static uint32_t back_norm(int64_t k, int64_t max)
{
    return as_bits((double)(k < -max ? -max : k) / (double)max);
}

/* The formula of sRGB's specification. long double has 40 bits to spare. */
static uint32_t back_srgb(uint32_t code)
{
    long double c = code / 255.0L;
    float linear = c <= 0.04045L ? c / 12.92L :
                                   powl((c + 0.055L) / 1.055L, 2.4L);
    uint32_t bits;

    memcpy(&bits, &linear, sizeof(bits));
    return bits;
}

static uint32_t back_small(unsigned digits, uint32_t code)
{
    int exponent = code >> digits;
    uint32_t fraction = code % (1u << digits);

    if (exponent == 31 && fraction) {
        return 0x7fc00000 | fraction << (23 - digits);
    }
    if (exponent == 31) {
        return as_bits(INFINITY);
    }
    return as_bits(exponent ?
                       ldexp(1 + ldexp(fraction, -(int)digits), exponent - 15) :
                       ldexp(fraction, -14 - (int)digits));
}

static int64_t with_sign(unsigned bits, uint32_t code)
{
    return code >> (bits - 1) ? (int64_t)code - (INT64_C(1) << bits) : code;
}

uint32_t ref_convert_back(RefType type, unsigned bits, uint32_t code)
{
    switch (type) {
    case REF_UFLOAT:
        return back_small(bits - 5, code);
    case REF_SRGB:
        return back_srgb(code);
    case REF_UNORM:
        return back_norm(code, (INT64_C(1) << bits) - 1);
    case REF_SNORM:
        return back_norm(with_sign(bits, code), (INT64_C(1) << (bits - 1)) - 1);
    case REF_SINT:
        return with_sign(bits, code);
    case REF_FLOAT:
        if (bits == 16) {
            return (code >> 15 << 31) | back_small(10, code & 0x7fff);
        }
        return code;
    default:
        return code;
    }
}
