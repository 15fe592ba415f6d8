/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The four functions that compilers take for granted.
 */
#include <stddef.h>
#include <stdint.h>

void *memset(void *to, int value, size_t bytes);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
int memcmp(const void *left, const void *right, size_t bytes);

void *memset(void *to, int value, size_t bytes)
{
    void *at = to;

    __asm__ volatile("rep stosb"
                     : "+D"(at), "+c"(bytes)
                     : "a"(value)
                     : "memory");
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    void *at = to;

    __asm__ volatile("rep movsb"
                     : "+D"(at), "+S"(from), "+c"(bytes)
                     :
                     : "memory");
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    uint8_t *t = to;
    const uint8_t *f = from;

    if (t <= f || t >= f + bytes) {
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

    for (; bytes; bytes--, l++, r++) {
        if (*l != *r) {
            return *l - *r;
        }
    }
    return 0;
}
