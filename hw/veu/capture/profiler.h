/*
 * veu captures: profiles of programs, summed over launches and threads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See docs/profile.md. A host of the device model forwards VeuHost.profile()
 * and all events to a profiler. Launches of the same bytes with the same number
 * of lanes count as one program.
 */
#ifndef VEU_CAPTURE_PROFILER_H
#define VEU_CAPTURE_PROFILER_H

#include <glib.h>
#include "hw/veu/device/host/device.h"
#include "hw/veu/eu/instruction/profile.h"

/*
 * The maximum number of programs, and the maximum number of instructions in all
 * programs together. Launches beyond that are not counted.
 */
#define VEU_PROFILER_MAX_PROGRAMS   256
#define VEU_PROFILER_MAX_ROWS       (UINT32_C(1) << 20)
/*
 * Memory for the counts of running launches. A launch that finds no room is not
 * counted.
 */
#define VEU_PROFILER_MAX_OPEN_BYTES ((size_t)512 << 20)

/* An instruction of a program, and its counts. */
typedef struct VeuProfiledInstruction {
    uint32_t offset;  /* in the code */
    const char *name; /* mnemonic */
    bool is_message;
    VeuInstructionCounts counts;
} VeuProfiledInstruction;

typedef struct VeuProfiledProgram {
    uint64_t hash; /* veu_capture_hash() */
    uint32_t simd;
    uint32_t code_bytes;
    uint64_t launches;
    uint32_t instruction_count;
    VeuProfiledInstruction *instructions;
} VeuProfiledProgram;

typedef struct VeuProfiler VeuProfiler;

VeuProfiler *veu_profiler_new(void);
void veu_profiler_free(VeuProfiler *profiler);

/* Implements VeuHost.profile. */
VeuProfile *veu_profiler_open(VeuProfiler *profiler, uint32_t ring,
                              unsigned runner, const VeuProgram *program);

/* Handles an event of @device, of any kind. */
void veu_profiler_event(VeuProfiler *profiler, VeuDevice *device,
                        const VeuEvent *event);

/*
 * The programs of launches that have ended (VeuProfiledProgram *), oldest
 * first.
 */
const GPtrArray *veu_profiler_programs(const VeuProfiler *profiler);

/* Writes the programs as JSON to a file, which is replaced. */
bool veu_profiler_write(const VeuProfiler *profiler, const char *path,
                        GError **error);

/* The events that a host with a profiler must request. */
#define VEU_PROFILER_EVENTS                            \
    (1u << VEU_EVENT_RESET | 1u << VEU_EVENT_COMMAND | \
     1u << VEU_EVENT_COMMAND_END)

#endif
