/*
 * veu execution unit: the footprint of lanes at equal distances.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/param.h>
#include "hw/veu/eu/message/footprint_steps.h"

/* The turns that 16 lanes take, @step dwords apart. */
static unsigned turns_of(uint32_t lanes, uint32_t step)
{
    unsigned same = MIN(VEU_BANKS, step & -step);
    unsigned period = VEU_BANKS / same, turns = 1;
    uint32_t pattern = 0xffff / ((1u << period) - 1);

    for (unsigned n = 0; n < period; n++) {
        turns = MAX(turns, veu_lane_count(lanes & pattern << n));
    }
    return turns;
}

uint32_t veu_steps_conflicts_even(uint32_t active, uint32_t bytes,
                                  uint32_t dwords)
{
    uint32_t conflicts = 0;

    for (unsigned half = 0; half < VEU_MAX_LANES; half += VEU_BANKS) {
        conflicts += (bytes + 3) / 4 *
                     (turns_of(active >> half & 0xffff, dwords) - 1);
    }
    return conflicts;
}
