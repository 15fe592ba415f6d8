/*
 * veu execution unit: FENCE.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/message/fast_path.h"

/*
 * An EU thread's messages take effect in order for itself and its group. What
 * remains is the order that guest CPUs observe; there are no caches to flush.
 */
bool veu_fence_does_nothing(const VeuMessage *m)
{
    return m->info->opcode == VEU_OPCODE_FENCE &&
           m->fence & (VEU_FENCE_LOCAL | VEU_FENCE_SW);
}

bool veu_execute_fence(VeuThread *t, const VeuMessage *m)
{
    if (!veu_fence_does_nothing(m)) {
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
    return true;
}

static bool fence_fast(VeuThread *t, const VeuMessage *m)
{
    t->moved_bytes = 0;
    return veu_execute_fence(t, m);
}

VeuFast *veu_fast_fence(const VeuMessage *m)
{
    return fence_fast;
}
