/*
 * veu unit tests: flips that are refused: docs/spec.md, "Scanout".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/scanout_fixture.h"

/* A flip is refused after a good one, and the next one succeeds again. */
static void check_refused(Show *s, uint16_t code, uint32_t detail,
                          uint64_t address)
{
    unsigned before = show_interrupts(s);
    const VeuEvent *event;

    show_begin_flip(s);
    show_run(s);
    show_assert_refused(s, code, detail, address);
    g_assert_cmpuint(s->screen.shown, ==, 1);
    show_assert_shown(s, 0);
    g_assert_cmpuint(show_interrupts(s), ==,
                     before + (show_reg(s, VECTOR) == FLIP_VECTOR));
    event = test_host_last_event(&s->dev->host, VEU_EVENT_FAULT);
    g_assert_nonnull(event);
    g_assert_cmphex(event->ring, ==, VEU_EVENT_NO_RING);
    g_assert_cmphex(event->at, ==, address);
    g_assert_cmphex(event->value, ==, detail);
    dev_write(s->dev, 0x68, 1, 4);
    g_assert_cmpuint(dev_read(s->dev, 0x120, 8), ==, 1);
}

static Show *show_shown(void)
{
    Show *s = show_new();

    show_begin_flip(s);
    show_run(s);
    show_assert_well(s);
    return s;
}

static void test_bad_registers_are_refused(void)
{
    static const struct {
        uint32_t offset;
        uint64_t value;
        uint32_t detail;
    } bad[] = {
        { CONTEXT, DEV_RINGS, 0x0c },  { CONTEXT, UINT32_MAX, 0x0c },
        { VECTOR, DEV_VECTORS, 0x18 }, { VECTOR, 0xfffffffe, 0x18 },
        { 0x8000, 2, 0x0c },           { 0x8000, UINT32_MAX, 0x0c },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(Show) s = show_shown();

        dev_write(s->dev, bad[i].offset, bad[i].value, 4);
        check_refused(s, VEU_FAULT_SCANOUT_CONFIG, bad[i].detail, 0);
    }
}

static void test_a_descriptor_has_to_be_in_ram(void)
{
    static const uint64_t bad[] = { DEV_HOLE, 0xfffffffffffffff8,
                                    DEV_RAM - 0x40 };

    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(Show) s = show_shown();

        dev_write(s->dev, SURFACE, bad[i], 8);
        check_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0, bad[i]);
    }
}

static void test_a_descriptor_may_end_at_the_end_of_ram(void)
{
    g_autoptr(Show) s = show_shown();
    uint64_t at = DEV_RAM + DEV_RAM_BYTES - sizeof(s->surface);

    test_memory_put(&s->dev->host.memory, at, &s->surface, sizeof(s->surface));
    dev_write(s->dev, SURFACE, at, 8);
    show_begin_flip(s);
    show_run(s);
    show_assert_well(s);
    dev_write(s->dev, SURFACE, at + 8, 8);
    show_begin_flip(s);
    show_run(s);
    show_assert_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0,
                        DEV_RAM + DEV_RAM_BYTES);
}

typedef struct BadField {
    uint32_t detail;
    size_t offset;
    unsigned bytes;
    uint64_t value;
} BadField;

#define BAD(field, value)                                     \
    {                                                         \
        offsetof(struct veu_surface, field),                  \
            offsetof(struct veu_surface, field),              \
            sizeof(((struct veu_surface *)0)->field), (value) \
    }

static void check_bad_field(const BadField *bad, uint16_t code)
{
    g_autoptr(Show) s = show_shown();

    memcpy((uint8_t *)&s->surface + bad->offset, &bad->value, bad->bytes);
    show_put_surface(s);
    check_refused(s, code, bad->detail, 0);
}

