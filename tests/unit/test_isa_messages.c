/*
 * veu unit tests: messages in programs of instructions, compared with the
 * second implementations of both.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Both sides must agree on registers, guest memory, SLM and faults after every
 * instruction, and on the bytes that each message has moved; pages that the
 * device has written must be dirty. In half of the runs, messages are executed
 * by their handlers. VEU_TEST_SEED repeats a run, VEU_TEST_MESSAGES makes it
 * longer or shorter.
 */
#include <string.h>
#include "tests/lib/isa_compare.h"
#include "tests/lib/random_message.h"
#include "tests/lib/random_numbers.h"

#define MESSAGES 20000
/* The length of programs, and the runs of each with other registers. */
#define LENGTH   24
#define RUNS     4

typedef TestMessage MakeMessage(const World *w);

/* A program, and the messages in it. */
typedef struct Messages {
    Code code;
    TestMessage message[LENGTH];
    uint32_t offset[LENGTH]; /* of each message, in the code */
    /* the entry of the table with a suitable surface */
    unsigned entry[LENGTH];
} Messages;

static uint64_t clean[TEST_KINDS];
static VeuMessageSum sum;

static uint64_t message_count(void)
{
    return test_count("VEU_TEST_MESSAGES", MESSAGES);
}

static TestMessage any_message(const World *w)
{
    return random_message(w, world_below(w, TEST_KINDS));
}

/* What compilers write most, for which handlers exist. */
static TestMessage usual_message(const World *w)
{
    static const TestKind kinds[] = { TEST_GATHER4_SCALED, TEST_SCATTER4_SCALED,
                                      TEST_GATHER_SCALED, TEST_SCATTER_SCALED };
    TestMessage m;

    do {
        m = random_message(w, kinds[world_below(w, G_N_ELEMENTS(kinds))]);
    } while ((m.exec & 15) != TEST_LANES_16 ||
             m.offset.tag != TEST_CLASS_IMMEDIATE);
    m.pred = 0;
    m.channels = world_chance(w, 90) ? 1 : m.channels;
    return m;
}

/* A state variable replaces the surface. */
static void add_message(Messages *m, const World *w, unsigned n,
                        MakeMessage *make)
{
    TestMessage *message = &m->message[n];

    *message = make(w);
    m->offset[n] = m->code.count;
    m->entry[n] = message->surface;
    if (message->surface >= VEU_FIRST_SURFACE) {
        message->surface = VEU_FIRST_SURFACE +
                           world_below(w, ISA_RANDOM_STATES);
    }
    code_add_message(&m->code, message);
}

/* Moves data, predicates, addresses and indices between two messages. */
static void add_instruction(Messages *m, const World *w)
{
    static const uint8_t opcodes[] = { 0x01, 0x28, 0x29, 0x2b, 0x2c, 0x2d };

    isa_random_instruction(&m->code, w->rng,
                           isa_row(opcodes[world_below(w, sizeof(opcodes))]));
}

static void make_program(Messages *m, World *w, GRand *r, MakeMessage *make)
{
    memset(m, 0, sizeof(*m));
    isa_declare(&m->code);
    m->code.grf_bytes = g_rand_int(r) % 2 ? 32 : 64;
    world_init_for(w, r, m->code.variables, CODE_REGISTER_BYTES,
                   m->code.grf_bytes, 4);
    for (unsigned n = 0; n < LENGTH; n++) {
        add_message(m, w, n, make);
        add_instruction(m, w);
    }
    isa_put_return(&m->code, 1);
}

/* An EU thread with a sum uses handlers. */
static void start(IsaPair *p, World *w)
{
    p->run.thread.message_sum = world_chance(w, 50) ? &sum : NULL;
    isa_random_registers(w->rng, p->run.registers);
    isa_random_addresses(w->rng, p->run.addresses);
    for (unsigned n = 0; n < G_N_ELEMENTS(p->run.predicates); n++) {
        p->run.predicates[n] = world_chance(w, 20) ? UINT32_MAX :
                                                     g_rand_int(w->rng);
    }
    world_restart(w);
    isa_pair_start(p, world_chance(w, 40) ? UINT32_MAX : g_rand_int(w->rng));
}

/*
 * The variable has the index of a suitable surface or, rarely, of another one.
 */
static void choose_surface(IsaPair *p, const World *w, unsigned variable,
                           unsigned surface)
{
    uint32_t index = surface - VEU_FIRST_SURFACE;

    if (world_chance(w, 3)) {
        index = world_chance(w, 50) ? world_below(w, EU_SURFACES) :
                                      g_rand_int(w->rng);
    }
    p->run.flow.states[variable - VEU_FIRST_SURFACE] = index;
    p->thread.states[variable - VEU_FIRST_SURFACE] = index;
}

static bool is_slm(const World *w, unsigned surface)
{
    unsigned entry = surface - VEU_FIRST_SURFACE;

    return !surface ||
           (surface >= VEU_FIRST_SURFACE && entry < w->thread.surface_count &&
            w->surfaces[entry].flags & VEU_SURFACE_SLM);
}

