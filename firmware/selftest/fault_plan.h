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
 * The plan of one fault: a legal dispatch of two messages, in which a case
 * makes one error, and the record that must result.
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

/* A case that provokes a fault. The last one of a list has no function. */
struct fault_case {
    enum veu_fault_code code;
    const char *how;
    void (*provoke)(struct plan *p);
};

extern const struct fault_case ring_fault_cases[];
extern const struct fault_case program_fault_cases[];
extern const struct fault_case run_fault_cases[];

/* Adds variables and the first message; a case adds the second one. */
void plan_begin(struct plan *p);
void plan_add_gather(struct plan *p);
void plan_add_svm_gather(struct plan *p);
/* Adds everything around the program, and the fields that all records share. */
void plan_end(struct plan *p);
/* Does all three, with two legal messages. */
void plan_good(struct plan *p);
uint8_t *plan_second_message(struct plan *p);
/* Returns a variable's bytes in the payload. */
uint8_t *plan_registers(struct plan *p, uint32_t id);
/* Submits and waits; p->got describes the result. */
void plan_submit(struct plan *p, const struct veu_command_header *command);
void plan_submit_dispatch(struct plan *p);
/* Sets further fields of the expected record: its place and address. */
void plan_expect_address(struct plan *p, uint64_t address, uint32_t bytes,
                         enum veu_access access);
void plan_expect_message(struct plan *p);
void plan_expect_thread(struct plan *p);
/* Submits an SVM message whose lanes 2 and 5 are outside of RAM. */
void provoke_lane_address(struct plan *p);

#endif
