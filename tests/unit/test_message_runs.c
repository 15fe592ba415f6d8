/*
 * veu unit tests: handlers and host code of messages, compared with their
 * executors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Programs compute offsets and data between messages, so that host code has
 * them in its registers. Both sides must leave the same registers, memory, SLM
 * and counts, and the pages that were written must be dirty.
 */
#include <string.h>
#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/instruction/handler_run.h"
#include "tests/lib/code_builder.h"
#include "tests/lib/random_numbers.h"
#include "tests/lib/test_memory.h"

#define T(name) VEU_TYPE_##name

#define STEPS     40
/* Variables: of offsets of dwords, of bytes and words, and of data. */
#define DWORDS    4
#define OFFSETS   5
#define PLACES    9
#define LANES     32
/* What loads of four channels in 16 lanes fill. */
#define ELEMENTS  64
#define SLM_BYTES 1024

#define PAGES 40
#define BASE  UINT64_C(0x100000)
#define BYTES (PAGES * TEST_PAGE_BYTES)
#define SMALL UINT64_C(0x200000)
#define OTHER UINT64_C(0x300000)
#define HOLE  UINT64_C(0x900000)

/* ---- programs ---- */

static uint32_t place(unsigned n)
{
    return n * ELEMENTS * sizeof(uint32_t);
}

static TestMessage random_message(GRand *r)
{
    static const TestKind kinds[] = { TEST_GATHER4_SCALED, TEST_SCATTER4_SCALED,
                                      TEST_GATHER_SCALED, TEST_SCATTER_SCALED };
    static const uint32_t offsets[] = { 0, 0, 0, 4, 64, 4032, UINT32_MAX - 3 };
    static const uint8_t channels[] = { 1, 1, 1, 3, 7, 15, 5, 8 };
    TestKind kind = kinds[g_rand_int(r) % (g_rand_int(r) % 4 ? 2 : 4)];
    bool scaled = kind == TEST_GATHER_SCALED || kind == TEST_SCATTER_SCALED;
    unsigned half = g_rand_int(r) % 4 ? 0 : 4 << 4;
    unsigned address = scaled && g_rand_int(r) % 4 ? DWORDS :
                                                     g_rand_int(r) % DWORDS;

    return (TestMessage){
        .kind = kind,
        .exec = (g_rand_int(r) % 8 ? size_m1(16) : size_nm(16)) + half,
        .block_size = 0,
        .num_blocks = scaled ? g_rand_int(r) % 2 : 0,
        .channels = channels[g_rand_int(r) % 8],
        .surface = g_rand_int(r) % 4 ? VEU_FIRST_SURFACE + g_rand_int(r) % 6 :
                                       0,
        .offset = test_immediate(offsets[g_rand_int(r) % 7]),
        .address = { VEU_FIRST_VARIABLE + address, 0 },
        .data = { VEU_FIRST_VARIABLE + OFFSETS +
                      g_rand_int(r) % (PLACES - OFFSETS),
                  0 },
    };
}

/* Offsets stay rows if they were rows; data becomes other data. */
static void add_instruction(GRand *r, Code *code)
{
    uint32_t v = VEU_FIRST_VARIABLE + g_rand_int(r) % PLACES;
    uint32_t number = g_rand_int(r) % 32 ? g_rand_int(r) % 8 * 16 : 1;
    unsigned size = g_rand_int(r) % 2 ? 32 : 16;

    CODE_ADD(code, "add", size_m1(size), 0, 0, op_dst(v), op_lanes(v),
             op_imm(T(D), number));
}

/*
 * Some lanes jump over what follows, up to the next label, which may be right
 * after the goto. Others may already wait there, or at another label after it.
 */
