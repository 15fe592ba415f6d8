/*
 * veu unit tests: messages and programs of the guest library: veu_encode.h,
 * veu_encode_buffer.h, veu_program.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The library's bytes are compared with those of tests/lib/encode.h, which
 * shares no code with it.
 */
#include <glib.h>
#include <string.h>
#include "firmware/lib/veu_encode_buffer.h"
#include "firmware/lib/veu_program.h"
#include "tests/lib/encode.h"

#define ROUNDS 200

/* --- Fields, for the library --------------------------------------------- */

static struct veu_exec exec_of(uint8_t code)
{
    unsigned mask = (code >> 4 & 7) + 1, lanes = 1 << (code & 15);

    return code & 0x80 ? veu_m_nm(mask, lanes) : veu_m(mask, lanes);
}

/* Num_elts has codes of its own. */
static struct veu_exec elements_of(uint8_t code)
{
    static const uint8_t lanes[] = { 8, 16, 1 };
    struct veu_exec exec = exec_of(code);

    exec.lanes = lanes[code & 15];
    return exec;
}

static struct veu_raw raw_of(TestRaw raw)
{
    return (struct veu_raw){ raw.id, raw.byte };
}

static struct veu_scalar scalar_of(TestScalar s)
{
    return s.tag == TEST_CLASS_GENERAL ?
               veu_element(s.id, s.row, s.column) :
           s.tag == TEST_CLASS_INDIRECT ?
               veu_indirect(s.id, s.column, s.value, s.type) :
               veu_imm(s.type, s.value);
}

static struct veu_texels texels_of(const TestMessage *m)
{
    return (struct veu_texels){ raw_of(m->address), raw_of(m->v), raw_of(m->r),
                                raw_of(m->lod) };
}

static struct veu_block block_of(const TestMessage *m)
{
    return (struct veu_block){ .mode = m->mode,
                               .width = m->width,
                               .height = m->height,
                               .x = scalar_of(m->offset),
                               .y = scalar_of(m->y) };
}

/* --- Messages ------------------------------------------------------------ */

#define EXEC    exec_of(m->exec)
#define OFFSET  scalar_of(m->offset)
#define ADDRESS raw_of(m->address)
#define DATA    raw_of(m->data)
#define OP      (m->op & 0x1f)

static unsigned bits_of(uint8_t op)
{
    return op & TEST_16_BIT ? 16 : op & TEST_64_BIT ? 64 : 32;
}

static bool encode_untyped(struct veu_code *c, const TestMessage *m)
{
    switch (m->kind) {
    case TEST_GATHER:
        return veu_encode_gather(c, 1 << m->elt_size, elements_of(m->num_elts),
                                 m->surface, OFFSET, ADDRESS, DATA);
    case TEST_SCATTER:
        return veu_encode_scatter(c, 1 << m->elt_size, elements_of(m->num_elts),
                                  m->surface, OFFSET, ADDRESS, DATA);
    case TEST_GATHER_SCALED:
        return veu_encode_gather_scaled(c, m->pred, 1 << m->num_blocks, EXEC,
                                        m->surface, OFFSET, ADDRESS, DATA);
    case TEST_SCATTER_SCALED:
        return veu_encode_scatter_scaled(c, m->pred, 1 << m->num_blocks, EXEC,
                                         m->surface, OFFSET, ADDRESS, DATA);
    case TEST_GATHER4_SCALED:
        return veu_encode_gather4_scaled(c, m->pred, m->channels, EXEC,
                                         m->surface, OFFSET, ADDRESS, DATA);
    case TEST_SCATTER4_SCALED:
        return veu_encode_scatter4_scaled(c, m->pred, m->channels, EXEC,
                                          m->surface, OFFSET, ADDRESS, DATA);
    case TEST_QW_GATHER:
        return veu_encode_qw_gather(c, m->pred, EXEC, m->surface, ADDRESS,
                                    DATA);
    default:
        return veu_encode_qw_scatter(c, m->pred, EXEC, m->surface, ADDRESS,
                                     DATA);
    }
}

