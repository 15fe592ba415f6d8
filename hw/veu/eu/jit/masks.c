/*
 * veu execution unit: which lanes host code executes an instruction for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/jit/masks.h"

void veu_masks_begin(VeuMasks *m, VeuEmit *emit)
{
    *m = (VeuMasks){ .emit = emit, .next = VEU_FIRST_MASK };
}

void veu_masks_need_flow(VeuMasks *m)
{
    if (!m->has_flow) {
        veu_emit_load(m->emit, VEU_FLOW, VEU_THREAD, offsetof(VeuThread, flow),
                      true);
        m->has_flow = true;
    }
}

void veu_masks_need_predicates(VeuMasks *m)
{
    if (!m->has_predicates) {
        veu_emit_load(m->emit, VEU_PREDICATES, VEU_THREAD,
                      offsetof(VeuThread, predicates), true);
        m->has_predicates = true;
    }
}

static void need_running(VeuMasks *m)
{
    if (!m->has_running) {
        veu_masks_need_flow(m);
        veu_emit_load(m->emit, VEU_RUNNING, VEU_FLOW,
                      offsetof(VeuFlow, running), false);
        m->has_running = true;
    }
}

static void load_predicate(VeuMasks *m, unsigned to, const VeuLanes *l)
{
    veu_masks_need_predicates(m);
    veu_emit_load(m->emit, to, VEU_PREDICATES, veu_predicate_at(l->predicate),
                  false);
    if (l->inverse) {
        veu_emit_unary(m->emit, VEU_UNARY_NOT, to);
    }
}

void veu_masks_general(VeuMasks *m, unsigned to, const VeuLanes *l)
{
    if (l->runs) {
        need_running(m);
    }
    if (l->has_predicate) {
        load_predicate(m, to, l);
    }
    if (l->runs) {
        veu_emit_general(m->emit,
                         l->has_predicate ? VEU_GENERAL_AND : VEU_GENERAL_MOVE,
                         to, VEU_RUNNING, false);
    }
    veu_emit_shift(m->emit, VEU_SHIFT_RIGHT, to, l->first, false);
    if (l->is_one) {
        veu_emit_with_number(m->emit, VEU_NUMBER_AND, to, 1, false);
    }
}

static bool are_equal(const VeuLanes *a, const VeuLanes *b)
{
    return a->is_some == b->is_some && a->runs == b->runs &&
           a->has_predicate == b->has_predicate && a->inverse == b->inverse &&
           a->is_one == b->is_one && a->predicate == b->predicate &&
           a->first == b->first;
}

static void load_mask(VeuMasks *m, unsigned k)
{
    const VeuLanes *lanes = &m->in[k];

    veu_masks_general(m, VEU_RAX, lanes);
    if (lanes->is_one) {
        veu_emit_unary(m->emit, VEU_UNARY_NEG, VEU_RAX);
    }
    veu_emit_mask_from(m->emit, k, VEU_RAX);
}

unsigned veu_masks_lanes(VeuMasks *m, const VeuLanes *lanes)
{
    unsigned k;

    if (!lanes->is_some) {
        return 0;
    }
    for (k = VEU_FIRST_MASK; k < VEU_HOST_MASKS; k++) {
        if (are_equal(&m->in[k], lanes)) {
            return k;
        }
    }
    k = m->next;
    m->next = k + 1 < VEU_HOST_MASKS ? k + 1 : VEU_FIRST_MASK;
    m->in[k] = *lanes;
    load_mask(m, k);
    return k;
}

void veu_masks_restore(VeuMasks *m)
{
    bool running = m->has_running, predicates = m->has_predicates;

    m->has_flow = m->has_running = m->has_predicates = false;
    veu_masks_need_flow(m);
    if (running) {
        need_running(m);
    }
    if (predicates) {
        veu_masks_need_predicates(m);
    }
    for (unsigned k = VEU_FIRST_MASK; k < VEU_HOST_MASKS; k++) {
        if (m->in[k].is_some) {
            load_mask(m, k);
        }
    }
}

void veu_masks_change_lanes(VeuMasks *m)
{
    memset(m->in, 0, sizeof(m->in));
    m->has_running = true;
}

void veu_masks_forget(VeuMasks *m, uint32_t predicate)
{
    for (unsigned k = VEU_FIRST_MASK; k < VEU_HOST_MASKS; k++) {
        if (m->in[k].has_predicate && m->in[k].predicate == predicate) {
            m->in[k] = (VeuLanes){ 0 };
        }
    }
}
