/*
 * veu unit tests: what each atomic operation does: DWORD_ATOMIC's page, and
 * docs/spec.md, "Atomics".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <string.h>
#include "tests/lib/eu_fixture.h"

/* One lane of SVM_ATOMIC. */
typedef struct Result {
    uint64_t memory;
    uint64_t dst;
} Result;

static uint8_t width_bits(unsigned bytes)
{
    return bytes == 2 ? TEST_16_BIT : bytes == 8 ? TEST_64_BIT : 0;
}

static bool has_src0(uint8_t op)
{
    return op != TEST_INC && op != TEST_DEC && op != TEST_PREDEC;
}

static bool has_src1(uint8_t op)
{
    return op == TEST_CMPXCHG || op == TEST_FCMPWR;
}

static Result perform(EuFixture *eu, uint8_t op, unsigned bytes, uint64_t old,
                      uint64_t src0, uint64_t src1)
{
    TestMessage m = eu_message(TEST_SVM_ATOMIC);
    uint64_t mask = UINT64_MAX >> (64 - 8 * bytes);
    uint64_t memory;

    m.exec = TEST_LANES_1;
    m.op = op | width_bits(bytes);
    m.data.id = bytes == 8 ? EU_QW_DATA : EU_DATA;
    m.src0.id = !has_src0(op) ? 0 : bytes == 8 ? EU_QW_SRC0 : EU_SRC0;
    m.src1.id = !has_src1(op) ? 0 : bytes == 8 ? EU_QW_SRC1 : EU_SRC1;
    eu_set64(eu, EU_ADDRESSES_AT, 0, EU_RAM + 16);
    eu_set64(eu, EU_SRC0_AT, 0, src0);
    eu_set64(eu, EU_SRC1_AT, 0, src1);
    eu_set64(eu, EU_DATA_AT, 0, 0xeeeeeeeeeeeeeeee);
    test_memory_fill(&eu->memory, EU_RAM, 0xcc, 32);
    test_memory_put(&eu->memory, EU_RAM + 16, &old, bytes);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmpuint(eu->thread.moved_bytes, ==, bytes);
    /* nothing beside the word is touched */
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 8), ==,
                    0xcccccccccccccccc);
    memory = test_memory_get64(&eu->memory, EU_RAM + 16);
    g_assert_cmphex(memory & ~mask, ==, 0xcccccccccccccccc & ~mask);
    return (Result){ memory & mask, eu_get64(eu, EU_DATA_AT, 0) & mask };
}

/* @old becomes @expected, and is returned. */
static void check(EuFixture *eu, uint8_t op, unsigned bytes, uint64_t old,
                  uint64_t src0, uint64_t src1, uint64_t expected)
{
    uint64_t mask = UINT64_MAX >> (64 - 8 * bytes);
    Result result = perform(eu, op, bytes, old & mask, src0, src1);

    g_assert_cmphex(result.memory, ==, expected & mask);
    g_assert_cmphex(result.dst, ==, old & mask);
}

static const unsigned widths[] = { 2, 4, 8 };

#define FOR_EACH_WIDTH(bytes) \
    for (unsigned w_ = 0, bytes; w_ < 3 && (bytes = widths[w_], true); w_++)

static void test_add_sub_inc_and_dec_wrap(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_WIDTH(bytes)
    {
        check(eu, TEST_ADD, bytes, 5, 7, 0, 12);
        check(eu, TEST_ADD, bytes, UINT64_MAX, 2, 0, 1);
        check(eu, TEST_SUB, bytes, 5, 7, 0, UINT64_MAX - 1);
        check(eu, TEST_INC, bytes, 41, 9, 9, 42);
        check(eu, TEST_INC, bytes, UINT64_MAX, 0, 0, 0);
        check(eu, TEST_DEC, bytes, 42, 9, 9, 41);
        check(eu, TEST_DEC, bytes, 0, 0, 0, UINT64_MAX);
    }
}

static void test_predec_returns_the_new_value(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_WIDTH(bytes)
    {
        uint64_t mask = UINT64_MAX >> (64 - 8 * bytes);
        Result result = perform(eu, TEST_PREDEC, bytes, 42, 0, 0);

        g_assert_cmphex(result.memory, ==, 41);
        g_assert_cmphex(result.dst, ==, 41);
        result = perform(eu, TEST_PREDEC, bytes, 0, 0, 0);
        g_assert_cmphex(result.memory, ==, mask);
        g_assert_cmphex(result.dst, ==, mask);
    }
}

