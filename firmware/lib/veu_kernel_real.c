/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: floating-point numbers as text.
 *
 * A number is mantissa * 2^exponent. Its exact decimal digits are computed by
 * doubling or halving those of the mantissa. They are then rounded once, with
 * ties to even.
 */
#include "veu_kernel_real.h"

#define MANTISSA_BITS 52
#define MANTISSA      ((1ull << MANTISSA_BITS) - 1)
#define BIAS          1023
#define SPECIAL       0x7ff

/*
 * The maximum number of digits of a double: those of the largest subnormal
 * number.
 */
#define MAX_DIGITS 800

/* 0.DDD * 10^point */
struct decimal {
    uint8_t digit[MAX_DIGITS];
    int count;
    int point;
};

struct text {
    char *at;
    bool upper;
};

static void put(struct text *t, char c)
{
    bool is_small = c >= 'a' && c <= 'z';

    *t->at++ = is_small && t->upper ? c - 'a' + 'A' : c;
}

static void put_word(struct text *t, const char *word)
{
    while (*word) {
        put(t, *word++);
    }
}

/* --- Digits -------------------------------------------------------------- */

static void insert_first(struct decimal *d, uint8_t digit)
{
    if (d->count < MAX_DIGITS) {
        d->count++;
    }
    for (int i = d->count - 1; i > 0; i--) {
        d->digit[i] = d->digit[i - 1];
    }
    d->digit[0] = digit;
    d->point++;
}

static void remove_first(struct decimal *d)
{
    d->count--;
    d->point--;
    for (int i = 0; i < d->count; i++) {
        d->digit[i] = d->digit[i + 1];
    }
}

static void double_digits(struct decimal *d)
{
    unsigned carry = 0;

    for (int i = d->count - 1; i >= 0; i--) {
        unsigned twice = d->digit[i] * 2u + carry;

        d->digit[i] = twice % 10;
        carry = twice / 10;
    }
    if (carry) {
        insert_first(d, carry);
    }
}

static void halve_digits(struct decimal *d)
{
    unsigned rest = 0;

    for (int i = 0; i < d->count; i++) {
        unsigned value = rest * 10 + d->digit[i];

        d->digit[i] = value / 2;
        rest = value % 2;
    }
    if (rest && d->count < MAX_DIGITS) {
        d->digit[d->count++] = 5;
    }
    if (d->count && !d->digit[0]) {
        remove_first(d);
    }
}

static void set_decimal(struct decimal *d, uint64_t mantissa, int exponent)
{
    d->count = d->point = 0;
    for (; mantissa; mantissa /= 10) {
        insert_first(d, mantissa % 10);
    }
    for (; d->count && exponent > 0; exponent--) {
        double_digits(d);
    }
    for (; d->count && exponent < 0; exponent++) {
        halve_digits(d);
    }
}

static int digit_at(const struct decimal *d, int i)
{
    return i >= 0 && i < d->count ? d->digit[i] : 0;
}

/* Returns true if rounding to the first @keep digits (0 or more) rounds up. */
static bool rounds_up(const struct decimal *d, int keep)
{
    bool more = keep + 1 < d->count;
    int next = digit_at(d, keep);

    for (int i = keep + 1; more && i < d->count && !d->digit[i]; i++) {
        more = i + 1 < d->count;
    }
    return next > 5 || (next == 5 && (more || digit_at(d, keep - 1) % 2));
}

static void round_digits(struct decimal *d, int keep)
{
    bool up = keep >= 0 && rounds_up(d, keep);

    if (keep < d->count) {
        d->count = keep > 0 ? keep : 0;
    }
    for (int i = d->count - 1; up && i >= 0; i--) {
        up = d->digit[i] == 9;
        d->digit[i] = up ? 0 : d->digit[i] + 1;
    }
    if (up) { /* all digits were 9, or there are none */
        insert_first(d, 1);
    }
}

static void strip_zeros(struct decimal *d)
{
    while (d->count && !d->digit[d->count - 1]) {
        d->count--;
    }
}

/* --- Styles -------------------------------------------------------------- */

static void put_fraction(struct text *t, const struct decimal *d, int first,
                         int places, bool point)
{
    if (places > 0 || point) {
        put(t, '.');
    }
    for (int i = 0; i < places; i++) {
        put(t, '0' + digit_at(d, first + i));
    }
}

static void put_fixed(struct text *t, const struct decimal *d, int places,
                      bool point)
{
    if (!d->count || d->point <= 0) {
        put(t, '0');
    }
    for (int i = 0; d->count && i < d->point; i++) {
        put(t, '0' + digit_at(d, i));
    }
    put_fraction(t, d, d->point, places, point);
}

