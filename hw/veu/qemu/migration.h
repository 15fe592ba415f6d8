/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Migration and snapshots.
 */
#ifndef HW_VEU_QEMU_MIGRATION_H
#define HW_VEU_QEMU_MIGRATION_H

#include "qemu/osdep.h"
#include "migration/vmstate.h"

extern const VMStateDescription veu_vmstate;

#endif /* HW_VEU_QEMU_MIGRATION_H */
