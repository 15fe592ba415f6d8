/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How the self-test provokes faults.
 */
#ifndef FAULT_PLAN_H
#define FAULT_PLAN_H

#include "bench.h"

#define LANES      8
#define DATA_BYTES 256

/*
 * The plan of one fault: a good dispatch of two messages, of which a case
 * spoils something, and the record that must come of it.
 */
struct plan {
    struct bench *b;
    struct veu_program program;
    uint32_t offsets, data, addresses, loaded; /* variables */
    uint32_t second;                           /* offset of message 2 */
    struct veu_command_dispatch dispatch;
    struct veu_fault_record expect;
    struct veu_fault_record got;
    const char *skip; /* why the fault cannot be provoked here */
};

/* A way to provoke a fault. The last one of a list has no function. */
struct fault_case {
    enum veu_fault_code code;
    const char *how;
    void (*provoke)(struct plan *p);
};

extern const struct fault_case ring_fault_cases[];
extern const struct fault_case program_fault_cases[];
extern const struct fault_case run_fault_cases[];

/* Variables and the first message; a case adds the second one. */
void plan_begin(struct plan *p);
void plan_add_gather(struct plan *p);
void plan_add_svm_gather(struct plan *p);
/* Everything around the program, and what every record says. */
void plan_end(struct plan *p);
/* All three, with two messages that are good. */
void plan_good(struct plan *p);
uint8_t *plan_second_message(struct plan *p);
/* The payload's bytes of a variable. */
uint8_t *plan_registers(struct plan *p, uint32_t id);
/* Waits, too; p->got is what has come of it. */
void plan_submit(struct plan *p, const struct veu_command_header *command);
void plan_submit_dispatch(struct plan *p);
/* What the record says beyond that: where, and of what. */
void plan_expect_address(struct plan *p, uint64_t address, uint32_t bytes,
                         enum veu_access access);
void plan_expect_message(struct plan *p);
void plan_expect_thread(struct plan *p);
/* Lanes 2 and 5 of an SVM message, which is submitted, are outside RAM. */
void provoke_lane_address(struct plan *p);

#endif
