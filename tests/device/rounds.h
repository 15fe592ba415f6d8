/*
 * veu device tests: work in rounds, of which each makes a state out of the one
 * before. However often rounds were stopped, moved or begun again, the states
 * are the same in the end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_ROUNDS_H
#define VEU_TEST_ROUNDS_H

#include "tests/device/rig.h"

/* What is there before the first round. */
void rounds_set_up(Rig *rig);

/*
 * Puts rounds after @put, the last one that was put, as long as there is room
 * and up to @last. Returns the last one that was put.
 */
uint64_t rounds_put(Rig *rig, uint64_t put, uint64_t last);

/* The last one that is done. A round that was broken off can be put again. */
uint64_t rounds_done(const Rig *rig);

/* The last state, by arithmetic: whatever the device did, it is this. */
void rounds_assert_right(const Rig *rig);
/* All that rounds have written is the same, and right. */
void rounds_assert_equal(const Rig *a, const Rig *b);

#endif
