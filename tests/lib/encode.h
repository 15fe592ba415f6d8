/*
 * veu tests: writing messages, byte by byte: encoding.md, section 3.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nothing here is checked: a test may put any value into any field.
 */
#ifndef VEU_TEST_ENCODE_H
#define VEU_TEST_ENCODE_H

#include <stdbool.h>
#include <stdint.h>
#include "veu/program.h"

typedef enum TestKind {
    TEST_GATHER,
    TEST_GATHER_SCALED,
    TEST_SCATTER_SCALED,
    TEST_GATHER4_TYPED,
    TEST_SCATTER4_TYPED,
    TEST_SVM_GATHER,
    TEST_SVM_SCATTER,
    TEST_SVM_BLOCK_LD,
    TEST_SVM_BLOCK_ST,
    TEST_SVM_ATOMIC,
    TEST_SVM_GATHER4_SCALED,
    TEST_SVM_SCATTER4_SCALED,
    TEST_SCATTER,
    TEST_GATHER4_SCALED,
    TEST_SCATTER4_SCALED,
    TEST_DWORD_ATOMIC,
    TEST_TYPED_ATOMIC,
    TEST_OWORD_LD,
    TEST_OWORD_LD_UNALIGNED,
    TEST_OWORD_ST,
    TEST_QW_GATHER,
    TEST_QW_SCATTER,
    TEST_MEDIA_LD,
    TEST_MEDIA_ST,
    TEST_FENCE,
    TEST_KINDS
} TestKind;

/* The fields of all messages, which are members of TestMessage. */
typedef enum TestField {
    TEST_FIELD_END,
    TEST_FIELD_ELT_SIZE,
    TEST_FIELD_IS_MODIFIED,
    TEST_FIELD_NUM_ELTS,
    TEST_FIELD_EXEC,
    TEST_FIELD_PRED,
    TEST_FIELD_BLOCK_SIZE,
    TEST_FIELD_NUM_BLOCKS,
    TEST_FIELD_SCALE,
    TEST_FIELD_CHANNELS,
    TEST_FIELD_SURFACE,
    TEST_FIELD_SIZE,
    TEST_FIELD_OP,
    TEST_FIELD_MODE,
    TEST_FIELD_PLANE,
    TEST_FIELD_WIDTH,
    TEST_FIELD_HEIGHT,
    TEST_FIELD_MASK,
    TEST_FIELD_OFFSET,
    TEST_FIELD_Y,
    TEST_FIELD_ADDRESS,
    TEST_FIELD_V,
    TEST_FIELD_R,
    TEST_FIELD_LOD,
    TEST_FIELD_SRC0,
    TEST_FIELD_SRC1,
    TEST_FIELD_DATA,
    TEST_FIELDS
} TestField;

#define TEST_MAX_FIELDS 12

/* A message of encoding.md, section 3, with its opcode and fields. */
typedef struct TestLayout {
    const char *name;
    uint8_t opcode;
    uint8_t sub;                     /* of SVM messages, otherwise 0 */
    uint8_t fields[TEST_MAX_FIELDS]; /* in order, ending with TEST_FIELD_END */
} TestLayout;

extern const TestLayout test_layouts[TEST_KINDS];
bool test_kind_has(TestKind kind, TestField field);

typedef struct TestRaw {
    uint32_t id;
    uint16_t byte;
} TestRaw;

/* The first byte of a scalar: class | modifier << 3. */
enum {
    TEST_CLASS_GENERAL = 0,
    TEST_CLASS_ADDRESS = 1,
    TEST_CLASS_PREDICATE = 2,
    TEST_CLASS_INDIRECT = 3,
    TEST_CLASS_IMMEDIATE = 5,
    TEST_CLASS_STATE = 6,
};

typedef struct TestScalar {
    uint8_t tag;
    uint8_t type; /* immediate and indirect */
    uint32_t id;  /* general; for indirect, the address variable */
    uint8_t row;  /* general */
    /* general; for indirect, the element of the address variable */
    uint8_t column;
    uint16_t region; /* general and indirect */
    uint64_t value;  /* immediate; for indirect, the bytes to add */
} TestScalar;

