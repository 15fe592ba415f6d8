/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The letters "veu" as strokes, in integers.
 */
#ifndef LETTERING_H
#define LETTERING_H

/** The units of a letter's height; strokes extend a little beyond it. */
#define LETTER_UNIT    64
#define LETTERS_HEIGHT (100 * LETTER_UNIT)
#define LETTERS_WIDTH  (352 * LETTER_UNIT)

/**
 * Returns the distance from a point to the middle of the nearest stroke, in
 * units.
 */
int letters_distance(int x, int y);

#endif /* LETTERING_H */
