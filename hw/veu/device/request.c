/*
 * veu device model: recoverable faults: requests for pages, and responses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>
#include <sys/param.h>
#include "hw/veu/device/context_tables.h"
#include "hw/veu/device/launch_args.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/stream.h"

#define HEAD_AT    offsetof(struct veu_request_queue, head)
#define TAIL_AT    offsetof(struct veu_request_queue, tail)
#define RECORDS_AT sizeof(struct veu_request_queue)

static uint64_t context_get(const VeuDevice *d, uint32_t context, unsigned row)
{
    return veu_register_get(d->context_reg[context], row);
}

void veu_request_queue_place(const VeuDevice *d, uint32_t context,
                             uint64_t *address, uint64_t *bytes)
{
    *address = context_get(d, context, VEU_ROW_CONTEXT_QUEUE);
    *bytes = RECORDS_AT +
             context_get(d, context, VEU_ROW_CONTEXT_QUEUE_RECORDS) *
                 sizeof(struct veu_request);
}

/* A word of the queue, at a DMA address; NULL if it is not in RAM. */
static uint32_t *map_word(VeuRing *ring, uint64_t offset,
                          enum veu_access access)
{
    VeuDevice *d = ring->device;
    uint32_t bytes = sizeof(uint32_t);
    uint64_t queue = context_get(d, ring->context.number,
                                 VEU_ROW_CONTEXT_QUEUE);

    return (uint32_t *)d->host->map(d->host, queue + offset, &bytes, access);
}

static bool store_record(VeuRing *ring, uint64_t number,
                         const struct veu_request *record)
{
    uint32_t context = ring->context.number;
    uint64_t records = context_get(ring->device, context,
                                   VEU_ROW_CONTEXT_QUEUE_RECORDS);
    uint64_t failed;

    return veu_mem_write(
        veu_context_own(&ring->context),
        context_get(ring->device, context, VEU_ROW_CONTEXT_QUEUE) + RECORDS_AT +
            (number & (records - 1)) * sizeof(*record),
        record, sizeof(*record), &failed);
}

static struct veu_request make_record(const VeuRing *ring,
                                      const VeuRequest *request,
                                      const VeuFaultPlace *place,
                                      const VeuMemMiss *miss)
{
    return (struct veu_request){
        .address = miss->page,
        .id = request->id,
        .asked = request->asked,
        .ring = ring->number,
        .access = miss->access,
        .slot = ring->command.slot,
        .tag = ring->command.header.tag,
        .group = place ? place->group : VEU_FAULT_NOT_APPLICABLE,
        .thread = place ? place->thread : VEU_FAULT_NOT_APPLICABLE,
        .detail = miss->detail,
    };
}

/* Only misses that can be repaired are requested. */
static unsigned count_asked(const VeuMemMiss *misses, unsigned count)
{
    unsigned asked = 0;

    for (unsigned i = 0; i < count; i++) {
        asked += misses[i].can_ask;
    }
    return asked;
}

/* Reserves room for a whole group of records, or for none. */
static VeuRequestState reserve(VeuRing *ring, unsigned count)
{
    uint32_t context = ring->context.number;
    uint32_t *head = map_word(ring, HEAD_AT, VEU_ACCESS_READ);
    uint64_t records = context_get(ring->device, context,
                                   VEU_ROW_CONTEXT_QUEUE_RECORDS);
    uint32_t used;

    if (!head ||
        !veu_context_queue_is_legal(ring->device->context_reg[context])) {
        return VEU_REQUEST_REFUSED;
    }
    used = ring->device->queue[context].tail -
           __atomic_load_n(head, __ATOMIC_ACQUIRE);
    return used <= records && count <= records - used ? VEU_REQUEST_OPEN :
                                                        VEU_REQUEST_NO_ROOM;
}

/*
 * Stores the records first, marks them as written, then stores the tail that
 * shows them.
 */
static bool publish(VeuRing *ring, uint32_t tail)
{
    VeuDevice *d = ring->device;
    uint32_t vector = context_get(d, ring->context.number,
                                  VEU_ROW_CONTEXT_QUEUE_VECTOR);
    uint32_t *word;

    veu_ring_flush(ring);
    word = map_word(ring, TAIL_AT, VEU_ACCESS_WRITE);
    if (!word) {
        return false;
    }
    d->queue[ring->context.number].tail = tail;
    __atomic_store_n(word, tail, __ATOMIC_RELEASE);
    if (vector < d->config.vectors) {
        d->host->interrupt(d->host, vector);
    }
    return true;
}

