/*
 * veu tests: a second implementation of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Written from chapter 17 of docs/spec.md and the vendor's pages, as plainly as
 * possible, without regard for speed. It shares no code and no table with
 * hw/veu/eu: it reads the bytes of a program itself, calculates floats with
 * MPFR and integers with 128 bits, finds elements by the pages' loops, and runs
 * lanes by their places or each of them alone. It takes legal programs only.
 * Messages are those of the second implementation of messages, ref.h.
 */
#ifndef VEU_TEST_ISA_H
#define VEU_TEST_ISA_H

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/lib/ref.h"
#include "veu/program.h"

#define ISA_MAX_LANES     32
#define ISA_MAX_OPERANDS  6
#define ISA_MAX_SOURCES   4
#define ISA_MAX_CALLS     64
#define ISA_MAX_REGISTERS 4096
#define ISA_MAX_ADDRESSES 64
#define ISA_MAX_STATES    64

/* Holds every exact sum and product of integers that the pages define. */
typedef __int128 IsaWide;

/* Classes and modifiers of an operand, as on page 5. */
enum {
    ISA_GENERAL = 0,
    ISA_ADDRESS = 1,
    ISA_PREDICATE = 2,
    ISA_INDIRECT = 3,
    ISA_IMMEDIATE = 5,
    ISA_STATE = 6,
};
enum {
    ISA_PLAIN = 0,
    ISA_ABS = 1,
    ISA_NEG = 2,
    ISA_NEG_ABS = 3,
    ISA_SAT = 4,
    ISA_NOT = 5,
};

/* A vector operand as its bytes describe it. */
typedef struct IsaOperand {
    uint8_t class;
    uint8_t modifier;
    uint8_t type;       /* immediate, indirect; for state, its kind */
    uint8_t row;        /* for an address, log2 of its width */
    uint8_t column;     /* also the element of an address variable */
    uint16_t region;    /* as encoded */
    uint32_t id;        /* for a predicate, the control word */
    int16_t add;        /* for indirect, in bytes */
    uint64_t immediate; /* unextended */
} IsaOperand;

typedef struct IsaElement IsaElement;

/* How the result of a float operation is rounded. */
typedef enum IsaRounding {
    ISA_ROUND_CR0,
    ISA_ROUND_NEAREST,
    ISA_ROUND_NEARLY, /* to nearest, with the error that isa_real.h allows */
} IsaRounding;

/*
 * The letters of @fields, in the order of the encoding: e execution size and
 * mask, p predicate, b a number of a byte, d a destination, s a source, l a
 * label, f a function, u a dword; B a byte and n an operand, both ignored.
 *
 * The letter of @types: n numbers of one family (integers; HF and F; BF and F;
 * DF), i integers, t integers of up to 32 bits, d dwords of those, D dwords, F,
 * h HF and F, r h or DF, m F or DF, l integers or predicates, o integers of 16
 * bits and more, v any numbers, c comparison, p setp, A addr_add, S movs, N
 * narrow floats, R rounding by a random number, s sums of bytes, P plane;
 * others are - .
 */
typedef struct IsaRow {
    uint8_t opcode;
    uint8_t cost;
    char types;
    char modifiers;  /* a for arithmetic, l for logic, - for none */
    char saturation; /* y for yes, f for floats only, - for no */
    const char *name;
    const char *fields;
    /*
     * The exact result for integers; @second receives that of a second
     * destination.
     */
    IsaWide (*integer)(const IsaElement *e, IsaWide *second);
    /* The result for floats before rounding: isa_real.h. */
    void (*real)(const IsaElement *e, mpfr_t result);
    /* The bits of the result, whatever %cr0 is. */
    uint64_t (*bits)(const IsaElement *e);
    IsaRounding rounding;
} IsaRow;

/* Sets of types, 1 << enum veu_type; BOOL stands for predicates. */
#define ISA_MASK(type) (1u << VEU_TYPE_##type)
#define ISA_BYTES      (ISA_MASK(UB) | ISA_MASK(B))
#define ISA_WORDS      (ISA_MASK(UW) | ISA_MASK(W))
#define ISA_DWORDS     (ISA_MASK(UD) | ISA_MASK(D))
#define ISA_SMALL      (ISA_DWORDS | ISA_WORDS | ISA_BYTES)
#define ISA_INTEGERS   (ISA_SMALL | ISA_MASK(UQ) | ISA_MASK(Q))
#define ISA_HALVES     (ISA_MASK(HF) | ISA_MASK(F))
#define ISA_BRAINS     (ISA_MASK(BF) | ISA_MASK(F))
#define ISA_NUMBERS    (ISA_INTEGERS | ISA_HALVES | ISA_BRAINS | ISA_MASK(DF))
#define ISA_BOOLEANS   ISA_MASK(BOOL)
/* Classes of operands other than types: &V, and state variables. */
#define ISA_ADDRESSES  (1u << 16)
#define ISA_STATES     (1u << 17)

/* Operands that may be combined in an instruction with these types. */
typedef struct IsaTypes {
    char types; /* IsaRow.types */
    uint32_t dst;
    uint32_t src[ISA_MAX_SOURCES]; /* the sources that exist */
} IsaTypes;

extern const IsaTypes isa_types[];
extern const unsigned isa_types_count;

/* Returns NULL for an opcode that the model does not have, and for messages. */
const IsaRow *isa_row(uint8_t opcode);
extern const IsaRow isa_message_row;
extern const IsaRow isa_rows[];
extern const unsigned isa_row_count;