static void test_an_illegal_descriptor_is_refused(void)
{
    static const BadField bad[] = {
        BAD(type, 0xff),    BAD(tiling, 0x80),     BAD(format, 0xffff),
        BAD(flags, 0x8000), BAD(width, 0),         BAD(width, UINT32_MAX),
        BAD(height, 0),     BAD(height, 16385),    BAD(pitch, 3),
        BAD(pitch, 76),     BAD(base, TEXELS + 1), BAD(levels, 0),
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        check_bad_field(&bad[i], VEU_FAULT_SCANOUT_FIELD);
    }
}

static void test_only_2d_surfaces_are_shown(void)
{
    g_autoptr(Show) s = show_shown();
    const struct veu_surface others[] = {
        { .type = VEU_SURFACE_NULL },
        { .type = VEU_SURFACE_1D,
          .base = TEXELS,
          .format = VEU_FORMAT_R8G8B8A8_UNORM,
          .width = WIDTH,
          .levels = 1 },
        { .type = VEU_SURFACE_BUFFER,
          .base = TEXELS,
          .format = VEU_FORMAT_R8G8B8A8_UNORM,
          .width = WIDTH },
        { .type = VEU_SURFACE_BUFFER,
          .flags = VEU_SURFACE_SLM,
          .format = VEU_FORMAT_RAW,
          .width = WIDTH },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(others); i++) {
        s->surface = others[i];
        show_put_surface(s);
        show_begin_flip(s);
        show_run(s);
        show_assert_refused(s, VEU_FAULT_SCANOUT_SURFACE, 10, 0);
    }
    show_assert_shown(s, 0);
}

/* Formats that the text lists. */
static bool is_listed(const char *format)
{
    static const char *const listed[] = {
        "B8G8R8A8_UNORM",    "R10G10B10A2_UNORM", "R8G8B8A8_UNORM",
        "B10G10R10A2_UNORM", "B5G6R5_UNORM",      "B5G5R5A1_UNORM",
        "B4G4R4A4_UNORM",    "B5G5R5X1_UNORM",    NULL
    };

    return g_strv_contains(listed, format);
}

static void test_only_listed_formats_are_shown(void)
{
    g_autoptr(Show) s = show_shown();

    s->surface.pitch = 512;
    for (unsigned i = 0; i < veu_format_count; i++) {
        s->surface.format = veu_formats[i].code;
        if (s->surface.format == VEU_FORMAT_RAW) {
            continue;
        }
        show_put_surface(s);
        show_begin_flip(s);
        show_run(s);
        if (is_listed(veu_formats[i].name)) {
            show_assert_well(s);
        } else {
            show_assert_refused(s, VEU_FAULT_SCANOUT_SURFACE, 8, 0);
        }
    }
}

static void test_sides_of_up_to_4096_texels_are_shown(void)
{
    g_autoptr(Show) s = show_shown();

    s->surface.width = 4096;
    s->surface.pitch = 4096 * 4;
    show_put_surface(s);
    show_begin_flip(s);
    show_run(s);
    show_assert_well(s);
    s->surface.width = 1;
    s->surface.height = 4096;
    s->surface.pitch = 4;
    show_put_surface(s);
    show_begin_flip(s);
    show_run(s);
    show_assert_well(s);
}

static void test_larger_sides_are_refused(void)
{
    g_autoptr(Show) s = show_shown();

    s->surface.width = 4097;
    s->surface.pitch = 4097 * 4;
    show_put_surface(s);
    show_begin_flip(s);
    show_run(s);
    show_assert_refused(s, VEU_FAULT_SCANOUT_SURFACE, 12, 0);
    s->surface.width = 1;
    s->surface.height = 4097;
    show_put_surface(s);
    show_begin_flip(s);
    show_run(s);
    show_assert_refused(s, VEU_FAULT_SCANOUT_SURFACE, 16, 0);
    g_assert_cmpuint(s->screen.begun, ==, 1);
}

/* The fault names the first row whose texels are not all in RAM. */
static void test_texels_have_to_be_in_ram(void)
{
    g_autoptr(Show) s = show_shown();
    uint64_t end = DEV_RAM + DEV_RAM_BYTES;

    s->surface.base = end - 3 * PITCH - 8;
    show_put_surface(s);
    check_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0, end);
    s->surface.base = DEV_HOLE;
    show_put_surface(s);
    show_begin_flip(s);
    show_run(s);
    show_assert_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0, DEV_HOLE);
}

