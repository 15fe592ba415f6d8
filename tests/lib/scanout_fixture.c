/*
 * veu tests: a device model with a display, and a surface to be shown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/scanout_fixture.h"

void show_put_surface(Show *s)
{
    test_memory_put(&s->dev->host.memory, DESCRIPTOR, &s->surface,
                    sizeof(s->surface));
}

void show_fill_row(uint8_t *bytes, unsigned count, unsigned y, uint8_t seed)
{
    for (unsigned i = 0; i < count; i++) {
        bytes[i] = seed + y * 29 + i * 7;
    }
}

void show_put_texels(Show *s, uint8_t seed)
{
    uint8_t row[PITCH];

    for (unsigned y = 0; y < HEIGHT; y++) {
        show_fill_row(row, PITCH, y, seed);
        test_memory_put(&s->dev->host.memory, TEXELS + y * PITCH, row, PITCH);
    }
}

Show *show_new(void)
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
    show_put_surface(s);
    show_put_texels(s, 0);
    dev_write(s->dev, SURFACE, DESCRIPTOR, 8);
    dev_write(s->dev, VECTOR, FLIP_VECTOR, 4);
    dev_write(s->dev, CONTROL, 1, 4);
    return s;
}

void show_free(Show *s)
{
    test_screen_free(&s->screen);
    dev_free(s->dev);
    g_free(s);
}

void show_begin_flip(Show *s)
{
    dev_write(s->dev, FLIP, ++s->number, 4);
}

VeuStep show_step(Show *s, unsigned budget)
{
    test_host_move(&s->dev->host);
    return veu_scanout_step(s->dev->device, budget);
}

void show_run(Show *s)
{
    for (unsigned i = 0; show_step(s, 3) == VEU_STEP_MORE; i++) {
        g_assert_cmpuint(i, <, 10000);
    }
}

uint64_t show_reg(Show *s, uint32_t offset)
{
    return dev_read(s->dev, offset,
                    offset == SURFACE || offset == ADDRESS ? 8 : 4);
}

unsigned show_interrupts(Show *s)
{
    return test_host_count(&s->dev->host, TEST_LOG_INTERRUPT);
}

void show_assert_shown(Show *s, uint8_t seed)
{
    uint8_t row[PITCH];

    g_assert_nonnull(s->screen.picture);
    g_assert_cmpuint(s->screen.picture->len, ==, WIDTH * HEIGHT * 4);
    for (unsigned y = 0; y < HEIGHT; y++) {
        show_fill_row(row, PITCH, y, seed);
        g_assert_cmpmem(s->screen.picture->data + y * WIDTH * 4, WIDTH * 4, row,
                        WIDTH * 4);
    }
}

void show_assert_well(Show *s)
{
    g_assert_cmpuint(show_reg(s, DONE), ==, s->number);
    g_assert_cmphex(show_reg(s, FAULT), ==, 0);
    g_assert_cmphex(show_reg(s, DETAIL), ==, 0);
    g_assert_cmphex(show_reg(s, ADDRESS), ==, 0);
}

void show_assert_refused(Show *s, uint16_t code, uint32_t detail,
                         uint64_t address)
{
    g_assert_cmpuint(show_reg(s, DONE), ==, s->number);
    g_assert_cmphex(show_reg(s, FAULT), ==, code);
    g_assert_cmphex(show_reg(s, DETAIL), ==, detail);
    g_assert_cmphex(show_reg(s, ADDRESS), ==, address);
}
