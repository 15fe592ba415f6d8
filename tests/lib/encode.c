/*
 * veu tests: writing messages, byte by byte: encoding.md, section 3.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/lib/encode.h"

#define F(name) TEST_FIELD_##name

/* encoding.md, section 3, row by row. */
const TestLayout test_layouts[TEST_KINDS] = {
    [TEST_GATHER] = { "gather",
                      0x39,
                      0,
                      { F(ELT_SIZE), F(IS_MODIFIED), F(NUM_ELTS), F(SURFACE),
                        F(OFFSET), F(ADDRESS), F(DATA) } },
    [TEST_SCATTER] = { "scatter",
                       0x3a,
                       0,
                       { F(ELT_SIZE), F(NUM_ELTS), F(SURFACE), F(OFFSET),
                         F(ADDRESS), F(DATA) } },
    [TEST_GATHER_SCALED] = { "gather_scaled",
                             0x78,
                             0,
                             { F(EXEC), F(PRED), F(BLOCK_SIZE), F(NUM_BLOCKS),
                               F(SCALE), F(SURFACE), F(OFFSET), F(ADDRESS),
                               F(DATA) } },
    [TEST_SCATTER_SCALED] = { "scatter_scaled",
                              0x79,
                              0,
                              { F(EXEC), F(PRED), F(BLOCK_SIZE), F(NUM_BLOCKS),
                                F(SCALE), F(SURFACE), F(OFFSET), F(ADDRESS),
                                F(DATA) } },
    [TEST_GATHER4_SCALED] = { "gather4_scaled",
                              0x74,
                              0,
                              { F(EXEC), F(PRED), F(CHANNELS), F(SCALE),
                                F(SURFACE), F(OFFSET), F(ADDRESS), F(DATA) } },
    [TEST_SCATTER4_SCALED] = { "scatter4_scaled",
                               0x75,
                               0,
                               { F(EXEC), F(PRED), F(CHANNELS), F(SCALE),
                                 F(SURFACE), F(OFFSET), F(ADDRESS), F(DATA) } },
    [TEST_GATHER4_TYPED] = { "gather4_typed",
                             0x4b,
                             0,
                             { F(EXEC), F(PRED), F(CHANNELS), F(SURFACE),
                               F(ADDRESS), F(V), F(R), F(LOD), F(DATA) } },
    [TEST_SCATTER4_TYPED] = { "scatter4_typed",
                              0x4c,
                              0,
                              { F(EXEC), F(PRED), F(CHANNELS), F(SURFACE),
                                F(ADDRESS), F(V), F(R), F(LOD), F(DATA) } },
    [TEST_SVM_BLOCK_LD] = { "svm_block_ld",
                            0x4e,
                            1,
                            { F(SIZE), F(OFFSET), F(DATA) } },
    [TEST_SVM_BLOCK_ST] = { "svm_block_st",
                            0x4e,
                            2,
                            { F(SIZE), F(OFFSET), F(DATA) } },
    [TEST_SVM_GATHER] = { "svm_gather",
                          0x4e,
                          3,
                          { F(EXEC), F(PRED), F(BLOCK_SIZE), F(NUM_BLOCKS),
                            F(ADDRESS), F(DATA) } },
    [TEST_SVM_SCATTER] = { "svm_scatter",
                           0x4e,
                           4,
                           { F(EXEC), F(PRED), F(BLOCK_SIZE), F(NUM_BLOCKS),
                             F(ADDRESS), F(DATA) } },
    [TEST_SVM_ATOMIC] = { "svm_atomic",
                          0x4e,
                          5,
                          { F(EXEC), F(PRED), F(OP), F(ADDRESS), F(SRC0),
                            F(SRC1), F(DATA) } },
    [TEST_SVM_GATHER4_SCALED] = { "svm_gather4scaled",
                                  0x4e,
                                  6,
                                  { F(EXEC), F(PRED), F(CHANNELS), F(SCALE),
                                    F(OFFSET), F(ADDRESS), F(DATA) } },
    [TEST_SVM_SCATTER4_SCALED] = { "svm_scatter4scaled",
                                   0x4e,
                                   7,
                                   { F(EXEC), F(PRED), F(CHANNELS), F(SCALE),
                                     F(OFFSET), F(ADDRESS), F(DATA) } },
    [TEST_DWORD_ATOMIC] = { "dword_atomic",
                            0x7d,
                            0,
                            { F(OP), F(EXEC), F(PRED), F(SURFACE), F(ADDRESS),
                              F(SRC0), F(SRC1), F(DATA) } },
    [TEST_TYPED_ATOMIC] = { "typed_atomic",
                            0x73,
                            0,
                            { F(OP), F(EXEC), F(PRED), F(SURFACE), F(ADDRESS),
                              F(V), F(R), F(LOD), F(SRC0), F(SRC1), F(DATA) } },
    [TEST_OWORD_LD] = { "oword_ld",
                        0x35,
                        0,
                        { F(SIZE), F(IS_MODIFIED), F(SURFACE), F(OFFSET),
                          F(DATA) } },
    [TEST_OWORD_ST] = { "oword_st",
                        0x36,
                        0,
                        { F(SIZE), F(SURFACE), F(OFFSET), F(DATA) } },
    [TEST_OWORD_LD_UNALIGNED] = { "oword_ld_unaligned",
                                  0x3c,
                                  0,
                                  { F(SIZE), F(IS_MODIFIED), F(SURFACE),
                                    F(OFFSET), F(DATA) } },
    [TEST_MEDIA_LD] = { "media_ld",
                        0x37,
                        0,
                        { F(MODE), F(SURFACE), F(PLANE), F(WIDTH), F(HEIGHT),
                          F(OFFSET), F(Y), F(DATA) } },
    [TEST_MEDIA_ST] = { "media_st",
                        0x38,
                        0,
                        { F(MODE), F(SURFACE), F(PLANE), F(WIDTH), F(HEIGHT),
                          F(OFFSET), F(Y), F(DATA) } },
    [TEST_QW_GATHER] = { "qw_gather",
                         0x86,
                         0,
                         { F(EXEC), F(PRED), F(NUM_BLOCKS), F(SURFACE),
                           F(ADDRESS), F(DATA) } },
    [TEST_QW_SCATTER] = { "qw_scatter",
                          0x87,
                          0,
                          { F(EXEC), F(PRED), F(NUM_BLOCKS), F(SURFACE),
                            F(ADDRESS), F(DATA) } },
    [TEST_FENCE] = { "fence", 0x5c, 0, { F(MASK) } },
};