static void test_and_or_xor_xchg(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint64_t a = 0x0123456789abcdef;
    uint64_t b = 0x00ff00ff0ff00ff0;

    FOR_EACH_WIDTH(bytes)
    {
        check(eu, TEST_AND, bytes, a, b, 0, 0x0023006709a00de0);
        check(eu, TEST_OR, bytes, a, b, 0, 0x01ff45ff8ffbcfff);
        check(eu, TEST_XOR, bytes, a, b, 0, 0x01dc4598865bc21f);
        check(eu, TEST_XCHG, bytes, a, b, 0, b);
    }
}

/* min and max are unsigned, imin and imax signed. */
static void test_min_and_max(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_WIDTH(bytes)
    {
        uint64_t minus_1 = UINT64_MAX;
        uint64_t lowest = UINT64_C(1) << (8 * bytes - 1);

        check(eu, TEST_MIN, bytes, 5, 3, 0, 3);
        check(eu, TEST_MIN, bytes, 3, 5, 0, 3);
        check(eu, TEST_MIN, bytes, 3, minus_1, 0, 3);
        check(eu, TEST_MIN, bytes, minus_1, 3, 0, 3);
        check(eu, TEST_MAX, bytes, 5, 3, 0, 5);
        check(eu, TEST_MAX, bytes, 3, 5, 0, 5);
        check(eu, TEST_MAX, bytes, 3, minus_1, 0, minus_1);
        check(eu, TEST_MAX, bytes, minus_1, 3, 0, minus_1);
        check(eu, TEST_IMIN, bytes, 3, minus_1, 0, minus_1);
        check(eu, TEST_IMIN, bytes, minus_1, 3, 0, minus_1);
        check(eu, TEST_IMIN, bytes, lowest - 1, lowest, 0, lowest);
        check(eu, TEST_IMAX, bytes, 3, minus_1, 0, 3);
        check(eu, TEST_IMAX, bytes, minus_1, 3, 0, 3);
        check(eu, TEST_IMAX, bytes, lowest, lowest - 1, 0, lowest - 1);
    }
}

/* "16bit: only the lower 16bit part of each dword is used." */
static void test_upper_halves_of_16_bit_operands_are_not_looked_at(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    check(eu, TEST_ADD, 2, 5, 0xabcd0007, 0, 12);
    check(eu, TEST_MIN, 2, 5, 0xabcd0003, 0, 3);
    check(eu, TEST_MAX, 2, 5, 0xabcd0003, 0, 5);
    check(eu, TEST_IMIN, 2, 5, 0x0000ffff, 0, 0xffff);
    check(eu, TEST_IMAX, 2, 5, 0x1234ffff, 0, 5);
    check(eu, TEST_CMPXCHG, 2, 5, 0xabcd0007, 0xabcd0005, 7);
    check(eu, TEST_FMAX, 2, 0x3c00, 0xabcd4000, 0, 0x4000);
    check(eu, TEST_FCMPWR, 2, 0x3c00, 0xabcd3c00, 0xabcd1111, 0x1111);
}

/* CMPXCHG: new = (old == src1) ? src0 : old. */
static void test_cmpxchg_compares_with_src1_and_stores_src0(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_WIDTH(bytes)
    {
        check(eu, TEST_CMPXCHG, bytes, 5, 7, 5, 7);
        check(eu, TEST_CMPXCHG, bytes, 5, 7, 6, 5);
        check(eu, TEST_CMPXCHG, bytes, 5, 5, 7, 5);
    }
    /* bits, not floats: -0 is not +0, and a NaN is itself */
    check(eu, TEST_CMPXCHG, 4, 0x80000000, 7, 0, 0x80000000);
    check(eu, TEST_CMPXCHG, 4, 0x7fc00000, 7, 0x7fc00000, 7);
}

/* 1.0, 2.0, ... of each width. */
typedef struct Floats {
    unsigned bytes;
    uint64_t one, two, three, inf, max, least, quiet, signalling, sign;
} Floats;

