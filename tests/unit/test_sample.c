/*
 * veu unit tests: sample_lz and load_lz: docs/spec.md, 8.7.26 and 8.7.27.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Expected values are computed here in double precision from the formulas of
 * the OpenCL specification, one texel at a time; the surface's texels are
 * floats that encode their place.
 */
#include <math.h>
#include <string.h>
#include "tests/lib/eu_fixture.h"
#include "tests/lib/helpers.h"

#define WIDTH  6
#define HEIGHT 5
#define DEPTH  4
#define LANES  8

typedef struct Shape {
    const char *name;
    struct veu_surface surface;
    unsigned axes; /* the number of axes that are filtered */
    bool array;
} Shape;

#define SIZES .base = EU_RAM, .format = VEU_FORMAT_R32_FLOAT, .levels = 1
static const Shape shapes[] = {
    { "1D", { SIZES, .type = VEU_SURFACE_1D, .width = WIDTH }, 1, false },
    { "2D",
      { SIZES, .type = VEU_SURFACE_2D, .width = WIDTH, .height = HEIGHT,
        .pitch = WIDTH * 4 },
      2,
      false },
    { "3D",
      { SIZES, .type = VEU_SURFACE_3D, .width = WIDTH, .height = HEIGHT,
        .depth = DEPTH, .pitch = WIDTH * 4, .qpitch = 8 },
      3,
      false },
    { "1D array",
      { SIZES, .type = VEU_SURFACE_1D, .flags = VEU_SURFACE_ARRAY,
        .width = WIDTH, .depth = DEPTH, .qpitch = 8 },
      1,
      true },
    { "2D array",
      { SIZES, .type = VEU_SURFACE_2D, .flags = VEU_SURFACE_ARRAY,
        .width = WIDTH, .height = HEIGHT, .depth = DEPTH, .pitch = WIDTH * 4,
        .qpitch = 8 },
      2,
      true },
};

/* --- Expectations -------------------------------------------------------- */

/* The texel at integer coordinates; the border is 0. */
static double texel(const Shape *s, const int at[3])
{
    const int sizes[3] = { WIDTH, s->axes > 1 ? HEIGHT : 1,
                           s->axes > 2 || s->array ? DEPTH : 1 };

    for (unsigned i = 0; i < 3; i++) {
        if (at[i] < 0 || at[i] >= sizes[i]) {
            return 0;
        }
    }
    return 1 + at[0] + 10 * at[1] + 100 * at[2];
}

static int wrap(uint8_t addressing, int i, int size)
{
    switch (addressing) {
    case VEU_ADDRESSING_EDGE:
    case VEU_ADDRESSING_MIRROR:
        return CLAMP(i, 0, size - 1);
    case VEU_ADDRESSING_REPEAT:
        return (i % size + size) % size;
    default:
        return i;
    }
}

/* Converts a coordinate to texels. */
static double texels(const struct veu_sampler *p, double x, int size)
{
    if (p->addressing == VEU_ADDRESSING_REPEAT) {
        return (x - floor(x)) * size;
    }
    if (p->addressing == VEU_ADDRESSING_MIRROR) {
        return fabs(x - 2 * rint(0.5 * x)) * size;
    }
    return p->flags & VEU_SAMPLER_NORMALIZED ? x * size : x;
}

/*
 * Sums along the axes from @axis on; @at has the coordinates of earlier axes.
 */
static double filter(const Shape *s, const struct veu_sampler *p,
                     const double *x, unsigned axis, int at[3])
{
    const int sizes[3] = { WIDTH, HEIGHT, DEPTH };
    double u;
    double low;
    double sum = 0;

    if (axis == s->axes) {
        return texel(s, at);
    }
    u = texels(p, x[axis], sizes[axis]) - (p->filter ? 0.5 : 0);
    low = floor(u);
    for (int i = 0; i <= p->filter; i++) {
        double weight = p->filter ? (i ? u - low : 1 - (u - low)) : 1;

        at[axis] = wrap(p->addressing, (int)low + i, sizes[axis]);
        sum += weight * filter(s, p, x, axis + 1, at);
    }
    return sum;
}

static double expect(const Shape *s, const struct veu_sampler *p,
                     const double x[3])
{
    int at[3] = { 0 };

    if (s->array) {
        at[2] = CLAMP((int)rint(x[s->axes]), 0, DEPTH - 1);
    }
    return filter(s, p, x, 0, at);
}

