/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The properties that are fixed when a device is created.
 */
#ifndef HW_VEU_QEMU_PROPERTIES_H
#define HW_VEU_QEMU_PROPERTIES_H

#include "qemu/osdep.h"
#include "qom/object.h"

typedef struct VeuState VeuState;

/* Adds the properties, each with its text, to a class. */
void veu_properties_class_init(ObjectClass *klass);

/* Adds the names that properties had in version 1.0. */
void veu_properties_init(Object *obj);

/* Returns false with an error if a property has an illegal value. */
bool veu_properties_check(const VeuState *s, Error **errp);

#endif /* HW_VEU_QEMU_PROPERTIES_H */
