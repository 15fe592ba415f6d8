/*
 * veu proofs: elements of operands of instructions are in the registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decoding compares the extent of a region with its variable, so it suffices
 * that each element is in the extent. Indirect elements are compared with the
 * end of the registers when they are used.
 */
#include <stdlib.h>
#include "hw/veu/eu/fault.c"
#include "hw/veu/eu/program/type.c"
#include "hw/veu/eu/instruction/elements.c"
#include "hw/veu/eu/decode/instruction_operand.c"
#include "tests/proofs/proof.h"

static VeuProgram program;
static VeuThread thread = { .program = &program };

/* Any region that decoding accepts, for a source or a destination. */
static void take_region(VeuOperand *o, unsigned lanes)
{
    uint16_t region = nondet_u16();

    ASSUME(lanes && lanes <= 32 && !(lanes & (lanes - 1)));
    ASSUME(nondet_bool() ? source_region(region, lanes, o) :
                           destination_region(region, o));
    o->type = nondet_u8();
    ASSUME(veu_type_bytes(o->type));
}

void elements_are_in_their_extent(void)
{
    VeuOperand o = { .class = VEU_OPERAND_GENERAL, .at = nondet_u16() };
    unsigned lanes = nondet_u8(), n = nondet_u8();
    uint32_t at, end;

    take_region(&o, lanes);
    ASSUME(n < lanes && !o.by_row);
    end = o.at + extent_bytes(&o, lanes);
    veu_operand_byte(&thread, &o, n, &at);
    REACHED(at + veu_type_bytes(o.type) == end && n == 31);
    REACHED(at > o.at);
    PROVE(at >= o.at && at + veu_type_bytes(o.type) <= end,
          "an element is in the extent of its region");
}

/*
 * This holds whatever the address registers contain, and whatever is added to
 * them.
 */
void indirect_elements_are_in_the_registers(void)
{
    VeuOperand o = { .class = VEU_OPERAND_INDIRECT,
                     .add_byte = (int16_t)nondet_u16() };
    unsigned lanes = nondet_u8(), n = nondet_u8();
    uint32_t at;

    take_region(&o, lanes);
    ASSUME(n < lanes);
    thread.addresses = malloc(VEU_LIMIT_ADDRESSES * sizeof(uint16_t));
    ASSUME(thread.addresses);
    o.at = nondet_u8();
    /* place_addresses() uses as many address elements as there are rows */
    ASSUME(o.at + (o.by_row ? (lanes - 1) >> o.width_shift : 0) <
           VEU_LIMIT_ADDRESSES);
    program.register_bytes = nondet_u32();
    ASSUME(program.register_bytes <= VEU_LIMIT_REGISTER_BYTES);
    if (veu_operand_byte(&thread, &o, n, &at)) {
        REACHED(at == 0);
        REACHED(at + veu_type_bytes(o.type) == program.register_bytes);
        PROVE(at <= program.register_bytes &&
                  veu_type_bytes(o.type) <= program.register_bytes - at,
              "an indirect element is in the registers");
    } else {
        REACHED(thread.fault.code == VEU_FAULT_INDIRECT);
        PROVE(thread.fault.code == VEU_FAULT_INDIRECT,
              "others are a fault of their own");
    }
}
