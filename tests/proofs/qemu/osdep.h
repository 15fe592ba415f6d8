/*
 * veu proofs: the parts of QEMU that the memory gate of the QEMU host needs,
 * and no more.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names are QEMU's and GLib's. CBMC would otherwise have to read all of their
 * headers.
 */
#ifndef VEU_PROOFS_QEMU_H
#define VEU_PROOFS_QEMU_H

/* These replace those of our headers that need more of QEMU. */
#define HW_VEU_QEMU_COMPAT_H
#define HW_VEU_QEMU_ENGINE_H
#define HW_VEU_QEMU_VEU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "hw/veu/eu/memory/mem.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define container_of(pointer, type, member) \
    ((type *)((char *)(pointer)-offsetof(type, member)))
#define qatomic_read(from)     (*(from))
#define qatomic_set(to, value) ((void)(*(to) = (value)))
#define HWADDR_MAX             UINT64_MAX
#define MEMTXATTRS_UNSPECIFIED 0

#define RCU_READ_LOCK_GUARD()

#define QLIST_HEAD(name, type) \
    struct {                   \
        struct type *first;    \
    }
#define QLIST_ENTRY(type)  \
    struct {               \
        struct type *next; \
    }
#define QLIST_INIT(head)       ((head)->first = NULL)
#define QLIST_REMOVE(item, at) ((void)(item))
#define QLIST_INSERT_HEAD(head, item, at) \
    ((item)->at.next = (head)->first, (head)->first = (item))
#define QLIST_FOREACH(item, head, at) \
    for ((item) = (head)->first; (item); (item) = (item)->at.next)

typedef uint64_t hwaddr;
typedef struct AddressSpace AddressSpace;
typedef struct MemoryRegion MemoryRegion;
typedef struct VeuState VeuState;

/* Arrays with room for a few elements. */
typedef struct GArray {
    char *data;
    unsigned len;
    size_t element_bytes;
} GArray;

#define MOST_ELEMENTS                  2
#define g_array_index(array, type, n)  (((type *)(array)->data)[n])
#define g_array_append_val(array, val) append_val(array, &(val))

static inline GArray *g_array_new(bool zero, bool clear, size_t element_bytes)
{
    GArray *array = malloc(sizeof(*array));

    array->data = malloc(MOST_ELEMENTS * element_bytes);
    array->len = 0;
    array->element_bytes = element_bytes;
    return array;
}

static inline void append_val(GArray *array, const void *value)
{
    __CPROVER_assume(array->len < MOST_ELEMENTS);
    memcpy(array->data + array->len++ * array->element_bytes, value,
           array->element_bytes);
}

void g_array_set_size(GArray *array, unsigned length);
void g_array_unref(GArray *array);
void g_array_remove_index_fast(GArray *array, unsigned n);

struct MemoryRegion {
    bool is_ram;
    bool is_rom;
    bool is_device;
    uint8_t *host;
    uint64_t bytes;
};

static inline void *memory_region_get_ram_ptr(MemoryRegion *mr)
{
    return mr->host;
}

static inline uint64_t memory_region_size(MemoryRegion *mr)
{
    return mr->bytes;
}

static inline bool memory_region_is_ram(MemoryRegion *mr)
{
    return mr->is_ram;
}

static inline bool memory_region_is_rom(MemoryRegion *mr)
{
    return mr->is_rom;
}

static inline bool memory_region_is_ram_device(MemoryRegion *mr)
{
    return mr->is_device;
}

struct AddressSpace {
    int unused;
};

#endif
