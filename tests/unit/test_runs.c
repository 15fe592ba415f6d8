/*
 * veu unit tests: messages that a fast path executes together.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The result has to be the same as if each message had run alone: registers,
 * memory, dirty pages, the bytes moved, and the place where it ends.
 */
#include <string.h>
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/simd/cpu.h"
#include "tests/lib/eu_fixture.h"

#define MESSAGES    48
#define ROUNDS      250
#define BIG         UINT64_C(0x1000000)
#define BIG_PAGES   40
#define BIG_BYTES   (BIG_PAGES * TEST_PAGE_BYTES)
/* The whole area as texels of 4 bytes. */
#define ROWS_WIDTH  320
#define ROWS_HEIGHT (BIG_BYTES / 4 / ROWS_WIDTH)

#define IMAGE_HEIGHT 16

/* The operands of a kind's messages, other than lanes. */
typedef enum Operands {
    OFFSETS,
    ADDRESSES,
    TEXELS,  /* U, V */
    TYPED,   /* like the one above, of any format */
    OFFSET,  /* a scalar */
    ADDRESS, /* a scalar */
    CORNER,  /* X, Y */
} Operands;

static const struct {
    TestKind kind;
    uint8_t lane_choices; /* of 8, 16, 32 */
    Operands operands;
} kinds[] = {
    { TEST_GATHER, 3, OFFSETS },
    { TEST_GATHER_SCALED, 3, OFFSETS },
    { TEST_SCATTER, 3, OFFSETS },
    { TEST_SCATTER_SCALED, 3, OFFSETS },
    { TEST_SVM_GATHER, 2, ADDRESSES },
    { TEST_SVM_SCATTER, 2, ADDRESSES },
    { TEST_GATHER4_SCALED, 2, OFFSETS },
    { TEST_SCATTER4_SCALED, 2, OFFSETS },
    { TEST_DWORD_ATOMIC, 2, OFFSETS },
    { TEST_SVM_ATOMIC, 1, ADDRESSES },
    { TEST_TYPED_ATOMIC, 2, TEXELS },
    { TEST_OWORD_LD, 1, OFFSET },
    { TEST_OWORD_ST, 1, OFFSET },
    { TEST_SVM_BLOCK_LD, 1, ADDRESS },
    { TEST_SVM_BLOCK_ST, 1, ADDRESS },
    { TEST_MEDIA_LD, 1, CORNER },
    { TEST_MEDIA_ST, 1, CORNER },
    { TEST_GATHER4_TYPED, 2, TYPED },
    { TEST_SCATTER4_TYPED, 2, TYPED },
    { TEST_QW_GATHER, 2, OFFSETS },
    { TEST_QW_SCATTER, 2, OFFSETS },
    { TEST_SVM_GATHER4_SCALED, 2, ADDRESSES },
    { TEST_SVM_SCATTER4_SCALED, 2, ADDRESSES },
};

static const unsigned never;

typedef struct Runs {
    EuFixture *eu;
    unsigned other;  /* index of a second surface */
    unsigned texels; /* a typed buffer on the same memory */
    unsigned image;  /* and a 2D surface */
    unsigned rows;   /* like the one above, of one format */
    /* of the program's blocks, mostly */
    uint8_t width;
    uint8_t height;
    uint8_t size;
    uint8_t *code;
    uint8_t registers[EU_REGISTER_BYTES]; /* before */
    uint8_t memory[BIG_BYTES];
} Runs;

/* The effects of a program. */
typedef struct Outcome {
    unsigned executed;
    unsigned steps;
    uint64_t moved;
    uint16_t fault;
    uint8_t registers[EU_REGISTER_BYTES];
    uint8_t memory[BIG_BYTES];
    uint8_t noted[TEST_MAX_PAGES];
} Outcome;

static bool chance(unsigned percent)
{
    return (unsigned)g_test_rand_int_range(0, 100) < percent;
}

/* A number, or any place in a register of dwords or qwords. */
static TestScalar any_scalar(unsigned id, unsigned columns, uint64_t number)
{
    return chance(8) ? test_immediate(number) :
                       test_general(id, g_test_rand_int_range(0, 32),
                                    g_test_rand_int_range(0, columns));
}

static bool is_typed(TestKind kind)
{
    return kind == TEST_GATHER4_TYPED || kind == TEST_SCATTER4_TYPED;
}

