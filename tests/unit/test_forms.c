/*
 * veu unit tests: legal forms: semantics.md, section 2, and spec.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

/* Runs the body for all kinds that have @field. */
#define FOR_EACH_KIND_WITH(kind, field)                \
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) \
        if (test_kind_has(kind, TEST_FIELD_##field))

/* The offset of a field, with immediates of 6 bytes. */
static uint32_t field_at(TestKind kind, TestField field)
{
    TestMessage m = eu_message(kind);

    return test_encode(&m).at[field];
}

static uint32_t size_at(TestKind kind)
{
    return field_at(kind, test_kind_has(kind, TEST_FIELD_EXEC) ?
                              TEST_FIELD_EXEC :
                              TEST_FIELD_NUM_ELTS);
}

static void set_size(TestMessage *m, uint8_t byte)
{
    m->exec = byte;
    m->num_elts = byte;
}

/* Legal lanes: semantics.md, section 2, and spec.md. */
static const struct {
    TestKind kind;
    unsigned min;
    unsigned max;
} lane_rules[] = {
    { TEST_GATHER, 1, 16 },
    { TEST_SCATTER, 1, 16 },
    { TEST_GATHER_SCALED, 1, 32 },
    { TEST_SCATTER_SCALED, 1, 32 },
    { TEST_GATHER4_SCALED, 1, 16 },
    { TEST_SCATTER4_SCALED, 1, 16 },
    { TEST_SVM_GATHER4_SCALED, 8, 16 },
    { TEST_SVM_SCATTER4_SCALED, 8, 16 },
    { TEST_GATHER4_TYPED, 8, 16 },
    { TEST_SCATTER4_TYPED, 8, 16 },
    { TEST_TYPED_ATOMIC, 8, 16 },
    { TEST_SVM_GATHER, 1, 16 },
    { TEST_SVM_SCATTER, 1, 16 },
    { TEST_DWORD_ATOMIC, 1, 16 },
    { TEST_SVM_ATOMIC, 1, 8 },
    { TEST_QW_GATHER, 1, 16 },
    { TEST_QW_SCATTER, 1, 16 },
};

/* The number of lanes that a size code means, or 0 if the code is illegal. */
static unsigned lanes_of(unsigned rule, unsigned code)
{
    static const uint8_t num_elts[16] = { 8, 16, 1 };
    static const uint8_t exec[16] = { 1, 2, 4, 8, 16, 32 };
    unsigned lanes = test_kind_has(lane_rules[rule].kind, TEST_FIELD_EXEC) ?
                         exec[code] :
                         num_elts[code];

    return lanes >= lane_rules[rule].min && lanes <= lane_rules[rule].max ?
               lanes :
               0;
}

static const char *masks_of(unsigned lanes)
{
    return lanes == 32 ? "1" :
           lanes == 16 ? "15" :
           lanes == 8  ? "1357" :
                         "12345678";
}

static void check_size_byte(EuFixture *eu, unsigned rule, unsigned byte)
{
    TestKind kind = lane_rules[rule].kind;
    TestMessage m = eu_message(kind);
    unsigned lanes = lanes_of(rule, byte & 0xf);
    unsigned number = (byte >> 4 & 7) + 1;

    set_size(&m, byte);
    if (!lanes || !strchr(masks_of(lanes), '0' + number)) {
        eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD, size_at(kind));
    } else if ((number - 1) * 4 + lanes > eu->simd) {
        eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_LANES, size_at(kind));
    } else {
        eu_assert_legal(eu, &m);
    }
}

/* Tests all 256 values of the byte, for every SIMD size. */
static void test_sizes_and_mask_offsets(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (eu->simd = 8; eu->simd <= 32; eu->simd *= 2) {
        for (unsigned i = 0; i < G_N_ELEMENTS(lane_rules); i++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                check_size_byte(eu, i, byte);
            }
        }
    }
}

static void test_gather_has_1_8_or_16_elements(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    static const struct {
        uint8_t code;
        unsigned lanes;
    } sizes[] = { { 0, 8 }, { 1, 16 }, { 2, 1 } };
    TestMessage m = eu_message(TEST_GATHER);

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        m.num_elts = sizes[i].code;
        memset(eu->registers + EU_DATA_AT, 0xee, 256);
        g_assert_true(eu_run(eu, &m));
        for (unsigned lane = 0; lane < 32; lane++) {
            g_assert_cmphex(eu_get32(eu, EU_DATA_AT, lane), ==,
                            lane < sizes[i].lanes ? 0 : 0xeeeeeeee);
        }
    }
    m.num_elts = 3;
    eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD, 3);
}

