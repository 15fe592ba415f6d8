/*
 * veu unit tests: the places of texels: random surfaces, and all texels of
 * small ones, compared with the second implementation
 * (tests/lib/ref_surface.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/surface/texel.h"
#include "hw/veu/eu/surface/descriptor.h"
#include "hw/veu/eu/message/fast_avx512_texels.h"
#include "hw/veu/eu/surface/texel_lanes.h"
#include "tests/lib/random_numbers.h"
#include "tests/lib/random_surface.h"
#include "tests/lib/ref.h"
#include "tests/lib/ref_surface.h"

typedef struct veu_surface Surface;

#define OUTSIDE UINT64_MAX

static VeuSurface decode(const Surface *s)
{
    VeuSurface out;
    uint32_t detail = 0;

    g_assert_true(veu_surface_decode(s, &out, &detail));
    return out;
}

/* A coordinate near an edge, anywhere inside, or anywhere at all. */
static uint32_t coordinate(GRand *rng, uint32_t size)
{
    switch (g_rand_int(rng) % 8) {
    case 0:
        return size - 1 + g_rand_int(rng) % 3;
    case 1:
        return g_rand_int(rng) >> g_rand_int_range(rng, 0, 32);
    default:
        return g_rand_int(rng) % size;
    }
}

static VeuCoordinates coordinates(GRand *rng, const Surface *s)
{
    uint32_t lod = coordinate(rng, s->levels + 1);
    uint32_t level = lod + s->min_lod < 15 ? lod + s->min_lod : 0;
    uint32_t height = s->type == VEU_SURFACE_1D ? s->depth : s->height >> level;
    uint32_t depth = s->depth >> g_rand_int_range(rng, 0, 3);

    return (VeuCoordinates){
        .u = coordinate(rng, MAX(1, s->width >> level)),
        .v = coordinate(rng, MAX(1, height)),
        .r = coordinate(rng, MAX(1, depth)),
        .lod = lod,
    };
}

/* Returns how many of @count random coordinates are inside. */
static unsigned compare_texels(GRand *rng, const Surface *s, unsigned count)
{
    VeuSurface out = decode(s);
    unsigned inside = 0;

    g_assert_cmphex(out.bytes, ==, ref_surface_bytes(s));
    while (count--) {
        VeuCoordinates at = coordinates(rng, s);
        uint64_t got = OUTSIDE;
        uint64_t want = OUTSIDE;
        bool is_inside = veu_surface_texel(&out, &at, &got);

        g_assert_cmpint(is_inside, ==,
                        ref_texel(s, at.u, at.v, at.r, at.lod, &want));
        g_assert_cmphex(got, ==, want);
        inside += is_inside;
    }
    return inside;
}

typedef void Each(GRand *rng, const TestShape *shape, uint8_t tiling,
                  const RefFormat *format);

/* Visits all legal combinations of formats, shapes and tilings. */
static void for_each_kind(Each *each)
{
    GRand *rng = test_rand(7);

    for (unsigned f = 0; f < ref_format_count; f++) {
        for (unsigned i = 0; i < TEST_SHAPES; i++) {
            const TestShape *shape = &test_shapes[i];
            bool raw = !*ref_formats[f].channels;

            for (unsigned tiling = 0; tiling < 4; tiling++) {
                if ((shape->tilings >> tiling & 1) &&
                    (!raw || shape->type == VEU_SURFACE_BUFFER)) {
                    each(rng, shape, tiling, &ref_formats[f]);
                }
            }
        }
    }
    g_rand_free(rng);
}

static void compare_kind(GRand *rng, const TestShape *shape, uint8_t tiling,
                         const RefFormat *format)
{
    static const TestExtent extents[] = { { 70, 70, 14, 3 },
                                          { 1000, 1000, 100, 10 },
                                          { 16384, 16384, 2048, 100 } };
    unsigned inside = 0;

    for (unsigned n = 0; n < 300; n++) {
        Surface s = test_random_surface(rng, shape, tiling, format->code,
                                        &extents[n % 3]);

        s.base = (uint64_t)g_rand_int(rng) << g_rand_int_range(rng, 12, 31);
        inside += compare_texels(rng, &s, 50);
    }
    g_assert_cmpuint(inside, >, 300 * 50 / 20);
}

