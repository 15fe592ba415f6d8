/*
 * veu tests: random legal messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is legal: semantics.md, section 2, and spec.md. The random test verifies
 * this: the second implementation has to accept each message.
 */
#include <string.h>
#include "tests/lib/random_message.h"

#define OFFSETS   (1u << VEU_TYPE_UD | 1u << VEU_TYPE_D)
#define ADDRESSES (1u << VEU_TYPE_UQ | 1u << VEU_TYPE_Q)
#define DWORDS    (OFFSETS | 1u << VEU_TYPE_F)
#define QWORDS    (ADDRESSES | 1u << VEU_TYPE_DF)
#define ANY       UINT32_MAX
#define INTEGERS  0x283fu /* ud d uw w ub b uq q */

static bool has(const TestMessage *m, TestField field)
{
    return test_kind_has(m->kind, field);
}

static bool is_svm(const TestMessage *m)
{
    return test_layouts[m->kind].opcode == 0x4e;
}

/* log2 of the lanes that the kind may have. */
static unsigned random_size(const World *w, TestKind kind)
{
    switch (kind) {
    case TEST_GATHER:
    case TEST_SCATTER:
        return world_chance(w, 20) ? 0 : 3 + world_below(w, 2);
    case TEST_GATHER4_TYPED:
    case TEST_SCATTER4_TYPED:
    case TEST_TYPED_ATOMIC:
    case TEST_SVM_GATHER4_SCALED:
    case TEST_SVM_SCATTER4_SCALED:
        return 3 + world_below(w, 2);
    case TEST_GATHER_SCALED:
    case TEST_SCATTER_SCALED:
        return world_below(w, 6);
    case TEST_SVM_ATOMIC:
        return world_below(w, 4);
    default:
        return world_below(w, 5);
    }
}

static unsigned random_lanes(const World *w, TestMessage *m)
{
    unsigned simd = w->eu->simd;
    unsigned size;
    unsigned lanes;
    unsigned mask;

    do {
        size = random_size(w, m->kind);
        lanes = 1u << size;
    } while (lanes > simd);
    mask = lanes < 4 ? world_below(w, simd / 4) :
                       world_below(w, simd / lanes) * lanes / 4;
    mask |= world_chance(w, 30) ? 8 : 0;
    m->exec = mask << 4 | size;
    m->num_elts = mask << 4 | (size == 0 ? 2 : size - 3);
    return lanes;
}

static uint16_t random_pred(const World *w, const TestMessage *m,
                            unsigned lanes)
{
    unsigned id = 1 + world_below(w, w->program.predicate_count);

    if (world_chance(w, 50) ||
        (m->exec >> 4 & 7) * 4 + lanes > w->predicates[id - 1].bits) {
        return 0;
    }
    return id | world_below(w, 3) << 13 | (world_chance(w, 50) ? 0x8000 : 0);
}

/* Returns a large enough variable of one of @types (one bit each), or null. */
static TestRaw random_raw(const World *w, uint32_t types, uint32_t bytes)
{
    const EuFixture *eu = w->eu;
    unsigned grf = eu->grf_bytes;

    for (unsigned tries = 0; tries < 40 && !world_chance(w, 1); tries++) {
        unsigned i = world_below(w, WORLD_VARIABLES);
        const struct veu_variable *v = &eu->variables[i];
        uint32_t size = v->elements * ref_type_bytes(v->type);

        if ((types >> v->type & 1) && size >= bytes) {
            uint32_t grfs = (size - bytes) / grf + 1;

            /* often the last one */
            return (TestRaw){
                32 + i,
                (world_chance(w, 20) ? grfs - 1 : world_below(w, grfs)) * grf
            };
        }
    }
    return (TestRaw){ 0, world_below(w, 65536) };
}

/* Returns an element of an integer variable. */
static TestScalar random_general(const World *w, unsigned i)
{
    const struct veu_variable *v = &w->eu->variables[i];
    unsigned size = ref_type_bytes(v->type);
    unsigned last = MIN(v->elements - 1, 255);
    TestScalar s = test_general(32 + i, 0, world_below(w, last + 1));

    if (s.column == 0 && w->eu->grf_bytes <= last * size) {
        s.row = world_below(w, last * size / w->eu->grf_bytes + 1);
    }
    s.region = g_rand_int(w->rng);
    return s;
}

