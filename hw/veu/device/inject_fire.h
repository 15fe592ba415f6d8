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
/* Counts that rule @n has matched. Returns true if it fires. */
bool veu_inject_decide(VeuRing *ring, unsigned n);
uint64_t veu_inject_random(VeuInjectRule *rule);
/*
 * Returns false for a rule about missing pages if the context has no page
 * tables.
 */
bool veu_inject_has_pages(const VeuInjectRule *rule, const VeuRing *ring);
/*
 * Keeps the ring's command from continuing for a time, or until a reset if that
 * is VEU_NO_DEADLINE.
 */
void veu_inject_hold(VeuRing *ring, uint64_t delay_ns);
/*
 * Makes the current piece of work miss the page of @address in @mem. If it
 * requests the page, the command is held for @delay_ns, unless that is 0.
 */
void veu_inject_miss(VeuRing *ring, VeuMem *mem, uint64_t address,
                     enum veu_access access, uint64_t delay_ns);
/* Flips bits of a byte that guests may write at the same time. */
void veu_inject_flip(uint8_t *byte, uint8_t mask);

/* Returns true if the rule's range contains at least one of these bytes. */
bool veu_inject_in_range(const VeuInjectRule *rule, uint64_t address,
                         uint64_t bytes);

/* ---- for a ring with VeuRing.injects ---- */

/* The command was fetched, and has had no effect yet. FAULT: it has ended. */
VeuRun veu_inject_at_command(VeuRing *ring);

/* ---- for a command that has bits of VEU_INJECTED_* ---- */

/* Runs in place of a piece of the command. */
VeuRun veu_inject_run(VeuRing *ring);
/* Returns true while a rule holds the ring. */
bool veu_inject_holds(VeuRing *ring);

/* ---- for a launch ---- */

/* Returns true if rules apply inside launches of the ring. */
static inline bool veu_inject_is_on(const VeuRing *ring)
{
    return __builtin_expect(ring->injects & ~VEU_INJECT_COMMAND, 0);
}

/* The observer of its messages, in place of the host's. */
VeuObserver *veu_inject_observer(VeuRing *ring);

/* The fault for the EU thread at VEU_INJECT_START or _END, or 0. */
uint16_t veu_inject_at_thread(VeuRing *ring, uint8_t point);

#endif