typedef struct IsaInstruction {
    const IsaRow *row;
    uint32_t offset; /* in the code, bytes */
    uint32_t bytes;
    unsigned lanes;
    unsigned mask_offset;
    bool no_mask;
    uint16_t predicate;
    uint32_t number; /* relation, minimum, function of bits, label or Func_id */
    unsigned dst_count;
    unsigned src_count;
    IsaOperand dst[2];
    IsaOperand src[ISA_MAX_SOURCES];
    RefMessage message; /* if row is isa_message_row */
} IsaInstruction;

/* A source, in one lane. */
typedef struct IsaValue {
    uint8_t type;
    uint64_t raw;   /* as in the register */
    uint64_t bits;  /* for a float: after %cr0 and its modifier */
    IsaWide number; /* for an integer: after its modifier */
} IsaValue;

#define ISA_PLANE_SOURCES 5

/* One lane of an instruction. */
struct IsaElement {
    const IsaInstruction *instruction;
    IsaValue src[ISA_MAX_SOURCES];
    uint8_t type; /* of the destination */
    uint32_t cr0;
    /* For sad2: true if the lane is odd; and the sources of the next lane. */
    bool odd;
    IsaWide next[2];
    uint64_t plane[ISA_PLANE_SOURCES]; /* p, q, r, u, v; after %cr0 */
};

/* A program, with its own copy of the sections. */
typedef struct IsaProgram {
    struct veu_program_header header;
    const struct veu_variable *variables;
    unsigned variable_count;
    const struct veu_predicate *predicates;
    unsigned predicate_count;
    const struct veu_address *addresses;
    unsigned address_count;
    const struct veu_label *labels;
    const struct veu_function *functions;
    unsigned function_count;
    const struct veu_state *states;
    unsigned state_count;
    struct veu_variable predefined[VEU_FIRST_VARIABLE];
    RefProgram messages; /* what messages are checked against */
    bool has_messages;
    IsaInstruction *instructions;
    unsigned count;
    unsigned entry; /* index of an instruction */
} IsaProgram;

/*
 * Reads a legal program of kind 1 from @bytes, which must remain valid. Returns
 * NULL if it has instructions that are neither in isa_rows nor legal messages.
 */
IsaProgram *isa_program_new(const uint8_t *bytes);
void isa_program_free(IsaProgram *program);
/* The index of the instruction at @offset of the code. */
unsigned isa_at(const IsaProgram *program, uint32_t offset);
/* Returns NULL if there is no variable @id. */
const struct veu_variable *isa_variable(const IsaProgram *program, uint32_t id);
unsigned isa_type_bytes(uint8_t type);
bool isa_is_float(uint8_t type);

/* A call in progress. */
typedef struct IsaFrame {
    uint32_t members; /* lanes of the caller's frame */
    uint32_t called;
    unsigned resume; /* the instruction at which the called lanes resume */
    unsigned callee;
} IsaFrame;

/* Another legal value of an element: see IsaRow.function. */
typedef struct IsaOther {
    uint32_t at; /* byte in the registers */
    unsigned bytes;
    uint64_t bits;
} IsaOther;

typedef struct IsaThread {
    const IsaProgram *program;
    uint8_t registers[ISA_MAX_REGISTERS];
    /* Effects of the last instruction other than its destination. */
    IsaOther others[ISA_MAX_LANES];
    unsigned other_count;
    uint32_t predicates[ISA_MAX_LANES];
    uint16_t addresses[ISA_MAX_ADDRESSES];
    uint32_t states[ISA_MAX_STATES];
    /* Memory and surfaces of messages; the registers are those above. */
    RefThread *memory;
    RefFault fault; /* of the last message */
    uint64_t work;  /* the cost of executed instructions: %tsc */
    /* The place of each lane: the index of an instruction. */
    uint32_t members; /* of the current frame */
    unsigned place[ISA_MAX_LANES];
    IsaFrame frames[ISA_MAX_CALLS];
    unsigned depth;
} IsaThread;

/*
 * Performs a message on the surface in the state variable that it names;
 * returns false with a fault.
 */
bool isa_execute_message(IsaThread *thread, const IsaInstruction *i,
                         uint32_t running);
/*
 * Applies the effect of @i to registers, predicates and addresses while the
 * lanes @running run. Returns false if an indirect operand is out of bounds, or
 * if a message faults.
 */
bool isa_execute(IsaThread *thread, const IsaInstruction *i, uint32_t running);
/* Adopts other legal values where @registers has them. */
void isa_adopt(IsaThread *thread, const uint8_t *registers);
/*
 * Returns the lanes of @i that its predicate enables, among the thread's
 * @running.
 */
uint32_t isa_predicated(const IsaThread *thread, const IsaInstruction *i,
                        uint32_t running);

/* Returns the raw value of source @n, a scalar. */
uint64_t isa_scalar(const IsaThread *thread, const IsaInstruction *i,
                    unsigned n);

/*
 * The model of lowest places. Returns the lanes that run, and their place; 0 at
 * the end.
 */
void isa_start(IsaThread *thread, uint32_t lanes);
uint32_t isa_running(const IsaThread *thread, unsigned *place);
/*
 * Executes the next instruction. Returns false at a fault, which has no effect
 * except that the lanes proceed.
 */
bool isa_step(IsaThread *thread);

/*
 * Runs one lane alone, from the entry to its end. Returns false if it needs
 * more than @limit instructions.
 */
bool isa_run_lane(IsaThread *thread, unsigned lane, unsigned limit);

/* Returns a text for human readers, which the caller frees. */
char *isa_describe(const IsaInstruction *i);

#endif