/* The place of a field in TestMessage, and its bytes in an encoding. */
typedef struct Place {
    size_t member;
    unsigned bytes; /* 6 for a raw operand, 0 for a scalar */
} Place;

#define PLACE(field, member, bytes) \
    [F(field)] = { G_STRUCT_OFFSET(TestMessage, member), bytes }

static const Place places[TEST_FIELDS] = {
    PLACE(ELT_SIZE, elt_size, 1),
    PLACE(IS_MODIFIED, is_modified, 1),
    PLACE(NUM_ELTS, num_elts, 1),
    PLACE(EXEC, exec, 1),
    PLACE(PRED, pred, 2),
    PLACE(BLOCK_SIZE, block_size, 1),
    PLACE(NUM_BLOCKS, num_blocks, 1),
    PLACE(SCALE, scale, 2),
    PLACE(CHANNELS, channels, 1),
    PLACE(SURFACE, surface, 1),
    PLACE(SIZE, size, 1),
    PLACE(OP, op, 1),
    PLACE(MODE, mode, 1),
    PLACE(PLANE, plane, 1),
    PLACE(WIDTH, width, 1),
    PLACE(HEIGHT, height, 1),
    PLACE(MASK, mask, 1),
    PLACE(OFFSET, offset, 0),
    PLACE(Y, y, 0),
    PLACE(ADDRESS, address, 6),
    PLACE(V, v, 6),
    PLACE(R, r, 6),
    PLACE(LOD, lod, 6),
    PLACE(SRC0, src0, 6),
    PLACE(SRC1, src1, 6),
    PLACE(DATA, data, 6),
};

