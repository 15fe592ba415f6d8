/*
 * veu tests: the messages of docs/spec.md, section 15.8, from include/veu.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages are encoded with the functions of include/veu/message.h, as a driver
 * would.
 */
#include <assert.h>
#include <string.h>
#include "tests/docs/example.h"
#include "veu/veu.h"

/* The addresses of the walk-through. */
enum {
    IMAGE_TABLE = 0x104040,
    RESULT = 0x107000,
    PREDICATE_PAYLOAD = 0x109000,
    TYPED_PAYLOAD = 0x109100,
    INDIRECT_PAYLOAD = 0x109200,
    BUFFER = 0x10a000,
    IMAGE = 0x10a100,
    PROGRAM = 0x10b000,
};

#define EACH_OF_8(x) x, x, x, x, x, x, x, x
#define OFFSETS      0, 4, 8, 12, 16, 20, 24, 28

/* ---- a predicate with a mask offset, and NoMask ---- */

static const struct {
    struct veu_payload_header header;
    uint32_t predicate;
    uint32_t padding[15];
    uint32_t v32[8];
    uint32_t v33[8];
} predicate_payload = {
    .predicate = 0xf1ff,
    .v32 = { OFFSETS },
    .v33 = { 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7 },
};

static struct veu_command_message predicate_message = {
    .header = { .opcode = VEU_COMMAND_MESSAGE, .slots = 4, .tag = 4 },
    .launch = {
        .simd = 16,
        .grf_bytes = 32,
        .variable_count = 2,
        .predicate_count = 1,
        .payload_address = PREDICATE_PAYLOAD,
        .payload_bytes = sizeof(predicate_payload),
        .exec_mask = 0xffff,
        .threads = 1,
        .groups = 1,
        .stateless_base = BUFFER,
        .stateless_bytes = 4096,
    },
    .variables = {
        { .offset = 0, .elements = 8, .type = VEU_TYPE_UD },
        { .offset = 32, .elements = 8, .type = VEU_TYPE_UD },
    },
};

/* (!P1) scatter_scaled.4 (M3_NM, 8) T5 0x0:ud V32.0 V33.0 */
static uint8_t *encode_predicate(uint8_t *at)
{
    *at++ = VEU_OPCODE_SCATTER_SCALED;
    *at++ = veu_field_exec_size(8, 3, 1);
    at = veu_operand_number(at, 2, 1 | VEU_PRED_NOT);
    *at++ = 0; /* Block_size */
    *at++ = veu_field_size(4, 4);
    at = veu_operand_number(at, 2, 0); /* Scale */
    *at++ = VEU_SURFACE_ID_STATELESS;
    at = veu_operand_immediate(at, VEU_TYPE_UD, 0);
    at = veu_operand_raw(at, 32, 0);
    return veu_operand_raw(at, 33, 0);
}

/* Lanes 1 to 3 store. */
static const uint32_t predicate_result[8] = { 0, 0xb1, 0xb2, 0xb3 };

/* ---- scatter4_typed ---- */

#define ONE  0x3f800000 /* 1.0 */
#define HALF 0x3f000000 /* 0.5 */

static const struct {
    struct veu_payload_header header;
    uint32_t v32[8];
    uint32_t v33[8];
    uint32_t v34[16];
} typed_payload = {
    .header = { .exec_mask = 0xff },
    .v32 = { 0, 1, 2, 3, 4, 5, 6, 7 },
    .v33 = { EACH_OF_8(1) },
    .v34 = { EACH_OF_8(ONE), EACH_OF_8(HALF) },
};

static const struct veu_surface image = {
    .base = IMAGE,
    .format = VEU_FORMAT_R8G8B8A8_UNORM,
    .type = VEU_SURFACE_2D,
    .width = 8,
    .height = 2,
    .pitch = 32,
    .levels = 1,
};

