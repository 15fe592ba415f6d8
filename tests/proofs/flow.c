/*
 * veu proofs: waiting lanes, and the stack of calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/fault.c"
#include "hw/veu/eu/instruction/executors.h"
#include "tests/proofs/proof.h"

/* The predicate selects any lanes. */
static uint32_t any_lanes(const VeuThread *t, const VeuInstruction *i)
{
    return nondet_u32();
}
#define veu_predicate_of any_lanes
#include "hw/veu/eu/instruction/flow.c"

static VeuInstruction instructions[VEU_LIMIT_INSTRUCTIONS];
static uint32_t places[VEU_LIMIT_LABELS];
static VeuProgram program = {
    .instructions = instructions,
    .instruction_count = VEU_LIMIT_INSTRUCTIONS,
    .label_places = places,
    .function_places = places,
};
static VeuFlow flow;
static VeuThread thread = { .program = &program, .flow = &flow };

/* This number of lanes has all orders of places; further lanes are alike. */
#define LANES 4

/* The places of waiting lanes are arbitrary. */
static void take_flow(void)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        flow.place[lane] = nondet_u8();
    }
    flow.lanes = nondet_u8();
    ASSUME(flow.lanes < 1u << LANES);
}

void the_lanes_at_the_lowest_place_run(void)
{
    unsigned lane = nondet_u8();

    take_flow();
    ASSUME(lane < LANES && flow.lanes >> lane & 1);
    veu_flow_choose(&flow);
    REACHED(flow.next == VEU_FLOW_NOWHERE);
    REACHED(flow.next == flow.at + 1);
    PROVE(flow.running && !(flow.running & ~flow.lanes),
          "lanes of the frame run");
    PROVE(flow.place[lane] >= flow.at, "they are at the lowest place");
    PROVE((flow.running >> lane & 1) == (flow.place[lane] == flow.at),
          "all that are there, and no other");
    PROVE((flow.running >> lane & 1) || flow.place[lane] >= flow.next,
          "the others wait at the next place, or further on");
}

/* From any depth, no frame past the end of the stack is written or read. */
void calls_are_in_the_stack(void)
{
    VeuInstruction call_or_return = { .lanes = 32, .all_lanes = UINT32_MAX };
    uint32_t entry = nondet_u32();

    take_flow();
    flow.at = nondet_u8();
    flow.running = flow.lanes;
    flow.depth = nondet_u32();
    ASSUME(flow.running && flow.depth <= VEU_LIMIT_CALLS);
    ASSUME(entry < VEU_LIMIT_INSTRUCTIONS);
    if (nondet_bool()) {
        call(&thread, &call_or_return, entry);
    } else {
        veu_execute_ret(&thread, &call_or_return, 0);
    }
    REACHED(flow.depth == VEU_LIMIT_CALLS);
    REACHED(flow.depth == 0);
    PROVE(flow.depth <= VEU_LIMIT_CALLS, "the depth of calls is limited");
}
