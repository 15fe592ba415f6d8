/*
 * veu device tests: a veu-display, and surfaces for it to show.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/screen.h"
#include "tests/lib/ref_surface.h"

Screen *screen_attach(Rig *r)
{
    Screen *s = g_new0(Screen, 1);

    s->rig = r;
    s->surface = r->surfaces;
    *s->surface = veu_surface_2d(r->arena, VEU_FORMAT_R8G8B8A8_UNORM,
                                 SCREEN_WIDTH, SCREEN_HEIGHT, SCREEN_PITCH);
    g_assert_cmpint(veu_scanout_start(&s->scanout, &r->device, 0,
                                      VEU_NO_VECTOR),
                    ==, VEU_OK);
    return s;
}

Screen *screen_new(const char *accel, const char *machine)
{
    return screen_attach(rig_new(accel, machine));
}

void screen_free(Screen *s)
{
    rig_free(s->rig);
    g_free(s);
}

/* ---- pictures ---- */

/* A value that shows mix-ups of rows, columns or channels. */
static uint32_t texel(unsigned x, unsigned y, unsigned seed)
{
    uint32_t n = (x * 0x9e3779b1u) ^ (y * 0x85ebca6bu) ^ (seed * 0xc2b2ae35u);

    n ^= n >> 15;
    n *= 0x2c1b3c6du;
    return n ^ n >> 13;
}

/*
 * Typed by hand from docs/spec.md, "Formats": lowest bit and number of bits of
 * R, G, B.
 */
typedef struct Layout {
    uint16_t format;
    uint8_t place[3];
    uint8_t bits[3];
} Layout;

static const Layout layouts[] = {
    { VEU_FORMAT_B8G8R8A8_UNORM, { 16, 8, 0 }, { 8, 8, 8 } },
    { VEU_FORMAT_R10G10B10A2_UNORM, { 0, 10, 20 }, { 10, 10, 10 } },
    { VEU_FORMAT_R8G8B8A8_UNORM, { 0, 8, 16 }, { 8, 8, 8 } },
    { VEU_FORMAT_B10G10R10A2_UNORM, { 20, 10, 0 }, { 10, 10, 10 } },
    { VEU_FORMAT_B5G6R5_UNORM, { 11, 5, 0 }, { 5, 6, 5 } },
    { VEU_FORMAT_B5G5R5A1_UNORM, { 10, 5, 0 }, { 5, 5, 5 } },
    { VEU_FORMAT_B4G4R4A4_UNORM, { 8, 4, 0 }, { 4, 4, 4 } },
    { VEU_FORMAT_B5G5R5X1_UNORM, { 10, 5, 0 }, { 5, 5, 5 } },
};

static const Layout *find_layout(uint16_t format)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(layouts); i++) {
        if (layouts[i].format == format) {
            return &layouts[i];
        }
    }
    g_assert_not_reached();
}

/* Repeats the bits, and returns the upper 8. */
static uint8_t widen(uint32_t value, unsigned bits)
{
    uint32_t wide = value << (32 - bits);

    for (unsigned have = bits; have < 8; have *= 2) {
        wide |= wide >> have;
    }
    return wide >> 24;
}

static void colour(const Layout *layout, uint32_t value, uint8_t rgb[3])
{
    for (unsigned i = 0; i < 3; i++) {
        unsigned bits = layout->bits[i];

        rgb[i] = widen((value >> layout->place[i]) & ((1u << bits) - 1), bits);
    }
}

static uint32_t side(uint32_t level_0, const struct veu_surface *surface)
{
    return MAX(1, level_0 >> surface->min_lod);
}

void screen_draw(Screen *s, unsigned seed)
{
    const struct veu_surface *surface = s->surface;
    unsigned bytes = veu_format_bytes(surface->format);
    uint64_t address;

    for (unsigned y = 0; y < side(surface->height, surface); y++) {
        for (unsigned x = 0; x < side(surface->width, surface); x++) {
            uint32_t value = texel(x, y, seed);

            g_assert_true(ref_texel(surface, x, y, 0, 0, &address));
            memcpy(s->rig->vm->ram + address, &value, bytes);
        }
    }
}

Image *screen_picture(const struct veu_surface *surface, unsigned seed)
{
    const Layout *layout = find_layout(surface->format);
    Image *image = image_new(side(surface->width, surface),
                             side(surface->height, surface));

    for (unsigned y = 0; y < image->height; y++) {
        for (unsigned x = 0; x < image->width; x++) {
            colour(layout, texel(x, y, seed), image_pixel(image, x, y));
        }
    }
    return image;
}

/* ---- flips ---- */

uint32_t screen_read(Screen *s, enum veu_reg offset)
{
    return veu_scanout_read32(&s->scanout, offset);
}

void screen_wait_done(Screen *s)
{
    VM_WAIT(s->rig->vm, veu_scanout_is_done(&s->scanout), "the flip to end");
}

void screen_flip(Screen *s)
{
    veu_scanout_flip(&s->scanout, s->surface);
    screen_wait_done(s);
    g_assert_cmpstr(veu_fault_name(screen_read(s, VEU_REG_SCANOUT_FAULT)), ==,
                    "none");
}

void screen_assert_shows(Screen *s, unsigned seed)
{
    g_autoptr(Image) image = image_dump(s->rig->vm, "veu0");
    g_autoptr(Image) expected = screen_picture(s->surface, seed);

    image_assert_equal(image, expected);
}

void screen_show(Screen *s, unsigned seed)
{
    screen_draw(s, seed);
    screen_flip(s);
    screen_assert_shows(s, seed);
}
