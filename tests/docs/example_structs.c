/*
 * veu tests: the examples of docs/spec.md, built from include/veu.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * These are the driver's structures. The text shows them as bytes; the two
 * must agree.
 */
#include <string.h>
#include "tests/docs/example.h"
#include "veu/veu.h"

/* The addresses of the walk-through. */
enum {
    SHARED = 0x101000,
    PROGRAM = 0x103000,
    SURFACES = 0x104000,
    PAYLOAD = 0x105000,
    DATA = 0x106000,
    RESULT = 0x107000,
    FENCE = 0x108000,
    HOLE = 0xdead0000,
};

static const struct veu_ring_shared shared_before;

/* gather.4 (M1, 8) T6 0x0:ud V32.0 V33.0 */
static const struct {
    struct veu_program_header header;
    struct veu_section sections[2];
    struct veu_variable variables[2];
    uint8_t code[24];
} program = {
    .header = {
        .magic = VEU_PROGRAM_MAGIC,
        .version = VEU_PROGRAM_VERSION,
        .kind = VEU_PROGRAM_MESSAGES,
        .bytes = 104,
        .grf_bytes = 32,
        .section_count = 2,
        .register_bytes = 64,
    },
    .sections = {
        { .type = VEU_SECTION_VARIABLES, .offset = 64, .bytes = 16 },
        { .type = VEU_SECTION_CODE, .offset = 80, .bytes = 23 },
    },
    .variables = {
        { .offset = 0, .elements = 8, .type = VEU_TYPE_UD },
        { .offset = 32, .elements = 8, .type = VEU_TYPE_UD },
    },
    .code = {
        0x39, 0x02, 0x00, 0x00, 0x06,       /* gather.4 (M1, 8) T6 */
        0x05, 0x00, 0x00, 0x00, 0x00, 0x00, /* 0x0:ud */
        0x20, 0x00, 0x00, 0x00, 0x00, 0x00, /* V32.0 */
        0x21, 0x00, 0x00, 0x00, 0x00, 0x00, /* V33.0 */
    },
};
_Static_assert(sizeof(program) == 104, "the program has no padding");

static const struct veu_surface surface_table[] = {
    {
        .base = DATA,
        .format = VEU_FORMAT_RAW,
        .type = VEU_SURFACE_BUFFER,
        .width = 32,
    },
};

static const struct {
    struct veu_payload_header header;
    uint32_t v32[8];
} payload = {
    .header = { .exec_mask = 0xff },
    .v32 = { 7, 6, 5, 4, 3, 2, 0, 8 },
};

static const uint32_t data[8] = {
    0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7,
};

static const struct veu_command_dispatch dispatch = {
    .header = { .opcode = VEU_COMMAND_DISPATCH, .slots = 2, .tag = 1 },
    .launch = {
        .code_address = PROGRAM,
        .code_bytes = sizeof(program),
        .simd = 8,
        .surface_table = SURFACES,
        .surface_count = 1,
        .payload_address = PAYLOAD,
        .result_address = RESULT,
        .payload_bytes = sizeof(payload),
        .result_bytes = 32,
        .result_offset = 32,
        .exec_mask = 0xff,
        .threads = 1,
        .groups = 1,
    },
};

static const struct veu_command_fence fence = {
    .header = { .opcode = VEU_COMMAND_FENCE,
                .slots = 1,
                .flags = VEU_COMMAND_INTERRUPT,
                .tag = 2 },
    .address = FENCE,
    .value = 1,
};

static const uint32_t tail = 3;

/* Seven elements; index 8 is past the end. */
static const uint32_t result[8] = {
    0xa7, 0xa6, 0xa5, 0xa4, 0xa3, 0xa2, 0xa0, 0,
};

static const uint64_t fence_value = 1;

/* The device's half of the shared block. */
static const uint32_t shared_after[16] = { 3, 1, 0, 0, VEU_RING_RUNNING };

/* svm_gather.4.1 (M1, 1) V32.0 V33.0 */
static const struct veu_command_message message = {
    .header = { .opcode = VEU_COMMAND_MESSAGE, .slots = 4, .tag = 3 },
    .launch = {
        .code_bytes = 19,
        .simd = 8,
        .grf_bytes = 32,
        .variable_count = 2,
        .payload_address = PAYLOAD + 0x100,
        .result_address = RESULT,
        .payload_bytes = 72,
        .result_bytes = 4,
        .result_offset = 8,
        .exec_mask = 1,
        .threads = 1,
        .groups = 1,
    },
    .variables = {
        { .offset = 0, .elements = 1, .type = VEU_TYPE_UQ },
        { .offset = 8, .elements = 1, .type = VEU_TYPE_UD },
    },
    .message = {
        0x4e, 0x03, 0x00, 0x00, 0x00, 0x01, 0x00, /* svm_gather.4.1 (M1, 1) */
        0x20, 0x00, 0x00, 0x00, 0x00, 0x00,       /* V32.0 */
        0x21, 0x00, 0x00, 0x00, 0x00, 0x00,       /* V33.0 */
    },
};

static const struct {
    struct veu_payload_header header;
    uint64_t v32;
} message_payload = {
    .header = { .exec_mask = 1 },
    .v32 = HOLE,
};

static const uint32_t message_tail = 7;

static const struct veu_fault_record record = {
    .code = VEU_FAULT_ADDRESS,
    .slot = 3,
    .tag = 3,
    .command = VEU_COMMAND_MESSAGE,
    .access = VEU_ACCESS_READ,
    .message_opcode = 0x4e,
    .message_sub = 0x03,
    .address = HOLE,
    .bytes = 4,
    .lanes = 1,
    .time = 1000000000,
};

static const uint32_t shared_halted[16] = { 3, 0, 1, 0, VEU_RING_HALTED };

static const uint32_t fault_head_read = 1;
static const uint32_t fault_head_again = 0;

static const uint32_t shared_resumed[16] = { 7, 1, 0, 0, VEU_RING_RUNNING };

const Example examples[] = {
    EXAMPLE("shared", shared_before),
    EXAMPLE("program", program),
    EXAMPLE("surface-table", surface_table),
    EXAMPLE("payload", payload),
    EXAMPLE("data", data),
    EXAMPLE("dispatch", dispatch),
    EXAMPLE("fence", fence),
    EXAMPLE("tail", tail),
    EXAMPLE("result", result),
    EXAMPLE("fence-value", fence_value),
    EXAMPLE("shared-after", shared_after),
    EXAMPLE("message", message),
    EXAMPLE("message-payload", message_payload),
    EXAMPLE("message-tail", message_tail),
    EXAMPLE("record", record),
    EXAMPLE("shared-halted", shared_halted),
    EXAMPLE("fault-head", fault_head_read),
    EXAMPLE("fault-head-again", fault_head_again),
    EXAMPLE("shared-resumed", shared_resumed),
};

const unsigned example_count = sizeof(examples) / sizeof(examples[0]);

static const Example *find(const Example *from, unsigned count,
                           const char *name)
{
    for (unsigned i = 0; i < count; i++) {
        if (!strcmp(from[i].name, name)) {
            return &from[i];
        }
    }
    return NULL;
}

const Example *example_find(const char *name)
{
    const struct {
        const Example *from;
        unsigned count;
    } tables[] = {
        { examples, example_count },
        { example_messages, example_message_count },
        { example_pages, example_page_count },
    };
    const Example *found = NULL;

    for (unsigned i = 0; !found && i < sizeof(tables) / sizeof(*tables); i++) {
        found = find(tables[i].from, tables[i].count, name);
    }
    return found;
}
