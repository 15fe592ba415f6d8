/*
 * veu tests: a launch in which one message of one EU thread can be made to
 * fault in one lane.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two groups of two EU threads. Each stores a mark, runs the message, and
 * stores another mark; after the launch is a fence. Only the last EU thread
 * faults. Others run the same message elsewhere: no lane of it, or where it
 * has none, all of it.
 *
 * A lane, or block, works on bytes of its own. Its place is known, so a test
 * can say what has to differ from a launch in which nothing faults.
 */
#ifndef VEU_TEST_FAULT_WORLD_H
#define VEU_TEST_FAULT_WORLD_H

#include "tests/lib/device_fixture.h"

/* How a message says where a lane goes. */
typedef enum FaultForm {
    FORM_OFFSETS,   /* bytes from the start of surface 6 */
    FORM_ELEMENTS,  /* dwords from there */
    FORM_ADDRESSES, /* whole addresses */
    FORM_TEXELS,    /* U of a 1D surface of 32-bit texels */
    FORM_OWORDS,    /* a block; Offset counts owords of surface 6 */
    FORM_BYTES,     /* a block; Offset counts bytes */
    FORM_ADDRESS,   /* a block; Address */
    FORM_ROWS,      /* a block; rows of a 2D surface, of FAULT_PITCH bytes */
    FORM_NOTHING,
} FaultForm;

/* What spec.md says about a message, as far as faults ask for it. */
typedef struct FaultMessage {
    TestKind kind;
    FaultForm form;
    unsigned lanes;         /* the most that are legal; 0: it has none */
    unsigned first;         /* element of a lane that it accesses */
    unsigned elements;      /* that it accesses there, or of a block */
    unsigned element_bytes; /* of each element */
    unsigned registers;     /* elements of a lane in Data, or Dst */
    bool writes;            /* to memory */
    bool returns;           /* to registers */
} FaultMessage;

extern const FaultMessage fault_messages[TEST_KINDS];

/* Memory: two pages, of which other EU threads and this one have one each. */
#define FAULT_END    (DEV_RAM + DEV_RAM_BYTES) /* a hole from here on */
#define FAULT_PAGES  (FAULT_END - 2 * TEST_PAGE_BYTES)
#define FAULT_GOOD   (FAULT_END - TEST_PAGE_BYTES)
#define FAULT_STRIDE 16 /* from a lane to the next */
#define FAULT_PITCH  256
#define FAULT_MARKS  DEV_DATA /* 8 bytes for each EU thread */

/* Declarations, and where they are in the register file. */
enum {
    FAULT_OFFSETS = 32,   /* UD */
    FAULT_DATA = 33,      /* UD */
    FAULT_ADDRESSES = 34, /* UQ */
    FAULT_SRC0 = 35,      /* UD */
    FAULT_MARK = 36,      /* UD: where the marks go */
    FAULT_QW_DATA = 37,   /* UQ, where FAULT_DATA is */
    FAULT_PLACE = 38,     /* UD: where a block is */
    FAULT_ADDRESS = 39,   /* UQ, where FAULT_PLACE is */
    FAULT_D_DATA = 40,    /* D, where FAULT_DATA is */
};
#define FAULT_DATA_AT        128
#define FAULT_DATA_BYTES     512
#define FAULT_REGISTER_BYTES 1024

/* Surface ids. */
enum {
    FAULT_BUFFER = 6, /* RAW, from FAULT_PAGES far into the hole */
    FAULT_1D,         /* R32_UINT, or R8G8B8A8_UNORM for what converts */
    FAULT_2D,         /* R8_UINT */
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
    bool alone; /* there is but the last EU thread; it is 0 of group 0 */
    unsigned cut_bytes; /* off the end of the code, which has no last mark */
    uint16_t points_to; /* address variable A0 */
    /* Where lanes of the last EU thread go, or the block as [0]. */
    uint64_t place[VEU_MAX_LANES];
} FaultWorld;

/* What came of it. */
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

/* All lanes run, and each goes to its place. */
void fault_world_init(FaultWorld *world, TestKind kind);
/* The device before it has done anything; of @outcome, where the launch is. */
Dev *fault_world_new(const FaultWorld *world, FaultOutcome *outcome);
void fault_world_run(const FaultWorld *world, FaultOutcome *outcome);

/* Before the launch: memory, and registers from FAULT_DATA on. */
uint8_t fault_byte(uint64_t address);
uint8_t fault_register_byte(unsigned thread, unsigned at);

/* Place of a lane, or of the block, that does not fault. */
uint64_t fault_good_place(const FaultMessage *info, unsigned lane);

#endif
