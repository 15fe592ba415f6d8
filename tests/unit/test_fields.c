/*
 * veu unit tests: the values of each field: semantics.md, section 2, and the
 * vendor's pages. The tests try all 256 values of every one-byte field.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/eu_fixture.h"

typedef bool IsLegal(unsigned value);

static bool any(unsigned value)
{
    return true;
}

static bool below_3(unsigned value)
{
    return value < 3;
}

static bool below_4(unsigned value)
{
    return value < 4;
}

static bool below_5(unsigned value)
{
    return value < 5;
}

static bool below_6(unsigned value)
{
    return value < 6;
}

static bool only_0(unsigned value)
{
    return value == 0;
}

static bool from_1_to_15(unsigned value)
{
    return value >= 1 && value <= 15;
}

static bool from_1_to_64(unsigned value)
{
    return value >= 1 && value <= 64;
}

/* Legal values: no field, top field, bottom field. */
static bool store_mode(unsigned value)
{
    return value == 0 || value == 2 || value == 3;
}

/* Bits 0 to 2 give the size; bits 3 and 7 both mean unaligned. */
static bool svm_properties(unsigned value)
{
    return (value & 0x77) < 4;
}

/*
 * Every value is either legal for the kind, or refused because of that field.
 */
static void check(TestKind kind, TestField field, IsLegal *is_legal,
                  const TestMessage *like)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned value = 0; value < 256; value++) {
        TestMessage m = *like;

        *(uint8_t *)test_field(&m, field) = value;
        if (is_legal(value)) {
            eu_assert_legal(eu, &m);
        } else {
            eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD,
                              test_encode(&m).at[field]);
        }
    }
}

typedef struct Rule {
    TestKind kind;
    IsLegal *is_legal;
} Rule;

/* @rules ends with a row that has no function. */
static void check_rules(TestField field, const Rule *rules)
{
    unsigned count = 0;
    unsigned kinds = 0;

    for (const Rule *rule = rules; rule->is_legal; rule++, count++) {
        TestMessage m = eu_message(rule->kind);

        check(rule->kind, field, rule->is_legal, &m);
    }
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        kinds += test_kind_has(kind, field);
    }
    g_assert_cmpuint(count, ==, kinds); /* no kind is missing */
}

static void test_elt_size(void)
{
    check_rules(TEST_FIELD_ELT_SIZE, (Rule[]){ { TEST_GATHER, below_3 },
                                               { TEST_SCATTER, below_3 },
                                               { 0, NULL } });
}

static void test_is_modified_is_ignored(void)
{
    check_rules(TEST_FIELD_IS_MODIFIED,
                (Rule[]){ { TEST_GATHER, any },
                          { TEST_OWORD_LD, any },
                          { TEST_OWORD_LD_UNALIGNED, any },
                          { 0, NULL } });
}

/* QW messages have 1 block; the others have 1, 2, 4 or 8. */
static void test_num_blocks(void)
{
    check_rules(TEST_FIELD_NUM_BLOCKS,
                (Rule[]){ { TEST_GATHER_SCALED, below_3 },
                          { TEST_SCATTER_SCALED, below_3 },
                          { TEST_SVM_GATHER, below_4 },
                          { TEST_SVM_SCATTER, below_4 },
                          { TEST_QW_GATHER, only_0 },
                          { TEST_QW_SCATTER, only_0 },
                          { 0, NULL } });
}

/* "GATHER takes both [0b10 and 0b11] as 8, SCATTER only 0b10". */
static void test_block_size(void)
{
    check_rules(TEST_FIELD_BLOCK_SIZE, (Rule[]){ { TEST_GATHER_SCALED, any },
                                                 { TEST_SCATTER_SCALED, any },
                                                 { TEST_SVM_GATHER, below_4 },
                                                 { TEST_SVM_SCATTER, below_3 },
                                                 { 0, NULL } });
}

static void test_channels_0_and_the_upper_nibble_are_refused(void)
{
    check_rules(TEST_FIELD_CHANNELS,
                (Rule[]){ { TEST_GATHER4_TYPED, from_1_to_15 },
                          { TEST_SCATTER4_TYPED, from_1_to_15 },
                          { TEST_GATHER4_SCALED, from_1_to_15 },
                          { TEST_SCATTER4_SCALED, from_1_to_15 },
                          { TEST_SVM_GATHER4_SCALED, from_1_to_15 },
                          { TEST_SVM_SCATTER4_SCALED, from_1_to_15 },
                          { 0, NULL } });
}

/* The launch determines which surfaces exist. */
static void test_any_surface(void)
{
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        TestMessage m = eu_message(kind);

        if (test_kind_has(kind, TEST_FIELD_SURFACE)) {
            check(kind, TEST_FIELD_SURFACE, any, &m);
        }
    }
}

/* Blocks have 1 to 8 owords. */
static void test_owords(void)
{
    check_rules(TEST_FIELD_SIZE,
                (Rule[]){ { TEST_OWORD_LD, below_4 },
                          { TEST_OWORD_LD_UNALIGNED, below_4 },
                          { TEST_OWORD_ST, below_4 },
                          { TEST_SVM_BLOCK_LD, svm_properties },
                          { TEST_SVM_BLOCK_ST, svm_properties },
                          { 0, NULL } });
}

