/*
 * veu tests: two equal worlds: one for the execution unit, one for the second
 * implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/random_surface.h"
#include "tests/lib/random_world.h"
#include "tests/lib/ref_surface.h"

#define RAM_TOP (UINT64_MAX - 2 * TEST_PAGE_BYTES + 1)
#define LOW     UINT64_C(0x0)
#define MIDDLE  UINT64_C(0x1234567000)
#define ROM     UINT64_C(0x123456b000)

uint32_t world_below(const World *w, uint32_t n)
{
    return g_rand_int(w->rng) % n;
}

bool world_chance(const World *w, unsigned percent)
{
    return world_below(w, 100) < percent;
}

uint64_t world_random64(const World *w)
{
    return (uint64_t)g_rand_int(w->rng) << 32 | g_rand_int(w->rng);
}

uint64_t world_address(const World *w)
{
    static const uint64_t places[] = {
        LOW,
        MIDDLE,
        MIDDLE,
        MIDDLE + TEST_PAGE_BYTES,
        MIDDLE + TEST_PAGE_BYTES,
        MIDDLE + 2 * TEST_PAGE_BYTES,
        ROM,
        RAM_TOP,
        RAM_TOP + TEST_PAGE_BYTES,
    };
    uint64_t place = places[world_below(w, G_N_ELEMENTS(places))];

    switch (world_below(w, 8)) {
    case 0:
        return place + world_below(w, 64);
    case 1:
        return place + TEST_PAGE_BYTES - world_below(w, 80);
    default:
        return place + world_below(w, TEST_PAGE_BYTES);
    }
}

/* 32 bits, which may be a pair of special halves. */
uint32_t world_value(const World *w)
{
    static const uint32_t special[] = {
        0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
        0x7fc00001, 0xff812345, 0x7f800001, 0x3f000000, 0x33800000, 0x477fefff,
        0x477ff000, 0x387fffff, 0x00000001, 0x3b008081, 0x7f7fffff, 0x00800000,
        0x7ff00000, 0xfff00000, 0x7ff80000, 0x7ff00001, 0x3ff00000, 0xffffffff,
        0x7fffffff, 0x00008000, 0x3c000000, 0x7c007c00, 0xfc007e00, 0x7c010001,
        0x03ff0400, 0x7bff7bff, 0xffff8001, 0xbc003c00, 0x10011000, 0x00010000,
    };

    switch (world_below(w, 4)) {
    case 0:
        return world_below(w, 4);
    case 1:
        return g_rand_int(w->rng);
    default:
        return special[world_below(w, G_N_ELEMENTS(special))];
    }
}

static void fill(const World *w, uint8_t *to, uint32_t bytes)
{
    for (uint32_t at = 0; at < bytes; at += 4) {
        uint32_t value = world_value(w);

        memcpy(to + at, &value, 4);
    }
}

static void add_memory(World *w)
{
    TestMemory *m = &w->eu->memory;

    test_memory_free(m);
    test_memory_init(m);
    m->joined = world_chance(w, 50);
    test_memory_add(m, LOW, TEST_PAGE_BYTES, true);
    /* a hole from 0 to 3 pages on, so that some surfaces contain one */
    test_memory_add(m, MIDDLE, 3 * TEST_PAGE_BYTES, true);
    test_memory_add(m, ROM, 2 * TEST_PAGE_BYTES, false);
    test_memory_add(m, RAM_TOP, 2 * TEST_PAGE_BYTES, true);
    if (world_chance(w, 15)) {
        TestPage *page = &m->page[world_below(w, m->count)];

        page->write_only = page->writable;
    }
    for (unsigned i = 0; i < m->count; i++) {
        fill(w, m->page[i].bytes, TEST_PAGE_BYTES);
    }
    test_memory_copy(&w->ref_memory, m);
    if (world_chance(w, 40)) {
        test_memory_set_paged(m);
    }
    fill(w, w->eu->slm, EU_SLM_BYTES);
}

