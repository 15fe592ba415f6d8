/*
 * veu unit tests: the scanout: docs/spec.md, "Scanout".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/page_tables.h"
#include "tests/lib/ref_surface.h"
#include "tests/lib/scanout_fixture.h"
#include "tests/lib/state_bytes.h"

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
    g_assert_cmpuint(show_reg(s, LIMIT_WIDTH), ==, 4096);
    g_assert_cmpuint(show_reg(s, LIMIT_HEIGHT), ==, 4096);
    g_assert_cmphex(show_reg(s, CONTROL), ==, 0);
    g_assert_cmphex(show_reg(s, CONTEXT), ==, 0);
    g_assert_cmphex(show_reg(s, SURFACE), ==, 0);
    g_assert_cmphex(show_reg(s, VECTOR), ==, 0xffffffff);
    g_assert_cmphex(show_reg(s, FLIP), ==, 0);
    s->number = 0;
    show_assert_well(s);
}

static void test_registers_have_their_reset_values(void)
{
    g_autoptr(Show) s = show_new();

    dev_write(s->dev, CONTEXT, 7, 4);
    show_begin_flip(s);
    show_run(s);
    dev_write(s->dev, 8, 1, 4);
    assert_reset_values(s);
}

static void test_only_writable_bits_change(void)
{
    static const uint32_t read_only[] = { LIMIT_WIDTH, LIMIT_HEIGHT, DONE,
                                          FAULT,       DETAIL,       ADDRESS };
    g_autoptr(Show) s = show_new();

    dev_write(s->dev, SURFACE, UINT64_MAX, 8);
    g_assert_cmphex(show_reg(s, SURFACE), ==, 0xfffffffffffffff8);
    dev_write(s->dev, SURFACE + 4, 0x12345678, 4);
    g_assert_cmphex(show_reg(s, SURFACE), ==, 0x12345678fffffff8);
    dev_write(s->dev, CONTROL, UINT32_MAX, 4);
    g_assert_cmphex(show_reg(s, CONTROL), ==, 1);
    for (unsigned i = 0; i < G_N_ELEMENTS(read_only); i++) {
        uint64_t before = show_reg(s, read_only[i]);

        dev_write(s->dev, read_only[i], ~before, 4);
        g_assert_cmphex(show_reg(s, read_only[i]), ==, before);
    }
}

/* ---- flips ---- */

static void test_a_flip_shows_the_surface(void)
{
    g_autoptr(Show) s = show_new();

    show_begin_flip(s);
    g_assert_cmpuint(show_reg(s, DONE), ==, 0);
    show_run(s);
    show_assert_well(s);
    show_assert_shown(s, 0);
    g_assert_cmpuint(s->screen.frame.width, ==, WIDTH);
    g_assert_cmpuint(s->screen.frame.height, ==, HEIGHT);
    g_assert_cmpstr(s->screen.frame.format->name, ==, "R8G8B8A8_UNORM");
}

/* "In any tiling": the picture is the same, the layout in memory is not. */
static void test_tiled_surfaces_are_shown(void)
{
    for (uint8_t tiling = VEU_TILING_X; tiling <= VEU_TILING_TILE4; tiling++) {
        g_autoptr(Show) s = show_new();
        uint8_t row[PITCH];

        s->surface.tiling = tiling;
        s->surface.pitch = 512;
        show_put_surface(s);
        for (unsigned y = 0; y < HEIGHT; y++) {
            show_fill_row(row, PITCH, y, tiling);
            for (unsigned x = 0; x < WIDTH * 4; x++) {
                test_memory_put(&s->dev->host.memory,
                                ref_plane_byte(&s->surface, x, y), &row[x], 1);
            }
        }
        show_begin_flip(s);
        show_run(s);
        show_assert_well(s);
        show_assert_shown(s, tiling);
    }
}

