/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A kick at a time of the virtual clock. The clock does not run while the VM is
 * stopped.
 */
#ifndef HW_VEU_QEMU_ALARM_H
#define HW_VEU_QEMU_ALARM_H

#include "qemu/osdep.h"
#include "qemu/event_notifier.h"
#include "qemu/timer.h"

typedef struct VeuAlarm {
    uint64_t at;           /* ns; VEU_NO_DEADLINE: never */
    EventNotifier changed; /* created and cleaned up by the owner */
    QEMUTimer *timer;
} VeuAlarm;

/*
 * Between start and stop it may go off, which sets @kick. Called with the big
 * lock held.
 */
void veu_alarm_start(VeuAlarm *alarm, EventNotifier *kick);
void veu_alarm_stop(VeuAlarm *alarm);

/* Called when the VM starts, because the clock may have been set. */
void veu_alarm_refresh(VeuAlarm *alarm);

/* Sets the time from now on. May be called by any thread. */
void veu_alarm_set(VeuAlarm *alarm, uint64_t at);

#endif /* HW_VEU_QEMU_ALARM_H */
