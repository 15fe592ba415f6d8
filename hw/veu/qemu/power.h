/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Power states: PCI's D0 and D3hot, and what the machine's sleep means.
 */
#ifndef HW_VEU_QEMU_POWER_H
#define HW_VEU_QEMU_POWER_H

#include "hw/veu/qemu/veu.h"

bool veu_power_init(VeuState *s, Error **errp);
void veu_power_exit(VeuState *s);

/* Follows the power management capability: the guest may have written it. */
void veu_power_update(VeuState *s);
/* The same: it was loaded, with everything else. */
void veu_power_loaded(VeuState *s);

/* Back to D0, as a part of a reset. */
void veu_power_reset(VeuState *s);

#endif /* HW_VEU_QEMU_POWER_H */