void *test_field(TestMessage *message, TestField field)
{
    return (uint8_t *)message + places[field].member;
}

unsigned test_field_bytes(TestField field)
{
    return places[field].bytes;
}

bool test_kind_has(TestKind kind, TestField field)
{
    for (unsigned i = 0; i < TEST_MAX_FIELDS; i++) {
        if (test_layouts[kind].fields[i] == field) {
            return true;
        }
    }
    return false;
}

static void put(TestCode *c, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        /* unlike similar checks this one never returns, as GCC 14 requires */
        g_assert(c->count < sizeof(c->bytes));
        c->bytes[c->count++] = value >> (8 * i);
    }
}

static void put_raw(TestCode *c, TestRaw raw)
{
    put(c, raw.id, 4);
    put(c, raw.byte, 2);
}

static void put_scalar(TestCode *c, TestScalar s)
{
    put(c, s.tag, 1);
    switch (s.tag & 7) {
    case TEST_CLASS_GENERAL: /* 9 bytes */
        put(c, s.id, 4);
        put(c, s.row, 1);
        put(c, s.column, 1);
        put(c, s.region, 2);
        break;
    case TEST_CLASS_INDIRECT: /* 9 bytes */
        put(c, s.id, 2);
        put(c, s.column, 1);
        put(c, s.value, 2);
        put(c, s.type, 1);
        put(c, s.region, 2);
        break;
    case TEST_CLASS_IMMEDIATE: /* 6 bytes; with df, uq and q 10 */
        put(c, s.type, 1);
        put(c, s.value, s.type == 6 || s.type == 11 || s.type == 13 ? 8 : 4);
        break;
    case TEST_CLASS_ADDRESS: /* 5 bytes */
    case TEST_CLASS_STATE:
        put(c, s.value, 4);
        break;
    default: /* a predicate: 3 bytes */
        put(c, s.value, 2);
        break;
    }
}

static void put_field(TestCode *c, TestField field, const void *member)
{
    c->at[field] = c->count;
    switch (places[field].bytes) {
    case 0:
        put_scalar(c, *(const TestScalar *)member);
        break;
    case 1:
        put(c, *(const uint8_t *)member, 1);
        break;
    case 2:
        put(c, *(const uint16_t *)member, 2);
        break;
    default:
        put_raw(c, *(const TestRaw *)member);
        break;
    }
}

TestCode test_encode(const TestMessage *m)
{
    const TestLayout *layout = &test_layouts[m->kind];
    TestCode code = { 0 };

    put(&code, layout->opcode, 1);
    if (layout->sub) {
        put(&code, layout->sub, 1);
    }
    for (const uint8_t *f = layout->fields; *f != TEST_FIELD_END; f++) {
        put_field(&code, *f, (const uint8_t *)m + places[*f].member);
    }
    return code;
}

TestScalar test_immediate(uint32_t value)
{
    return (TestScalar){ .tag = TEST_CLASS_IMMEDIATE, .value = value };
}

TestScalar test_general(uint32_t id, uint8_t row, uint8_t column)
{
    return (TestScalar){
        .tag = TEST_CLASS_GENERAL,
        .id = id,
        .row = row,
        .column = column,
        .region = 0x0121, /* <0;1,0> */
    };
}

TestScalar test_indirect(unsigned id, uint8_t column, int16_t add,
                         enum veu_type type)
{
    return (TestScalar){
        .tag = TEST_CLASS_INDIRECT,
        .id = id,
        .column = column,
        .value = (uint16_t)add,
        .type = type,
        .region = 0x0121, /* <0;1,0> */
    };
}
