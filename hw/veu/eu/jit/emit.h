/*
 * veu execution unit: writing instructions of the host's processor, x86-64 with
 * AVX-512 or AVX2.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The encodings are those of Intel's manual (Software Developer's Manual,
 * volume 2, "EVEX prefix" and "VEX prefix"). Once something does not fit the
 * buffer, @full is set, and the code must not be used.
 */
#ifndef VEU_EU_JIT_EMIT_H
#define VEU_EU_JIT_EMIT_H

#include <stdbool.h>
#include <stdint.h>

/* Lengths of vectors. */
typedef enum VeuVectorLength {
    VEU_VECTOR_16_BYTES,
    VEU_VECTOR_32_BYTES,
    VEU_VECTOR_64_BYTES,
} VeuVectorLength;

typedef struct VeuEmit {
    uint8_t *bytes;
    uint32_t used;
    uint32_t size;
    VeuVectorLength longest; /* vectors: 64 bytes with AVX-512, 32 with AVX2 */
    bool full;
} VeuEmit;

/* The longest vectors of the level that host code is written for. */
VeuVectorLength veu_emit_longest(void);

/* Their bytes. */
static inline unsigned veu_emit_vector_bytes(const VeuEmit *e)
{
    return 16u << e->longest;
}

/*
 * Returns true if host code is written for AVX-512: instructions may have mask
 * registers, and are encoded with EVEX, otherwise with VEX.
 */
static inline bool veu_emit_has_masks(const VeuEmit *e)
{
    return e->longest == VEU_VECTOR_64_BYTES;
}

/* The host's general registers, by their numbers in encodings. */
enum {
    VEU_RAX,
    VEU_RCX,
    VEU_RDX,
    VEU_RBX,
    VEU_RSP,
    VEU_RBP,
    VEU_RSI,
    VEU_RDI,
    VEU_R8,
    VEU_R9,
    VEU_R10,
    VEU_R11,
};

/* Conditions of jumps, by their numbers in encodings. */
enum {
    VEU_IF_BELOW = 2,
    VEU_IF_NOT_BELOW = 3,
    VEU_IF_EQUAL = 4,
    VEU_IF_NOT_EQUAL = 5,
    VEU_IF_NOT_ABOVE = 6,
    VEU_IF_ABOVE = 7,
};

/* Operations of two general registers, by their opcodes. */
enum {
    VEU_GENERAL_ADD = 0x01,
    VEU_GENERAL_OR = 0x09,
    VEU_GENERAL_AND = 0x21,
    VEU_GENERAL_SUB = 0x29,
    VEU_GENERAL_XOR = 0x31,
    VEU_GENERAL_COMPARE = 0x39,
    VEU_GENERAL_TEST = 0x85,
    VEU_GENERAL_MOVE = 0x89,
};

/* Operations of a general register and a number, by their extended opcodes. */
enum {
    VEU_NUMBER_ADD = 0,
    VEU_NUMBER_AND = 4,
    VEU_NUMBER_COMPARE = 7,
};

enum {
    VEU_SHIFT_LEFT = 4,
    VEU_SHIFT_RIGHT = 5,
};

enum {
    VEU_UNARY_NOT = 2,
    VEU_UNARY_NEG = 3,
};

/* Prefixes (pp) and opcode maps of vector instructions. */
enum {
    VEU_PP_NONE,
    VEU_PP_66,
    VEU_PP_F3,
    VEU_PP_F2,
};
enum {
    VEU_MAP_0F = 1,
    VEU_MAP_0F38,
    VEU_MAP_0F3A,
};

/* Which part of a vector an operand in memory is, by which at is scaled. */
typedef enum VeuTuple {
    VEU_TUPLE_FULL,
    VEU_TUPLE_HALF,
    VEU_TUPLE_QUARTER,
    VEU_TUPLE_4_BYTES,
    VEU_TUPLE_8_BYTES,
} VeuTuple;

