/*
 * veu execution unit: profiles: what each instruction of a program has done.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Instructions that run one after the other are counted together, as a block:
 * from one to another, with the same lanes. A table has the blocks that came
 * last; one that makes room for another is added to the counts of its
 * instructions. Instructions with a predicate, messages, those that move
 * lanes, and those that the executors run are counted one by one. A block is
 * run by a limit of its cost.
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
    uint64_t divergent; /* while some, but not all lanes ran */
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
    uint32_t started; /* lanes that the EU thread that runs has begun with */
    VeuFootprint footprint; /* of the message that executes */
    VeuProfileBlock blocks[VEU_PROFILE_BLOCKS];
    /* For each instruction: the next one that is counted alone, or it. */
    uint32_t *alone;
    /* What all instructions before it cost, sixteenths of units. */
    uint32_t *cost;
    VeuInstructionCounts *counts;
} VeuProfile;

/* The bytes of a profile of @program, and one in memory of zeros. */
size_t veu_profile_bytes(const VeuProgram *program);
VeuProfile *veu_profile_place(void *memory, const VeuProgram *program);

/* Adds what the table of blocks has. The counts are complete then. */
void veu_profile_finish(VeuProfile *profile);

/*
 * As veu_run_handlers(), for a thread with a profile: executes one block, or
 * one instruction that is counted alone. Returns false if the next one has no
 * handler.
 */
bool veu_profile_run(VeuThread *thread, uint32_t limit);

/*
 * An instruction that is no part of a block was executed, for @active, while
 * @running ran. Of a message, @thread->moved_bytes and the footprint count.
 */
void veu_profile_one(VeuThread *thread, const VeuInstruction *instruction,
                     uint32_t running, uint32_t active);

#endif
