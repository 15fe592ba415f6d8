/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The property fault-inject: docs/fault-inject.md.
 */
#ifndef HW_VEU_QEMU_INJECT_H
#define HW_VEU_QEMU_INJECT_H

#include "qemu/osdep.h"
#include "hw/veu/qemu/veu.h"

void veu_inject_class_init(ObjectClass *klass);
/* Called when the device exists: gives it the rules of the command line. */
bool veu_inject_start(VeuState *s, Error **errp);

#endif /* HW_VEU_QEMU_INJECT_H */
