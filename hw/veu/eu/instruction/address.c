/*
 * veu execution unit: address variables, state variables, function addresses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"

/* Sums wrap at 16 bits, as address elements do. */
bool veu_execute_addr_add(VeuThread *t, const VeuInstruction *i,
                          uint32_t active)
{
    uint16_t sum[VEU_MAX_LANES];

    VEU_FOR_EACH_LANE(n, active) {
        uint64_t base, offset;

        if (!veu_operand_load(t, &i->src[0], n, &base) ||
            !veu_operand_load(t, &i->src[1], n, &offset)) {
            return false;
        }
        sum[n] = base + (uint16_t)veu_operand_integer(&i->src[1], offset);
    }
    VEU_FOR_EACH_LANE(n, active) {
        t->addresses[i->dst.at + n] = sum[n];
    }
    return true;
}

static bool load_state(VeuThread *t, const VeuInstruction *i, unsigned n,
                       uint64_t *value)
{
    if (i->src[0].class == VEU_OPERAND_STATE) {
        *value = t->flow->states[i->src[0].at];
        return true;
    }
    if (!veu_operand_load(t, &i->src[0], n, value)) {
        return false;
    }
    *value = veu_operand_integer(&i->src[0], *value);
    return true;
}

static bool compute_movs(VeuThread *t, const VeuInstruction *i, unsigned n,
                         VeuResult *r)
{
    return load_state(t, i, n, &r->bits);
}

/* A state variable has one element: that of the first running lane. */
bool veu_execute_movs(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    uint64_t value;

    if (i->dst.class != VEU_OPERAND_STATE) {
        return veu_for_lanes(t, i, active, compute_movs);
    }
    if (active) {
        if (!load_state(t, i, __builtin_ctz(active), &value)) {
            return false;
        }
        t->flow->states[i->dst.at] = value;
    }
    return true;
}

static bool compute_faddr(VeuThread *t, const VeuInstruction *i, unsigned n,
                          VeuResult *r)
{
    r->bits = t->program->functions[i->target].offset;
    return true;
}

bool veu_execute_faddr(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return veu_for_lanes(t, i, active, compute_faddr);
}
