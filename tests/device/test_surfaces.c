/*
 * veu device tests: surfaces of all shapes, as the guest library describes
 * them, written by scatter4_typed: docs/spec.md, section 9.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <string.h>
#include "tests/device/rig.h"
#include "tests/lib/ref_surface.h"
#include "veu_encode.h"
#include "veu_program.h"
#include "veu_surfaces.h"

#define LANES       8
#define ARENA_BYTES 0x40000

typedef struct Coordinates {
    uint32_t u, v, r, lod;
} Coordinates;

/* Lane n writes n + 1 to the texel at its coordinates. */
static void scatter(Rig *r, const Coordinates at[LANES])
{
    struct veu_command_dispatch command;
    struct veu_program p;
    uint32_t id[5], *registers;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    for (unsigned i = 0; i < G_N_ELEMENTS(id); i++) {
        id[i] = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    }
    veu_encode_scatter4_typed(&p.code, VEU_PRED_ALWAYS, VEU_CHANNEL_R,
                              veu_m(1, LANES), T6,
                              (struct veu_texels){ veu_v(id[0]), veu_v(id[1]),
                                                   veu_v(id[2]), veu_v(id[3]) },
                              veu_v(id[4]));
    command = veu_make_dispatch(1, r->program, veu_program_end(&p), LANES);
    memset(r->payload, 0, veu_payload_bytes(&p));
    *(uint32_t *)r->payload = UINT32_MAX; /* all lanes */
    registers = (uint32_t *)veu_payload_registers(r->payload, &p);
    for (unsigned n = 0; n < LANES; n++) {
        registers[n] = at[n].u;
        registers[LANES + n] = at[n].v;
        registers[2 * LANES + n] = at[n].r;
        registers[3 * LANES + n] = at[n].lod;
        registers[4 * LANES + n] = n + 1;
    }
    veu_launch_payload(&command.launch, r->payload, veu_payload_bytes(&p));
    veu_launch_surfaces(&command.launch, r->surfaces, 1);
    memset(r->arena, 0, ARENA_BYTES);
    rig_run(r, &command.header);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_FAULT_COUNT), ==, 0);
}

/* The worked example of the specification, at both ends of its surface. */
static void test_the_worked_example(const char *accel)
{
    static const Coordinates at[LANES] = {
        { 9, 5, 1, 2 }, { 0, 0, 0, 0 }, { 0, 0, 2, 5 }, { 10, 5, 1, 2 },
        { 9, 6, 1, 2 }, { 9, 5, 3, 2 }, { 9, 5, 1, 6 }, { 39, 23, 0, 0 },
    };
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    g_autofree uint8_t *want = g_malloc0(ARENA_BYTES);
    struct veu_surface s = {
        .format = VEU_FORMAT_R8G8B8A8_UINT,
        .type = VEU_SURFACE_2D,
        .flags = VEU_SURFACE_ARRAY,
        .tiling = VEU_TILING_TILE4,
        .width = 40,
        .height = 24,
        .depth = 3,
        .levels = 6,
    };

    s = veu_surface_image(r->arena, s);
    g_assert_cmpuint(s.pitch, ==, 256);
    g_assert_cmpuint(s.qpitch, ==, 44);
    g_assert_cmpuint(veu_surface_bytes(&s), ==, 5 * 32 * 256);
    r->surfaces[0] = s;
    rig_start(r);
    scatter(r, at);
    want[0x46d4] = 1;
    want[0] = 2;
    /* byte 80 of row 2 * 44 + 24 + 8 + 4 + 4 = 128: the first row of tile 8 */
    want[8 * 4096 + 0x240] = 3;
    /* byte 156 of row 23 is byte 28 of row 23 in tile 1 */
    want[4096 + 0x97c] = 8;
    g_assert_cmpmem(r->arena, ARENA_BYTES, want, ARENA_BYTES);
}

static const struct veu_surface images[] = {
    { .type = VEU_SURFACE_1D, .width = 50, .levels = 3, .min_lod = 1 },
    { .type = VEU_SURFACE_1D,
      .flags = VEU_SURFACE_ARRAY,
      .width = 50,
      .depth = 9,
      .levels = 4 },
    { .type = VEU_SURFACE_2D,
      .tiling = VEU_TILING_X,
      .width = 150,
      .height = 33,
      .levels = 5 },
    { .type = VEU_SURFACE_2D,
      .tiling = VEU_TILING_Y,
      .flags = VEU_SURFACE_ARRAY,
      .width = 33,
      .height = 21,
      .depth = 7,
      .min_array_element = 2,
      .view_extent = 4,
      .levels = 1 },
    { .type = VEU_SURFACE_3D,
      .tiling = VEU_TILING_TILE4,
      .width = 20,
      .height = 30,
      .depth = 9,
      .levels = 3 },
    { .type = VEU_SURFACE_CUBE,
      .tiling = VEU_TILING_Y,
      .width = 32,
      .height = 32,
      .depth = 12,
      .levels = 6 },
    { .type = VEU_SURFACE_CUBE,
      .width = 9,
      .height = 9,
      .depth = 6,
      .levels = 2 },
};

/* Coordinates about as large as the level, in an irregular pattern. */
static Coordinates pick(const struct veu_surface *s, unsigned n)
{
    unsigned lod = n % (s->levels + 1);
    unsigned level = lod + s->min_lod;
    bool flat = s->type == VEU_SURFACE_1D;

    return (Coordinates){
        .u = n * 7 % ((s->width >> level) + 2),
        .v = n * 5 % ((flat ? s->depth : s->height >> level) + 2),
        .r = n * 3 % (s->depth + 2),
        .lod = lod,
    };
}

static unsigned check_scatter(Rig *r, const Coordinates at[LANES])
{
    const struct veu_surface *s = &r->surfaces[0];
    g_autofree uint8_t *want = g_malloc0(ARENA_BYTES);
    unsigned inside = 0;

    for (unsigned n = 0; n < LANES; n++) {
        uint64_t address;
        uint32_t value = n + 1;

        if (ref_texel(s, at[n].u, at[n].v, at[n].r, at[n].lod, &address)) {
            memcpy(want + (address - s->base), &value, sizeof(value));
            inside++;
        }
    }
    g_assert_cmpmem(r->arena, ARENA_BYTES, want, ARENA_BYTES);
    return inside;
}

static void check_image(Rig *r, struct veu_surface image)
{
    unsigned inside = 0;

    image.format = VEU_FORMAT_R32_UINT;
    r->surfaces[0] = veu_surface_image(r->arena, image);
    g_assert_cmpuint(veu_surface_bytes(&r->surfaces[0]), <=, ARENA_BYTES);
    g_assert_cmpuint(veu_surface_bytes(&r->surfaces[0]), >=,
                     ref_surface_bytes(&r->surfaces[0]));
    for (unsigned n = 0; n < 64; n += LANES) {
        Coordinates at[LANES];

        for (unsigned i = 0; i < LANES; i++) {
            at[i] = pick(&image, n + i);
        }
        scatter(r, at);
        inside += check_scatter(r, at);
    }
    g_assert_cmpuint(inside, >=, 8);
    g_assert_cmpuint(inside, <=, 56);
}

static void test_images_of_all_shapes(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    for (unsigned i = 0; i < G_N_ELEMENTS(images); i++) {
        g_test_message("image %u", i);
        check_image(r, images[i]);
    }
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("the-worked-example", test_the_worked_example);
    rig_test_add("images-of-all-shapes", test_images_of_all_shapes);
    return g_test_run();
}
