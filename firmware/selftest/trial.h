/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A trial: one program with its initial state and its expected final state.
 *
 * A check declares variables, fills registers and arena, encodes messages, and
 * computes the expected registers and arena in plain C from spec.md.
 * trial_run() then runs the device - also with an inline message, if there is
 * only one - and compares every register and every byte of the arena.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include "shape.h"

#define TRIAL_REGISTER_BYTES 8192
#define TRIAL_REASON_BYTES   160

struct trial {
    struct bench *bench;
    struct shape shape;
    struct veu_program program;
    uint16_t pred; /**< operand for the encoders */
    unsigned surface_count;
    uint32_t slm_bytes;
    uint64_t stateless_base;
    uint64_t stateless_bytes;
    uint8_t registers[TRIAL_REGISTER_BYTES];
    uint8_t expected[TRIAL_REGISTER_BYTES];
    uint8_t arena[BENCH_ARENA_BYTES];
    uint8_t expected_arena[BENCH_ARENA_BYTES];
    char reason[TRIAL_REASON_BYTES]; /**< the reason why trial_run() failed */
};

/**
 * Begins a trial of this shape, with random registers and a random arena. There
 * is one trial at a time.
 */
struct trial *trial_begin(struct bench *bench, const struct shape *shape);

/** Declares a variable and returns its id. */
uint32_t trial_variable(struct trial *trial, enum veu_type type,
                        unsigned elements);

/**
 * Returns a variable's place before the run, and its expected contents
 * afterwards.
 */
void *trial_register(struct trial *trial, uint32_t id);
void *trial_expected(struct trial *trial, uint32_t id);

/** Adds a surface and returns its id. */
uint8_t trial_surface(struct trial *trial, struct veu_surface surface);

/**
 * Runs and compares; if it returns false, trial->reason describes the
 * difference.
 */
bool trial_run(struct trial *trial);

#endif /* TRIAL_H */
