/*
 * veu tests: writing messages, byte by byte as their pages say.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/lib/encode.h"

const char *const test_kind_names[TEST_KINDS] = {
    "gather", "gather_scaled", "scatter_scaled", "scatter4_typed", "svm_gather",
};

static void put(TestCode *c, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        g_assert_cmpuint(c->count, <, sizeof(c->bytes));
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
    case TEST_CLASS_IMMEDIATE: /* 6 bytes; df, uq and q: 10 */
        put(c, s.type, 1);
        put(c, s.value, s.type == 6 || s.type == 11 || s.type == 13 ? 8 : 4);
        break;
    case TEST_CLASS_ADDRESS: /* 5 bytes */
    case TEST_CLASS_STATE:
        put(c, s.value, 4);
        break;
    default: /* predicate: 3 bytes */
        put(c, s.value, 2);
        break;
    }
}

static void put_gather(TestCode *c, const TestMessage *m)
{
    put(c, 0x39, 1);
    put(c, m->elt_size, 1);
    put(c, m->is_modified, 1);
    put(c, m->num_elts, 1);
    put(c, m->surface, 1);
    put_scalar(c, m->offset);
    put_raw(c, m->address);
    put_raw(c, m->data);
}

static void put_scaled(TestCode *c, const TestMessage *m, uint8_t opcode)
{
    put(c, opcode, 1);
    put(c, m->exec, 1);
    put(c, m->pred, 2);
    put(c, m->block_size, 1);
    put(c, m->num_blocks, 1);
    put(c, m->scale, 2);
    put(c, m->surface, 1);
    put_scalar(c, m->offset);
    put_raw(c, m->address);
    put_raw(c, m->data);
}

static void put_typed(TestCode *c, const TestMessage *m)
{
    put(c, 0x4c, 1);
    put(c, m->exec, 1);
    put(c, m->pred, 2);
    put(c, m->channels, 1);
    put(c, m->surface, 1);
    put_raw(c, m->address);
    put_raw(c, m->v);
    put_raw(c, m->r);
    put_raw(c, m->lod);
    put_raw(c, m->data);
}

static void put_svm(TestCode *c, const TestMessage *m)
{
    put(c, 0x4e, 1);
    put(c, 0x03, 1);
    put(c, m->exec, 1);
    put(c, m->pred, 2);
    put(c, m->block_size, 1);
    put(c, m->num_blocks, 1);
    put_raw(c, m->address);
    put_raw(c, m->data);
}

TestCode test_encode(const TestMessage *m)
{
    TestCode code = { 0 };

    switch (m->kind) {
    case TEST_GATHER:
        put_gather(&code, m);
        break;
    case TEST_GATHER_SCALED:
        put_scaled(&code, m, 0x78);
        break;
    case TEST_SCATTER_SCALED:
        put_scaled(&code, m, 0x79);
        break;
    case TEST_SCATTER4_TYPED:
        put_typed(&code, m);
        break;
    default:
        put_svm(&code, m);
        break;
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
