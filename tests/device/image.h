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
    uint8_t *rgb; /* three bytes a pixel, row after row */
} Image;

Image *image_new(unsigned width, unsigned height);
void image_free(Image *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Image, image_free)

static inline uint8_t *image_pixel(const Image *image, unsigned x, unsigned y)
{
    return image->rgb + ((size_t)y * image->width + x) * 3;
}

/* What command screendump saves; @device: the id of one, or NULL. */
Image *image_dump(Vm *vm, const char *device);

/* Nothing is shown: then QEMU writes a line of white text on black. */
void image_assert_blank(Vm *vm, const char *device);

/* Size and every pixel. */
void image_assert_equal(const Image *image, const Image *expected);

#endif
