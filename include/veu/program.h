/*
 * veu ABI: programs and the payload that an EU thread starts with.
 *
 * SPDX-License-Identifier: MIT
 *
 * A program is one contiguous range of memory: a header, a table of sections,
 * and the sections. The device copies and checks all of it before it runs any
 * of it.
 */
#ifndef VEU_PROGRAM_H
#define VEU_PROGRAM_H

#include "veu/base.h"

/** "VEUP", little endian. */
#define VEU_PROGRAM_MAGIC   0x50554556u
#define VEU_PROGRAM_VERSION 1

/** Kinds of program. */
enum veu_program_kind {
    VEU_PROGRAM_MESSAGES = 0,     /**< messages, run one after the other */
    VEU_PROGRAM_INSTRUCTIONS = 1, /**< instructions, messages among them */
};

/** The first 32 bytes of a program; the section table follows. */
struct veu_program_header {
    uint32_t magic;         /**< VEU_PROGRAM_MAGIC: 0x50554556, "VEUP" */
    uint16_t version;       /**< VEU_PROGRAM_VERSION: 1 */
    uint16_t kind;          /**< 0: messages in a row; 1: instructions */
    uint32_t bytes;         /**< size of the program, as in the launch */
    uint16_t grf_bytes;     /**< size of a register: 32 or 64 */
    uint16_t section_count; /**< entries of the section table, 1 to 8 */
    uint32_t entry;         /**< byte of the code where execution starts */
    /** bytes of an EU thread's register file, 0 to LIMIT_REGISTER_BYTES */
    uint32_t register_bytes;
    uint32_t reserved[2]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_program_header, 32);

/**
 * Types of section; each at most once, code always. Those from 5 on are for
 * programs of kind VEU_PROGRAM_INSTRUCTIONS only.
 */
enum veu_section_type {
    VEU_SECTION_CODE = 1,       /**< encoded messages or instructions */
    VEU_SECTION_VARIABLES = 2,  /**< struct veu_variable; entry i: V(32 + i) */
    VEU_SECTION_PREDICATES = 3, /**< struct veu_predicate; entry i: P(1 + i) */
    VEU_SECTION_ADDRESSES = 4,  /**< struct veu_address; entry i: A(i) */
    VEU_SECTION_LABELS = 5,     /**< struct veu_label; entry i: label id i */
    VEU_SECTION_PREDEFINED = 6, /**< struct veu_predefined, in any order */
    VEU_SECTION_STATES = 7,     /**< struct veu_state, surfaces first */
    VEU_SECTION_FUNCTIONS = 8,  /**< struct veu_function; entry i: Func_id i */
};

/** An entry of the section table. */
struct veu_section {
    /** enum veu_section_type: 1 code, 2 variables, 3 predicates, ... */
    uint32_t type;
    uint32_t offset;   /**< from the start of the program; a multiple of 4 */
    uint32_t bytes;    /**< size of the section */
    uint32_t reserved; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_section, 16);

/** Types of a variable: the codes of the vISA encoding. */
enum veu_type {
    VEU_TYPE_UD = 0,
    VEU_TYPE_D = 1,
    VEU_TYPE_UW = 2,
    VEU_TYPE_W = 3,
    VEU_TYPE_UB = 4,
    VEU_TYPE_B = 5,
    VEU_TYPE_DF = 6,
    VEU_TYPE_F = 7,
    VEU_TYPE_V = 8,
    VEU_TYPE_VF = 9,
    VEU_TYPE_BOOL = 10,
    VEU_TYPE_UQ = 11,
    VEU_TYPE_UV = 12,
    VEU_TYPE_Q = 13,
    VEU_TYPE_HF = 14,
    VEU_TYPE_BF = 15,
};

/** The first id of a variable that a program declares; below: predefined. */
#define VEU_FIRST_VARIABLE 32
/** The first surface id that a dispatch's table gives; below: predefined. */
#define VEU_FIRST_SURFACE  6

