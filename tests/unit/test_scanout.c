/*
 * veu unit tests: the scanout: docs/spec.md, "Scanout".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/device_fixture.h"
#include "tests/lib/ref_surface.h"
#include "tests/lib/test_screen.h"

/* By hand, from the text. */
#define LIMIT_WIDTH  0xc000
#define LIMIT_HEIGHT 0xc004
#define CONTROL      0xc008
#define CONTEXT      0xc00c
#define SURFACE      0xc010
#define VECTOR       0xc018
#define FLIP         0xc01c
#define DONE         0xc020
#define FAULT        0xc024
#define DETAIL       0xc028
#define ADDRESS      0xc030

#define DESCRIPTOR  DEV_SURFACES
#define TEXELS      DEV_PROGRAM
#define WIDTH       20
#define HEIGHT      9
#define PITCH       96
#define WINDOWS     DEV_PAYLOAD
#define FLIP_VECTOR 2

typedef struct Show {
    Dev *dev;
    TestScreen screen;
    struct veu_surface surface;
    uint32_t number;
} Show;

static void put_surface(Show *s)
{
    test_memory_put(&s->dev->host.memory, DESCRIPTOR, &s->surface,
                    sizeof(s->surface));
}

/* What the driver has in row @y, padding and all. */
static void fill_row(uint8_t *bytes, unsigned count, unsigned y, uint8_t seed)
{
    for (unsigned i = 0; i < count; i++) {
        bytes[i] = seed + y * 29 + i * 7;
    }
}

static void put_texels(Show *s, uint8_t seed)
{
    uint8_t row[PITCH];

    for (unsigned y = 0; y < HEIGHT; y++) {
        fill_row(row, PITCH, y, seed);
        test_memory_put(&s->dev->host.memory, TEXELS + y * PITCH, row, PITCH);
    }
}

static Show *show_new(void)
{
    Show *s = g_new0(Show, 1);

    s->dev = dev_new();
    test_screen_init(&s->screen, &s->dev->host);
    s->surface = (struct veu_surface){
        .base = TEXELS,
        .format = VEU_FORMAT_R8G8B8A8_UNORM,
        .type = VEU_SURFACE_2D,
        .width = WIDTH,
        .height = HEIGHT,
        .pitch = PITCH,
        .levels = 1,
    };
    put_surface(s);
    put_texels(s, 0);
    dev_write(s->dev, SURFACE, DESCRIPTOR, 8);
    dev_write(s->dev, VECTOR, FLIP_VECTOR, 4);
    dev_write(s->dev, CONTROL, 1, 4);
    return s;
}

static void show_free(Show *s)
{
    test_screen_free(&s->screen);
    dev_free(s->dev);
    g_free(s);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Show, show_free)

static void begin_flip(Show *s)
{
    dev_write(s->dev, FLIP, ++s->number, 4);
}

static VeuStep step(Show *s, unsigned budget)
{
    test_memory_move(&s->dev->host.memory);
    return veu_scanout_step(s->dev->device, budget);
}

static void run(Show *s)
{
    for (unsigned i = 0; step(s, 3) == VEU_STEP_MORE; i++) {
        g_assert_cmpuint(i, <, 10000);
    }
}

static uint64_t reg(Show *s, uint32_t offset)
{
    return dev_read(s->dev, offset,
                    offset == SURFACE || offset == ADDRESS ? 8 : 4);
}

static unsigned interrupts(Show *s)
{
    return test_host_count(&s->dev->host, TEST_LOG_INTERRUPT);
}

static void assert_shown(Show *s, uint8_t seed)
{
    uint8_t row[PITCH];

    g_assert_nonnull(s->screen.picture);
    g_assert_cmpuint(s->screen.picture->len, ==, WIDTH * HEIGHT * 4);
    for (unsigned y = 0; y < HEIGHT; y++) {
        fill_row(row, PITCH, y, seed);
        g_assert_cmpmem(s->screen.picture->data + y * WIDTH * 4, WIDTH * 4, row,
                        WIDTH * 4);
    }
}

/* The newest flip has ended well. */
static void assert_well(Show *s)
{
    g_assert_cmpuint(reg(s, DONE), ==, s->number);
    g_assert_cmphex(reg(s, FAULT), ==, 0);
    g_assert_cmphex(reg(s, DETAIL), ==, 0);
    g_assert_cmphex(reg(s, ADDRESS), ==, 0);
}

