/*
 * veu tests: writing messages, byte by byte as their pages say.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nothing here is checked: a test may put any value into any field.
 */
#ifndef VEU_TEST_ENCODE_H
#define VEU_TEST_ENCODE_H

#include <stdint.h>
#include "veu/program.h"

typedef enum TestKind {
    TEST_GATHER,
    TEST_GATHER_SCALED,
    TEST_SCATTER_SCALED,
    TEST_SCATTER4_TYPED,
    TEST_SVM_GATHER,
    TEST_KINDS
} TestKind;

extern const char *const test_kind_names[TEST_KINDS];

typedef struct TestRaw {
    uint32_t id;
    uint16_t byte;
} TestRaw;

/* First byte of a scalar: class | modifier << 3. */
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
    uint8_t type;    /* immediate, indirect */
    uint32_t id;     /* general, indirect */
    uint8_t row;     /* general */
    uint8_t column;  /* general, indirect */
    uint16_t region; /* general, indirect */
    uint64_t value;  /* immediate; indirect: bytes to add */
} TestScalar;

/* Codes of sizes and masks, as they stand in the encoding. */
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

/* Predicate control. */
#define TEST_PRED(n)      (n)
#define TEST_PRED_ANY     0x2000
#define TEST_PRED_ALL     0x4000
#define TEST_PRED_INVERSE 0x8000

typedef struct TestMessage {
    TestKind kind;
    uint8_t elt_size;    /* GATHER */
    uint8_t is_modified; /* GATHER */
    uint8_t num_elts;    /* GATHER */
    uint8_t exec;        /* all others */
    uint16_t pred;       /* all others */
    uint8_t block_size;  /* SCALED, SVM */
    uint8_t num_blocks;  /* SCALED, SVM */
    uint16_t scale;      /* SCALED */
    uint8_t channels;    /* TYPED */
    uint8_t surface;     /* not SVM */
    TestScalar offset;   /* GATHER, SCALED */
    TestRaw address;     /* Element_offset, U or Addresses */
    TestRaw v;           /* TYPED */
    TestRaw r;           /* TYPED */
    TestRaw lod;         /* TYPED */
    TestRaw data;        /* Dst or Src */
} TestMessage;

typedef struct TestCode {
    uint32_t count;
    uint8_t bytes[64];
} TestCode;

TestCode test_encode(const TestMessage *message);

/* A scalar operand: an immediate UD, or element @column of a variable. */
TestScalar test_immediate(uint32_t value);
TestScalar test_general(uint32_t id, uint8_t row, uint8_t column);

#endif
