/*
 * veu device tests: veu-display: surfaces of all kinds that can be shown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A second implementation, tests/lib/ref_surface.c, places the texels.
 */
#include "tests/device/iommu.h"
#include "tests/device/screen.h"

static const enum veu_format formats[] = {
    VEU_FORMAT_B8G8R8A8_UNORM, VEU_FORMAT_R10G10B10A2_UNORM,
    VEU_FORMAT_R8G8B8A8_UNORM, VEU_FORMAT_B10G10R10A2_UNORM,
    VEU_FORMAT_B5G6R5_UNORM,   VEU_FORMAT_B5G5R5A1_UNORM,
    VEU_FORMAT_B4G4R4A4_UNORM, VEU_FORMAT_B5G5R5X1_UNORM,
};

static void test_size_changes_with_the_surface(const char *accel)
{
    static const struct {
        unsigned width;
        unsigned height;
        unsigned pitch;
    } sizes[] = { { 1, 1, 4 },
                  { 1, 300, 8 },
                  { 640, 480, 2560 },
                  { 301, 1, 2048 },
                  { 800, 600, 3200 } };
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        s->surface->width = sizes[i].width;
        s->surface->height = sizes[i].height;
        s->surface->pitch = sizes[i].pitch;
        screen_show(s, i);
    }
}

static void test_largest_surface(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);

    *s->surface = veu_surface_2d(s->rig->vm->ram + SCREEN_LARGE,
                                 VEU_FORMAT_R8G8B8A8_UNORM, 4096, 4096,
                                 4096 * 4);
    screen_show(s, 7);
}

static void test_formats_and_tilings(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);

    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        *s->surface = veu_surface_2d(s->rig->arena, formats[i], SCREEN_WIDTH,
                                     SCREEN_HEIGHT, 1536);
        for (unsigned tiling = VEU_TILING_LINEAR; tiling <= VEU_TILING_TILE4;
             tiling++) {
            s->surface->tiling = tiling;
            screen_show(s, i * 4 + tiling);
        }
    }
}

/* The view shows its own level 0 and slice 0, not those of the memory. */
static void test_views_of_mip_levels_and_arrays(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);

    *s->surface = veu_surface_2d(s->rig->vm->ram + SCREEN_LARGE,
                                 VEU_FORMAT_R8G8B8A8_UNORM, 500, 300, 4096);
    s->surface->flags = VEU_SURFACE_ARRAY;
    s->surface->depth = 5;
    s->surface->qpitch = 512;
    s->surface->min_array_element = 3;
    s->surface->levels = 2;
    s->surface->min_lod = 2;
    s->surface->halign = 16;
    s->surface->valign = 8;
    for (unsigned tiling = VEU_TILING_LINEAR; tiling <= VEU_TILING_TILE4;
         tiling++) {
        s->surface->tiling = tiling;
        screen_show(s, tiling);
    }
}

/*
 * In this case the main loop runs the flips; addresses are those of the device.
 */
static void test_behind_an_iommu(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, "-M q35 " IOMMU_DEVICE
                                      "-device veu-display,id=veu0,addr=4");
    struct veu_surface guest;
    Screen *s;

    iommu_set_up(r->vm);
    s = screen_attach(r);
    guest = *s->surface;
    screen_draw(s, 1);
    port_set_device_offset(IOMMU_OFFSET);
    s->surface->base += IOMMU_OFFSET;
    screen_flip(s);
    *s->surface = guest;
    screen_assert_shows(s, 1);
    s->surface->base += 2 * IOMMU_OFFSET;
    veu_scanout_flip(&s->scanout, s->surface);
    screen_wait_done(s);
    g_assert_cmpstr(veu_fault_name(screen_read(s, VEU_REG_SCANOUT_FAULT)), ==,
                    "SCANOUT_MEMORY");
    *s->surface = guest;
    screen_assert_shows(s, 1);
    g_free(s);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("size-changes-with-the-surface",
                 test_size_changes_with_the_surface);
    rig_test_add("largest-surface", test_largest_surface);
    rig_test_add("formats-and-tilings", test_formats_and_tilings);
    rig_test_add("views-of-mip-levels-and-arrays",
                 test_views_of_mip_levels_and_arrays);
    rig_test_add("behind-an-iommu", test_behind_an_iommu);
    return g_test_run();
}
