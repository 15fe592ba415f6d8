/*
 * veu device model: memory that costs nothing until it is used.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/mman.h>
#include "hw/veu/device/lazy.h"

void *veu_lazy_new(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

void veu_lazy_free(void *memory, size_t bytes)
{
    if (memory) {
        munmap(memory, bytes);
    }
}
