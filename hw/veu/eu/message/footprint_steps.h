/*
 * veu execution unit: the footprint of lanes at equal distances.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Most messages access consecutive elements, one element, or one of each row.
 * The lines that they touch follow from the distance, without a check of each
 * lane.
 */
#ifndef VEU_EU_FOOTPRINT_STEPS_H
#define VEU_EU_FOOTPRINT_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#define VEU_LINE_BYTES 64
#define VEU_BANKS      16

/* Lane n of @active accesses @bytes at @first + n * @step, all in bytes. */
typedef struct VeuSteps {
    uint32_t active;
    uint32_t bytes;
    uint64_t first; /* of the lowest lane in @active */
    uint64_t last;  /* of the highest one */
    uint64_t step;
} VeuSteps;

/* The number of lines that have bytes from @first to before @end. */
static inline uint64_t veu_lines_between(uint64_t first, uint64_t end)
{
    return (end - 1) / VEU_LINE_BYTES - first / VEU_LINE_BYTES + 1;
}

/*
 * Finds the step of the dwords or qwords at @index, in units of them. @first
 * and @last are those of the first and the last lane. Returns false if the
 * lanes are not at equal distances, descend or wrap, or if the lane after the
 * first one does not run, unless all have the same place.
 */
bool veu_steps_find_dwords(const uint8_t *index, unsigned lanes,
                           VeuSteps *steps);
bool veu_steps_find_qwords(const uint8_t *index, unsigned lanes,
                           VeuSteps *steps);

/*
 * Counts the distinct lines that the lanes touch. Returns false if they must be
 * counted one by one. No lane may wrap.
 */
bool veu_steps_lines(const VeuSteps *steps, uint32_t *lines);

/*
 * Like veu_steps_lines(), for bank conflicts of lanes in shared local memory.
 */
bool veu_steps_conflicts(const VeuSteps *steps, uint32_t *conflicts);

#endif