/* --- Reads --------------------------------------------------------------- */

typedef struct Sampled {
    EuFixture *eu;
    VeuMessage message;
} Sampled;

static void fill(Sampled *t, const Shape *s)
{
    for (int n = 0; n < WIDTH * HEIGHT * DEPTH; n++) {
        int at[3] = { n % WIDTH, n / WIDTH % HEIGHT, n / WIDTH / HEIGHT };
        uint32_t slice = s->axes == 1 ? 8 * 4 : 8 * WIDTH * 4;
        float value = texel(s, at);

        if (value) {
            test_memory_put(&t->eu->memory,
                            EU_RAM + at[2] * slice + at[1] * WIDTH * 4 +
                                at[0] * 4,
                            &value, sizeof(value));
        }
    }
}

static Sampled *sampled(const Shape *s, const struct veu_sampler *p, bool load)
{
    uint8_t sample_code[2] = { VEU_OPCODE_SAMPLE, VEU_SAMPLE_LZ };
    uint8_t load_code[2] = { VEU_OPCODE_LOAD, VEU_LOAD_LZ };
    Sampled *t = g_new0(Sampled, 1);

    t->eu = eu_standard();
    t->message = (VeuMessage){
        .info = veu_message_find(load ? load_code : sample_code, 2),
        .all_lanes = 0xff,
        .lanes = LANES,
        .surface = eu_surface(t->eu, &s->surface),
        .channels = 0xf,
        .element_bytes = 4,
        .channel_stride = LANES,
        .first_lane = { 0, LANES, 2 * LANES, 3 * LANES },
        .address = { .register_byte = EU_OFFSETS_AT },
        .v = { .register_byte = EU_V_AT },
        .r = { .register_byte = EU_R_AT },
        .lod = { .null = true },
        .data = { .register_byte = EU_DATA_AT, .type = VEU_TYPE_F },
    };
    t->eu->thread.sampler_index = 3;
    t->eu->thread.samplers[3] = *p;
    fill(t, s);
    return t;
}

static void sampled_free(Sampled *t)
{
    eu_free(t->eu);
    g_free(t);
}

static void set_float(Sampled *t, uint32_t at, unsigned lane, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    eu_set32(t->eu, at, lane, bits);
}