static void test_scale_is_ignored(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_KIND_WITH(kind, SCALE)
    {
        TestMessage m = eu_message(kind);

        for (unsigned bit = 0; bit < 16; bit++) {
            m.scale = 1u << bit;
            eu_assert_legal(eu, &m);
        }
        m.scale = 0xffff;
        eu_assert_legal(eu, &m);
    }
    /* and is ignored: byte 4 is read, not byte 4 << scale */
    TestMessage m = eu_message(TEST_GATHER_SCALED);
    m.scale = 3;
    eu_set32(eu, EU_OFFSETS_AT, 1, 4);
    test_memory_put32(&eu->memory, EU_RAM + 4, 0x12345678);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 1), ==, 0x12345678);
}

static void test_svm_block_size_2_and_3_are_8_bytes(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SVM_GATHER);

    for (unsigned i = 0; i < 8; i++) {
        eu_set64(eu, EU_ADDRESSES_AT, i, EU_RAM + 8 * i);
    }
    test_memory_put64(&eu->memory, EU_RAM + 56, 0x1122334455667788);
    for (m.block_size = 2; m.block_size <= 3; m.block_size++) {
        eu_set64(eu, EU_DATA_AT, 7, 0);
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(eu_get64(eu, EU_DATA_AT, 7), ==, 0x1122334455667788);
    }
}

static void test_svm_8_blocks_are_of_4_or_1_bytes_and_8_lanes(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SVM_GATHER);

    m.num_blocks = 3;
    for (unsigned n = TEST_LANES_1; n <= TEST_LANES_16 + 5; n++) {
        unsigned size = n % 5;

        m.kind = n < 5 ? TEST_SVM_GATHER : TEST_SVM_SCATTER;
        for (m.block_size = 0; m.block_size < 3; m.block_size++) {
            m.exec = size;
            if (size == TEST_LANES_8 && m.block_size < 2) {
                eu_assert_legal(eu, &m);
            } else {
                eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD, 6);
            }
        }
    }
}

static void check_pred(EuFixture *eu, uint16_t pred, uint16_t code)
{
    FOR_EACH_KIND_WITH(kind, PRED)
    {
        TestMessage m = eu_message(kind);

        m.pred = pred;
        if (code) {
            eu_assert_refused(eu, &m, code, field_at(kind, TEST_FIELD_PRED));
        } else {
            eu_assert_legal(eu, &m);
        }
    }
}

static void test_predicate_control_that_is_legal(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    static const uint16_t legal[] = { 0x0000, 0x0001, 0x8001, 0x2001,
                                      0x4001, 0xa001, 0xc001 };

    for (unsigned i = 0; i < G_N_ELEMENTS(legal); i++) {
        check_pred(eu, legal[i], 0);
    }
}

static void test_predicate_bit_12_is_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    check_pred(eu, 0x1001, VEU_FAULT_MESSAGE_FIELD);
    check_pred(eu, 0x1000, VEU_FAULT_MESSAGE_FIELD);
}

static void test_predicate_combine_3_is_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    check_pred(eu, 0x6001, VEU_FAULT_MESSAGE_FIELD);
    check_pred(eu, 0xe001, VEU_FAULT_MESSAGE_FIELD);
}

static void test_predicate_id_0_with_other_bits_is_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    check_pred(eu, 0x8000, VEU_FAULT_MESSAGE_FIELD);
    check_pred(eu, 0x2000, VEU_FAULT_MESSAGE_FIELD);
    check_pred(eu, 0x4000, VEU_FAULT_MESSAGE_FIELD);
}

static void test_predicate_has_to_be_declared(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    check_pred(eu, 0x0002, VEU_FAULT_MESSAGE_PREDICATE);
    check_pred(eu, 0x0fff, VEU_FAULT_MESSAGE_PREDICATE);
    eu_predicate(eu, 8, 0);
    check_pred(eu, 0x0002, 0);
}

/* Mask offset + lanes exceed the predicate variable. */
static void test_predicate_has_to_be_wide_enough(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu_predicate(eu, 16, 0);
    FOR_EACH_KIND_WITH(kind, PRED)
    {
        TestMessage m = eu_message(kind);

        m.pred = 2;
        m.exec = TEST_LANES_8 | TEST_M(3); /* lanes 8 to 15 */
        eu_assert_legal(eu, &m);
        m.exec = TEST_LANES_8 | TEST_M_NM(3);
        eu_assert_legal(eu, &m);
        m.exec = TEST_LANES_8 | TEST_M(5); /* lanes 16 to 23 */
        eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_PREDICATE,
                          field_at(kind, TEST_FIELD_PRED));
        m.exec = TEST_LANES_8 | TEST_M_NM(5);
        eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_PREDICATE,
                          field_at(kind, TEST_FIELD_PRED));
        if (kind == TEST_SVM_ATOMIC) {
            continue; /* has at most 8 lanes */
        }
        m.exec = TEST_LANES_16 | TEST_M(5);
        eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_PREDICATE,
                          field_at(kind, TEST_FIELD_PRED));
    }
}

