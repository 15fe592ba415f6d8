/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The picture's contents, in integers: the colour of each point.
 */
#include "fractal.h"

/* Numbers of the plane have 26 fractional bits. */
#define POINT    26
#define FIXED(x) ((int64_t)((x) * (1 << POINT)))

#define CENTRE_X    FIXED(-0.7478)
#define CENTRE_Y    FIXED(0.1102)
#define WIDTH       FIXED(0.0145)
#define ITERATIONS  300
/*
 * The |z|^2 that ends the iteration: outside the circle of radius 2, so that
 * the smooth count is smooth, but small enough for the next square to fit in 63
 * bits.
 */
#define ESCAPE_LOG2 5
#define ESCAPE      (1ll << (POINT + ESCAPE_LOG2))

/*
 * Converts turns, 65536 to the circle, to a sine of -32768..32768, by two
 * parabolas.
 */
static int sine(unsigned turns)
{
    int half = turns & 0x7fff;
    int value = half * (0x8000 - half) >> 13;

    return turns & 0x8000 ? -value : value;
}

/*
 * Returns 256 * log2(value) for value > 0, with the mantissa as its logarithm.
 */
static unsigned log2_256(uint64_t value)
{
    unsigned whole = 63 - __builtin_clzll(value);
    unsigned mantissa = whole >= 16 ? value >> (whole - 16) & 0xffff :
                                      value << (16 - whole) & 0xffff;
    /* log2(1 + m) is close to m + 0.344 m (1 - m) */
    unsigned bend = (uint64_t)mantissa * (65536 - mantissa) * 88 >> 24;

    return whole * 256 + (mantissa + bend) / 256;
}

/*
 * Returns 256 times the iterations until the point has escaped; 0 if it does
 * not.
 */
static unsigned escape_time(int64_t cx, int64_t cy)
{
    int64_t x = 0, y = 0, xx = 0, yy = 0;

    for (unsigned n = 1; n <= ITERATIONS; n++) {
        y = (x * y >> (POINT - 1)) + cy;
        x = xx - yy + cx;
        xx = x * x >> POINT;
        yy = y * y >> POINT;
        if (xx + yy > ESCAPE) {
            /*
             * n - log2(log2(|z|^2) / log2(escape)), the logarithm of a
             * logarithm
             */
            unsigned log = log2_256(xx + yy) - POINT * 256;

            return n * 256 - (log2_256(log) - log2_256(ESCAPE_LOG2 * 256));
        }
    }
    return 0;
}

/* Returns half a wave up and half a wave down, from dark to bright. */
static uint16_t channel(unsigned turns, int bright)
{
    int value = COLOUR_ONE / 2 + sine(turns) / 2;

    return value * bright / COLOUR_ONE;
}

struct colour fractal_colour(int x, int y, int width, int height)
{
    int64_t cx = CENTRE_X + (2 * x - width) * WIDTH / (2 * width);
    int64_t cy = CENTRE_Y + (2 * y - height) * WIDTH / (2 * width);
    unsigned time = escape_time(cx, cy);
    unsigned turns = log2_256(time + 1) * 110;
    int bright = COLOUR_ONE - COLOUR_ONE * 3 / 10 * (y * 2 > height) *
                                  (y * 2 - height) / height;

    if (time == 0) {
        return (struct colour){ 700, 900, 2200 };
    }
    return (struct colour){
        .r = channel(turns + 0x9000, bright),
        .g = channel(turns + 0xb400, bright),
        .b = channel(turns + 0xe000, bright),
    };
}
