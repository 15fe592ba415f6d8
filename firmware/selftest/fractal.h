/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The picture's contents, in integers: the colour of each point.
 */
#ifndef FRACTAL_H
#define FRACTAL_H

#include <stdint.h>

/** 1.0 of a colour channel. */
#define COLOUR_ONE 32768

struct colour {
    uint16_t r, g, b;
};

/** The Mandelbrot set around its seahorses, at pixel x, y of width x height. */
struct colour fractal_colour(int x, int y, int width, int height);

#endif /* FRACTAL_H */
