/*
 * veu unit tests: instructions with one source of type F, against the host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The host's own arithmetic is fast enough for all 2^32 numbers, which
 * VEU_TEST_ALL selects ("ninja check-exhaustive"), or for the share of them
 * that VEU_TEST_SHARD=I/N names; otherwise every STRIDE-th is tried. Functions
 * are compared with those of the C library in double precision, which is finer
 * by 29 bits than their error. Each instruction is executed as programs execute
 * it, i.e. by its handler if it has one, and again by the rules.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "hw/veu/eu/instruction/handler_step.h"
#include "tests/lib/floats.h"
#include "tests/lib/isa_compare.h"

#define LANES  32
#define STRIDE 40009
#define DST_AT 256

/*
 * The error is less than this, in units in the last place: docs/spec.md, 17.6.
 */
#define MOST_OFF 0.52

static uint32_t host_fraction(float x)
{
    float part = x - floorf(x);

    return part >= 1 ? 0x3f7fffff : quiet_bits_of(part);
}

static uint32_t host_sqrt(float x)
{
    return quiet_bits_of(sqrtf(x));
}

static uint32_t host_inverse(float x)
{
    return quiet_bits_of(1 / x);
}

static uint32_t host_down(float x)
{
    return quiet_bits_of(floorf(x));
}

static uint32_t host_up(float x)
{
    return quiet_bits_of(ceilf(x));
}

static uint32_t host_even(float x)
{
    return quiet_bits_of(rintf(x));
}

static uint32_t host_zero(float x)
{
    return quiet_bits_of(truncf(x));
}

/*
 * The value is clamped before the cast; all bounds are exact in double
 * precision.
 */
static uint32_t host_signed(float x)
{
    double clamped = fmin(fmax(x, INT32_MIN), INT32_MAX);

    return isnan(x) ? 0 : (uint32_t)(int32_t)clamped;
}

static uint32_t host_unsigned(float x)
{
    return isnan(x) ? 0 : (uint32_t)fmin(fmax(x, 0), UINT32_MAX);
}

static double host_rsqrt(double x)
{
    return 1 / sqrt(x);
}

typedef struct Case {
    const char *name;
    uint8_t opcode;
    uint8_t type; /* of the destination */
    uint32_t (*exact)(float x);
    double (*function)(double x);
} Case;

static const Case cases[] = {
    { "frc", 0x09, VEU_TYPE_F, host_fraction, NULL },
    { "rndd", 0x12, VEU_TYPE_F, host_down, NULL },
    { "rndu", 0x13, VEU_TYPE_F, host_up, NULL },
    { "rnde", 0x14, VEU_TYPE_F, host_even, NULL },
    { "rndz", 0x15, VEU_TYPE_F, host_zero, NULL },
    { "sqrt", 0x19, VEU_TYPE_F, host_sqrt, NULL },
    { "inv", 0x1b, VEU_TYPE_F, host_inverse, NULL },
    { "mov to D", 0x29, VEU_TYPE_D, host_signed, NULL },
    { "mov to UD", 0x29, VEU_TYPE_UD, host_unsigned, NULL },
    { "sqrtm", 0x7e, VEU_TYPE_F, host_sqrt, NULL },
    { "exp", 0x08, VEU_TYPE_F, NULL, exp2 },
    { "log", 0x0b, VEU_TYPE_F, NULL, log2 },
    { "sin", 0x17, VEU_TYPE_F, NULL, sin },
    { "cos", 0x18, VEU_TYPE_F, NULL, cos },
    { "rsqrt", 0x1a, VEU_TYPE_F, NULL, host_rsqrt },
};

/* Returns true if the value, rounded to nearest, is too large for F. */
static bool overflows(double exact)
{
    return fabs(exact) >= 0x1.ffffffp127;
}

/* The error in units in the last place of F, including subnormal numbers. */
static double error_of(float result, double exact)
{
    int exponent;

    frexp(exact, &exponent);
    exponent = MAX(exponent, -125);
    return fabs(result - exact) / ldexp(1, exponent - 24);
}

static bool is_precise(uint32_t bits, double exact)
{
    float result = float_of(bits);

    if (isnan(exact)) {
        return bits == 0x7fc00000;
    }
    if (overflows(exact)) {
        return bits == quiet_bits_of(exact > 0 ? INFINITY : -INFINITY);
    }
    return isfinite(result) && error_of(result, exact) < MOST_OFF;
}

