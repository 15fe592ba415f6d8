/*
 * libveu-kernel: the variables and predicates that an instruction names.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VEU_KERNEL_OPERANDS_H
#define VEU_KERNEL_OPERANDS_H

#include "tools/visa/object.h"

/* A variable or predicate in an instruction. */
typedef struct KernelOperand {
    VisaKind kind; /* VISA_VARIABLE or VISA_PREDICATE */
    uint32_t id;   /* predicate: from 1 on */
    bool writes;   /* else it is read */
    bool address;  /* its address is taken */
    bool raw;      /* it must start at a register */
    /*
     * The bytes from the variable's start, or the bits of the predicate, that
     * are written for all running lanes; 0: not known, or not all of them.
     */
    uint32_t whole;
} KernelOperand;

#define KERNEL_MAX_OPERANDS 16

typedef struct KernelInstruction {
    uint8_t opcode;
    uint32_t bytes; /* of its encoding */
    int32_t label;  /* label that it names, or -1 */
    /* function that it calls or whose address it takes, or -1 */
    int32_t callee;
    unsigned operand_count;
    KernelOperand operands[KERNEL_MAX_OPERANDS]; /* sources first */
} KernelInstruction;

/* Opcodes of control flow. */
enum {
    KERNEL_SUBROUTINE = 0x30,
    KERNEL_LABEL = 0x31,
    KERNEL_JMP = 0x32,
    KERNEL_CALL = 0x33,
    KERNEL_IFCALL = 0x4f,
    KERNEL_FADDR = 0x50,
    KERNEL_FCALL = 0x67,
    KERNEL_GOTO = 0x6c,
};

/* Reads the instruction at @code. Returns false if it is illegal. */
bool kernel_instruction_read(const VisaRoutine *routine, const uint8_t *code,
                             uint32_t bytes, KernelInstruction *instruction);

/* New ids of variables, from the first declared one on, and of predicates. */
typedef struct KernelIds {
    const uint32_t *variables;
    const uint32_t *predicates;
} KernelIds;

/* Writes the ids into the instruction, whose size does not change. */
void kernel_instruction_rename(uint8_t *code, uint32_t bytes,
                               const KernelIds *ids);

#endif