static const Floats floats[] = {
    { 2, 0x3c00, 0x4000, 0x4200, 0x7c00, 0x7bff, 1, 0x7e55, 0x7c55, 0x8000 },
    { 4, 0x3f800000, 0x40000000, 0x40400000, 0x7f800000, 0x7f7fffff, 1,
      0x7fc12345, 0x7f812345, 0x80000000 },
    { 8, 0x3ff0000000000000, 0x4000000000000000, 0x4008000000000000,
      0x7ff0000000000000, 0x7fefffffffffffff, 1, 0x7ff8123456789abc,
      0x7ff0123456789abc, 0x8000000000000000 },
};

#define FOR_EACH_FLOAT(f) \
    for (const Floats *f = floats; f < floats + G_N_ELEMENTS(floats); f++)

static void test_fmax_and_fmin_compare_numbers(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_FLOAT(f)
    {
        unsigned b = f->bytes;

        check(eu, TEST_FMAX, b, f->one, f->two, 0, f->two);
        check(eu, TEST_FMAX, b, f->two, f->one, 0, f->two);
        check(eu, TEST_FMIN, b, f->one, f->two, 0, f->one);
        check(eu, TEST_FMIN, b, f->two, f->one, 0, f->one);
        /* negative ones, infinities, denormals */
        check(eu, TEST_FMAX, b, f->one | f->sign, f->two | f->sign, 0,
              f->one | f->sign);
        check(eu, TEST_FMIN, b, f->one, f->two | f->sign, 0, f->two | f->sign);
        check(eu, TEST_FMAX, b, f->max, f->inf, 0, f->inf);
        check(eu, TEST_FMIN, b, f->inf, f->inf | f->sign, 0, f->inf | f->sign);
        check(eu, TEST_FMAX, b, 0, f->least, 0, f->least);
        check(eu, TEST_FMIN, b, f->least, f->least | f->sign, 0,
              f->least | f->sign);
    }
}

/* The number wins; of two NaNs memory keeps its own, bit for bit. */
static void test_fmax_and_fmin_prefer_numbers_to_nans(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_FLOAT(f)
    {
        unsigned b = f->bytes;

        for (uint8_t op = TEST_FMAX; op <= TEST_FMIN; op++) {
            check(eu, op, b, f->quiet, f->one, 0, f->one);
            check(eu, op, b, f->one, f->quiet, 0, f->one);
            check(eu, op, b, f->signalling, f->one, 0, f->one);
            check(eu, op, b, f->one, f->signalling, 0, f->one);
            check(eu, op, b, f->quiet, f->signalling, 0, f->quiet);
            check(eu, op, b, f->signalling, f->quiet, 0, f->signalling);
            check(eu, op, b, f->quiet | f->sign, f->quiet, 0,
                  f->quiet | f->sign);
        }
    }
}

/* -0 equals +0: memory keeps its own. */
static void test_fmax_and_fmin_keep_the_zero_in_memory(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_FLOAT(f)
    {
        for (uint8_t op = TEST_FMAX; op <= TEST_FMIN; op++) {
            check(eu, op, f->bytes, 0, f->sign, 0, 0);
            check(eu, op, f->bytes, f->sign, 0, 0, f->sign);
        }
    }
}

/* FCMPWR: new = (src0 == old) ? src1 : old: as IEEE 754 compares. */
static void test_fcmpwr_compares_with_src0_and_stores_src1(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_FLOAT(f)
    {
        unsigned b = f->bytes;

        check(eu, TEST_FCMPWR, b, f->one, f->one, f->three, f->three);
        check(eu, TEST_FCMPWR, b, f->one, f->two, f->three, f->one);
        check(eu, TEST_FCMPWR, b, f->one, f->two, f->one, f->one);
        check(eu, TEST_FCMPWR, b, 0, f->sign, f->three, f->three);
        check(eu, TEST_FCMPWR, b, f->sign, 0, f->signalling, f->signalling);
        check(eu, TEST_FCMPWR, b, f->quiet, f->quiet, f->three, f->quiet);
        check(eu, TEST_FCMPWR, b, f->signalling, f->one, f->three,
              f->signalling);
    }
}

