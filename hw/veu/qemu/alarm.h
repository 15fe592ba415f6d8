/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A kick at a time of the virtual clock. It stands while the VM is stopped.
 */
#ifndef HW_VEU_QEMU_ALARM_H
#define HW_VEU_QEMU_ALARM_H

#include "qemu/osdep.h"
#include "qemu/event_notifier.h"
#include "qemu/timer.h"

typedef struct VeuAlarm {
    uint64_t at;           /* ns; VEU_NO_DEADLINE: never */
    EventNotifier changed; /* the owner makes it, and cleans it up */
    QEMUTimer *timer;
} VeuAlarm;

/* From start to stop it may go off: @kick is set. With the big lock held. */
void veu_alarm_start(VeuAlarm *alarm, EventNotifier *kick);
void veu_alarm_stop(VeuAlarm *alarm);

/* The clock may have been set: to be called when the VM starts. */
void veu_alarm_refresh(VeuAlarm *alarm);

/* Any thread: the time from now on. */
void veu_alarm_set(VeuAlarm *alarm, uint64_t at);

#endif /* HW_VEU_QEMU_ALARM_H */
