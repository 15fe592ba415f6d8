/*
 * veu tests: include/veu/message.h: what its functions return and write.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Expected codes and bytes are those of docs/spec.md, section 8, "Fields",
 * "Raw operands" and "Scalar operands".
 */
#include <glib.h>
#include <string.h>
#include "veu/message.h"

static void test_sizes(void)
{
    g_assert_cmphex(veu_field_size(1, 4), ==, 0);
    g_assert_cmphex(veu_field_size(2, 4), ==, 1);
    g_assert_cmphex(veu_field_size(4, 4), ==, 2);
    g_assert_cmphex(veu_field_size(16, 16), ==, 4);
    g_assert_cmphex(veu_field_size(8, 4), ==, VEU_FIELD_BAD);
    g_assert_cmphex(veu_field_size(3, 4), ==, VEU_FIELD_BAD);
    g_assert_cmphex(veu_field_size(0, 4), ==, VEU_FIELD_BAD);
    g_assert_cmphex(veu_field_size(UINT32_MAX, UINT32_MAX), ==, VEU_FIELD_BAD);
}

static void test_lanes_and_masks(void)
{
    g_assert_cmphex(veu_field_exec_size(1, 1, 0), ==, 0x00);
    g_assert_cmphex(veu_field_exec_size(32, 1, 0), ==, 0x05);
    g_assert_cmphex(veu_field_exec_size(8, 5, 1), ==, 0xc3);
    g_assert_cmphex(veu_field_exec_size(16, 8, 0), ==, 0x74);
    g_assert_cmphex(veu_field_exec_size(64, 1, 0), ==, VEU_FIELD_BAD);
    g_assert_cmphex(veu_field_exec_size(8, 0, 0), ==, VEU_FIELD_BAD);
    g_assert_cmphex(veu_field_exec_size(8, 9, 0), ==, VEU_FIELD_BAD);
    g_assert_cmphex(veu_field_num_elts(8, 1, 0), ==, 0x00);
    g_assert_cmphex(veu_field_num_elts(16, 5, 0), ==, 0x41);
    g_assert_cmphex(veu_field_num_elts(1, 1, 1), ==, 0x82);
    g_assert_cmphex(veu_field_num_elts(4, 1, 0), ==, VEU_FIELD_BAD);
    g_assert_cmphex(veu_field_num_elts(8, 9, 0), ==, VEU_FIELD_BAD);
}

static void test_other_fields(void)
{
    g_assert_cmphex(veu_field_channels(VEU_CHANNEL_RGBA), ==, 15);
    g_assert_cmphex(veu_field_channels(0), ==, VEU_FIELD_BAD);
    g_assert_cmphex(veu_field_channels(16), ==, VEU_FIELD_BAD);
    g_assert_cmphex(veu_field_svm_block_size(1), ==, 0);
    g_assert_cmphex(veu_field_svm_block_size(4), ==, 1);
    g_assert_cmphex(veu_field_svm_block_size(8), ==, 2);
    g_assert_cmphex(veu_field_svm_block_size(2), ==, VEU_FIELD_BAD);
    g_assert_cmphex(veu_field_atomic(VEU_ATOMIC_FSUB, 32), ==, 0x14);
    g_assert_cmphex(veu_field_atomic(VEU_ATOMIC_ADD, 16), ==, 0x20);
    g_assert_cmphex(veu_field_atomic(VEU_ATOMIC_CMPXCHG, 64), ==, 0x47);
    g_assert_cmphex(veu_field_atomic(VEU_ATOMIC_ADD, 8), ==, VEU_FIELD_BAD);
    g_assert_cmpuint(veu_block_pitch(1), ==, 4);
    g_assert_cmpuint(veu_block_pitch(5), ==, 8);
    g_assert_cmpuint(veu_block_pitch(64), ==, 64);
}

#define CHECK_BYTES(from, end, ...)                               \
    do {                                                          \
        static const uint8_t expected[] = { __VA_ARGS__ };        \
        size_t bytes = (end) - (from);                            \
                                                                  \
        g_assert_cmpmem(from, bytes, expected, sizeof(expected)); \
    } while (0)

static void test_operands(void)
{
    uint8_t at[VEU_OPERAND_SCALAR_BYTES];

    CHECK_BYTES(at, veu_operand_raw(at, 0x12345678, 0x40), 0x78, 0x56, 0x34,
                0x12, 0x40, 0);
    CHECK_BYTES(at, veu_operand_general(at, 33, 2, 7), 0, 33, 0, 0, 0, 2, 7,
                0x21, 0x01);
    CHECK_BYTES(at, veu_operand_immediate(at, VEU_TYPE_UW, 0x1234), 5, 2, 0x34,
                0x12, 0, 0);
    CHECK_BYTES(at, veu_operand_immediate(at, VEU_TYPE_UQ, 0x123456789a), 5, 11,
                0x9a, 0x78, 0x56, 0x34, 0x12, 0, 0, 0);
    CHECK_BYTES(at, veu_operand_indirect(at, 1, 2, -16, VEU_TYPE_UD), 3, 1, 0,
                2, 0xf0, 0xff, 0, 0x21, 0x01);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/message-header/sizes", test_sizes);
    g_test_add_func("/message-header/lanes_and_masks", test_lanes_and_masks);
    g_test_add_func("/message-header/other_fields", test_other_fields);
    g_test_add_func("/message-header/operands", test_operands);
    return g_test_run();
}
