/*
 * veu execution unit: the memory that a message touches, for profiles.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/profile.md, "Messages". Cache lines have 64 bytes, by the addresses that
 * the message computes. Shared local memory has 16 banks of 4 bytes: 16 lanes
 * are served at a time, and those that access different dwords of one bank wait
 * for each other.
 */
#ifndef VEU_EU_FOOTPRINT_H
#define VEU_EU_FOOTPRINT_H

#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/message/observer.h"

#define VEU_FOOTPRINT_SLOTS 1024 /* more than lines that a message touches */

/* What a message touches, except bytes of lanes that are out of bounds. */
typedef struct VeuFootprint {
    /* first member: for messages that are executed with it */
    VeuObserver observer;
    VeuObserver *next;           /* the EU thread's own, or NULL */
    uint32_t lines;              /* distinct ones, in guest memory */
    uint32_t conflicts;          /* bank conflicts: turns after the first */
    uint64_t last;               /* the line that was touched last, plus 1 */
    uint64_t stamp;              /* of this message */
    uint32_t slm_lanes;          /* lanes that access shared local memory */
    uint32_t slm[VEU_MAX_LANES]; /* where */
    uint32_t slm_bytes;          /* of each */
    /* A hash table of lines; entries with another stamp are empty. */
    uint64_t line[VEU_FOOTPRINT_SLOTS];
    uint64_t stamps[VEU_FOOTPRINT_SLOTS];
} VeuFootprint;

typedef struct VeuFootprintPlan VeuFootprintPlan;

/*
 * Measures @message by its operands, before it is executed for thread->active.
 * Returns false for messages whose places only their executors know, and for
 * those that fault as a whole; these must be executed with the observer.
 */
typedef bool VeuMeasureFootprint(VeuThread *thread, const VeuMessage *message,
                                 const VeuFootprintPlan *plan,
                                 VeuFootprint *footprint);

/*
 * How a message is measured: it accesses @bytes, @first bytes after the place
 * of each lane, and an index counts for @scale bytes.
 */
struct VeuFootprintPlan {
    VeuMeasureFootprint *measure;
    uint32_t scale;
    uint32_t first;
    uint32_t bytes;
};

VeuFootprintPlan veu_footprint_plan(const VeuMessage *message);

/* Starts measuring a message that is executed with @footprint->observer. */
VeuObserver *veu_footprint_begin(VeuFootprint *footprint, VeuObserver *next);
/* Completes the counts after the message was executed. */
void veu_footprint_end(VeuFootprint *footprint);

#endif