/* Returns true if there is a message with this opcode and sub-opcode. */
static bool exists(unsigned opcode, unsigned sub)
{
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        if (test_layouts[kind].opcode == opcode &&
            test_layouts[kind].sub == sub) {
            return true;
        }
    }
    return false;
}

static void test_unknown_opcodes_are_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned opcode = 0; opcode < 0x10000; opcode++) {
        uint8_t bytes[64] = { opcode & 0xff, opcode >> 8 };

        if (!exists(bytes[0], bytes[0] == 0x4e ? bytes[1] : 0)) {
            g_assert_false(eu_decode_bytes(eu, bytes, sizeof(bytes)));
            g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_MESSAGE_OPCODE);
            g_assert_cmpuint(eu->fault.detail, ==, 0);
        }
    }
}

static void test_a_message_that_ends_early_is_truncated(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        TestMessage m = eu_message(kind);
        TestCode code = test_encode(&m);

        for (uint32_t count = code.bytes[0] == 0x4e ? 2 : 1; count < code.count;
             count++) {
            g_assert_false(eu_decode_bytes(eu, code.bytes, count));
            g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_MESSAGE_TRUNCATED);
            g_assert_cmpuint(eu->fault.detail, ==, count);
        }
    }
}

/* The opcode of SVM messages has two bytes. */
static void test_a_message_that_ends_in_its_opcode_is_truncated(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint8_t opcode = 0x4e;

    g_assert_false(eu_decode_bytes(eu, &opcode, 1));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_MESSAGE_TRUNCATED);
}

/* The bytes after a message belong to the next one. */
static void test_a_message_ends_where_its_page_says(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    /* counted by hand from encoding.md, section 3, with 6-byte immediates */
    static const uint32_t bytes[TEST_KINDS] = {
        [TEST_GATHER] = 23,
        [TEST_SCATTER] = 22,
        [TEST_GATHER_SCALED] = 27,
        [TEST_SCATTER_SCALED] = 27,
        [TEST_GATHER4_SCALED] = 26,
        [TEST_SCATTER4_SCALED] = 26,
        [TEST_GATHER4_TYPED] = 36,
        [TEST_SCATTER4_TYPED] = 36,
        [TEST_SVM_BLOCK_LD] = 15,
        [TEST_SVM_BLOCK_ST] = 15,
        [TEST_SVM_GATHER] = 19,
        [TEST_SVM_SCATTER] = 19,
        [TEST_SVM_ATOMIC] = 30,
        [TEST_SVM_GATHER4_SCALED] = 26,
        [TEST_SVM_SCATTER4_SCALED] = 26,
        [TEST_DWORD_ATOMIC] = 30,
        [TEST_TYPED_ATOMIC] = 48,
        [TEST_OWORD_LD] = 16,
        [TEST_OWORD_LD_UNALIGNED] = 16,
        [TEST_OWORD_ST] = 15,
        [TEST_MEDIA_LD] = 24,
        [TEST_MEDIA_ST] = 24,
        [TEST_QW_GATHER] = 18,
        [TEST_QW_SCATTER] = 18,
        [TEST_FENCE] = 2,
    };

    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        TestMessage m = eu_message(kind);
        TestCode code = test_encode(&m);
        uint8_t more[96];

        g_assert_cmpuint(code.count, ==, bytes[kind]);
        memset(more, 0xff, sizeof(more));
        memcpy(more, code.bytes, code.count);
        g_assert_true(eu_decode_bytes(eu, more, sizeof(more)));
        g_assert_cmpuint(eu->next, ==, bytes[kind]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/forms/" #name, test_##name)
    RULE(sizes_and_mask_offsets);
    RULE(gather_has_1_8_or_16_elements);
    RULE(scale_is_ignored);
    RULE(svm_block_size_2_and_3_are_8_bytes);
    RULE(svm_8_blocks_are_of_4_or_1_bytes_and_8_lanes);
    RULE(predicate_control_that_is_legal);
    RULE(predicate_bit_12_is_refused);
    RULE(predicate_combine_3_is_refused);
    RULE(predicate_id_0_with_other_bits_is_refused);
    RULE(predicate_has_to_be_declared);
    RULE(predicate_has_to_be_wide_enough);
    RULE(unknown_opcodes_are_refused);
    RULE(a_message_that_ends_early_is_truncated);
    RULE(a_message_that_ends_in_its_opcode_is_truncated);
    RULE(a_message_ends_where_its_page_says);
#undef RULE
    return g_test_run();
}