static void test_what_is_written_later_is_shown_by_the_next_flip(void)
{
    g_autoptr(Show) s = show_new();

    show_begin_flip(s);
    show_run(s);
    show_put_texels(s, 99);
    show_run(s);
    show_assert_shown(s, 0);
    show_begin_flip(s);
    show_run(s);
    show_assert_shown(s, 99);
    g_assert_cmpuint(s->screen.shown, ==, 2);
}

static void test_the_end_of_a_flip_is_an_interrupt(void)
{
    g_autoptr(Show) s = show_new();
    const TestHost *host = &s->dev->host;

    show_begin_flip(s);
    g_assert_cmpuint(show_interrupts(s), ==, 0);
    show_run(s);
    g_assert_cmpuint(show_interrupts(s), ==, 1);
    g_assert_cmpuint(s->screen.interrupts_before, ==, 0);
    for (unsigned i = 0; i < host->log_count; i++) {
        g_assert_true(host->log[i].kind != TEST_LOG_INTERRUPT ||
                      host->log[i].vector == FLIP_VECTOR);
    }
}

/* docs/spec.md has no events; hosts show them with these values. */
static void test_a_flip_is_an_event(void)
{
    g_autoptr(Show) s = show_new();
    const VeuEvent *event;

    show_begin_flip(s);
    show_run(s);
    show_begin_flip(s);
    show_run(s);
    g_assert_cmpuint(test_host_count_events(&s->dev->host, VEU_EVENT_FLIP), ==,
                     2);
    event = test_host_last_event(&s->dev->host, VEU_EVENT_FLIP);
    g_assert_cmphex(event->ring, ==, VEU_EVENT_NO_RING);
    g_assert_cmpuint(event->at, ==, 2);
    g_assert_cmpstr(event->name, ==, "R8G8B8A8_UNORM");
}

static void test_no_vector_is_no_interrupt(void)
{
    g_autoptr(Show) s = show_new();

    dev_write(s->dev, VECTOR, 0xffffffff, 4);
    show_begin_flip(s);
    show_run(s);
    show_assert_well(s);
    g_assert_cmpuint(show_interrupts(s), ==, 0);
}

