/*
 * veu device tests: what QEMU's consoles show.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/device/image.h"

Image *image_new(unsigned width, unsigned height)
{
    Image *image = g_new0(Image, 1);

    image->width = width;
    image->height = height;
    image->rgb = g_malloc0_n(width * height, 3);
    return image;
}

void image_free(Image *image)
{
    g_free(image->rgb);
    g_free(image);
}

/*
 * "P6\n640 480\n255\n" and the pixels follow. QEMU pads rows to words, although
 * the format does not allow that.
 */
static Image *parse_ppm(const char *bytes, size_t count)
{
    unsigned width, height;
    int head = 0;
    size_t row_bytes;
    Image *image;

    g_assert_cmpint(sscanf(bytes, "P6 %u %u 255%n", &width, &height, &head), ==,
                    2);
    head++; /* one white-space character */
    image = image_new(width, height);
    row_bytes = (width * 3 + 3) / 4 * 4;
    g_assert_cmpuint(count, ==, head + row_bytes * height);
    for (unsigned y = 0; y < height; y++) {
        memcpy(image_pixel(image, 0, y), bytes + head + y * row_bytes,
               width * 3);
    }
    return image;
}

Image *image_dump(Vm *vm, const char *device)
{
    g_autofree char *path = NULL;
    g_autofree char *arguments = NULL;
    g_autofree char *bytes = NULL;
    int fd = g_file_open_tmp("veu-XXXXXX", &path, NULL);
    size_t count;

    g_assert_cmpint(fd, >=, 0);
    close(fd);
    arguments = device ?
                    g_strdup_printf("{\"filename\":\"%s\",\"device\":\"%s\"}",
                                    path, device) :
                    g_strdup_printf("{\"filename\":\"%s\"}", path);
    qmp_do(&vm->qmp, "screendump", arguments);
    g_assert_true(g_file_get_contents(path, &bytes, &count, NULL));
    unlink(path);
    return parse_ppm(bytes, count);
}

void image_assert_equal(const Image *image, const Image *expected)
{
    g_assert_cmpuint(image->width, ==, expected->width);
    g_assert_cmpuint(image->height, ==, expected->height);
    for (unsigned y = 0; y < image->height; y++) {
        for (unsigned x = 0; x < image->width; x++) {
            const uint8_t *is = image_pixel(image, x, y);
            const uint8_t *should = image_pixel(expected, x, y);

            if (memcmp(is, should, 3)) {
                g_error("pixel (%u, %u) is %02x%02x%02x, not %02x%02x%02x", x,
                        y, is[0], is[1], is[2], should[0], should[1],
                        should[2]);
            }
        }
    }
}

void image_assert_blank(Vm *vm, const char *device)
{
    g_autoptr(Image) image = image_dump(vm, device);

    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        const uint8_t *p = image->rgb + i * 3;

        g_assert_cmphex(p[0], ==, p[1]);
        g_assert_cmphex(p[0], ==, p[2]);
    }
}