/*
 * U is like an element offset, V is mostly inside; some channels are omitted.
 */
static void make_typed(const Runs *r, TestMessage *m)
{
    m->surface = chance(5) ? r->image : r->texels;
    if (m->surface == r->image) {
        m->v = (TestRaw){ EU_V, 0 };
    }
    m->channels = chance(5) ? 0x5 : 0xf;
}

static unsigned any_size(void)
{
    return chance(50) ? 3 : g_test_rand_int_range(0, 3);
}

static unsigned any_width(void)
{
    return 4 << any_size();
}

/* Operands that only some kinds have. */
static void choose_operands(const Runs *r, TestMessage *m, Operands operands)
{
    if (operands == TEXELS || operands == CORNER) {
        unsigned other = operands == CORNER ? r->image : EU_BUFFER;

        m->surface = chance(5) ? other : r->rows;
        m->address.id = EU_R;
        m->v = (TestRaw){ EU_LOD, g_test_rand_int_range(0, 8) * 64 };
    }
    if (operands == TYPED) {
        make_typed(r, m);
    } else if (operands == CORNER) {
        m->width = chance(90) ? r->width : any_width();
        m->height = chance(90) ? r->height : g_test_rand_int_range(1, 9);
        m->offset = any_scalar(EU_R, 8, 16);
        m->y = any_scalar(EU_LOD, 8, 3);
        m->mode = chance(5) ? TEST_TOP_FIELD : 0;
    } else if (operands == OFFSET) {
        m->offset = any_scalar(EU_R, 8, 16);
        m->size = chance(90) ? r->size : any_size();
    } else if (operands == ADDRESS) {
        m->offset = any_scalar(EU_ADDRESSES, 4, BIG + 16);
        m->size = 0x80 | (chance(90) ? r->size : any_size());
    } else if (operands == ADDRESSES) {
        m->offset = test_immediate(0);
    }
}

/* One message of a program of @kind; most resemble the others. */
static TestMessage any_message(const Runs *r, unsigned number, uint8_t lanes)
{
    TestKind kind = kinds[number].kind;
    TestMessage m = eu_message(kind);

    m.num_elts = 1;
    m.exec = lanes;
    if (kind == TEST_GATHER || kind == TEST_GATHER_SCALED ||
        kind == TEST_SCATTER || kind == TEST_SCATTER_SCALED) {
        m.elt_size = chance(5) ? 1 : 2;
        m.num_blocks = chance(5) ? 1 : 2;
    }
    if (kind == TEST_SCATTER4_SCALED && chance(5)) {
        m.channels = 0x7;
    }
    m.surface = chance(5) ? EU_BUFFER : r->other;
    if (chance(5)) {
        m.offset = test_immediate(64);
    }
    if (lanes == TEST_LANES_8 && chance(5)) {
        m.exec |= 2 << 4; /* M3 */
    }
    if (chance(3)) {
        m.pred = 1;
    }
    m.address.byte = g_test_rand_int_range(0, 8) * 64;
    m.data.byte = g_test_rand_int_range(0, 14) * 128;
    choose_operands(r, &m, kinds[number].operands);
    return m;
}

static void decode_messages(Runs *r, const TestMessage *messages,
                            unsigned count)
{
    VeuProgram *p = r->eu->program;
    GByteArray *bytes = g_byte_array_new();
    VeuFault fault;
    uint32_t offset;

    for (unsigned i = 0; i < count; i++) {
        TestCode code = test_encode(&messages[i]);

        eu_assert_legal(r->eu, &messages[i]);
        g_byte_array_append(bytes, code.bytes, code.count);
    }
    p->code_bytes = bytes->len;
    p->code = r->code = g_byte_array_free(bytes, FALSE);
    p->code_at = 0;
    p->message_count = 0;
    g_assert_cmpint(veu_program_decode(p, count + 1, &fault, &offset), ==,
                    VEU_LOAD_DONE);
    g_assert_cmpuint(p->message_count, ==, count);
}

static void decode_program(Runs *r, unsigned number, uint8_t lanes)
{
    TestMessage messages[MESSAGES];

    for (unsigned i = 0; i < MESSAGES; i++) {
        messages[i] = any_message(r, number, lanes);
    }
    decode_messages(r, messages, MESSAGES);
}