static void add_goto(GRand *r, Code *code, unsigned *label)
{
    unsigned pred = 1 + g_rand_int(r) % 4, place = g_rand_int(r) % 4;
    unsigned size = g_rand_int(r) % 4 ? 32 : 1, before = 0;
    unsigned inverse = g_rand_int(r) % 4 ? 0 : 0x8000;

    if (!*label || g_rand_boolean(r)) {
        before = *label;
        *label = code_new_label(code, VEU_LABEL_BLOCK) + 1;
    }
    if (before && place) {
        code_add_label(code, before - 1);
    }
    CODE_ADD(code, "goto", size_m1(size), inverse | pred, *label - 1, { 0 });
    if (before && !place) {
        code_add_label(code, before - 1);
    } else if (place == 1) {
        code_add_label(code, code_new_label(code, VEU_LABEL_BLOCK));
    } else if (place == 2 && g_rand_int(r) % 4 == 0) {
        code_add_label(code, *label - 1);
        *label = 0;
    }
}

/* Names a surface, as compilers do before each message. */
static void add_state(GRand *r, Code *code)
{
    static const uint8_t indices[] = { 0, 0, 1, 3, 5, 32, 33, 35, 37 };
    unsigned size = g_rand_boolean(r) ? size_nm(1) : size_m1(1);
    Op state = { .class = VEU_OPERAND_STATE,
                 .id = VEU_FIRST_SURFACE + g_rand_int(r) % 6 };

    CODE_ADD(code, "movs", size, 0, 0, state,
             op_imm(T(UD), indices[g_rand_int(r) % G_N_ELEMENTS(indices)]));
}

static void add_fence(GRand *r, Code *code)
{
    code_add_message(code, &(TestMessage){ .kind = TEST_FENCE,
                                           .mask = g_rand_int(r) % 2 ?
                                                       VEU_FENCE_SW :
                                                       g_rand_int(r) });
}

static void add_step(GRand *r, Code *code, unsigned *label)
{
    unsigned kind = g_rand_int(r) % 18;
    TestMessage m = random_message(r);

    if (kind < 2) {
        add_goto(r, code, label);
    } else if (kind > 15) {
        add_state(r, code);
    } else if (kind == 15) {
        add_fence(r, code);
    } else if (kind < 9) {
        code_add_message(code, &m);
    } else {
        add_instruction(r, code);
    }
}

static void make_program(GRand *r, Code *code)
{
    unsigned label = 0;

    memset(code, 0, sizeof(*code));
    code->surface_count = 6;
    for (unsigned n = 0; n < PLACES; n++) {
        code_variable(code, place(n), ELEMENTS, T(D));
    }
    add_instruction(r, code);
    for (unsigned n = 0; n < STEPS; n++) {
        add_step(r, code, &label);
    }
    if (label) {
        code_add_label(code, label - 1);
    }
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
}

/* ---- two sides ---- */

/* Kinds of memory; all others have one extent for each buffer. */
enum {
    APART,    /* an extent for each page */
    PAGED,    /* that of a context of page tables */
    ADJACENT, /* the same, but pages follow each other for the host, too */
};

typedef struct Side {
    CodeRun run;
    TestMemory memory;
    VeuMessageSum sum;
    _Alignas(16) uint8_t slm[SLM_BYTES];
} Side;

/*
 * Surfaces whose numbers differ by VEU_MEM_BUFFERS have the same place in the
 * cache of buffers.
 */
static const struct {
    uint8_t index;
    uint64_t base;
    uint32_t bytes;
    uint8_t type;
    bool slm;
} surfaces[] = {
    { 0, BASE, BYTES, VEU_SURFACE_BUFFER, false },
    { 1, SMALL, 100, VEU_SURFACE_BUFFER, false },
    { 3, OTHER, TEST_PAGE_BYTES, VEU_SURFACE_BUFFER, false },
    { 5, BASE + 64, BYTES - 128, VEU_SURFACE_BUFFER, false },
    { 32, BASE, BYTES - TEST_PAGE_BYTES, VEU_SURFACE_BUFFER, false },
    { 33, SMALL, 0, VEU_SURFACE_BUFFER, false },
    { 35, OTHER, TEST_PAGE_BYTES, VEU_SURFACE_BUFFER, true },
    { 37, BASE + 128, BYTES - 128, VEU_SURFACE_BUFFER, false },
    { 2, BASE + 2, BYTES - 2, VEU_SURFACE_BUFFER, false },
    { 4, HOLE, TEST_PAGE_BYTES, VEU_SURFACE_BUFFER, false },
    /* past the end of the table */
    { 64, BASE, BYTES, VEU_SURFACE_BUFFER, false },
};