static void test_memory_may_be_read_only(void)
{
    g_autoptr(Show) s = show_shown();

    s->surface.base = DEV_ROM;
    show_put_surface(s);
    show_begin_flip(s);
    show_run(s);
    show_assert_well(s);
}

static void test_a_host_without_memory_refuses(void)
{
    g_autoptr(Show) s = show_shown();

    s->screen.refuses = true;
    check_refused(s, VEU_FAULT_SCANOUT_HOST, 0, 0);
    g_assert_cmpstr(test_host_last_event(&s->dev->host, VEU_EVENT_FAULT)->name,
                    ==, "SCANOUT_HOST");
    s->screen.refuses = false;
    show_begin_flip(s);
    show_run(s);
    show_assert_well(s);
}

/* ---- contexts ---- */

static void set_windows(Show *s, const struct veu_window *windows,
                        unsigned count)
{
    test_memory_put(&s->dev->host.memory, WINDOWS, windows,
                    count * sizeof(*windows));
    dev_write(s->dev, 0x8100, VEU_CONTEXT_WINDOWS, 4);
    dev_write(s->dev, 0x8104, count, 4);
    dev_write(s->dev, 0x8108, WINDOWS, 8);
    dev_write(s->dev, CONTEXT, 1, 4);
}

static void test_addresses_go_through_the_context(void)
{
    struct veu_window windows[] = {
        { DESCRIPTOR & ~4095ull, 4096, VEU_WINDOW_READ, 0 },
        { TEXELS, 4096, VEU_WINDOW_READ, 0 },
    };
    g_autoptr(Show) s = show_shown();

    set_windows(s, windows, 2);
    show_begin_flip(s);
    show_run(s);
    show_assert_well(s);
    set_windows(s, windows, 1);
    show_begin_flip(s);
    show_run(s);
    show_assert_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0, TEXELS);
    windows[1].permissions = VEU_WINDOW_WRITE;
    set_windows(s, windows, 2);
    show_begin_flip(s);
    show_run(s);
    show_assert_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0, TEXELS);
    set_windows(s, windows + 1, 1);
    show_begin_flip(s);
    show_run(s);
    show_assert_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0, DESCRIPTOR);
}

static void test_a_bad_context_is_refused_as_for_a_ring(void)
{
    const struct veu_window window = { TEXELS + 1, 4096, VEU_WINDOW_READ, 0 };
    g_autoptr(Show) s = show_shown();

    set_windows(s, &window, 1);
    show_begin_flip(s);
    show_run(s);
    show_assert_refused(s, VEU_FAULT_CONTEXT_WINDOW, 0, 0);
    dev_write(s->dev, 0x8108, DEV_HOLE, 8);
    show_begin_flip(s);
    show_run(s);
    show_assert_refused(s, VEU_FAULT_CONTEXT_TABLE, 0, DEV_HOLE);
    dev_write(s->dev, 0x8104, 257, 4);
    show_begin_flip(s);
    show_run(s);
    show_assert_refused(s, VEU_FAULT_SCANOUT_CONFIG, 0x0c, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/scanout-refused/" #name, test_##name)
    RULE(bad_registers_are_refused);
    RULE(a_descriptor_has_to_be_in_ram);
    RULE(a_descriptor_may_end_at_the_end_of_ram);
    RULE(an_illegal_descriptor_is_refused);
    RULE(only_2d_surfaces_are_shown);
    RULE(only_listed_formats_are_shown);
    RULE(sides_of_up_to_4096_texels_are_shown);
    RULE(larger_sides_are_refused);
    RULE(texels_have_to_be_in_ram);
    RULE(memory_may_be_read_only);
    RULE(a_host_without_memory_refuses);
    RULE(addresses_go_through_the_context);
    RULE(a_bad_context_is_refused_as_for_a_ring);
#undef RULE
    return g_test_run();
}
