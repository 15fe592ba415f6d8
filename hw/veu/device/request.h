/*
 * veu device model: recoverable faults: requests for pages, and responses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, section 3.5. In a context with requests, a piece of work that
 * misses pages stops before it has performed anything. A request goes to the
 * context's queue, and the piece runs again after the driver's response. A ring
 * has one request, for the addresses in its command, and each group runner of a
 * dispatch has one (VeuSlice.request). Group runners only remember their
 * misses; the ring's thread collects them at the end of a turn and opens the
 * requests.
 */
#ifndef VEU_DEVICE_REQUEST_H
#define VEU_DEVICE_REQUEST_H

#include "hw/veu/device/launch_state.h"

/*
 * The group runners of a dispatch in such a context; with several, their misses
 * overlap.
 */
#define VEU_REQUEST_RUNNERS 8

static inline bool veu_request_waits(const VeuRequest *request)
{
    return request->state == VEU_REQUEST_OPEN ||
           request->state == VEU_REQUEST_NO_ROOM;
}

/*
 * Returns true if the piece has made a request, or found no usable queue. It
 * runs again by itself, with the answer.
 */
static inline bool veu_request_was_made(const VeuRequest *request)
{
    return request->asked || request->state == VEU_REQUEST_REFUSED;
}

/*
 * Requests the pages that @mem has missed. The request then waits for a
 * response or for room in the queue, or is refused if there is no usable queue.
 */
void veu_request_open(VeuRing *ring, VeuRequest *request,
                      const VeuFaultPlace *place, const VeuMemMiss *misses,
                      unsigned count);

/*
 * Handles memory that the ring's command could not access. Returns true if the
 * command waits for pages, or false if this is a fault.
 */
bool veu_request_for_command(VeuRing *ring);

/* Saves or loads the request, if the ring's context has requests. */
bool veu_request_move(const VeuRing *ring, VeuRequest *request,
                      VeuStream *stream);

/* Implements a write of CONTEXT_RESPONSE. */
void veu_request_respond(VeuDevice *device, uint32_t context, uint64_t value);

/*
 * Called when the ring has another context, where no response would reach it.
 * Waiting work runs again, and may make requests there.
 */
void veu_request_forget(VeuRing *ring);

/* The DMA address of the context's request queue, and its size. */
void veu_request_queue_place(const VeuDevice *device, uint32_t context,
                             uint64_t *address, uint64_t *bytes);

/* Implements a write of CONTEXT_QUEUE: the queue is empty, and has room. */
void veu_request_reset_queue(VeuDevice *device, uint32_t context,
                             uint64_t value);

#endif
