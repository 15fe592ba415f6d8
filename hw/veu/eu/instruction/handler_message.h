/*
 * veu execution unit: handlers of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_MESSAGE_H
#define VEU_EU_INSTRUCTION_HANDLER_MESSAGE_H

#include "hw/veu/eu/program/program.h"

/* The lanes of a message that has a handler of its own. */
#define VEU_ROW_LANES 16
#define VEU_ROW_MASK  UINT16_MAX

/* The bytes of its data in the register file. */
#define VEU_HANDLER_MESSAGE_BYTES 64

/* Only the low bits of an offset in SLM count: docs/spec.md, 17.4. */
#define VEU_SLM_OFFSETS UINT16_MAX

/* What its step has in place of an instruction's operands. */
enum {
    VEU_STEP_OFFSETS, /* byte of the lanes' offsets in the register file */
    VEU_STEP_DATA,    /* byte of their data */
    VEU_STEP_STATE,   /* index of the state variable with the surface's index */
};

/* How host code executes such a message. */
typedef struct VeuMessageRow {
    uint8_t bytes; /* of an element: 1, 2 or 4 */
    /*
     * How many elements a lane has: several only for loads of dwords. A fence
     * that does nothing has none, and no @execute.
     */
    uint8_t elements;
    bool slm; /* in SLM, not in a buffer of the surface table */
    bool stores;
    /*
     * Executes the message for any lanes. Returns false, having done nothing,
     * if the step's handler must do it.
     */
    bool (*execute)(VeuThread *thread, const VeuHandlerStep *step);
} VeuMessageRow;

/*
 * Returns the handler of a message of a program of instructions, and puts what
 * it needs into @step: the operands in @from and @value. A handler that meets
 * something uncommon continues with veu_handler_message(), which takes any
 * message.
 */
VeuHandler *veu_handler_of_message(const VeuMessage *message,
                                   VeuHandlerStep *step);

/* Returns NULL if host code cannot execute the message. */
const VeuMessageRow *veu_message_row(const VeuMessage *message);

#endif