static uint8_t integer_type(const World *w)
{
    static const uint8_t types[] = { 0, 0, 1, 2, 3, 4, 5, 11, 11, 13 };

    return types[world_below(w, sizeof(types))];
}

static TestScalar random_scalar(const World *w, const TestMessage *m)
{
    unsigned i = world_below(w, WORLD_VARIABLES);
    unsigned a = world_below(w, w->program.address_count);

    if (world_chance(w, 30)) {
        return test_indirect(a, world_below(w, w->addresses[a].elements),
                             (int)world_below(w, 64) - 32, integer_type(w));
    }
    if (world_chance(w, 60) && (INTEGERS >> w->eu->variables[i].type & 1)) {
        return random_general(w, i);
    }
    if (is_svm(m)) {
        uint64_t address = world_address(w);

        address &= world_chance(w, 90) ? ~UINT64_C(15) : UINT64_MAX;
        return (TestScalar){ .tag = TEST_CLASS_IMMEDIATE,
                             .type = VEU_TYPE_UQ,
                             .value = address };
    }
    return (TestScalar){ .tag = TEST_CLASS_IMMEDIATE,
                         .type = integer_type(w),
                         .value = world_chance(w, 80) ? world_below(w, 64) * 4 :
                                                        world_random64(w) };
}

/* Returns true, mostly, if the message accepts the surface. */
static bool fits(const TestMessage *m, const struct veu_surface *s)
{
    const RefFormat *f = s->type == VEU_SURFACE_NULL ? NULL :
                                                       ref_format(s->format);

    switch (m->kind) {
    case TEST_MEDIA_LD:
    case TEST_MEDIA_ST:
        return s->type == VEU_SURFACE_2D;
    case TEST_GATHER4_TYPED:
    case TEST_SCATTER4_TYPED:
        return f && f->code != VEU_FORMAT_RAW && !(s->flags & VEU_SURFACE_SLM);
    case TEST_TYPED_ATOMIC:
        return f && f->atomics && !(s->flags & VEU_SURFACE_SLM) &&
               ref_texel_bytes(f) == (m->op & TEST_16_BIT ? 2 : 4);
    default:
        return s->type == VEU_SURFACE_BUFFER;
    }
}

static uint8_t random_surface(const World *w, const TestMessage *m)
{
    bool buffer = !has(m, TEST_FIELD_V) && !has(m, TEST_FIELD_Y);

    if (world_chance(w, 2)) {
        return world_below(w, 32);
    }
    if (world_chance(w, buffer ? 25 : 1)) {
        return world_chance(w, 50) ? 0 : 5;
    }
    for (unsigned tries = 0; tries < 50; tries++) {
        unsigned i = world_below(w, w->thread.surface_count);

        if (fits(m, &w->surfaces[i])) {
            return 6 + i;
        }
    }
    return 6 + world_below(w, w->thread.surface_count);
}

static void random_owords(const World *w, TestMessage *m)
{
    m->size = world_below(w, 4);
    if (is_svm(m)) {
        m->size |= world_chance(w, 30) ? TEST_UNALIGNED_PAGE : 0;
        m->size |= world_chance(w, 30) ? TEST_UNALIGNED_COMPILER : 0;
    } else if (m->surface == 0 && world_chance(w, 30)) {
        m->size = 4;
    }
    m->data = random_raw(w, ANY, 16 << (m->size & 7));
}

static void random_media(const World *w, TestMessage *m)
{
    static const uint8_t load_modes[] = { 0, 1, 2, 3, 4, 5 };
    static const uint8_t store_modes[] = { 0, 2, 3 };
    unsigned pitch = 4;

    m->mode = m->kind == TEST_MEDIA_LD ? load_modes[world_below(w, 6)] :
                                         store_modes[world_below(w, 3)];
    m->mode = world_chance(w, 50) ? 0 : m->mode;
    m->plane = world_chance(w, 98) ? 0 : world_below(w, 4);
    m->width = 1 + world_below(w, world_chance(w, 50) ? 16 : 64);
    while (pitch < m->width) {
        pitch *= 2;
    }
    m->height = 1 + world_below(w, MIN(256 / pitch, 64));
    m->data = random_raw(w, ANY, (m->height - 1) * pitch + m->width);
}