static bool is_right(const Case *c, uint32_t x, uint32_t result)
{
    return c->exact ? result == c->exact(float_of(x)) :
                      is_precise(result, c->function(float_of(x)));
}

static void make_code(Code *code, const Case *c)
{
    IsaOperand dst = isa_lanes_at(c->type, DST_AT);
    IsaOperand src = isa_lanes_at(VEU_TYPE_F, 0);

    isa_put(code, c->opcode, 1);
    isa_put(code, __builtin_ctz(LANES), 1);
    isa_put(code, 0, 2);
    isa_put_operand(code, &dst);
    isa_put_operand(code, &src);
    isa_put_return(code, LANES);
}

static void load(CodeRun *run, const Case *c)
{
    static const uint32_t keep_subnormal = 0x4c0;
    g_autofree Code *code = g_new0(Code, 1);

    isa_declare(code);
    make_code(code, c);
    g_assert_true(code_load(run, code));
    memcpy(run->registers + CODE_CR0_AT, &keep_subnormal,
           sizeof(keep_subnormal));
}

/* Numbers @first, @first + @step, ... below @end. */
typedef struct Part {
    const Case *c;
    uint64_t first;
    uint64_t end;
    uint64_t step;
} Part;

static void check_results(const Case *c, const CodeRun *run)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t x, result;

        memcpy(&x, run->registers + 4 * lane, sizeof(x));
        memcpy(&result, run->registers + DST_AT + 4 * lane, sizeof(result));
        if (!is_right(c, x, result)) {
            g_error("%s of %08x is %08x", c->name, x, result);
        }
    }
}

/* The executor has to return what the instruction's handler has returned. */
static void check_rules(const Case *c, CodeRun *run)
{
    uint32_t before[LANES];

    memcpy(before, run->registers + DST_AT, sizeof(before));
    veu_flow_start(&run->thread, UINT32_MAX);
    g_assert_true(
        veu_step_by_rules(&run->thread, veu_next_instruction(&run->thread)));
    if (memcmp(before, run->registers + DST_AT, sizeof(before))) {
        g_error("%s: the handler differs from the rules", c->name);
    }
}

static gpointer run_part(gpointer data)
{
    const Part *part = data;
    g_autofree CodeRun *run = g_new0(CodeRun, 1);
    uint64_t x = part->first;

    load(run, part->c);
    while (x < part->end) {
        for (unsigned lane = 0; lane < LANES; lane++, x += part->step) {
            uint32_t bits = x;

            memcpy(run->registers + 4 * lane, &bits, sizeof(bits));
        }
        g_assert_true(code_run(run, UINT32_MAX, 2));
        check_results(part->c, run);
        if (run->program->steps[0].handler[0] != veu_handler_stop) {
            check_rules(part->c, run);
        }
    }
    code_free(run);
    return NULL;
}

/*
 * The shard that VEU_TEST_SHARD names, from 0; @count becomes the number of
 * shards.
 */
static unsigned read_shard(unsigned *count)
{
    const char *text = g_getenv("VEU_TEST_SHARD");
    unsigned shard = 1;

    *count = 1;
    if (text) {
        g_assert_cmpint(sscanf(text, "%u/%u", &shard, count), ==, 2);
        g_assert_true(shard >= 1 && shard <= *count);
    }
    return shard - 1;
}

/* Each processor tests a share of the numbers. */
static void test_all(const Case *c)
{
    unsigned shards, shard = read_shard(&shards);
    unsigned count = g_get_num_processors();
    g_autofree Part *parts = g_new0(Part, count);
    g_autofree GThread **threads = g_new0(GThread *, count);

    for (unsigned n = 0; n < count; n++) {
        parts[n] = (Part){
            .c = c,
            .first = ((uint64_t)shard << 32) / shards + n,
            .end = ((uint64_t)(shard + 1) << 32) / shards,
            .step = count,
        };
        threads[n] = g_thread_new("part", run_part, &parts[n]);
    }
    for (unsigned n = 0; n < count; n++) {
        g_thread_join(threads[n]);
    }
}

static void test_case(gconstpointer data)
{
    Part some = { .c = data, .end = UINT64_C(1) << 32, .step = STRIDE };

    if (g_getenv("VEU_TEST_ALL")) {
        test_all(data);
    } else {
        run_part(&some);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned n = 0; n < G_N_ELEMENTS(cases); n++) {
        g_autofree char *path = g_strdup_printf("/isa-floats/%s",
                                                cases[n].name);

        g_test_add_data_func(path, &cases[n], test_case);
    }
    return g_test_run();
}