/* Often one of the last @few. */
static uint32_t below(uint32_t end, uint32_t few)
{
    return g_test_rand_int_range(chance(20) ? end - few : 0, end);
}

/*
 * Offsets and addresses, a few of which are invalid or misaligned; X is less
 * than @width, and nearly always a multiple of @align.
 */
static void fill_registers(Runs *r, uint32_t unit, uint32_t width,
                           uint32_t align)
{
    const unsigned odd = chance(50) ? 0 : 1;
    const unsigned dwords = chance(30) ? 4 : 1;

    for (unsigned i = 0; i < EU_REGISTER_BYTES / 4; i++) {
        eu_set32(r->eu, 0, i, g_test_rand_int());
    }
    for (unsigned lane = 0; lane < 256; lane++) {
        uint32_t place = below(BIG_BYTES / 4 + 40 * odd, 50) & -dwords;

        eu_set32(r->eu, EU_OFFSETS_AT, lane,
                 place * unit + (odd && chance(1) && unit == 4));
    }
    for (unsigned lane = 0; lane < 16; lane++) {
        eu_set32(r->eu, EU_V_AT, lane,
                 g_test_rand_int_range(0, IMAGE_HEIGHT + odd));
    }
    for (unsigned lane = 0; lane < 128; lane++) {
        uint32_t place = g_test_rand_int_range(0, BIG_BYTES / 4);

        eu_set64(r->eu, EU_ADDRESSES_AT, lane,
                 BIG + place * 4 + (odd && chance(1) ? 2 : 0) +
                     (odd && chance(1) ? BIG_BYTES : 0));
    }
    for (unsigned lane = 0; lane < 256; lane++) {
        eu_set32(r->eu, EU_R_AT, lane,
                 below(width + odd, 40) & (chance(1) ? UINT32_MAX : -align));
        eu_set32(r->eu, EU_LOD_AT, lane, below(ROWS_HEIGHT + odd, 8));
    }
}

static void begin(Runs *r)
{
    EuFixture *eu = r->eu;

    memcpy(eu->registers, r->registers, sizeof(r->registers));
    test_memory_put(&eu->memory, BIG, r->memory, BIG_BYTES);
    test_memory_fill(&eu->memory, EU_RAM, 0x11, EU_RAM_BYTES);
    memset(eu->memory.noted, 0, sizeof(eu->memory.noted));
    memset(eu->memory.listed, 0, sizeof(eu->memory.listed));
    veu_mem_forget(&eu->memory.mem);
}

static void end(Runs *r, Outcome *o)
{
    EuFixture *eu = r->eu;

    o->fault = eu->thread.fault.code;
    memcpy(o->registers, eu->registers, sizeof(o->registers));
    test_memory_get(&eu->memory, BIG, o->memory, BIG_BYTES);
    for (unsigned n = 0; n < eu->memory.count; n++) {
        o->noted[n] = test_memory_is_noted(&eu->memory, n);
    }
}

/* Executes up to message @limit, consecutive messages together or not. */
static void execute(Runs *r, bool together, unsigned limit,
                    const unsigned *awaited, Outcome *o)
{
    VeuThread *t = &r->eu->thread;
    const VeuMessage *first = r->eu->program->messages;
    bool ok = true;

    *o = (Outcome){ 0 };
    begin(r);
    t->end = together ? first + limit : NULL;
    t->awaited = awaited;
    while (ok && o->executed < limit) {
        ok = veu_execute(t, first + o->executed);
        o->executed += 1 + t->more;
        o->moved += t->moved_bytes;
        o->steps++;
    }
    g_assert_cmpuint(o->executed, <=, limit);
    end(r, o);
}

/* A typed buffer, and a 2D surface, of texels of any size. */
static void add_typed_surfaces(Runs *r)
{
    static const struct {
        uint16_t format;
        uint32_t bytes;
    } formats[] = {
        { VEU_FORMAT_R8G8B8A8_UNORM, 4 },
        { VEU_FORMAT_R32_UINT, 4 },
        { VEU_FORMAT_R8_UINT, 1 },
        { VEU_FORMAT_R16G16B16A16_UNORM, 8 },
        { VEU_FORMAT_R32G32B32A32_FLOAT, 16 },
    };
    const unsigned n = g_test_rand_int_range(0, G_N_ELEMENTS(formats));
    uint32_t row = BIG_BYTES / IMAGE_HEIGHT;
    struct veu_surface s = {
        .base = BIG,
        .format = formats[n].format,
        .type = VEU_SURFACE_BUFFER,
        .width = BIG_BYTES / formats[n].bytes - (chance(30) ? 2 : 0),
    };

    r->texels = eu_surface(r->eu, &s);
    s.type = VEU_SURFACE_2D;
    s.width = row / formats[n].bytes;
    s.height = IMAGE_HEIGHT;
    s.levels = 1;
    s.pitch = row;
    r->image = eu_surface(r->eu, &s);
}

