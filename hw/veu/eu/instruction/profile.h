/*
 * veu execution unit: profiles: counts for each instruction of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A block begins where lanes may arrive or change, and after an instruction
 * that may fault. All of its instructions are executed for the same running
 * lanes, so a block is counted once, when its first instruction is executed.
 * Instructions with a predicate also count their lanes. Messages, and those
 * that have no handlers, are in no block: they are counted one by one, after
 * they were executed.
 *
 * A profile has a copy of the program. The handlers of its steps count, and
 * then jump to those of the program, so that nothing is checked without a
 * profile. A host makes a profile for each of its threads and each launch, and
 * adds them up: hw/veu/capture/profiler.h.
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

/* A block that some of the lanes ran, and the number of times. */
typedef struct VeuProfileBlock {
    uint32_t first;
    uint32_t running;
    bool diverges;
    uint64_t times;
} VeuProfileBlock;

/* The counts of an instruction of the program. */
typedef struct VeuProfilePlace {
    VeuHandler *handler[2]; /* of the program's step */
    uint64_t times;       /* the number of times that all lanes ran the block */
    uint64_t lanes;       /* of all executions, if it has a predicate */
    VeuProfileBlock some; /* the lanes that ran the block last */
    bool begins;          /* it is the first of a block */
    bool leads;           /* a label whose block is counted after it */
    bool alone;           /* it is in no block */
} VeuProfilePlace;

/* The counts of a message, besides those that its instruction has. */
typedef struct VeuProfileMessage {
    VeuFootprintPlan plan;
    /* Executions for all of its lanes while all that started ran. */
    uint64_t times;
    uint64_t bytes;
    uint64_t lines;
    uint64_t conflicts;
} VeuProfileMessage;

typedef struct VeuProfile {
    VeuProgram program; /* a copy whose steps are counted */
    uint32_t started;   /* lanes with which the running EU thread started */
    VeuProfileMessage *message; /* being executed */
    VeuFootprint footprint;     /* of that message */
    VeuProfileBlock blocks[VEU_PROFILE_BLOCKS];
    VeuProfilePlace *places;
    VeuProfileMessage *messages;
    VeuInstructionCounts *counts;
} VeuProfile;

/* The size of a profile of @program; and a profile made in zeroed memory. */
size_t veu_profile_bytes(const VeuProgram *program);
VeuProfile *veu_profile_place(void *memory, const VeuProgram *program);

/* Adds the counts of blocks and of messages. The counts are then complete. */
void veu_profile_finish(VeuProfile *profile);

/*
 * Counts an instruction that is about to be executed, unless it is counted
 * alone.
 */
void veu_profile_step(VeuThread *thread, const VeuInstruction *instruction);

/* Like veu_execute_fast(), and counts the message, the program's @number-th. */
bool veu_profile_fast(VeuThread *thread, const VeuMessage *message,
                      uint32_t number);

/*
 * Counts an instruction that is counted alone and was executed for @active
 * while @running ran. For a message, it adds @thread->moved_bytes and the
 * footprint.
 */
void veu_profile_one(VeuThread *thread, const VeuInstruction *instruction,
                     uint32_t running, uint32_t active);

/* Returns true if the instruction is counted alone. */
bool veu_profile_is_alone(const VeuInstruction *instruction);

#endif
