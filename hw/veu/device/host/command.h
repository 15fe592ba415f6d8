/*
 * veu device model: the command table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_H
#define VEU_DEVICE_COMMAND_H

#include <stdint.h>

typedef struct VeuRing VeuRing;

/* What a piece of a command has come to. */
typedef enum VeuRun {
    VEU_RUN_MORE,
    VEU_RUN_DONE,
    VEU_RUN_WAIT,    /* for memory to change, or for a time */
    VEU_RUN_BLOCKED, /* for the response to a request */
    VEU_RUN_FAULT,   /* the command ends here; its fault has been recorded */
} VeuRun;

/* A row of the command table. */
typedef struct VeuCommandInfo {
    uint8_t opcode;
    const char *name;
    uint8_t slots;
    uint16_t reserved_at; /* bytes that must be 0 */
    uint16_t reserved_bytes;
    /* Does a piece of the ring's command; the first call begins it. */
    VeuRun (*run)(VeuRing *ring);
    const char *summary;
} VeuCommandInfo;

extern const VeuCommandInfo veu_commands[];
extern const unsigned veu_command_count;

/* NULL for an opcode that does not exist. */
const VeuCommandInfo *veu_command_find(uint8_t opcode);

#endif
