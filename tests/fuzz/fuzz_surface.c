/*
 * veu fuzzer: a surface descriptor, and messages that access the surface.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The descriptor is a legal one with changes, or bytes. The second
 * implementation has to agree whether it is legal, and about the effect of each
 * message. No message may write a byte outside of the surface.
 */
#include <glib.h>
#include "hw/veu/eu/surface/descriptor.h"
#include "tests/fuzz/driver.h"
#include "tests/lib/compare.h"
#include "tests/lib/random_surface.h"
#include "tests/lib/ref_surface.h"

#define MAX_MESSAGES 12

#define RAM       UINT64_C(0x100000)
#define RAM_BYTES (12 * TEST_PAGE_BYTES)
#define ROM       UINT64_C(0x200000)
#define TOP       (UINT64_MAX - 2 * TEST_PAGE_BYTES + 1)

/* The first byte of an input. */
/* neighbouring pages are contiguous for the host, too */
#define HOW_JOINED 0x01
#define HOW_CHECK  0x02
#define HOW_STRICT 0x04
#define HOW_64     0x08 /* registers of 64 bytes */
#define HOW_LARGE  0x10
#define HOW_BYTES  0x20 /* the descriptor consists of bytes of the input */

static void add_memory(World *w, bool joined)
{
    TestMemory *m = &w->eu->memory;

    test_memory_free(m);
    test_memory_init(m);
    m->joined = joined;
    test_memory_add(m, RAM, RAM_BYTES, true);
    test_memory_add(m, ROM, 2 * TEST_PAGE_BYTES, false);
    test_memory_add(m, TOP, 2 * TEST_PAGE_BYTES, true);
    for (unsigned i = 0; i < m->count; i++) {
        for (unsigned at = 0; at < TEST_PAGE_BYTES; at++) {
            m->page[i].bytes[at] = at * 7 + i;
        }
    }
    test_memory_copy(&w->ref_memory, m);
}

static World *world_new(bool joined)
{
    World *w = g_new0(World, 1);
    EuFixture *eu = eu_standard();

    w->eu = eu;
    w->rng = g_rand_new_with_seed(0);
    add_memory(w, joined);
    eu->simd = 16;
    w->predicates[0].bits = 32;
    w->program = (RefProgram){
        .simd = eu->simd,
        .variable_count = eu->variable_count,
        .variables = eu->variables,
        .predicate_count = eu->predicate_count,
        .predicates = w->predicates,
    };
    w->thread = (RefThread){
        .program = &w->program,
        .memory = &w->ref_memory,
        .registers = w->ref_registers,
        .register_bytes = EU_SRC1_AT + 1024,
        .predicates = eu->predicates,
        .surfaces = w->surfaces,
        .surface_count = 1,
        .slm = w->ref_slm,
        .slm_bytes = EU_SLM_BYTES,
        .exec_mask = UINT32_MAX,
    };
    return w;
}

static void restore_memory(TestMemory *m, const TestMemory *kept)
{
    for (unsigned i = 0; i < m->count; i++) {
        memcpy(m->page[i].bytes, kept->page[i].bytes, TEST_PAGE_BYTES);
    }
    veu_mem_forget(&m->mem);
}

static void restart(World *w, FuzzInput *in, uint8_t how,
                    const TestMemory *kept)
{
    EuFixture *eu = w->eu;

    g_rand_set_seed(w->rng, fuzz_u16(in));
    restore_memory(&eu->memory, kept);
    restore_memory(&w->ref_memory, kept);
    for (unsigned at = 0; at < EU_REGISTER_BYTES; at += 4) {
        uint32_t value = at % 1024 < 512 ? world_value(w) : at;

        memcpy(eu->registers + at, &value, 4);
    }
    memset(eu->slm, 0x5a, EU_SLM_BYTES);
    eu->config.check = how & HOW_CHECK;
    eu->config.strict_types = w->thread.strict_types = how & HOW_STRICT;
    eu->grf_bytes = w->program.grf_bytes = how & HOW_64 ? 64 : 32;
    eu->predicates[0] = world_value(w);
}

