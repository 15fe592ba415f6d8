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

/* What a piece of a command has come to. */
typedef enum VeuRun {
    VEU_RUN_MORE,
    VEU_RUN_DONE,
    VEU_RUN_WAIT,    /* for memory to change, or for a time */
    VEU_RUN_BLOCKED, /* for the response to a request */
    VEU_RUN_FAULT,   /* the command ends here; its fault has been recorded */
} VeuRun;

/* The most addresses that a command names for itself. */
#define VEU_COMMAND_ACCESSES 2

/* Memory that a command accesses itself: not that of a launch. */
typedef struct VeuCommandAccess {
    uint8_t address_at;  /* byte offset of the address in the command */
    uint8_t bytes_at;    /* the same of the number of bytes; 0: it is 8 */
    enum veu_access how; /* VEU_ACCESS_NONE: the row has no more accesses */
} VeuCommandAccess;

/* How far a command may be when it stops, as saved states have it. */
typedef enum VeuProgress {
    VEU_PROGRESS_NONE,  /* it has one piece: it has not begun */
    VEU_PROGRESS_BEGUN, /* it has begun; the rest is in other structures */
    VEU_PROGRESS_BYTES, /* a number of the bytes of its first access is done */
    VEU_PROGRESS_WAIT,  /* it waits until its deadline */
} VeuProgress;

/* The most ranges of codes in a row of the command table. */
#define VEU_COMMAND_FAULTS 2

/* Codes of faults, enum veu_fault_code; 0 to 0: none. */
typedef struct VeuFaultRange {
    uint8_t first;
    uint8_t last;
} VeuFaultRange;

/* A row of the command table. */
typedef struct VeuCommandInfo {
    uint8_t opcode;
    const char *name;
    uint8_t slots;
    uint16_t reserved_at; /* bytes that must be 0 */
    uint16_t reserved_bytes;
    bool is_launch;      /* it runs EU threads */
    bool needs_identity; /* it does not exist in contexts of processes */
    VeuCommandAccess access[VEU_COMMAND_ACCESSES];
    VeuProgress progress;
    /*
     * Faults that it may have beside those of all commands and those of its
     * accesses: veu_command_may_fault().
     */
    VeuFaultRange faults[VEU_COMMAND_FAULTS];
    /*
     * Rules of fields of its own: true where one is broken, and *at is the
     * field's offset. NULL: a launch, which has more to check, or no rules.
     */
    bool (*bad_field)(const VeuRing *ring, uint32_t *at);
    /* Does a piece of the ring's command; the first call begins it. */
    VeuRun (*run)(VeuRing *ring);
    const char *summary;
} VeuCommandInfo;

/* The rows, by opcode: there are no gaps. */
extern const VeuCommandInfo *const veu_commands[];
extern const unsigned veu_command_count;

/* NULL for an opcode that does not exist. */
const VeuCommandInfo *veu_command_find(uint8_t opcode);

#endif
