/*
 * veu unit tests: EU threads of instructions that move as often as possible.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Random programs use the whole state of an EU thread: registers, %cr0, %tsc,
 * predicates, address elements, state variables, waiting lanes and frames. A
 * dispatch of one, which moves to another device after each piece of work, has
 * the result that the second implementation has without a device. A piece is a
 * unit of cost, which random instructions fill in all possible ways.
 */
#include <malloc.h>
#include <string.h>
#include "tests/lib/isa_compare.h"
#include "tests/lib/state_bytes.h"

#define PROGRAMS      40
#define LANES         8
#define MAX_STEPS     100000
/* The offsets of predicates, address elements and registers in a payload. */
#define PREDICATES_AT sizeof(struct veu_payload_header)
#define ADDRESSES_AT  (PREDICATES_AT + 16)
#define REGISTERS_AT  128
#define PAYLOAD_BYTES (REGISTERS_AT + CODE_REGISTER_BYTES)

static void random_state(IsaPair *p, GRand *r)
{
    isa_random_registers(r, p->run.registers);
    isa_random_addresses(r, p->run.addresses);
    for (unsigned n = 0; n < G_N_ELEMENTS(p->run.predicates); n++) {
        p->run.predicates[n] = g_rand_int(r);
    }
}

static void make_payload(const IsaPair *p, uint32_t lanes, uint8_t *payload)
{
    memset(payload, 0, PAYLOAD_BYTES);
    memcpy(payload, &lanes, sizeof(lanes));
    memcpy(payload + PREDICATES_AT, p->run.predicates,
           sizeof(p->run.predicates));
    memcpy(payload + ADDRESSES_AT, p->run.addresses, sizeof(p->run.addresses));
    memcpy(payload + REGISTERS_AT, p->run.registers, CODE_REGISTER_BYTES);
}

/*
 * A program without faults; @p receives its result, @payload its initial state.
 */
static void make_program(IsaPair *p, GRand *r, Code *code, uint8_t *payload)
{
    do {
        uint32_t lanes = 1 + g_rand_int(r) % ((1u << LANES) - 1);

        isa_random_flow(code, r, LANES, ISA_FLOW_MIXED);
        isa_pair_load(p, code);
        random_state(p, r);
        make_payload(p, lanes, payload);
        p->faults = 0;
        isa_pair_start(p, lanes);
        isa_pair_run(p, MAX_STEPS);
    } while (p->faults);
    g_assert_cmphex(p->run.flow.running, ==, 0);
}

/* The number of instructions that a device decodes in a piece of work. */
#define PIECE 64

/*
 * Moves to another device after each piece of work; returns the last one. A
 * program that is not loaded yet would be loaded from the start there.
 */
static Dev *run_elsewhere(Dev *d, const IsaProgram *program, unsigned *moves)
{
    for (unsigned n = 0; n < program->count / PIECE + 2; n++) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    while (dev_step(d, 1) == VEU_STEP_MORE) {
        Dev *to = dev_destination(d);

        state_move(d->device, to->device);
        dev_free(d);
        d = to;
        ++*moves;
    }
    return d;
}

static void test_a_thread_moves_after_each_piece(void)
{
    g_autoptr(GRand) r = g_rand_new_with_seed(g_test_rand_int());
    g_autofree Code *code = g_new0(Code, 1);
    IsaPair *p = isa_pair_new();
    unsigned moves = 0;

    for (unsigned n = 0; n < PROGRAMS; n++) {
        uint8_t payload[PAYLOAD_BYTES], result[CODE_REGISTER_BYTES];
        Dev *d = dev_running();
        struct veu_command_dispatch c;

        make_program(p, r, code, payload);
        test_memory_put(&d->host.memory, DEV_PAYLOAD, payload, sizeof(payload));
        c = code_dispatch(d, code);
        c.launch.payload_bytes = sizeof(payload);
        c.launch.result_bytes = sizeof(result);
        DEV_PUSH(d, c);
        d = run_elsewhere(d, p->program, &moves);
        dev_assert_no_fault(d);
        test_memory_get(&d->host.memory, DEV_RESULT, result, sizeof(result));
        g_assert_cmpmem(result, sizeof(result), p->run.registers,
                        sizeof(result));
        dev_free(d);
    }
    g_test_message("%u moves", moves);
    g_assert_cmpuint(moves, >, 10 * PROGRAMS);
    isa_pair_free(p);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    /* a device reserves megabytes, which the system has zeroed already */
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    g_test_add_func("/isa-state/a-thread-moves-after-each-piece",
                    test_a_thread_moves_after_each_piece);
    return g_test_run();
}
