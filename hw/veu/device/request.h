/*
 * veu device model: recoverable faults: requests for pages, and responses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, section 3.5. In a context with requests, a piece of work that
 * misses pages stops before it has performed anything. A request goes to the
 * context's queue, and the piece runs again when the driver has responded.
 *
 * A ring has one request, for what its command names itself, and each group
 * runner of a dispatch has one (VeuSlice.request). Group runners only remember
 * what they have missed; requests are opened by the ring's thread, which
 * collects that at the end of a turn.
 */
#ifndef VEU_DEVICE_REQUEST_H
#define VEU_DEVICE_REQUEST_H

#include "hw/veu/device/launch.h"

/* Group runners of a dispatch in such a context, so that misses overlap. */
#define VEU_REQUEST_RUNNERS 8

static inline bool veu_request_waits(const VeuRequest *request)
{
    return request->state == VEU_REQUEST_OPEN ||
           request->state == VEU_REQUEST_NO_ROOM;
}

/*
 * The piece has asked, or there was no usable queue: it runs again alone, with
 * the answer.
 */
static inline bool veu_request_was_made(const VeuRequest *request)
{
    return request->asked || request->state == VEU_REQUEST_REFUSED;
}

/*
 * Asks for the pages that @mem has missed. The request waits for a response or
 * for room in the queue, or it is refused: there is no usable queue.
 */
void veu_request_open(VeuRing *ring, VeuRequest *request,
                      const VeuFaultPlace *place, const VeuMemMiss *misses,
                      unsigned count);

/*
 * For the ring's command, which has met memory that it must not access. True:
 * it waits for pages; false: that is a fault.
 */
bool veu_request_for_command(VeuRing *ring);

/* Saves or loads it, where the ring's context has requests. */
bool veu_request_move(const VeuRing *ring, VeuRequest *request,
                      VeuStream *stream);

/* What a write of CONTEXT_RESPONSE does. */
void veu_request_respond(VeuDevice *device, uint32_t context, uint64_t value);

/*
 * The ring has another context, where no response would reach it: what waits
 * runs again, and may ask there.
 */
void veu_request_forget(VeuRing *ring);

/* What a write of CONTEXT_QUEUE does: the queue is empty, and has room. */
void veu_request_reset_queue(VeuDevice *device, uint32_t context,
                             uint64_t value);

#endif
