/*
 * veu unit tests: random messages against the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers, guest memory, shared local memory and faults have to be the same
 * after every message. VEU_TEST_SEED repeats a run, VEU_TEST_MESSAGES makes it
 * longer or shorter.
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include "tests/lib/eu_fixture.h"
#include "tests/lib/random_surface.h"
#include "tests/lib/ref.h"
#include "tests/lib/ref_surface.h"

#define MESSAGES       1000000
#define WORLD_MESSAGES 64

#define RAM_TOP   (UINT64_MAX - 2 * TEST_PAGE_BYTES + 1)
#define LOW       UINT64_C(0x0)
#define MIDDLE    UINT64_C(0x1234567000)
#define ROM       UINT64_C(0x123456b000)
#define VARIABLES 24

typedef struct World {
    EuFixture *eu;
    TestMemory ref_memory;
    uint8_t ref_registers[EU_REGISTER_BYTES];
    uint8_t ref_slm[EU_SLM_BYTES];
    struct veu_surface surfaces[EU_SURFACES];
    struct veu_predicate predicates[EU_PREDICATES];
    RefProgram program;
    RefThread thread;
} World;

static GRand *rng;
/* Those that the second implementation knows. */
static const TestKind kinds[] = { TEST_GATHER,         TEST_GATHER_SCALED,
                                  TEST_SCATTER_SCALED, TEST_GATHER4_TYPED,
                                  TEST_SCATTER4_TYPED, TEST_SVM_GATHER };

static uint64_t clean[TEST_KINDS]; /* some lanes ran and none faulted */
static uint64_t faulted;
static uint64_t refused;

static uint32_t below(uint32_t n)
{
    return g_rand_int(rng) % n;
}

static bool chance(unsigned percent)
{
    return below(100) < percent;
}

static uint64_t random64(void)
{
    return (uint64_t)g_rand_int(rng) << 32 | g_rand_int(rng);
}

/* Where something may be: RAM, near its ends, ROM, a hole, the ends of all. */
static uint64_t random_address(void)
{
    static const uint64_t places[] = {
        LOW,
        MIDDLE,
        MIDDLE,
        MIDDLE + TEST_PAGE_BYTES,
        MIDDLE + 3 * TEST_PAGE_BYTES,
        ROM,
        ROM + TEST_PAGE_BYTES,
        RAM_TOP,
    };
    uint64_t place = places[below(G_N_ELEMENTS(places))];

    switch (below(4)) {
    case 0:
        return place + below(64);
    case 1:
        return place + TEST_PAGE_BYTES - below(80);
    default:
        return place + below(TEST_PAGE_BYTES);
    }
}

static void add_memory(TestMemory *m)
{
    test_memory_add(m, LOW, TEST_PAGE_BYTES, true);
    /* 0 and 3 pages on: a hole, so some surfaces have one inside */
    test_memory_add(m, MIDDLE, 3 * TEST_PAGE_BYTES, true);
    test_memory_add(m, ROM, 2 * TEST_PAGE_BYTES, false);
    test_memory_add(m, RAM_TOP, 2 * TEST_PAGE_BYTES, true);
    for (unsigned i = 0; i < m->count; i++) {
        for (unsigned at = 0; at < TEST_PAGE_BYTES; at += 4) {
            uint32_t value = g_rand_int(rng);

            memcpy(m->page[i].bytes + at, &value, 4);
        }
    }
}