/* Aligns the base as the surface requires, buffers mostly more than that. */
static void place_surface(const World *w, struct veu_surface *s)
{
    uint64_t unit = s->tiling ? 4096 : ref_texel_bytes(ref_format(s->format));
    bool buffer = s->type == VEU_SURFACE_BUFFER;

    if (buffer && world_chance(w, 30)) {
        s->flags = VEU_SURFACE_SLM;
        s->base = world_below(w, EU_SLM_BYTES * 3 / 2);
    } else {
        s->base = world_address(w);
    }
    unit = buffer && world_chance(w, 80) && 16 % unit == 0 ? 16 : unit;
    s->base = s->base / unit * unit;
    /* near the top of the address space it might wrap, which is not legal */
    if (s->base + ref_surface_bytes(s) < s->base) {
        s->base = MIDDLE / unit * unit;
    }
}

/* All shapes, formats and tilings; most of them are about a page large. */
static void random_surface(const World *w, struct veu_surface *s)
{
    static const TestExtent small = { 24, 12, 6, 2 };
    static const TestExtent large = { 3000, 300, 30, 2 };
    const RefFormat *f = &ref_formats[world_below(w, ref_format_count)];
    const TestShape *shape = &test_shapes[world_below(w, TEST_SHAPES)];

    if (f->code == VEU_FORMAT_RAW || world_chance(w, 30)) {
        shape = &test_shapes[TEST_BUFFER];
    }
    if (world_chance(w, 20)) { /* formats that atomics accept */
        f = ref_format(world_chance(w, 50) ? VEU_FORMAT_R32_UINT :
                                             VEU_FORMAT_R16_FLOAT);
    }
    *s = test_random_surface(w->rng, shape, test_random_tiling(w->rng, shape),
                             f->code, world_chance(w, 80) ? &small : &large);
    place_surface(w, s);
}

/* Adds at least a buffer and an image. */
static void add_surfaces(World *w)
{
    w->thread.surface_count = 2 + world_below(w, EU_SURFACES - 2);
    for (unsigned i = 0; i < w->thread.surface_count; i++) {
        struct veu_surface *s = &w->surfaces[i];

        do {
            random_surface(w, s);
        } while (i < 2 && (s->type == VEU_SURFACE_BUFFER) != i);
        if (i >= 2 && world_chance(w, 4)) {
            *s = (struct veu_surface){ .type = VEU_SURFACE_NULL };
        }
        eu_surface(w->eu, s);
    }
}

static void add_variables(World *w)
{
    static const uint8_t types[] = { 0,  0,  0, 0, 1, 1, 7, 7,  11,
                                     11, 13, 2, 3, 4, 5, 6, 14, 15 };

    for (unsigned i = 0; i < WORLD_VARIABLES; i++) {
        uint8_t type = types[world_below(w, sizeof(types))];
        unsigned size = ref_type_bytes(type);
        unsigned bytes = world_chance(w, 20) ? 1 + world_below(w, 256) :
                                               256 + world_below(w, 1024);
        unsigned elements = MAX(1, bytes / size);
        uint32_t end = EU_REGISTER_BYTES - elements * size;
        uint32_t offset = world_below(w, end + 1);

        /* some overlap on purpose, and some have an odd start */
        offset = world_chance(w, 40) ? world_below(w, 512) : offset;
        eu_variable(w->eu, offset, elements, type);
    }
    for (unsigned i = 0; i < EU_PREDICATES; i++) {
        unsigned bits = world_chance(w, 60) ? 32 : 1 + world_below(w, 32);

        w->predicates[i].bits = bits;
        eu_predicate(w->eu, bits, 0);
    }
    for (unsigned i = 0; i < WORLD_ADDRESSES; i++) {
        w->addresses[i].elements = 1 + world_below(w, EU_ADDRESS_ELEMENTS);
        eu_address_variable(w->eu, w->addresses[i].elements);
    }
}

