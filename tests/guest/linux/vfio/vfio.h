/*
 * A driver in user space: the device through vfio-pci.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TESTS_LINUX_VFIO_H
#define VEU_TESTS_LINUX_VFIO_H

#include <stdbool.h>
#include <stdint.h>

/* The device address of the process's memory, and its size. */
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

/* Loads the modules; returns the device's name on the bus, or NULL. */
const char *vfio_bind(void);
/*
 * Sets up BARs, memory, bus mastering and vector 0. On failure, errno has the
 * reason.
 */
bool vfio_open(Vfio *v, const char *name);
bool vfio_reset(Vfio *v);

uint32_t vfio_get(Vfio *v, uint32_t offset);
void vfio_set(Vfio *v, uint32_t offset, uint32_t value);
void vfio_set64(Vfio *v, uint32_t offset, uint64_t value);

#endif /* VEU_TESTS_LINUX_VFIO_H */