/* It has been refused, and what was shown before still is. */
static void assert_refused(Show *s, uint16_t code, uint32_t detail,
                           uint64_t address)
{
    g_assert_cmpuint(reg(s, DONE), ==, s->number);
    g_assert_cmphex(reg(s, FAULT), ==, code);
    g_assert_cmphex(reg(s, DETAIL), ==, detail);
    g_assert_cmphex(reg(s, ADDRESS), ==, address);
}

/* ---- registers ---- */

static void test_without_a_display_there_are_no_registers(void)
{
    g_autoptr(Dev) d = dev_new();

    for (uint32_t at = 0xc000; at < 0xc100; at += 4) {
        dev_write(d, at, UINT32_MAX, 4);
        g_assert_cmphex(dev_read(d, at, 4), ==, 0);
        dev_write(d, at & ~7u, UINT64_MAX, 8);
        g_assert_cmphex(dev_read(d, at & ~7u, 8), ==, 0);
    }
    g_assert_cmpint(veu_scanout_step(d->device, 10), ==, VEU_STEP_STOPPED);
}

static void assert_reset_values(Show *s)
{
    g_assert_cmpuint(reg(s, LIMIT_WIDTH), ==, 4096);
    g_assert_cmpuint(reg(s, LIMIT_HEIGHT), ==, 4096);
    g_assert_cmphex(reg(s, CONTROL), ==, 0);
    g_assert_cmphex(reg(s, CONTEXT), ==, 0);
    g_assert_cmphex(reg(s, SURFACE), ==, 0);
    g_assert_cmphex(reg(s, VECTOR), ==, 0xffffffff);
    g_assert_cmphex(reg(s, FLIP), ==, 0);
    s->number = 0;
    assert_well(s);
}

static void test_registers_have_their_reset_values(void)
{
    g_autoptr(Show) s = show_new();

    dev_write(s->dev, CONTEXT, 7, 4);
    begin_flip(s);
    run(s);
    dev_write(s->dev, 8, 1, 4);
    assert_reset_values(s);
}

static void test_only_writable_bits_change(void)
{
    static const uint32_t read_only[] = { LIMIT_WIDTH, LIMIT_HEIGHT, DONE,
                                          FAULT,       DETAIL,       ADDRESS };
    g_autoptr(Show) s = show_new();

    dev_write(s->dev, SURFACE, UINT64_MAX, 8);
    g_assert_cmphex(reg(s, SURFACE), ==, 0xfffffffffffffff8);
    dev_write(s->dev, SURFACE + 4, 0x12345678, 4);
    g_assert_cmphex(reg(s, SURFACE), ==, 0x12345678fffffff8);
    dev_write(s->dev, CONTROL, UINT32_MAX, 4);
    g_assert_cmphex(reg(s, CONTROL), ==, 1);
    for (unsigned i = 0; i < G_N_ELEMENTS(read_only); i++) {
        uint64_t before = reg(s, read_only[i]);

        dev_write(s->dev, read_only[i], ~before, 4);
        g_assert_cmphex(reg(s, read_only[i]), ==, before);
    }
}

/* ---- flips ---- */

static void test_a_flip_shows_the_surface(void)
{
    g_autoptr(Show) s = show_new();

    begin_flip(s);
    g_assert_cmpuint(reg(s, DONE), ==, 0);
    run(s);
    assert_well(s);
    assert_shown(s, 0);
    g_assert_cmpuint(s->screen.frame.width, ==, WIDTH);
    g_assert_cmpuint(s->screen.frame.height, ==, HEIGHT);
    g_assert_cmpstr(s->screen.frame.format->name, ==, "R8G8B8A8_UNORM");
}

/* "in any tiling": the picture is the same, the memory is not. */
static void test_tiled_surfaces_are_shown(void)
{
    for (uint8_t tiling = VEU_TILING_X; tiling <= VEU_TILING_TILE4; tiling++) {
        g_autoptr(Show) s = show_new();
        uint8_t row[PITCH];

        s->surface.tiling = tiling;
        s->surface.pitch = 512;
        put_surface(s);
        for (unsigned y = 0; y < HEIGHT; y++) {
            fill_row(row, PITCH, y, tiling);
            for (unsigned x = 0; x < WIDTH * 4; x++) {
                test_memory_put(&s->dev->host.memory,
                                ref_plane_byte(&s->surface, x, y), &row[x], 1);
            }
        }
        begin_flip(s);
        run(s);
        assert_well(s);
        assert_shown(s, tiling);
    }
}

static void test_what_is_written_later_is_shown_by_the_next_flip(void)
{
    g_autoptr(Show) s = show_new();

    begin_flip(s);
    run(s);
    put_texels(s, 99);
    run(s);
    assert_shown(s, 0);
    begin_flip(s);
    run(s);
    assert_shown(s, 99);
    g_assert_cmpuint(s->screen.shown, ==, 2);
}