/* It may begin or end within 16 bytes. */
static unsigned any_buffer(Runs *r)
{
    bool is_odd = chance(20);

    return eu_buffer(r->eu, BIG + (is_odd ? 4 : 0),
                     BIG_BYTES - (is_odd     ? 16 :
                                  chance(30) ? 8 :
                                               0));
}

static Runs *runs_new(void)
{
    Runs *r = g_new0(Runs, 1);

    r->eu = eu_standard();
    r->eu->predicates[0] = 0x0ff0ff33;
    r->eu->memory.joined = true;
    test_memory_add(&r->eu->memory, BIG, BIG_BYTES, true);
    r->width = any_width();
    r->height = g_test_rand_int_range(1, 9);
    r->size = any_size();
    r->other = any_buffer(r);
    add_typed_surfaces(r);
    r->rows = eu_surface(r->eu,
                         &(struct veu_surface){ .base = BIG,
                                                .format = VEU_FORMAT_R32_UINT,
                                                .type = VEU_SURFACE_2D,
                                                .width = ROWS_WIDTH,
                                                .height = ROWS_HEIGHT,
                                                .pitch = ROWS_WIDTH * 4,
                                                .levels = 1 });
    return r;
}

static void runs_free(Runs *r)
{
    r->eu->program->code = NULL;
    eu_free(r->eu);
    g_free(r->code);
    g_free(r);
}

/*
 * Makes offsets and addresses rows of 32 lanes: consecutive dwords. A few rows
 * have another lane among theirs, are misaligned, or leave the buffer.
 */
static void fill_rows(Runs *r, uint32_t unit)
{
    for (unsigned first = 0; first < 256; first += 32) {
        uint32_t place = g_test_rand_int_range(0, BIG_BYTES / 4 - 20);
        unsigned odd = chance(20) ? g_test_rand_int_range(0, 32) : 32;
        unsigned misfit = unit == 4 && chance(10);

        for (unsigned lane = 0; lane < 32; lane++) {
            uint32_t at = lane == odd ? place : place + lane;

            eu_set32(r->eu, EU_OFFSETS_AT, first + lane, at * unit + misfit);
            if (first < 128) {
                eu_set64(r->eu, EU_ADDRESSES_AT, first + lane, BIG + at * 4);
            }
        }
    }
}

/* In half of the programs, memory is that of a context of page tables. */
static Runs *any_program(void)
{
    static const uint8_t lanes[] = { TEST_LANES_8, TEST_LANES_16,
                                     TEST_LANES_32 };
    unsigned number = g_test_rand_int_range(0, G_N_ELEMENTS(kinds));
    TestKind kind = kinds[number].kind;
    Runs *r = runs_new();
    bool counts_elements = kind == TEST_GATHER || kind == TEST_SCATTER ||
                           is_typed(kind);

    if (chance(50)) {
        test_memory_set_paged(&r->eu->memory);
    }
    decode_program(r, number,
                   lanes[g_test_rand_int_range(0, kinds[number].lane_choices)]);
    if (kinds[number].operands == CORNER) {
        fill_registers(r, 4, ROWS_WIDTH * 4, chance(70) ? 16 : 4);
    } else {
        fill_registers(r, counts_elements ? 1 : 4, ROWS_WIDTH, 1);
    }
    if (chance(40)) {
        fill_rows(r, counts_elements ? 1 : 4);
    }
    memcpy(r->registers, r->eu->registers, sizeof(r->registers));
    for (unsigned i = 0; i < BIG_BYTES; i++) {
        r->memory[i] = g_test_rand_int();
    }
    r->eu->thread.exec_mask = UINT32_MAX << (chance(50) ? 0 : 3);
    return r;
}