static bool encode_typed_or_block(struct veu_code *c, const TestMessage *m)
{
    switch (m->kind) {
    case TEST_GATHER4_TYPED:
        return veu_encode_gather4_typed(c, m->pred, m->channels, EXEC,
                                        m->surface, texels_of(m), DATA);
    case TEST_SCATTER4_TYPED:
        return veu_encode_scatter4_typed(c, m->pred, m->channels, EXEC,
                                         m->surface, texels_of(m), DATA);
    case TEST_OWORD_LD:
        return veu_encode_oword_ld(c, 1 << m->size, m->surface, OFFSET, DATA);
    case TEST_OWORD_LD_UNALIGNED:
        return veu_encode_oword_ld_unaligned(c, 1 << m->size, m->surface,
                                             OFFSET, DATA);
    case TEST_OWORD_ST:
        return veu_encode_oword_st(c, 1 << m->size, m->surface, OFFSET, DATA);
    case TEST_MEDIA_LD:
        return veu_encode_media_ld(c, block_of(m), m->surface, DATA);
    case TEST_MEDIA_ST:
        return veu_encode_media_st(c, block_of(m), m->surface, DATA);
    default:
        return veu_encode_fence(c, m->mask);
    }
}

static bool encode_svm_or_atomic(struct veu_code *c, const TestMessage *m)
{
    static const uint8_t block_bytes[] = { 1, 4, 8 };

    switch (m->kind) {
    case TEST_SVM_GATHER:
        return veu_encode_svm_gather(c, m->pred, block_bytes[m->block_size],
                                     1 << m->num_blocks, EXEC, ADDRESS, DATA);
    case TEST_SVM_SCATTER:
        return veu_encode_svm_scatter(c, m->pred, block_bytes[m->block_size],
                                      1 << m->num_blocks, EXEC, ADDRESS, DATA);
    case TEST_SVM_ATOMIC:
        return veu_encode_svm_atomic(c, m->pred, OP, bits_of(m->op), EXEC,
                                     ADDRESS, DATA, raw_of(m->src0),
                                     raw_of(m->src1));
    case TEST_SVM_BLOCK_LD:
        return veu_encode_svm_block_ld(c, 1 << (m->size & 3), m->size & 0x80,
                                       OFFSET, DATA);
    case TEST_SVM_BLOCK_ST:
        return veu_encode_svm_block_st(c, 1 << (m->size & 3), m->size & 0x80,
                                       OFFSET, DATA);
    case TEST_SVM_GATHER4_SCALED:
        return veu_encode_svm_gather4scaled(c, m->pred, m->channels, EXEC,
                                            OFFSET, ADDRESS, DATA);
    case TEST_SVM_SCATTER4_SCALED:
        return veu_encode_svm_scatter4scaled(c, m->pred, m->channels, EXEC,
                                             OFFSET, ADDRESS, DATA);
    case TEST_TYPED_ATOMIC:
        return veu_encode_typed_atomic(c, m->pred, OP, bits_of(m->op), EXEC,
                                       m->surface, texels_of(m),
                                       raw_of(m->src0), raw_of(m->src1), DATA);
    default:
        return veu_encode_dword_atomic(c, m->pred, OP, bits_of(m->op), EXEC,
                                       m->surface, ADDRESS, raw_of(m->src0),
                                       raw_of(m->src1), DATA);
    }
}

typedef struct Row {
    TestKind kind;
    unsigned max_size;   /* the highest code of lanes, blocks or bytes */
    unsigned max_blocks; /* the highest code of blocks or owords */
    bool (*encode)(struct veu_code *c, const TestMessage *m);
} Row;

