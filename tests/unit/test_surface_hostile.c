/*
 * veu unit tests: descriptors of a hostile guest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/surface/texel.h"
#include "hw/veu/eu/surface/descriptor.h"
#include "hw/veu/eu/surface/surface.h"
#include "tests/lib/random_surface.h"
#include "tests/lib/ref.h"

#define HOSTILE 300000

typedef struct veu_surface Surface;

/* Random bytes, and legal descriptors with a few changed bytes. */
static Surface hostile_surface(GRand *rng)
{
    static const TestExtent most = { 300, 300, 30, 3 };
    const TestShape *shape = &test_shapes[g_rand_int(rng) % TEST_SHAPES];
    Surface s = test_random_surface(rng, shape, test_random_tiling(rng, shape),
                                    VEU_FORMAT_R8G8B8A8_UINT, &most);
    unsigned changes = g_rand_int(rng) % 3;

    s.base = g_rand_boolean(rng) ?
                 -(uint64_t)g_rand_int_range(rng, 1, 200) * 0x1000 :
                 0;
    if (g_rand_int(rng) % 8 == 0) {
        changes = 64;
    }
    while (changes--) {
        ((uint8_t *)&s)[g_rand_int(rng) % sizeof(s)] = g_rand_int(rng);
    }
    return s;
}

/* Checks pieces of rows, as media messages use them. */
static void check_bytes(GRand *rng, const Surface *s, const VeuSurface *out)
{
    for (unsigned n = 0; n < 32; n++) {
        uint32_t x = g_rand_int(rng) >> g_rand_int_range(rng, 0, 32);
        uint32_t y = g_rand_int(rng) >> g_rand_int_range(rng, 0, 32);
        uint64_t address;
        uint32_t run = veu_surface_byte(out, x, y, &address);

        if (run) {
            g_assert_cmpuint(address, >=, s->base);
            g_assert_cmpuint(address - s->base + run, <=, out->bytes);
        }
    }
}

static void check_texels(GRand *rng, const Surface *s, const VeuSurface *out)
{
    unsigned texel = ref_texel_bytes(ref_format(s->format));

    for (unsigned n = 0; n < 32; n++) {
        VeuCoordinates at = {
            .u = g_rand_int(rng) >> g_rand_int_range(rng, 0, 32),
            .v = g_rand_int(rng) >> g_rand_int_range(rng, 0, 32),
            .r = g_rand_int(rng) >> g_rand_int_range(rng, 0, 32),
            .lod = g_rand_int(rng) >> g_rand_int_range(rng, 0, 32),
        };
        uint64_t address;

        if (veu_surface_texel(out, &at, &address)) {
            g_assert_cmpuint(address, >=, s->base);
            g_assert_cmpuint(address - s->base + texel, <=, out->bytes);
        }
    }
}

/* An accepted descriptor never leads outside of [base, base + size). */
static void test_hostile_descriptors(void)
{
    GRand *rng = g_rand_new_with_seed(5);
    unsigned accepted = 0;

    for (unsigned n = 0; n < HOSTILE; n++) {
        Surface s = hostile_surface(rng);
        uint32_t detail;
        VeuSurface out;

        if (veu_surface_decode(&s, &out, &detail)) {
            if (s.type != VEU_SURFACE_NULL) {
                g_assert_cmpuint(s.base + out.bytes, >, s.base);
                check_texels(rng, &s, &out);
                if (s.type == VEU_SURFACE_2D) {
                    check_bytes(rng, &s, &out);
                }
                accepted++;
            }
        } else {
            g_assert_cmpuint(detail, <, sizeof(s));
        }
    }
    g_assert_cmpuint(accepted, >, HOSTILE / 10);
    g_assert_cmpuint(accepted, <, HOSTILE * 9 / 10);
    g_rand_free(rng);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/surface_hostile/no_address_is_outside_of_the_extent",
                    test_hostile_descriptors);
    return g_test_run();
}
