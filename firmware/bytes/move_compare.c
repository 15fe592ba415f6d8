/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two of the four functions that compilers expect; the other two are in
 * copy_*.c.
 */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
int memcmp(const void *left, const void *right, size_t bytes);

void *memmove(void *to, const void *from, size_t bytes)
{
    uint8_t *t = to;
    const uint8_t *f = from;

    if (t <= f) {
        return memcpy(to, from, bytes);
    }
    while (bytes--) {
        t[bytes] = f[bytes];
    }
    return to;
}

int memcmp(const void *left, const void *right, size_t bytes)
{
    const uint8_t *l = left, *r = right;

    for (size_t i = 0; i < bytes; i++) {
        if (l[i] != r[i]) {
            return l[i] - r[i];
        }
    }
    return 0;
}
