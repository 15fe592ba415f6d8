/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples of a measurement: how many are taken, and their order.
 */
#ifndef LATENCY_SAMPLES_H
#define LATENCY_SAMPLES_H

#include <stdint.h>

/**
 * Reads count=N of the command line. Returns @usual if it is missing, and at
 * most @max.
 */
uint32_t samples_count(const char *command_line, uint32_t usual, uint32_t max);

/** Sorts in ascending order. */
void samples_sort(uint64_t *samples, uint32_t count);

#endif