static void put_exponent(struct text *t, char letter, int exponent, int digits)
{
    char reversed[8];
    int count = 0;

    put(t, letter);
    put(t, exponent < 0 ? '-' : '+');
    exponent = exponent < 0 ? -exponent : exponent;
    do {
        reversed[count++] = '0' + exponent % 10;
        exponent /= 10;
    } while (exponent || count < digits);
    while (count) {
        put(t, reversed[--count]);
    }
}

static void put_scientific(struct text *t, const struct decimal *d, int places,
                           bool point)
{
    put(t, '0' + digit_at(d, 0));
    put_fraction(t, d, 1, places, point);
    put_exponent(t, 'e', d->count ? d->point - 1 : 0, 2);
}

/* The shorter of both styles, without trailing zeros. */
static void put_general(struct text *t, struct decimal *d, int precision,
                        bool alternative)
{
    int digits = precision ? precision : 1;
    int exponent, places;

    round_digits(d, digits);
    exponent = d->count ? d->point - 1 : 0;
    if (exponent >= -4 && exponent < digits) {
        places = digits - 1 - exponent;
        if (!alternative) {
            strip_zeros(d);
            places = d->count > d->point ? d->count - d->point : 0;
        }
        put_fixed(t, d, places, alternative);
        return;
    }
    if (!alternative) {
        strip_zeros(d);
        digits = d->count;
    }
    put_scientific(t, d, digits - 1, alternative);
}

static void put_hexadecimal(struct text *t, uint64_t mantissa, int exponent,
                            int precision, bool point)
{
    unsigned places = precision < 0 ? 13 : precision;

    if (places < 13) {
        unsigned shift = (13 - places) * 4;
        uint64_t half = 1ull << (shift - 1);
        uint64_t rest = mantissa & (half * 2 - 1);

        mantissa >>= shift;
        mantissa += rest > half || (rest == half && (mantissa & 1));
        mantissa <<= shift;
    }
    while (precision < 0 && places && !(mantissa >> (13 - places) * 4 & 0xf)) {
        places--;
    }
    put_word(t, "0x");
    put(t, '0' + (mantissa >> MANTISSA_BITS));
    if (places || point) {
        put(t, '.');
    }
    for (unsigned i = 0; i < places; i++) {
        put(t,
            i < 13 ? "0123456789abcdef"[mantissa >> (12 - i) * 4 & 0xf] : '0');
    }
    put_exponent(t, 'p', exponent, 1);
}

/* --- Numbers ------------------------------------------------------------- */

static void put_decimal(struct text *t, uint64_t mantissa, int exponent,
                        char style, int precision, bool alternative)
{
    struct decimal d;

    precision = precision < 0 ? 6 : precision;
    set_decimal(&d, mantissa, exponent - MANTISSA_BITS);
    if (style == 'g') {
        put_general(t, &d, precision, alternative);
    } else if (style == 'e') {
        round_digits(&d, precision + 1);
        put_scientific(t, &d, precision, alternative);
    } else {
        round_digits(&d, d.point + precision);
        put_fixed(t, &d, precision, alternative);
    }
}

unsigned veu_real_text(char *to, uint64_t bits, char letter, int precision,
                       bool alternative)
{
    bool upper = letter >= 'A' && letter <= 'Z';
    char style = upper ? letter - 'A' + 'a' : letter;
    struct text t = { .at = to, .upper = upper };
    int field = bits >> MANTISSA_BITS & SPECIAL;
    uint64_t mantissa = bits & MANTISSA;
    int exponent = field ? field - BIAS : 1 - BIAS;

    if (precision > VEU_REAL_MAX_PRECISION) {
        precision = VEU_REAL_MAX_PRECISION;
    }
    if (field == SPECIAL) {
        put_word(&t, mantissa ? "nan" : "inf");
    } else {
        mantissa |= field ? MANTISSA + 1 : 0;
        if (style == 'a') {
            put_hexadecimal(&t, mantissa, mantissa ? exponent : 0, precision,
                            alternative);
        } else {
            put_decimal(&t, mantissa, exponent, style, precision, alternative);
        }
    }
    *t.at = 0;
    return t.at - to;
}

uint64_t veu_real_of_float(uint32_t single)
{
    uint64_t sign = (uint64_t)(single >> 31) << 63;
    uint64_t mantissa = (uint64_t)(single & 0x7fffff) << 29;
    int field = single >> 23 & 0xff;
    int exponent = field ? field - 127 : -126;

    if (field == 0xff) {
        exponent = SPECIAL - BIAS;
    } else if (!field && !mantissa) {
        exponent = -BIAS;
    } else if (!field) {
        for (; !(mantissa >> MANTISSA_BITS); exponent--) {
            mantissa <<= 1;
        }
    }
    return sign | (uint64_t)(exponent + BIAS) << MANTISSA_BITS |
           (mantissa & MANTISSA);
}
