/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Live state of a device as QOM properties, which can be read only.
 */
#ifndef HW_VEU_QEMU_INTROSPECT_H
#define HW_VEU_QEMU_INTROSPECT_H

#include "hw/veu/qemu/veu.h"

/* Adds the properties that every device has. */
void veu_introspect_class_init(ObjectClass *klass);

/* Adds one for each ring and each context: "ring[0]", "context[0]", ... */
void veu_introspect_add_numbered(VeuState *s);
void veu_introspect_remove_numbered(VeuState *s);

#endif /* HW_VEU_QEMU_INTROSPECT_H */