/* Codes of sizes and masks, as in the encoding. */
enum {
    TEST_LANES_1 = 0,
    TEST_LANES_2,
    TEST_LANES_4,
    TEST_LANES_8,
    TEST_LANES_16,
    TEST_LANES_32,
};
#define TEST_M(n)    (((n)-1) << 4)
#define TEST_M_NM(n) (((n)-1) << 4 | 0x80)

/* The mode of media messages that access every second row from the first. */
#define TEST_TOP_FIELD 2

/* Predicate control. */
#define TEST_PRED(n)      (n)
#define TEST_PRED_ANY     0x2000
#define TEST_PRED_ALL     0x4000
#define TEST_PRED_INVERSE 0x8000

/* Operations of atomics, and the bits for their width. */
enum {
    TEST_ADD = 0x00,
    TEST_SUB,
    TEST_INC,
    TEST_DEC,
    TEST_MIN,
    TEST_MAX,
    TEST_XCHG,
    TEST_CMPXCHG,
    TEST_AND,
    TEST_OR,
    TEST_XOR,
    TEST_IMIN,
    TEST_IMAX,
    TEST_PREDEC,
    TEST_FMAX = 0x10,
    TEST_FMIN,
    TEST_FCMPWR,
    TEST_FADD,
    TEST_FSUB,
    TEST_16_BIT = 0x20,
    TEST_64_BIT = 0x40,
};

/*
 * Properties of SVM blocks: "unaligned" as documented, and as compilers write
 * it.
 */
#define TEST_UNALIGNED_PAGE     0x08
#define TEST_UNALIGNED_COMPILER 0x80

typedef struct TestMessage {
    TestKind kind;
    uint8_t elt_size;    /* GATHER, SCATTER */
    uint8_t is_modified; /* GATHER, OWORD_LD */
    uint8_t num_elts;    /* GATHER, SCATTER */
    uint8_t exec;        /* all other messages with lanes */
    uint16_t pred;       /* the same */
    uint8_t block_size;  /* SCALED, SVM */
    uint8_t num_blocks;  /* SCALED, SVM, QW */
    uint16_t scale;      /* SCALED, 4_SCALED */
    uint8_t channels;    /* 4_TYPED, 4_SCALED */
    uint8_t surface;     /* not SVM */
    uint8_t size;        /* OWORD; SVM_BLOCK: Properties */
    uint8_t op;          /* ATOMIC */
    uint8_t mode;        /* MEDIA: Modifiers */
    uint8_t plane;       /* MEDIA */
    uint8_t width;       /* MEDIA */
    uint8_t height;      /* MEDIA */
    uint8_t mask;        /* FENCE */
    TestScalar offset;   /* Offset; MEDIA: X; SVM: Address */
    TestScalar y;        /* MEDIA */
    TestRaw address;     /* Element_offset, U or Addresses */
    TestRaw v;           /* TYPED */
    TestRaw r;           /* TYPED */
    TestRaw lod;         /* TYPED */
    TestRaw src0;        /* ATOMIC */
    TestRaw src1;        /* ATOMIC */
    TestRaw data;        /* Dst or Src */
} TestMessage;

typedef struct TestCode {
    uint32_t count;
    uint8_t bytes[64];
    uint8_t at[TEST_FIELDS]; /* the offset of each field; 0 if there is none */
} TestCode;

TestCode test_encode(const TestMessage *message);

/* Returns a member of TestMessage. */
void *test_field(TestMessage *message, TestField field);
/*
 * Returns the bytes of a field in an encoding; 0 for a scalar, whose length
 * varies.
 */
unsigned test_field_bytes(TestField field);

/*
 * A scalar operand: an immediate UD; element @column of a variable, counted
 * from @row; or the value @add bytes after the place to which element @column
 * of address variable @id points.
 */
TestScalar test_immediate(uint32_t value);
TestScalar test_general(uint32_t id, uint8_t row, uint8_t column);
TestScalar test_indirect(unsigned id, uint8_t column, int16_t add,
                         enum veu_type type);

#endif
