/*
 * veu unit tests: raw operands: semantics.md, section 2, "Raw operands"
 * and "Types".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define FREE EU_FIRST_FREE_ID

/* A raw operand: its legal types, and its size for 8 lanes. */
typedef struct Operand {
    TestKind kind;
    TestField field;
    uint32_t types; /* bit n: enum veu_type n is legal */
    unsigned bytes;
} Operand;

#define OFFSET_TYPES  0x0003u /* UD D */
#define ADDRESS_TYPES 0x2800u /* UQ Q */
#define DATA_TYPES    0x0083u /* UD D F */
#define QW_TYPES      0x2840u /* UQ Q DF */
#define ALL_TYPES     0xe8ffu /* all except V VF BOOL UV */
#define O(kind, field, types, bytes)                          \
    {                                                         \
        TEST_##kind, TEST_FIELD_##field, types##_TYPES, bytes \
    }
#define COORDINATES(kind)                                 \
    O(kind, ADDRESS, OFFSET, 32), O(kind, V, OFFSET, 32), \
        O(kind, R, OFFSET, 32), O(kind, LOD, OFFSET, 32)
#define ATOMIC(kind) \
    O(kind, SRC0, DATA, 32), O(kind, SRC1, DATA, 32), O(kind, DATA, DATA, 32)

/* semantics.md, section 2, "Types", and spec.md. Blocks: 1 oword, 8 bytes. */
static const Operand operands[] = {
    O(GATHER, ADDRESS, OFFSET, 32),
    O(GATHER, DATA, DATA, 32),
    O(SCATTER, ADDRESS, OFFSET, 32),
    O(SCATTER, DATA, DATA, 32),
    O(GATHER_SCALED, ADDRESS, OFFSET, 32),
    O(GATHER_SCALED, DATA, DATA, 32),
    O(SCATTER_SCALED, ADDRESS, OFFSET, 32),
    O(SCATTER_SCALED, DATA, DATA, 32),
    O(GATHER4_SCALED, ADDRESS, OFFSET, 32),
    O(GATHER4_SCALED, DATA, DATA, 32),
    O(SCATTER4_SCALED, ADDRESS, OFFSET, 32),
    O(SCATTER4_SCALED, DATA, DATA, 32),
    O(SVM_GATHER4_SCALED, ADDRESS, ADDRESS, 64),
    O(SVM_GATHER4_SCALED, DATA, ALL, 32),
    O(SVM_SCATTER4_SCALED, ADDRESS, ADDRESS, 64),
    O(SVM_SCATTER4_SCALED, DATA, ALL, 32),
    COORDINATES(GATHER4_TYPED),
    O(GATHER4_TYPED, DATA, DATA, 32),
    COORDINATES(SCATTER4_TYPED),
    O(SCATTER4_TYPED, DATA, DATA, 32),
    O(SVM_GATHER, ADDRESS, ADDRESS, 64),
    O(SVM_GATHER, DATA, ALL, 32),
    O(SVM_SCATTER, ADDRESS, ADDRESS, 64),
    O(SVM_SCATTER, DATA, ALL, 32),
    O(SVM_BLOCK_LD, DATA, ALL, 16),
    O(SVM_BLOCK_ST, DATA, ALL, 16),
    O(OWORD_LD, DATA, ALL, 16),
    O(OWORD_LD_UNALIGNED, DATA, ALL, 16),
    O(OWORD_ST, DATA, ALL, 16),
    O(QW_GATHER, ADDRESS, OFFSET, 32),
    O(QW_GATHER, DATA, QW, 64),
    O(QW_SCATTER, ADDRESS, OFFSET, 32),
    O(QW_SCATTER, DATA, QW, 64),
    O(MEDIA_LD, DATA, ALL, 8),
    O(MEDIA_ST, DATA, ALL, 8),
    O(DWORD_ATOMIC, ADDRESS, OFFSET, 32),
    ATOMIC(DWORD_ATOMIC),
    O(SVM_ATOMIC, ADDRESS, ADDRESS, 64),
    ATOMIC(SVM_ATOMIC),
    COORDINATES(TYPED_ATOMIC),
    ATOMIC(TYPED_ATOMIC),
};

