/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The self-test's parts, in the order in which they run.
 */
#ifndef CHECKS_H
#define CHECKS_H

#include "bench.h"

/**
 * Opens and describes the device; returns false if there is nothing to test.
 */
bool check_device(struct bench *bench);

void check_encode(void);
void check_gather(struct bench *bench);
void check_scaled(struct bench *bench);
void check_buffer(struct bench *bench);
void check_block(struct bench *bench);
void check_svm(struct bench *bench);
void check_typed(struct bench *bench);
void check_typed_read(struct bench *bench);
void check_atomic(struct bench *bench);
void check_faults(struct bench *bench);
void check_order(struct bench *bench);
void check_rings(struct bench *bench);
void check_visible(struct bench *bench);
void check_code(struct bench *bench);
void stress(struct bench *bench, uint32_t bursts);
void speed(struct bench *bench);
void picture(struct bench *bench);

#endif /* CHECKS_H */