static float get_float(Sampled *t, unsigned channel, unsigned lane)
{
    uint32_t bits = eu_get32(t->eu, EU_DATA_AT, channel * LANES + lane);
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* --- Tests --------------------------------------------------------------- */

static const struct veu_sampler samplers[] = {
    { VEU_FILTER_NEAREST, VEU_ADDRESSING_BORDER, 0, 0 },
    { VEU_FILTER_NEAREST, VEU_ADDRESSING_EDGE, 0, 0 },
    { VEU_FILTER_LINEAR, VEU_ADDRESSING_BORDER, 0, 0 },
    { VEU_FILTER_LINEAR, VEU_ADDRESSING_EDGE, 0, 0 },
    { VEU_FILTER_NEAREST, VEU_ADDRESSING_EDGE, VEU_SAMPLER_NORMALIZED, 0 },
    { VEU_FILTER_NEAREST, VEU_ADDRESSING_REPEAT, VEU_SAMPLER_NORMALIZED, 0 },
    { VEU_FILTER_NEAREST, VEU_ADDRESSING_MIRROR, VEU_SAMPLER_NORMALIZED, 0 },
    { VEU_FILTER_LINEAR, VEU_ADDRESSING_BORDER, VEU_SAMPLER_NORMALIZED, 0 },
    { VEU_FILTER_LINEAR, VEU_ADDRESSING_REPEAT, VEU_SAMPLER_NORMALIZED, 0 },
    { VEU_FILTER_LINEAR, VEU_ADDRESSING_MIRROR, VEU_SAMPLER_NORMALIZED, 0 },
};

/* Coordinates are multiples of 1/64, away from the borders of texels. */
static double random_coordinate(const struct veu_sampler *p, bool filtered)
{
    double x = g_test_rand_int_range(-4 * 64, 10 * 64) / 64.0 + 1.0 / 256;

    return p->flags && filtered ? x / 4 : x;
}

static void check_sampler(const Shape *s, const struct veu_sampler *p)
{
    Sampled *t = sampled(s, p, false);

    for (unsigned round = 0; round < 50; round++) {
        double x[LANES][3];

        for (unsigned lane = 0; lane < LANES; lane++) {
            for (unsigned axis = 0; axis < 3; axis++) {
                x[lane][axis] = random_coordinate(p, axis < s->axes);
            }
            set_float(t, EU_OFFSETS_AT, lane, x[lane][0]);
            set_float(t, EU_V_AT, lane, x[lane][1]);
            set_float(t, EU_R_AT, lane, x[lane][2]);
        }
        g_assert_true(veu_execute(&t->eu->thread, &t->message));
        for (unsigned lane = 0; lane < LANES; lane++) {
            double wanted = expect(s, p, x[lane]);

            g_assert_cmpfloat(fabs(get_float(t, 0, lane) - wanted), <=,
                              p->filter ? 2e-4 * (1 + fabs(wanted)) : 0);
            g_assert_cmpfloat(get_float(t, 1, lane), ==, 0);
            g_assert_cmpfloat(get_float(t, 3, lane), ==,
                              p->filter ? get_float(t, 3, lane) : 1);
        }
    }
    sampled_free(t);
}

static void test_samplers_read_what_opencl_says(void)
{
    for (unsigned s = 0; s < G_N_ELEMENTS(shapes); s++) {
        for (unsigned p = 0; p < G_N_ELEMENTS(samplers); p++) {
            check_sampler(&shapes[s], &samplers[p]);
        }
    }
}

/*
 * Converts 0 and numbers from 2^-14 to 1: 5 bits of exponent, 10 of fraction.
 */
static uint32_t nearest_half(double x)
{
    int exponent;
    double fraction = frexp(x, &exponent);

    return x == 0 ? 0 :
                    ((exponent + 13) << 10) + (uint32_t)rint(fraction * 2048);
}

/* From 256 texels with 1/255, 2/255, ... lanes read the nearest halves. */
static void test_data_of_16_bits_is_halves(void)
{
    Shape s = { .surface = { .base = EU_RAM,
                             .format = VEU_FORMAT_R8_UNORM,
                             .type = VEU_SURFACE_1D,
                             .width = 256,
                             .levels = 1 } };
    Sampled *t = sampled(&shapes[0], &samplers[0], true);

    t->message.surface = eu_surface(t->eu, &s.surface);
    t->message.element_bytes = 2;
    for (unsigned n = 0; n < 256; n += LANES) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint8_t code = n + lane;

            test_memory_put(&t->eu->memory, EU_RAM + code, &code, 1);
            eu_set32(t->eu, EU_OFFSETS_AT, lane, code);
        }
        g_assert_true(veu_execute(&t->eu->thread, &t->message));
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t pair = eu_get32(t->eu, EU_DATA_AT, lane / 2);

            g_assert_cmphex(pair >> lane % 2 * 16 & 0xffff, ==,
                            nearest_half((n + lane) / 255.0));
        }
        /* alpha, which is 1, begins where the group of a half channel begins */
        g_assert_cmphex(eu_get32(t->eu, EU_DATA_AT, 3 * LANES / 2), ==,
                        0x3c003c00);
    }
    sampled_free(t);
}

/* Texels outside of the surface have zero bits; a missing alpha is 1. */
static void test_load_reads_texels_and_the_border(void)
{
    const Shape *s = &shapes[1];
    Sampled *t = sampled(s, &samplers[0], true);

    for (unsigned lane = 0; lane < LANES; lane++) {
        eu_set32(t->eu, EU_OFFSETS_AT, lane, lane);
        eu_set32(t->eu, EU_V_AT, lane, lane == 7 ? UINT32_MAX : 2);
    }
    g_assert_true(veu_execute(&t->eu->thread, &t->message));
    for (unsigned lane = 0; lane < LANES; lane++) {
        int at[3] = { lane, lane == 7 ? -1 : 2, 0 };

        g_assert_cmpfloat(get_float(t, 0, lane), ==, texel(s, at));
        g_assert_cmpfloat(get_float(t, 3, lane), ==, 1);
    }
    sampled_free(t);
}

static void test_alpha_of_a_texel_outside_is_0_where_there_is_alpha(void)
{
    Shape s = shapes[0];
    Sampled *t;

    s.surface.format = VEU_FORMAT_R32G32B32A32_FLOAT;
    t = sampled(&s, &samplers[0], true);
    eu_set32(t->eu, EU_OFFSETS_AT, 0, WIDTH);
    g_assert_true(veu_execute(&t->eu->thread, &t->message));
    g_assert_cmpfloat(get_float(t, 3, 0), ==, 0);
    sampled_free(t);
}