static void test_the_end_of_a_flip_is_an_interrupt(void)
{
    g_autoptr(Show) s = show_new();
    const TestHost *host = &s->dev->host;

    begin_flip(s);
    g_assert_cmpuint(interrupts(s), ==, 0);
    run(s);
    g_assert_cmpuint(interrupts(s), ==, 1);
    g_assert_cmpuint(s->screen.interrupts_before, ==, 0);
    for (unsigned i = 0; i < host->log_count; i++) {
        g_assert_true(host->log[i].kind != TEST_LOG_INTERRUPT ||
                      host->log[i].vector == FLIP_VECTOR);
    }
}

static void test_no_vector_is_no_interrupt(void)
{
    g_autoptr(Show) s = show_new();

    dev_write(s->dev, VECTOR, 0xffffffff, 4);
    begin_flip(s);
    run(s);
    assert_well(s);
    g_assert_cmpuint(interrupts(s), ==, 0);
}

static void test_a_step_copies_no_more_rows_than_its_budget(void)
{
    g_autoptr(Show) s = show_new();

    begin_flip(s);
    /* The first piece is the descriptor's. */
    for (unsigned done = 2; done < HEIGHT + 1; done += 2) {
        g_assert_cmpint(step(s, 2), ==, VEU_STEP_MORE);
        g_assert_cmpuint(s->screen.rows, ==, done - 1);
        g_assert_cmpuint(reg(s, DONE), ==, 0);
    }
    g_assert_cmpint(step(s, 2), ==, VEU_STEP_STOPPED);
    assert_well(s);
    g_assert_cmpint(step(s, 2), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(s->screen.shown, ==, 1);
}

static void test_a_flip_takes_the_registers_as_it_finds_them(void)
{
    g_autoptr(Show) s = show_new();

    begin_flip(s);
    dev_write(s->dev, SURFACE, DEV_HOLE, 8);
    dev_write(s->dev, CONTEXT, 77, 4);
    dev_write(s->dev, VECTOR, 1000, 4);
    run(s);
    assert_well(s);
    assert_shown(s, 0);
    g_assert_cmpuint(interrupts(s), ==, 1);
}

static void test_the_descriptor_is_read_once(void)
{
    g_autoptr(Show) s = show_new();

    begin_flip(s);
    step(s, 1);
    s->surface = (struct veu_surface){ .type = 0xff, .base = DEV_HOLE };
    put_surface(s);
    run(s);
    assert_well(s);
    assert_shown(s, 0);
}

static void test_a_newer_flip_replaces_one_under_way(void)
{
    g_autoptr(Show) s = show_new();

    begin_flip(s);
    step(s, 4);
    put_texels(s, 50);
    begin_flip(s);
    run(s);
    assert_well(s);
    assert_shown(s, 50);
    g_assert_cmpuint(s->screen.begun, ==, 2);
    g_assert_cmpuint(s->screen.shown, ==, 1);
    g_assert_cmpuint(interrupts(s), ==, 1);
}

static void test_any_number_is_a_flips_number(void)
{
    static const uint32_t numbers[] = { 0xffffffff, 0, 0, 0x80000000 };
    g_autoptr(Show) s = show_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++) {
        dev_write(s->dev, FLIP, numbers[i], 4);
        run(s);
        g_assert_cmphex(reg(s, DONE), ==, numbers[i]);
        g_assert_cmpuint(s->screen.shown, ==, i + 1);
    }
}

/* ---- disable and reset ---- */

