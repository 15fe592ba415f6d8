/*
 * veu execution unit: FENCE.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/message/execute.h"

/*
 * An EU thread's messages take effect in order for itself and its group. What
 * remains is the order that guest CPUs observe; there are no caches to flush.
 */
bool veu_execute_fence(VeuThread *t, const VeuMessage *m)
{
    if (!(m->fence & (VEU_FENCE_LOCAL | VEU_FENCE_SW))) {
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
    return true;
}
