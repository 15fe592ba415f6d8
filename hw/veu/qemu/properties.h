/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The properties that are fixed when a device is created.
 */
#ifndef HW_VEU_QEMU_PROPERTIES_H
#define HW_VEU_QEMU_PROPERTIES_H

#include "qemu/osdep.h"
#include "qom/object.h"

typedef struct VeuState VeuState;

/*
 * The properties that are fixed when a device is created, one row each. Rules
 * that involve several properties are checked where they matter:
 * deterministic.c. Columns: kind, name, field of VeuState, default, least,
 * most, text.
 */
#define VEU_PROPERTIES(X)                                                      \
    X(UINT16, "vendor-id", vendor_id, VEU_PCI_VENDOR_ID, 0, UINT16_MAX,        \
      "PCI vendor ID")                                                         \
    X(UINT16, "device-id", device_id, VEU_PCI_DEVICE_ID, 0, UINT16_MAX,        \
      "PCI device ID")                                                         \
    X(UINT16, "subsystem-vendor-id", subsystem_vendor_id, VEU_PCI_VENDOR_ID,   \
      0, UINT16_MAX, "PCI subsystem vendor ID")                                \
    X(UINT16, "subsystem-id", subsystem_id, VEU_PCI_DEVICE_ID, 0, UINT16_MAX,  \
      "PCI subsystem ID")                                                      \
    X(UINT8, "revision", revision, 0, 0, UINT8_MAX, "PCI revision ID")         \
    X(SIZE32, "doorbell-stride", doorbell_stride, 4 * KiB, 4 * KiB, 64 * KiB,  \
      "bytes from one doorbell to the next: 4K or 64K, the guest's page size") \
    X(UINT32, "rings", rings, 4, 1, VEU_MAX_RINGS, "command rings, 1 to 64")   \
    X(INT32, "vectors", vectors, VEU_VECTORS_AS_RINGS, VEU_VECTORS_AS_RINGS,   \
      VEU_MAX_VECTORS, "MSI-X vectors, 0 to 64; -1: one for each ring")        \
    X(UINT32, "interrupt-interval-us", interrupt_interval_us, 0, 0, 1000000,   \
      "least time between two interrupts of a vector, microseconds; 0: any")   \
    X(UINT8, "poison", poison, 0, 0, UINT8_MAX,                                \
      "value of the bytes that a message leaves undefined; SLM starts so too") \
    X(BOOL, "strict-types", strict_types, false, 0, 1,                         \
      "fault when typed data is not declared as the format's type")            \
    X(BOOL, "trace-contracts", trace_contracts, false, 0, 1,                   \
      "trace broken rules that are no faults (events veu_ub_*); costs time")   \
    X(UINT32, "workers", worker_count, 1, 1, VEU_MAX_SLICES,                   \
      "threads that run a dispatch, the device thread among them: 1 to 16")    \
    X(SIZE32, "program-memory", program_memory, 64 * MiB, 0, 1 * GiB,          \
      "bytes for programs that a guest loads, decoded form included; 0: none") \
    X(BOOL, "jit", jit, true, 0, 1,                                            \
      "compile kernels to code of the host's CPU, if it has AVX2")             \
    X(UINT32, "x-tlb-entries", tlb_entries, 0, 0, VEU_LIMIT_TLB_LIMIT,         \
      "entries of each context's TLB, 1 to 16, to test a driver; 0: all")      \
    X(BOOL, "deterministic", deterministic, false, 0, 1,                       \
      "work in steps of the virtual clock, for record and replay (-icount)")

/* The type of a property's field, by its kind. */
#define VEU_PROPERTY_UINT8  uint8_t
#define VEU_PROPERTY_UINT16 uint16_t
#define VEU_PROPERTY_UINT32 uint32_t
#define VEU_PROPERTY_INT32  int32_t
#define VEU_PROPERTY_SIZE32 uint32_t
#define VEU_PROPERTY_BOOL   bool

/* Adds the properties, each with its text, to a class. */
void veu_properties_class_init(ObjectClass *klass);

/* Adds the names that properties had in version 1.0. */
void veu_properties_init(Object *obj);

/* Returns false with an error if a property has an illegal value. */
bool veu_properties_check(const VeuState *s, Error **errp);

#endif /* HW_VEU_QEMU_PROPERTIES_H */
