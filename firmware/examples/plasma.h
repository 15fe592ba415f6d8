/*
 * SPDX-License-Identifier: MIT
 *
 * The pictures of the animation, in integers.
 */
#ifndef PLASMA_H
#define PLASMA_H

#include <stdint.h>

#define PLASMA_WIDTH  640
#define PLASMA_HEIGHT 400
/** Frames in a round: the frame after the last one is the first one again. */
#define PLASMA_FRAMES 64

/** A channel at its brightest; 0 is black. */
#define PLASMA_ONE 256

/** Computes what all pixels of a frame share. */
void plasma_begin(unsigned frame);

/** Red, green and blue of the pixels of row @y, 0 to PLASMA_ONE. */
void plasma_row(int y, uint16_t pixels[PLASMA_WIDTH][3]);

#endif /* PLASMA_H */
