/*
 * veu execution unit: FENCE.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/message/execute.h"

#define FENCE_LOCAL    0x20u /* of shared local memory only */
#define FENCE_SOFTWARE 0x80u /* keeps a compiler from reordering */

/*
 * An EU thread's messages take effect in order for itself and its group. What
 * is left is the order that guest CPUs see; there are no caches to flush.
 */
bool veu_execute_fence(VeuThread *t, const VeuMessage *m)
{
    if (!(m->fence & (FENCE_LOCAL | FENCE_SOFTWARE))) {
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
    return true;
}