static struct veu_command_message typed_message = {
    .header = { .opcode = VEU_COMMAND_MESSAGE, .slots = 4, .tag = 5 },
    .launch = {
        .simd = 8,
        .grf_bytes = 32,
        .variable_count = 3,
        .surface_table = IMAGE_TABLE,
        .surface_count = 1,
        .payload_address = TYPED_PAYLOAD,
        .payload_bytes = sizeof(typed_payload),
        .exec_mask = 0xff,
        .threads = 1,
        .groups = 1,
    },
    .variables = {
        { .offset = 0, .elements = 8, .type = VEU_TYPE_UD },
        { .offset = 32, .elements = 8, .type = VEU_TYPE_UD },
        { .offset = 64, .elements = 16, .type = VEU_TYPE_F },
    },
};

/* scatter4_typed.RG (M1, 8) T6 V32.0 V33.0 %null.0 %null.0 V34.0 */
static uint8_t *encode_typed(uint8_t *at)
{
    *at++ = VEU_OPCODE_SCATTER4_TYPED;
    *at++ = veu_field_exec_size(8, 1, 0);
    at = veu_operand_number(at, 2, VEU_PRED_ALWAYS);
    *at++ = veu_field_channels(VEU_CHANNEL_R | VEU_CHANNEL_G);
    *at++ = VEU_FIRST_SURFACE;
    at = veu_operand_raw(at, 32, 0);
    at = veu_operand_raw(at, 33, 0);
    at = veu_operand_raw(at, 0, 0);
    at = veu_operand_raw(at, 0, 0);
    return veu_operand_raw(at, 34, 0);
}

/* Row 0, then row 1: 0.5 * 255 = 127.5 rounds to the even 128. */
static const uint32_t typed_result[16] = {
    EACH_OF_8(0),
    EACH_OF_8(0x80ff),
};

/* ---- a media block ---- */

static struct veu_command_message media_message = {
    .header = { .opcode = VEU_COMMAND_MESSAGE, .slots = 4, .tag = 6 },
    .launch = {
        .simd = 8,
        .grf_bytes = 32,
        .variable_count = 1,
        .surface_table = IMAGE_TABLE,
        .surface_count = 1,
        .result_address = RESULT,
        .result_bytes = 16,
        .threads = 1,
        .groups = 1,
    },
    .variables = { { .offset = 0, .elements = 16, .type = VEU_TYPE_UB } },
};

/* media_ld (8, 2) T6 0x4:ud 0x0:ud V32.0 */
static uint8_t *encode_media(uint8_t *at)
{
    *at++ = VEU_OPCODE_MEDIA_LD;
    *at++ = VEU_MEDIA_NOMOD;
    *at++ = VEU_FIRST_SURFACE;
    *at++ = 0; /* Plane */
    *at++ = 8;
    *at++ = 2;
    at = veu_operand_immediate(at, VEU_TYPE_UD, 4);
    at = veu_operand_immediate(at, VEU_TYPE_UD, 0);
    return veu_operand_raw(at, 32, 0);
}

static const uint32_t media_result[4] = { 0, 0, 0x80ff, 0x80ff };

/* ---- an indirect scalar ---- */

static struct {
    struct veu_program_header header;
    struct veu_section sections[3];
    struct veu_variable variables[2];
    struct veu_address addresses[1];
    uint8_t code[30];
} __attribute__((packed)) indirect_program = {
    .header = {
        .magic = VEU_PROGRAM_MAGIC,
        .version = VEU_PROGRAM_VERSION,
        .kind = VEU_PROGRAM_MESSAGES,
        .bytes = 130,
        .grf_bytes = 32,
        .section_count = 3,
        .register_bytes = 96,
    },
    .sections = {
        { .type = VEU_SECTION_VARIABLES, .offset = 80, .bytes = 16 },
        { .type = VEU_SECTION_ADDRESSES, .offset = 96, .bytes = 4 },
        { .type = VEU_SECTION_CODE, .offset = 100, .bytes = 30 },
    },
    .variables = {
        { .offset = 0, .elements = 8, .type = VEU_TYPE_UD },
        { .offset = 32, .elements = 8, .type = VEU_TYPE_UD },
    },
    .addresses = { { .elements = 2 } },
};
_Static_assert(sizeof(indirect_program) == 130, "the program has no padding");

