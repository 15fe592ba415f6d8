/*
 * veu execution unit: watching, and corrupting, what lanes access.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * It serves tools that show a running program, and injected faults. Without an
 * observer, the cost is one branch per lane.
 */
#ifndef VEU_EU_OBSERVER_H
#define VEU_EU_OBSERVER_H

#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/memory/mem.h"

/* An access by one lane, for the plan and for a fault record. */
typedef struct VeuLaneAccess {
    unsigned lane;
    unsigned element_bytes; /* size of a block */
    uint64_t address;       /* in shared local memory, the offset */
    /*
     * Mask of the blocks from the address on, the first being bit 0; 0: all
     * blocks.
     */
    uint64_t blocks;
    uint32_t bytes;
    enum veu_access access;
    bool is_atomic; /* a write that also reads */
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
     * Called for each running lane while the message is planned and nothing of
     * it has been performed. For a media block, which is lane 0, it is called
     * for each run of contiguous bytes. @span is valid until the step ends; it
     * is NULL for a lane that is out of bounds or faults. The function may
     * return the code of a fault for the lane, and for a lane that reads, it
     * may change where the bytes come from.
     */
    uint16_t (*lane)(VeuObserver *observer, const VeuLaneAccess *access,
                     VeuLanePlace place, VeuSpan *span);
    /*
     * Called before a message with running lanes is executed. Returns false if
     * it has set a fault for the message. NULL: every message is executed.
     */
    bool (*begin)(VeuObserver *observer, VeuThread *thread,
                  const VeuMessage *message);
    /* Called after the message was executed. NULL: not called. */
    void (*end)(VeuObserver *observer);
};

#endif