/* Integers are not filtered, and their low bits are data of 16 bits. */
static void test_integers_are_read_as_they_are(void)
{
    const struct veu_sampler linear = { .filter = VEU_FILTER_LINEAR,
                                        .addressing = VEU_ADDRESSING_EDGE };
    Shape s = shapes[0];
    Sampled *t;

    s.surface.format = VEU_FORMAT_R32_UINT;
    t = sampled(&s, &linear, false);
    t->message.data.type = VEU_TYPE_UD;
    for (unsigned i = 0; i < WIDTH; i++) {
        test_memory_put32(&t->eu->memory, EU_RAM + i * 4, 0x12345670 + i);
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        set_float(t, EU_OFFSETS_AT, lane, lane % WIDTH + 0.25);
    }
    for (unsigned bytes = 4; bytes >= 2; bytes -= 2) {
        t->message.element_bytes = bytes;
        g_assert_true(veu_execute(&t->eu->thread, &t->message));
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t value = 0x12345670 + lane % WIDTH;

            g_assert_cmpmem(t->eu->registers + EU_DATA_AT + lane * bytes, bytes,
                            &value, bytes);
        }
    }
    sampled_free(t);
}

/* The element of an array is that of the nearest integer, ties to even. */
static void test_elements_between_two_of_an_array(void)
{
    static const float places[LANES] = { -0.5, 0.5,  1.5, 2.5,
                                         0.75, 1.25, 3.5, 2.0 };
    static const unsigned elements[LANES] = { 0, 0, 2, 2, 1, 1, 3, 2 };
    Sampled *t = sampled(&shapes[3], &samplers[0], false);

    for (unsigned lane = 0; lane < LANES; lane++) {
        set_float(t, EU_OFFSETS_AT, lane, 0.25);
        set_float(t, EU_V_AT, lane, places[lane]);
    }
    g_assert_true(veu_execute(&t->eu->thread, &t->message));
    for (unsigned lane = 0; lane < LANES; lane++) {
        g_assert_cmpfloat(get_float(t, 0, lane), ==, 1 + 100 * elements[lane]);
    }
    sampled_free(t);
}

/* Numbers of this size have no fraction, so that the first texel is read. */
static void test_repeated_far_away(void)
{
    static const float places[LANES] = { -1e7,  1e7,  -1e10, 1e10,
                                         -1e30, 1e30, -3e9,  3e9 };
    const struct veu_sampler p = { .addressing = VEU_ADDRESSING_REPEAT,
                                   .flags = VEU_SAMPLER_NORMALIZED };
    Sampled *t = sampled(&shapes[0], &p, false);

    for (unsigned lane = 0; lane < LANES; lane++) {
        set_float(t, EU_OFFSETS_AT, lane, places[lane]);
    }
    g_assert_true(veu_execute(&t->eu->thread, &t->message));
    for (unsigned lane = 0; lane < LANES; lane++) {
        g_assert_cmpfloat(get_float(t, 0, lane), ==, 1);
    }
    sampled_free(t);
}

static void test_alpha_of_the_border_is_0_where_there_is_alpha(void)
{
    Shape s = shapes[0];
    Sampled *t;

    s.surface.format = VEU_FORMAT_R32G32B32A32_FLOAT;
    t = sampled(&s, &samplers[0], false);
    set_float(t, EU_OFFSETS_AT, 0, -1);
    g_assert_true(veu_execute(&t->eu->thread, &t->message));
    g_assert_cmpfloat(get_float(t, 3, 0), ==, 0);
    sampled_free(t);
}

static void test_a_sampler_beyond_15_faults(void)
{
    Sampled *t = sampled(&shapes[1], &samplers[0], false);

    t->eu->thread.sampler_index = VEU_SAMPLERS;
    g_assert_false(veu_execute(&t->eu->thread, &t->message));
    g_assert_cmphex(t->eu->thread.fault.code, ==, VEU_FAULT_SURFACE_INDEX);
    sampled_free(t);
}

/* "A coordinate that is NaN reads texel 0 with nearest." */
static void test_nan_reads_texel_0(void)
{
    Sampled *t = sampled(&shapes[0], &samplers[0], false);

    set_float(t, EU_OFFSETS_AT, 0, NAN);
    g_assert_true(veu_execute(&t->eu->thread, &t->message));
    g_assert_cmpfloat(get_float(t, 0, 0), ==, 1);
    sampled_free(t);
}