static void test_disabling_blanks_and_drops_the_flip(void)
{
    g_autoptr(Show) s = show_new();

    begin_flip(s);
    run(s);
    begin_flip(s);
    step(s, 4);
    dev_write(s->dev, CONTROL, 0, 4);
    g_assert_null(s->screen.picture);
    g_assert_cmpint(step(s, 100), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(reg(s, DONE), ==, 1);
    g_assert_cmpuint(s->screen.shown, ==, 1);
    g_assert_cmpuint(interrupts(s), ==, 1);
}

static void test_a_flip_is_ignored_while_disabled(void)
{
    g_autoptr(Show) s = show_new();

    dev_write(s->dev, CONTROL, 0, 4);
    dev_write(s->dev, FLIP, 5, 4);
    g_assert_cmpuint(reg(s, FLIP), ==, 0);
    g_assert_cmpint(step(s, 100), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(s->screen.begun, ==, 0);
    dev_write(s->dev, CONTROL, 1, 4);
    g_assert_cmpint(step(s, 100), ==, VEU_STEP_STOPPED);
    begin_flip(s);
    run(s);
    assert_shown(s, 0);
}

static void test_reset_drops_the_flip_and_blanks(void)
{
    g_autoptr(Show) s = show_new();
    unsigned blanked = s->screen.blanked;

    begin_flip(s);
    step(s, 4);
    dev_write(s->dev, 8, 1, 4);
    g_assert_cmpuint(s->screen.blanked, ==, blanked + 1);
    assert_reset_values(s);
    g_assert_cmpint(step(s, 100), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(s->screen.shown, ==, 0);
    g_assert_cmpuint(interrupts(s), ==, 0);
}

/* ---- what is refused ---- */

/* A flip that is refused, after a good one; the next one is good again. */
static void check_refused(Show *s, uint16_t code, uint32_t detail,
                          uint64_t address)
{
    unsigned before = interrupts(s);
    const VeuEvent *event;

    begin_flip(s);
    run(s);
    assert_refused(s, code, detail, address);
    g_assert_cmpuint(s->screen.shown, ==, 1);
    assert_shown(s, 0);
    g_assert_cmpuint(interrupts(s), ==,
                     before + (reg(s, VECTOR) == FLIP_VECTOR));
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

    begin_flip(s);
    run(s);
    assert_well(s);
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
    begin_flip(s);
    run(s);
    assert_well(s);
    dev_write(s->dev, SURFACE, at + 8, 8);
    begin_flip(s);
    run(s);
    assert_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0, DEV_RAM + DEV_RAM_BYTES);
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
    put_surface(s);
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
        put_surface(s);
        begin_flip(s);
        run(s);
        assert_refused(s, VEU_FAULT_SCANOUT_SURFACE, 10, 0);
    }
    assert_shown(s, 0);
}

/* Those that the text lists. */
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
        put_surface(s);
        begin_flip(s);
        run(s);
        if (is_listed(veu_formats[i].name)) {
            assert_well(s);
        } else {
            assert_refused(s, VEU_FAULT_SCANOUT_SURFACE, 8, 0);
        }
    }
}

static void test_sides_of_up_to_4096_texels_are_shown(void)
{
    g_autoptr(Show) s = show_shown();

    s->surface.width = 4096;
    s->surface.pitch = 4096 * 4;
    put_surface(s);
    begin_flip(s);
    run(s);
    assert_well(s);
    s->surface.width = 1;
    s->surface.height = 4096;
    s->surface.pitch = 4;
    put_surface(s);
    begin_flip(s);
    run(s);
    assert_well(s);
}

static void test_larger_sides_are_refused(void)
{
    g_autoptr(Show) s = show_shown();

    s->surface.width = 4097;
    s->surface.pitch = 4097 * 4;
    put_surface(s);
    begin_flip(s);
    run(s);
    assert_refused(s, VEU_FAULT_SCANOUT_SURFACE, 12, 0);
    s->surface.width = 1;
    s->surface.height = 4097;
    put_surface(s);
    begin_flip(s);
    run(s);
    assert_refused(s, VEU_FAULT_SCANOUT_SURFACE, 16, 0);
    g_assert_cmpuint(s->screen.begun, ==, 1);
}

/* The first row whose texels are not all there. */
static void test_texels_have_to_be_in_ram(void)
{
    g_autoptr(Show) s = show_shown();
    uint64_t end = DEV_RAM + DEV_RAM_BYTES;

    s->surface.base = end - 3 * PITCH - 8;
    put_surface(s);
    check_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0, end);
    s->surface.base = DEV_HOLE;
    put_surface(s);
    begin_flip(s);
    run(s);
    assert_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0, DEV_HOLE);
}

static void test_memory_may_be_read_only(void)
{
    g_autoptr(Show) s = show_shown();

    s->surface.base = DEV_ROM;
    put_surface(s);
    begin_flip(s);
    run(s);
    assert_well(s);
}

static void test_a_host_without_memory_refuses(void)
{
    g_autoptr(Show) s = show_shown();

    s->screen.refuses = true;
    check_refused(s, VEU_FAULT_SCANOUT_HOST, 0, 0);
    s->screen.refuses = false;
    begin_flip(s);
    run(s);
    assert_well(s);
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
    begin_flip(s);
    run(s);
    assert_well(s);
    set_windows(s, windows, 1);
    begin_flip(s);
    run(s);
    assert_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0, TEXELS);
    windows[1].permissions = VEU_WINDOW_WRITE;
    set_windows(s, windows, 2);
    begin_flip(s);
    run(s);
    assert_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0, TEXELS);
    set_windows(s, windows + 1, 1);
    begin_flip(s);
    run(s);
    assert_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0, DESCRIPTOR);
}