/* docs/spec.md lists the sizes of each message. */
static const Row rows[] = {
    { TEST_GATHER, 2, 2, encode_untyped },
    { TEST_SCATTER, 2, 2, encode_untyped },
    { TEST_GATHER_SCALED, 5, 2, encode_untyped },
    { TEST_SCATTER_SCALED, 5, 2, encode_untyped },
    { TEST_GATHER4_SCALED, 4, 0, encode_untyped },
    { TEST_SCATTER4_SCALED, 4, 0, encode_untyped },
    { TEST_QW_GATHER, 4, 0, encode_untyped },
    { TEST_QW_SCATTER, 4, 0, encode_untyped },
    { TEST_GATHER4_TYPED, 5, 0, encode_typed_or_block },
    { TEST_SCATTER4_TYPED, 5, 0, encode_typed_or_block },
    { TEST_OWORD_LD, 0, 4, encode_typed_or_block },
    { TEST_OWORD_LD_UNALIGNED, 0, 4, encode_typed_or_block },
    { TEST_OWORD_ST, 0, 4, encode_typed_or_block },
    { TEST_MEDIA_LD, 0, 0, encode_typed_or_block },
    { TEST_MEDIA_ST, 0, 0, encode_typed_or_block },
    { TEST_FENCE, 0, 0, encode_typed_or_block },
    { TEST_SVM_GATHER, 4, 3, encode_svm_or_atomic },
    { TEST_SVM_SCATTER, 4, 3, encode_svm_or_atomic },
    { TEST_SVM_ATOMIC, 3, 0, encode_svm_or_atomic },
    { TEST_DWORD_ATOMIC, 4, 0, encode_svm_or_atomic },
    { TEST_TYPED_ATOMIC, 4, 0, encode_svm_or_atomic },
    { TEST_SVM_BLOCK_LD, 0, 3, encode_svm_or_atomic },
    { TEST_SVM_BLOCK_ST, 0, 3, encode_svm_or_atomic },
    { TEST_SVM_GATHER4_SCALED, 4, 0, encode_svm_or_atomic },
    { TEST_SVM_SCATTER4_SCALED, 4, 0, encode_svm_or_atomic },
};

static uint32_t up_to(uint32_t most)
{
    return g_test_rand_int_range(0, most + 1);
}

static TestRaw choose_raw(void)
{
    return (TestRaw){ g_test_rand_int(), up_to(0xffff) };
}

static TestScalar choose_scalar(void)
{
    uint32_t value = g_test_rand_int();

    switch (up_to(3)) {
    case 0:
        return test_general(value, up_to(255), up_to(255));
    case 1:
        return test_indirect(up_to(0xffff), up_to(15), value, VEU_TYPE_W);
    case 2:
        return (TestScalar){ .tag = TEST_CLASS_IMMEDIATE,
                             .type = VEU_TYPE_UQ,
                             .value = (uint64_t)value << 32 | 5 };
    default:
        return test_immediate(value);
    }
}

static TestMessage choose_message(const Row *row)
{
    bool is_svm = row->kind == TEST_SVM_GATHER || row->kind == TEST_SVM_SCATTER;
    bool is_block = row->kind == TEST_SVM_BLOCK_LD ||
                    row->kind == TEST_SVM_BLOCK_ST;
    uint8_t mask = up_to(15) << 4;
    TestMessage m = {
        .kind = row->kind,
        .elt_size = up_to(2),
        .num_elts = mask | up_to(2),
        .exec = mask | up_to(row->max_size),
        .pred = up_to(0xffff),
        .block_size = is_svm ? up_to(2) : 0,
        .num_blocks = up_to(row->max_blocks),
        .channels = 1 + up_to(14),
        .surface = up_to(255),
        .size = up_to(row->max_blocks),
        .mode = up_to(3),
        .width = up_to(255),
        .height = up_to(255),
        .mask = up_to(255),
        .offset = choose_scalar(),
        .y = choose_scalar(),
        .address = choose_raw(),
        .v = choose_raw(),
        .r = choose_raw(),
        .lod = choose_raw(),
        .src0 = choose_raw(),
        .src1 = choose_raw(),
        .data = choose_raw(),
    };

    if (is_block) {
        m.size |= up_to(1) ? TEST_UNALIGNED_COMPILER : 0;
    }
    m.op = up_to(TEST_FSUB) | (up_to(1) ? TEST_16_BIT : 0);
    if (row->kind == TEST_SVM_ATOMIC && up_to(1)) {
        m.op = up_to(TEST_FSUB) | TEST_64_BIT;
    }
    return m;
}