static void test_fadd_and_fsub(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_FLOAT(f)
    {
        unsigned b = f->bytes;

        check(eu, TEST_FADD, b, f->one, f->two, 0, f->three);
        check(eu, TEST_FSUB, b, f->three, f->two, 0, f->one);
        check(eu, TEST_FSUB, b, f->two, f->three, 0, f->one | f->sign);
        check(eu, TEST_FADD, b, f->max, f->max, 0, f->inf);
        check(eu, TEST_FADD, b, f->inf, f->max | f->sign, 0, f->inf);
        check(eu, TEST_FSUB, b, f->one, f->one, 0, 0);
        check(eu, TEST_FADD, b, f->sign, f->sign, 0, f->sign);
        check(eu, TEST_FSUB, b, f->sign, 0, 0, f->sign);
        /* denormals are kept */
        check(eu, TEST_FADD, b, f->least, f->least, 0, 2);
        check(eu, TEST_FSUB, b, f->least, 3, 0, 2 | f->sign);
    }
    /* ties to even: 1 + 2^-24, (1 + 2^-23) + 2^-24, and 2048 + 1 as halves */
    check(eu, TEST_FADD, 4, 0x3f800000, 0x33800000, 0, 0x3f800000);
    check(eu, TEST_FADD, 4, 0x3f800001, 0x33800000, 0, 0x3f800002);
    check(eu, TEST_FADD, 2, 0x6800, 0x3c00, 0, 0x6800);
    check(eu, TEST_FADD, 2, 0x6802, 0x3c00, 0, 0x6802);
    check(eu, TEST_FADD, 2, 0x6801, 0x3c00, 0, 0x6802);
}

/*
 * The NaN of memory, or else of src0, made quiet; infinity - infinity is the
 * positive NaN without a payload.
 */
static void test_nans_of_fadd_and_fsub(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_FLOAT(f)
    {
        unsigned b = f->bytes;
        uint64_t quiet_bit = UINT64_C(1) << (b == 2 ? 9 : b == 4 ? 22 : 51);

        for (uint8_t op = TEST_FADD; op <= TEST_FSUB; op++) {
            check(eu, op, b, f->quiet, f->one, 0, f->quiet);
            check(eu, op, b, f->one, f->quiet | f->sign, 0, f->quiet | f->sign);
            check(eu, op, b, f->signalling, f->one, 0,
                  f->signalling | quiet_bit);
            check(eu, op, b, f->one, f->signalling, 0,
                  f->signalling | quiet_bit);
            check(eu, op, b, f->signalling | f->sign, f->quiet, 0,
                  f->signalling | f->sign | quiet_bit);
        }
        check(eu, TEST_FSUB, b, f->inf, f->inf, 0, f->inf | quiet_bit);
        check(eu, TEST_FADD, b, f->inf | f->sign, f->inf, 0,
              f->inf | quiet_bit);
    }
}

/* A half in units of 2^-24: all finite ones are integers of at most 41 bits. */
static int64_t half_units(uint16_t half)
{
    unsigned exponent = half >> 10 & 0x1f;
    int64_t fraction = half & 0x3ff;
    int64_t units = exponent ? (fraction | 0x400) << (exponent - 1) : fraction;

    return half & 0x8000 ? -units : units;
}

