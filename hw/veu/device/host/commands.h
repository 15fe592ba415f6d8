/*
 * veu device model: the command table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMANDS_H
#define VEU_DEVICE_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>
#include "veu/fault.h"

typedef struct VeuRing VeuRing;

/* The result of a piece of a command. */
typedef enum VeuRun {
    VEU_RUN_MORE,
    VEU_RUN_DONE,
    VEU_RUN_WAIT,    /* it waits for memory to change, or for a time */
    VEU_RUN_BLOCKED, /* it waits for the response to a request */
    VEU_RUN_FAULT,   /* the command ends; its fault has been recorded */
} VeuRun;

/* The maximum number of addresses in a command itself. */
#define VEU_COMMAND_ACCESSES 2

/* Memory that the command itself accesses, not its launch. */
typedef struct VeuCommandAccess {
    uint8_t address_at;  /* byte offset of the address in the command */
    uint8_t bytes_at;    /* the same for the number of bytes; 0: it is 8 */
    enum veu_access how; /* VEU_ACCESS_NONE: no more accesses */
} VeuCommandAccess;

/* The progress that a stopped command may have, as saved states contain it. */
typedef enum VeuProgress {
    VEU_PROGRESS_NONE,  /* it has one piece, which has not begun */
    VEU_PROGRESS_BEGUN, /* it has begun; the rest is in other structures */
    VEU_PROGRESS_BYTES, /* a number of bytes of its first access are done */
    VEU_PROGRESS_WAIT,  /* it is waiting until its deadline */
} VeuProgress;

/* The maximum number of ranges of codes in a row of the command table. */
#define VEU_COMMAND_FAULTS 2

/* Fault codes, enum veu_fault_code; 0 to 0: none. */
typedef struct VeuFaultRange {
    uint8_t first;
    uint8_t last;
} VeuFaultRange;

/* A row of the command table. */
typedef struct VeuCommandInfo {
    uint8_t opcode;
    const char *name;
    uint8_t slots;
    uint16_t reserved_at; /* offset of bytes that must be 0 */
    uint16_t reserved_bytes;
    bool is_launch;      /* the command runs EU threads */
    bool needs_identity; /* it is illegal in contexts of processes */
    VeuCommandAccess access[VEU_COMMAND_ACCESSES];
    VeuProgress progress;
    /*
     * Faults that it may have besides those of all commands and those of its
     * accesses: veu_command_may_fault().
     */
    VeuFaultRange faults[VEU_COMMAND_FAULTS];
    /*
     * Checks the rules of its own fields. Returns true if one is broken, with
     * the field's offset in *at. NULL: there are no rules, or it is a launch,
     * which has more to check.
     */
    bool (*bad_field)(const VeuRing *ring, uint32_t *at);
    /* Performs a piece of the ring's command; the first call begins it. */
    VeuRun (*run)(VeuRing *ring);
    const char *summary;
} VeuCommandInfo;

/* The rows, by opcode: there are no gaps. */
extern const VeuCommandInfo *const veu_commands[];
extern const unsigned veu_command_count;

/* Returns NULL for an opcode that does not exist. */
const VeuCommandInfo *veu_command_find(uint8_t opcode);

#endif
