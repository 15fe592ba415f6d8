/*
 * veu execution unit: the fast ways of DWORD_ATOMIC, SVM_ATOMIC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They find the words; what is done to them is execute_atomic.c's. An aligned
 * word lies in one page.
 */
#include "hw/veu/eu/execute_atomic.h"
#include "hw/veu/eu/fast.h"

static bool plan_buffer(VeuThread *t, const VeuMessage *m, VeuPlan *plan)
{
    VeuWindow w;

    if (!veu_window_open(t, m, VEU_ACCESS_WRITE, &w) ||
        w.base % m->align_bytes) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        uint32_t offset = w.global + veu_lane_dword(t, &m->address, lane);
        uint8_t *at;

        if (offset % m->align_bytes) {
            return false;
        }
        if ((uint64_t)offset + m->element_bytes > w.bytes) {
            plan->outside |= 1u << lane;
            continue;
        }
        at = veu_window_at(t, &w, offset, m->element_bytes, VEU_ACCESS_WRITE);
        if (!at) {
            return false;
        }
        plan->span[lane].piece[0] = at;
        plan->live |= 1u << lane;
    }
    return true;
}

static bool plan_addresses(VeuThread *t, const VeuMessage *m, VeuPlan *plan)
{
    VEU_FOR_EACH_LANE(lane, t->active) {
        uint64_t iova = veu_lane_qword(t, &m->address, lane);
        const VeuExtent *e = veu_mem_find(t->mem, iova, m->element_bytes,
                                          VEU_ACCESS_WRITE);

        if (!e || iova % m->align_bytes) {
            return false;
        }
        plan->span[lane].piece[0] = e->host + (iova - e->iova);
        veu_mem_note(t->mem, e, plan->span[lane].piece[0], m->element_bytes);
    }
    plan->live = t->active;
    return true;
}

/* Types of registers are looked at only where that can be a fault. */
#define WAY(name, plan_lanes)                                         \
    static bool name##_way(VeuThread *t, const VeuMessage *m)         \
    {                                                                 \
        VeuPlan plan;                                                 \
                                                                      \
        plan.live = 0;                                                \
        plan.outside = 0;                                             \
        return !t->config->strict_types && plan_lanes(t, m, &plan) && \
               veu_atomic_perform_lanes(t, m, &plan);                 \
    }                                                                 \
    VeuFast *veu_fast_##name(const VeuMessage *m)                     \
    {                                                                 \
        return m->address.null ? NULL : name##_way;                   \
    }
WAY(dword_atomic, plan_buffer)
WAY(svm_atomic, plan_addresses)
