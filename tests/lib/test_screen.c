/*
 * veu tests: a screen for the host of a device model.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/test_screen.h"

static TestScreen *screen_of(VeuHost *host)
{
    return ((TestHost *)host)->screen;
}

static void drop(GByteArray **bytes)
{
    g_clear_pointer(bytes, g_byte_array_unref);
}

static bool begin(VeuHost *host, const VeuFrame *frame)
{
    TestScreen *s = screen_of(host);

    if (s->refuses) {
        return false;
    }
    drop(&s->taken);
    s->taken = g_byte_array_new();
    s->frame = *frame;
    s->begun++;
    s->rows = 0;
    return true;
}

static void row(VeuHost *host, uint32_t y, const uint8_t *texels)
{
    TestScreen *s = screen_of(host);

    g_assert_cmpuint(y, ==, s->rows);
    g_assert_cmpuint(y, <, s->frame.height);
    s->rows++;
    g_byte_array_append(s->taken, texels,
                        s->frame.width * s->frame.format->bytes);
}

static void show(VeuHost *host)
{
    TestScreen *s = screen_of(host);

    g_assert_cmpuint(s->rows, ==, s->frame.height);
    drop(&s->picture);
    s->picture = g_steal_pointer(&s->taken);
    s->shown++;
    s->interrupts_before = test_host_count((TestHost *)host,
                                           TEST_LOG_INTERRUPT);
}

static void blank(VeuHost *host)
{
    TestScreen *s = screen_of(host);

    drop(&s->picture);
    s->blanked++;
}

static const VeuScreen functions = { begin, row, show, blank };

void test_screen_init(TestScreen *s, TestHost *host)
{
    memset(s, 0, sizeof(*s));
    host->screen = s;
    host->host.screen = &functions;
}

void test_screen_free(TestScreen *s)
{
    drop(&s->taken);
    drop(&s->picture);
}
