/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The QEMU device "veu": a host for the device model of hw/veu/device.
 */
#ifndef HW_VEU_QEMU_VEU_H
#define HW_VEU_QEMU_VEU_H

#include "qemu/osdep.h"
#include "qemu/event_notifier.h"
#include "qemu/notify.h"
#include "qemu/timer.h"
#include "hw/veu/qemu/compat.h"
#include "hw/veu/qemu/engine.h"
#include "hw/veu/qemu/memory.h"
#include "hw/veu/qemu/properties.h"
#include "hw/veu/qemu/workers.h"
#include "hw/veu/device/host/device.h"

#define TYPE_VEU "veu"
OBJECT_DECLARE_SIMPLE_TYPE(VeuState, VEU)

/* As many as @causes has bits. */
#define VEU_MAX_VECTORS      64
/* Default of the property "vectors": one for each ring, one for a display. */
#define VEU_VECTORS_AS_RINGS (-1)

typedef struct VeuCaptures VeuCaptures;

struct VeuState {
    PCIDevice parent_obj;

    MemoryRegion regs;
    MemoryRegion doorbells;

    const VeuScreen *screen; /* NULL: no display */
    VeuHost host;
    VeuDevice *device;
    VeuEngine engine;
    VeuMemory memory;
    VeuWorkers workers;

    /*
     * Vectors to raise, bit n = vector n, and the notifier that wakes the main
     * loop.
     */
    uint64_t causes;
    EventNotifier causes_notifier;
    /*
     * For each vector, the earliest time of the next interrupt; 0: at any time.
     */
    int64_t not_before_ns[VEU_MAX_VECTORS];
    QEMUTimer *interrupt_timer; /* for causes that come too soon */

    /* Power states. */
    uint8_t power_capability; /* offset in configuration space */
    bool asleep;              /* in D3hot */
    Notifier machine_sleeps;

    /* The value of the property "walk". */
    uint32_t walk_context;
    uint64_t walk_address;

    /* The fields of VEU_PROPERTIES. */
#define MEMBER(kind, name, field, ...) VEU_PROPERTY_##kind field;
    VEU_PROPERTIES(MEMBER)
#undef MEMBER
    /* Properties that can be set at any time; "": nothing of the kind. */
    char *inject;
    char *capture_dir;
    char *capture_rules;
    char *timeline_file;
    char *profile_file;

    CharFrontend gdb_chardev; /* of the property "gdb"; unconnected: none */
    struct VeuGdbServer *gdb; /* NULL: there is no such chardev */
    bool gdb_is_attached;
    VeuCaptures *captures;        /* NULL: no launches are captured */
    struct VeuTimeline *timeline; /* NULL: none is written */
    struct VeuProfiler *profiler; /* NULL: nothing is counted */
    Notifier exit;                /* of the process */
};

/* Fills in s->host, the device model's view of QEMU. */
void veu_host_init(VeuState *s);

bool veu_interrupt_init(VeuState *s, Error **errp);
/* Adds the capability, with the wanted number of vectors. */
bool veu_interrupt_init_msix(VeuState *s, uint32_t *vectors, Error **errp);
void veu_interrupt_exit(VeuState *s);
void veu_interrupt_cleanup(VeuState *s);
/* Clears everything that is pending. No batch is under way. */
void veu_interrupt_reset(VeuState *s);
/*
 * Makes the main loop raise s->causes, which wait while the VM is stopped. A
 * deterministic device raises them when its batch has ended.
 */
void veu_interrupt_post(VeuState *s);
/* Raises them. Called with the big lock held. */
void veu_interrupt_raise(VeuState *s);

/* Called once: by type_init in a QEMU source tree, by the plugin elsewhere. */
void veu_register_types(void);

#endif /* HW_VEU_QEMU_VEU_H */