/* A vector instruction. */
typedef struct VeuVectorOp {
    uint8_t pp;
    uint8_t map;
    uint8_t opcode;
    uint8_t tuple; /* VeuTuple */
    bool wide;     /* EVEX.W or VEX.W: see has_vex_w() */
    /*
     * The opcode's extension, which takes the place of the first register: the
     * result is the second one.
     */
    uint8_t digit;
} VeuVectorOp;

/* The initializer of an operation on elements of 4 bytes, or of 8 (WIDE). */
#define VEU_VECTOR_OP(pp_, map_, opcode_)                            \
    {                                                                \
        .pp = VEU_PP_##pp_, .map = VEU_MAP_##map_, .opcode = opcode_ \
    }
#define VEU_VECTOR_OP_WIDE(pp_, map_, opcode_)                        \
    {                                                                 \
        .pp = VEU_PP_##pp_, .map = VEU_MAP_##map_, .opcode = opcode_, \
        .wide = true                                                  \
    }

/* A shift or rotation by an immediate byte. */
#define VEU_VECTOR_OP_COUNT(opcode_, digit_, wide_)                           \
    {                                                                         \
        .pp = VEU_PP_66, .map = VEU_MAP_0F, .opcode = opcode_, .wide = wide_, \
        .digit = digit_                                                       \
    }
/* An operation whose operand in memory has smaller elements than the other. */
#define VEU_VECTOR_OP_PART(pp_, opcode_, tuple_)                    \
    {                                                               \
        .pp = VEU_PP_##pp_, .map = VEU_MAP_0F38, .opcode = opcode_, \
        .tuple = VEU_TUPLE_##tuple_                                 \
    }

/* The operands of a vector instruction. */
typedef struct VeuVectorOperands {
    VeuVectorLength length;
    /* Registers: 0 to 31 with AVX-512, otherwise 0 to 15. */
    uint8_t reg;    /* the first one, in most cases the result */
    uint8_t vector; /* the second one (vvvv) */
    /* The last one: a vector register, or the base of an address. */
    uint8_t rm;
    bool is_memory;
    int32_t at;   /* added to the base, in bytes */
    uint8_t mask; /* k1 to k7: lanes whose bit is 0 keep their value; 0: none */
    bool zeros;   /* lanes whose bit is 0 become 0 instead */
} VeuVectorOperands;

void veu_emit_byte(VeuEmit *e, uint8_t byte);

/* A vector instruction, without an immediate byte. */
void veu_emit_vector(VeuEmit *e, VeuVectorOp op, VeuVectorOperands operands);

/*
 * Elements of 4 or 8 bytes of the longest vector become what is in a general
 * register.
 */
void veu_emit_broadcast(VeuEmit *e, unsigned to, unsigned general,
                        unsigned bytes);

/* ---- with AVX-512 only ---- */

/*
 * The lanes of @mask load 4 bytes each from @base plus their element of @index,
 * which is signed. Changes the mask.
 */
void veu_emit_gather(VeuEmit *e, unsigned to, unsigned base, unsigned index,
                     unsigned mask);
/* The inverse: where lanes overlap, the highest one wins. */
void veu_emit_scatter(VeuEmit *e, unsigned from, unsigned base, unsigned index,
                      unsigned mask);

/* A mask register k becomes the low 32 bits of a general register. */
void veu_emit_mask_from(VeuEmit *e, unsigned k, unsigned general);
/* The inverse, of all 32 bits. */
void veu_emit_mask_to(VeuEmit *e, unsigned general, unsigned k);
/* to = a | b, of 16 bits. */
void veu_emit_mask_or(VeuEmit *e, unsigned to, unsigned a, unsigned b);
/* Sets the condition VEU_IF_BELOW if all 16 bits of a mask register are 1. */
void veu_emit_mask_test(VeuEmit *e, unsigned k);

/* ---- general registers ---- */