static void test_a_step_copies_no_more_rows_than_its_budget(void)
{
    g_autoptr(Show) s = show_new();

    show_begin_flip(s);
    /* the first piece reads the descriptor */
    for (unsigned done = 2; done < HEIGHT + 1; done += 2) {
        g_assert_cmpint(show_step(s, 2), ==, VEU_STEP_MORE);
        g_assert_cmpuint(s->screen.rows, ==, done - 1);
        g_assert_cmpuint(show_reg(s, DONE), ==, 0);
    }
    g_assert_cmpint(show_step(s, 2), ==, VEU_STEP_STOPPED);
    show_assert_well(s);
    g_assert_cmpint(show_step(s, 2), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(s->screen.shown, ==, 1);
}

/* A thread that is woken for a flip must not fall asleep before it is done. */
static void test_a_device_with_a_flip_does_not_sleep(void)
{
    g_autoptr(Show) s = show_new();

    g_assert_true(veu_device_sleep(s->dev->device));
    show_begin_flip(s);
    g_assert_false(veu_device_sleep(s->dev->device));
    show_step(s, 1);
    g_assert_false(veu_device_sleep(s->dev->device));
    show_run(s);
    g_assert_true(veu_device_sleep(s->dev->device));
}

/* Who waits for the device gets it after a row at most. */
static void test_a_step_ends_when_the_device_is_awaited(void)
{
    g_autoptr(Show) s = show_new();
    unsigned awaited = 0;

    s->dev->host.host.awaited = &awaited;
    show_begin_flip(s);
    show_step(s, 2);
    awaited = 1;
    g_assert_cmpint(show_step(s, 100), ==, VEU_STEP_MORE);
    g_assert_cmpuint(s->screen.rows, <=, 2);
    awaited = 0;
    show_run(s);
    show_assert_well(s);
}

/* IDLE_NS counts the time in which the device has nothing to do. */
static void test_a_flip_is_no_idle_time(void)
{
    g_autoptr(Show) s = show_new();
    uint64_t idle;

    g_assert_true(veu_device_sleep(s->dev->device));
    show_begin_flip(s);
    show_step(s, 2);
    idle = dev_counter(s->dev, VEU_REG_COUNTER_IDLE_NS);
    s->dev->host.now_ns += 1000;
    show_run(s);
    g_assert_cmpuint(dev_counter(s->dev, VEU_REG_COUNTER_IDLE_NS), ==, idle);
}

static void test_a_flip_takes_the_registers_as_it_finds_them(void)
{
    g_autoptr(Show) s = show_new();

    show_begin_flip(s);
    dev_write(s->dev, SURFACE, DEV_HOLE, 8);
    dev_write(s->dev, CONTEXT, 77, 4);
    dev_write(s->dev, VECTOR, 1000, 4);
    show_run(s);
    show_assert_well(s);
    show_assert_shown(s, 0);
    g_assert_cmpuint(show_interrupts(s), ==, 1);
}

static void test_the_descriptor_is_read_once(void)
{
    g_autoptr(Show) s = show_new();

    show_begin_flip(s);
    show_step(s, 1);
    s->surface = (struct veu_surface){ .type = 0xff, .base = DEV_HOLE };
    show_put_surface(s);
    show_run(s);
    show_assert_well(s);
    show_assert_shown(s, 0);
}

static void test_a_newer_flip_replaces_one_under_way(void)
{
    g_autoptr(Show) s = show_new();

    show_begin_flip(s);
    show_step(s, 4);
    show_put_texels(s, 50);
    show_begin_flip(s);
    show_run(s);
    show_assert_well(s);
    show_assert_shown(s, 50);
    g_assert_cmpuint(s->screen.begun, ==, 2);
    g_assert_cmpuint(s->screen.shown, ==, 1);
    g_assert_cmpuint(show_interrupts(s), ==, 1);
}

static void test_any_number_is_a_flips_number(void)
{
    static const uint32_t numbers[] = { 0xffffffff, 0, 0, 0x80000000 };
    g_autoptr(Show) s = show_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++) {
        dev_write(s->dev, FLIP, numbers[i], 4);
        show_run(s);
        g_assert_cmphex(show_reg(s, DONE), ==, numbers[i]);
        g_assert_cmpuint(s->screen.shown, ==, i + 1);
    }
}

/* ---- disable and reset ---- */

