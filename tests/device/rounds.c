/*
 * veu device tests: work in rounds.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A round copies the last state to the next place, adds to it with atomics,
 * makes a compiled kernel compute the sum, and stores its number: it does not
 * change its starting state. It loads the kernel again, because a reset unloads
 * it.
 */
#include <string.h>
#include "tests/device/kernel_work.h"
#include "tests/device/rounds.h"

#define PLACES  16 /* number of states; this many rounds fit into the ring */
#define GROUPS  128
#define LANES   8
#define WORDS   (GROUPS * LANES)
/* repetitions of the messages, so that a round takes some time */
#define REPEATS 16
#define SUMS    (WORDS / KERNEL_WORK_LOCAL)
#define HANDLE  5
#define SLOTS   9 /* of a round */

/*
 * Word 0 is shared; each other word belongs to one EU thread. The second half
 * has what an EU thread has read of its own words. Kernels have computed @sum.
 */
typedef struct State {
    uint32_t sum[WORDS];
    uint32_t seen[WORDS];
    uint32_t added[SUMS];
} State;

/*
 * V32 has the offsets to which it adds, V33 the terms, V34 what it has read,
 * V35 the offsets of V32 without 0.
 */
typedef struct Registers {
    uint32_t offsets[LANES];
    uint32_t terms[LANES];
    uint32_t seen[LANES];
    uint32_t own_offsets[LANES];
} Registers;

typedef struct Payload {
    struct veu_payload_header header;
    Registers registers;
} Payload;

#define RESULT_BYTES (GROUPS * LANES * 4)

static State *state(const Rig *r, uint64_t round)
{
    return (State *)r->arena + round % PLACES;
}

/*
 * The amount that word @word gains in a round; word 0 gains one for each group.
 */
static uint32_t term(uint64_t round, unsigned word)
{
    return 1 + round % PLACES * 1000 + word;
}

static void make_payloads(const Rig *r)
{
    Payload *payload = (Payload *)r->payload;

    for (unsigned place = 0; place < PLACES; place++) {
        for (unsigned group = 0; group < GROUPS; group++, payload++) {
            memset(payload, 0, sizeof(*payload));
            payload->header.exec_mask = 0xff;
            for (unsigned lane = 0; lane < LANES; lane++) {
                unsigned word = lane ? group * LANES + lane : 0;

                payload->registers.offsets[lane] = word * 4;
                payload->registers.own_offsets[lane] = lane ? word * 4 :
                                                              0x7fffff00;
                payload->registers.terms[lane] = term(place, word);
            }
        }
    }
}

/* All rounds of all rigs share this program. */
static uint32_t program_bytes;

static uint32_t make_program(const Rig *r)
{
    struct veu_program p;
    uint32_t offsets, terms, seen, own;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    offsets = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    terms = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    seen = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    own = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    for (unsigned i = 0; i < REPEATS; i++) {
        veu_encode_dword_atomic(&p.code, 0, VEU_ATOMIC_ADD, 32, veu_m(1, LANES),
                                T6, veu_v(offsets), veu_v(terms), veu_v(0),
                                veu_v(0));
        veu_encode_gather_scaled(&p.code, 0, 4, veu_m(1, LANES), T6, veu_ud(0),
                                 veu_v(own), veu_v(seen));
        veu_encode_scatter_scaled(&p.code, 0, 4, veu_m(1, LANES), T6,
                                  veu_ud(G_STRUCT_OFFSET(State, seen)),
                                  veu_v(own), veu_v(seen));
    }
    return veu_program_end(&p);
}

void rounds_set_up(Rig *r)
{
    KernelWork work;

    memset(r->arena, 0, PLACES * sizeof(State));
    memset(r->result, 0, PLACES * RESULT_BYTES);
    *r->fence = 0;
    make_payloads(r);
    kernel_work_place(r, &work);
    program_bytes = make_program(r);
    for (unsigned place = 0; place < PLACES; place++) {
        r->surfaces[place] = veu_surface_raw((uint8_t *)state(r, place),
                                             sizeof(State));
    }
}

static struct veu_command_dispatch make_dispatch(const Rig *r, uint64_t round)
{
    struct veu_command_dispatch command =
        veu_make_dispatch(round, r->program, program_bytes, LANES);
    unsigned place = round % PLACES;

    veu_launch_surfaces(&command.launch, r->surfaces + place, 1);
    veu_launch_payload(&command.launch,
                       r->payload + place * GROUPS * sizeof(Payload),
                       sizeof(Payload));
    veu_launch_result(&command.launch, r->result + place * RESULT_BYTES,
                      G_STRUCT_OFFSET(Registers, seen), LANES * 4);
    command.launch.payload_stride = sizeof(Payload);
    command.launch.result_stride = LANES * 4;
    command.launch.groups = GROUPS;
    return command;
}

/* programs of earlier rounds are no longer in use when this executes */
static void put_kernel(Rig *r, uint64_t round)
{
    struct veu_command_unload unload = veu_make_unload(round, 0);
    struct veu_command_load load;
    struct veu_command_kernel kernel;
    KernelWork work;

    kernel_work_open(r, &work);
    load = kernel_work_load(&work, HANDLE);
    kernel = kernel_work_make(&work, round % PLACES, HANDLE,
                              state(r, round)->sum, state(r, round)->added,
                              WORDS);
    rig_put(r, &unload.header);
    rig_put(r, &load.header);
    rig_put(r, &kernel.header);
}

static void put_round(Rig *r, uint64_t round)
{
    struct veu_command_copy copy = veu_make_copy(round, state(r, round),
                                                 state(r, round - 1),
                                                 sizeof(State));
    struct veu_command_dispatch work = make_dispatch(r, round);
    struct veu_command_fence fence = veu_make_fence(round, r->fence, round);

    fence.header.flags = VEU_COMMAND_INTERRUPT;
    rig_put(r, &copy.header);
    rig_put(r, &work.header);
    put_kernel(r, round);
    rig_put(r, &fence.header);
}

uint64_t rounds_put(Rig *r, uint64_t put, uint64_t last)
{
    while (put < last && veu_ring_space(&r->ring) >= SLOTS) {
        put_round(r, ++put);
    }
    rig_submit(r);
    return put;
}

uint64_t rounds_done(const Rig *r)
{
    return __atomic_load_n(r->fence, __ATOMIC_ACQUIRE);
}

void rounds_assert_right(const Rig *r)
{
    uint64_t rounds = rounds_done(r);
    const State *last = state(r, rounds);
    uint32_t added[SUMS] = { 0 };

    for (unsigned word = 0; word < WORDS; word++) {
        uint32_t sum = 0;

        for (uint64_t round = 1; round <= rounds; round++) {
            sum += REPEATS * term(round, word);
        }
        sum *= word ? word % LANES != 0 : GROUPS;
        g_assert_cmphex(last->sum[word], ==, sum);
        g_assert_cmphex(last->seen[word], ==, word ? sum : 0);
        added[word / KERNEL_WORK_LOCAL] += sum;
    }
    g_assert_cmpmem(last->added, sizeof(last->added), added, sizeof(added));
}

void rounds_assert_equal(const Rig *a, const Rig *b)
{
    g_assert_cmpuint(rounds_done(a), ==, rounds_done(b));
    g_assert_cmpint(memcmp(a->arena, b->arena, PLACES * sizeof(State)), ==, 0);
    g_assert_cmpint(memcmp(a->result, b->result, PLACES * RESULT_BYTES), ==, 0);
    rounds_assert_right(a);
}
