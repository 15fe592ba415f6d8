/*
 * veu unit tests: the largest capture that can be written, by docs/capture.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/capture/capture.h"

/* Pieces of one byte, each in a page of its own. */
static void add_pieces(GArray *to, unsigned count)
{
    static const uint8_t byte = 1;

    for (unsigned i = 0; i < count; i++) {
        VeuCapturePiece piece = {
            .address = (uint64_t)i * 4096,
            .bytes = 1,
            .permissions = VEU_CAPTURE_WRITE,
            .data = &byte,
        };

        g_array_append_val(to, piece);
    }
}

static VeuCapture *make_capture(unsigned before, unsigned after)
{
    VeuCapture *c = veu_capture_new();

    c->launch.command_bytes = 64;
    add_pieces(c->before, before);
    add_pieces(c->after, after);
    return c;
}

static void test_most_pages(void)
{
    g_autoptr(VeuCapture) c = make_capture(40000, 25536);
    g_autoptr(GByteArray) file = veu_capture_write(c, NULL);
    g_autoptr(VeuCapture) again = NULL;

    g_assert_nonnull(file);
    again = veu_capture_read(file->data, file->len, NULL);
    g_assert_nonnull(again);
    g_assert_cmpuint(again->before->len, ==, 40000);
    g_assert_cmpuint(again->after->len, ==, 25536);
}

static void test_one_page_more(void)
{
    g_autoptr(VeuCapture) c = make_capture(40000, 25537);
    g_autoptr(GError) error = NULL;

    g_assert_null(veu_capture_write(c, &error));
    g_assert_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/capture/65536-pages-before-and-after-are-written",
                    test_most_pages);
    g_test_add_func("/capture/one-page-more-is-refused", test_one_page_more);
    return g_test_run();
}
