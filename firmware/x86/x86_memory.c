/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory: a pointer that moves up from the image's end to the end of RAM.
 * And the four functions that compilers take for granted.
 */
#include "x86.h"

void *memset(void *to, int value, size_t bytes);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
int memcmp(const void *left, const void *right, size_t bytes);

static uint64_t next, ram_end;

void x86_memory_init(uint64_t image_end, uint64_t end)
{
    next = image_end;
    ram_end = end;
}

uint64_t x86_ram_end(void)
{
    return ram_end;
}

void *x86_alloc(size_t bytes, size_t alignment)
{
    uint64_t address = (next + alignment - 1) / alignment * alignment;

    if (address + bytes > ram_end) {
        x86_panic("out of memory: %lu bytes wanted, RAM ends at 0x%lx", bytes,
                  ram_end);
    }
    next = address + bytes;
    return __builtin_memset((void *)address, 0, bytes);
}

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
