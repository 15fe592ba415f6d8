/*
 * veu device model: injected faults, where they happen.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_INJECT_FIRE_H
#define VEU_DEVICE_INJECT_FIRE_H

#include "hw/veu/device/model.h"

/* ---- for the rules themselves ---- */

/* Returns true if the rule applies at @point of the ring. */
bool veu_inject_looks(const VeuInjectRule *rule, const VeuRing *ring,
                      uint8_t point);
/* Rule @n has matched: counts that; does it fire? */
bool veu_inject_decide(VeuRing *ring, unsigned n);
uint64_t veu_inject_random(VeuInjectRule *rule);
/* False for a rule that pages are missing where the context has no pages. */
bool veu_inject_has_pages(const VeuInjectRule *rule, const VeuRing *ring);
/*
 * Keeps the ring's command from continuing for a time, or, where that is
 * VEU_NO_DEADLINE, until a reset.
 */
void veu_inject_hold(VeuRing *ring, uint64_t delay_ns);
/*
 * The piece of work under way misses the page of @address in @mem. If it asks
 * for it, the command is held as long, unless @delay_ns is 0.
 */
void veu_inject_miss(VeuRing *ring, VeuMem *mem, uint64_t address,
                     enum veu_access access, uint64_t delay_ns);
/* Flips bits of a byte that guests may write, too. */
void veu_inject_flip(uint8_t *byte, uint8_t mask);

/* Returns true if the rule's range contains at least one of these bytes. */
bool veu_inject_in_range(const VeuInjectRule *rule, uint64_t address,
                         uint64_t bytes);

/* ---- for a ring of which VeuRing.injects says it ---- */

/* The command was taken, and has no effect yet. FAULT: it has ended. */
VeuRun veu_inject_at_command(VeuRing *ring);

/* ---- for a command that has bits of VEU_INJECTED_* ---- */

/* In place of a piece of it. */
VeuRun veu_inject_run(VeuRing *ring);
/* Returns true while a rule holds the ring. */
bool veu_inject_holds(VeuRing *ring);

/* ---- for a launch ---- */

/* Returns true if rules apply inside launches of the ring. */
static inline bool veu_inject_is_on(const VeuRing *ring)
{
    return __builtin_expect(ring->injects & ~VEU_INJECT_COMMAND, 0);
}

/* Who watches its messages, in place of the host's observer. */
VeuObserver *veu_inject_observer(VeuRing *ring);

/* The fault that the EU thread is to have at VEU_INJECT_START or _END, or 0. */
uint16_t veu_inject_at_thread(VeuRing *ring, uint8_t point);

#endif
