/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory allocation: a pointer that moves towards the end of RAM.
 */
#include "machine.h"

#define PAGE_BYTES 4096

static uint64_t next, ram_end;

void machine_memory_init(uint64_t start, uint64_t end)
{
    next = start;
    ram_end = end;
}

void *machine_alloc(size_t bytes, size_t alignment)
{
    uint64_t address = (next + alignment - 1) / alignment * alignment;

    if (address + bytes > ram_end) {
        machine_panic("out of memory: %lu bytes wanted, RAM ends at 0x%lx",
                      bytes, ram_end);
    }
    next = address + bytes;
    return __builtin_memset((void *)address, 0, bytes);
}

void *machine_alloc_page(void *opaque)
{
    (void)opaque;
    return machine_alloc(PAGE_BYTES, PAGE_BYTES);
}