static void test_coordinates_that_no_integer_holds(void)
{
    Sampled *t = sampled(&shapes[0], &samplers[1], false);

    set_float(t, EU_OFFSETS_AT, 0, 3e9f);
    set_float(t, EU_OFFSETS_AT, 1, -3e9f);
    set_float(t, EU_OFFSETS_AT, 2, INFINITY);
    g_assert_true(veu_execute(&t->eu->thread, &t->message));
    g_assert_cmpfloat(get_float(t, 0, 0), ==, WIDTH);
    g_assert_cmpfloat(get_float(t, 0, 1), ==, 1);
    g_assert_cmpfloat(get_float(t, 0, 2), ==, WIDTH);
    sampled_free(t);
}

static void test_null_data_changes_no_register(void)
{
    Sampled *t = sampled(&shapes[0], &samplers[0], false);
    g_autofree uint8_t *before = g_memdup2(t->eu->registers, EU_REGISTER_BYTES);

    t->message.data = (VeuRaw){ .null = true };
    g_assert_true(veu_execute(&t->eu->thread, &t->message));
    g_assert_true(!memcmp(before, t->eu->registers, EU_REGISTER_BYTES));
    sampled_free(t);
}

static void test_cubes_are_not_sampled(void)
{
    Shape cube = { "cube",
                   { SIZES, .type = VEU_SURFACE_CUBE, .width = 4, .height = 4,
                     .depth = 6, .pitch = 16, .qpitch = 4 },
                   2,
                   false };
    Sampled *t = sampled(&cube, &samplers[0], false);

    g_assert_false(veu_execute(&t->eu->thread, &t->message));
    g_assert_cmphex(t->eu->thread.fault.code, ==, VEU_FAULT_SURFACE_KIND);
    sampled_free(t);
}

/* No coordinate accesses memory beyond the surface. */
static void test_any_bits_are_coordinates(void)
{
    static const uint32_t odd[] = { 0x7f800000, 0xff800000, 0x7fc00000,
                                    0xffffffff, 0x00000001, 0x7f7fffff,
                                    0xff7fffff, 0x80000000 };

    for (unsigned p = 0; p < G_N_ELEMENTS(samplers); p++) {
        Sampled *t = sampled(&shapes[2], &samplers[p], false);

        for (unsigned lane = 0; lane < LANES; lane++) {
            eu_set32(t->eu, EU_OFFSETS_AT, lane, odd[lane]);
            eu_set32(t->eu, EU_V_AT, lane, odd[(lane + 3) % LANES]);
            eu_set32(t->eu, EU_R_AT, lane, odd[(lane + 5) % LANES]);
        }
        g_assert_true(veu_execute(&t->eu->thread, &t->message));
        sampled_free(t);
    }
}