/* All shapes, formats and tilings; half of them in a page or so. */
static void random_surface(struct veu_surface *s)
{
    static const TestExtent small = { 24, 12, 6, 2 };
    static const TestExtent large = { 3000, 300, 30, 2 };
    const RefFormat *f = &ref_formats[below(ref_format_count)];
    const TestShape *shape = &test_shapes[below(TEST_SHAPES)];
    unsigned texel = ref_texel_bytes(f);

    *s = (struct veu_surface){ .type = VEU_SURFACE_NULL };
    if (chance(10)) {
        return;
    }
    if (!*f->channels || chance(30)) {
        shape = &test_shapes[TEST_BUFFER];
    }
    *s = test_random_surface(rng, shape, test_random_tiling(rng, shape),
                             f->code, chance(80) ? &small : &large);
    s->base = random_address() / (s->tiling ? 4096 : texel) *
              (s->tiling ? 4096 : texel);
    if (s->type == VEU_SURFACE_BUFFER && chance(30)) {
        s->flags = VEU_SURFACE_SLM;
        s->base = below(EU_SLM_BYTES * 3 / 2) / texel * texel;
    }
    /* Near the top of the address space it might wrap: not legal. */
    if (s->base + ref_surface_bytes(s) < s->base) {
        s->base = MIDDLE;
    }
}

static void add_surfaces(World *w)
{
    w->thread.surface_count = 1 + below(EU_SURFACES - 1);
    for (unsigned i = 0; i < w->thread.surface_count; i++) {
        random_surface(&w->surfaces[i]);
        eu_surface(w->eu, &w->surfaces[i]);
    }
}

static void add_variables(World *w)
{
    static const uint8_t types[] = { 0,  0,  0, 0, 1, 1, 7, 7,  11,
                                     11, 13, 2, 3, 4, 5, 6, 14, 15 };

    for (unsigned i = 0; i < VARIABLES; i++) {
        uint8_t type = types[below(sizeof(types))];
        unsigned size = ref_type_bytes(type);
        unsigned bytes = chance(20) ? 1 + below(256) : 256 + below(1024);
        unsigned elements = MAX(1, bytes / size);
        uint32_t offset = below(EU_REGISTER_BYTES - elements * size + 1);

        /* Some overlap on purpose; some start at no multiple of anything. */
        offset = chance(40) ? below(512) : offset;
        eu_variable(w->eu, offset, elements, type);
    }
    for (unsigned i = 0; i < EU_PREDICATES; i++) {
        unsigned bits = chance(60) ? 32 : 1 + below(32);

        w->predicates[i].bits = bits;
        eu_predicate(w->eu, bits, 0);
    }
}

static void world_new(World *w)
{
    EuFixture *eu = eu_new();

    memset(w, 0, sizeof(*w));
    w->eu = eu;
    test_memory_free(&eu->memory);
    test_memory_init(&eu->memory);
    add_memory(&eu->memory);
    test_memory_copy(&w->ref_memory, &eu->memory);
    static const unsigned simds[] = { 8, 16, 32, 32 };
    eu->simd = simds[below(4)];
    eu->grf_bytes = chance(50) ? 32 : 64;
    add_variables(w);
    add_surfaces(w);
    w->program = (RefProgram){
        .simd = eu->simd,
        .grf_bytes = eu->grf_bytes,
        .variable_count = eu->variable_count,
        .variables = eu->variables,
        .predicate_count = eu->predicate_count,
        .predicates = w->predicates,
    };
    w->thread.program = &w->program;
    w->thread.memory = &w->ref_memory;
    w->thread.registers = w->ref_registers;
    w->thread.register_bytes = EU_REGISTER_BYTES;
    w->thread.predicates = eu->predicates;
    w->thread.surfaces = w->surfaces;
    w->thread.slm = w->ref_slm;
}

static void world_free(World *w)
{
    test_memory_free(&w->ref_memory);
    eu_free(w->eu);
}

