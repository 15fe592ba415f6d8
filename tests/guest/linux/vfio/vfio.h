/*
 * A driver in user space: the device through vfio-pci.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TESTS_LINUX_VFIO_H
#define VEU_TESTS_LINUX_VFIO_H

#include <stdbool.h>
#include <stdint.h>

/* Where the device finds the memory of the process, and how much there is. */
#define IOVA         UINT64_C(0x4000000000)
#define MEMORY_BYTES 65536

typedef struct Vfio {
    int container;
    int group;
    int device;
    int event; /* of vector 0 */
    volatile uint8_t *regs;
    volatile uint8_t *doorbells;
    uint8_t *memory;
} Vfio;

/* Loads what it takes; the device's name on the bus, or NULL. */
const char *vfio_bind(void);
/* BARs, memory, bus mastering, vector 0. Errno tells why not. */
bool vfio_open(Vfio *v, const char *name);
bool vfio_reset(Vfio *v);

uint32_t vfio_get(Vfio *v, uint32_t offset);
void vfio_set(Vfio *v, uint32_t offset, uint32_t value);
void vfio_set64(Vfio *v, uint32_t offset, uint64_t value);

#endif /* VEU_TESTS_LINUX_VFIO_H */