static void test_messages_have_the_bytes_of_the_specification(void)
{
    for (unsigned i = 0; i < ROUNDS * G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i % G_N_ELEMENTS(rows)];
        TestMessage m = choose_message(row);
        TestCode expected = test_encode(&m);
        uint8_t memory[64];
        struct veu_code c;

        veu_code_begin(&c, memory, sizeof(memory));
        g_assert_true(row->encode(&c, &m));
        g_assert_cmpmem(memory, c.bytes, expected.bytes, expected.count);
        g_assert_cmpuint(c.messages, ==, 1);
        g_assert_false(c.failed);
    }
}

/* A message that does not fit in changes no byte past the end. */
static void test_memory_that_is_too_small_fails(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        TestMessage m = choose_message(&rows[i]);
        uint32_t bytes = test_encode(&m).count;
        uint8_t memory[65];
        struct veu_code c;

        for (uint32_t capacity = 0; capacity <= bytes; capacity++) {
            memset(memory, 0xaa, sizeof(memory));
            veu_code_begin(&c, memory, capacity);
            g_assert_true(rows[i].encode(&c, &m) == (capacity == bytes));
            g_assert_cmphex(memory[capacity], ==, 0xaa);
            g_assert_cmpuint(c.messages, ==, capacity == bytes);
        }
    }
}

static void test_failures_stick(void)
{
    uint8_t memory[64];
    struct veu_code c;

    veu_code_begin(&c, memory, sizeof(memory));
    g_assert_false(veu_encode_oword_ld(&c, 3, 6, veu_ud(0), veu_v(32)));
    g_assert_false(veu_encode_fence(&c, 1));
    g_assert_cmpuint(c.messages, ==, 0);
}

