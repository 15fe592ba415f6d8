/*
 * veu execution unit: the instruction table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * A program of kind 1 is made of instructions. The memory messages, which have
 * a table of their own (hw/veu/eu/message/message_table.c), are instructions,
 * too; this table has all the others. An instruction is declared once, as a
 * row: its opcode, the fields of its encoding, its text, the types that it
 * takes, and its cost. The decoder, the checks, the executor, the assembler,
 * the disassembler and the fuzzers' dictionary read the row.
 *
 * Sources: the vendor's page on each instruction (documentation/visa of
 * intel/intel-graphics-compiler), whose name is in the row. If compilers write
 * what a page does not list, the row allows it and says so.
 */
#ifndef VEU_EU_INSTRUCTION_H
#define VEU_EU_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/eu/program/instruction.h"
#include "veu/program.h"

/* The fields of instructions; veu_instruction_fields has a row for each. */
typedef enum VeuInstructionField {
    VEU_IFIELD_END, /* ends a row's list */
    VEU_IFIELD_EXEC_SIZE,
    VEU_IFIELD_PRED,
    VEU_IFIELD_RELATION,
    VEU_IFIELD_MINMAX,
    VEU_IFIELD_DST,
    VEU_IFIELD_CARRY,
    VEU_IFIELD_BORROW,
    VEU_IFIELD_EARLY_OUT,
    VEU_IFIELD_SRC0,
    VEU_IFIELD_SRC1,
    VEU_IFIELD_SRC2,
    VEU_IFIELD_SRC3,
    VEU_IFIELD_BOOLEAN_FUNCTION,
    VEU_IFIELD_LABEL,
    VEU_IFIELD_FUNCTION,
    VEU_IFIELD_FUNCTION_ADDRESS,
    VEU_IFIELD_ARGUMENT_GRFS,
    VEU_IFIELD_RETURN_GRFS,
    VEU_IFIELD_FILE,
    VEU_IFIELD_LINE,
    VEU_IFIELD_LIFETIME,
    VEU_IFIELD_LIFETIME_VARIABLE,
    VEU_IFIELD_WAIT_MASK,
    VEU_IFIELD_COUNT
} VeuInstructionField;

/* How a field is encoded. */
typedef enum VeuInstructionKind {
    VEU_IKIND_BYTE,   /* 1 byte */
    VEU_IKIND_WORD,   /* 2 bytes */
    VEU_IKIND_DWORD,  /* 4 bytes */
    VEU_IKIND_VECTOR, /* a vector operand: 3 to 10 bytes, by its tag */
} VeuInstructionKind;

/*
 * Where a field appears in a line of text: (predicate) mnemonic.relation.sat
 *   (size) destinations sources
 * Operands follow each other in the order of the encoding. Saturation (.sat) is
 * not a field but modifier 4 of the destination.
 */
typedef enum VeuInstructionText {
    VEU_ITEXT_PREDICATE,   /* before the mnemonic: (!P1.any) */
    VEU_ITEXT_LANES,       /* mask and execution size: (M1, 16) */
    VEU_ITEXT_MNEMONIC,    /* the name in @names is the mnemonic: min */
    VEU_ITEXT_SUFFIX,      /* the name in @names is a suffix: .lt */
    VEU_ITEXT_HEX_SUFFIX,  /* a suffix of a number: .x3f */
    VEU_ITEXT_DESTINATION, /* operand: V32(0,1)<2>, P1, A0(0)<1>, T6(0) */
    VEU_ITEXT_SOURCE,      /* operand: V32(0,1)<8;8,1>, 0x10:ud, P1, ... */
    VEU_ITEXT_LABEL,       /* operand: the label's name */
    VEU_ITEXT_FUNCTION,    /* operand: the function's name */
    VEU_ITEXT_NUMBER,      /* operand: a decimal number */
    VEU_ITEXT_STRING,      /* operand: a string of the object's pool */
} VeuInstructionText;

