/*
 * veu unit tests: which memory handlers of messages access.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A message of 16 lanes is executed as handlers do it, and then by its
 * executor, from the same registers and memory: afterwards both must be equal.
 * Memory and SLM end where a page begins that nothing may access. The tests do
 * so for elements of each size, for rows and for other lanes, and for each CPU
 * level that the host has.
 */
#include <string.h>
#include <sys/mman.h>
#include "hw/veu/eu/instruction/handler_run.h"
#include "hw/veu/eu/surface/descriptor.h"
#include "tests/lib/code_builder.h"

#define LANES      16
#define OFFSETS_AT 0
#define DATA_AT    (LANES * sizeof(uint32_t))
/*
 * Guest memory is at address 0, where an SLM window may be, too. Its pages do
 * not follow each other in the host's memory.
 */
#define PAGES      2
#define RAM_BYTES  (PAGES * TEST_PAGE_BYTES)

/* A message. */
typedef struct Form {
    unsigned bytes_log2; /* of an element */
    bool is_aligned;     /* 4_SCALED, of one channel: it must be aligned */
    bool is_store;
    bool is_row; /* lanes are consecutive; otherwise the last one is first */
    bool is_slm;
    bool loads_first; /* a load is before it, whose result it does not use */
    bool is_joined;   /* pages follow each other in the host's memory, too */
} Form;

typedef struct World {
    const Form *form;
    CodeRun run;
    VeuMessageSum sum;
    TestMemory memory;
    uint8_t *page[PAGES];
    uint8_t *slm; /* a page */
} World;

