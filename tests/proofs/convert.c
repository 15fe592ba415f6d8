/*
 * veu proofs: conversions of small formats.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * semantics.md, section 5. CBMC knows floats bit by bit.
 */
#include "hw/veu/eu/surface/format_pack.h"
#include "hw/veu/eu/surface/format_unpack.h"
#include "tests/proofs/proof.h"

/*
 * The maximum bits of a channel of UNORM and SNORM: the solver takes too long
 * for more.
 */
#define MAX_NORM_BITS 8

static unsigned any_bits(unsigned least, unsigned most)
{
    unsigned bits = nondet_u8();

    ASSUME(bits >= least && bits <= most);
    return bits;
}

static uint32_t any_code(unsigned bits)
{
    uint32_t code = nondet_u32();

    ASSUME(code <= UINT32_MAX >> (32 - bits));
    return code;
}

void unorm_codes_come_back(void)
{
    unsigned bits = any_bits(1, MAX_NORM_BITS);
    uint32_t code = any_code(bits);

    REACHED(bits == 8 && code == 255);
    PROVE((pack_unorm(bits, unpack_unorm(bits, code)) &
           UINT32_MAX >> (32 - bits)) == code,
          "a UNORM that is read and written is the same code");
}

/* Codes are masked to the @bits of a channel. */
void snorm_codes_come_back(void)
{
    unsigned bits = any_bits(2, MAX_NORM_BITS);
    uint32_t code = any_code(bits);
    uint32_t mask = UINT32_MAX >> (32 - bits);
    uint32_t least = 1u << (bits - 1);

    REACHED(bits == 8 && code == least);
    PROVE((pack_snorm(bits, unpack_snorm(bits, code)) & mask) ==
              (code == least ? least + 1 : code),
          "a SNORM that is read and written is the same code, but the lowest");
}

void half_codes_come_back(void)
{
    uint32_t code = any_code(16);
    bool is_nan = (code & 0x7fff) > 0x7c00;

    REACHED(is_nan);
    REACHED(code == 0x8001);
    PROVE(pack_half(16, unpack_half(16, code)) ==
              (is_nan ? code | 0x200 : code),
          "a half that is read and written is the same, a NaN is quiet");
}

void ufloat_codes_come_back(void)
{
    unsigned bits = any_bits(10, 11);
    uint32_t code = any_code(bits);
    uint32_t infinity = 31u << (bits - 5);
    uint32_t quiet = code > infinity ? 1u << (bits - 6) : 0;

    REACHED(code > infinity);
    REACHED(bits == 10 && code == 1);
    PROVE(pack_ufloat(bits, unpack_ufloat(bits, code)) == (code | quiet),
          "an unsigned float that is read and written is the same");
}

void integer_codes_come_back(void)
{
    unsigned bits = any_bits(1, 32);
    uint32_t code = any_code(bits);
    uint32_t mask = UINT32_MAX >> (32 - bits);

    REACHED(bits == 10 && code == 1023);
    PROVE(pack_uint(bits, unpack_uint(bits, code)) == code,
          "a UINT that is read and written is the same");
    PROVE((pack_sint(bits, unpack_sint(bits, code)) & mask) == code,
          "a SINT that is read and written is the same");
}

/* Values are clamped to the range of a number of @bits, signed or unsigned. */
void integers_are_clamped(void)
{
    unsigned bits = any_bits(1, 31);
    uint32_t lane = nondet_u32();
    int64_t value = (int32_t)lane;
    int64_t limit = INT64_C(1) << (bits - 1);
    int64_t stored = (int32_t)pack_sint(bits, lane);

    REACHED(value < -limit);
    REACHED(value == limit);
    PROVE(stored >= -limit && stored < limit, "a SINT has its bits");
    PROVE(stored == value || (value > stored && stored == limit - 1) ||
              (value < stored && stored == -limit),
          "a SINT that does not fit is the nearest one");
    PROVE(pack_uint(bits, lane) == (lane >> bits ? (1u << bits) - 1 : lane),
          "a UINT that does not fit is the largest one");
}

/*
 * With F binary32 and max 2^bits - 1 or less, F * max in binary32, as the rule
 * demands, is between integers k and k + 1: the nearer one, or the even one.
 */
void unorm_is_the_nearest_code(void)
{
    unsigned bits = any_bits(1, MAX_NORM_BITS);
    uint32_t lane = nondet_u32();
    float value = veu_bits_float(lane);
    float product = value * (float)((1 << bits) - 1);
    int32_t code = pack_unorm(bits, lane) & UINT32_MAX >> (32 - bits);
    float off = product - (float)code;

    REACHED(value > 0.25f && off == 0.5f && bits == 8);
    if (!(value > 0)) {
        PROVE(code == 0, "NaN, and what is not above 0, is 0");
    } else if (value >= 1) {
        PROVE(code == (1 << bits) - 1, "what is not below 1 is the largest");
    } else {
        PROVE(off >= -0.5f && off <= 0.5f, "a UNORM is the nearest code");
        PROVE((off != 0.5f && off != -0.5f) || code % 2 == 0,
              "between two codes it is the even one");
    }
}

/* Likewise for SNORM, where max is 2^(bits - 1) - 1, and signs are mirrored. */
void snorm_is_the_nearest_code(void)
{
    unsigned bits = any_bits(2, MAX_NORM_BITS);
    uint32_t lane = nondet_u32();
    int32_t max = (1 << (bits - 1)) - 1;
    float value = veu_bits_float(lane);
    float product = value * (float)max;
    uint32_t mask = UINT32_MAX >> (32 - bits);
    uint32_t stored = pack_snorm(bits, lane) & mask;
    int32_t code = (int32_t)(stored << (32 - bits)) >> (32 - bits);
    float off = product - (float)code;

    REACHED(value < -0.25f && off == -0.5f && bits == 8);
    PROVE(code >= -max, "the lowest code is never written");
    if (value != value) {
        PROVE(code == 0, "NaN is 0");
    } else if (value >= 1 || value <= -1) {
        PROVE(code == (value > 0 ? max : -max), "what is beyond is clamped");
    } else {
        PROVE(off >= -0.5f && off <= 0.5f, "a SNORM is the nearest code");
        PROVE((off != 0.5f && off != -0.5f) || code % 2 == 0,
              "between two codes it is the even one");
    }
}

/* CBMC's own conversion follows IEEE 754. */
void half_is_the_nearest_code(void)
{
    uint32_t lane = nondet_u32();
    float value = veu_bits_float(lane);
    _Float16 nearest = (_Float16)value;
    _Float16 stored;
    uint16_t code = pack_half(16, lane);

    memcpy(&stored, &code, sizeof(code));
    REACHED(value > 65520 && value < INFINITY_BITS);
    REACHED((code & 0x7fff) == 0x3ff);
    PROVE(value == value ? stored == nearest : stored != stored,
          "a half is the nearest one, and NaN where there was one");
    PROVE((code >> 15) == (lane >> 31), "it keeps the sign");
}