static void test_random_surfaces_against_the_second_implementation(void)
{
    unsigned sizes = 0;

    for (unsigned f = 0; f < ref_format_count; f++) {
        sizes |= ref_texel_bytes(&ref_formats[f]);
    }
    g_assert_cmphex(sizes, ==, 1 | 2 | 4 | 8 | 16);
    for_each_kind(compare_kind);
}

/* Marks the texel's bytes, which are inside and belong to no other texel. */
static void mark(const Surface *s, const VeuSurface *out,
                 const VeuCoordinates *at, uint8_t *used)
{
    uint64_t address;

    if (!veu_surface_texel(out, at, &address)) {
        return;
    }
    address -= s->base;
    g_assert_cmpuint(address + out->format->bytes, <=, out->bytes);
    for (unsigned i = 0; i < out->format->bytes; i++) {
        g_assert_cmpuint(used[address + i], ==, 0);
        used[address + i] = 1;
    }
}

static void mark_level(const Surface *s, const VeuSurface *out, uint32_t lod,
                       uint8_t *used)
{
    bool flat = s->type == VEU_SURFACE_1D || s->type == VEU_SURFACE_BUFFER;
    VeuCoordinates at = { .lod = lod };
    uint32_t v_end = flat ? s->depth + 1 : s->height + 1;
    uint32_t r_end = s->depth + 1;

    /* V and R would mark the same texels again where they do not apply */
    v_end = flat && !s->depth ? 1 : v_end;
    r_end = flat ? 1 : r_end;
    for (at.r = 0; at.r < r_end; at.r++) {
        for (at.v = 0; at.v < v_end; at.v++) {
            for (at.u = 0; at.u <= s->width; at.u++) {
                mark(s, out, &at, used);
            }
        }
        if (!s->depth) {
            break;
        }
    }
}

static void exhaust_kind(GRand *rng, const TestShape *shape, uint8_t tiling,
                         const RefFormat *format)
{
    static const TestExtent small = { 21, 19, 7, 1 };

    for (unsigned n = 0; n < 20; n++) {
        Surface s = test_random_surface(rng, shape, tiling, format->code,
                                        &small);
        VeuSurface out = decode(&s);
        g_autofree uint8_t *used = g_malloc0(out.bytes);

        for (uint32_t lod = 0; lod < MAX(1, s.levels); lod++) {
            mark_level(&s, &out, lod, used);
        }
    }
}

static void test_texels_are_distinct_and_within_the_extent(void)
{
    for_each_kind(exhaust_kind);
}

/* Checks that the run that begins at x has its maximum length. */
static void check_run(const Surface *s, const VeuSurface *out, uint32_t x,
                      uint32_t y)
{
    RefRectangle at = ref_rectangle(s, s->min_lod, s->min_array_element);
    uint64_t texel = out->format->bytes;
    uint64_t x0 = at.x * texel + x;
    uint64_t address = OUTSIDE;
    uint32_t run = veu_surface_byte(out, x, y, &address);
    uint32_t want = 0;

    if (x < at.width * texel && y < at.height) {
        uint64_t first = ref_plane_byte(s, x0, at.y + y);

        g_assert_cmphex(address, ==, first);
        do {
            want++;
        } while (x + want < at.width * texel &&
                 ref_plane_byte(s, x0 + want, at.y + y) == first + want);
    }
    g_assert_cmpuint(run, ==, want);
}

static void runs_of_kind(GRand *rng, const TestShape *shape, uint8_t tiling,
                         const RefFormat *format)
{
    static const TestExtent extent = { 300, 70, 14, 3 };

    if (shape->type != VEU_SURFACE_2D) {
        return;
    }
    for (unsigned n = 0; n < 10; n++) {
        Surface s = test_random_surface(rng, shape, tiling, format->code,
                                        &extent);
        VeuSurface out = decode(&s);
        unsigned texel = out.format->bytes;

        for (unsigned i = 0; i < 50; i++) {
            check_run(&s, &out, coordinate(rng, s.width * texel),
                      coordinate(rng, s.height));
        }
    }
}

static void test_bytes_of_2d_surfaces_and_their_runs(void)
{
    for_each_kind(runs_of_kind);
}

/* --- All lanes at once ---------------------------------------------------- */

