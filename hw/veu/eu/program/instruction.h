/*
 * veu execution unit: instructions that may be executed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * Nothing of their form is left to check: what they access is inside the
 * register file, whatever the registers hold. Only indirect operands are
 * checked when they run.
 */
#ifndef VEU_EU_PROGRAM_INSTRUCTION_H
#define VEU_EU_PROGRAM_INSTRUCTION_H

#include "hw/veu/eu/program/message.h"

#define VEU_MAX_SOURCES     4
/* Instructions with more sources have no handlers. */
#define VEU_HANDLER_SOURCES 3

typedef struct VeuInstruction VeuInstruction;
typedef struct VeuInstructionInfo VeuInstructionInfo;

/* A vector operand. */
typedef struct VeuOperand {
    uint8_t class;       /* VeuOperandClass */
    uint8_t type;        /* enum veu_type; BOOL for predicates and states */
    uint8_t modifier;    /* VeuModifier */
    bool null;           /* reads as 0, drops what is written */
    bool by_row;         /* indirect: an address element for each row */
    uint8_t width_shift; /* log2 of the elements of a row */
    uint8_t row_step;    /* elements from one row to the next */
    uint8_t step;        /* elements from one element to the next */
    bool inverse;        /* predicate */
    bool is_address;     /* immediate: the address of a variable, &V32 */
    int16_t add_byte;    /* indirect */
    /*
     * The first element's byte in the register file, or the index of the
     * address element, of the predicate or of the state variable.
     */
    uint32_t at;
    uint64_t value; /* immediate: extended to 64 bits, or packed */
} VeuOperand;

/*
 * Executes an instruction of one form as the executor does, and never faults,
 * then those that follow: hw/veu/eu/instruction/handler_step.h.
 */
typedef struct VeuHandlerStep VeuHandlerStep;
typedef const VeuHandlerStep *VeuHandler(VeuThread *thread,
                                         const VeuHandlerStep *step,
                                         uint8_t *registers, uintptr_t some);

/* What handlers need of an instruction. It is one line of the host's cache. */
struct VeuHandlerStep {
    /* Where all lanes of the dispatch run; where only some of them do. */
    VeuHandler *handler[2];
    uint64_t value;                     /* of the source that is an immediate */
    uint32_t to;                        /* byte in the register file, or the
                                           predicate, state variable, label */
    uint32_t from[VEU_HANDLER_SOURCES]; /* bytes in the register file */
    uint32_t all_lanes;
    /* The cost from here to the next goto or message, with it, or to where
     * handlers stop. */
    uint32_t ahead;
    VeuPredication predication;
    uint8_t immediate; /* the source that @value is, or more than there are */
    uint8_t lanes;
    uint8_t mask_offset;
    bool predicated;
    uint32_t always; /* lanes of the dispatch that need not run: all or none */
};

/* Copies the elements of a source to consecutive lanes of another type. */
typedef void VeuStageLoad(const VeuThread *thread, const VeuOperand *operand,
                          unsigned lanes, void *to);
/* Converts the lanes in @active to the elements of the destination. */
typedef void VeuStageStore(VeuThread *thread, const VeuInstruction *instruction,
                           uint32_t active, const void *from);

/* How a staged handler does its work: hw/veu/eu/instruction/handler_stage.h. */
typedef struct VeuStage {
    VeuStageLoad *load[VEU_HANDLER_SOURCES];
    VeuHandler *compute;  /* NULL: the lanes of the source are the result */
    VeuStageStore *store; /* NULL: @compute writes a predicate */
} VeuStage;

/* What is done where handlers stop. */
typedef enum VeuInstructionStop {
    VEU_STOP_RULES,   /* the executor is asked, by the caller */
    VEU_STOP_NONE,    /* nothing: its step has plain handlers */
    VEU_STOP_FLOW,    /* goto, ret: the executor, which never faults */
    VEU_STOP_MESSAGE, /* the message's fast path */
    VEU_STOP_ALONE,   /* its handler, then %cr0 is read again */
} VeuInstructionStop;

/* An instruction; for a message, which message it is. */
struct VeuInstruction {
    uint32_t all_lanes;
    VeuPredication predication;
    uint8_t lanes;
    uint8_t mask_offset;
    bool no_mask;
    uint8_t code; /* relation, MINMAX, boolean function */
    uint8_t cost;
    uint8_t stop;    /* VeuInstructionStop */
    bool predicated; /* ChEn has the predicate; that of sel chooses a source */
    /* Executes it for @active lanes; false when thread->fault is set. */
    bool (*execute)(VeuThread *thread, const VeuInstruction *instruction,
                    uint32_t active);
    const VeuInstructionInfo *info; /* NULL for a message */
    uint32_t offset;                /* in the code, bytes */
    uint32_t target; /* label, function, or index of the message */
    uint8_t source_count;
    bool reads_clock; /* an operand may be %tsc or %ce0 */
    VeuOperand dst;
    VeuOperand dst2; /* carry, borrow; madw: where the high dwords go */
    VeuOperand src[VEU_MAX_SOURCES];
    VeuStage stage;    /* of a staged handler */
    VeuHandler *alone; /* where handlers stop at it; NULL: it has none */
};

#endif
