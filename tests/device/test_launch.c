/*
 * veu device tests: dispatches and inline messages, end to end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each of the five messages is tested with bytes of the vendor's assembler and
 * with those of the guest library, as a dispatch and in a command.
 */
#include <string.h>
#include "tests/device/rig.h"
#include "tests/lib/data_file.h"

/*
 * The variables that the vectors use: V32, V33 and V34 are UD, V35 is D, V36 F,
 * and V37 UQ, with 512 bytes each.
 */
#define VARIABLES      6
#define VARIABLE_BYTES 512
#define REGISTER_BYTES (VARIABLES * VARIABLE_BYTES)

static const struct veu_variable variables[VARIABLES] = {
    { .offset = 0, .elements = 128, .type = VEU_TYPE_UD },
    { .offset = 512, .elements = 128, .type = VEU_TYPE_UD },
    { .offset = 1024, .elements = 128, .type = VEU_TYPE_UD },
    { .offset = 1536, .elements = 128, .type = VEU_TYPE_D },
    { .offset = 2048, .elements = 128, .type = VEU_TYPE_F },
    { .offset = 2560, .elements = 64, .type = VEU_TYPE_UQ },
};

typedef struct Code {
    uint8_t bytes[64];
    uint32_t count;
} Code;

/* A message, its data, and the expected result. */
typedef struct Case {
    const char *text; /* of its row in the vectors */
    bool (*encode)(struct veu_code *code);
    uint8_t simd;
    void (*prepare)(Rig *rig, uint8_t *registers);
    void (*check)(Rig *rig, const uint8_t *registers);
} Case;

static uint32_t *dwords(uint8_t *registers, unsigned id)
{
    return (uint32_t *)(registers + (id - 32) * VARIABLE_BYTES);
}

static const uint32_t *result_dwords(const uint8_t *registers, unsigned id)
{
    return (const uint32_t *)(registers + (id - 32) * VARIABLE_BYTES);
}

static void fill_arena(Rig *r)
{
    uint32_t *arena = (uint32_t *)r->arena;

    for (unsigned i = 0; i < 256; i++) {
        arena[i] = 0xa0000000 + i;
    }
    r->surfaces[0] = veu_surface_raw(r->arena, 100);
}

/* ---- gather.4 (M1, 16) T6 0x0:ud V34.0 V35.0 ---- */

static bool encode_gather(struct veu_code *code)
{
    return veu_encode_gather(code, 4, veu_m(1, 16), T6, veu_ud(0), veu_v(34),
                             veu_v(35));
}

static void prepare_gather(Rig *r, uint8_t *registers)
{
    fill_arena(r);
    for (unsigned i = 0; i < 16; i++) {
        /* 25 elements: lanes 9 to 15 are outside */
        dwords(registers, 34)[i] = 3 * i;
    }
}

static void check_gather(Rig *r, const uint8_t *registers)
{
    for (unsigned i = 0; i < 16; i++) {
        g_assert_cmphex(result_dwords(registers, 35)[i], ==,
                        3 * i < 25 ? 0xa0000000 + 3 * i : 0);
    }
}

/* ---- gather_scaled.4 (M1, 16) T6 0x0:ud V32.32 V33.0 ---- */

static bool encode_gather_scaled(struct veu_code *code)
{
    return veu_encode_gather_scaled(code, VEU_PRED_ALWAYS, 4, veu_m(1, 16), T6,
                                    veu_ud(0), (struct veu_raw){ 32, 32 },
                                    veu_v(33));
}

static void prepare_gather_scaled(Rig *r, uint8_t *registers)
{
    fill_arena(r);
    for (unsigned i = 0; i < 16; i++) {
        dwords(registers, 32)[8 + i] = 7 * i + 1; /* in bytes, not aligned */
    }
}

