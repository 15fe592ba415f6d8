/*
 * veu tests: a launch in which a test can make one message of one EU thread
 * fault in one lane.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two groups of two EU threads. Each stores a mark, runs the message, and
 * stores another mark; a fence follows the launch. Only the last EU thread
 * faults. The others run the same message elsewhere, without any lane, or
 * completely if it has no lanes. Each lane, or block, accesses bytes of its
 * own. Because its place is known, a test can state the differences from a
 * launch without a fault.
 */
#ifndef VEU_TEST_FAULT_WORLD_H
#define VEU_TEST_FAULT_WORLD_H

#include "tests/lib/device_fixture.h"

/* How a message describes the place of a lane. */
typedef enum FaultForm {
    FORM_OFFSETS,   /* bytes from the start of surface 6 */
    FORM_ELEMENTS,  /* dwords from the start of surface 6 */
    FORM_ADDRESSES, /* whole addresses */
    FORM_TEXELS,    /* U of a 1D surface of 32-bit texels */
    FORM_OWORDS,    /* a block; Offset counts owords of surface 6 */
    FORM_BYTES,     /* a block; Offset counts bytes */
    FORM_ADDRESS,   /* a block; Address */
    FORM_ROWS,      /* a block; rows of a 2D surface, of FAULT_PITCH bytes */
    FORM_NOTHING,
} FaultForm;

/* The properties of a message, from spec.md, that matter for faults. */
typedef struct FaultMessage {
    TestKind kind;
    FaultForm form;
    unsigned lanes;         /* the legal maximum; 0 if it has none */
    unsigned first;         /* first element of a lane that it accesses */
    unsigned elements;      /* number that it accesses there, or in a block */
    unsigned element_bytes; /* of each element */
    unsigned registers;     /* elements of a lane in Data, or Dst */
    bool writes;            /* to memory */
    bool returns;           /* stores to registers */
} FaultMessage;

extern const FaultMessage fault_messages[TEST_KINDS];

/* Memory: two pages, one for other EU threads and one for this one. */
#define FAULT_END    (DEV_RAM + DEV_RAM_BYTES) /* a hole from here on */
#define FAULT_PAGES  (FAULT_END - 2 * TEST_PAGE_BYTES)
#define FAULT_GOOD   (FAULT_END - TEST_PAGE_BYTES)
#define FAULT_STRIDE 16 /* distance from a lane to the next */
#define FAULT_PITCH  256
#define FAULT_MARKS  DEV_DATA /* 8 bytes for each EU thread */

/* Declarations, and their offsets in the register file. */
enum {
    FAULT_OFFSETS = 32,   /* UD */
    FAULT_DATA = 33,      /* UD */
    FAULT_ADDRESSES = 34, /* UQ */
    FAULT_SRC0 = 35,      /* UD */
    FAULT_MARK = 36,      /* UD, the addresses of the marks */
    FAULT_QW_DATA = 37,   /* UQ, in the place of FAULT_DATA */
    FAULT_PLACE = 38,     /* UD, the address of a block */
    FAULT_ADDRESS = 39,   /* UQ, in the place of FAULT_PLACE */
    FAULT_D_DATA = 40,    /* D, in the place of FAULT_DATA */
};
#define FAULT_DATA_AT        128
#define FAULT_DATA_BYTES     512
#define FAULT_REGISTER_BYTES 1024

/* Surface ids. */
enum {
    FAULT_BUFFER = 6, /* RAW, from FAULT_PAGES to far inside of the hole */
    FAULT_1D, /* R32_UINT, or R8G8B8A8_UNORM for messages that convert */
    FAULT_2D, /* R8_UINT */
    FAULT_BEYOND,
};

#define FAULT_THREADS 4
#define FAULT_LAST    3
#define FAULT_GROUP   1 /* of the last EU thread */
#define FAULT_THREAD  1
#define FAULT_TAG     0xfa017u

/* A launch, before it runs. */
typedef struct FaultWorld {
    const FaultMessage *info;
    TestMessage message;
    uint32_t lanes; /* that run in the last EU thread */
    unsigned simd;
    unsigned policy;
    bool strict_types;
    bool alone; /* the last EU thread is the only one, and is 0 of group 0 */
    /* bytes cut off the end of the code, which then has no last mark */
    unsigned cut_bytes;
    uint16_t points_to; /* address variable A0 */
    /* The places of the last EU thread's lanes, or of the block as [0]. */
    uint64_t place[VEU_MAX_LANES];
} FaultWorld;

/* The result of a launch. */
typedef struct FaultOutcome {
    uint8_t pages[2 * TEST_PAGE_BYTES];
    uint8_t result[FAULT_THREADS][FAULT_REGISTER_BYTES];
    uint32_t marks[FAULT_THREADS][2];
    uint32_t message_offset;
    uint32_t slot; /* of the launch */
    uint32_t head;
    uint32_t state;
    uint64_t fence;
    unsigned faults;
    struct veu_fault_record record;
} FaultOutcome;

#define FAULT_UNTOUCHED 0xee
#define FAULT_TIME      UINT64_C(123456789)

/* Makes all lanes run, each at its own place. */
void fault_world_init(FaultWorld *world, TestKind kind);
/* Makes the device before it has run; sets the launch's place in @outcome. */
Dev *fault_world_new(const FaultWorld *world, FaultOutcome *outcome);
void fault_world_run(const FaultWorld *world, FaultOutcome *outcome);

/*
 * The contents before the launch: of memory, and of registers from FAULT_DATA
 * on.
 */
uint8_t fault_byte(uint64_t address);
uint8_t fault_register_byte(unsigned thread, unsigned at);

/* Returns a place of a lane, or of the block, that does not fault. */
uint64_t fault_good_place(const FaultMessage *info, unsigned lane);

#endif