static void random_atomic(const World *w, TestMessage *m, unsigned lanes)
{
    unsigned operation = m->op & 0x1f;
    bool wide = m->op & TEST_64_BIT;
    uint32_t types = wide ? QWORDS : DWORDS;
    uint32_t bytes = lanes * (wide ? 8 : 4);

    m->data = random_raw(w, types, bytes);
    if (operation != TEST_INC && operation != TEST_DEC &&
        operation != TEST_PREDEC) {
        m->src0 = random_raw(w, types, bytes);
    }
    if (operation == TEST_CMPXCHG || operation == TEST_FCMPWR) {
        m->src1 = random_raw(w, types, bytes);
    }
}

static uint8_t random_op(const World *w, TestKind kind)
{
    unsigned operation = world_below(w, 19);

    operation += operation > TEST_PREDEC ? 2 : 0;
    switch (world_below(w, kind == TEST_SVM_ATOMIC ? 3 : 2)) {
    case 0:
        return operation;
    case 1:
        return operation | TEST_16_BIT;
    default:
        return operation | TEST_64_BIT;
    }
}

/* Chooses data of @lanes lanes for each channel or block, or as a whole. */
static void random_data(const World *w, TestMessage *m, unsigned lanes)
{
    static const uint8_t block_bytes[] = { 1, 4, 8, 8 };
    unsigned stride = MAX(lanes, w->eu->grf_bytes / 4);
    unsigned channels = __builtin_popcount(m->channels);
    unsigned blocks;

    switch (m->kind) {
    case TEST_SVM_GATHER:
    case TEST_SVM_SCATTER:
        m->block_size = world_below(w, m->kind == TEST_SVM_GATHER ? 4 : 3);
        m->num_blocks = world_below(w, lanes == 8 && m->block_size < 2 ? 4 : 3);
        blocks = block_bytes[m->block_size] << m->num_blocks;
        m->data = random_raw(w, ANY, lanes * MAX(4, blocks));
        break;
    case TEST_QW_GATHER:
    case TEST_QW_SCATTER:
        m->num_blocks = 0;
        m->data = random_raw(w, QWORDS, lanes * 8);
        break;
    default:
        if (!has(m, TEST_FIELD_CHANNELS)) {
            channels = 1;
        }
        m->data = random_raw(w, is_svm(m) ? ANY : DWORDS,
                             ((channels - 1) * stride + lanes) * 4);
    }
}

static void random_coordinates(const World *w, TestMessage *m, unsigned lanes)
{
    TestRaw *raw[] = { &m->v, &m->r, &m->lod };
    static const unsigned null[] = { 10, 20, 60 };

    for (unsigned i = 0; i < G_N_ELEMENTS(raw); i++) {
        if (!world_chance(w, null[i])) {
            *raw[i] = random_raw(w, OFFSETS, lanes * 4);
        }
    }
}

TestMessage random_message(const World *w, TestKind kind)
{
    TestMessage m = { .kind = kind };
    unsigned lanes = random_lanes(w, &m);

    m.pred = random_pred(w, &m, lanes);
    m.elt_size = world_below(w, 3);
    m.is_modified = g_rand_int(w->rng);
    m.scale = g_rand_int(w->rng);
    m.block_size = g_rand_int(w->rng);
    m.num_blocks = world_below(w, 3);
    m.channels = 1 + world_below(w, 15);
    m.mask = g_rand_int(w->rng);
    m.op = random_op(w, kind);
    m.surface = random_surface(w, &m);
    m.offset = random_scalar(w, &m);
    m.y = random_scalar(w, &m);
    m.address = random_raw(w, is_svm(&m) ? ADDRESSES : OFFSETS,
                           lanes * (is_svm(&m) ? 8 : 4));
    random_coordinates(w, &m, lanes);
    if (has(&m, TEST_FIELD_OP)) {
        random_atomic(w, &m, lanes);
    } else if (has(&m, TEST_FIELD_WIDTH)) {
        random_media(w, &m);
    } else if (has(&m, TEST_FIELD_SIZE)) {
        random_owords(w, &m);
    } else {
        random_data(w, &m, lanes);
    }
    return m;
}
