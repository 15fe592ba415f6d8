/*
 * veu execution unit: lanes, as all executors treat them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/program/program.h"

uint32_t veu_predicate_lanes(const VeuThread *t, const VeuMessage *m)
{
    const VeuPredication *p = &m->predication;
    uint32_t all = m->all_lanes;
    uint32_t bits = (t->predicates[p->index] >> m->mask_offset) & all;

    if (p->combine == VEU_COMBINE_ANY) {
        bits = bits ? all : 0;
    } else if (p->combine == VEU_COMBINE_ALL) {
        bits = bits == all ? all : 0;
    }
    return p->inverse ? ~bits & all : bits;
}

uint32_t veu_lane_dword(const VeuThread *t, const VeuRaw *raw, unsigned lane)
{
    uint32_t value = 0;

    if (!raw->null) {
        memcpy(&value, t->registers + raw->register_byte + lane * 4, 4);
    }
    return value;
}

uint64_t veu_lane_qword(const VeuThread *t, const VeuRaw *raw, unsigned lane)
{
    uint64_t value = 0;

    if (!raw->null) {
        memcpy(&value, t->registers + raw->register_byte + lane * 8, 8);
    }
    return value;
}

/* The place of an indirect operand, such as r[A0(2),-16] in vISA text. */
static bool indirect_byte(VeuThread *t, const VeuScalar *scalar, uint32_t *at)
{
    int32_t byte = t->addresses[scalar->address] + scalar->add_byte;

    if (byte < 0 ||
        byte + veu_type_bytes(scalar->type) > t->program->register_bytes) {
        return veu_fault_form(&t->fault, VEU_FAULT_INDIRECT, byte);
    }
    *at = byte;
    return true;
}

bool veu_scalar_value(VeuThread *t, const VeuScalar *scalar, uint64_t *value)
{
    uint32_t at = scalar->register_byte;

    *value = scalar->value;
    if (scalar->class == VEU_SCALAR_IMMEDIATE) {
        return true;
    }
    if (scalar->class == VEU_SCALAR_INDIRECT &&
        !indirect_byte(t, scalar, &at)) {
        return false;
    }
    *value = veu_type_load(scalar->type, t->registers + at);
    return true;
}

bool veu_lane_aligned(VeuThread *t, const VeuMessage *m,
                      const VeuLaneAccess *access)
{
    if (m->align_bytes && access->address % m->align_bytes) {
        veu_fault_lane(t, VEU_FAULT_ALIGNMENT, access, 0);
        return false;
    }
    return true;
}

/* An atomic access needs both permissions: docs/spec.md, section 3. */
static bool find_span(VeuThread *t, const VeuLaneAccess *access, VeuSpan *span)
{
    return (!access->is_atomic ||
            veu_mem_span(t->mem, access->address, access->bytes,
                         VEU_ACCESS_READ, span)) &&
           veu_mem_span(t->mem, access->address, access->bytes, access->access,
                        span);
}

void veu_plan_memory(VeuThread *t, VeuPlan *plan, const VeuLaneAccess *access)
{
    VeuSpan *span = &plan->span[access->lane];
    uint16_t code;

    if (!find_span(t, access, span)) {
        veu_mem_probe(t->mem, access->address, access->bytes, access->access);
        veu_fault_lane(t, VEU_FAULT_ADDRESS, access,
                       span->piece_bytes[0] / access->element_bytes);
        return;
    }
    code = veu_observe(t, access, VEU_LANE_MEMORY, span);
    if (code) {
        veu_fault_lane(t, code, access, 0);
    } else {
        plan->live |= 1u << access->lane;
    }
}

/* The number of the first block of @access that is not before block @number. */
static unsigned next_block(const VeuLaneAccess *access, unsigned number)
{
    uint64_t from_it = access->blocks & -(UINT64_C(1) << number);

    return from_it ? (unsigned)__builtin_ctzll(from_it) : number;
}

void veu_fault_lane(VeuThread *t, uint16_t code, const VeuLaneAccess *access,
                    unsigned element)
{
    VeuFault *fault = &t->fault;

    if (!fault->code) {
        unsigned first = next_block(access, 0);
        unsigned faulted = next_block(access, first + element);
        uint64_t offset = (faulted - first) * access->element_bytes;

        *fault = (VeuFault){
            .code = code,
            .access = access->access,
            .lane = access->lane,
            .element = faulted,
            .address = access->address + offset,
            .bytes = access->element_bytes,
        };
    }
    fault->lanes |= 1u << access->lane;
    veu_observe(t, access, VEU_LANE_FAULT, NULL);
}

bool veu_finish(VeuThread *t, uint32_t moved_bytes)
{
    t->moved_bytes = moved_bytes;
    t->fault.bytes_done = moved_bytes;
    return !t->fault.code;
}

bool veu_plan_finish(VeuThread *t, const VeuPlan *plan, uint32_t lane_bytes)
{
    return veu_finish(t, __builtin_popcount(plan->live) * lane_bytes);
}

static bool pieces_touch(const VeuSpan *a, unsigned i, const VeuSpan *b,
                         unsigned j)
{
    uintptr_t at_a = (uintptr_t)a->piece[i];
    uintptr_t at_b = (uintptr_t)b->piece[j];

    return a->piece_bytes[i] && b->piece_bytes[j] &&
           at_a < at_b + b->piece_bytes[j] && at_b < at_a + a->piece_bytes[i];
}

static bool spans_touch(const VeuSpan *a, const VeuSpan *b)
{
    return pieces_touch(a, 0, b, 0) || pieces_touch(a, 0, b, 1) ||
           pieces_touch(a, 1, b, 0) || pieces_touch(a, 1, b, 1);
}

void veu_check_collisions(VeuThread *t, const VeuPlan *plan)
{
    if (!t->config->check) {
        return;
    }
    VEU_FOR_EACH_LANE(a, plan->live) {
        VEU_FOR_EACH_LANE(b, plan->live & ((1u << a) - 1)) {
            if (spans_touch(&plan->span[a], &plan->span[b])) {
                veu_break_contract(t, VEU_CONTRACT_LANE_COLLISION);
                return;
            }
        }
    }
}

void veu_break_contract(VeuThread *t, VeuContract contract)
{
    if (t->config->check) {
        t->contracts |= 1u << contract;
    }
}

/*
 * Compilers store integers through F registers, so this faults only on request.
 */
bool veu_check_type(VeuThread *t, const VeuRaw *raw, uint8_t type)
{
    if (raw->null || raw->type == type) {
        return true;
    }
    if (t->config->strict_types) {
        return veu_fault_form(&t->fault, VEU_FAULT_REGISTER_TYPE, 0);
    }
    veu_break_contract(t, VEU_CONTRACT_REGISTER_TYPE);
    return true;
}

/* Kept out of line so that the common path needs no stack frame. */
static __attribute__((noinline)) bool execute_observed(VeuThread *t,
                                                       const VeuMessage *m)
{
    VeuObserver *o = t->observer;
    bool ok = (!o->begin || o->begin(o, t, m)) && m->info->execute(t, m);

    if (o->end) {
        o->end(o);
    }
    return ok;
}

bool veu_execute_by_rules(VeuThread *t, const VeuMessage *m)
{
    t->fault.lanes = 0;
    t->moved_bytes = 0;
    veu_mem_forget_misses(t->mem);
    return t->active == 0 ||
           (t->observer ? execute_observed(t, m) : m->info->execute(t, m));
}
