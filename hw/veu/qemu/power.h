/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Power states: PCI's D0 and D3hot, and the machine's sleep states.
 */
#ifndef HW_VEU_QEMU_POWER_H
#define HW_VEU_QEMU_POWER_H

#include "hw/veu/qemu/veu.h"

bool veu_power_init(VeuState *s, Error **errp);
void veu_power_exit(VeuState *s);

/* Follows the power management capability, which the guest may have written. */
void veu_power_update(VeuState *s);
/* Like veu_power_update(), after the state was loaded with everything else. */
void veu_power_loaded(VeuState *s);

/* Returns to D0, as part of a reset. */
void veu_power_reset(VeuState *s);

#endif /* HW_VEU_QEMU_POWER_H */
