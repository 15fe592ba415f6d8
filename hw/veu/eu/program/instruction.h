/*
 * veu execution unit: instructions that are ready to be executed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * Their form has been checked: they access only the register file, whatever the
 * registers contain. Only indirect operands are checked when they run.
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
    uint8_t width_shift; /* log2 of the elements in a row */
    uint8_t row_step;    /* distance of two rows, in elements */
    uint8_t step;        /* distance of two elements of a row, in elements */
    bool inverse;        /* predicate */
    bool is_address;     /* immediate: the address of a variable, &V32 */
    int16_t add_byte;    /* indirect */
    /*
     * The byte of the first element in the register file, or the index of the
     * address element, the predicate, or the state variable.
     */
    uint32_t at;
    uint64_t value; /* immediate: extended to 64 bits, or packed */
} VeuOperand;

/*
 * Executes an instruction of one form, like its executor, without ever
 * faulting, and then those that follow it:
 * hw/veu/eu/instruction/handler_step.h.
 */
typedef struct VeuHandlerStep VeuHandlerStep;
typedef const VeuHandlerStep *VeuHandler(VeuThread *thread,
                                         const VeuHandlerStep *step,
                                         uint8_t *registers, uintptr_t some);

/* The part of an instruction that handlers need. It fills one cache line. */
struct VeuHandlerStep {
    /* [0] if all lanes of the dispatch run, [1] if only some of them do. */
    VeuHandler *handler[2];
    uint64_t value; /* of the immediate source */
    /* Byte in the register file, or the predicate, state variable or label. */
    uint32_t to;
    uint32_t from[VEU_HANDLER_SOURCES]; /* bytes in the register file */
    uint32_t all_lanes;
    /*
     * The cost from here up to and including the next goto or message, or up to
     * where handlers stop.
     */
    uint32_t ahead;
    VeuPredication predication;
    /* index of the source that is @value, or more than there are */
    uint8_t immediate;
    uint8_t lanes;
    uint8_t mask_offset;
    bool predicated;
    bool writes_cr0; /* a message that may */
    bool is_empty;   /* a label or the like: veu_handler_nothing */
    uint32_t always; /* lanes of the dispatch that need not run: all or none */
};

/*
 * Copies the elements of a source, which begin at @from, to consecutive lanes
 * of another type.
 */
typedef void VeuStageLoad(const VeuThread *thread, const VeuOperand *operand,
                          const void *from, unsigned lanes, void *to);
/*
 * Converts the lanes in @active to the elements of the destination, which begin
 * at @to.
 */
typedef void VeuStageStore(VeuThread *thread, const VeuInstruction *instruction,
                           uint32_t active, const void *from, void *to);

/* How a staged handler works: hw/veu/eu/instruction/handler_stage.h. */
typedef struct VeuStage {
    VeuStageLoad *load[VEU_HANDLER_SOURCES];
    VeuHandler *compute;  /* NULL: the source's lanes are the result */
    VeuStageStore *store; /* NULL: @compute writes a predicate */
    uint8_t type[VEU_HANDLER_SOURCES]; /* as which the sources are read */
    bool in_dwords;                    /* the lanes have 32 bits */
    bool turned;                       /* @compute takes source 1 first */
    bool is_nearest; /* it does not hold where %cr0 rounds otherwise */
    bool may_fault;  /* an operand is at an address */
} VeuStage;

/* What to do where handlers stop. */
typedef enum VeuInstructionStop {
    VEU_STOP_RULES,   /* the caller uses the executor */
    VEU_STOP_NONE,    /* nothing: the step has plain handlers */
    VEU_STOP_FLOW,    /* goto, ret: their executor, which never faults */
    VEU_STOP_MESSAGE, /* the message's fast path */
    VEU_STOP_ALONE,   /* its handler, then reading %cr0 again */
} VeuInstructionStop;

/* An instruction, or a reference to a message. */
struct VeuInstruction {
    uint32_t all_lanes;
    VeuPredication predication;
    uint8_t lanes;
    uint8_t mask_offset;
    bool no_mask;
    uint8_t code; /* relation, MINMAX, boolean function */
    uint8_t cost;
    uint8_t stop;   /* VeuInstructionStop */
    uint8_t row;    /* of its handlers: VeuHandlerRow */
    uint8_t shape;  /* bit k: source k is the same for all lanes */
    bool is_staged; /* the row is that of a staged handler */
    /* the predicate applies to ChEn; that of sel chooses a source */
    bool predicated;
    /* Executes it for @active lanes. Returns false with thread->fault set. */
    bool (*execute)(VeuThread *thread, const VeuInstruction *instruction,
                    uint32_t active);
    const VeuInstructionInfo *info; /* NULL for a message */
    uint32_t offset;                /* offset in the code, bytes */
    uint32_t target; /* label, function, or index of the message */
    uint8_t source_count;
    bool reads_clock; /* an operand may be %tsc or %ce0 */
    VeuOperand dst;
    VeuOperand dst2; /* carry or borrow; madw: the high dwords */
    VeuOperand src[VEU_MAX_SOURCES];
    VeuStage stage; /* used by a staged handler */
    /* Used where handlers stop at it, and for any message; NULL: none. */
    VeuHandler *alone;
    /* The step's own handlers, if host code took their place. */
    VeuHandler *own[2];
};

#endif