#define SURFACES       G_N_ELEMENTS(surfaces)
/* The first ones can be accessed. */
#define LEGAL_SURFACES 8

static void add_surfaces(Side *s)
{
    for (unsigned n = 0; n < SURFACES; n++) {
        s->run.surfaces.surface[surfaces[n].index] = (VeuSurface){
            .base = surfaces[n].base,
            .bytes = surfaces[n].bytes,
            .type = surfaces[n].type,
            .slm = surfaces[n].slm,
        };
    }
    s->run.surfaces.count = surfaces[SURFACES - 1].index;
}

static void init_side(Side *s, const Code *code, unsigned kind,
                      uint32_t slm_bytes)
{
    memset(s, 0, sizeof(*s));
    g_assert_true(code_load(&s->run, code));
    test_memory_init(&s->memory);
    s->memory.joined = kind >= ADJACENT;
    if (kind == PAGED || kind == ADJACENT) {
        test_memory_set_paged(&s->memory);
    }
    test_memory_add(&s->memory, BASE, BYTES, true);
    test_memory_add(&s->memory, SMALL, TEST_PAGE_BYTES, true);
    test_memory_add(&s->memory, OTHER, TEST_PAGE_BYTES, true);
    s->run.thread.mem = &s->memory.mem;
    s->run.thread.slm = s->slm;
    s->run.thread.slm_bytes = slm_bytes;
    s->run.thread.message_sum = &s->sum;
    add_surfaces(s);
}

static void free_side(Side *s)
{
    test_memory_free(&s->memory);
    code_free(&s->run);
}

/* ---- registers ---- */

static uint32_t first_offset(GRand *r)
{
    static const uint32_t firsts[] = { 0, 2, 36, 40, 960, 4032, 4060, 1 };

    uint32_t page = g_rand_int(r) % 2 * (g_rand_int(r) % PAGES) *
                    TEST_PAGE_BYTES;

    return g_rand_int(r) % 2 ? firsts[g_rand_int(r) % 8] + page :
                               g_rand_int(r) % BYTES & ~3u;
}

/* Lanes that are not in a row leave most pages clean. */
static uint32_t any_offset(GRand *r)
{
    uint32_t offset = g_rand_int(r) % (4 * TEST_PAGE_BYTES + 64) & ~3u;

    return g_rand_int(r) % 32 ? offset : BYTES - 4 * TEST_PAGE_BYTES + offset;
}

/* Most are rows, or the same in all lanes, but maybe for one lane. */
static void fill_offsets(GRand *r, uint32_t *to, bool small, bool wild)
{
    uint32_t first = first_offset(r) & (wild ? UINT32_MAX : ~3u);
    uint32_t unit = small || (wild && g_rand_boolean(r)) ?
                        1 + g_rand_int(r) % 2 :
                        4;
    bool is_row = g_rand_boolean(r), is_same = g_rand_int(r) % 4 == 0;

    for (unsigned lane = 0; lane < LANES; lane++) {
        to[lane] = is_same ? first :
                   is_row  ? first + lane % 16 * unit :
                             any_offset(r);
    }
    if (g_rand_int(r) % 8 == 0) {
        to[g_rand_int(r) % LANES] ^= 4;
    }
}

