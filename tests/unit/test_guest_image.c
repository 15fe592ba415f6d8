/*
 * veu unit tests: the guest library's reader of programs that were built ahead
 * (firmware/lib/veu_image.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <stddef.h>
#include <string.h>
#include "firmware/lib/veu_image.h"

/* A program of instructions, by docs/spec.md, sections 7 and 17. */
typedef struct Program {
    struct veu_program_header header;
    struct veu_section sections[4];
    struct veu_variable variables[2];
    struct veu_predicate predicates[16];
    struct veu_address addresses[2];
    uint8_t code[4];
} Program;

#define SECTION(type_, member)                              \
    {                                                       \
        .type = type_, .offset = offsetof(Program, member), \
        .bytes = sizeof(((Program *)0)->member),            \
    }

static Program make_program(void)
{
    return (Program){
        .header = {
            .magic = VEU_PROGRAM_MAGIC,
            .version = VEU_PROGRAM_VERSION,
            .kind = VEU_PROGRAM_INSTRUCTIONS,
            .bytes = sizeof(Program),
            .grf_bytes = 64,
            .section_count = 4,
            .register_bytes = 320,
        },
        .sections = {
            SECTION(VEU_SECTION_CODE, code),
            SECTION(VEU_SECTION_VARIABLES, variables),
            SECTION(VEU_SECTION_PREDICATES, predicates),
            SECTION(VEU_SECTION_ADDRESSES, addresses),
        },
        .variables = { { .offset = 128, .elements = 16 },
                       { .offset = 192, .elements = 8 } },
        .addresses = { { .elements = 16 }, { .elements = 16 } },
    };
}

static void test_what_a_program_declares_is_read(void)
{
    Program p = make_program();
    struct veu_image image;
    uint8_t *payload = (uint8_t *)&p;

    g_assert_true(veu_image_open(&image, &p, sizeof(p)));
    g_assert_cmpint(image.kind, ==, VEU_PROGRAM_INSTRUCTIONS);
    g_assert_cmpuint(image.bytes, ==, sizeof(p));
    g_assert_cmpuint(image.grf_bytes, ==, 64);
    g_assert_cmpuint(image.variable_count, ==, 2);
    g_assert_cmpuint(veu_image_offset(&image, 32), ==, 128);
    g_assert_cmpuint(veu_image_offset(&image, 33), ==, 192);
    g_assert_cmpuint(veu_image_offset(&image, 31), ==, UINT32_MAX);
    g_assert_cmpuint(veu_image_offset(&image, 34), ==, UINT32_MAX);
    /*
     * 64 bytes, then 16 * 4 + 32 * 2 bytes padded to a multiple of 64, then
     * registers
     */
    g_assert_cmpuint(veu_image_payload_bytes(&image), ==, 64 + 128 + 320);
    g_assert_true(veu_image_registers(&image, payload) == payload + 192);
}

static bool opens_with(uint32_t at, uint32_t bytes, uint32_t value)
{
    Program p = make_program();
    struct veu_image image;

    memcpy((uint8_t *)&p + at, &value, bytes);
    return veu_image_open(&image, &p, sizeof(p));
}

static void test_what_is_no_program_is_refused(void)
{
    const struct {
        uint32_t at;
        uint32_t bytes;
        uint32_t value;
    } wrong[] = {
        { offsetof(Program, header.magic), 4, VEU_PROGRAM_MAGIC + 1 },
        { offsetof(Program, header.version), 2, 2 },
        { offsetof(Program, header.bytes), 4, sizeof(Program) + 1 },
        { offsetof(Program, header.bytes), 4, 32 },
        { offsetof(Program, header.bytes), 4, 32 + 63 },
        { offsetof(Program, header.section_count), 2, 0xffff },
        { offsetof(Program, header.register_bytes), 4,
          VEU_IMAGE_MAX_BYTES + 1 },
        { offsetof(Program, sections[2].offset), 4, sizeof(Program) + 4 },
        { offsetof(Program, sections[2].offset), 4, UINT32_MAX - 3 },
        { offsetof(Program, sections[2].bytes), 4, UINT32_MAX },
        { offsetof(Program, addresses[1].elements), 2, 17 },
    };

    g_assert_true(opens_with(0, 4, VEU_PROGRAM_MAGIC));
    g_assert_true(opens_with(offsetof(Program, header.register_bytes), 4,
                             VEU_IMAGE_MAX_BYTES));
    for (unsigned i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_assert_false(opens_with(wrong[i].at, wrong[i].bytes, wrong[i].value));
    }
}

static void test_a_program_may_have_no_sections(void)
{
    Program p = make_program();
    struct veu_image image;

    p.header.section_count = 0;
    p.header.bytes = sizeof(p.header);
    g_assert_true(veu_image_open(&image, &p, sizeof(p.header)));
    g_assert_cmpuint(veu_image_payload_bytes(&image), ==, 64 + 320);
}

/* A sanitizer or valgrind would report a read past the end of the copy. */
static void test_a_program_that_ends_early_is_refused(void)
{
    Program p = make_program();
    struct veu_image image;

    for (uint32_t bytes = 0; bytes < sizeof(p); bytes++) {
        g_autofree void *copy = g_memdup2(&p, bytes ? bytes : 1);

        g_assert_false(veu_image_open(&image, copy, bytes));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/guest-image/" #name, test_##name)
    RULE(what_a_program_declares_is_read);
    RULE(what_is_no_program_is_refused);
    RULE(a_program_may_have_no_sections);
    RULE(a_program_that_ends_early_is_refused);
#undef RULE
    return g_test_run();
}
