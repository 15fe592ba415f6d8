/*
 * SPDX-License-Identifier: MIT
 *
 * The pictures of the animation: waves that bend each other, and seven rotating
 * discs of glass.
 */
#include "plasma.h"

#define DISCS  7
#define RADIUS 26
#define EDGE   128 /* softness of the rim, in squared pixels */

static struct {
    int phase; /* 0 to 255: one turn in a round of frames */
    int centre_x;
    int centre_y;
    struct {
        int x;
        int y;
    } disc[DISCS];
    int16_t sine[256];
} now;

/* -128 to 128; 256 make a turn. Uses Bhaskara's formula, rounded down. */
static int sine(int turn)
{
    int half = turn & 127;
    int p = half * (128 - half);
    int value = 2048 * p / (81920 - 4 * p);

    return turn & 128 ? -value : value;
}

/* The same from a table, because each pixel needs many. */
static int wave(int turn)
{
    return now.sine[turn & 255];
}

void plasma_begin(unsigned frame)
{
    for (int i = 0; i < 256; i++) {
        now.sine[i] = sine(i);
    }
    now.phase = frame % PLASMA_FRAMES * 256 / PLASMA_FRAMES;
    now.centre_x = PLASMA_WIDTH / 2 + 2 * wave(now.phase);
    now.centre_y = PLASMA_HEIGHT / 2 + wave(2 * now.phase + 64);
    for (int i = 0; i < DISCS; i++) {
        int turn = i * 256 / DISCS + now.phase;
        int orbit = 120 + (wave(now.phase + 73 * i) >> 2);

        now.disc[i].x = PLASMA_WIDTH / 2 + (orbit * wave(turn + 64) * 3 >> 8);
        now.disc[i].y = PLASMA_HEIGHT / 2 + (orbit * wave(turn) >> 7);
    }
}

static int square(int n)
{
    return n * n;
}

/* Four waves, across warped coordinates, and one around a moving centre. */
static void waves(int x, int y, uint16_t pixel[3])
{
    int u = x + (wave(y + now.phase) * 85 >> 8);
    int v = y + (wave(x - now.phase) >> 2);
    int distance = square(x - now.centre_x) + square(y - now.centre_y);
    int sum = wave(u * 170 >> 8) + wave(v + now.phase) +
              wave(((u + v) >> 1) - 2 * now.phase) +
              wave((distance >> 8) - now.phase);
    int turn = (sum * 85 >> 8) + now.phase;

    pixel[0] = (128 + wave(turn)) * 3 >> 2;
    pixel[1] = (128 + wave(turn + 44)) * 3 >> 2;
    pixel[2] = ((128 + wave(turn + 100)) * 7 >> 3) + 24;
}

/* Everything seen through a disc is brighter. */
static void glass(int depth, uint16_t pixel[3])
{
    int share = depth < EDGE ? depth : EDGE;

    for (int i = 0; i < 3; i++) {
        int bright = PLASMA_ONE - ((PLASMA_ONE - pixel[i]) >> 2);

        pixel[i] += (bright - pixel[i]) * share / EDGE;
    }
}

static void disc_row(int n, int y, uint16_t pixels[PLASMA_WIDTH][3])
{
    int x = now.disc[n].x;

    for (int dx = -RADIUS; dx <= RADIUS; dx++) {
        int depth = square(RADIUS) - square(dx) - square(y - now.disc[n].y);

        if (depth > 0 && x + dx >= 0 && x + dx < PLASMA_WIDTH) {
            glass(depth, pixels[x + dx]);
        }
    }
}

void plasma_row(int y, uint16_t pixels[PLASMA_WIDTH][3])
{
    for (int x = 0; x < PLASMA_WIDTH; x++) {
        waves(x, y, pixels[x]);
    }
    for (int i = 0; i < DISCS; i++) {
        disc_row(i, y, pixels);
    }
}
