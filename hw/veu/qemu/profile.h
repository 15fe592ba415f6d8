/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The property profile: docs/profile.md.
 */
#ifndef HW_VEU_QEMU_PROFILE_H
#define HW_VEU_QEMU_PROFILE_H

#include "qemu/osdep.h"
#include "hw/veu/capture/profiler.h"
#include "hw/veu/qemu/veu.h"

void veu_profile_class_init(ObjectClass *klass);
/* Called when the device exists: starts with the command line's value. */
void veu_profile_start(VeuState *s);
void veu_profile_stop(VeuState *s);

/* Like veu_timeline_add(). */
static inline void veu_profile_event(VeuState *s, const VeuEvent *event)
{
    if (VEU_PROFILER_EVENTS & 1u << event->kind && unlikely(s->profiler)) {
        veu_profiler_event(s->profiler, s->device, event);
    }
}

#endif /* HW_VEU_QEMU_PROFILE_H */