static void assert_same(const Outcome *a, const Outcome *b)
{
    g_assert_cmpuint(a->executed, ==, b->executed);
    g_assert_cmpuint(a->moved, ==, b->moved);
    g_assert_cmphex(a->fault, ==, b->fault);
    g_assert_cmpint(memcmp(a->registers, b->registers, sizeof(a->registers)),
                    ==, 0);
    g_assert_cmpint(memcmp(a->memory, b->memory, sizeof(a->memory)), ==, 0);
    g_assert_cmpint(memcmp(a->noted, b->noted, sizeof(a->noted)), ==, 0);
}

/* With AVX2, some messages must have been executed together. */
static void test_together_is_as_one_by_one(void)
{
    g_autofree Outcome *alone = g_new(Outcome, 1);
    g_autofree Outcome *together = g_new(Outcome, 1);
    unsigned saved = 0;

    for (unsigned i = 0; i < ROUNDS; i++) {
        Runs *r = any_program();

        execute(r, false, MESSAGES, &never, alone);
        execute(r, true, MESSAGES, &never, together);
        assert_same(alone, together);
        saved += together->executed - together->steps;
        runs_free(r);
    }
    g_assert_true(saved || veu_cpu < VEU_CPU_AVX2);
}

static uint16_t see_nothing(VeuObserver *observer, const VeuLaneAccess *access,
                            VeuLanePlace place, VeuSpan *span)
{
    return VEU_FAULT_NONE;
}

/* A message that is observed has no fast path. */
static void test_together_is_as_by_their_executors(void)
{
    VeuObserver observer = { .lane = see_nothing };
    g_autofree Outcome *observed = g_new(Outcome, 1);
    g_autofree Outcome *together = g_new(Outcome, 1);

    for (unsigned i = 0; i < ROUNDS; i++) {
        Runs *r = any_program();

        r->eu->thread.observer = &observer;
        execute(r, false, MESSAGES, &never, observed);
        r->eu->thread.observer = NULL;
        execute(r, true, MESSAGES, &never, together);
        assert_same(observed, together);
        runs_free(r);
    }
}

static bool (*tracked_open)(VeuMem *mem, uint64_t iova, enum veu_access access,
                            VeuExtent *extent);

/* A host that has no bytes for dirty pages and blocks. */
static bool open_untracked(VeuMem *mem, uint64_t iova, enum veu_access access,
                           VeuExtent *extent)
{
    bool found = tracked_open(mem, iova, access, extent);

    extent->noted = 0;
    extent->listed = 0;
    return found;
}

static void test_a_host_that_does_not_track_dirty_pages(void)
{
    g_autofree Outcome *tracked = g_new(Outcome, 1);
    g_autofree Outcome *untracked = g_new(Outcome, 1);

    for (unsigned i = 0; i < ROUNDS; i++) {
        Runs *r = any_program();

        execute(r, true, MESSAGES, &never, tracked);
        tracked_open = r->eu->memory.mem.open;
        r->eu->memory.mem.open = open_untracked;
        execute(r, true, MESSAGES, &never, untracked);
        memcpy(untracked->noted, tracked->noted, sizeof(tracked->noted));
        assert_same(tracked, untracked);
        runs_free(r);
    }
}

static void test_they_end_before_the_limit(void)
{
    g_autofree Outcome *alone = g_new(Outcome, 1);
    g_autofree Outcome *together = g_new(Outcome, 1);

    for (unsigned i = 0; i < ROUNDS; i++) {
        Runs *r = any_program();
        unsigned limit = g_test_rand_int_range(1, MESSAGES);

        execute(r, false, limit, &never, alone);
        execute(r, true, limit, &never, together);
        assert_same(alone, together);
        runs_free(r);
    }
}

/* While a thread waits, no further message is begun. */
static void test_they_end_where_somebody_waits(void)
{
    static const unsigned awaited = 1;
    g_autofree Outcome *o = g_new(Outcome, 1);

    for (unsigned i = 0; i < ROUNDS; i++) {
        Runs *r = any_program();

        execute(r, true, MESSAGES, &awaited, o);
        g_assert_cmpuint(o->executed, ==, o->steps);
        runs_free(r);
    }
}

/*
 * The result of the first message is the second one's Global_offset, in byte 0
 * of the registers. Dword n of the surface is 2 n + 1.
 */