static void check_gather_scaled(Rig *r, const uint8_t *registers)
{
    for (unsigned i = 0; i < 16; i++) {
        unsigned at = 7 * i + 1;
        uint32_t want = 0;

        if (at + 4 <= 100) {
            memcpy(&want, r->arena + at, 4);
        }
        g_assert_cmphex(result_dwords(registers, 33)[i], ==, want);
    }
}

/* ---- scatter_scaled.4 (M1, 16) T6 0x0:ud V34.0 V35.0 ---- */

static bool encode_scatter_scaled(struct veu_code *code)
{
    return veu_encode_scatter_scaled(code, VEU_PRED_ALWAYS, 4, veu_m(1, 16), T6,
                                     veu_ud(0), veu_v(34), veu_v(35));
}

static void prepare_scatter_scaled(Rig *r, uint8_t *registers)
{
    fill_arena(r);
    for (unsigned i = 0; i < 16; i++) {
        /* 100 bytes: lanes 13 to 15 are outside */
        dwords(registers, 34)[i] = 8 * i;
        dwords(registers, 35)[i] = 0xb0000000 + i;
    }
}

static void check_scatter_scaled(Rig *r, const uint8_t *registers)
{
    const uint32_t *arena = (const uint32_t *)r->arena;

    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmphex(arena[i], ==,
                        i % 2 == 0 && i < 25 ? 0xb0000000 + i / 2 :
                                               0xa0000000 + i);
    }
}

/* ---- scatter4_typed.R (M1, 8) T6 V32.0 V33.0 %null.0 %null.0 V34.0 ---- */

static bool encode_scatter4_typed(struct veu_code *code)
{
    const struct veu_texels texels = { .u = veu_v(32), .v = veu_v(33) };

    return veu_encode_scatter4_typed(code, VEU_PRED_ALWAYS, VEU_CHANNEL_R,
                                     veu_m(1, 8), T6, texels, veu_v(34));
}

static void prepare_scatter4_typed(Rig *r, uint8_t *registers)
{
    fill_arena(r);
    r->surfaces[0] = veu_surface_2d(r->arena, VEU_FORMAT_R8G8B8A8_UINT, 4, 4,
                                    32);
    for (unsigned i = 0; i < 8; i++) {
        dwords(registers, 32)[i] = i % 5; /* index 4 is outside */
        dwords(registers, 33)[i] = i / 2;
        dwords(registers, 34)[i] = 0x10 + i + (i == 7 ? 0x1000 : 0);
    }
}

/* Only red, byte 0, is written, clamped to 255. */
static void check_scatter4_typed(Rig *r, const uint8_t *registers)
{
    static const uint8_t red[8] = {
        0x10, 0x11, 0x12, 0x13, 0, 0x15, 0x16, 0xff
    };
    uint32_t want[64];

    for (unsigned i = 0; i < 64; i++) {
        want[i] = 0xa0000000 + i;
    }
    for (unsigned i = 0; i < 8; i++) {
        if (i % 5 < 4) {
            uint32_t *texel = &want[i / 2 * 8 + i % 5];

            *texel = (*texel & 0xffffff00) | red[i];
        }
    }
    g_assert_cmpmem(r->arena, sizeof(want), want, sizeof(want));
}

/* ---- svm_gather.4.1 (M1, 8) V37.0 V32.0 ---- */

static bool encode_svm_gather(struct veu_code *code)
{
    return veu_encode_svm_gather(code, VEU_PRED_ALWAYS, 4, 1, veu_m(1, 8),
                                 veu_v(37), veu_v(32));
}

static void prepare_svm_gather(Rig *r, uint8_t *registers)
{
    uint64_t *addresses = (uint64_t *)dwords(registers, 37);

    fill_arena(r);
    for (unsigned i = 0; i < 8; i++) {
        addresses[i] = veu_port_device_address(r->arena) + 4 * (100 - i);
    }
}

static void check_svm_gather(Rig *r, const uint8_t *registers)
{
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(result_dwords(registers, 32)[i], ==,
                        0xa0000000 + 100 - i);
    }
}

