/*
 * veu execution unit: memory for host code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * No page of it is ever writable and executable at one address: the same memory
 * is mapped twice. Hosts that forbid executable memory, and those without
 * memfd_create(), have none: then programs are not compiled.
 */
#ifndef VEU_EU_JIT_HOST_CODE_H
#define VEU_EU_JIT_HOST_CODE_H

#include <stddef.h>
#include <stdint.h>

typedef struct VeuHostMemory {
    uint8_t *writable; /* NULL: none */
    const uint8_t *executable;
    size_t bytes;
} VeuHostMemory;

/* Maps @bytes, a multiple of the page size, or nothing if that fails. */
VeuHostMemory veu_host_memory_new(size_t bytes);
void veu_host_memory_free(VeuHostMemory *memory);

#endif
