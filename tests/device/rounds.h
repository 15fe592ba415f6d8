/*
 * veu device tests: work in rounds, each of which makes a state from the
 * previous one. However often rounds are stopped, moved or started again, the
 * final states are the same.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_ROUNDS_H
#define VEU_TEST_ROUNDS_H

#include "tests/device/rig.h"

/* Stores the state before the first round. */
void rounds_set_up(Rig *rig);

/*
 * Puts the rounds after @put, the last one that was put, while there is room
 * and up to @last. Returns the last one that was put.
 */
uint64_t rounds_put(Rig *rig, uint64_t put, uint64_t last);

/* Returns the last completed round. An interrupted round can be put again. */
uint64_t rounds_done(const Rig *rig);

/* Compares the last state with one computed by arithmetic alone. */
void rounds_assert_right(const Rig *rig);
/* Asserts that everything that rounds have written is equal and correct. */
void rounds_assert_equal(const Rig *a, const Rig *b);

#endif