static bool store_group(VeuRing *ring, VeuRequest *request,
                        const VeuFaultPlace *place, const VeuMemMiss *misses,
                        unsigned count)
{
    VeuRequestQueue *queue = &ring->device->queue[ring->context.number];
    unsigned left = count_asked(misses, count);
    uint32_t tail = queue->tail;

    request->id = queue->next_id++;
    request->asked++;
    for (unsigned i = 0; i < count; i++) {
        if (misses[i].can_ask) {
            struct veu_request record = make_record(ring, request, place,
                                                    &misses[i]);

            record.flags = --left ? 0 : VEU_REQUEST_LAST;
            if (!store_record(ring, tail++, &record)) {
                return false;
            }
        }
    }
    veu_emit(ring->device, &(VeuEvent){ .kind = VEU_EVENT_REQUEST,
                                        .ring = ring->number,
                                        .name = "request",
                                        .at = request->id,
                                        .value = tail - queue->tail });
    return publish(ring, tail);
}

void veu_request_open(VeuRing *ring, VeuRequest *request,
                      const VeuFaultPlace *place, const VeuMemMiss *misses,
                      unsigned count)
{
    request->state = reserve(ring, count_asked(misses, count));
    if (request->state == VEU_REQUEST_OPEN &&
        !store_group(ring, request, place, misses, count)) {
        request->state = VEU_REQUEST_REFUSED;
    }
}

bool veu_request_for_command(VeuRing *ring)
{
    VeuMemMiss misses[VEU_MEM_MISSES];
    const VeuMem *mem = &ring->context.mem;
    unsigned count = mem->miss_count;

    if (!mem->asks || !count_asked(mem->miss, count)) {
        return false;
    }
    /* Opening a request flushes, which forgets the misses. */
    memcpy(misses, mem->miss, count * sizeof(misses[0]));
    veu_request_open(ring, &ring->request, NULL, misses, count);
    return true;
}

typedef struct Response {
    enum {
        TO_ONE,
        TO_ALL,
        TO_NONE
    } to;
    uint32_t id; /* of the one */
    bool refused;
} Response;

/* Whatever the response is, there may be room now. */
static void respond(VeuRing *ring, VeuRequest *request, const Response *r)
{
    if (request->state == VEU_REQUEST_OPEN &&
        (r->to == TO_ALL || (r->to == TO_ONE && request->id == r->id))) {
        veu_emit(ring->device, &(VeuEvent){ .kind = VEU_EVENT_RESPONSE,
                                            .ring = ring->number,
                                            .name = "response",
                                            .at = request->id,
                                            .value = r->refused });
        request->state = r->refused ? VEU_REQUEST_REFUSED : VEU_REQUEST_NONE;
    } else if (request->state == VEU_REQUEST_NO_ROOM) {
        request->state = VEU_REQUEST_NONE;
    }
}

static void respond_to_ring(VeuRing *ring, const Response *r)
{
    VeuLaunch *l = ring->launch;
    bool runs = ring->command.info && ring->command.info->is_launch;
    bool in_groups = runs && veu_launch_is_kernel(ring) &&
                     l->phase == VEU_LAUNCH_RUN;

    respond(ring, &ring->request, r);
    for (uint32_t i = 0; in_groups && i < l->groups.count; i++) {
        respond(ring, &l->groups.group[i].request, r);
    }
    for (unsigned n = 0; runs && n < l->slice_count; n++) {
        respond(ring, &l->slice[n].request, r);
    }
    ring->blocked = false;
}

static void respond_to_context(VeuDevice *d, uint32_t context,
                               const Response *r)
{
    for (uint32_t i = 0; i < d->config.rings; i++) {
        VeuRing *ring = &d->ring[i];

        if (ring->context.asks && ring->context.number == context) {
            respond_to_ring(ring, r);
        }
    }
}

void veu_request_respond(VeuDevice *d, uint32_t context, uint64_t value)
{
    respond_to_context(d, context,
                       &(Response){ .to = TO_ONE,
                                    .id = value,
                                    .refused = value & VEU_RESPONSE_REFUSED });
}

void veu_request_forget(VeuRing *ring)
{
    respond_to_ring(ring, &(Response){ .to = TO_ALL });
}

void veu_request_reset_queue(VeuDevice *d, uint32_t context, uint64_t value)
{
    d->queue[context].tail = 0;
    respond_to_context(d, context, &(Response){ .to = TO_NONE });
}

bool veu_request_move(const VeuRing *ring, VeuRequest *request, VeuStream *s)
{
    uint32_t state = request->state;

    if (!ring->context.asks) {
        return true;
    }
    if (!veu_stream_upto(s, &state, VEU_REQUEST_REFUSED,
                         "a request's state does not exist") ||
        !veu_stream_u32(s, &request->id) ||
        !veu_stream_u32(s, &request->asked)) {
        return false;
    }
    request->state = state;
    return true;
}