static void test_an_offset_in_a_register_is_read_again(void)
{
    g_autofree Outcome *o = g_new(Outcome, 1);
    Runs *r = runs_new();
    unsigned buffer = eu_buffer(r->eu, BIG, BIG_BYTES);
    TestMessage m[2];

    for (unsigned i = 0; i < 2; i++) {
        m[i] = eu_message(TEST_GATHER);
        m[i].num_elts = 1;
        m[i].surface = buffer;
        m[i].offset = test_general(EU_OFFSETS, 0, 0);
        m[i].address.id = EU_V;
        m[i].data.id = i ? EU_DATA : EU_OFFSETS;
    }
    decode_messages(r, m, 2);
    for (unsigned lane = 0; lane < 8; lane++) {
        eu_set32(r->eu, EU_V_AT, lane, lane);
    }
    eu_set32(r->eu, EU_OFFSETS_AT, 0, 3);
    memcpy(r->registers, r->eu->registers, sizeof(r->registers));
    for (uint32_t n = 0; n < 64; n++) {
        memcpy(r->memory + n * 4, &(uint32_t){ 2 * n + 1 }, 4);
    }
    execute(r, true, 2, &never, o);
    g_assert_cmpuint(o->executed, ==, 2);
    for (unsigned lane = 0; lane < 8; lane++) {
        g_assert_cmpuint(eu_get32(r->eu, EU_OFFSETS_AT, lane), ==,
                         2 * (3 + lane) + 1);
        g_assert_cmpuint(eu_get32(r->eu, EU_DATA_AT, lane), ==,
                         2 * (7 + lane) + 1);
    }
    runs_free(r);
}

/* Loads 32 bytes from X and Y, which are in registers, and are 0. */
static TestMessage first_row(Runs *r)
{
    TestMessage m = eu_message(TEST_MEDIA_LD);

    m.surface = r->rows;
    m.width = 32;
    m.height = 1;
    m.offset = test_general(EU_R, 0, 0);
    m.y = test_general(EU_LOD, 0, 0);
    eu_set32(r->eu, EU_R_AT, 0, 0);
    eu_set32(r->eu, EU_LOD_AT, 0, 0);
    return m;
}

/*
 * Y is in a register, then it is a number. What begins at that byte of the
 * registers is another Y.
 */
static void test_a_number_is_no_place_of_a_register(void)
{
    const uint32_t y[2] = { 5, 3 };
    g_autofree Outcome *o = g_new(Outcome, 1);
    Runs *r = runs_new();
    TestMessage m[2];

    m[0] = m[1] = first_row(r);
    m[1].y = test_immediate(y[1]);
    m[1].data.byte = 32;
    decode_messages(r, m, 2);
    eu_set32(r->eu, EU_LOD_AT, 0, y[0]);
    memcpy(r->registers, r->eu->registers, sizeof(r->registers));
    memcpy(r->registers + y[1], &(uint32_t){ 7 }, 4);
    for (unsigned n = 0; n < BIG_BYTES; n++) {
        r->memory[n] = n / (ROWS_WIDTH * 4);
    }
    execute(r, true, 2, &never, o);
    g_assert_cmpuint(o->executed, ==, 2);
    for (unsigned i = 0; i < 2; i++) {
        g_assert_cmpuint(o->registers[EU_DATA_AT + i * 32], ==, y[i]);
    }
    runs_free(r);
}

/* Only surfaces of video formats have a second plane. */
static void test_another_plane_is_refused(void)
{
    g_autofree Outcome *o = g_new(Outcome, 1);
    Runs *r = runs_new();
    TestMessage m[2];

    m[0] = m[1] = first_row(r);
    m[1].plane = 1;
    decode_messages(r, m, 2);
    memcpy(r->registers, r->eu->registers, sizeof(r->registers));
    execute(r, true, 2, &never, o);
    g_assert_cmphex(o->fault, ==, VEU_FAULT_SURFACE_KIND);
    runs_free(r);
}

/*
 * The second of two messages has R, or LOD, which is 1: it accesses a slice, or
 * a level, that does not exist.
 */
