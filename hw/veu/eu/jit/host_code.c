/*
 * veu execution unit: memory for host code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif
#include "hw/veu/eu/jit/host_code.h"

#if defined(__linux__)
static void *map(int file, size_t bytes, int protection)
{
    void *memory = mmap(NULL, bytes, protection, MAP_SHARED, file, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

VeuHostMemory veu_host_memory_new(size_t bytes)
{
    VeuHostMemory m = { .bytes = bytes };
    int file = memfd_create("veu-host-code", MFD_CLOEXEC);

    if (file < 0) {
        return (VeuHostMemory){ 0 };
    }
    if (bytes && ftruncate(file, bytes) == 0) {
        m.writable = map(file, bytes, PROT_READ | PROT_WRITE);
        m.executable = map(file, bytes, PROT_READ | PROT_EXEC);
    }
    close(file);
    if (!m.writable || !m.executable) {
        veu_host_memory_free(&m);
    }
    return m;
}

void veu_host_memory_free(VeuHostMemory *m)
{
    if (m->writable) {
        munmap(m->writable, m->bytes);
    }
    if (m->executable) {
        munmap((void *)m->executable, m->bytes);
    }
    *m = (VeuHostMemory){ 0 };
}
#else
VeuHostMemory veu_host_memory_new(size_t bytes)
{
    return (VeuHostMemory){ 0 };
}

void veu_host_memory_free(VeuHostMemory *m)
{
}
#endif
