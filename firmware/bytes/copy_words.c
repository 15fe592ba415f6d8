/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two of the four functions that compilers expect: move_compare.c has the
 * others.
 */
#include <stddef.h>
#include <stdint.h>

void *memset(void *to, int value, size_t bytes);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);

/*
 * Copies words if both sides are aligned: TCG's cost is instructions, not
 * bytes.
 */
#define WORD sizeof(uint64_t)

typedef uint64_t __attribute__((may_alias)) word;

void *memset(void *to, int value, size_t bytes)
{
    uint64_t words = (uint8_t)value * 0x0101010101010101ull;
    uint8_t *t = to;

    for (; bytes && (uintptr_t)t % WORD; bytes--) {
        *t++ = value;
    }
    for (; bytes >= WORD; bytes -= WORD, t += WORD) {
        *(word *)t = words;
    }
    while (bytes--) {
        *t++ = value;
    }
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    const uint8_t *f = from;
    uint8_t *t = to;

    if (((uintptr_t)t | (uintptr_t)f) % WORD == 0) {
        for (; bytes >= WORD; bytes -= WORD, t += WORD, f += WORD) {
            *(word *)t = *(const word *)f;
        }
    }
    while (bytes--) {
        *t++ = *f++;
    }
    return to;
}