/* Compilers set bits above those of SLM, so that no address is 0. */
static void set_high_bits(World *w, const RefMessage *m)
{
    for (unsigned lane = 0; lane < m->lanes && !m->address.null; lane++) {
        uint8_t *high = &w->eu->registers[m->address.at + lane * 4 + 3];

        *high |= world_chance(w, 50) ? 0x10 : 0;
    }
}

/* Sets registers, on both sides, with which message @n accesses some place. */
static void prepare(IsaPair *p, World *w, const Messages *m, unsigned n)
{
    const IsaProgram *program = p->program;
    unsigned at = isa_at(program, m->offset[n]);
    RefMessage decoded = program->instructions[at].message;

    if (decoded.surface >= VEU_FIRST_SURFACE) {
        choose_surface(p, w, decoded.surface, m->entry[n]);
        decoded.surface = m->entry[n];
    }
    memcpy(w->eu->registers, p->run.registers, CODE_REGISTER_BYTES);
    memcpy(w->eu->addresses, p->run.addresses, sizeof(p->run.addresses));
    random_operands(w, &m->message[n], &decoded);
    if (is_slm(w, decoded.surface)) {
        set_high_bits(w, &decoded);
    }
    memcpy(p->run.registers, w->eu->registers, ISA_RANDOM_REGISTERS);
    memcpy(p->thread.registers, w->eu->registers, ISA_RANDOM_REGISTERS);
    memcpy(p->run.addresses, w->eu->addresses, sizeof(p->run.addresses));
    memcpy(p->thread.addresses, w->eu->addresses, sizeof(p->run.addresses));
}

/*
 * Both sides have moved as many bytes. @before: the sum before the message,
 * which handlers add to.
 */
static void compare_moved(const IsaPair *p, const VeuMessageSum *before)
{
    uint64_t moved = sum.messages != before->messages ?
                         sum.moved_bytes - before->moved_bytes :
                         p->run.thread.moved_bytes;

    g_assert_cmpuint(moved, ==, p->thread.memory->moved_bytes);
}

/* Ends the test if the sides differ. */
static void run(IsaPair *p, World *w, const Messages *m)
{
    unsigned n = 0;
    char *what;
    bool more;

    do {
        const VeuInstruction *next = veu_next_instruction(&p->run.thread);
        uint64_t faults = p->faults;
        VeuMessageSum before = sum;
        bool message = next && n < LENGTH && next->offset == m->offset[n];

        if (message) {
            prepare(p, w, m, n);
        }
        more = isa_pair_step(p, &what);
        if (what) {
            g_error("%s: %s",
                    message ? test_layouts[m->message[n].kind].name :
                              "an instruction",
                    what);
        }
        if (message) {
            clean[m->message[n].kind] += p->faults == faults &&
                                         (p->run.thread.active ||
                                          sum.lanes != before.lanes);
            compare_moved(p, &before);
            n++;
        }
    } while (more);
    g_assert_cmpuint(n, ==, LENGTH);
}

/* Returns the number of faults. */
static uint64_t run_programs(uint64_t count, MakeMessage *make)
{
    g_autoptr(GRand) r = test_rand_any();
    g_autofree World *w = g_new0(World, 1);
    g_autofree Messages *m = g_new0(Messages, 1);
    IsaPair *p = isa_pair_new();
    uint64_t faults;

    memset(clean, 0, sizeof(clean));
    isa_pair_join(p, w);
    for (uint64_t n = 0; n < count; n += LENGTH * RUNS) {
        make_program(m, w, r, make);
        isa_pair_load(p, &m->code);
        for (unsigned k = 0; k < RUNS; k++) {
            start(p, w);
            run(p, w, m);
        }
        world_free(w);
    }
    faults = p->faults;
    isa_pair_free(p);
    return faults;
}

static void test_messages_in_programs_do_the_same(void)
{
    uint64_t count = message_count();
    uint64_t faults = run_programs(count, any_message);

    for (unsigned k = 0; k < TEST_KINDS; k++) {
        g_test_message("%s: %" G_GUINT64_FORMAT " without a fault",
                       test_layouts[k].name, clean[k]);
        g_assert_cmpuint(clean[k], >=, count / (16 * TEST_KINDS));
    }
    g_assert_cmpuint(faults, >=, count / 50);
}

static void test_handlers_of_messages_do_the_same(void)
{
    uint64_t count = message_count();
    uint64_t lanes = sum.lanes;

    run_programs(count, usual_message);
    g_assert_cmpuint(sum.lanes - lanes, >=, count);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/isa-messages/messages-in-programs-do-the-same",
                    test_messages_in_programs_do_the_same);
    g_test_add_func("/isa-messages/handlers",
                    test_handlers_of_messages_do_the_same);
    return g_test_run();
}
