/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The properties capture and capture-rules: docs/capture.md.
 */
#ifndef HW_VEU_QEMU_CAPTURE_H
#define HW_VEU_QEMU_CAPTURE_H

#include "qemu/osdep.h"
#include "hw/veu/capture/record.h"
#include "hw/veu/qemu/veu.h"

void veu_capture_class_init(ObjectClass *klass);
/* Called when the device exists: starts with the command line's values. */
bool veu_capture_start(VeuState *s, Error **errp);
void veu_capture_stop(VeuState *s);

/* Returns true while a launch is being recorded. */
bool veu_capture_is_on(const VeuState *s);
/* Called before the device accesses a page. */
void veu_capture_touch(VeuState *s, uint64_t iova, enum veu_access access);
void veu_capture_event(VeuState *s, const VeuEvent *event);

#endif /* HW_VEU_QEMU_CAPTURE_H */