static const Case cases[] = {
    { "gather.4 (M1, 16) T6 0x0:ud V34.0 V35.0", encode_gather, 16,
      prepare_gather, check_gather },
    { "gather_scaled.4 (M1, 16) T6 0x0:ud V32.32 V33.0", encode_gather_scaled,
      16, prepare_gather_scaled, check_gather_scaled },
    { "scatter_scaled.4 (M1, 16) T6 0x0:ud V34.0 V35.0", encode_scatter_scaled,
      16, prepare_scatter_scaled, check_scatter_scaled },
    { "scatter4_typed.R (M1, 8) T6 V32.0 V33.0 %null.0 %null.0 V34.0",
      encode_scatter4_typed, 8, prepare_scatter4_typed, check_scatter4_typed },
    { "svm_gather.4.1 (M1, 8) V37.0 V32.0", encode_svm_gather, 8,
      prepare_svm_gather, check_svm_gather },
};

/* ---- running them ---- */

/* Both commands have the same payload, surface and result. */
static void set_up_launch(Rig *r, struct veu_launch *launch, const Case *c)
{
    uint8_t *registers = r->payload + sizeof(struct veu_payload_header);

    memset(r->payload, 0, 64 + REGISTER_BYTES);
    memset(r->result, 0x5a, REGISTER_BYTES + 64);
    *(uint32_t *)r->payload = 0xffffffff;
    c->prepare(r, registers);
    launch->simd = c->simd;
    launch->exec_mask = 0xffffffff;
    launch->threads = 1;
    launch->groups = 1;
    veu_launch_payload(launch, r->payload, 64 + REGISTER_BYTES);
    veu_launch_result(launch, r->result, 0, REGISTER_BYTES);
    veu_launch_surfaces(launch, r->surfaces, 1);
}

static void check_launch(Rig *r, const Case *c)
{
    c->check(r, r->result);
    g_assert_cmphex(r->result[REGISTER_BYTES], ==, 0x5a);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_FAULT_COUNT), ==, 0);
}

/* A program by docs/spec.md, without the library's builder. */
static uint32_t write_program(Rig *r, const Code *code)
{
    const uint32_t code_at = 64 + sizeof(variables);
    const struct veu_program_header header = {
        .magic = VEU_PROGRAM_MAGIC,
        .version = 1,
        .bytes = code_at + code->count,
        .grf_bytes = 32,
        .section_count = 2,
        .register_bytes = REGISTER_BYTES,
    };
    const struct veu_section sections[2] = {
        { VEU_SECTION_VARIABLES, 64, sizeof(variables), 0 },
        { VEU_SECTION_CODE, code_at, code->count, 0 },
    };

    memcpy(r->program, &header, sizeof(header));
    memcpy(r->program + 32, sections, sizeof(sections));
    memcpy(r->program + 64, variables, sizeof(variables));
    memcpy(r->program + code_at, code->bytes, code->count);
    return header.bytes;
}

static void run_dispatch(Rig *r, const Case *c, const Code *code)
{
    struct veu_command_dispatch command = {
        .header = { .opcode = VEU_COMMAND_DISPATCH, .slots = 2, .tag = 1 },
    };

    set_up_launch(r, &command.launch, c);
    command.launch.code_address = veu_port_device_address(r->program);
    command.launch.code_bytes = write_program(r, code);
    rig_run(r, &command.header);
    check_launch(r, c);
}

static void run_inline(Rig *r, const Case *c, const Code *code)
{
    struct veu_command_message command = {
        .header = { .opcode = VEU_COMMAND_MESSAGE, .slots = 4, .tag = 1 },
    };

    set_up_launch(r, &command.launch, c);
    command.launch.code_bytes = code->count;
    command.launch.grf_bytes = 32;
    command.launch.variable_count = VARIABLES;
    memcpy(command.variables, variables, sizeof(variables));
    memcpy(command.message, code->bytes, code->count);
    rig_run(r, &command.header);
    check_launch(r, c);
}

