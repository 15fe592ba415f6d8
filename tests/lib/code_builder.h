/*
 * veu tests: programs of instructions, run without a device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_CODE_BUILDER_H
#define VEU_TEST_CODE_BUILDER_H

#include <glib.h>
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/instruction/encoding.h"
#include "hw/veu/eu/instruction/run.h"
#include "hw/veu/eu/jit/host_code.h"
#include "hw/veu/eu/jit/jit.h"
#include "tests/lib/device_fixture.h"

#define CODE_MAX_BYTES      32768
#define CODE_PROGRAM_BYTES  (2 * CODE_MAX_BYTES) /* with all its sections */
#define CODE_REGISTER_BYTES 4096
#define CODE_MAX_ENTRIES    64
#define CODE_MAX_SURFACES   256

/*
 * The caller declares variable i, V(32 + i). P1 to P4 have 32 bits, A0 has 16
 * elements; %cr0, %tsc and %ce0 are at the end of the registers.
 */
typedef struct Code {
    uint8_t bytes[CODE_MAX_BYTES];
    uint32_t count;
    struct veu_variable variables[CODE_MAX_ENTRIES];
    unsigned variable_count;
    struct veu_label labels[CODE_MAX_ENTRIES];
    unsigned label_count;
    struct veu_function functions[CODE_MAX_ENTRIES];
    unsigned function_count;
    unsigned surface_count;  /* number of surfaces among the state variables */
    unsigned sampler_count;  /* and of samplers, which follow them */
    unsigned predicate_bits; /* of P1; 0 means 32 */
    unsigned grf_bytes;      /* 0: 32 */
    bool has_no_clock;       /* neither %tsc nor %ce0 */
} Code;

/* The offset of %cr0 in the registers. */
#define CODE_CR0_AT   (CODE_REGISTER_BYTES - 64)
#define CODE_TSC_AT   (CODE_REGISTER_BYTES - 32)
#define CODE_CE0_AT   (CODE_REGISTER_BYTES - 8)
/* And %hw_id. */
#define CODE_HW_ID_AT (CODE_REGISTER_BYTES - 12)

/* Operands. */
typedef VeuEncodedVector Op;
Op op_v(uint32_t id, unsigned column, unsigned v, unsigned w, unsigned h);
/* <1;1,0> and <0;1,0> from element 0 on. */
Op op_lanes(uint32_t id);
Op op_scalar(uint32_t id);
Op op_dst(uint32_t id);
Op op_imm(uint8_t type, uint64_t value);
Op op_pred(unsigned id);
Op op_with(Op op, VeuModifier modifier);

/* Execution sizes: M1 with @lanes, and the same with NoMask. */
unsigned size_m1(unsigned lanes);
unsigned size_nm(unsigned lanes);

uint32_t code_variable(Code *code, uint32_t offset, unsigned elements,
                       uint8_t type);
/*
 * Appends an instruction with operands in the order of the encoding; @number is
 * the label, function, relation, minimum or maximum.
 */
void code_add(Code *code, const char *mnemonic, unsigned size, unsigned pred,
              unsigned number, const Op *operands);
#define CODE_ADD(code, mnemonic, size, pred, number, ...) \
    code_add(code, mnemonic, size, pred, number, (const Op[7]){ __VA_ARGS__ })
/* Returns the id of a label whose place is set when it is added. */
unsigned code_new_label(Code *code, uint8_t kind);
void code_add_label(Code *code, unsigned label);

/*
 * Writes the program to memory of CODE_PROGRAM_BYTES zero bytes; returns its
 * size.
 */
uint32_t code_build(const Code *code, uint8_t *program);

/* An EU thread of a program. */
typedef struct CodeRun {
    VeuProgram *program;
    VeuThread thread;
    VeuFlow flow;
    VeuConfig config;
    VeuSurfaceTable surfaces;
    VeuFault fault; /* of loading */
    uint32_t offset;
    uint8_t bytes[CODE_PROGRAM_BYTES];
    _Alignas(16) uint8_t registers[CODE_REGISTER_BYTES];
    uint32_t predicates[4];
    uint16_t addresses[16];
} CodeRun;

/*
 * Loads the program; returns true if it is legal. With VEU_TEST_JIT in
 * the environment, it is also compiled, if the host can.
 */
bool code_load(CodeRun *run, const Code *code);

/*
 * Returns true if the host can execute host code, and VEU_TEST_NO_HOST_CODE is
 * not in the environment.
 */
bool code_has_jit(void);
/* Compiles a program that was loaded; returns the bytes of its host code. */
uint32_t code_compile(VeuProgram *program);
/* The same with room for @bytes only. */
uint32_t code_compile_in(VeuProgram *program, uint32_t bytes);
bool code_is_compiled(VeuHandler *handler);
/* Runs it with @lanes from the start, up to @limit instructions. */
bool code_run(CodeRun *run, uint32_t lanes, unsigned limit);
void code_free(CodeRun *run);
/* Sets %cr0 before a run. */
void code_set_cr0(CodeRun *run, uint32_t cr0);

/*
 * Puts the program, legal or not, at DEV_PROGRAM; returns a dispatch of it with
 * 8 lanes.
 */
struct veu_command_dispatch code_dispatch(Dev *dev, const Code *code);

/* Appends a message. */
void code_add_message(Code *code, const TestMessage *message);

#endif