#define FOR_EACH_OPERAND(o)                                                  \
    for (const Operand *o = operands; o < operands + G_N_ELEMENTS(operands); \
         o++)

static TestMessage with_operand(const Operand *o, uint32_t id, uint16_t byte)
{
    TestMessage m = eu_message(o->kind);

    m.channels = 1;
    m.width = 8;
    m.op = TEST_CMPXCHG; /* an operation with both sources */
    *(TestRaw *)test_field(&m, o->field) = (TestRaw){ id, byte };
    return m;
}

/* Returns true if the operand's elements have 8 bytes. */
static bool is_qword(const Operand *o)
{
    return o->types == ADDRESS_TYPES || o->types == QW_TYPES;
}

static void legal(EuFixture *eu, const Operand *o, uint32_t id, uint16_t byte)
{
    TestMessage m = with_operand(o, id, byte);

    eu_assert_legal(eu, &m);
}

static void refused(EuFixture *eu, const Operand *o, uint32_t id, uint16_t byte)
{
    TestMessage m = with_operand(o, id, byte);

    eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND,
                      test_encode(&m).at[o->field]);
}

/* "id 0 = null, whatever the offset". */
static void test_id_0_is_null_whatever_the_offset(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_OPERAND(o)
    {
        legal(eu, o, 0, 0);
        legal(eu, o, 0, 1);
        legal(eu, o, 0, 0xffff);
    }
}

static void test_predefined_variables_are_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_OPERAND(o)
    {
        for (uint32_t id = 1; id < 32; id++) {
            refused(eu, o, id, 0);
        }
    }
}

static void test_undeclared_variables_are_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_OPERAND(o)
    {
        refused(eu, o, FREE, 0);
        refused(eu, o, FREE + 1, 0);
        refused(eu, o, 0x80000020, 0);
        refused(eu, o, UINT32_MAX, 0);
    }
}

static void test_types(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned type = 0; type < 16; type++) {
        if (ALL_TYPES >> type & 1) {
            uint32_t id = eu_variable(eu, EU_FREE_AT, 64, type);

            FOR_EACH_OPERAND(o)
            {
                if (!(o->types >> type & 1)) {
                    refused(eu, o, id, 0);
                } else {
                    legal(eu, o, id, 0);
                }
            }
        }
    }
}

static void test_byte_offset_is_a_multiple_of_the_register_size(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint32_t dwords = eu_variable(eu, EU_FREE_AT, 256, VEU_TYPE_UD);
    uint32_t qwords = eu_variable(eu, EU_FREE_AT, 128, VEU_TYPE_UQ);

    for (eu->grf_bytes = 32; eu->grf_bytes <= 64; eu->grf_bytes *= 2) {
        FOR_EACH_OPERAND(o)
        {
            uint32_t id = is_qword(o) ? qwords : dwords;

            for (unsigned byte = 0; byte < 256; byte++) {
                if (byte % eu->grf_bytes == 0) {
                    legal(eu, o, id, byte);
                } else {
                    refused(eu, o, id, byte);
                }
            }
        }
    }
}

/* The extent of all lanes lies inside the variable, up to the last byte. */
static void test_extent_of_all_lanes_is_inside_the_variable(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->thread.exec_mask = 0; /* even of disabled lanes */
    FOR_EACH_OPERAND(o)
    {
        bool tiny = o->bytes == 4; /* a media block, which accepts any type */
        enum veu_type type = is_qword(o) ? VEU_TYPE_UQ :
                             tiny        ? VEU_TYPE_UB :
                                           VEU_TYPE_UD;
        unsigned count = o->bytes / (is_qword(o) ? 8 : tiny ? 1 : 4);
        uint32_t just = eu_variable(eu, EU_FREE_AT, count, type);
        uint32_t few = eu_variable(eu, EU_FREE_AT, count - 1, type);

        legal(eu, o, just, 0);
        refused(eu, o, few, 0);
        refused(eu, o, just, 32);
        refused(eu, o, just, 0xffe0);
        eu->variable_count -= 2;
    }
}