static Code encode(const Case *c)
{
    Code code;
    struct veu_code writer;

    veu_code_begin(&writer, code.bytes, sizeof(code.bytes));
    g_assert_true(c->encode(&writer));
    code.count = writer.bytes;
    return code;
}

static void test_dispatch(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Code code = encode(&cases[i]);

        g_test_message("%s", cases[i].text);
        run_dispatch(r, &cases[i], &code);
    }
}

static void test_inline_message(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Code code = encode(&cases[i]);

        g_test_message("%s", cases[i].text);
        run_inline(r, &cases[i], &code);
    }
}

/* ---- the vendor's bytes ---- */

static Code parse_hex(const char *hex)
{
    Code code = { .count = strlen(hex) / 2 };

    g_assert_cmpuint(code.count, <=, sizeof(code.bytes));
    for (uint32_t i = 0; i < code.count; i++) {
        code.bytes[i] = g_ascii_xdigit_value(hex[2 * i]) << 4 |
                        g_ascii_xdigit_value(hex[2 * i + 1]);
    }
    return code;
}

static Code find_vector(char **lines, const char *text)
{
    size_t length = strlen(text);

    for (; *lines; lines++) {
        if (strncmp(*lines, text, length) == 0 && (*lines)[length] == '\t') {
            return parse_hex(g_strchomp(*lines + length + 1));
        }
    }
    g_error("no vector \"%s\"", text);
}

static void test_vectors_of_the_vendor_execute(const char *accel)
{
    g_auto(GStrv) lines = test_data_lines("visa_vectors.tsv");
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Code code = find_vector(lines, cases[i].text);

        g_test_message("%s", cases[i].text);
        run_dispatch(r, &cases[i], &code);
        run_inline(r, &cases[i], &code);
    }
}

/* ---- launches ---- */

/* EU thread i writes its number, from its payload, to element i and result i */
static void test_groups_of_threads(const char *accel)
{
    enum {
        GROUPS = 9,
        THREADS = 33,
        COUNT = GROUPS * THREADS
    };
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_dispatch command;
    struct veu_program p;
    uint32_t bytes;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 64);
    veu_program_variable(&p, VEU_TYPE_UD, 16);
    veu_program_variable(&p, VEU_TYPE_UD, 16);
    veu_encode_scatter_scaled(&p.code, VEU_PRED_ALWAYS, 4, veu_m(1, 1), T6,
                              veu_ud(0), veu_v(32), veu_v(33));
    command = veu_make_dispatch(3, r->program, veu_program_end(&p), 8);
    bytes = veu_payload_bytes(&p);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint8_t *payload = r->payload + i * bytes;

        memset(payload, 0, bytes);
        *(uint32_t *)payload = 1;
        *(uint32_t *)(payload + 64) = 4 * i;
        *(uint32_t *)(payload + 128) = 0x1000 + i;
    }
    r->surfaces[0] = veu_surface_raw(r->arena, 4 * COUNT);
    veu_launch_surfaces(&command.launch, r->surfaces, 1);
    veu_launch_payload(&command.launch, r->payload, bytes);
    veu_launch_result(&command.launch, r->result, 64, 4);
    command.launch.threads = THREADS;
    command.launch.groups = GROUPS;
    rig_start(r);
    rig_run(r, &command.header);
    for (uint32_t i = 0; i < COUNT; i++) {
        g_assert_cmphex(((uint32_t *)r->arena)[i], ==, 0x1000 + i);
        g_assert_cmphex(((uint32_t *)r->result)[i], ==, 0x1000 + i);
    }
}

