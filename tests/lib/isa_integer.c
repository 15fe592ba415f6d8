/*
 * veu tests: integer operations of the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rules: docs/spec.md, 17.5, and the loops of the vendor's pages.
 */
#include "tests/lib/isa_integer.h"

static unsigned bits_of(uint8_t type)
{
    return 8 * isa_type_bytes(type);
}

bool isa_is_signed(uint8_t type)
{
    return type == VEU_TYPE_B || type == VEU_TYPE_W || type == VEU_TYPE_D ||
           type == VEU_TYPE_Q || type == VEU_TYPE_V;
}

static IsaWide power(unsigned exponent)
{
    return (IsaWide)1 << exponent;
}

static IsaWide greatest(uint8_t type)
{
    return power(bits_of(type) - isa_is_signed(type)) - 1;
}

static IsaWide least(uint8_t type)
{
    return isa_is_signed(type) ? -power(bits_of(type) - 1) : 0;
}

IsaWide isa_clamp(uint8_t type, IsaWide number)
{
    if (number > greatest(type)) {
        return greatest(type);
    }
    return number < least(type) ? least(type) : number;
}

IsaWide isa_extend(uint8_t type, uint64_t raw)
{
    IsaWide number = raw & (uint64_t)(power(bits_of(type)) - 1);

    return isa_is_signed(type) && number > greatest(type) ?
               number - power(bits_of(type)) :
               number;
}

static IsaWide src(const IsaElement *e, unsigned n)
{
    return e->src[n].number;
}

/* Returns the low 32 bits of a source, as an unsigned number. */
static uint32_t dword(const IsaElement *e, unsigned n)
{
    return (uint32_t)src(e, n);
}

IsaWide isa_add(const IsaElement *e, IsaWide *second)
{
    return src(e, 0) + src(e, 1);
}

IsaWide isa_add3(const IsaElement *e, IsaWide *second)
{
    return src(e, 0) + src(e, 1) + src(e, 2);
}

static IsaWide floor_half(IsaWide n)
{
    return n % 2 < 0 ? n / 2 - 1 : n / 2;
}

IsaWide isa_avg(const IsaElement *e, IsaWide *second)
{
    return floor_half(src(e, 0) + src(e, 1) + 1);
}

static uint8_t wider(const IsaElement *e)
{
    uint8_t a = e->src[0].type, b = e->src[1].type;

    return isa_type_bytes(b) > isa_type_bytes(a) ? b : a;
}

/* Returns all ones, or the extreme number with the dividend's sign. */
static IsaWide divided_by_zero(const IsaElement *e)
{
    uint8_t type = wider(e);

    if (!isa_is_signed(e->src[0].type)) {
        return power(bits_of(type)) - 1;
    }
    return src(e, 0) < 0 ? -power(bits_of(type) - 1) :
                           power(bits_of(type) - 1) - 1;
}

IsaWide isa_div(const IsaElement *e, IsaWide *second)
{
    return src(e, 1) ? src(e, 0) / src(e, 1) : divided_by_zero(e);
}

IsaWide isa_mod(const IsaElement *e, IsaWide *second)
{
    return src(e, 1) ? src(e, 0) % src(e, 1) : src(e, 0);
}

/* Computes modulo 2^128, of which the destination takes at most 64 bits. */
static IsaWide product(const IsaElement *e)
{
    return (IsaWide)((unsigned __int128)src(e, 0) *
                     (unsigned __int128)src(e, 1));
}

IsaWide isa_mul(const IsaElement *e, IsaWide *second)
{
    return product(e);
}

IsaWide isa_mad(const IsaElement *e, IsaWide *second)
{
    return (IsaWide)((unsigned __int128)product(e) +
                     (unsigned __int128)src(e, 2));
}

/* Bits 32 to 63 of a number. */
static IsaWide high_dword(IsaWide number)
{
    return (uint32_t)((unsigned __int128)number >> 32);
}

IsaWide isa_mulh(const IsaElement *e, IsaWide *second)
{
    return high_dword(product(e));
}

IsaWide isa_madw(const IsaElement *e, IsaWide *second)
{
    IsaWide sum = isa_mad(e, second);

    *second = high_dword(sum);
    return sum;
}

IsaWide isa_lzd(const IsaElement *e, IsaWide *second)
{
    int count = 0;

    for (int bit = 31; bit >= 0 && !(dword(e, 0) >> bit & 1); bit--) {
        count++;
    }
    return count;
}

IsaWide isa_cbit(const IsaElement *e, IsaWide *second)
{
    int count = 0;

    for (unsigned bit = 0; bit < 32; bit++) {
        count += dword(e, 0) >> bit & 1;
    }
    return count;
}

IsaWide isa_fbl(const IsaElement *e, IsaWide *second)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        if (dword(e, 0) >> bit & 1) {
            return bit;
        }
    }
    return UINT32_MAX;
}

/* For signed types, finds the first bit that differs from the sign. */
IsaWide isa_fbh(const IsaElement *e, IsaWide *second)
{
    unsigned sign = isa_is_signed(e->src[0].type) ? dword(e, 0) >> 31 : 0;

    for (unsigned count = 0; count < 32; count++) {
        if ((dword(e, 0) >> (31 - count) & 1) != sign) {
            return count;
        }
    }
    return UINT32_MAX;
}

IsaWide isa_and(const IsaElement *e, IsaWide *second)
{
    return src(e, 0) & src(e, 1);
}

IsaWide isa_or(const IsaElement *e, IsaWide *second)
{
    return src(e, 0) | src(e, 1);
}

IsaWide isa_xor(const IsaElement *e, IsaWide *second)
{
    return src(e, 0) ^ src(e, 1);
}

