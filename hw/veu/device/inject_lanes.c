/*
 * veu device model: injected faults of messages and lanes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * This is an observer of messages that replaces the host's, and calls that one,
 * too. A rule decides at the first lane of a message that it matches; if it
 * fires, it fires for all lanes that it matches.
 */
#include <stddef.h>
#include "hw/veu/device/inject_fire.h"
#include "hw/veu/device/inject_rule.h"

static VeuObserver *next_observer(const VeuInject *in)
{
    return in->ring->device->host->observer;
}

/* ---- messages ---- */

static bool looks_at(const VeuInject *in, const VeuInjectRule *r, uint8_t point)
{
    return veu_inject_looks(r, in->ring, point) &&
           (!r->message || r->message == in->message);
}

/* Returns false with the message's fault. */
static bool fire_at_message(VeuInject *in, const VeuInjectRule *r, VeuThread *t)
{
    if (r->action == VEU_INJECT_FAULT) {
        return veu_fault_form(&t->fault, r->fault, 0);
    }
    veu_inject_hold(in->ring, r->delay_ns);
    return true;
}

static bool begin_message(VeuObserver *observer, VeuThread *t,
                          const VeuMessage *m)
{
    VeuInject *in = (VeuInject *)observer;
    VeuObserver *next = next_observer(in);
    bool ok = !next || !next->begin || next->begin(next, t, m);

    in->message = m->info;
    in->mem = t->mem;
    in->decided = 0;
    in->fires = 0;
    in->spoiled = 0;
    for (unsigned i = 0; i < in->rules.count && ok; i++) {
        const VeuInjectRule *r = &in->rules.rule[i];

        if (looks_at(in, r, VEU_INJECT_MESSAGE) &&
            veu_inject_decide(in->ring, i)) {
            ok = fire_at_message(in, r, t);
        }
    }
    return ok;
}

/* Corrupts what was written, which is in memory by now. */
static void end_message(VeuObserver *observer)
{
    VeuInject *in = (VeuInject *)observer;
    VeuObserver *next = next_observer(in);

    for (unsigned i = 0; i < in->spoiled; i++) {
        if (in->spoil[i].at) {
            veu_inject_flip(in->spoil[i].at, in->spoil[i].mask);
        }
    }
    if (next && next->end) {
        next->end(next);
    }
}

/* ---- lanes ---- */

static uint8_t *span_byte(const VeuSpan *span, uint32_t n)
{
    uint32_t first = span->piece_bytes[0];

    return n < first ? span->piece[0] + n : span->piece[1] + (n - first);
}

/*
 * A write is corrupted after it is done. A read gets a copy with a flipped bit;
 * memory remains unchanged.
 */
static void corrupt_lane(VeuInject *in, VeuInjectRule *r,
                         const VeuLaneAccess *access, VeuSpan *span)
{
    uint64_t random = veu_inject_random(r);
    uint32_t n = (random >> 8) % access->bytes;
    uint8_t mask = 1u << random % 8;
    unsigned place = in->spoiled;

    if (place == VEU_INJECT_MAX_SPOILED || access->bytes > VEU_SPAN_MAX_BYTES) {
        return;
    }
    in->spoiled++;
    in->spoil[place].at = NULL;
    if (access->access == VEU_ACCESS_WRITE) {
        in->spoil[place].at = span_byte(span, n);
        in->spoil[place].mask = mask;
        return;
    }
    veu_span_load(span, in->spoil[place].bytes);
    in->spoil[place].bytes[n] ^= mask;
    *span = (VeuSpan){ .piece = { in->spoil[place].bytes },
                       .piece_bytes = { access->bytes } };
}

/*
 * Returns true if rule @n has fired for this message. A hold is for all of its
 * lanes, once.
 */
static bool fires(VeuInject *in, unsigned n)
{
    const VeuInjectRule *r = &in->rules.rule[n];
    uint32_t bit = 1u << n;

    if (!(in->decided & bit)) {
        in->decided |= bit;
        if (veu_inject_decide(in->ring, n)) {
            in->fires |= bit;
            if (r->action == VEU_INJECT_DELAY || r->action == VEU_INJECT_HANG) {
                veu_inject_hold(in->ring, r->delay_ns);
            }
        }
    }
    return in->fires & bit;
}

/* A message that has requested pages finds them when it runs again. */
static bool can_miss(const VeuInject *in, const VeuInjectRule *r)
{
    return veu_inject_has_pages(r, in->ring) &&
           (r->action != VEU_INJECT_MISS || !in->mem->answered);
}

static bool matches_lane(const VeuInject *in, const VeuInjectRule *r,
                         const VeuLaneAccess *access)
{
    return looks_at(in, r, VEU_INJECT_LANE) && can_miss(in, r) &&
           (r->lanes >> access->lane & 1) &&
           veu_inject_in_range(r, access->address, access->bytes);
}

static uint16_t spoil_lane(VeuInject *in, const VeuLaneAccess *access,
                           VeuSpan *span)
{
    for (unsigned i = 0; i < in->rules.count; i++) {
        VeuInjectRule *r = &in->rules.rule[i];

        if (!matches_lane(in, r, access) || !fires(in, i)) {
            continue;
        }
        if (r->action == VEU_INJECT_FAULT) {
            return r->fault;
        }
        if (r->action == VEU_INJECT_MISS) {
            veu_inject_miss(in->ring, in->mem, access->address, access->access,
                            r->delay_ns);
            return VEU_FAULT_ADDRESS;
        }
        if (r->action == VEU_INJECT_CORRUPT) {
            corrupt_lane(in, r, access, span);
        }
    }
    return VEU_FAULT_NONE;
}

static uint16_t see_lane(VeuObserver *observer, const VeuLaneAccess *access,
                         VeuLanePlace place, VeuSpan *span)
{
    VeuInject *in = (VeuInject *)observer;
    VeuObserver *next = next_observer(in);
    uint16_t code = VEU_FAULT_NONE;

    if (place == VEU_LANE_MEMORY) {
        code = spoil_lane(in, access, span);
    }
    return code || !next ? code : next->lane(next, access, place, span);
}

VeuObserver *veu_inject_observer(VeuRing *ring)
{
    VeuInject *in = &ring->device->inject;

    in->ring = ring;
    in->observer = (VeuObserver){
        .lane = see_lane,
        .begin = begin_message,
        .end = end_message,
    };
    return &in->observer;
}