static void describe(World *w)
{
    EuFixture *eu = w->eu;

    w->program = (RefProgram){
        .simd = eu->simd,
        .grf_bytes = eu->grf_bytes,
        .variable_count = eu->variable_count,
        .variables = eu->variables,
        .predicate_count = eu->predicate_count,
        .predicates = w->predicates,
        .address_count = eu->address_count,
        .addresses = w->addresses,
    };
    w->thread.program = &w->program;
    w->thread.memory = &w->ref_memory;
    w->thread.registers = w->ref_registers;
    w->thread.predicates = eu->predicates;
    w->thread.addresses = eu->addresses;
    w->thread.surfaces = w->surfaces;
    w->thread.slm = w->ref_slm;
}

static void begin(World *w, GRand *rng)
{
    memset(w, 0, sizeof(*w));
    w->rng = rng;
    w->eu = eu_new();
    add_memory(w);
}

void world_init(World *w, GRand *rng)
{
    static const unsigned simds[] = { 8, 16, 32, 32 };
    EuFixture *eu;

    begin(w, rng);
    eu = w->eu;
    eu->simd = simds[world_below(w, 4)];
    eu->grf_bytes = world_chance(w, 50) ? 32 : 64;
    add_variables(w);
    add_surfaces(w);
    describe(w);
    for (unsigned i = 0; i < eu->variable_count; i++) {
        const struct veu_variable *v = &eu->variables[i];
        uint32_t end = v->offset + v->elements * ref_type_bytes(v->type);

        w->thread.register_bytes = MAX(w->thread.register_bytes, end);
    }
}

void world_init_for(World *w, GRand *rng, const struct veu_variable *variables,
                    uint32_t register_bytes, unsigned grf_bytes,
                    unsigned predicates)
{
    begin(w, rng);
    w->eu->grf_bytes = grf_bytes;
    for (unsigned i = 0; i < WORLD_VARIABLES; i++) {
        eu_variable(w->eu, variables[i].offset, variables[i].elements,
                    variables[i].type);
    }
    for (unsigned i = 0; i < predicates; i++) {
        w->predicates[i].bits = 32;
        eu_predicate(w->eu, 32, 0);
    }
    w->addresses[0].elements = 16;
    eu_address_variable(w->eu, 16);
    add_surfaces(w);
    describe(w);
    w->thread.register_bytes = register_bytes;
}

void world_free(World *w)
{
    test_memory_free(&w->ref_memory);
    eu_free(w->eu);
}

static void restart_memory(const World *w, VeuThread *t)
{
    t->stateless_base = world_chance(w, 90) ?
                            MIDDLE + world_below(w, 1024) * 16 :
                            world_address(w);
    t->stateless_bytes = world_chance(w, 90) ? world_below(w, 8192) :
                                               world_random64(w) >> 31;
    if (t->stateless_base + t->stateless_bytes < t->stateless_base) {
        t->stateless_bytes = 0;
    }
    t->slm_bytes = world_chance(w, 5) ? 0 : world_below(w, EU_SLM_BYTES + 1);
}

void world_restart(World *w)
{
    EuFixture *eu = w->eu;
    VeuThread *t = &eu->thread;

    eu->config.undefined = world_chance(w, 50) ? 0 : g_rand_int(w->rng);
    eu->config.strict_types = world_chance(w, 5);
    eu->config.check = world_chance(w, 20);
    t->exec_mask = world_chance(w, 40) ? UINT32_MAX : g_rand_int(w->rng);
    restart_memory(w, t);
    for (unsigned i = 0; i < EU_PREDICATES; i++) {
        eu->predicates[i] = world_chance(w, 10) ? 0 :
                            world_chance(w, 20) ? UINT32_MAX :
                                                  g_rand_int(w->rng);
    }
    w->thread.exec_mask = t->exec_mask;
    w->thread.stateless_base = t->stateless_base;
    w->thread.stateless_bytes = t->stateless_bytes;
    w->thread.slm_bytes = t->slm_bytes;
    w->thread.undefined = eu->config.undefined;
    w->thread.strict_types = eu->config.strict_types;
}
