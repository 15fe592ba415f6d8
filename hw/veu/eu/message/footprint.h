/*
 * veu execution unit: how much memory a message touches, for profiles.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/profile.md, "Messages". Cache lines have 64 bytes, by the addresses that
 * the message computes. Shared local memory has 16 banks of 4 bytes: of 16
 * lanes at a time, those that access different dwords of one bank wait for each
 * other.
 */
#ifndef VEU_EU_FOOTPRINT_H
#define VEU_EU_FOOTPRINT_H

#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/message/observer.h"

#define VEU_FOOTPRINT_SLOTS 1024 /* more than lines that a message touches */

/* What a message touches, without bytes of lanes that are out of bounds. */
typedef struct VeuFootprint {
    VeuObserver observer;        /* first: for messages that execute observed */
    VeuObserver *next;           /* that the EU thread has, or NULL */
    uint32_t lines;              /* distinct ones, in guest memory */
    uint32_t conflicts;          /* of banks: turns after the first */
    uint64_t last;               /* the line that was touched last, and 1 */
    uint64_t stamp;              /* of this message */
    uint32_t slm_lanes;          /* that access shared local memory */
    uint32_t slm[VEU_MAX_LANES]; /* where */
    uint32_t slm_bytes;          /* of each */
    /* A hash table of lines; others than of this stamp are empty. */
    uint64_t line[VEU_FOOTPRINT_SLOTS];
    uint64_t stamps[VEU_FOOTPRINT_SLOTS];
} VeuFootprint;

/*
 * Before @message is executed for thread->active: measures it by its operands.
 * False for messages whose places only their executors know, and for those that
 * fault as a whole; these have to be executed with the observer.
 */
bool veu_footprint_measure(VeuThread *thread, const VeuMessage *message,
                           VeuFootprint *footprint);

/* Begins to measure a message that executes with @footprint->observer. */
VeuObserver *veu_footprint_begin(VeuFootprint *footprint, VeuObserver *next);
/* After it was executed: completes the counts. */
void veu_footprint_end(VeuFootprint *footprint);

#endif