/* What a thread starts with: anew for every message, alike on both sides. */
static void randomise_thread(World *w)
{
    EuFixture *eu = w->eu;
    VeuThread *t = &eu->thread;

    eu->config.undefined = chance(50) ? 0 : g_rand_int(rng);
    eu->config.strict_types = chance(20);
    eu->config.check = chance(20);
    t->exec_mask = chance(40) ? UINT32_MAX : g_rand_int(rng);
    t->stateless_base = chance(80) ? MIDDLE + below(8192) : random_address();
    t->stateless_bytes = chance(80) ? below(8192) : random64() >> 31;
    if (t->stateless_base + t->stateless_bytes < t->stateless_base) {
        t->stateless_bytes = 0;
    }
    t->slm_bytes = chance(10) ? 0 : below(EU_SLM_BYTES + 1);
    for (unsigned i = 0; i < EU_PREDICATES; i++) {
        eu->predicates[i] = chance(20) ? 0 :
                            chance(20) ? UINT32_MAX :
                                         g_rand_int(rng);
    }
    w->thread.exec_mask = t->exec_mask;
    w->thread.stateless_base = t->stateless_base;
    w->thread.stateless_bytes = t->stateless_bytes;
    w->thread.slm_bytes = t->slm_bytes;
    w->thread.undefined = eu->config.undefined;
    w->thread.strict_types = eu->config.strict_types;
}

/* A variable of one of @types (a bit each) that is large enough, or null. */
static TestRaw random_raw(const World *w, uint32_t types, uint32_t bytes)
{
    const EuFixture *eu = w->eu;
    unsigned grf = eu->grf_bytes;

    for (unsigned tries = 0; tries < 20; tries++) {
        unsigned i = below(VARIABLES);
        const struct veu_variable *v = &eu->variables[i];
        uint32_t size = v->elements * ref_type_bytes(v->type);

        if ((types >> v->type & 1) && size >= bytes) {
            return (TestRaw){ 32 + i, below((size - bytes) / grf + 1) * grf };
        }
    }
    return (TestRaw){ 0, below(65536) };
}

static TestScalar random_scalar(const World *w)
{
    static const uint8_t types[] = { 0, 1, 2, 3, 4, 5, 11, 13 };
    const uint32_t integers = 0x283f; /* ud d uw w ub b uq q */
    unsigned i = below(VARIABLES);
    const struct veu_variable *v = &w->eu->variables[i];
    unsigned size = ref_type_bytes(v->type);
    unsigned last = v->elements - 1;

    if (chance(50) || !(integers >> v->type & 1)) {
        TestScalar s = { .tag = TEST_CLASS_IMMEDIATE,
                         .type = types[below(sizeof(types))],
                         .value = chance(60) ? below(300) : random64() };
        return s;
    }
    last = MIN(last, 255);
    TestScalar s = test_general(32 + i, 0, below(last + 1));
    if (w->eu->grf_bytes + size <= v->elements * size && s.column == 0) {
        s.row = below((v->elements * size - size) / w->eu->grf_bytes + 1);
    }
    s.region = g_rand_int(rng);
    return s;
}

#define OFFSETS   (1u << VEU_TYPE_UD | 1u << VEU_TYPE_D)
#define ADDRESSES (1u << VEU_TYPE_UQ | 1u << VEU_TYPE_Q)
#define DATA      (OFFSETS | 1u << VEU_TYPE_F)

static bool is_typed(TestKind kind)
{
    return kind == TEST_GATHER4_TYPED || kind == TEST_SCATTER4_TYPED;
}

static const uint8_t lane_counts[] = { 1, 2, 4, 8, 16, 32 };

static void random_sizes(const World *w, TestMessage *m, unsigned *lanes)
{
    unsigned simd = w->eu->simd;
    unsigned size;
    unsigned mask;

    do {
        size = is_typed(m->kind)          ? 3 + below(2) :
               m->kind == TEST_SVM_GATHER ? below(5) :
               m->kind == TEST_GATHER     ? 3 + below(2) :
                                            below(6);
        if (m->kind == TEST_GATHER && chance(20)) {
            size = 0;
        }
    } while (lane_counts[size] > simd);
    *lanes = lane_counts[size];
    mask = below(simd / *lanes) * *lanes / 4;
    if (*lanes < 4) {
        mask = below(simd / 4);
    }
    mask |= chance(30) ? 8 : 0;
    m->exec = mask << 4 | size;
    m->num_elts = mask << 4 | (size == 0 ? 2 : size - 3);
}