/* A lane whose texel is outside of RAM faults; the others complete. */
static void test_a_lane_faults_alone(void)
{
    Shape s = shapes[0];
    Sampled *t;

    s.surface.base = EU_RAM + EU_RAM_BYTES - 8;
    t = sampled(&shapes[1], &samplers[0], false);
    t->message.surface = eu_surface(t->eu, &s.surface);
    for (unsigned lane = 0; lane < LANES; lane++) {
        set_float(t, EU_OFFSETS_AT, lane, lane == 5 ? 3 : 0);
        eu_set32(t->eu, EU_DATA_AT, lane, 0x12345678);
    }
    g_assert_false(veu_execute(&t->eu->thread, &t->message));
    g_assert_cmphex(t->eu->thread.fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmphex(t->eu->thread.fault.lanes, ==, 1u << 5);
    g_assert_cmphex(eu_get32(t->eu, EU_DATA_AT, 5), ==, 0x12345678);
    g_assert_cmphex(eu_get32(t->eu, EU_DATA_AT, 4), ==, 0);
    sampled_free(t);
}

/*
 * Linear filters read two texels, of which any may be outside of RAM: lane 5
 * reads texels 1 and 2, lane 6 reads 5 and 0, all others 0 and 1, where RAM
 * ends.
 */
static void test_a_lane_faults_with_one_of_its_texels(void)
{
    const struct veu_sampler repeat = { VEU_FILTER_LINEAR,
                                        VEU_ADDRESSING_REPEAT,
                                        VEU_SAMPLER_NORMALIZED, 0 };
    Shape s = shapes[0];
    Sampled *t;

    s.surface.base = EU_RAM + EU_RAM_BYTES - 8;
    t = sampled(&shapes[1], &repeat, false);
    t->message.surface = eu_surface(t->eu, &s.surface);
    for (unsigned lane = 0; lane < LANES; lane++) {
        float x = lane == 5 ? 2 : lane == 6 ? 0 : 1;

        set_float(t, EU_OFFSETS_AT, lane, x / WIDTH);
        eu_set32(t->eu, EU_DATA_AT, lane, 0x12345678);
    }
    g_assert_false(veu_execute(&t->eu->thread, &t->message));
    g_assert_cmphex(t->eu->thread.fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmphex(t->eu->thread.fault.lanes, ==, 3u << 5);
    g_assert_cmpuint(t->eu->thread.fault.bytes_done, ==, (LANES - 2) * 2 * 4);
    for (unsigned lane = 0; lane < LANES; lane++) {
        g_assert_cmphex(eu_get32(t->eu, EU_DATA_AT, lane), ==,
                        lane == 5 || lane == 6 ? 0x12345678 : 0);
    }
    sampled_free(t);
}

/* A driver may still provide a page: the message is executed again then. */
static void test_what_waits_for_pages_changes_nothing(void)
{
    for (unsigned load = 0; load < 2; load++) {
        Sampled *t = sampled(&shapes[1], &samplers[0], load);
        VeuMem *mem = t->eu->thread.mem;

        mem->asks = true;
        veu_mem_miss(mem, EU_RAM, VEU_ACCESS_READ, VEU_FAULT_ADDRESS, true);
        for (unsigned lane = 0; lane < LANES; lane++) {
            eu_set32(t->eu, EU_DATA_AT, lane, 0x12345678);
        }
        /* veu_execute() would forget the miss, and look for the page */
        g_assert_false(t->message.info->execute(&t->eu->thread, &t->message));
        g_assert_cmphex(t->eu->thread.fault.code, ==, VEU_FAULT_NONE);
        for (unsigned lane = 0; lane < LANES; lane++) {
            g_assert_cmphex(eu_get32(t->eu, EU_DATA_AT, lane), ==, 0x12345678);
        }
        sampled_free(t);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sample/samplers-read-what-opencl-says",
                    test_samplers_read_what_opencl_says);
    g_test_add_func("/sample/load-reads-texels-and-the-border",
                    test_load_reads_texels_and_the_border);
    g_test_add_func("/sample/data-of-16-bits-is-halves",
                    test_data_of_16_bits_is_halves);
    g_test_add_func("/sample/alpha-of-the-border-is-0-where-there-is-alpha",
                    test_alpha_of_the_border_is_0_where_there_is_alpha);
    g_test_add_func(
        "/sample/alpha-of-a-texel-outside-is-0-where-there-is-alpha",
        test_alpha_of_a_texel_outside_is_0_where_there_is_alpha);
    g_test_add_func("/sample/integers-are-read-as-they-are",
                    test_integers_are_read_as_they_are);
    g_test_add_func("/sample/elements-between-two-of-an-array",
                    test_elements_between_two_of_an_array);
    g_test_add_func("/sample/repeated-far-away", test_repeated_far_away);
    g_test_add_func("/sample/a-sampler-beyond-15-faults",
                    test_a_sampler_beyond_15_faults);
    g_test_add_func("/sample/nan-reads-texel-0", test_nan_reads_texel_0);
    g_test_add_func("/sample/coordinates-that-no-integer-holds",
                    test_coordinates_that_no_integer_holds);
    g_test_add_func("/sample/null-data-changes-no-register",
                    test_null_data_changes_no_register);
    g_test_add_func("/sample/cubes-are-not-sampled",
                    test_cubes_are_not_sampled);
    g_test_add_func("/sample/any-bits-are-coordinates",
                    test_any_bits_are_coordinates);
    g_test_add_func("/sample/a-lane-faults-alone", test_a_lane_faults_alone);
    g_test_add_func("/sample/what-waits-for-pages-changes-nothing",
                    test_what_waits_for_pages_changes_nothing);
    g_test_add_func("/sample/fault-of-a-corner",
                    test_a_lane_faults_with_one_of_its_texels);
    return g_test_run();
}
