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
/* When the device is there: begins with what the command line says. */
bool veu_timeline_start(VeuState *s, Error **errp);
void veu_timeline_stop(VeuState *s);

/*
 * Other kinds of events come without the batch lock as well, while the property
 * may be set: nothing of the state is looked at for them.
 */
static inline void veu_timeline_add(VeuState *s, const VeuEvent *event)
{
    if (VEU_TIMELINE_EVENTS & 1u << event->kind && unlikely(s->timeline)) {
        veu_timeline_event(s->timeline, s->device, event,
                           s->host.now_ns(&s->host));
    }
}

#endif /* HW_VEU_QEMU_TIMELINE_H */
