/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two of the four functions that compilers expect: move_compare.c has the
 * others.
 */
#include <stddef.h>

void *memset(void *to, int value, size_t bytes);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);

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
