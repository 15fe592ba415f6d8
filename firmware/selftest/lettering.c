/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The letters "veu" as strokes, in integers.
 */
#include "lettering.h"

#include <stddef.h>
#include <stdint.h>

#define U             LETTER_UNIT
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct segment {
    int x0, y0, x1, y1;
};

/* v spans 0 to 92, e 120 to 220, u 262 to 346; y points down */
static const struct segment segments[] = {
    { 0, 0, 46, 100 },    { 46, 100, 92, 0 },   /* v */
    { 122, 50, 222, 50 },                       /* e */
    { 262, 0, 262, 58 },  { 346, 0, 346, 100 }, /* u */
};

struct arc {
    int x, y, r;
    /* The part that exists: where this is false, there is a gap. */
    int (*covers)(int dx, int dy);
};

/* The whole circle except the mouth, which is the 45 degrees below the bar. */
static int e_covers(int dx, int dy)
{
    return !(dx > 0 && dy > 0 && dy < dx);
}

static int u_covers(int dx, int dy)
{
    (void)dx;
    return dy >= 0;
}

static const struct arc arcs[] = {
    { 172, 50, 50, e_covers },
    { 304, 58, 42, u_covers },
};

static int root(int64_t value)
{
    int64_t result = 0;

    for (int64_t bit = 1ll << 20; bit; bit >>= 1) {
        if ((result + bit) * (result + bit) <= value) {
            result += bit;
        }
    }
    return result;
}

static int length(int64_t x, int64_t y)
{
    return root(x * x + y * y);
}

static int to_segment(const struct segment *s, int x, int y)
{
    int64_t dx = (s->x1 - s->x0) * U, dy = (s->y1 - s->y0) * U;
    int64_t px = x - s->x0 * U, py = y - s->y0 * U;
    int64_t along = px * dx + py * dy, square = dx * dx + dy * dy;

    if (along <= 0) {
        return length(px, py);
    }
    if (along >= square) {
        return length(px - dx, py - dy);
    }
    return length(px - dx * along / square, py - dy * along / square);
}

static int to_arc(const struct arc *a, int x, int y)
{
    int dx = x - a->x * U, dy = y - a->y * U;
    int distance = length(dx, dy) - a->r * U;

    if (!a->covers(dx, dy)) {
        return 1000 * U;
    }
    return distance < 0 ? -distance : distance;
}

/* Round ends: the mouth's lower lip is at 45 degrees on e's circle. */
static int to_lip(int x, int y)
{
    int at = 50 * U * 181 / 256;

    return length(x - 172 * U - at, y - 50 * U - at);
}

int letters_distance(int x, int y)
{
    int nearest = to_lip(x, y);

    for (size_t i = 0; i < ARRAY_SIZE(segments); i++) {
        int distance = to_segment(&segments[i], x, y);

        nearest = distance < nearest ? distance : nearest;
    }
    for (size_t i = 0; i < ARRAY_SIZE(arcs); i++) {
        int distance = to_arc(&arcs[i], x, y);

        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}