static void test_extent_starts_at_the_byte_offset(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_OPERAND(o)
    {
        enum veu_type type = is_qword(o) ? VEU_TYPE_UQ : VEU_TYPE_UD;
        unsigned count = (32 + o->bytes) / (is_qword(o) ? 8 : 4);
        uint32_t id = eu_variable(eu, EU_FREE_AT, count, type);

        legal(eu, o, id, 32);
        refused(eu, o, id, 64);
        eu->variable_count--;
    }
}

/* Checks that Data takes exactly this number of bytes. */
static void check_data(EuFixture *eu, TestMessage *m, unsigned bytes)
{
    bool qw = m->kind == TEST_QW_GATHER || m->kind == TEST_QW_SCATTER ||
              (test_kind_has(m->kind, TEST_FIELD_OP) && (m->op & TEST_64_BIT));
    bool dwords = test_kind_has(m->kind, TEST_FIELD_OP) ||
                  test_kind_has(m->kind, TEST_FIELD_CHANNELS);
    unsigned element = qw ? 8 : dwords ? 4 : 1;
    enum veu_type type = qw ? VEU_TYPE_UQ : dwords ? VEU_TYPE_UD : VEU_TYPE_UB;

    m->data.id = eu_variable(eu, EU_FREE_AT, bytes / element, type);
    eu_assert_legal(eu, m);
    m->data.id = eu_variable(eu, EU_FREE_AT, bytes / element - 1, type);
    eu_assert_refused(eu, m, VEU_FAULT_MESSAGE_OPERAND,
                      test_encode(m).at[TEST_FIELD_DATA]);
    eu->variable_count -= 2;
}

/* (channels - 1) * max(n, GRF / 4) + n dwords. */
static void test_channel_operand_extents(void)
{
    static const struct {
        unsigned grf_bytes;
        uint8_t exec;
        uint8_t channels;
        unsigned dwords;
    } cases[] = {
        { 32, TEST_LANES_8, 0x1, 8 },   { 32, TEST_LANES_8, 0x5, 16 },
        { 32, TEST_LANES_8, 0xf, 32 },  { 32, TEST_LANES_16, 0xf, 64 },
        { 64, TEST_LANES_8, 0x1, 8 },   { 64, TEST_LANES_8, 0xa, 24 },
        { 64, TEST_LANES_8, 0x7, 40 },  { 64, TEST_LANES_8, 0xf, 56 },
        { 64, TEST_LANES_16, 0xf, 64 }, { 32, TEST_LANES_16, 0x3, 32 },
    };
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        eu->grf_bytes = cases[i].grf_bytes;
        for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
            TestMessage m = eu_message(kind);

            m.exec = cases[i].exec;
            m.channels = cases[i].channels;
            if (test_kind_has(kind, TEST_FIELD_CHANNELS)) {
                check_data(eu, &m, cases[i].dwords * 4);
            }
        }
    }
}

/* dst[j * n + i] for 4 or 8 bytes; for 1 byte, max(4, blocks) per lane. */
static void test_svm_operand_extents(void)
{
    static const struct {
        uint8_t exec;
        uint8_t block_size;
        uint8_t num_blocks;
        unsigned bytes;
    } cases[] = {
        { TEST_LANES_1, 0, 0, 4 },   { TEST_LANES_1, 0, 2, 4 },
        { TEST_LANES_8, 0, 3, 64 },  { TEST_LANES_16, 0, 1, 64 },
        { TEST_LANES_8, 1, 3, 256 }, { TEST_LANES_16, 1, 2, 256 },
        { TEST_LANES_2, 2, 2, 64 },  { TEST_LANES_16, 2, 2, 512 },
        { TEST_LANES_4, 1, 1, 32 },  { TEST_LANES_8, 3, 0, 64 },
    };
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        TestMessage m = eu_message(TEST_SVM_GATHER);

        m.exec = cases[i].exec;
        m.block_size = cases[i].block_size;
        m.num_blocks = cases[i].num_blocks;
        check_data(eu, &m, cases[i].bytes);
        m.kind = TEST_SVM_SCATTER;
        if (m.block_size < 3) { /* 0b11 is legal for GATHER only */
            check_data(eu, &m, cases[i].bytes);
        }
    }
}