/* The lanes of a message are in pages of many 2 MiB blocks. */
static void test_lanes_may_be_far_apart(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    const Case *c = &cases[4];
    Code code = encode(c);
    struct veu_command_message command = {
        .header = { .opcode = VEU_COMMAND_MESSAGE, .slots = 4, .tag = 1 },
    };
    uint64_t *addresses = (uint64_t *)(r->payload + 64 + 5 * VARIABLE_BYTES);

    set_up_launch(r, &command.launch, c);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t *word = (uint32_t *)(r->vm->ram + 0x4000000 + i * 0x601000);

        *word = 0xc0000000 + i;
        addresses[i] = veu_port_device_address(word);
    }
    command.launch.code_bytes = code.count;
    command.launch.grf_bytes = 32;
    command.launch.variable_count = VARIABLES;
    memcpy(command.variables, variables, sizeof(variables));
    memcpy(command.message, code.bytes, code.count);
    rig_start(r);
    rig_run(r, &command.header);
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(((uint32_t *)r->result)[i], ==, 0xc0000000 + i);
    }
}

static void run_16_bit_gather(Rig *r)
{
    struct veu_command_dispatch command;
    struct veu_program p;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    veu_program_variable(&p, VEU_TYPE_UD, 8);
    veu_encode_gather(&p.code, 2, veu_m(1, 8), T6, veu_ud(0), veu_v(32),
                      veu_v(32));
    command = veu_make_dispatch(3, r->program, veu_program_end(&p), 8);
    *(uint32_t *)r->arena = 0x12345678;
    r->surfaces[0] = veu_surface_raw(r->arena, 4);
    veu_launch_surfaces(&command.launch, r->surfaces, 1);
    veu_launch_result(&command.launch, r->result, 0, 32);
    rig_start(r);
    rig_run(r, &command.header);
}

static void test_undefined_bytes_are_the_property(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",undefined=0xee");

    run_16_bit_gather(r);
    g_assert_cmphex(*(uint32_t *)r->result, ==, 0xeeee5678);
}

static void test_property_undefined_is_0(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    run_16_bit_gather(r);
    g_assert_cmphex(*(uint32_t *)r->result, ==, 0x5678);
}

/* UD data for a float format: the bits are used unchanged, or refused. */
static void run_wrong_type(Rig *r, bool strict)
{
    const struct veu_texels texels = { .u = veu_v(32) };
    struct veu_command_dispatch command;
    struct veu_program p;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    veu_program_variable(&p, VEU_TYPE_UD, 8);
    veu_encode_scatter4_typed(&p.code, VEU_PRED_ALWAYS, VEU_CHANNEL_R,
                              veu_m(1, 8), T6, texels, veu_v(32));
    command = veu_make_dispatch(3, r->program, veu_program_end(&p), 8);
    r->surfaces[0] = veu_surface_buffer(r->arena, VEU_FORMAT_R32_FLOAT, 4);
    veu_launch_surfaces(&command.launch, r->surfaces, 1);
    *(uint32_t *)r->arena = 0x5555;
    rig_start(r);
    if (strict) {
        rig_run_fault(r, &command.header, VEU_FAULT_REGISTER_TYPE);
    } else {
        rig_run(r, &command.header);
    }
    g_assert_cmphex(*(uint32_t *)r->arena, ==, strict ? 0x5555 : 0);
}

static void test_strict_types_refuses_other_types(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",strict-types=on");

    run_wrong_type(r, true);
}

static void test_types_are_not_strict_by_default(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",check=on");

    run_wrong_type(r, false);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("dispatch", test_dispatch);
    rig_test_add_both("inline-message", test_inline_message);
    rig_test_add_both("vectors-of-the-vendor-execute",
                      test_vectors_of_the_vendor_execute);
    rig_test_add_both("groups-of-threads", test_groups_of_threads);
    rig_test_add("lanes-may-be-far-apart", test_lanes_may_be_far_apart);
    rig_test_add("undefined-bytes-are-the-property",
                 test_undefined_bytes_are_the_property);
    rig_test_add("property-undefined-is-0", test_property_undefined_is_0);
    rig_test_add("strict-types-refuses-other-types",
                 test_strict_types_refuses_other_types);
    rig_test_add("types-are-not-strict-by-default",
                 test_types_are_not_strict_by_default);
    return g_test_run();
}