static uint16_t random_pred(const World *w, const TestMessage *m,
                            unsigned lanes)
{
    unsigned id = 1 + below(EU_PREDICATES);

    if (chance(50) ||
        (m->exec >> 4 & 7) * 4 + lanes > w->predicates[id - 1].bits) {
        return 0;
    }
    return id | below(3) << 13 | (chance(50) ? 0x8000 : 0);
}

static void random_message(const World *w, TestMessage *m, unsigned *lanes)
{
    unsigned data_bytes;

    *m = (TestMessage){ .kind = kinds[below(G_N_ELEMENTS(kinds))] };
    random_sizes(w, m, lanes);
    m->pred = random_pred(w, m, *lanes);
    m->elt_size = below(3);
    m->is_modified = g_rand_int(rng);
    m->scale = g_rand_int(rng);
    m->channels = 1 + below(15);
    m->surface = chance(90) ? 6 + below(w->thread.surface_count) : below(32);
    m->surface = chance(10) ? 0 : chance(10) ? 5 : m->surface;
    m->offset = random_scalar(w);
    m->num_blocks = below(3);
    m->block_size = g_rand_int(rng);
    data_bytes = *lanes * 4;
    if (m->kind == TEST_SVM_GATHER) {
        static const uint8_t sizes[] = { 1, 4, 8, 8 };

        m->block_size = below(4);
        m->num_blocks = below(*lanes == 8 && m->block_size < 2 ? 4 : 3);
        data_bytes = *lanes * MAX(4, sizes[m->block_size] << m->num_blocks);
        m->address = random_raw(w, ADDRESSES, *lanes * 8);
        m->data = random_raw(w, UINT32_MAX, data_bytes);
        return;
    }
    if (is_typed(m->kind)) {
        unsigned stride = MAX(*lanes, w->eu->grf_bytes / 4);

        data_bytes += (__builtin_popcount(m->channels) - 1) * stride * 4;
    }
    m->address = random_raw(w, OFFSETS, *lanes * 4);
    m->v = chance(20) ? (TestRaw){ 0 } : random_raw(w, OFFSETS, *lanes * 4);
    m->r = chance(20) ? (TestRaw){ 0 } : random_raw(w, OFFSETS, *lanes * 4);
    m->lod = chance(70) ? (TestRaw){ 0 } : random_raw(w, OFFSETS, *lanes * 4);
    m->data = random_raw(w, DATA, data_bytes);
}

static uint32_t variable_at(const World *w, TestRaw raw)
{
    return raw.id ? w->eu->variables[raw.id - 32].offset + raw.byte : 0;
}

/* Coordinates that hit more often than not. */
static void put_coordinates(const World *w, TestRaw raw, unsigned lanes,
                            unsigned range)
{
    uint32_t at = variable_at(w, raw);

    for (unsigned i = 0; raw.id && i < lanes; i++) {
        eu_set32(w->eu, at, i, chance(95) ? below(range) : g_rand_int(rng));
    }
}

