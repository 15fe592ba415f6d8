/*
 * veu device tests: what QEMU's consoles show.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_IMAGE_H
#define VEU_TEST_IMAGE_H

#include "tests/device/vm.h"

typedef struct Image {
    unsigned width;
    unsigned height;
    uint8_t *rgb; /* three bytes per pixel, row after row */
} Image;

Image *image_new(unsigned width, unsigned height);
void image_free(Image *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Image, image_free)

static inline uint8_t *image_pixel(const Image *image, unsigned x, unsigned y)
{
    return image->rgb + ((size_t)y * image->width + x) * 3;
}

/*
 * The output of the command screendump; @device is the id of a device, or NULL.
 */
Image *image_dump(Vm *vm, const char *device);

/*
 * Asserts that nothing is shown: QEMU then writes a line of white text on
 * black.
 */
void image_assert_blank(Vm *vm, const char *device);

/* Compares the size and every pixel. */
void image_assert_equal(const Image *image, const Image *expected);

#endif