static uint64_t choose_base(FuzzInput *in, const struct veu_surface *s)
{
    static const uint64_t places[] = { RAM,
                                       RAM + 2 * TEST_PAGE_BYTES,
                                       RAM + RAM_BYTES - TEST_PAGE_BYTES,
                                       ROM - TEST_PAGE_BYTES,
                                       ROM,
                                       TOP,
                                       0,
                                       UINT64_C(1) << 40 };
    uint8_t place = fuzz_u8(in);
    uint64_t unit = s->tiling ? 4096 : ref_texel_bytes(ref_format(s->format));
    uint64_t base = places[place % G_N_ELEMENTS(places)] + (place >> 3) * 16;

    return s->flags & VEU_SURFACE_SLM ? place * 32 : base / unit * unit;
}

static struct veu_surface make_descriptor(World *w, FuzzInput *in, uint8_t how)
{
    static const TestExtent small = { 24, 12, 6, 2 };
    static const TestExtent large = { 3000, 300, 30, 2 };
    const TestShape *shape = &test_shapes[fuzz_u8(in) % TEST_SHAPES];
    uint8_t tiling = test_random_tiling(w->rng, shape);
    uint16_t format = ref_formats[fuzz_u8(in) % ref_format_count].code;
    struct veu_surface s;

    if (how & HOW_BYTES) {
        fuzz_bytes(in, &s, sizeof(s));
        return s;
    }
    s = test_random_surface(w->rng, shape, tiling, format,
                            how & HOW_LARGE ? &large : &small);
    if (s.type == VEU_SURFACE_BUFFER && world_chance(w, 30)) {
        s.flags = VEU_SURFACE_SLM;
    }
    s.base = choose_base(in, &s);
    fuzz_change_some(in, (uint8_t *)&s, sizeof(s));
    return s;
}

/* Checks that both sides accept the descriptor, or neither. */
static bool set_surface(World *w, const struct veu_surface *s)
{
    VeuSurfaceTable *table = w->eu->surfaces;
    uint32_t field = UINT32_MAX;
    /* a block of its own, so that ASan finds reads past it */
    g_autofree struct veu_surface *copy = g_memdup2(s, sizeof(*s));
    bool legal = veu_surface_decode(copy, &table->surface[0], &field);

    g_assert_cmpint(legal, ==, ref_surface_is_legal(s));
    g_assert_cmpint(legal, ==, field == UINT32_MAX);
    g_assert_true(legal || field < sizeof(*s));
    w->surfaces[0] = *s;
    table->count = 1;
    return legal;
}

/* Returns a number around 0, around the end of something, or any number. */
static uint32_t coordinate(FuzzInput *in, uint32_t end)
{
    static const uint32_t special[] = { UINT32_MAX, 0x80000000, 0x7fffffff,
                                        0x4000,     0x10000,    0x3fffffff,
                                        0x20000000, 0xfffffffc };
    uint8_t how = fuzz_u8(in);

    return how < 128 ? how :
           how < 240 ? end + how - 184 :
           how < 248 ? special[how - 240] :
                       fuzz_u32(in);
}

/* Sets lanes of an operand: a first one, a step, and one that differs. */
static void set_lanes(World *w, FuzzInput *in, uint32_t at, uint32_t end)
{
    uint32_t value = coordinate(in, end);
    int8_t step = fuzz_u8(in);
    uint8_t other = fuzz_u8(in);

    for (unsigned lane = 0; lane < 16; lane++) {
        eu_set32(w->eu, at, lane, value + lane * step);
    }
    if (other) {
        eu_set32(w->eu, at, other % 16, coordinate(in, end));
    }
}

static void set_coordinates(World *w, FuzzInput *in)
{
    const struct veu_surface *s = &w->surfaces[0];

    set_lanes(w, in, EU_OFFSETS_AT, s->width);
    set_lanes(w, in, EU_V_AT, s->type == VEU_SURFACE_1D ? s->depth : s->height);
    set_lanes(w, in, EU_R_AT, s->depth);
    set_lanes(w, in, EU_LOD_AT, s->levels);
}