static void fill(GRand *r, Side *s, bool wild)
{
    uint32_t *registers = (uint32_t *)s->run.registers;

    for (unsigned n = 0; n < PLACES; n++) {
        for (unsigned lane = 0; lane < ELEMENTS; lane++) {
            registers[n * ELEMENTS + lane] = g_rand_int(r);
        }
        if (n < OFFSETS) {
            fill_offsets(r, registers + n * ELEMENTS, n == DWORDS, wild);
        }
    }
    for (unsigned n = 0; n < SLM_BYTES; n++) {
        s->slm[n] = g_rand_int(r);
    }
}

static void copy_bytes(Side *to, const Side *from)
{
    memcpy(to->run.registers, from->run.registers, sizeof(to->run.registers));
    memcpy(to->slm, from->slm, sizeof(to->slm));
    for (unsigned n = 0; n < from->memory.count; n++) {
        memcpy(to->memory.page[n].bytes, from->memory.page[n].bytes,
               TEST_PAGE_BYTES);
    }
}

static void choose_surfaces(GRand *r, Side *a, Side *b, bool wild)
{
    for (unsigned n = 0; n < 6; n++) {
        uint32_t k = g_rand_int(r) % (wild ? SURFACES : LEGAL_SURFACES);
        uint32_t index = surfaces[g_rand_int(r) % 4 ? k : 0].index;

        a->run.flow.states[n] = b->run.flow.states[n] = index;
    }
}

/* ---- comparison ---- */

/* Returns false if a message faults, which ends the thread. */
static bool step_by_rules(Side *s)
{
    const VeuInstruction *i = &s->run.program->instructions[s->run.flow.at];
    const VeuThread *t = &s->run.thread;

    if (!veu_step_by_rules(&s->run.thread, i)) {
        return false;
    }
    if (!i->info) {
        s->sum.messages++;
        s->sum.lanes += __builtin_popcount(t->active);
        s->sum.moved_bytes += t->active ? t->moved_bytes : 0;
    }
    return true;
}

static uint32_t most_cost(const VeuProgram *p)
{
    uint32_t most = 0;

    for (uint32_t n = 0; n < p->instruction_count; n++) {
        most = MAX(most, p->instructions[n].cost);
    }
    return most;
}

/*
 * No instruction begins at the limit, and none after a message or a goto while
 * a thread waits.
 */
static bool run_slice(Side *s, uint32_t limit)
{
    const VeuHandlerStep *step = &s->run.program->steps[s->run.flow.at];
    uint32_t cost = s->run.flow.cost;
    bool any = veu_run_handlers(&s->run.thread, limit);

    g_assert_cmpuint(s->run.flow.cost, <, limit + most_cost(s->run.program));
    if (veu_is_awaited(s->run.thread.awaited)) {
        g_assert_cmpuint(s->run.flow.cost - cost, <=, step->ahead);
    }
    return any;
}

/* Stops after each @slice of the cost, and where a handler has stopped. */
static bool run_compiled(Side *s, uint32_t slice)
{
    while (s->run.flow.running) {
        if (!run_slice(s, s->run.flow.cost + slice) && !step_by_rules(s)) {
            return false;
        }
    }
    return true;
}

static void check(const Side *rules, const Side *fast)
{
    g_assert_cmpmem(rules->run.registers, sizeof(rules->run.registers),
                    fast->run.registers, sizeof(fast->run.registers));
    g_assert_cmpmem(rules->slm, SLM_BYTES, fast->slm, SLM_BYTES);
    g_assert_true(test_memory_equal(&rules->memory, &fast->memory));
    g_assert_cmpmem(&rules->sum, sizeof(rules->sum), &fast->sum,
                    sizeof(fast->sum));
    g_assert_cmpuint(rules->run.flow.work, ==, fast->run.flow.work);
    g_assert_cmpuint(rules->run.flow.at, ==, fast->run.flow.at);
}

static void fill_page(uint8_t *page, uint32_t number)
{
    for (unsigned at = 0; at < TEST_PAGE_BYTES; at += sizeof(number)) {
        number = number * 1664525 + 1013904223;
        memcpy(page + at, &number, sizeof(number));
    }
}

