/*
 * veu execution unit: the places of lanes and blocks in a buffer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_BUFFER_H
#define VEU_EU_BUFFER_H

#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/message/lanes.h"

/* A buffer, and what operand Offset adds to the offset of each lane. */
typedef struct VeuBuffer {
    VeuRange range;
    uint32_t global;
} VeuBuffer;

/* Finds the buffer that @message names. Returns false with a fault. */
bool veu_buffer_open(VeuThread *thread, const VeuMessage *message,
                     VeuBuffer *buffer);

/*
 * The offset in the buffer for the address of a lane or a block. In SLM, the
 * first byte's offset may wrap once; those of the bytes after it do not
 * (docs/spec.md, 17.4).
 */
static inline uint64_t veu_buffer_offset(const VeuThread *thread,
                                         const VeuBuffer *buffer,
                                         uint64_t offset)
{
    return buffer->range.slm && thread->slm_wraps ? offset & 0xffff : offset;
}

/*
 * Each oword of a block is in or out of bounds as a whole. Returns how many of
 * the @block_bytes at @offset are in: the first ones.
 */
static inline uint32_t veu_owords_inside(uint64_t buffer_bytes, uint64_t offset,
                                         uint32_t block_bytes)
{
    uint64_t left = offset < buffer_bytes ? buffer_bytes - offset : 0;

    return left < block_bytes ? left & ~15 : block_bytes;
}

/*
 * Puts @access into the plan. Its address is an offset in the buffer, at or
 * after veu_buffer_offset(). It faults if it lacks the alignment that the
 * message demands; otherwise it is inside or outside the buffer as a whole.
 */
void veu_plan_buffer(VeuThread *thread, const VeuMessage *message,
                     const VeuBuffer *buffer, VeuLaneAccess *access,
                     VeuPlan *plan);

/* A lane's index wraps once, at 2^32: semantics.md, section 3. */
static inline uint32_t veu_buffer_index(const VeuThread *thread,
                                        const VeuMessage *message,
                                        const VeuBuffer *buffer, unsigned lane)
{
    return buffer->global + veu_lane_dword(thread, &message->address, lane);
}

/*
 * Plans an element for each lane. Returns false with a fault of the whole
 * message.
 */
bool veu_plan_elements(VeuThread *thread, const VeuMessage *message,
                       VeuPlan *plan);

#endif