/* "16 owords may only be used when the surface is T0". */
static void test_16_owords_are_of_slm(void)
{
    static const TestKind kinds[] = { TEST_OWORD_LD, TEST_OWORD_LD_UNALIGNED,
                                      TEST_OWORD_ST };

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        TestMessage m = eu_message(kinds[i]);

        m.surface = 0;
        check(kinds[i], TEST_FIELD_SIZE, below_5, &m);
    }
}

static void test_media_modifiers(void)
{
    check_rules(TEST_FIELD_MODE, (Rule[]){ { TEST_MEDIA_LD, below_6 },
                                           { TEST_MEDIA_ST, store_mode },
                                           { 0, NULL } });
}

static void test_media_planes(void)
{
    check_rules(TEST_FIELD_PLANE, (Rule[]){ { TEST_MEDIA_LD, below_4 },
                                            { TEST_MEDIA_ST, below_4 },
                                            { 0, NULL } });
}

static void test_media_widths(void)
{
    check_rules(TEST_FIELD_WIDTH, (Rule[]){ { TEST_MEDIA_LD, from_1_to_64 },
                                            { TEST_MEDIA_ST, from_1_to_64 },
                                            { 0, NULL } });
}

/* "Legal width/height combination": the maximum height for each width. */
static void test_media_heights(void)
{
    static const struct {
        unsigned first;
        unsigned last;
        unsigned height;
    } rows[] = {
        { 1, 4, 64 }, { 5, 8, 32 }, { 9, 16, 16 }, { 17, 32, 8 }, { 33, 64, 4 }
    };
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (unsigned n = 0; n < 2 * 256; n++) {
            TestMessage m = eu_message(n & 1 ? TEST_MEDIA_LD : TEST_MEDIA_ST);

            m.width = n & 2 ? rows[i].first : rows[i].last;
            m.height = n / 2;
            if (m.height >= 1 && m.height <= rows[i].height) {
                eu_assert_legal(eu, &m);
            } else {
                eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD, 5);
            }
        }
    }
}

static void test_fence_masks(void)
{
    check_rules(TEST_FIELD_MASK, (Rule[]){ { TEST_FENCE, any }, { 0, NULL } });
}

/* Bits 0 to 4 select the documented operations, and fadd and fsub. */
static bool is_operation(unsigned value)
{
    return (value & 0x1f) <= 0x0d ||
           ((value & 0x1f) >= 0x10 && (value & 0x1f) <= 0x14);
}

/* Bit 5 means 16 bits, bit 6 means 64 bits (SVM only), not both; bit 7 is 0. */
static bool is_op(TestKind kind, unsigned value)
{
    unsigned width = value & 0xe0;

    return is_operation(value) &&
           (width == 0 || width == TEST_16_BIT ||
            (width == TEST_64_BIT && kind == TEST_SVM_ATOMIC));
}

static void test_atomic_operations(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        for (unsigned value = 0; value < 256; value++) {
            TestMessage m = eu_message(kind);

            if (!test_kind_has(kind, TEST_FIELD_OP)) {
                continue;
            }
            m.op = value;
            m.src0 = (TestRaw){ 0 };
            m.data = (TestRaw){ 0 };
            if (is_op(kind, value)) {
                eu_assert_legal(eu, &m);
            } else {
                eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD,
                                  test_encode(&m).at[TEST_FIELD_OP]);
            }
        }
    }
}

/* If two fields are wrong, the device reports the first one in the encoding. */
static void test_the_first_field_that_is_wrong_is_reported(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        TestMessage m = eu_message(kind);
        TestCode code = test_encode(&m);

        if (!test_kind_has(kind, TEST_FIELD_EXEC)) {
            continue;
        }
        /*
         * all operands are wrong, and so are all sizes except the one before
         * them
         */
        m.exec = 0x0f;
        m.pred = 0x1000;
        m.op = 0x0e;
        m.channels = 0;
        m.address.id = 1;
        m.data.id = 1;
        eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD,
                          test_kind_has(kind, TEST_FIELD_OP) ?
                              MIN(code.at[TEST_FIELD_OP],
                                  code.at[TEST_FIELD_EXEC]) :
                              code.at[TEST_FIELD_EXEC]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/fields/" #name, test_##name)
    RULE(elt_size);
    RULE(is_modified_is_ignored);
    RULE(num_blocks);
    RULE(block_size);
    RULE(channels_0_and_the_upper_nibble_are_refused);
    RULE(any_surface);
    RULE(owords);
    RULE(16_owords_are_of_slm);
    RULE(media_modifiers);
    RULE(media_planes);
    RULE(media_widths);
    RULE(media_heights);
    RULE(fence_masks);
    RULE(atomic_operations);
    RULE(the_first_field_that_is_wrong_is_reported);
#undef RULE
    return g_test_run();
}
