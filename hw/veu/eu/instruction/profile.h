/*
 * veu execution unit: profiles: counts for each instruction of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Consecutive instructions that run with the same lanes are counted together,
 * as a block. A table holds the blocks that ran last; a block that leaves the
 * table is added to the counts of its instructions. Instructions with a
 * predicate, messages, those that move lanes, and those that the executors run
 * are counted one by one. A block runs with its cost as the limit.
 *
 * A host makes a profile for each of its threads and each launch, and adds them
 * up: hw/veu/capture/profiler.h.
 */
#ifndef VEU_EU_INSTRUCTION_PROFILE_H
#define VEU_EU_INSTRUCTION_PROFILE_H

#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/message/footprint.h"

/* A power of 2. */
#define VEU_PROFILE_BLOCKS 256

typedef struct VeuInstructionCounts {
    uint64_t executions;
    uint64_t lanes;     /* of all executions */
    uint64_t divergent; /* with some, but not all, lanes running */
    /* For messages only. */
    uint64_t bytes;     /* that they moved */
    uint64_t lines;     /* VeuFootprint.lines */
    uint64_t conflicts; /* VeuFootprint.conflicts */
} VeuInstructionCounts;

typedef struct VeuProfileBlock {
    uint32_t first;
    uint32_t end; /* index of the instruction after it */
    uint32_t running;
    bool diverges;
    uint64_t times;
} VeuProfileBlock;

typedef struct VeuProfile {
    const VeuProgram *program;
    uint32_t started;       /* lanes with which the running EU thread started */
    VeuFootprint footprint; /* of the message being executed */
    VeuProfileBlock blocks[VEU_PROFILE_BLOCKS];
    /* For each instruction: the next one that is counted alone, or itself. */
    uint32_t *alone;
    /* The cost of all instructions before it, in sixteenths of units. */
    uint32_t *cost;
    VeuInstructionCounts *counts;
} VeuProfile;

/* The size of a profile of @program; and a profile made in zeroed memory. */
size_t veu_profile_bytes(const VeuProgram *program);
VeuProfile *veu_profile_place(void *memory, const VeuProgram *program);

/* Adds the counts of the blocks in the table. The counts are then complete. */
void veu_profile_finish(VeuProfile *profile);

/*
 * Like veu_run_handlers(), for a thread with a profile: executes one block,
 * or one instruction that is counted alone. Returns false if the next one has
 * no handler.
 */
bool veu_profile_run(VeuThread *thread, uint32_t limit);

/*
 * Counts an instruction that is not part of a block and was executed for
 * @active while @running ran. For a message, it adds @thread->moved_bytes and
 * the footprint.
 */
void veu_profile_one(VeuThread *thread, const VeuInstruction *instruction,
                     uint32_t running, uint32_t active);

#endif