static void check_another_operand(bool has_lod)
{
    const struct veu_surface array = { .base = BIG,
                                       .format = VEU_FORMAT_R8G8B8A8_UNORM,
                                       .type = VEU_SURFACE_2D,
                                       .flags = VEU_SURFACE_ARRAY,
                                       .width = 8,
                                       .height = 1,
                                       .depth = 1,
                                       .view_extent = 1,
                                       .pitch = 64,
                                       .qpitch = 4,
                                       .levels = 1 };
    g_autofree Outcome *o = g_new(Outcome, 1);
    Runs *r = runs_new();
    TestMessage m[2];

    m[0] = eu_message(TEST_GATHER4_TYPED);
    m[0].surface = eu_surface(r->eu, &array);
    m[0].exec = TEST_LANES_8;
    m[1] = m[0];
    *(has_lod ? &m[1].lod : &m[1].r) = (TestRaw){ EU_LOD, 0 };
    decode_messages(r, m, 2);
    for (unsigned lane = 0; lane < 8; lane++) {
        eu_set32(r->eu, EU_OFFSETS_AT, lane, lane);
        eu_set32(r->eu, EU_LOD_AT, lane, 1);
    }
    memcpy(r->registers, r->eu->registers, sizeof(r->registers));
    execute(r, true, 2, &never, o);
    g_assert_cmpuint(o->executed, ==, 2);
    g_assert_cmpuint(o->moved, ==, 8 * 4);
    runs_free(r);
}

static void test_another_slice_or_level(void)
{
    check_another_operand(false);
    check_another_operand(true);
}

/* Two messages of 8 lanes, which are 16 bytes each, in a buffer at @start. */
static void check_owords(unsigned start, unsigned bytes)
{
    g_autofree Outcome *o = g_new(Outcome, 1);
    Runs *r = runs_new();
    TestMessage m[2];

    m[0] = eu_message(TEST_SCATTER4_SCALED);
    m[0].surface = eu_buffer(r->eu, BIG + start, bytes);
    m[0].exec = TEST_LANES_8;
    m[1] = m[0];
    decode_messages(r, m, 2);
    for (unsigned lane = 0; lane < 8; lane++) {
        eu_set32(r->eu, EU_OFFSETS_AT, lane, lane * 16);
    }
    memset(r->eu->registers + EU_DATA_AT, 0xee, 8 * 16);
    memcpy(r->registers, r->eu->registers, sizeof(r->registers));
    execute(r, true, 2, &never, o);
    g_assert_cmpuint(o->moved, ==, 2 * bytes);
    for (unsigned n = 0; n < 9 * 16; n++) {
        g_assert_cmphex(o->memory[n], ==,
                        n >= start && n < start + bytes ? 0xee : 0);
    }
    runs_free(r);
}

/* The last lane has two of its four channels inside. */
static void test_the_end_of_a_buffer_is_within_a_lane(void)
{
    check_owords(0, 8 * 16 - 8);
}

static void test_lanes_are_not_aligned_to_their_size(void)
{
    check_owords(4, 8 * 16);
}

/*
 * All messages of a step write one page, and those of the next step write it
 * again.
 */
static void test_each_step_notes_its_pages(void)
{
    g_autofree Outcome *o = g_new(Outcome, 1);
    Runs *r = runs_new();
    unsigned page_buffer = eu_buffer(r->eu, BIG, TEST_PAGE_BYTES);
    TestMessage m[MESSAGES];

    for (unsigned i = 0; i < MESSAGES; i++) {
        m[i] = eu_message(TEST_DWORD_ATOMIC);
        m[i].surface = page_buffer;
    }
    decode_messages(r, m, MESSAGES);
    for (unsigned step = 0; step < 2; step++) {
        execute(r, true, MESSAGES, &never, o);
        g_assert_cmpuint(o->executed, ==, MESSAGES);
        g_assert_nonnull(memchr(o->noted, 1, sizeof(o->noted)));
    }
    runs_free(r);
}

/* --- Pages of lanes that store -------------------------------------------- */

#define LANE_OFF  3 /* it does not run */
#define LANE_OUT  5 /* it is out of bounds, if it has an offset */
#define LAST_PAGE (BIG_PAGES - 1)

/* The page that a lane of message @n stores to; lanes have different pages. */
static unsigned lane_page(unsigned lanes, unsigned n, unsigned lane)
{
    return 1 + n * lanes + lane;
}