/* 16 bytes for each oword; 16 owords with SLM only. */
static void test_oword_operand_extents(void)
{
    static const TestKind kinds[] = { TEST_OWORD_LD, TEST_OWORD_LD_UNALIGNED,
                                      TEST_OWORD_ST, TEST_SVM_BLOCK_LD,
                                      TEST_SVM_BLOCK_ST };
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        for (unsigned size = 0; size < (i < 3 ? 5 : 4); size++) {
            TestMessage m = eu_message(kinds[i]);

            m.surface = 0;
            m.size = size;
            check_data(eu, &m, 16 << size);
        }
    }
}

/* "Each row starts at row_id * register_pitch", and the last one is shorter. */
static void test_media_operand_extents(void)
{
    static const struct {
        uint8_t width;
        uint8_t height;
        unsigned bytes;
    } cases[] = {
        { 1, 1, 1 },    { 4, 64, 256 }, { 3, 5, 19 },   { 5, 32, 253 },
        { 8, 2, 16 },   { 9, 16, 249 }, { 17, 8, 241 }, { 32, 8, 256 },
        { 33, 4, 225 }, { 64, 4, 256 },
    };
    g_autoptr(EuFixture) eu = eu_standard();

    for (TestKind kind = TEST_MEDIA_LD; kind <= TEST_MEDIA_ST; kind++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
            TestMessage m = eu_message(kind);

            m.width = cases[i].width;
            m.height = cases[i].height;
            if (cases[i].bytes > 1) {
                check_data(eu, &m, cases[i].bytes);
            }
        }
    }
}

/* A dword per lane, even for 16 bits; for 64 bits, a qword of a 64-bit type. */
static void test_atomic_operand_extents(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        TestMessage m = eu_message(kind);

        if (!test_kind_has(kind, TEST_FIELD_OP)) {
            continue;
        }
        check_data(eu, &m, 32);
        m.op |= TEST_16_BIT;
        check_data(eu, &m, 32);
        if (kind == TEST_SVM_ATOMIC) {
            m.op = TEST_ADD | TEST_64_BIT;
            eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, 12);
            m.src0.id = EU_QW_SRC0;
            check_data(eu, &m, 64);
        }
    }
}

/* "It must be V0" for operations that do not have the source. */
static void test_sources_that_an_operation_lacks_are_null(void)
{
    static const uint8_t sources[] = {
        /* add sub inc dec min max xchg cmpxchg */
        1, 1, 0, 0, 1, 1, 1, 2,
        /* and or xor imin imax predec - - */
        1, 1, 1, 1, 1, 0, 9, 9,
        /* fmax fmin fcmpwr fadd fsub */
        1, 1, 2, 1, 1
    };
    g_autoptr(EuFixture) eu = eu_standard();

    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        for (unsigned op = 0; op < sizeof(sources); op++) {
            TestMessage m = eu_message(kind);

            if (!test_kind_has(kind, TEST_FIELD_OP) || sources[op] == 9) {
                continue;
            }
            m.op = op;
            for (unsigned given = 0; given < 4; given++) {
                TestField bad = (given & 1) && sources[op] < 1 ?
                                    TEST_FIELD_SRC0 :
                                (given & 2) && sources[op] < 2 ?
                                    TEST_FIELD_SRC1 :
                                    TEST_FIELD_END;

                m.src0.id = given & 1 ? EU_SRC0 : 0;
                m.src1.id = given & 2 ? EU_SRC1 : 0;
                if (bad == TEST_FIELD_END) {
                    eu_assert_legal(eu, &m);
                } else {
                    eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND,
                                      test_encode(&m).at[bad]);
                }
            }
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/operands/" #name, test_##name)
    RULE(id_0_is_null_whatever_the_offset);
    RULE(predefined_variables_are_refused);
    RULE(undeclared_variables_are_refused);
    RULE(types);
    RULE(byte_offset_is_a_multiple_of_the_register_size);
    RULE(extent_of_all_lanes_is_inside_the_variable);
    RULE(extent_starts_at_the_byte_offset);
    RULE(channel_operand_extents);
    RULE(svm_operand_extents);
    RULE(oword_operand_extents);
    RULE(media_operand_extents);
    RULE(atomic_operand_extents);
    RULE(sources_that_an_operation_lacks_are_null);
#undef RULE
    return g_test_run();
}
