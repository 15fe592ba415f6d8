/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The property timeline: docs/profile.md.
 */
#ifndef HW_VEU_QEMU_TIMELINE_H
#define HW_VEU_QEMU_TIMELINE_H

#include "qemu/osdep.h"
#include "hw/veu/capture/timeline.h"
#include "hw/veu/qemu/veu.h"

void veu_timeline_class_init(ObjectClass *klass);
/* Called when the device exists: starts with the command line's value. */
bool veu_timeline_start(VeuState *s, Error **errp);
void veu_timeline_stop(VeuState *s);

/*
 * Other kinds of events also come without the batch lock, while the property
 * may be set, so the state is not read for them.
 */
static inline void veu_timeline_add(VeuState *s, const VeuEvent *event)
{
    if (VEU_TIMELINE_EVENTS & 1u << event->kind && unlikely(s->timeline)) {
        veu_timeline_event(s->timeline, s->device, event,
                           s->host.now_ns(&s->host));
    }
}

#endif /* HW_VEU_QEMU_TIMELINE_H */