/* A row of the field table. */
typedef struct VeuInstructionFieldInfo {
    const char *name; /* as the pages write it */
    VeuInstructionKind kind;
    VeuInstructionText text;
    /* Names of its codes 0, 1, ..., of @name_count; or NULL. */
    const char *const *names;
    uint8_t name_count;
} VeuInstructionFieldInfo;

extern const VeuInstructionFieldInfo veu_instruction_fields[VEU_IFIELD_COUNT];

/* Classes of a vector operand: bits 0 to 2 of its tag. */
typedef enum VeuOperandClass {
    VEU_OPERAND_GENERAL = 0,   /* 9 bytes: tag, id, row, column, region */
    VEU_OPERAND_ADDRESS = 1,   /* 5: tag, id (word), element, width */
    VEU_OPERAND_PREDICATE = 2, /* 3: tag, predication (word) */
    /* 9: tag, id (word), element, offset (word), type, region */
    VEU_OPERAND_INDIRECT = 3,
    VEU_OPERAND_IMMEDIATE = 5, /* 6 or 10: tag, type, value */
    /* 5: tag, 0 surface or 1 sampler, id (word), element */
    VEU_OPERAND_STATE = 6,
} VeuOperandClass;

/* Modifiers of a vector operand: bits 3 to 5 of its tag. */
typedef enum VeuModifier {
    VEU_MODIFIER_NONE = 0,
    VEU_MODIFIER_ABS = 1,
    VEU_MODIFIER_NEG = 2,
    VEU_MODIFIER_NEG_ABS = 3,
    VEU_MODIFIER_SAT = 4, /* of a destination */
    VEU_MODIFIER_NOT = 5,
} VeuModifier;

/*
 * A combination of operand types that an instruction takes: for each operand, a
 * mask of 1 << enum veu_type, and of the classes other than registers. The
 * packed immediates V and UV count as W and UW, VF as F.
 */
#define VEU_TAKES_PREDICATE (1u << 16)
#define VEU_TAKES_ADDRESS   (1u << 17)
#define VEU_TAKES_STATE     (1u << 18)
#define VEU_TAKES_VARIABLE  (1u << 19) /* the address of a variable: &V32 */

typedef struct VeuSignature {
    uint32_t dst;
    uint32_t src[VEU_MAX_SOURCES];
} VeuSignature;

/* The modifiers that the sources take. */
typedef enum VeuModifierRule {
    VEU_MODIFIERS_NONE,
    VEU_MODIFIERS_ARITHMETIC, /* (-), (abs), (-abs) */
    VEU_MODIFIERS_LOGIC,      /* (~) */
} VeuModifierRule;

/* Whether the destination may saturate. */
typedef enum VeuSaturationRule {
    VEU_SATURATION_NEVER,
    VEU_SATURATION_FLOAT, /* if it is HF, F or DF */
    VEU_SATURATION_ALWAYS,
} VeuSaturationRule;

/*
 * What an instruction does with its operands; the executor has a row for each.
 */
