/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A kick at a time of the virtual clock. If guest time is counted in
 * instructions (icount), arming a timer of that clock needs the big lock, so
 * the main loop does it.
 */
#include "qemu/osdep.h"
#include "hw/veu/qemu/alarm.h"
#include "hw/veu/qemu/compat.h"
#include "hw/veu/device/host/device.h"

static void alarm_changed(EventNotifier *notifier)
{
    VeuAlarm *a = container_of(notifier, VeuAlarm, changed);
    uint64_t at;

    event_notifier_test_and_clear(notifier);
    at = qatomic_read(&a->at);
    if (at == VEU_NO_DEADLINE) {
        timer_del(a->timer);
    } else {
        timer_mod_ns(a->timer, MIN(at, INT64_MAX));
    }
}

void veu_alarm_set(VeuAlarm *a, uint64_t at)
{
    if (qatomic_read(&a->at) != at) {
        qatomic_set(&a->at, at);
        event_notifier_set(&a->changed);
    }
}

void veu_alarm_refresh(VeuAlarm *a)
{
    event_notifier_set(&a->changed);
}

static void goes_off(void *opaque)
{
    event_notifier_set(opaque);
}

void veu_alarm_start(VeuAlarm *a, EventNotifier *kick)
{
    a->at = VEU_NO_DEADLINE;
    a->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, goes_off, kick);
    event_notifier_set_handler(&a->changed, alarm_changed);
}

void veu_alarm_stop(VeuAlarm *a)
{
    event_notifier_set_handler(&a->changed, NULL);
    timer_free(a->timer);
    a->timer = NULL;
}