/*
 * All that was written has become dirty. Both sides get other data, and the
 * pages of one may be elsewhere.
 */
static void begin_step(GRand *r, Side *rules, Side *fast)
{
    test_memory_flush(&fast->memory);
    g_assert_cmpint(test_memory_unsent(&fast->memory), ==, -1);
    veu_mem_forget(&rules->memory.mem);
    veu_mem_forget(&fast->memory.mem);
    if (!fast->memory.paged && g_rand_int(r) % 4 == 0) {
        test_memory_move(&fast->memory);
    }
    for (unsigned n = 0; n < rules->memory.count; n++) {
        fill_page(rules->memory.page[n].bytes, g_rand_int(r));
    }
    copy_bytes(fast, rules);
    test_memory_send_all(&fast->memory);
}

/* In the same step, the gate keeps buffers, and pages that are dirty. */
static void run_once(GRand *r, Side *rules, Side *fast, unsigned *awaited)
{
    uint32_t lanes = g_rand_int(r) % 3 ? UINT32_MAX : g_rand_int(r) | 1;
    uint32_t slice = g_rand_int(r) % 4 ? UINT32_MAX / 2 :
                                         1 + g_rand_int(r) % 64;
    bool wild = g_rand_int(r) % 4 == 0;
    bool ends, same;

    fill(r, rules, wild);
    copy_bytes(fast, rules);
    rules->run.config.undefined = fast->run.config.undefined = g_rand_int(r);
    rules->sum = fast->sum = (VeuMessageSum){ 0 };
    fast->run.thread.awaited = g_rand_int(r) % 4 ? NULL : awaited;
    *awaited = g_rand_boolean(r);
    veu_flow_start(&rules->run.thread, lanes);
    veu_flow_start(&fast->run.thread, lanes);
    choose_surfaces(r, rules, fast, wild);
    for (unsigned n = 0; n < 4; n++) {
        rules->run.predicates[n] = fast->run.predicates[n] =
            g_rand_int(r) % 3 ? g_rand_int(r) : -(g_rand_int(r) % 2);
    }
    do {
        ends = !step_by_rules(rules);
    } while (!ends && rules->run.flow.running);
    same = run_compiled(fast, slice) == !ends;
    g_assert_true(same);
    check(rules, fast);
}

static void run_programs(bool compiled)
{
    GRand *r = test_rand(46);
    Code *code = g_new(Code, 1);
    Side *rules = g_new(Side, 1), *fast = g_new(Side, 1);
    unsigned awaited;

    for (unsigned n = 0; n < 1000; n++) {
        unsigned kind = g_rand_int(r) % 7;

        uint32_t slm_bytes = g_rand_int(r) % 8 ? SLM_BYTES - 4 :
                                                 g_rand_int(r) % 5;

        make_program(r, code);
        init_side(rules, code, kind, slm_bytes);
        init_side(fast, code, kind, slm_bytes);
        if (compiled) {
            code_compile(fast->run.program);
            g_assert_true(
                code_is_compiled(fast->run.program->steps[0].handler[0]));
        }
        for (unsigned k = 0; k < 12; k++) {
            if (k % 3 == 0) {
                begin_step(r, rules, fast);
            }
            run_once(r, rules, fast, &awaited);
        }
        begin_step(r, rules, fast);
        free_side(rules);
        free_side(fast);
    }
    g_free(fast);
    g_free(rules);
    g_free(code);
    g_rand_free(r);
}

static void test_handlers(void)
{
    run_programs(false);
}

static void test_host_code(void)
{
    if (code_has_jit()) {
        run_programs(true);
    } else {
        g_test_skip("no AVX2, or no memory for code");
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/message-runs/handlers-do-what-executors-do",
                    test_handlers);
    g_test_add_func("/message-runs/host-code-does-what-executors-do",
                    test_host_code);
    return g_test_run();
}
