/*
 * veu tests: tests of all 32-bit numbers, or of every nth one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_SWEEP_H
#define VEU_TEST_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#define SWEEP_NUMBERS 1024

typedef struct Sweep {
    const char *name;
    uint32_t stride; /* 1: all */
    /*
     * Returns true if @count numbers, at most SWEEP_NUMBERS, are correct;
     * otherwise the first wrong one.
     */
    bool (*check)(const void *data, const uint32_t *numbers, unsigned count,
                  uint32_t *wrong);
    const void *data;
} Sweep;

/* Returns 1 if VEU_TEST_ALL is set, otherwise @stride. */
uint32_t sweep_stride(uint32_t stride);

/*
 * Runs on all processors, and reports progress if it tests all numbers. Returns
 * false, with a message that has the first wrong number of some part.
 */
bool sweep(const Sweep *sweep);

#endif