static void test_a_bad_context_is_refused_as_for_a_ring(void)
{
    const struct veu_window window = { TEXELS + 1, 4096, VEU_WINDOW_READ, 0 };
    g_autoptr(Show) s = show_shown();

    set_windows(s, &window, 1);
    begin_flip(s);
    run(s);
    assert_refused(s, VEU_FAULT_CONTEXT_WINDOW, 0, 0);
    dev_write(s->dev, 0x8108, DEV_HOLE, 8);
    begin_flip(s);
    run(s);
    assert_refused(s, VEU_FAULT_CONTEXT_TABLE, 0, DEV_HOLE);
    dev_write(s->dev, 0x8104, 257, 4);
    begin_flip(s);
    run(s);
    assert_refused(s, VEU_FAULT_SCANOUT_CONFIG, 0x0c, 0);
}

/* ---- anything at all ---- */

static void random_surface(Show *s, GRand *rand)
{
    uint8_t *bytes = (uint8_t *)&s->surface;

    s->surface = (struct veu_surface){
        .base = TEXELS + (g_rand_int(rand) & 0x1fffc),
        .format = VEU_FORMAT_R8G8B8A8_UNORM,
        .type = VEU_SURFACE_2D,
        .width = g_rand_int(rand) & 0xff,
        .height = g_rand_int(rand) & 0x3f,
        .pitch = g_rand_int(rand) & 0xffc,
        .levels = 1,
    };
    if (g_rand_boolean(rand)) {
        bytes[g_rand_int_range(rand, 0, sizeof(s->surface))] = g_rand_int(rand);
    }
    put_surface(s);
}

static void random_write(Show *s, GRand *rand)
{
    static const uint32_t offsets[] = { CONTROL, CONTEXT, SURFACE, SURFACE + 4,
                                        VECTOR,  FLIP,    FLIP,    FLIP };
    uint32_t value = g_rand_int(rand) >> g_rand_int_range(rand, 0, 32);
    uint32_t at = offsets[g_rand_int_range(rand, 0, G_N_ELEMENTS(offsets))];

    switch (g_rand_int_range(rand, 0, 4)) {
    case 0:
        dev_write(s->dev, 0xc000 + (g_rand_int(rand) & 0xff), value, 4);
        break;
    case 1:
        dev_write(s->dev, at, value, 4);
        break;
    default:
        dev_write(s->dev, CONTROL, 1, 4);
        dev_write(s->dev, CONTEXT, 0, 4);
        dev_write(s->dev, SURFACE, DESCRIPTOR, 8);
        dev_write(s->dev, FLIP, value, 4);
        break;
    }
}

/* Every flip ends, and a row is never outside of its frame: test_screen.c. */
static void test_any_registers_and_descriptor_are_survived(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(g_test_rand_int());
    g_autoptr(Show) s = show_new();

    for (unsigned i = 0; i < 20000; i++) {
        random_surface(s, rand);
        random_write(s, rand);
        veu_scanout_step(s->dev->device, g_rand_int_range(rand, 0, 20));
        test_host_clear_log(&s->dev->host);
    }
    run(s);
    g_assert_cmpuint(s->screen.shown, >, 10);
    dev_write(s->dev, CONTROL, 1, 4);
    dev_write(s->dev, CONTEXT, 0, 4);
    dev_write(s->dev, VECTOR, FLIP_VECTOR, 4);
    begin_flip(s);
    run(s);
    g_assert_cmpuint(reg(s, DONE), ==, s->number);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/scanout/" #name, test_##name)
    RULE(without_a_display_there_are_no_registers);
    RULE(registers_have_their_reset_values);
    RULE(only_writable_bits_change);
    RULE(a_flip_shows_the_surface);
    RULE(tiled_surfaces_are_shown);
    RULE(what_is_written_later_is_shown_by_the_next_flip);
    RULE(the_end_of_a_flip_is_an_interrupt);
    RULE(no_vector_is_no_interrupt);
    RULE(a_step_copies_no_more_rows_than_its_budget);
    RULE(a_flip_takes_the_registers_as_it_finds_them);
    RULE(the_descriptor_is_read_once);
    RULE(a_newer_flip_replaces_one_under_way);
    RULE(any_number_is_a_flips_number);
    RULE(disabling_blanks_and_drops_the_flip);
    RULE(a_flip_is_ignored_while_disabled);
    RULE(reset_drops_the_flip_and_blanks);
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
    RULE(any_registers_and_descriptor_are_survived);
#undef RULE
    return g_test_run();
}