static void put_operands(const World *w, const TestMessage *m, unsigned lanes)
{
    static const uint32_t floats[] = {
        0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
        0xff800000, 0x7fc00001, 0xff812345, 0x3f000000, 0x33800000,
        0x477fefff, 0x477ff000, 0x387fffff, 0x00000001, 0x3b008081,
    };
    uint8_t *registers = w->eu->registers;

    for (unsigned i = 0; i < 64; i++) {
        registers[below(EU_REGISTER_BYTES)] = g_rand_int(rng);
    }
    if (m->kind == TEST_SVM_GATHER) {
        uint32_t at = variable_at(w, m->address);

        for (unsigned i = 0; m->address.id && i < lanes; i++) {
            uint64_t address = random_address();

            address &= chance(90) ? ~UINT64_C(7) : UINT64_MAX;
            eu_set64(w->eu, at, i, address);
        }
        return;
    }
    if (is_typed(m->kind)) {
        for (unsigned i = 0; m->data.id && i < lanes * 4; i++) {
            uint32_t at = variable_at(w, m->data) + i * 4;

            if (at + 4 <= EU_REGISTER_BYTES) {
                eu_set32(w->eu, at, 0,
                         chance(50) ? g_rand_int(rng) :
                                      floats[below(G_N_ELEMENTS(floats))]);
            }
        }
        put_coordinates(w, m->lod, lanes, 4);
        put_coordinates(w, m->r, lanes, 7);
        put_coordinates(w, m->v, lanes, 13);
        put_coordinates(w, m->address, lanes, 26);
        return;
    }
    put_coordinates(w, m->address, lanes, chance(50) ? 64 : 6000);
}

static void compare_faults(const VeuFault *a, const RefFault *b)
{
    g_assert_cmphex(a->code, ==, b->code);
    g_assert_cmpuint(a->detail, ==, b->detail);
    g_assert_cmpuint(a->access, ==, b->access);
    g_assert_cmphex(a->lane, ==, b->lane);
    g_assert_cmphex(a->element, ==, b->element);
    g_assert_cmphex(a->address, ==, b->address);
    g_assert_cmpuint(a->bytes, ==, b->bytes);
    g_assert_cmpuint(a->bytes_done, ==, b->bytes_done);
    g_assert_cmphex(a->lanes, ==, b->lanes);
}

static void show(const TestCode *code, uint64_t number)
{
    GString *hex = g_string_new(NULL);

    for (unsigned i = 0; i < code->count; i++) {
        g_string_append_printf(hex, "%02x", code->bytes[i]);
    }
    g_test_message("message %" G_GUINT64_FORMAT ": %s", number, hex->str);
    g_string_free(hex, TRUE);
}

/* Decodes on both sides; true when it is legal. */
static bool decode_both(World *w, const TestCode *code, RefMessage *ref)
{
    RefFault fault;
    bool legal = ref_decode(&w->program, code->bytes, code->count, ref, &fault);
    bool ok = eu_decode_bytes(w->eu, code->bytes, code->count);

    /* The second implementation does not know all messages yet. */
    if (!legal && fault.code == VEU_FAULT_MESSAGE_OPCODE) {
        return false;
    }
    if (!legal) {
        compare_faults(&w->eu->fault, &fault);
        g_assert_false(ok);
        return false;
    }
    g_assert_cmphex(w->eu->fault.code, ==, 0);
    g_assert_true(ok);
    g_assert_cmpuint(w->eu->next, ==, ref->bytes);
    return true;
}

static void execute_both(World *w, const RefMessage *m)
{
    EuFixture *eu = w->eu;
    RefFault fault;
    bool ok;

    memcpy(w->ref_registers, eu->registers, EU_REGISTER_BYTES);
    memcpy(w->ref_slm, eu->slm, EU_SLM_BYTES);
    ok = veu_execute(&eu->thread, &eu->message);
    ref_execute(&w->thread, m, &fault);
    g_assert_cmphex(eu->thread.active, ==, ref_enabled(&w->thread, m));
    g_assert_cmphex(eu->thread.fault.code, ==, fault.code);
    g_assert_cmpint(ok, ==, fault.code == 0);
    if (!ok) {
        compare_faults(&eu->thread.fault, &fault);
        faulted++;
    }
    clean[m->kind] += ok && eu->thread.active;
    g_assert_true(!memcmp(eu->registers, w->ref_registers, EU_REGISTER_BYTES));
    g_assert_true(!memcmp(eu->slm, w->ref_slm, EU_SLM_BYTES));
    g_assert_true(test_memory_equal(&eu->memory, &w->ref_memory));
}