/* Loads and stores of 4 bytes at @base + @at; of 8 bytes if @wide. */
void veu_emit_load(VeuEmit *e, unsigned to, unsigned base, int32_t at,
                   bool wide);
void veu_emit_store(VeuEmit *e, unsigned from, unsigned base, int32_t at,
                    bool wide);
/* Loads a byte or word, extended to 4 bytes. */
void veu_emit_load_small(VeuEmit *e, unsigned to, unsigned base, int32_t at,
                         unsigned bytes, bool is_signed);
/* Stores a number of 4 bytes. */
void veu_emit_store_number(VeuEmit *e, uint32_t number, unsigned base,
                           int32_t at);
void veu_emit_number(VeuEmit *e, unsigned to, uint64_t number);
/* to = to OPERATION from, of 4 bytes, or 8 if @wide. */
void veu_emit_general(VeuEmit *e, unsigned operation, unsigned to,
                      unsigned from, bool wide);
void veu_emit_with_number(VeuEmit *e, unsigned operation, unsigned to,
                          uint32_t number, bool wide);
/* to = to OPERATION the 4 bytes at @base + @at. */
void veu_emit_with_memory(VeuEmit *e, unsigned operation, unsigned to,
                          unsigned base, int32_t at, bool wide);
/* to = to * number, of 8 bytes. */
void veu_emit_multiply(VeuEmit *e, unsigned to, uint32_t number);
/* Tests bits of a general register, of 4 bytes. */
void veu_emit_test_number(VeuEmit *e, unsigned general, uint32_t bits);
/* Adds a number to the 8 bytes at @base + @at. */
void veu_emit_add_to_memory(VeuEmit *e, uint32_t number, unsigned base,
                            int32_t at);
void veu_emit_add_register(VeuEmit *e, unsigned from, unsigned base,
                           int32_t at);
/* The number of the bits of a general register that are 1 takes its place. */
void veu_emit_count_bits(VeuEmit *e, unsigned general);
/* Of 4 bytes, or 8 if @wide. */
void veu_emit_shift(VeuEmit *e, unsigned operation, unsigned to, unsigned count,
                    bool wide);
void veu_emit_unary(VeuEmit *e, unsigned operation, unsigned to);
/* Fetches the line at @base + @at, which need not be an address. */
void veu_emit_prefetch(VeuEmit *e, unsigned base, int32_t at, bool writes);
/* Compares the byte at @base + @at with 0. */
void veu_emit_test_byte(VeuEmit *e, unsigned base, int32_t at);
/* Compares @bits of the dword at @base + @at with 0. */
void veu_emit_test_bits(VeuEmit *e, unsigned base, int32_t at, uint32_t bits);

/* A general register, one of the first four, becomes 1 or 0. */
void veu_emit_set_if(VeuEmit *e, unsigned condition, unsigned to);

/* A jump whose target is set later: returns where veu_emit_land() sets it. */
uint32_t veu_emit_jump_if(VeuEmit *e, unsigned condition);
/* A jump to an earlier place, a value of @used. */
void veu_emit_jump_back(VeuEmit *e, uint32_t to);
/* The jump at @jump leads here. */
void veu_emit_land(VeuEmit *e, uint32_t jump);
void veu_emit_push(VeuEmit *e, unsigned general);
void veu_emit_pop(VeuEmit *e, unsigned general);
/* Calls a function; changes rax. */
void veu_emit_call(VeuEmit *e, const void *function);
/* Jumps to a function; changes rax. */
void veu_emit_jump_to(VeuEmit *e, const void *function);
/* Jumps to the function whose address is at @base + @at. */
void veu_emit_jump_through(VeuEmit *e, unsigned base, int32_t at);
/* Jumps to the function whose address is at @base + 8 * @index. */
void veu_emit_jump_indexed(VeuEmit *e, unsigned base, unsigned index);
void veu_emit_return(VeuEmit *e);

#endif
