/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The properties that are fixed when a device is created, one row each. Rules
 * that involve several properties are checked where they matter:
 * deterministic.c.
 */
#include "qemu/osdep.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "hw/veu/qemu/properties.h"
#include "hw/veu/qemu/veu.h"
#include "veu/regs.h"

/* Columns: kind, name, field of VeuState, default, least, most, text. */
#define PROPERTIES(X)                                                          \
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
    X(UINT32, "interrupt-interval-us", interrupt_interval_us, 0, 0,            \
      VEU_MAX_INTERRUPT_INTERVAL_US,                                           \
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
    X(UINT32, "x-tlb-entries", tlb_entries, 0, 0, VEU_LIMIT_TLB_LIMIT,         \
      "entries of each context's TLB, 1 to 16, to test a driver; 0: all")      \
    X(BOOL, "deterministic", deterministic, false, 0, 1,                       \
      "work in steps of the virtual clock, for record and replay (-icount)")

static VEU_PROPERTY_CONST Property veu_properties[] = {
#define ROW(kind, name, field, value, least, most, text) \
    DEFINE_PROP_##kind(name, VeuState, field, value),
    PROPERTIES(ROW)
#undef ROW
        VEU_PROPERTIES_END
};

void veu_properties_class_init(ObjectClass *klass)
{
    device_class_set_props(DEVICE_CLASS(klass), veu_properties);
#define ROW(kind, name, field, value, least, most, text) \
    object_class_property_set_description(klass, name, text);
    PROPERTIES(ROW)
#undef ROW
}

void veu_properties_init(Object *obj)
{
    object_property_add_alias(obj, "undefined", obj, "poison");
    object_property_add_alias(obj, "check", obj, "trace-contracts");
}

static bool check_bounds(const VeuState *s, Error **errp)
{
    const struct {
        const char *name;
        int64_t value, least, most;
    } rows[] = {
#define ROW(kind, name, field, value, least, most, text) \
    { name, s->field, least, most },
        PROPERTIES(ROW)
#undef ROW
    };

    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        if (rows[i].value < rows[i].least || rows[i].value > rows[i].most) {
            error_setg(errp,
                       "veu: invalid %s=%" PRId64 ": must be between %" PRId64
                       " and %" PRId64,
                       rows[i].name, rows[i].value, rows[i].least,
                       rows[i].most);
            return false;
        }
    }
    return true;
}

bool veu_properties_check(const VeuState *s, Error **errp)
{
    if (s->doorbell_stride != 4 * KiB && s->doorbell_stride != 64 * KiB) {
        error_setg(errp,
                   "veu: invalid doorbell-stride=%" PRIu32
                   ": must be 4096 or 65536",
                   s->doorbell_stride);
        return false;
    }
    return check_bounds(s, errp);
}
