/*
 * veu unit tests: the parts of QEMU that dirty.c, iotlb.c and miss.c of
 * hw/veu/qemu need.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The names are QEMU's. A stock QEMU 7.2 never reaches most of the code of the
 * last two, because its vIOMMU does not report all invalidations (compat.h).
 * These declarations match QEMU 10, and the test plays the part of QEMU.
 */
#ifndef VEU_TEST_QEMU_STUB_H
#define VEU_TEST_QEMU_STUB_H

#include <glib.h>
#include <pthread.h>
#include <string.h>
#include "hw/veu/eu/memory/mem.h"

/* These replace those of our headers that need more of QEMU. */
#define HW_VEU_QEMU_COMPAT_H
#define HW_VEU_QEMU_VEU_H

#define VEU_VTD_TELLS_ALL       1
#define VEU_TYPE_VTD_REGION     "intel-iommu-iommu-memory-region"
#define VEU_VTD_SCALABLE        "x-scalable-mode"
#define HWADDR_MAX              UINT64_MAX
#define MEMTXATTRS_UNSPECIFIED  0
#define IOMMU_NOTIFIER_UNMAP    1
#define OBJECT(of)              ((Object *)(of))
#define IOMMU_MEMORY_REGION(of) (of)

#define container_of(pointer, type, member) \
    ((type *)((char *)(pointer)-offsetof(type, member)))
#define qatomic_set(to, value) __atomic_store_n((to), (value), __ATOMIC_RELAXED)

typedef uint64_t hwaddr;
typedef struct Object Object;
typedef struct MemoryRegion MemoryRegion;
typedef struct AddressSpace AddressSpace;
typedef struct IOMMUTLBEntry IOMMUTLBEntry;
typedef struct IOMMUNotifier IOMMUNotifier;
typedef void (*IOMMUNotify)(IOMMUNotifier *notifier, IOMMUTLBEntry *range);

struct IOMMUNotifier {
    IOMMUNotify notify;
};

void *memory_region_get_ram_ptr(MemoryRegion *mr);
uint64_t memory_region_size(MemoryRegion *mr);
void memory_region_ref(MemoryRegion *mr);
void address_space_unmap(AddressSpace *as, void *from, hwaddr bytes,
                         bool is_write, hwaddr written);

Object *memory_region_owner(MemoryRegion *mr);
bool object_dynamic_cast(Object *object, const char *name);
bool object_property_get_bool(Object *object, const char *name, void *error);
int memory_region_iommu_attrs_to_index(MemoryRegion *mr, int attrs);
void iommu_notifier_init(IOMMUNotifier *notifier, IOMMUNotify notify, int flags,
                         hwaddr first, hwaddr last, int index);
int memory_region_register_iommu_notifier(MemoryRegion *mr,
                                          IOMMUNotifier *notifier, void *error);
void memory_region_unregister_iommu_notifier(MemoryRegion *mr,
                                             IOMMUNotifier *notifier);

/* ---- threads ---- */

/* Not GLib's, which ThreadSanitizer does not know. */
typedef pthread_mutex_t QemuMutex;
typedef pthread_cond_t QemuCond;
typedef GAsyncQueue *EventNotifier;

#define qemu_mutex_lock(mutex)      pthread_mutex_lock(mutex)
#define qemu_mutex_trylock(mutex)   pthread_mutex_trylock(mutex)
#define qemu_mutex_unlock(mutex)    pthread_mutex_unlock(mutex)
#define qemu_cond_wait(cond, mutex) pthread_cond_wait(cond, mutex)
#define qemu_cond_broadcast(cond)   pthread_cond_broadcast(cond)

void event_notifier_set(EventNotifier *notifier);

#endif
