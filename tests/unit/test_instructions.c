/*
 * veu unit tests: the instruction table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include <glib.h>
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/instruction/encoding.h"
#include "hw/veu/eu/message/message.h"

static void test_no_two_rows_have_one_encoding(void)
{
    for (unsigned i = 0; i < veu_instruction_count; i++) {
        const VeuInstructionInfo *info = &veu_instructions[i];
        uint8_t code[2] = { info->opcode, info->sub };

        g_assert_true(veu_instruction_find(code, 2) == info);
        g_assert_null(veu_message_find(code, 2));
    }
}

static void assert_complete(const VeuInstructionInfo *info)
{
    unsigned sources = 0;
    bool has_dst = veu_instruction_has(info, VEU_IFIELD_DST);

    for (const uint8_t *f = info->fields; *f != VEU_IFIELD_END; f++) {
        g_assert_nonnull(veu_instruction_fields[*f].name);
        sources += *f >= VEU_IFIELD_SRC0 && *f <= VEU_IFIELD_SRC3;
    }
    g_assert_cmpuint(info->cost, >, 0);
    g_assert_true(has_dst == !!info->signatures);
    for (const VeuSignature *s = info->signatures; s && s->dst; s++) {
        for (unsigned i = 0; i < VEU_MAX_SOURCES; i++) {
            g_assert_true((i < sources) == !!s->src[i]);
        }
    }
}

static void test_rows_are_complete(void)
{
    for (unsigned i = 0; i < veu_instruction_count; i++) {
        const VeuInstructionInfo *info = &veu_instructions[i];
        size_t end = strlen(info->summary);

        g_assert_cmpint(info->summary[end - 1], ==, '.');
        g_assert_nonnull(info->page);
        if (!info->listed) {
            assert_complete(info);
        }
    }
}

/* Bytes as compilers write them, field by field from the vendor's pages. */
static void test_bytes_become_fields_and_bytes_again(void)
{
    /*
     * (!P2) cmp has no predicate; this is a mad with one and with all operands
     */
    static const uint8_t code[] = {
        0x0c, 0x14, 0x02, 0x80,                               /* (M2, 16) */
        0x20, 0x21, 0x00, 0x00, 0x00, 0x01, 0x03, 0x00, 0x02, /* .sat V33 */
        0x10, 0x22, 0x00, 0x00, 0x00, 0x00, 0x00, 0x21, 0x01, /* (-)V34 */
        0x03, 0x01, 0x00, 0x02, 0xf0, 0xff, 0x07, 0x20, 0x01, /* r[A1(2)] */
        0x05, 0x07, 0x00, 0x00, 0x80, 0x3f,                   /* 1.0:f */
    };
    uint8_t again[VEU_INSTRUCTION_MAX_BYTES];
    VeuInstructionEncoding e;
    VeuFault fault;
    const VeuEncodedVector *dst = &e.field[VEU_IFIELD_DST].vector;
    const VeuEncodedVector *src1 = &e.field[VEU_IFIELD_SRC1].vector;

    g_assert_true(veu_instruction_parse(veu_instruction_find(code, 1), code,
                                        sizeof(code), &e, &fault));
    g_assert_cmpuint(e.bytes, ==, sizeof(code));
    g_assert_cmpuint(e.field[VEU_IFIELD_PRED].number, ==, 0x8002);
    g_assert_cmpuint(dst->modifier, ==, VEU_MODIFIER_SAT);
    g_assert_cmpuint(dst->id, ==, 33);
    g_assert_cmpuint(dst->row, ==, 1);
    g_assert_cmpuint(dst->column, ==, 3);
    g_assert_cmpuint(src1->class, ==, VEU_OPERAND_INDIRECT);
    g_assert_cmpint(src1->add_byte, ==, -16);
    g_assert_cmpuint(src1->type, ==, VEU_TYPE_F);
    g_assert_cmpuint(veu_instruction_write(&e, again), ==, sizeof(code));
    g_assert_true(!memcmp(again, code, sizeof(code)));
    for (uint32_t bytes = 1; bytes < sizeof(code); bytes++) {
        g_assert_false(veu_instruction_parse(e.info, code, bytes, &e, &fault));
        g_assert_cmpuint(fault.code, ==, VEU_FAULT_MESSAGE_TRUNCATED);
    }
}

/* Counts of a program must end where decoding it does. */
static void test_lengths_are_those_of_parsed_instructions(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(23);

    for (unsigned n = 0; n < 100000; n++) {
        uint32_t bytes = g_rand_int_range(rand, 1, VEU_INSTRUCTION_MAX_BYTES);
        g_autofree uint8_t *code = g_malloc(bytes);
        const VeuInstructionInfo *info;
        VeuInstructionEncoding e = { 0 };
        VeuFault fault;

        for (uint32_t i = 0; i < bytes; i++) {
            code[i] = g_rand_int(rand);
        }
        info = veu_instruction_find(code, bytes);
        if (info) {
            bool parsed = veu_instruction_parse(info, code, bytes, &e, &fault);

            g_assert_cmpuint(veu_instruction_length(info, code, bytes), ==,
                             parsed ? e.bytes : 0);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/instructions/no_two_rows_have_one_encoding",
                    test_no_two_rows_have_one_encoding);
    g_test_add_func("/instructions/rows_are_complete", test_rows_are_complete);
    g_test_add_func("/instructions/bytes_become_fields_and_bytes_again",
                    test_bytes_become_fields_and_bytes_again);
    g_test_add_func("/instructions/lengths_are_those_of_parsed_instructions",
                    test_lengths_are_those_of_parsed_instructions);
    return g_test_run();
}