/* Lanes of the buffer and the addresses are at byte 8 of their pages. */
static void place_in_pages(EuFixture *eu, unsigned lanes, unsigned n,
                           bool is_last)
{
    for (unsigned lane = 0; lane < lanes; lane++) {
        unsigned page = is_last ? LAST_PAGE : lane_page(lanes, n, lane);
        uint64_t at = page * TEST_PAGE_BYTES + 8 + is_last;
        bool is_out = lane == LANE_OUT && !is_last;

        eu_set32(eu, EU_OFFSETS_AT, n * lanes + lane,
                 at - 16 + (is_out ? BIG_BYTES : 0));
        eu_set64(eu, EU_ADDRESSES_AT, n * lanes + lane, BIG + at);
    }
}

/* Messages whose lanes store, then one whose lanes are misaligned. */
static unsigned make_stores(Runs *r, const TestMessage *like, unsigned lanes,
                            bool has_addresses)
{
    const unsigned stores = lanes == 32 ? 1 : 2;
    const unsigned buffer = eu_buffer(r->eu, BIG + 16, BIG_BYTES - 16);
    TestMessage m[3];

    for (unsigned n = 0; n <= stores; n++) {
        m[n] = *like;
        m[n].exec = __builtin_ctz(lanes);
        m[n].surface = buffer;
        m[n].address.byte = n * lanes * (has_addresses ? 8 : 4);
        place_in_pages(r->eu, lanes, n, n == stores);
    }
    decode_messages(r, m, stores + 1);
    memcpy(r->registers, r->eu->registers, sizeof(r->registers));
    return stores;
}

/* Misaligned elements of a buffer are stored; other misaligned lanes fault. */
static void check_marks(TestMessage like, unsigned lanes, bool has_addresses)
{
    const bool faults = like.kind != TEST_SCATTER_SCALED;
    g_autofree Outcome *o = g_new(Outcome, 1);
    Runs *r = runs_new();
    unsigned stores = make_stores(r, &like, lanes, has_addresses);
    bool expected[BIG_PAGES] = { [LAST_PAGE] = !faults };

    for (unsigned n = 0; n < stores; n++) {
        for (unsigned lane = 0; lane < lanes; lane++) {
            expected[lane_page(lanes, n, lane)] =
                lane != LANE_OFF && (lane != LANE_OUT || has_addresses);
        }
    }
    r->eu->thread.exec_mask = ~(1u << LANE_OFF);
    execute(r, true, stores + 1, &never, o);
    g_assert_cmphex(o->fault, ==, faults ? VEU_FAULT_ALIGNMENT : 0);
    /* All but the last are executed together, where there are vectors. */
    g_assert_true(o->steps == 2 || veu_cpu == VEU_CPU_SCALAR);
    for (unsigned n = 0; n < r->eu->memory.count; n++) {
        uint64_t page = (r->eu->memory.page[n].iova - BIG) / TEST_PAGE_BYTES;

        g_assert_cmpint(o->noted[n], ==, page < BIG_PAGES && expected[page]);
    }
    runs_free(r);
}

/* Each lane makes its page dirty, unless it is off, outside, or faults. */
static void test_lanes_make_their_pages_dirty(void)
{
    for (unsigned lanes = 8; lanes <= 32; lanes *= 2) {
        TestMessage m = eu_message(TEST_SCATTER_SCALED);

        m.num_elts = 1;
        m.elt_size = m.num_blocks = 2;
        check_marks(m, lanes, false);
        if (lanes < 32) {
            check_marks(eu_message(TEST_SCATTER4_SCALED), lanes, false);
            check_marks(eu_svm(TEST_SVM_SCATTER, 3, 1, 0), lanes, true);
            check_marks(eu_message(TEST_SVM_SCATTER4_SCALED), lanes, true);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/runs/" #name, test_##name)
    RULE(together_is_as_one_by_one);
    RULE(together_is_as_by_their_executors);
    RULE(a_host_that_does_not_track_dirty_pages);
    RULE(they_end_before_the_limit);
    RULE(they_end_where_somebody_waits);
    RULE(an_offset_in_a_register_is_read_again);
    RULE(a_number_is_no_place_of_a_register);
    RULE(another_plane_is_refused);
    RULE(another_slice_or_level);
    RULE(the_end_of_a_buffer_is_within_a_lane);
    RULE(lanes_are_not_aligned_to_their_size);
    RULE(each_step_notes_its_pages);
    RULE(lanes_make_their_pages_dirty);
    return g_test_run();
}
