/*
 * veu unit tests: the stored value of every float: semantics.md, section 5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The expected values come from the rules, in double arithmetic, and for half
 * floats from the CPU. Without VEU_TEST_ALL the test covers every 4099th float,
 * and those next to powers of two.
 */
#include <glib.h>
#include <string.h>
#include "tests/lib/floats.h"
#include "tests/lib/ref.h"
#include "tests/lib/sweep.h"

typedef struct Case {
    const char *name;
    VeuChannel channel;
    void (*expected)(const struct Case *c, const uint32_t *lanes,
                     uint32_t *codes, unsigned count);
    double min; /* UNORM, SNORM */
    double max_code;
    RefType ref;
} Case;

static double as_double(uint32_t lane)
{
    float f;

    memcpy(&f, &lane, sizeof(f));
    return f;
}

/*
 * The value is clamped; the product is exact in double and rounded once, to
 * float32.
 */
static void expected_norm(const Case *c, const uint32_t *lanes, uint32_t *codes,
                          unsigned count)
{
    uint32_t mask = (1u << c->channel.bits) - 1;

    for (unsigned i = 0; i < count; i++) {
        double x = as_double(lanes[i]);
        float product;
        double rest;
        int32_t n;

        if (x != x) {
            codes[i] = 0;
            continue;
        }
        x = x < c->min ? c->min : x > 1 ? 1 : x;
        product = x * c->max_code;
        /*
         * the integer below, computed as a positive number, and the remainder
         */
        n = (int32_t)((double)product + 65536) - 65536;
        rest = (double)product - n;
        n += rest > 0.5 || (rest == 0.5 && (n & 1));
        codes[i] = n & mask;
    }
}

static void expected_ref(const Case *c, const uint32_t *lanes, uint32_t *codes,
                         unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        codes[i] = ref_convert(c->ref, c->channel.bits, lanes[i]);
    }
}

#if HAVE_F16C
__attribute__((target("f16c"))) static void expected_cpu(const Case *c,
                                                         const uint32_t *lanes,
                                                         uint32_t *codes,
                                                         unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        float f;

        memcpy(&f, &lanes[i], sizeof(f));
        codes[i] = _cvtss_sh(f, _MM_FROUND_TO_NEAREST_INT);
    }
}
#endif

static bool check(const void *data, const uint32_t *lanes, unsigned count,
                  uint32_t *wrong)
{
    const Case *c = data;
    uint32_t codes[SWEEP_NUMBERS];
    uint32_t expected[SWEEP_NUMBERS];

    veu_channel_pack(&c->channel, lanes, codes, count);
    c->expected(c, lanes, expected, count);
    for (unsigned i = 0; i < count; i++) {
        if (codes[i] != expected[i]) {
            *wrong = lanes[i];
            return false;
        }
    }
    return true;
}

/*
 * Powers of two, limits of denormals, infinities, NaNs, and their neighbours.
 */
static void check_special(const Case *c)
{
    for (uint32_t high = 0; high < 512; high++) {
        for (uint32_t low = 0; low < 9; low++) {
            uint32_t lane = (high << 23) + low - 4;
            uint32_t wrong = 0;

            g_assert_true(check(c, &lane, 1, &wrong));
        }
    }
}

static void run(const Case *c)
{
    Sweep s = { c->name, sweep_stride(4099), check, c };

    check_special(c);
    g_assert_true(sweep(&s));
}

#define NORM(name_, bits_, type_, min_, max_)                         \
    {                                                                 \
        .name = name_,                                                \
        .channel = { .bits = (bits_), .type = VEU_CHANNEL_##type_ },  \
        .expected = expected_norm, .min = (min_), .max_code = (max_), \
    }
#define FLOAT(name_, bits_, type_)                                   \
    {                                                                \
        .name = name_,                                               \
        .channel = { .bits = (bits_), .type = VEU_CHANNEL_##type_ }, \
        .expected = expected_ref, .ref = REF_##type_,                \
    }

static void test_unorm(void)
{
    static const Case cases[] = { NORM("UNORM 8", 8, UNORM, 0, 255),
                                  NORM("UNORM 16", 16, UNORM, 0, 65535) };

    run(&cases[0]);
    run(&cases[1]);
}

static void test_snorm(void)
{
    static const Case cases[] = { NORM("SNORM 8", 8, SNORM, -1, 127),
                                  NORM("SNORM 16", 16, SNORM, -1, 32767) };

    run(&cases[0]);
    run(&cases[1]);
}

static void test_half(void)
{
    static const Case half = FLOAT("FLOAT 16", 16, FLOAT);

    run(&half);
}

static void test_half_as_the_cpu_does_it(void)
{
#if HAVE_F16C
    Case half = FLOAT("FLOAT 16 by CPU", 16, FLOAT);

    half.expected = expected_cpu;
    if (cpu_has_f16c()) {
        run(&half);
        return;
    }
#endif
    g_test_skip("the CPU has no half floats");
}

static void test_ufloat(void)
{
    static const Case cases[] = { FLOAT("UFLOAT 11", 11, UFLOAT),
                                  FLOAT("UFLOAT 10", 10, UFLOAT) };

    run(&cases[0]);
    run(&cases[1]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/floats/" #name, test_##name)
    RULE(unorm);
    RULE(snorm);
    RULE(half);
    RULE(half_as_the_cpu_does_it);
    RULE(ufloat);
#undef RULE
    return g_test_run();
}