/* gather_scaled.4 (M1, 8) T5 r[A0(1),4]:ud V32.0 V33.0 */
static uint8_t *encode_indirect(uint8_t *at)
{
    *at++ = VEU_OPCODE_GATHER_SCALED;
    *at++ = veu_field_exec_size(8, 1, 0);
    at = veu_operand_number(at, 2, VEU_PRED_ALWAYS);
    *at++ = 0; /* Block_size */
    *at++ = veu_field_size(4, 4);
    at = veu_operand_number(at, 2, 0); /* Scale */
    *at++ = VEU_SURFACE_ID_STATELESS;
    at = veu_operand_indirect(at, 0, 1, 4, VEU_TYPE_UD);
    at = veu_operand_raw(at, 32, 0);
    return veu_operand_raw(at, 33, 0);
}

static const struct {
    struct veu_payload_header header;
    uint16_t a0[2];
    uint16_t padding[30];
    uint32_t v32[8];
    uint32_t v33[8];
    uint32_t bytes_64[2];
} indirect_payload = {
    .header = { .exec_mask = 0xff },
    .a0 = { 0, 64 },
    .v32 = { OFFSETS },
    .bytes_64 = { 0, 32 },
};

static const struct veu_command_dispatch indirect_dispatch = {
    .header = { .opcode = VEU_COMMAND_DISPATCH,
                .slots = 2,
                .flags = VEU_COMMAND_INTERRUPT,
                .tag = 7 },
    .launch = {
        .code_address = PROGRAM,
        .code_bytes = sizeof(indirect_program),
        .simd = 8,
        .payload_address = INDIRECT_PAYLOAD,
        .result_address = RESULT + 0x40,
        .payload_bytes = sizeof(indirect_payload),
        .result_bytes = 32,
        .result_offset = 32,
        .exec_mask = 0xff,
        .threads = 1,
        .groups = 1,
        .stateless_base = IMAGE,
        .stateless_bytes = 64,
    },
};

static const uint32_t indirect_result[8] = { EACH_OF_8(0x80ff) };

static const uint32_t more_tail = 21;

#define PART(name_, object, from, bytes_)            \
    {                                                \
        .name = name_, .bytes = (bytes_),            \
        .content = (const uint8_t *)&object + (from) \
    }
#define WHOLE(name_, object) PART(name_, object, 0, sizeof(object))

const Example example_messages[] = {
    WHOLE("predicate-payload", predicate_payload),
    WHOLE("predicate-message", predicate_message),
    WHOLE("typed-payload", typed_payload),
    WHOLE("image", image),
    WHOLE("typed-message", typed_message),
    PART("media-first", media_message, 0, VEU_SLOT_BYTES),
    PART("media-rest", media_message, VEU_SLOT_BYTES, 3 * VEU_SLOT_BYTES),
    WHOLE("indirect-program", indirect_program),
    WHOLE("indirect-payload", indirect_payload),
    WHOLE("indirect-dispatch", indirect_dispatch),
    WHOLE("more-tail", more_tail),
    WHOLE("predicate-result", predicate_result),
    WHOLE("typed-result", typed_result),
    WHOLE("media-result", media_result),
    WHOLE("indirect-result", indirect_result),
};

const unsigned example_message_count = sizeof(example_messages) /
                                       sizeof(example_messages[0]);

static void encode_inline(struct veu_command_message *c,
                          uint8_t *(*encode)(uint8_t *at))
{
    c->launch.code_bytes = encode(c->message) - c->message;
}

void example_messages_encode(void)
{
    uint8_t *code = indirect_program.code;

    encode_inline(&predicate_message, encode_predicate);
    encode_inline(&typed_message, encode_typed);
    encode_inline(&media_message, encode_media);
    assert(encode_indirect(code) == code + sizeof(indirect_program.code));
}