typedef enum VeuOperation {
    VEU_OPERATION_NONE, /* nothing, or not modelled */
    VEU_OPERATION_ADD,
    VEU_OPERATION_AVG,
    VEU_OPERATION_DIV,
    VEU_OPERATION_EXP,
    VEU_OPERATION_FRC,
    VEU_OPERATION_LOG,
    VEU_OPERATION_MAD,
    VEU_OPERATION_MULH,
    VEU_OPERATION_LRP,
    VEU_OPERATION_MOD,
    VEU_OPERATION_MUL,
    VEU_OPERATION_POW,
    VEU_OPERATION_RNDD,
    VEU_OPERATION_RNDU,
    VEU_OPERATION_RNDE,
    VEU_OPERATION_RNDZ,
    VEU_OPERATION_SIN,
    VEU_OPERATION_COS,
    VEU_OPERATION_SQRT,
    VEU_OPERATION_RSQRT,
    VEU_OPERATION_INV,
    VEU_OPERATION_LZD,
    VEU_OPERATION_AND,
    VEU_OPERATION_OR,
    VEU_OPERATION_XOR,
    VEU_OPERATION_NOT,
    VEU_OPERATION_SHL,
    VEU_OPERATION_SHR,
    VEU_OPERATION_ASR,
    VEU_OPERATION_CBIT,
    VEU_OPERATION_ADDR_ADD,
    VEU_OPERATION_MOV,
    VEU_OPERATION_SEL,
    VEU_OPERATION_SETP,
    VEU_OPERATION_CMP,
    VEU_OPERATION_MOVS,
    VEU_OPERATION_FBL,
    VEU_OPERATION_FBH,
    VEU_OPERATION_MINMAX,
    VEU_OPERATION_BFE,
    VEU_OPERATION_BFI,
    VEU_OPERATION_BFREV,
    VEU_OPERATION_ADDC,
    VEU_OPERATION_SUBB,
    VEU_OPERATION_ROL,
    VEU_OPERATION_ROR,
    VEU_OPERATION_DP4A,
    VEU_OPERATION_ADD3,
    VEU_OPERATION_BFN,
    VEU_OPERATION_MADW,
    VEU_OPERATION_FCVT,
    VEU_OPERATION_SRND,
    VEU_OPERATION_SAD2,
    VEU_OPERATION_PLANE,
    VEU_OPERATION_INVM,
    VEU_OPERATION_RSQTM,
    VEU_OPERATION_LABEL,
    VEU_OPERATION_GOTO,
    VEU_OPERATION_CALL,
    VEU_OPERATION_RET,
    VEU_OPERATION_FCALL,
    VEU_OPERATION_IFCALL,
    VEU_OPERATION_FADDR,
    VEU_OPERATION_BARRIER,
    VEU_OPERATION_COUNT
} VeuOperation;

/* Where a subroutine starts; other labels are places in a routine. */
#define VEU_OPCODE_SUBROUTINE 0x30

#define VEU_INSTRUCTION_MAX_FIELDS 8
#define VEU_INSTRUCTION_NO_SUB     (-1)

/* A row of the instruction table. */
struct VeuInstructionInfo {
    uint8_t opcode;
    int16_t sub;          /* the byte after the opcode, or NO_SUB */
    const char *mnemonic; /* a field may replace it: VEU_ITEXT_MNEMONIC */
    /*
     * NULL, or the operands of an instruction that is only listed, in the
     * letters of tools/visa/instruction.h. A program that has it is refused.
     */
    const char *listed;
    uint8_t fields[VEU_INSTRUCTION_MAX_FIELDS]; /* binary order */
    VeuOperation operation;
    /*
     * The signatures that it takes, up to a row whose dst is 0; NULL without
     * operands.
     */
    const VeuSignature *signatures;
    VeuModifierRule modifiers;
    VeuSaturationRule saturation;
    uint8_t cost; /* units of work of its slowest path */
    /* The sum of its legal execution sizes, 1 to 32 lanes; 0: all sizes. */
    uint8_t sizes;
    const char *page;
    const char *summary;
};

extern const VeuInstructionInfo veu_instructions[];
extern const unsigned veu_instruction_count;

/*
 * The row for the instruction at @code, or NULL if there is none or if it is a
 * message.
 */
const VeuInstructionInfo *veu_instruction_find(const uint8_t *code,
                                               uint32_t bytes);

/*
 * Like veu_instruction_find(), for tools: also finds sampler messages,
 * which are only listed.
 */
const VeuInstructionInfo *veu_instruction_row(const uint8_t *code,
                                              uint32_t bytes);

/* Returns true if the row has the field. */
bool veu_instruction_has(const VeuInstructionInfo *info,
                         VeuInstructionField field);

#endif