/* Sizes that the encoding cannot express, or that a message does not have. */
static void test_illegal_sizes_are_refused(void)
{
    static const struct veu_exec none = { 8, 0, false }, ninth = { 8, 9, true };
    const struct veu_texels t = { 0 };
    const struct veu_raw v = veu_v(32);
    uint8_t memory[64];
    struct veu_code c;

#define REFUSED(name, ...)                              \
    veu_code_begin(&c, memory, sizeof(memory));         \
    g_assert_false(veu_encode_##name(&c, __VA_ARGS__)); \
    g_assert_true(c.failed)
    REFUSED(gather, 8, veu_m(1, 8), 6, veu_ud(0), v, v);
    REFUSED(gather, 3, veu_m(1, 8), 6, veu_ud(0), v, v);
    REFUSED(gather, 4, veu_m(1, 4), 6, veu_ud(0), v, v);
    REFUSED(gather, 4, none, 6, veu_ud(0), v, v);
    REFUSED(scatter, 8, veu_m(1, 8), 6, veu_ud(0), v, v);
    REFUSED(scatter, 4, veu_m(1, 32), 6, veu_ud(0), v, v);
    REFUSED(scatter, 4, ninth, 6, veu_ud(0), v, v);
    REFUSED(gather_scaled, 0, 8, veu_m(1, 8), 6, veu_ud(0), v, v);
    REFUSED(gather_scaled, 0, 4, veu_m(1, 64), 6, veu_ud(0), v, v);
    REFUSED(gather_scaled, 0, 4, none, 6, veu_ud(0), v, v);
    REFUSED(scatter_scaled, 0, 0, veu_m(1, 8), 6, veu_ud(0), v, v);
    REFUSED(gather4_scaled, 0, 0, veu_m(1, 8), 6, veu_ud(0), v, v);
    REFUSED(gather4_scaled, 0, 16, veu_m(1, 8), 6, veu_ud(0), v, v);
    REFUSED(gather4_scaled, 0, 1, veu_m(1, 32), 6, veu_ud(0), v, v);
    REFUSED(gather4_typed, 0, 16, veu_m(1, 8), 6, t, v);
    REFUSED(gather4_typed, 0, 1, veu_m(1, 3), 6, t, v);
    REFUSED(qw_gather, 0, veu_m(1, 32), 6, v, v);
    REFUSED(oword_ld, 32, 6, veu_ud(0), v);
    REFUSED(oword_st, 32, 6, veu_ud(0), v);
    REFUSED(oword_st, 0, 6, veu_ud(0), v);
    REFUSED(svm_gather, 0, 2, 1, veu_m(1, 8), v, v);
    REFUSED(svm_gather, 0, 4, 16, veu_m(1, 8), v, v);
    REFUSED(svm_gather, 0, 4, 1, veu_m(1, 32), v, v);
    REFUSED(svm_atomic, 0, VEU_ATOMIC_ADD, 32, veu_m(1, 16), v, v, v, v);
    REFUSED(svm_atomic, 0, VEU_ATOMIC_ADD, 8, veu_m(1, 8), v, v, v, v);
    REFUSED(dword_atomic, 0, VEU_ATOMIC_ADD, 64, veu_m(1, 8), 6, v, v, v, v);
    REFUSED(dword_atomic, 0, VEU_ATOMIC_ADD, 32, veu_m(1, 32), 6, v, v, v, v);
    REFUSED(typed_atomic, 0, VEU_ATOMIC_ADD, 64, veu_m(1, 8), 6, t, v, v, v);
    REFUSED(typed_atomic, 0, VEU_ATOMIC_ADD, 32, veu_m(1, 32), 6, t, v, v, v);
    REFUSED(svm_block_ld, 16, 0, veu_ud(0), v);
    REFUSED(svm_block_ld, 1, 0x40, veu_ud(0), v);
    REFUSED(svm_block_st, 3, VEU_SVM_UNALIGNED, veu_ud(0), v);
    REFUSED(svm_gather4scaled, 0, 0, veu_m(1, 8), veu_ud(0), v, v);
    REFUSED(svm_scatter4scaled, 0, 1, veu_m(1, 32), veu_ud(0), v, v);
#undef REFUSED
}

/* --- Programs ------------------------------------------------------------ */

#define PROGRAM_BYTES 1024
#define CODE_AT       96 /* after the header, and a table of four sections */

static uint8_t program_memory[PROGRAM_BYTES] __attribute__((aligned(64)));

static struct veu_program begin(void)
{
    struct veu_program p;

    memset(program_memory, 0xaa, sizeof(program_memory));
    veu_program_begin(&p, program_memory, sizeof(program_memory), 32);
    return p;
}

static const struct veu_section *find_section(uint32_t type)
{
    const struct veu_program_header *h = (const void *)program_memory;
    const struct veu_section *table = (const void *)(h + 1);

    for (unsigned i = 0; i < h->section_count; i++) {
        if (table[i].type == type) {
            return &table[i];
        }
    }
    return NULL;
}

static void assert_section(uint32_t type, const void *content, uint32_t bytes)
{
    const struct veu_section *s = find_section(type);

    g_assert_nonnull(s);
    g_assert_cmpmem(program_memory + s->offset, s->bytes, content, bytes);
}

/* A program with something in each of its sections. */
static struct veu_program build(void)
{
    struct veu_program p = begin();

    g_assert_cmpuint(veu_program_variable(&p, VEU_TYPE_UB, 5), ==, 32);
    g_assert_cmpuint(veu_program_variable(&p, VEU_TYPE_UQ, 9), ==, 33);
    g_assert_cmpuint(veu_program_variable_at(&p, 40, VEU_TYPE_HF, 1), ==, 34);
    g_assert_cmpuint(veu_program_predicate(&p, 1), ==, 1);
    g_assert_cmpuint(veu_program_predicate(&p, 32), ==, 2);
    g_assert_cmpuint(veu_program_address(&p, 16), ==, 0);
    g_assert_cmpuint(veu_program_address(&p, 1), ==, 1);
    g_assert_cmpuint(veu_program_address(&p, 12), ==, 2);
    veu_encode_fence(&p.code, 7);
    return p;
}

static void test_programs_have_their_sections(void)
{
    static const uint8_t fence[] = { 0x5c, 7 };
    static const struct veu_variable variables[] = {
        { .offset = 0, .elements = 5, .type = VEU_TYPE_UB },
        { .offset = 32, .elements = 9, .type = VEU_TYPE_UQ },
        { .offset = 40, .elements = 1, .type = VEU_TYPE_HF },
    };
    static const struct veu_predicate predicates[] = { { .bits = 1 },
                                                       { .bits = 32 } };
    static const struct veu_address addresses[] = { { .elements = 16 },
                                                    { .elements = 1 },
                                                    { .elements = 12 } };
    const struct veu_program_header *h = (const void *)program_memory;
    struct veu_program p = build();
    uint32_t bytes = veu_program_end(&p);

    g_assert_cmpuint(h->bytes, ==, bytes);
    g_assert_cmphex(h->magic, ==, 0x50554556);
    g_assert_cmpuint(h->version, ==, 1);
    g_assert_cmpuint(h->kind, ==, 0);
    g_assert_cmpuint(h->grf_bytes, ==, 32);
    g_assert_cmpuint(h->register_bytes, ==, 128); /* 104, in whole registers */
    g_assert_cmpuint(h->section_count, ==, 4);
    assert_section(VEU_SECTION_CODE, fence, sizeof(fence));
    assert_section(VEU_SECTION_VARIABLES, variables, sizeof(variables));
    assert_section(VEU_SECTION_PREDICATES, predicates, sizeof(predicates));
    assert_section(VEU_SECTION_ADDRESSES, addresses, sizeof(addresses));
    g_assert_cmphex(program_memory[bytes], ==, 0xaa);
}

/* "Types without a size are no types of variables." */
static void test_variables_have_the_sizes_of_their_types(void)
{
    static const uint8_t bytes[] = {
        [VEU_TYPE_UD] = 4, [VEU_TYPE_D] = 4,  [VEU_TYPE_UW] = 2,
        [VEU_TYPE_W] = 2,  [VEU_TYPE_UB] = 1, [VEU_TYPE_B] = 1,
        [VEU_TYPE_DF] = 8, [VEU_TYPE_F] = 4,  [VEU_TYPE_Q] = 8,
        [VEU_TYPE_HF] = 2, [VEU_TYPE_UQ] = 8, [VEU_TYPE_BF] = 2,
        [VEU_TYPE_V] = 0,  [VEU_TYPE_VF] = 0, [VEU_TYPE_BOOL] = 0,
        [VEU_TYPE_UV] = 0,
    };

    for (unsigned type = 0; type < G_N_ELEMENTS(bytes); type++) {
        struct veu_program p = begin();
        uint32_t id = veu_program_variable(&p, type, 7);

        g_assert_cmpuint(id, ==, bytes[type] ? 32 : 0);
        g_assert_true(p.failed == !bytes[type]);
        g_assert_cmpuint(p.register_bytes, ==, 7 * bytes[type]);
    }
}

static void test_builders_have_limits(void)
{
    struct veu_program p;

#define REFUSED(call)        \
    call;                    \
    g_assert_true(p.failed); \
    g_assert_cmpuint(veu_program_end(&p), ==, 0)
#define LIMIT(most, call)                 \
    p = begin();                          \
    for (unsigned i = 0; i < most; i++) { \
        call;                             \
        g_assert_false(p.failed);         \
    }                                     \
    REFUSED(call)
#define NONE(call) \
    p = begin();   \
    REFUSED(call)
#define TAKEN(call) \
    p = begin();    \
    call;           \
    g_assert_false(p.failed)
    LIMIT(VEU_BUILDER_VARIABLES, veu_program_variable(&p, VEU_TYPE_UD, 1));
    LIMIT(VEU_BUILDER_PREDICATES, veu_program_predicate(&p, 8));
    LIMIT(VEU_BUILDER_ADDRESSES, veu_program_address(&p, 1));
    NONE(veu_program_variable(&p, VEU_TYPE_UD, 0));
    NONE(veu_program_variable(&p, VEU_TYPE_UD, 65536));
    NONE(veu_program_predicate(&p, 0));
    NONE(veu_program_predicate(&p, 33));
    NONE(veu_program_address(&p, 0));
    NONE(veu_program_address(&p, 17));
    TAKEN(veu_program_variable(&p, VEU_TYPE_UD, 65535));
#undef REFUSED
#undef LIMIT
#undef NONE
#undef TAKEN
}

/*
 * The smallest memory that has room is enough, and nothing past it is written
 * except the fence, which was encoded before.
 */
static void test_programs_need_their_room(void)
{
    struct veu_program p = build();
    uint32_t bytes = veu_program_end(&p);

    for (uint32_t capacity = 0; capacity <= bytes; capacity++) {
        p = build();
        p.capacity = capacity;
        g_assert_cmpuint(veu_program_end(&p), ==,
                         capacity == bytes ? bytes : 0);
        g_assert_cmphex(program_memory[MAX(capacity, CODE_AT + 2)], ==, 0xaa);
    }
    veu_program_begin(&p, program_memory, CODE_AT - 1, 32);
    g_assert_cmpuint(veu_program_end(&p), ==, 0);
    veu_program_begin(&p, program_memory, CODE_AT, 32);
    g_assert_false(p.failed);
    g_assert_false(veu_encode_fence(&p.code, 1));
    g_assert_cmpuint(veu_program_end(&p), ==, 0);
}

/* docs/spec.md, "Payload": predicates, elements of addresses, registers. */
static void test_payloads_have_their_parts(void)
{
    struct veu_program p = build();
    uint8_t *payload = NULL;

    g_assert_cmpuint(veu_program_address_at(&p, 0), ==, 0);
    g_assert_cmpuint(veu_program_address_at(&p, 2), ==, 17);
    g_assert_cmpuint(veu_program_offset(&p, 33), ==, 32);
    /* 2 words and 29 elements are 66 bytes, after a header of 64 */
    g_assert_cmpuint(veu_payload_head_bytes(&p), ==, 192);
    g_assert_cmpuint(veu_payload_bytes(&p), ==, 192 + 104);
    payload = program_memory;
    g_assert_true((uint8_t *)veu_payload_predicates(payload) == payload + 64);
    g_assert_true((uint8_t *)veu_payload_addresses(payload, &p) ==
                  payload + 72);
    g_assert_true(veu_payload_registers(payload, &p) == payload + 192);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/guest-encode/" #name, test_##name)
    RULE(messages_have_the_bytes_of_the_specification);
    RULE(memory_that_is_too_small_fails);
    RULE(failures_stick);
    RULE(illegal_sizes_are_refused);
    RULE(programs_have_their_sections);
    RULE(variables_have_the_sizes_of_their_types);
    RULE(builders_have_limits);
    RULE(programs_need_their_room);
    RULE(payloads_have_their_parts);
#undef RULE
    return g_test_run();
}