static uint64_t message_count(void)
{
    const char *text = g_getenv("VEU_TEST_MESSAGES");

    return text ? g_ascii_strtoull(text, NULL, 0) : MESSAGES;
}

static uint32_t seed(void)
{
    static uint32_t value;
    const char *text = g_getenv("VEU_TEST_SEED");

    if (!value) {
        value = text ? g_ascii_strtoull(text, NULL, 0) : g_random_int() | 1;
    }
    g_test_message("VEU_TEST_SEED=%u", value);
    return value;
}

static void test_messages_do_the_same(void)
{
    g_autofree World *w = g_new0(World, 1);
    uint64_t count = message_count();

    rng = g_rand_new_with_seed(seed());
    for (uint64_t n = 0; n < count; n++) {
        TestMessage m;
        TestCode code;
        RefMessage ref;
        unsigned lanes;

        if (n % WORLD_MESSAGES == 0) {
            if (n) {
                world_free(w);
            }
            world_new(w);
        }
        randomise_thread(w);
        random_message(w, &m, &lanes);
        code = test_encode(&m);
        if (g_test_verbose()) {
            show(&code, n);
        }
        g_assert_true(decode_both(w, &code, &ref));
        put_operands(w, &m, lanes);
        execute_both(w, &ref);
    }
    world_free(w);
    g_rand_free(rng);
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_test_message("%s: %" G_GUINT64_FORMAT " without a fault",
                       test_layouts[kinds[i]].name, clean[kinds[i]]);
        g_assert_cmpuint(clean[kinds[i]], >=, count / 50);
    }
    g_test_message("messages with a fault: %" G_GUINT64_FORMAT, faulted);
    g_assert_cmpuint(faulted, >=, count / 50);
}

static bool is_known(TestKind kind)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (kinds[i] == kind) {
            return true;
        }
    }
    return false;
}

/* A message that the second implementation does not know yet? */
static bool is_news(const TestCode *code)
{
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        const TestLayout *layout = &test_layouts[kind];

        if (layout->opcode == code->bytes[0] &&
            (!layout->sub || layout->sub == code->bytes[1]) && eu_can(kind)) {
            return !is_known(kind);
        }
    }
    return false;
}

/* Random bytes in legal messages: mostly refused, always for one reason. */
static void test_broken_messages_are_refused_alike(void)
{
    g_autofree World *w = g_new0(World, 1);
    uint64_t count = message_count() / 4;

    rng = g_rand_new_with_seed(seed());
    for (uint64_t n = 0; n < count; n++) {
        TestMessage m;
        TestCode code;
        RefMessage ref;
        unsigned lanes;

        if (n % WORLD_MESSAGES == 0) {
            if (n) {
                world_free(w);
            }
            world_new(w);
        }
        randomise_thread(w);
        random_message(w, &m, &lanes);
        code = test_encode(&m);
        for (unsigned i = 1 + below(3); i; i--) {
            uint32_t at = below(code.count);

            code.bytes[at] = chance(50) ? code.bytes[at] ^ 1u << below(8) :
                                          g_rand_int(rng);
        }
        if (chance(10)) {
            code.count = 2 + below(code.count - 2);
        }
        if (g_test_verbose()) {
            show(&code, n);
        }
        if (is_news(&code)) {
            continue;
        }
        if (decode_both(w, &code, &ref)) {
            execute_both(w, &ref);
        } else {
            refused++;
        }
    }
    world_free(w);
    g_rand_free(rng);
    g_test_message("refused: %" G_GUINT64_FORMAT, refused);
    g_assert_cmpuint(refused, >=, count / 4);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/random/messages-do-the-same", test_messages_do_the_same);
    g_test_add_func("/random/broken-messages-are-refused-alike",
                    test_broken_messages_are_refused_alike);
    return g_test_run();
}