/* Pages that are followed by one that nothing may access. */
static uint8_t *new_pages(unsigned count)
{
    size_t bytes = count * TEST_PAGE_BYTES;
    uint8_t *pages = mmap(NULL, bytes + TEST_PAGE_BYTES, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    g_assert_true(pages != MAP_FAILED);
    g_assert_cmpint(mprotect(pages + bytes, TEST_PAGE_BYTES, PROT_NONE), ==, 0);
    for (size_t n = 0; n < bytes; n++) {
        pages[n] = 1 + n % 251;
    }
    return pages;
}

static void build(Code *code, const Form *f)
{
    static const TestKind kinds[2][2] = {
        { TEST_GATHER_SCALED, TEST_SCATTER_SCALED },
        { TEST_GATHER4_SCALED, TEST_SCATTER4_SCALED },
    };
    TestMessage m = {
        .kind = kinds[f->is_aligned][f->is_store],
        .exec = TEST_LANES_16,
        .num_blocks = f->bytes_log2,
        .channels = 1,
        .surface = f->is_slm ? 0 : VEU_FIRST_SURFACE,
        .offset = test_immediate(0),
        .address = { VEU_FIRST_VARIABLE, 0 },
        .data = { VEU_FIRST_VARIABLE + 1, 0 },
    };

    code_variable(code, OFFSETS_AT, LANES, VEU_TYPE_UD);
    code_variable(code, DATA_AT, LANES, VEU_TYPE_UD);
    code->surface_count = 1;
    if (f->loads_first) {
        m.kind = kinds[f->is_aligned][false];
        code_add_message(code, &m);
        m.kind = kinds[f->is_aligned][f->is_store];
        m.data.id = m.address.id;
    }
    code_add_message(code, &m);
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
}

static void add_pages(World *w)
{
    test_memory_init(&w->memory);
    test_memory_add(&w->memory, 0, RAM_BYTES, true);
    for (unsigned n = 0; n < PAGES; n++) {
        w->page[n] = n && w->form->is_joined ?
                         w->page[n - 1] + TEST_PAGE_BYTES :
                         new_pages(w->form->is_joined ? PAGES : 1);
        w->memory.page[n].bytes = w->page[n];
    }
}

static World *world_new(const Form *form)
{
    g_autofree Code *code = g_new0(Code, 1);
    World *w = g_new0(World, 1);

    w->form = form;
    build(code, form);
    g_assert_true(code_load(&w->run, code));
    w->slm = new_pages(1);
    add_pages(w);
    w->run.thread.mem = &w->memory.mem;
    w->run.thread.message_sum = &w->sum;
    return w;
}

/* Each page goes with the one after it, which may have gone. */
static void world_free(World *w)
{
    test_memory_free(&w->memory);
    for (unsigned n = 0; n < PAGES; n++) {
        munmap(w->page[n], 2 * TEST_PAGE_BYTES);
    }
    munmap(w->slm, 2 * TEST_PAGE_BYTES);
    code_free(&w->run);
    g_free(w);
}

/* The table's entry that messages name: as a launch does with another table. */
static void set_surface(World *w, const struct veu_surface *s)
{
    uint32_t detail;

    veu_mem_forget_windows(w->run.thread.mem);
    g_assert_true(veu_surface_decode(s, &w->run.surfaces.surface[0], &detail));
    w->run.surfaces.count = 1;
}

static void set_buffer(World *w, uint32_t base, uint32_t bytes)
{
    set_surface(w, &(struct veu_surface){
                       .base = base,
                       .type = VEU_SURFACE_BUFFER,
                       .format = VEU_FORMAT_RAW,
                       .width = bytes,
                   });
}

/* SLM of @bytes, the last ones of its page. */
static void set_slm(World *w, uint32_t bytes)
{
    w->run.thread.slm = w->slm + TEST_PAGE_BYTES - bytes;
    w->run.thread.slm_bytes = bytes;
}

/* Lanes access 16 consecutive elements, the last of which ends at @end. */
static void set_lanes(World *w, uint32_t end)
{
    unsigned bytes = 1 << w->form->bytes_log2;

    for (unsigned lane = 0; lane < LANES; lane++) {
        unsigned n = w->form->is_row ? lane : LANES - 1 - lane;
        uint32_t offset = end - (LANES - n) * bytes;
        uint32_t data = 0x51525354 + 0x01010101 * lane;

        memcpy(w->run.registers + OFFSETS_AT + 4 * lane, &offset, 4);
        memcpy(w->run.registers + DATA_AT + 4 * lane, &data, 4);
    }
}

/* All that a message can change. */
typedef struct Bytes {
    uint8_t registers[CODE_REGISTER_BYTES];
    uint8_t page[PAGES][TEST_PAGE_BYTES];
    uint8_t slm[TEST_PAGE_BYTES];
} Bytes;

static void get_bytes(const World *w, Bytes *b)
{
    memcpy(b->registers, w->run.registers, sizeof(b->registers));
    memcpy(b->slm, w->slm, sizeof(b->slm));
    for (unsigned n = 0; n < PAGES; n++) {
        memcpy(b->page[n], w->page[n], TEST_PAGE_BYTES);
    }
}

static void put_bytes(World *w, const Bytes *b)
{
    memcpy(w->run.registers, b->registers, sizeof(b->registers));
    memcpy(w->slm, b->slm, sizeof(b->slm));
    for (unsigned n = 0; n < PAGES; n++) {
        memcpy(w->page[n], b->page[n], TEST_PAGE_BYTES);
    }
}

static void assert_equal(const World *w, const Bytes *b)
{
    g_assert_cmpmem(w->run.registers, sizeof(b->registers), b->registers,
                    sizeof(b->registers));
    g_assert_cmpmem(w->slm, sizeof(b->slm), b->slm, sizeof(b->slm));
    for (unsigned n = 0; n < PAGES; n++) {
        g_assert_cmpmem(w->page[n], TEST_PAGE_BYTES, b->page[n],
                        TEST_PAGE_BYTES);
    }
}

/*
 * Executes the message of the lanes that end at @end in both manners. Returns
 * the fault of its executor, which handlers must leave to that.
 */
static unsigned run_message(World *w, uint32_t end)
{
    g_autofree Bytes *before = g_new(Bytes, 1);
    g_autofree Bytes *after = g_new(Bytes, 1);
    VeuThread *t = &w->run.thread;
    bool done, by_rules;

    set_lanes(w, end);
    get_bytes(w, before);
    veu_flow_start(t, UINT16_MAX);
    done = veu_run_handlers(t, UINT16_MAX);
    get_bytes(w, after);
    if (!done) {
        assert_equal(w, before);
    }
    put_bytes(w, before);
    veu_flow_start(t, UINT16_MAX);
    t->fault.code = 0;
    by_rules = veu_step_by_rules(t, w->run.program->instructions);
    if (done) {
        assert_equal(w, after);
    }
    g_assert_true(by_rules || !done);
    return t->fault.code;
}

/* Calls @check for each form of messages to buffers, or to SLM. */
static void for_each_form(bool is_slm, void (*check)(const Form *))
{
    for (unsigned n = 0; n < 16; n++) {
        Form form = {
            .bytes_log2 = MIN(n % 4, 2),
            .is_aligned = n % 4 == 3,
            .is_store = n / 4 % 2,
            .is_row = n / 8,
            .is_slm = is_slm,
        };

        check(&form);
    }
}

static void for_each_level(bool is_slm, void (*check)(const Form *))
{
    VeuCpu best = veu_cpu;

    for (VeuCpu level = VEU_CPU_SCALAR; level < VEU_CPU_COUNT; level++) {
        if (veu_cpu_has(level)) {
            veu_cpu = level;
            for_each_form(is_slm, check);
        }
    }
    veu_cpu = best;
}

/* ---- the surface ---- */

/* It has the bytes of a buffer that the thread has accessed. */
static void check_type(const Form *form)
{
    static const struct veu_surface texels = {
        .type = VEU_SURFACE_2D,
        .format = VEU_FORMAT_R32_UINT,
        .width = 16,
        .height = TEST_PAGE_BYTES / 64,
        .levels = 1,
        .pitch = 64,
    };

    for (unsigned accesses = 0; accesses < 3; accesses++) {
        World *w = world_new(form);

        set_buffer(w, 0, TEST_PAGE_BYTES);
        for (unsigned n = 0; n < accesses; n++) {
            g_assert_cmphex(run_message(w, 256), ==, 0);
        }
        set_surface(w, &texels);
        g_assert_cmpuint(w->run.surfaces.surface[0].bytes, ==, TEST_PAGE_BYTES);
        for (unsigned n = 0; n < 2; n++) {
            g_assert_cmphex(run_message(w, 256), ==, VEU_FAULT_SURFACE_KIND);
        }
        world_free(w);
    }
}

static void test_a_surface_of_another_type_faults(void)
{
    for_each_level(false, check_type);
}

/* What was there before is a buffer that the thread has accessed. */
static void check_table(const Form *form)
{
    for (unsigned accesses = 0; accesses < 3; accesses++) {
        World *w = world_new(form);

        set_buffer(w, 0, TEST_PAGE_BYTES);
        for (unsigned n = 0; n < accesses; n++) {
            g_assert_cmphex(run_message(w, 256), ==, 0);
        }
        w->run.surfaces.count = 0;
        g_assert_cmphex(run_message(w, 256), ==, VEU_FAULT_SURFACE_INDEX);
        /* the lanes that would have run */
        g_assert_cmphex(w->run.thread.active, ==, UINT16_MAX);
        world_free(w);
    }
}

static void test_a_surface_past_the_table_faults(void)
{
    for_each_level(false, check_table);
}

/* A window of SLM, at an address at which there is guest memory, too. */
static void check_window(const Form *form)
{
    static const struct veu_surface window = {
        .base = 64,
        .type = VEU_SURFACE_BUFFER,
        .format = VEU_FORMAT_RAW,
        .width = 1024,
        .flags = VEU_SURFACE_SLM,
    };
    World *w = world_new(form);

    memset(w->slm, 0x99, TEST_PAGE_BYTES);
    set_slm(w, 2048);
    set_surface(w, &window);
    for (unsigned n = 0; n < 3; n++) {
        g_assert_cmphex(run_message(w, 256), ==, 0);
    }
    world_free(w);
}

static void test_a_surface_in_slm_is_no_guest_memory(void)
{
    for_each_level(false, check_window);
}

/* ---- the end of memory ---- */

/*
 * The first message finds the buffer at @base, which handlers know from then
 * on. Lanes end up to a lane past it.
 */
static void check_end_at(const Form *form, uint32_t base)
{
    unsigned bytes = 1 << form->bytes_log2;

    for (unsigned out = 0; out <= LANES + 1; out++) {
        World *w = world_new(form);

        set_buffer(w, base, 256);
        for (unsigned n = 0; n < 3; n++) {
            g_assert_cmphex(run_message(w, 256 + out * bytes), ==, 0);
        }
        world_free(w);
    }
}

static void check_end_of_buffer(const Form *form)
{
    check_end_at(form, 0);
    check_end_at(form, RAM_BYTES - 256);
}

static void test_no_byte_past_a_buffer_is_accessed(void)
{
    for_each_level(false, check_end_of_buffer);
}

/* The buffer has the end of one page and the beginning of the next one. */
static void check_two_pages(const Form *form)
{
    unsigned bytes = 1 << form->bytes_log2;
    World *w = world_new(form);

    set_buffer(w, TEST_PAGE_BYTES - 128, 256);
    for (unsigned end = LANES * bytes; end <= 256; end += bytes) {
        g_assert_cmphex(run_message(w, end), ==, 0);
    }
    world_free(w);
}

/* Executes the program, by handlers as far as they can. Returns the fault. */
static unsigned run_program(World *w)
{
    VeuThread *t = &w->run.thread;
    const VeuInstruction *i;

    t->fault.code = 0;
    veu_flow_start(t, UINT16_MAX);
    while ((i = veu_next_instruction(t)) &&
           (veu_run_handlers(t, UINT16_MAX) || veu_step_by_rules(t, i))) {}
    return t->fault.code;
}

/*
 * The host's page is dirty, as after a store to another address of it. What is
 * kept of a buffer for loads says nothing of stores.
 */
static void check_read_only(const Form *form)
{
    Form f = *form;
    g_autofree uint8_t *before = g_malloc(TEST_PAGE_BYTES);
    World *w;

    if (!f.is_store) {
        return;
    }
    f.loads_first = true;
    w = world_new(&f);
    w->memory.page[0].writable = false;
    w->memory.noted[0] = 1;
    set_buffer(w, 0, TEST_PAGE_BYTES);
    memcpy(before, w->page[0], TEST_PAGE_BYTES);
    for (unsigned n = 0; n < 3; n++) {
        set_lanes(w, 256);
        g_assert_cmphex(run_program(w), ==, VEU_FAULT_ADDRESS);
        g_assert_cmpmem(w->page[0], TEST_PAGE_BYTES, before, TEST_PAGE_BYTES);
    }
    world_free(w);
}

static void test_a_buffer_that_was_loaded_may_be_read_only(void)
{
    for_each_level(false, check_read_only);
}

static void test_a_row_may_be_in_two_pages(void)
{
    for_each_level(false, check_two_pages);
}

/* One page is marked, by a row in it, when the next row is in both. */
static void check_marks(const Form *form)
{
    unsigned bytes = 1 << form->bytes_log2;
    Form f = *form;
    World *w;

    if (!f.is_store) {
        return;
    }
    f.is_joined = true;
    w = world_new(&f);
    set_buffer(w, TEST_PAGE_BYTES - 128, 256);
    for (unsigned page = 0; page < PAGES; page++) {
        test_memory_forget_notes(&w->memory);
        set_lanes(w, page ? 256 : LANES * bytes);
        g_assert_cmphex(run_program(w), ==, 0);
        g_assert_true(test_memory_is_noted(&w->memory, page));
        g_assert_false(test_memory_is_noted(&w->memory, !page));
        set_lanes(w, 128 + LANES / 2 * bytes);
        g_assert_cmphex(run_program(w), ==, 0);
        g_assert_true(test_memory_is_noted(&w->memory, !page));
    }
    world_free(w);
}

static void test_both_pages_of_a_row_become_dirty(void)
{
    for_each_level(false, check_marks);
}

static void check_end_of_slm(const Form *form)
{
    unsigned bytes = 1 << form->bytes_log2;
    World *w = world_new(form);

    set_slm(w, 256);
    for (unsigned out = 0; out <= LANES + 1; out++) {
        g_assert_cmphex(run_message(w, 256 + out * bytes), ==, 0);
    }
    world_free(w);
}

static void test_no_byte_past_slm_is_accessed(void)
{
    for_each_level(true, check_end_of_slm);
}

/* ---- less than a dword ---- */

/* Some of the lanes, or none, are inside. */
static void check_small_at(const Form *form, uint32_t base, uint32_t bytes)
{
    World *w = world_new(form);

    set_buffer(w, base, bytes);
    for (unsigned n = 0; n < 3; n++) {
        g_assert_cmphex(run_message(w, LANES << form->bytes_log2), ==, 0);
    }
    world_free(w);
}

static void check_small_buffer(const Form *form)
{
    for (unsigned bytes = 1; bytes <= 4; bytes++) {
        check_small_at(form, 0, bytes);
        check_small_at(form, RAM_BYTES - bytes, bytes);
    }
}

static void test_a_buffer_may_be_less_than_a_dword(void)
{
    for_each_level(false, check_small_buffer);
}

static void check_small_slm(const Form *form)
{
    static const unsigned bytes[] = { 0, 1, 2, 4 };

    for (unsigned n = 0; n < G_N_ELEMENTS(bytes); n++) {
        World *w = world_new(form);

        set_slm(w, bytes[n]);
        g_assert_cmphex(run_message(w, LANES << form->bytes_log2), ==, 0);
        world_free(w);
    }
}

static void test_slm_may_be_less_than_a_dword(void)
{
    for_each_level(true, check_small_slm);
}

/* ---- alignment ---- */

/* Other messages take any offset. */
static void check_misaligned(const Form *form)
{
    unsigned fault = form->is_aligned ? VEU_FAULT_ALIGNMENT : 0;
    World *w = world_new(form);

    set_buffer(w, 0, 256);
    set_slm(w, 256);
    g_assert_cmphex(run_message(w, 129), ==, fault);
    g_assert_cmphex(run_message(w, 128), ==, 0);
    g_assert_cmphex(run_message(w, 128), ==, 0);
    g_assert_cmphex(run_message(w, 129), ==, fault);
    world_free(w);
}

static void test_misaligned_dwords_of_4_scaled_fault(void)
{
    for_each_level(false, check_misaligned);
    for_each_level(true, check_misaligned);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/message-handlers/a-surface-of-another-type-faults",
                    test_a_surface_of_another_type_faults);
    g_test_add_func("/message-handlers/a-surface-past-the-table-faults",
                    test_a_surface_past_the_table_faults);
    g_test_add_func("/message-handlers/a-surface-in-slm-is-no-guest-memory",
                    test_a_surface_in_slm_is_no_guest_memory);
    g_test_add_func("/message-handlers/no-byte-past-a-buffer-is-accessed",
                    test_no_byte_past_a_buffer_is_accessed);
    g_test_add_func("/message-handlers/"
                    "a-buffer-that-was-loaded-may-be-read-only",
                    test_a_buffer_that_was_loaded_may_be_read_only);
    g_test_add_func("/message-handlers/a-row-may-be-in-two-pages",
                    test_a_row_may_be_in_two_pages);
    g_test_add_func("/message-handlers/both-pages-of-a-row-become-dirty",
                    test_both_pages_of_a_row_become_dirty);
    g_test_add_func("/message-handlers/no-byte-past-slm-is-accessed",
                    test_no_byte_past_slm_is_accessed);
    g_test_add_func("/message-handlers/a-buffer-may-be-less-than-a-dword",
                    test_a_buffer_may_be_less_than_a_dword);
    g_test_add_func("/message-handlers/slm-may-be-less-than-a-dword",
                    test_slm_may_be_less_than_a_dword);
    g_test_add_func("/message-handlers/misaligned-dwords-of-4-scaled-fault",
                    test_misaligned_dwords_of_4_scaled_fault);
    return g_test_run();
}