/** A variable: a piece of the register file. Variables may overlap. */
struct veu_variable {
    uint32_t offset;   /**< first byte in the register file, any alignment */
    uint16_t elements; /**< number of elements, 1 or more */
    uint8_t type;      /**< enum veu_type; V, VF, BOOL and UV are refused */
    uint8_t reserved;  /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_variable, 8);

/** A predicate variable. */
struct veu_predicate {
    uint16_t bits;     /**< lanes that it covers, 1 to 32 */
    uint16_t reserved; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_predicate, 4);

/**
 * An address variable. An element holds a byte offset in the register file,
 * for operands such as r[A0(2),-16].
 */
struct veu_address {
    uint16_t elements; /**< number of elements, 1 to 16 */
    uint16_t reserved; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_address, 4);

/** Kinds of label. */
enum veu_label_kind {
    VEU_LABEL_BLOCK = 0,      /**< for goto and jmp */
    VEU_LABEL_SUBROUTINE = 1, /**< for call */
};

/**
 * A label. The instruction at its offset is `label` or, of a subroutine,
 * `subroutine`, with the label's id.
 */
struct veu_label {
    uint32_t offset;     /**< of its instruction in the code, bytes */
    uint8_t kind;        /**< enum veu_label_kind */
    uint8_t reserved[3]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_label, 8);

/** Ids of predefined variables that have a meaning to the device. */
enum veu_predefined_id {
    VEU_PREDEFINED_NULL = 0, /**< without a place: reads as 0, ignores writes */
    VEU_PREDEFINED_TSC = 6,  /**< work that the EU thread has done so far */
    VEU_PREDEFINED_R0 = 7,
    VEU_PREDEFINED_HW_ID = 12,
    VEU_PREDEFINED_SR0 = 13,
    VEU_PREDEFINED_CR0 = 14, /**< rounding and subnormal numbers */
    VEU_PREDEFINED_CE0 = 15, /**< the lanes that run */
};

/**
 * The place of a predefined variable. One without a place cannot be named.
 * The device writes %tsc and %ce0 before an instruction reads them, and obeys
 * %cr0 (see the specification, "Instructions"). All others are registers, which
 * hold what the payload or the program puts there.
 */
struct veu_predefined {
    uint32_t offset;   /**< first byte in the register file */
    uint16_t elements; /**< number of elements, 1 or more */
    uint8_t type;      /**< enum veu_type, as of struct veu_variable */
    uint8_t id;        /**< 1 to 31, each at most once */
};
VEU_ASSERT_SIZE(struct veu_predefined, 8);

/** Kinds of state variable. */
enum veu_state_kind {
    VEU_STATE_SURFACE = 0, /**< the i-th has surface id 6 + i */
    VEU_STATE_SAMPLER = 1,
};

/**
 * A state variable. It holds the index of a surface in the table of the launch.
 * A message that names the surface variable accesses the surface that the index
 * selects when the message runs.
 */
struct veu_state {
    uint32_t value;      /**< index that an EU thread starts with */
    uint8_t kind;        /**< enum veu_state_kind; no surface after a sampler */
    uint8_t reserved[3]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_state, 8);

/** A function: what faddr, fcall and ifcall name. */
struct veu_function {
    uint32_t offset;   /**< in the code, bytes; they ascend */
    uint32_t reserved; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_function, 8);

/**
 * The first 64 bytes of an EU thread's payload. It is followed by one uint32_t
 * for each predicate of the program (bit n = lane n), one uint16_t for each
 * element of each address variable, padding of any value up to a multiple of 64
 * bytes, then the register file from its byte 0. Those parts of them that are
 * beyond the end of the payload start as 0.
 */
struct veu_payload_header {
    uint32_t exec_mask;    /**< lanes that run, bit n = lane n */
    uint32_t reserved[15]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_payload_header, 64);

#endif /* VEU_PROGRAM_H */