/* The half nearest to @units; of two the even one; by looking for it. */
static uint16_t nearest_half(int64_t units)
{
    int64_t size = units < 0 ? -units : units;
    uint16_t low = 0;
    uint16_t high = 0x7c00; /* as if it went on: 65536 */

    while (high - low > 1) {
        uint16_t middle = (low + high) / 2;

        if (half_units(middle) <= size) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (size > half_units(low)) {
        int64_t twice = 2 * size - half_units(low) - half_units(high);

        low = twice > 0 || (twice == 0 && (low & 1)) ? high : low;
    }
    return low | (units < 0 ? 0x8000 : 0);
}

static void test_sums_of_halves_are_rounded_once(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    g_autoptr(GRand) rng = g_rand_new_with_seed(1);

    for (unsigned n = 0; n < 200000; n++) {
        uint16_t a = g_rand_int(rng);
        /* often close in size, so that the sum has to be rounded */
        uint16_t b = n & 1 ? g_rand_int(rng) : a + g_rand_int(rng) % 999;
        int64_t sum = half_units(a) + half_units(b);

        if ((a & 0x7c00) == 0x7c00 || (b & 0x7c00) == 0x7c00 || sum == 0) {
            continue;
        }
        check(eu, TEST_FADD, 2, a, b, 0, nearest_half(sum));
    }
}

/* Against the host's own addition of floats. */
static void test_sums_of_floats_are_rounded_once(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    g_autoptr(GRand) rng = g_rand_new_with_seed(2);

    for (unsigned n = 0; n < 200000; n++) {
        uint32_t a_bits = g_rand_int(rng);
        uint32_t b_bits = a_bits ^ (g_rand_int(rng) & 0x8fffffff);
        volatile float a;
        volatile float b;
        volatile float sum;
        uint32_t bits;

        memcpy((float *)&a, &a_bits, 4);
        memcpy((float *)&b, &b_bits, 4);
        sum = a + b;
        memcpy(&bits, (float *)&sum, 4);
        if (!isnan(sum)) {
            check(eu, TEST_FADD, 4, a_bits, b_bits, 0, bits);
        }
    }
}

static void test_null_sources_are_0(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SVM_ATOMIC);

    m.exec = TEST_LANES_1;
    m.op = TEST_CMPXCHG;
    m.src0.id = 0;
    m.src1.id = 0;
    eu_set64(eu, EU_ADDRESSES_AT, 0, EU_RAM);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM), ==, 0);
    m.op = TEST_AND;
    test_memory_put32(&eu->memory, EU_RAM, 0x1234);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM), ==, 0);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0x1234);
}

/* "It must be V0." */
static void test_sources_that_are_not_taken_are_null(void)
{
    static const uint8_t codes[] = { 0,  1,  2,  3,  4,  5,  6,    7,    8,   9,
                                     10, 11, 12, 13, 16, 17, 0x12, 0x13, 0x14 };
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < G_N_ELEMENTS(codes); i++) {
        TestMessage m = eu_message(TEST_SVM_ATOMIC);

        m.op = codes[i];
        m.src0.id = EU_SRC0;
        m.src1.id = 0;
        if (has_src0(m.op)) {
            eu_assert_legal(eu, &m);
        } else {
            eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, 12);
        }
        m.src0.id = 0;
        eu_assert_legal(eu, &m);
        m.src1.id = EU_SRC1;
        if (has_src1(m.op)) {
            eu_assert_legal(eu, &m);
        } else {
            eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, 18);
        }
    }
}

/* Bits 0 to 4 the operation, 5: 16 bits, 6: 64 bits, SVM only; not both. */
static void test_operations_and_widths(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    static const TestKind kinds[] = { TEST_DWORD_ATOMIC, TEST_TYPED_ATOMIC,
                                      TEST_SVM_ATOMIC };

    for (unsigned k = 0; k < G_N_ELEMENTS(kinds); k++) {
        for (unsigned op = 0; op < 256; op++) {
            TestMessage m = eu_message(kinds[k]);
            unsigned code = op & 0x1f;
            unsigned width = op & 0xe0;

            m.op = op;
            m.data.id = 0;
            m.src0.id = 0;
            if ((code <= 0x0d || (code >= 0x10 && code <= 0x14)) &&
                (width == 0 || width == 0x20 ||
                 (width == 0x40 && kinds[k] == TEST_SVM_ATOMIC))) {
                eu_assert_legal(eu, &m);
            } else {
                eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD,
                                  kinds[k] == TEST_SVM_ATOMIC ? 5 : 1);
            }
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/atomic-ops/" #name, test_##name)
    RULE(add_sub_inc_and_dec_wrap);
    RULE(predec_returns_the_new_value);
    RULE(and_or_xor_xchg);
    RULE(min_and_max);
    RULE(upper_halves_of_16_bit_operands_are_not_looked_at);
    RULE(cmpxchg_compares_with_src1_and_stores_src0);
    RULE(fmax_and_fmin_compare_numbers);
    RULE(fmax_and_fmin_prefer_numbers_to_nans);
    RULE(fmax_and_fmin_keep_the_zero_in_memory);
    RULE(fcmpwr_compares_with_src0_and_stores_src1);
    RULE(fadd_and_fsub);
    RULE(nans_of_fadd_and_fsub);
    RULE(sums_of_halves_are_rounded_once);
    RULE(sums_of_floats_are_rounded_once);
    RULE(null_sources_are_0);
    RULE(sources_that_are_not_taken_are_null);
    RULE(operations_and_widths);
#undef RULE
    return g_test_run();
}
