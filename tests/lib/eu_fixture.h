/*
 * veu tests: an EU thread without a device around it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_EU_FIXTURE_H
#define VEU_TEST_EU_FIXTURE_H

#include <glib.h>
#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/program/program.h"
#include "tests/lib/encode.h"
#include "tests/lib/test_memory.h"

#define EU_REGISTER_BYTES    16384
#define EU_SLM_BYTES         8192
#define EU_VARIABLES         32
#define EU_PREDICATES        16
#define EU_SURFACES          16
#define EU_ADDRESS_VARIABLES 16
#define EU_ADDRESS_ELEMENTS  16

/* The memory of a new EuFixture, with holes around it. */
#define EU_RAM       UINT64_C(0x100000)
#define EU_RAM_BYTES (16 * TEST_PAGE_BYTES)
#define EU_ROM       UINT64_C(0x200000) /* read-only; 2 pages */

typedef struct EuFixture {
    VeuConfig config;
    VeuProgram *program;
    VeuSurfaceTable *surfaces;
    VeuThread thread;
    TestMemory memory;
    struct veu_variable variables[EU_VARIABLES];
    unsigned variable_count;
    uint16_t predicate_bits[EU_PREDICATES];
    unsigned predicate_count;
    VeuAddressVariable address_variables[EU_ADDRESS_VARIABLES];
    unsigned address_count;
    unsigned simd;
    unsigned grf_bytes;
    uint32_t predicates[EU_PREDICATES];
    uint16_t addresses[EU_ADDRESS_VARIABLES * EU_ADDRESS_ELEMENTS];
    uint8_t registers[EU_REGISTER_BYTES];
    uint8_t slm[EU_SLM_BYTES];
    /* The last message, and its fault, which may be one of its form. */
    VeuMessage message;
    VeuFault fault;
    uint32_t next;
} EuFixture;

/*
 * Makes a thread with SIMD32, 32-byte registers, all lanes enabled, no
 * variables, and memory as above.
 */
EuFixture *eu_new(void);
void eu_free(EuFixture *eu);

/*
 * Declarations for most tests: a variable for each operand, in a place of its
 * own in the register file and large enough for any message; P1 with 32 bits;
 * surface 6, a RAW buffer of the first 8 KiB of EU_RAM.
 */
enum {
    EU_OFFSETS = 32,   /* UD, for Element_offset and U */
    EU_DATA = 33,      /* UD */
    EU_ADDRESSES = 34, /* UQ */
    EU_V = 35,         /* UD */
    EU_R = 36,         /* UD */
    EU_LOD = 37,       /* UD */
    EU_SCALAR = 38,    /* UD */
    EU_SRC0 = 39,      /* UD, for atomics */
    EU_SRC1 = 40,      /* UD */
    EU_QW_DATA = 41,   /* UQ, in the place of EU_DATA */
    EU_QW_SRC0 = 42,   /* UQ, in the place of EU_SRC0 */
    EU_QW_SRC1 = 43,   /* UQ, in the place of EU_SRC1 */
    EU_FIRST_FREE_ID,
};
/* Their offsets in the register file. */
#define EU_OFFSETS_AT   0
#define EU_DATA_AT      1024
#define EU_ADDRESSES_AT 3072
#define EU_V_AT         4096
#define EU_R_AT         5120
#define EU_LOD_AT       6144
#define EU_SCALAR_AT    7168
#define EU_SRC0_AT      8192
#define EU_SRC1_AT      9216
#define EU_FREE_AT      10240

#define EU_BUFFER       6
#define EU_BUFFER_BYTES 8192

EuFixture *eu_standard(void);
/*
 * The same, with all RAM in one extent, in which fast paths accept a buffer of
 * several pages.
 */
EuFixture *eu_joined(void);
/*
 * Returns a legal message with these variables: 8 lanes, M1, 4-byte elements,
 * one block, RGBA, a 32-bit add, 1 oword, 4 x 1 bytes.
 */
TestMessage eu_message(TestKind kind);
/* Returns an SVM GATHER or SVM SCATTER with these codes in its fields. */
TestMessage eu_svm(TestKind kind, uint8_t exec, uint8_t block_size,
                   uint8_t num_blocks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(EuFixture, eu_free)

/* Declares the next variable, starting with V32; its byte 0 is at @offset. */
uint32_t eu_variable(EuFixture *eu, uint32_t offset, unsigned elements,
                     enum veu_type type);
/* Declares the next predicate, starting with P1. */
unsigned eu_predicate(EuFixture *eu, unsigned bits, uint32_t value);
/*
 * Declares the next address variable, starting with A0; returns its elements in
 * eu->addresses.
 */
uint16_t *eu_address_variable(EuFixture *eu, unsigned elements);
/* Adds a legal surface to the table, starting with entry 6. */
unsigned eu_surface(EuFixture *eu, const struct veu_surface *surface);
/* Adds a RAW buffer. */
unsigned eu_buffer(EuFixture *eu, uint64_t base, uint32_t bytes);
/* Adds a typed buffer of @width elements at EU_RAM. */
unsigned eu_typed_buffer(EuFixture *eu, uint16_t format, uint32_t width);

/* Decodes a message; eu->fault describes a refusal. */
bool eu_decode(EuFixture *eu, const TestMessage *message);
bool eu_decode_bytes(EuFixture *eu, const uint8_t *bytes, uint32_t count);
/* Decodes and executes a message, which has to be legal. */
bool eu_run(EuFixture *eu, const TestMessage *message);
/*
 * Checks that the last message, which accesses memory, has no effect while a
 * page is missing that may still come. Its data is overwritten.
 */
void eu_assert_waits(EuFixture *eu);

/* Asserts that the message is refused with this code and detail. */
void eu_assert_refused(EuFixture *eu, const TestMessage *message,
                       enum veu_fault_code code, uint32_t detail);
void eu_assert_legal(EuFixture *eu, const TestMessage *message);

/* Asserts that the last message has faulted in a lane, at this element. */
void eu_assert_faulted(const EuFixture *eu, enum veu_fault_code code,
                       unsigned lane, unsigned element, uint64_t address);

/* Accesses lanes of the register file. */
void eu_set32(EuFixture *eu, uint32_t at, unsigned lane, uint32_t value);
void eu_set64(EuFixture *eu, uint32_t at, unsigned lane, uint64_t value);
/* Sets element @lane of EU_ADDRESSES. */
void eu_set_address(EuFixture *eu, unsigned lane, uint64_t address);
uint32_t eu_get32(const EuFixture *eu, uint32_t at, unsigned lane);
uint64_t eu_get64(const EuFixture *eu, uint32_t at, unsigned lane);

/* Runs @message with one lane at @offset; returns what it has read. */
uint32_t eu_read_one(EuFixture *eu, const TestMessage *message,
                     uint32_t offset);
void eu_write_one(EuFixture *eu, const TestMessage *message, uint32_t offset,
                  uint32_t value);

#endif
