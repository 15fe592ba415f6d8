/*
 * veu unit tests: what drivers rely on, and the text states in one sentence:
 * docs/spec.md, sections 6.1, 7.5, 8, 8.6 and 10.1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "launch.h"

/* The detail is 0; the record has the offset of the first message too many. */
static void test_one_message_too_many_is_named_and_not_decoded(void)
{
    enum {
        CODE = 48,
        FENCE_BYTES = 2,
    };
    const uint32_t limit = VEU_LIMIT_MESSAGES;
    const uint32_t bytes = CODE + limit * FENCE_BYTES + 1;
    g_autofree uint8_t *program = g_malloc0(bytes);
    struct veu_program_header header = { .magic = VEU_PROGRAM_MAGIC,
                                         .version = 1,
                                         .bytes = bytes,
                                         .grf_bytes = 32,
                                         .section_count = 1 };
    struct veu_section section = { VEU_SECTION_CODE, CODE, bytes - CODE, 0 };
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch c = dev_dispatch(d);

    memcpy(program, &header, sizeof(header));
    memcpy(program + sizeof(header), &section, sizeof(section));
    for (uint32_t i = 0; i < limit; i++) {
        program[CODE + i * FENCE_BYTES] = 0x5c;
    }
    program[bytes - 1] = 0xff; /* no message begins with this byte */
    test_memory_put(&d->host.memory, DEV_PROGRAM, program, bytes);
    c.launch.code_bytes = bytes;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_MESSAGES, 0);
    g_assert_cmpuint(dev_record(d, 0).message_offset, ==, limit * FENCE_BYTES);
    g_assert_cmphex(dev_record(d, 0).message_opcode, ==, 0xff);
}

/* The table of two sections ends at 64. */
static void test_a_section_table_ends_within_the_program(void)
{
    struct veu_program_header header = { .magic = VEU_PROGRAM_MAGIC,
                                         .version = 1,
                                         .bytes = 63,
                                         .grf_bytes = 32,
                                         .section_count = 2 };
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch c = dev_dispatch(d);

    test_memory_put(&d->host.memory, DEV_PROGRAM, &header, sizeof(header));
    c.launch.code_bytes = header.bytes;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_FIELD, 14);
}

/*
 * With (M3, 8), lane 2 uses bit 10 of the masks, and is lane 2 in the record.
 */
static void test_lanes_of_a_record_do_not_count_the_mask_offset(void)
{
    g_autoptr(Dev) d = fixture();
    uint32_t addresses = test_program_variable(&d->program, 0, 8, VEU_TYPE_UQ);
    uint32_t data = test_program_variable(&d->program, 64, 8, VEU_TYPE_UD);
    TestMessage m = { .kind = TEST_SVM_GATHER,
                      .exec = TEST_LANES_8 | TEST_M(3),
                      .block_size = 1,
                      .address = { addresses, 0 },
                      .data = { data, 0 } };
    struct veu_command_dispatch c;

    test_program_add(&d->program, &m);
    c = dev_dispatch(d);
    c.launch.simd = 16;
    c.launch.exec_mask = 0x0c00; /* lanes 2 and 3 of the message */
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, 0);
    g_assert_cmpuint(dev_record(d, 0).lane, ==, 2);
    g_assert_cmphex(dev_record(d, 0).lanes, ==, 0xc);
}

/*
 * An oword_ld counts as one lane in records and counters, whatever the mask is.
 */
static void test_a_message_without_lanes_is_one_lane(void)
{
    g_autoptr(Dev) d = fixture();
    uint32_t data = test_program_variable(&d->program, 0, 4, VEU_TYPE_UD);
    TestMessage m = { .kind = TEST_OWORD_LD,
                      .surface = 5,
                      .offset = test_immediate(0),
                      .data = { data, 0 } };
    struct veu_command_dispatch c;

    test_program_add(&d->program, &m);
    c = dev_dispatch(d);
    c.launch.exec_mask = 0;
    c.launch.stateless_base = DEV_DATA;
    c.launch.stateless_bytes = 16;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_LANES), ==, 1);
    c.launch.stateless_base = DEV_HOLE;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, 0);
    g_assert_cmpuint(dev_record(d, 0).lane, ==, 0);
    g_assert_cmphex(dev_record(d, 0).lanes, ==, 1);
}

/* 16 owords require surface 0: Surface is checked, and Size is named. */
static void test_detail_names_size_where_16_owords_do_not_fit(void)
{
    g_autoptr(Dev) d = fixture();
    uint32_t data = test_program_variable(&d->program, 0, 64, VEU_TYPE_UD);
    TestMessage m = { .kind = TEST_OWORD_LD,
                      .size = 4,
                      .surface = 5,
                      .offset = test_immediate(0),
                      .data = { data, 0 } };
    struct veu_command_dispatch c;

    test_program_add(&d->program, &m);
    c = dev_dispatch(d);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_MESSAGE_FIELD, 1);
}

/* If a block is too high for its width, Block_height is named. */
static void test_detail_names_the_later_of_two_fields(void)
{
    g_autoptr(Dev) d = fixture();
    uint32_t data = test_program_variable(&d->program, 0, 64, VEU_TYPE_UD);
    TestMessage m = { .kind = TEST_MEDIA_LD,
                      .surface = 6,
                      .width = 33,
                      .height = 5,
                      .offset = test_immediate(0),
                      .y = test_immediate(0),
                      .data = { data, 0 } };
    struct veu_command_dispatch c;

    test_program_add(&d->program, &m);
    c = dev_dispatch(d);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_MESSAGE_FIELD, 5);
}

#define RULE(name) g_test_add_func("/details/" #name, test_##name)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    RULE(one_message_too_many_is_named_and_not_decoded);
    RULE(a_section_table_ends_within_the_program);
    RULE(lanes_of_a_record_do_not_count_the_mask_offset);
    RULE(a_message_without_lanes_is_one_lane);
    RULE(detail_names_size_where_16_owords_do_not_fit);
    RULE(detail_names_the_later_of_two_fields);
    return g_test_run();
}