typedef struct Lanes {
    uint32_t u[VEU_TYPED_LANES];
    uint32_t v[VEU_TYPED_LANES];
    uint32_t r[VEU_TYPED_LANES];
    uint32_t lod[VEU_TYPED_LANES];
} Lanes;

VEU_CLONED uint32_t place_8(const VeuSurface *s, const VeuLaneCoordinates *at,
                            uint32_t *offset)
{
    return veu_place_lanes(s, at, 8, veu_lane_bits, offset);
}
VEU_CPU_CLONES(uint32_t, place_8,
               (const VeuSurface *s, const VeuLaneCoordinates *at,
                uint32_t *offset),
               (s, at, offset));

VEU_CLONED uint32_t place_16(const VeuSurface *s, const VeuLaneCoordinates *at,
                             uint32_t *offset)
{
    return veu_place_lanes(s, at, 16, veu_lane_bits, offset);
}

#ifdef VEU_HAS_AVX2
VEU_AVX512 uint32_t wide_place_16(const VeuSurface *s,
                                  const VeuLaneCoordinates *at,
                                  uint32_t *offset)
{
    return veu_place_lanes(s, at, 16, veu_avx512_lane_bits, offset);
}
#else
#define wide_place_16 place_16
#endif
VEU_CPU_CLONES_WIDE(uint32_t, place_16, wide_place_16,
                    (const VeuSurface *s, const VeuLaneCoordinates *at,
                     uint32_t *offset),
                    (s, at, offset));

/* Returns the number of lanes that are inside. */
static unsigned check_lanes(const VeuSurface *s, const Lanes *l, unsigned lanes,
                            uint32_t inside, const uint32_t *offset)
{
    for (unsigned i = 0; i < lanes; i++) {
        VeuCoordinates at = { l->u[i], l->v[i], l->r[i], l->lod[i] };
        uint64_t want = s->base;

        g_assert_cmpint(inside >> i & 1, ==, veu_surface_texel(s, &at, &want));
        g_assert_cmphex(offset[i], ==, want - s->base);
    }
    g_assert_cmphex((uint64_t)inside >> lanes, ==, 0);
    return __builtin_popcount(inside);
}

static unsigned compare_lanes(GRand *rng, const Surface *s)
{
    const VeuSurface out = decode(s);
    bool one_level = g_rand_int(rng) & 1;
    uint32_t offset[VEU_TYPED_LANES];
    unsigned inside = 0;
    Lanes l;
    VeuLaneCoordinates at = { l.u, l.v, l.r, l.lod };

    for (unsigned i = 0; i < VEU_TYPED_LANES; i++) {
        VeuCoordinates lane = coordinates(rng, s);

        l.u[i] = lane.u;
        l.v[i] = lane.v;
        l.r[i] = lane.r;
        l.lod[i] = one_level && i ? l.lod[0] : lane.lod;
    }
    for (unsigned cpu = 0; out.is_narrow && cpu < VEU_CPU_COUNT; cpu++) {
        if (veu_cpu_has(cpu)) {
            inside += check_lanes(&out, &l, 8,
                                  place_8_clones[cpu](&out, &at, offset),
                                  offset);
            inside += check_lanes(&out, &l, 16,
                                  place_16_clones[cpu](&out, &at, offset),
                                  offset);
        }
    }
    return inside;
}

static void compare_lanes_of_kind(GRand *rng, const TestShape *shape,
                                  uint8_t tiling, const RefFormat *format)
{
    static const TestExtent extents[] = { { 70, 70, 14, 3 },
                                          { 1000, 1000, 10, 10 },
                                          { 16384, 16384, 2048, 100 } };
    unsigned inside = 0;

    for (unsigned n = 0; n < 300; n++) {
        Surface s = test_random_surface(rng, shape, tiling, format->code,
                                        &extents[n % 3]);

        inside += compare_lanes(rng, &s);
    }
    g_assert_true(inside > 300 || !*format->channels ||
                  format->type == REF_SRGB);
}

static void test_all_lanes_at_once_go_to_the_same_places(void)
{
    for_each_kind(compare_lanes_of_kind);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/layout_random/" #name, test_##name)
    RULE(random_surfaces_against_the_second_implementation);
    RULE(texels_are_distinct_and_within_the_extent);
    RULE(bytes_of_2d_surfaces_and_their_runs);
    RULE(all_lanes_at_once_go_to_the_same_places);
#undef RULE
    return g_test_run();
}