IsaWide isa_not(const IsaElement *e, IsaWide *second)
{
    return -1 - src(e, 0);
}

static unsigned shift_count(const IsaElement *e)
{
    bool wide = isa_type_bytes(e->type) == 8 ||
                isa_type_bytes(e->src[0].type) == 8;

    return (uint64_t)src(e, 1) & (wide ? 63 : 31);
}

static IsaWide difference(IsaWide a, IsaWide b)
{
    return a < b ? b - a : a - b;
}

/* Applies to an even element; src2 is 0 if there is none. */
IsaWide isa_sad2(const IsaElement *e, IsaWide *second)
{
    return e->odd ? 0 :
                    difference(src(e, 0), src(e, 1)) +
                        difference(e->next[0], e->next[1]) + src(e, 2);
}

IsaWide isa_shl(const IsaElement *e, IsaWide *second)
{
    return (IsaWide)((unsigned __int128)src(e, 0) << shift_count(e));
}

/* The bits of src0 at its width, as an unsigned number. */
static IsaWide unsigned_src0(const IsaElement *e)
{
    return src(e, 0) & (power(bits_of(e->src[0].type)) - 1);
}

/* Returns the floor of a division by a power of 2. */
static IsaWide shift_right(IsaWide n, unsigned count)
{
    while (count--) {
        n = floor_half(n);
    }
    return n;
}

IsaWide isa_shr(const IsaElement *e, IsaWide *second)
{
    return shift_right(unsigned_src0(e), shift_count(e));
}

IsaWide isa_asr(const IsaElement *e, IsaWide *second)
{
    unsigned bits = bits_of(e->src[0].type);
    IsaWide n = unsigned_src0(e);

    return shift_right(n < power(bits - 1) ? n : n - power(bits),
                       shift_count(e));
}

/* Rotates left; a rotation right is one left by the complement. */
static IsaWide rotate(const IsaElement *e, unsigned count)
{
    unsigned bits = bits_of(e->src[0].type);
    IsaWide n = unsigned_src0(e);

    for (count %= bits; count; count--) {
        n = 2 * n + n / power(bits - 1);
        n &= power(bits) - 1;
    }
    return isa_extend(e->src[0].type, n);
}

IsaWide isa_rol(const IsaElement *e, IsaWide *second)
{
    return rotate(e, (uint64_t)src(e, 1) % bits_of(e->src[0].type));
}

IsaWide isa_ror(const IsaElement *e, IsaWide *second)
{
    unsigned bits = bits_of(e->src[0].type);

    return rotate(e, bits - (uint64_t)src(e, 1) % bits);
}

IsaWide isa_bfe(const IsaElement *e, IsaWide *second)
{
    unsigned width = src(e, 0) & 31, offset = src(e, 1) & 31;
    bool fill = isa_is_signed(e->type) && dword(e, 2) >> 31;
    IsaWide n = 0;

    for (unsigned bit = 0; bit < width; bit++) {
        bool one = offset + bit < 32 ? dword(e, 2) >> (offset + bit) & 1 : fill;

        n += one ? power(bit) : 0;
    }
    if (isa_is_signed(e->type) && width && n >= power(width - 1)) {
        n -= power(width);
    }
    return n;
}

IsaWide isa_bfi(const IsaElement *e, IsaWide *second)
{
    unsigned width = src(e, 0) & 31, offset = src(e, 1) & 31;
    uint32_t n = dword(e, 3);

    for (unsigned bit = 0; bit < width && offset + bit < 32; bit++) {
        n &= ~(UINT32_C(1) << (offset + bit));
        n |= (dword(e, 2) >> bit & 1) << (offset + bit);
    }
    return n;
}

IsaWide isa_bfrev(const IsaElement *e, IsaWide *second)
{
    uint32_t n = 0;

    for (unsigned bit = 0; bit < 32; bit++) {
        n |= (dword(e, 0) >> bit & 1) << (31 - bit);
    }
    return n;
}

IsaWide isa_addc(const IsaElement *e, IsaWide *second)
{
    IsaWide sum = (IsaWide)dword(e, 0) + dword(e, 1);

    *second = sum > UINT32_MAX;
    return sum;
}

IsaWide isa_subb(const IsaElement *e, IsaWide *second)
{
    *second = dword(e, 0) < dword(e, 1);
    return (IsaWide)dword(e, 0) - dword(e, 1);
}

static IsaWide byte_of(const IsaElement *e, unsigned n, unsigned byte)
{
    int value = dword(e, n) >> 8 * byte & 255;

    return isa_is_signed(e->src[n].type) && value > 127 ? value - 256 : value;
}

IsaWide isa_dp4a(const IsaElement *e, IsaWide *second)
{
    IsaWide sum = src(e, 0);

    for (unsigned byte = 0; byte < 4; byte++) {
        sum += byte_of(e, 1, byte) * byte_of(e, 2, byte);
    }
    return sum;
}

IsaWide isa_bfn(const IsaElement *e, IsaWide *second)
{
    uint64_t n = 0;

    for (unsigned bit = 0; bit < 64; bit++) {
        unsigned index = (src(e, 0) >> bit & 1) + 2 * (src(e, 1) >> bit & 1) +
                         4 * (src(e, 2) >> bit & 1);

        n |= (uint64_t)(e->instruction->number >> index & 1) << bit;
    }
    return n;
}

IsaWide isa_minmax(const IsaElement *e, IsaWide *second)
{
    bool max = e->instruction->number;
    bool first = max ? src(e, 0) >= src(e, 1) : src(e, 0) < src(e, 1);

    return src(e, first ? 0 : 1);
}

IsaWide isa_copy(const IsaElement *e, IsaWide *second)
{
    return src(e, 0);
}