/* typed messages are more frequent than others */
static const uint8_t kinds[] = {
    TEST_GATHER4_TYPED,
    TEST_SCATTER4_TYPED,
    TEST_TYPED_ATOMIC,
    TEST_GATHER4_TYPED,
    TEST_SCATTER4_TYPED,
    TEST_TYPED_ATOMIC,
    TEST_MEDIA_LD,
    TEST_MEDIA_ST,
    TEST_GATHER,
    TEST_SCATTER,
    TEST_GATHER_SCALED,
    TEST_SCATTER_SCALED,
    TEST_GATHER4_SCALED,
    TEST_DWORD_ATOMIC,
    TEST_OWORD_LD,
    TEST_SCATTER4_SCALED,
    TEST_OWORD_ST,
    TEST_QW_GATHER,
    TEST_OWORD_LD_UNALIGNED,
    TEST_QW_SCATTER,
};

static TestMessage next_message(World *w, FuzzInput *in)
{
    uint8_t kind = fuzz_u8(in);
    uint8_t form = fuzz_u8(in);
    TestMessage m = eu_message(kinds[kind % G_N_ELEMENTS(kinds)]);

    m.exec = form & 1 ? TEST_LANES_16 : TEST_LANES_8;
    m.num_elts = form & 1;
    m.v = (TestRaw){ form & 2 ? 0 : EU_V, 0 };
    m.r = (TestRaw){ form & 4 ? 0 : EU_R, 0 };
    m.lod = (TestRaw){ form & 8 ? 0 : EU_LOD, 0 };
    m.pred = form & 16 ? 1 : 0;
    m.src1.id = form & 32 ? EU_SRC1 : 0;
    m.elt_size = m.block_size = m.num_blocks = m.size = form >> 6;
    m.channels = 1 + fuzz_u8(in) % 15;
    m.op = fuzz_u8(in) & 0x3f;
    m.width = 1 + m.channels * 4 % 64;
    m.height = 1 + m.op % 8;
    m.offset = test_immediate(coordinate(in, w->surfaces[0].width));
    m.y = test_immediate(coordinate(in, w->surfaces[0].height));
    return m;
}

static void check(char *what)
{
    if (what) {
        g_error("not the same: %s", what);
    }
}

static void run(World *w, FuzzInput *in)
{
    TestMessage m = next_message(w, in);
    TestCode code = test_encode(&m);
    RefMessage ref;
    bool legal;

    set_coordinates(w, in);
    check(compare_decode(w, &code, &ref, &legal));
    if (legal) {
        w->eu->thread.exec_mask = UINT32_MAX;
        check(compare_execute(w, &ref));
    }
}

/* Checks that bytes @from to @to - 1 of a page have not changed. */
static void assert_same(const TestPage *now, const TestPage *kept,
                        uint64_t from, uint64_t to)
{
    g_assert_cmpmem(now->bytes + from, to - from, kept->bytes + from,
                    to - from);
}

/* The second implementation is used here only for the size of the surface. */
static void assert_outside_untouched(World *w, const TestMemory *kept)
{
    const struct veu_surface *s = &w->surfaces[0];
    bool none = s->type == VEU_SURFACE_NULL || (s->flags & VEU_SURFACE_SLM);
    uint64_t bytes = none ? 0 : ref_surface_bytes(s);

    for (unsigned i = 0; i < kept->count; i++) {
        const TestPage *page = &w->eu->memory.page[i];
        uint64_t last = page->iova + TEST_PAGE_BYTES - 1;

        if (!bytes || s->base > last || s->base + bytes <= page->iova) {
            assert_same(page, &kept->page[i], 0, TEST_PAGE_BYTES);
            continue;
        }
        if (s->base > page->iova) {
            assert_same(page, &kept->page[i], 0, s->base - page->iova);
        }
        if (s->base + bytes <= last) {
            assert_same(page, &kept->page[i], s->base + bytes - page->iova,
                        TEST_PAGE_BYTES);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static World *worlds[2];
    static TestMemory kept;
    FuzzInput in = { data, bytes };
    uint8_t how = fuzz_u8(&in);
    struct veu_surface s;
    World *w;

    if (!worlds[0]) {
        worlds[0] = world_new(false);
        worlds[1] = world_new(true);
        test_memory_copy(&kept, &worlds[0]->ref_memory);
    }
    w = worlds[how & HOW_JOINED];
    restart(w, &in, how, &kept);
    s = make_descriptor(w, &in, how);
    if (set_surface(w, &s)) {
        for (unsigned n = 0; n < MAX_MESSAGES && in.left; n++) {
            run(w, &in);
        }
        assert_outside_untouched(w, &kept);
    }
    return 0;
}
