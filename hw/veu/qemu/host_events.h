/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The events that the device model reports.
 */
#ifndef HW_VEU_QEMU_HOST_EVENTS_H
#define HW_VEU_QEMU_HOST_EVENTS_H

#include "hw/veu/qemu/veu.h"

/*
 * Follows gdb and the state of the trace events, for which calling it now and
 * then is enough.
 */
void veu_host_update_events(VeuState *s);

#endif /* HW_VEU_QEMU_HOST_EVENTS_H */