static void test_disabling_blanks_and_drops_the_flip(void)
{
    g_autoptr(Show) s = show_new();

    show_begin_flip(s);
    show_run(s);
    show_begin_flip(s);
    show_step(s, 4);
    dev_write(s->dev, CONTROL, 0, 4);
    g_assert_null(s->screen.picture);
    g_assert_cmpint(show_step(s, 100), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(show_reg(s, DONE), ==, 1);
    g_assert_cmpuint(s->screen.shown, ==, 1);
    g_assert_cmpuint(show_interrupts(s), ==, 1);
}

static void test_a_flip_is_ignored_while_disabled(void)
{
    g_autoptr(Show) s = show_new();

    dev_write(s->dev, CONTROL, 0, 4);
    dev_write(s->dev, FLIP, 5, 4);
    g_assert_cmpuint(show_reg(s, FLIP), ==, 0);
    g_assert_cmpint(show_step(s, 100), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(s->screen.begun, ==, 0);
    dev_write(s->dev, CONTROL, 1, 4);
    g_assert_cmpint(show_step(s, 100), ==, VEU_STEP_STOPPED);
    show_begin_flip(s);
    show_run(s);
    show_assert_shown(s, 0);
}

static void test_reset_drops_the_flip_and_blanks(void)
{
    g_autoptr(Show) s = show_new();
    unsigned blanked = s->screen.blanked;

    show_begin_flip(s);
    show_step(s, 4);
    dev_write(s->dev, 8, 1, 4);
    g_assert_cmpuint(s->screen.blanked, ==, blanked + 1);
    assert_reset_values(s);
    g_assert_cmpint(show_step(s, 100), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(s->screen.shown, ==, 0);
    g_assert_cmpuint(show_interrupts(s), ==, 0);
}

/* ---- arbitrary input ---- */

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
    show_put_surface(s);
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

/* Every flip ends, and no row lies outside of its frame: test_screen.c. */
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
    show_run(s);
    g_assert_cmpuint(s->screen.shown, >, 10);
    dev_write(s->dev, CONTROL, 1, 4);
    dev_write(s->dev, CONTEXT, 0, 4);
    dev_write(s->dev, VECTOR, FLIP_VECTOR, 4);
    show_begin_flip(s);
    show_run(s);
    g_assert_cmpuint(show_reg(s, DONE), ==, s->number);
}

/* A second device with a display, which continues the work of @from. */
static Show *move_away(Show *from)
{
    g_autoptr(GByteArray) state = state_save(from->dev->device);
    Show *to = show_new();

    test_memory_free(&to->dev->host.memory);
    test_memory_copy(&to->dev->host.memory, &from->dev->host.memory);
    to->number = from->number;
    test_host_clear_log(&to->dev->host);
    g_assert_cmpstr(state_load(to->dev->device, state), ==, NULL);
    return to;
}

/*
 * A move does not end a flip: there is no interrupt, and DONE does not change.
 */
static void test_what_is_shown_is_shown_elsewhere(void)
{
    g_autoptr(Show) s = show_new();
    g_autoptr(Show) to = NULL;

    show_put_texels(s, 7);
    show_begin_flip(s);
    show_run(s);
    to = move_away(s);
    show_run(to);
    show_assert_shown(to, 7);
    g_assert_cmpuint(show_reg(to, DONE), ==, s->number);
    g_assert_cmpuint(show_interrupts(to), ==, 0);
    /* The device that was saved has its picture. */
    show_run(s);
    g_assert_cmpuint(s->screen.begun, ==, 1);
}

/*
 * A context of page tables, which flips keep when the registers change: the
 * descriptor and the texels have virtual addresses.
 */
#define BASE UINT64_C(0x7e5a80000000)

static void use_tables(Show *s)
{
    const uint64_t tables = UINT64_C(0x800000);
    TestTables t;

    test_memory_add(&s->dev->host.memory, tables, 0x20000, true);
    test_tables_init(&t, &s->dev->host.memory, tables, tables + 0x20000);
    for (uint64_t at = DEV_RAM; at < DEV_RAM + DEV_RAM_BYTES; at += 4096) {
        test_tables_map(&t, BASE + at, at, VEU_PAGE_VALID | VEU_PAGE_READ);
    }
    dev_write(s->dev, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE,
              VEU_CONTEXT_TABLES, 4);
    dev_write(s->dev, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_ROOT, t.root, 8);
    s->surface.base = BASE + TEXELS;
    show_put_surface(s);
    show_put_texels(s, 7);
    dev_write(s->dev, SURFACE, BASE + DESCRIPTOR, 8);
}

/*
 * Begins a flip, and performs @pieces of it before the context's registers
 * change.
 */
static void begin_in_tables(Show *s, unsigned pieces)
{
    use_tables(s);
    show_begin_flip(s);
    if (pieces) {
        show_step(s, pieces);
    }
    dev_write(s->dev, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE,
              VEU_CONTEXT_IDENTITY, 4);
    dev_write(s->dev, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_ROOT, 0, 8);
}

static void test_a_flip_in_a_context_of_page_tables(void)
{
    g_autoptr(Show) s = show_new();
    g_autoptr(Show) during = NULL;
    g_autoptr(Show) after = NULL;

    begin_in_tables(s, 3);
    during = move_away(s);
    show_run(during);
    show_assert_well(during);
    show_assert_shown(during, 7);
    show_run(s);
    show_assert_well(s);
    show_assert_shown(s, 7);
    after = move_away(s);
    show_run(after);
    show_assert_shown(after, 7);
}

/* The write of FLIP copies the context, before any step. */
static void test_a_flip_takes_its_context_as_it_finds_it(void)
{
    g_autoptr(Show) s = show_new();

    begin_in_tables(s, 0);
    show_run(s);
    show_assert_well(s);
    show_assert_shown(s, 7);
}

/* All of the context's windows move with a flip. */
static void test_a_flip_in_windows_moves(void)
{
    const struct veu_window windows[] = {
        { DESCRIPTOR & ~4095ull, 4096, VEU_WINDOW_READ, 0 },
        { TEXELS, 4096, VEU_WINDOW_READ, 0 },
    };
    g_autoptr(Show) s = show_new();
    g_autoptr(Show) to = NULL;

    test_memory_put(&s->dev->host.memory, WINDOWS, windows, sizeof(windows));
    dev_write(s->dev, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE,
              VEU_CONTEXT_WINDOWS, 4);
    dev_write(s->dev, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_WINDOW_COUNT, 2, 4);
    dev_write(s->dev, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_WINDOWS, WINDOWS, 8);
    show_begin_flip(s);
    show_run(s);
    show_assert_well(s);
    to = move_away(s);
    show_run(to);
    show_assert_shown(to, 0);
    g_assert_cmpuint(test_host_count_events(&to->dev->host, VEU_EVENT_FAULT),
                     ==, 0);
}

/* DETAIL is that of a ring's record: the entry of level 1 is not valid. */
static void test_a_missing_page_is_explained(void)
{
    g_autoptr(Show) s = show_new();

    use_tables(s);
    dev_write(s->dev, SURFACE, BASE + DEV_RAM - 4096, 8);
    show_begin_flip(s);
    show_run(s);
    show_assert_refused(s, VEU_FAULT_SCANOUT_MEMORY,
                        VEU_WALK_NOT_VALID | 1 << 8, BASE + DEV_RAM - 4096);
}

/* Drops everything of context 0, as another thread would. */
static bool invalidate_beside(Dev *d)
{
    return veu_device_write_beside(
        d->device, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_INVALIDATE, 63, 8);
}

static unsigned beside_rows;

static void row_with_invalidation(VeuHost *host, uint32_t y,
                                  const uint8_t *texels)
{
    beside_rows += invalidate_beside(((TestHost *)host)->opaque);
}

/* Steps of a flip use its context: the write has to wait for their end. */
static void test_an_invalidation_waits_for_a_row(void)
{
    g_autoptr(Show) s = show_new();
    VeuScreen screen = *s->dev->host.host.screen;

    use_tables(s);
    show_begin_flip(s);
    screen.row = row_with_invalidation;
    s->dev->host.host.screen = &screen;
    s->dev->host.opaque = s->dev;
    beside_rows = 0;
    show_step(s, 4);
    g_assert_cmpuint(beside_rows, ==, 0);
    g_assert_true(invalidate_beside(s->dev));
}

static void test_a_refused_flip_leaves_what_is_shown_elsewhere_too(void)
{
    g_autoptr(Show) s = show_new();
    g_autoptr(Show) to = NULL;

    show_put_texels(s, 7);
    show_begin_flip(s);
    show_run(s);
    dev_write(s->dev, SURFACE, DEV_HOLE, 8);
    show_begin_flip(s);
    show_run(s);
    g_assert_cmphex(show_reg(s, FAULT), !=, 0);
    to = move_away(s);
    show_run(to);
    show_assert_shown(to, 7);
    g_assert_cmphex(show_reg(to, FAULT), ==, show_reg(s, FAULT));
}

/* Writes @value to a register of the device that blanks the scanout. */
static void check_blank_elsewhere(uint32_t offset, uint32_t value)
{
    g_autoptr(Show) s = show_new();
    g_autoptr(Show) to = NULL;

    show_begin_flip(s);
    show_run(s);
    dev_write(s->dev, offset, value, 4);
    to = move_away(s);
    g_assert_true(veu_device_sleep(to->dev->device));
    show_run(to);
    g_assert_null(to->screen.picture);
    g_assert_cmpuint(test_host_count_events(&to->dev->host, VEU_EVENT_FAULT),
                     ==, 0);
}

static void test_a_scanout_that_was_disabled_stays_blank_elsewhere(void)
{
    check_blank_elsewhere(CONTROL, 0);
}

static void test_a_scanout_that_was_reset_stays_blank_elsewhere(void)
{
    check_blank_elsewhere(8, 1);
}

/* It replaces the newest flip, which is being drawn again, and ends. */
static void test_a_flip_just_after_a_move(void)
{
    g_autoptr(Show) s = show_new();
    g_autoptr(Show) to = NULL;

    show_begin_flip(s);
    show_run(s);
    to = move_away(s);
    show_step(to, 4);
    show_put_texels(to, 50);
    show_begin_flip(to);
    show_run(to);
    show_assert_well(to);
    show_assert_shown(to, 50);
    g_assert_cmpuint(show_interrupts(to), ==, 1);
}

static void end_flip_elsewhere(Show *s)
{
    g_autoptr(Show) to = NULL;

    show_put_texels(s, 9);
    show_begin_flip(s);
    show_step(s, 3);
    to = move_away(s);
    show_run(to);
    show_assert_shown(to, 9);
    show_assert_well(to);
    g_assert_cmpuint(show_interrupts(to), ==, 1);
}

static void test_a_flip_under_way_ends_elsewhere(void)
{
    g_autoptr(Show) s = show_new();

    end_flip_elsewhere(s);
}

/* Nor does the flip that is shown take its place. */
static void test_a_second_flip_under_way_ends_elsewhere(void)
{
    g_autoptr(Show) s = show_new();

    show_begin_flip(s);
    show_run(s);
    end_flip_elsewhere(s);
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
    RULE(a_flip_is_an_event);
    RULE(no_vector_is_no_interrupt);
    RULE(a_step_copies_no_more_rows_than_its_budget);
    RULE(a_device_with_a_flip_does_not_sleep);
    RULE(a_step_ends_when_the_device_is_awaited);
    RULE(a_flip_is_no_idle_time);
    RULE(a_flip_takes_the_registers_as_it_finds_them);
    RULE(a_flip_takes_its_context_as_it_finds_it);
    RULE(a_flip_in_windows_moves);
    RULE(a_missing_page_is_explained);
    RULE(an_invalidation_waits_for_a_row);
    RULE(the_descriptor_is_read_once);
    RULE(a_newer_flip_replaces_one_under_way);
    RULE(any_number_is_a_flips_number);
    RULE(disabling_blanks_and_drops_the_flip);
    RULE(a_flip_is_ignored_while_disabled);
    RULE(reset_drops_the_flip_and_blanks);
    RULE(what_is_shown_is_shown_elsewhere);
    RULE(a_flip_in_a_context_of_page_tables);
    RULE(a_refused_flip_leaves_what_is_shown_elsewhere_too);
    RULE(a_scanout_that_was_disabled_stays_blank_elsewhere);
    RULE(a_scanout_that_was_reset_stays_blank_elsewhere);
    RULE(a_flip_just_after_a_move);
    RULE(a_flip_under_way_ends_elsewhere);
    RULE(a_second_flip_under_way_ends_elsewhere);
    RULE(any_registers_and_descriptor_are_survived);
#undef RULE
    return g_test_run();
}
