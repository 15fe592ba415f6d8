/*
 * veu execution unit: watching what lanes access, and spoiling it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For tools that show a program at work, and for injected faults. Without an
 * observer, it costs one branch per lane.
 */
#ifndef VEU_EU_OBSERVER_H
#define VEU_EU_OBSERVER_H

#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/memory/mem.h"

/* An access of one lane, for the plan and for a fault record. */
typedef struct VeuLaneAccess {
    unsigned lane;
    unsigned element_bytes; /* size of a block */
    uint64_t address;       /* in shared local memory: the offset */
    /* Mask of the blocks from the address on; 0: all, the first is number 0. */
    uint64_t blocks;
    uint32_t bytes;
    enum veu_access access;
    bool is_atomic; /* a write that reads, too */
} VeuLaneAccess;

/* Where it goes. */
typedef enum VeuLanePlace {
    VEU_LANE_MEMORY,
    VEU_LANE_SLM,
    VEU_LANE_OUTSIDE, /* out of bounds; the address of a texel is 0 */
    VEU_LANE_FAULT,
} VeuLanePlace;

typedef struct VeuObserver VeuObserver;

struct VeuObserver {
    /*
     * Told of each lane that runs, while the message is planned: nothing of
     * it has been performed. Of a media block, which is lane 0, it is told
     * for each run of bytes that are together. @span lives until the step
     * ends; it is NULL for a lane that is out of bounds or faults.
     *
     * It may return the code of a fault that the lane then has, and, for a lane
     * that reads, change where the bytes are taken from.
     */
    uint16_t (*lane)(VeuObserver *observer, const VeuLaneAccess *access,
                     VeuLanePlace place, VeuSpan *span);
    /*
     * A message of which lanes run is about to be executed; false where it has
     * set the fault that the message is to have. NULL: all may.
     */
    bool (*begin)(VeuObserver *observer, VeuThread *thread,
                  const VeuMessage *message);
    /* The message has been executed. NULL: not called. */
    void (*end)(VeuObserver *observer);
};

#endif
