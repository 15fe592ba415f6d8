/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Interrupts: from the device thread to the main loop, where MSI-X belongs.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/veu/qemu/veu.h"

static void post_causes(EventNotifier *notifier)
{
    VeuState *s = container_of(notifier, VeuState, causes_notifier);
    uint64_t causes;

    if (!event_notifier_test_and_clear(notifier) || s->engine.vm_stopped) {
        return;
    }
    causes = qatomic_xchg(&s->causes, 0);
    for (; causes; causes &= causes - 1) {
        msix_notify(PCI_DEVICE(s), ctz64(causes));
    }
}

void veu_interrupt_post(VeuState *s)
{
    event_notifier_set(&s->causes_notifier);
}

bool veu_interrupt_init(VeuState *s, Error **errp)
{
    int ret = event_notifier_init(&s->causes_notifier, 0);

    if (ret < 0) {
        error_setg_errno(errp, -ret, "veu: cannot create an event notifier");
        return false;
    }
    event_notifier_set_handler(&s->causes_notifier, post_causes);
    return true;
}

void veu_interrupt_exit(VeuState *s)
{
    event_notifier_set_handler(&s->causes_notifier, NULL);
}

void veu_interrupt_cleanup(VeuState *s)
{
    event_notifier_cleanup(&s->causes_notifier);
}
