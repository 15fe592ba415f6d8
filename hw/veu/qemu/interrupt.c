/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Interrupts, passed from the device thread to the main loop, which owns MSI-X.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/veu/qemu/trace.h"
#include "hw/veu/qemu/veu.h"
#include "veu/regs.h"

/*
 * The time for which a vector must wait, ns. A time longer than the interval
 * was loaded from a stream, and must not delay an interrupt.
 */
static int64_t time_left(const VeuState *s, unsigned vector, int64_t now)
{
    int64_t interval = (int64_t)s->interrupt_interval_us * SCALE_US;
    /* A loaded time may have any value: avoids signed overflow. */
    int64_t left = (uint64_t)s->not_before_ns[vector] - now;

    return left > 0 && left <= interval ? left : 0;
}

static void raise_vector(VeuState *s, unsigned vector, int64_t now)
{
    trace_veu_interrupt(vector);
    s->not_before_ns[vector] = now +
                               (int64_t)s->interrupt_interval_us * SCALE_US;
    msix_notify(PCI_DEVICE(s), vector);
}

/*
 * A cause that comes too soon stays pending until the timer expires. A
 * deterministic device uses the timer that migrates.
 */
static void hold_vector(VeuState *s, unsigned vector, int64_t left)
{
    QEMUTimer *timer = s->engine.beat ? s->engine.beat : s->interrupt_timer;

    trace_veu_interrupt_held(vector, left);
    qatomic_or(&s->causes, 1ull << vector);
    timer_mod_anticipate_ns(timer, s->not_before_ns[vector]);
}

/*
 * The guest chooses the address of a message. It may be a register that powers
 * the device's slot off; then the device and its timer no longer exist.
 */
void veu_interrupt_raise(VeuState *s)
{
    uint64_t causes = qatomic_xchg(&s->causes, 0);
    int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);

    object_ref(OBJECT(s));
    for (; causes && s->interrupt_timer; causes &= causes - 1) {
        unsigned vector = ctz64(causes);
        int64_t left = time_left(s, vector, now);

        if (left) {
            hold_vector(s, vector, left);
        } else {
            raise_vector(s, vector, now);
        }
    }
    object_unref(OBJECT(s));
}

static void post_causes(EventNotifier *notifier)
{
    VeuState *s = container_of(notifier, VeuState, causes_notifier);

    if (event_notifier_test_and_clear(notifier) && !s->engine.vm_stopped) {
        veu_interrupt_raise(s);
    }
}

/* The virtual clock stops while the VM is stopped. */
static void time_is_up(void *opaque)
{
    veu_interrupt_raise(opaque);
}

/* When the main loop runs depends on the host. */
void veu_interrupt_post(VeuState *s)
{
    if (!s->deterministic) {
        event_notifier_set(&s->causes_notifier);
    }
}

/* A message that a masked vector holds back is pending, too. */
void veu_interrupt_reset(VeuState *s)
{
    PCIDevice *pci = PCI_DEVICE(s);

    for (int vector = 0; vector < pci->msix_entries_nr; vector++) {
        msix_clr_pending(pci, vector);
    }
    qatomic_set(&s->causes, 0);
    memset(s->not_before_ns, 0, sizeof(s->not_before_ns));
}

/* As the property says, or one for each ring and one for a display. */
static unsigned wanted_vectors(const VeuState *s)
{
    return s->vectors >= 0 ?
               (unsigned)s->vectors :
               MIN(s->rings + (s->screen != NULL), VEU_MAX_VECTORS);
}

/* A machine without MSI has no vectors; drivers see that, and poll. */
bool veu_interrupt_init_msix(VeuState *s, uint32_t *vectors, Error **errp)
{
    PCIDevice *pci = PCI_DEVICE(s);
    Error *err = NULL;
    int ret;

    *vectors = 0;
    if (wanted_vectors(s) == 0) {
        return true;
    }
    ret = msix_init(pci, wanted_vectors(s), &s->regs, VEU_BAR_REGS,
                    VEU_MSIX_TABLE_OFFSET, &s->regs, VEU_BAR_REGS,
                    VEU_MSIX_PBA_OFFSET, 0, &err);
    if (ret == -ENOTSUP) {
        error_free(err);
        return true;
    }
    if (ret < 0) {
        error_propagate(errp, err);
        return false;
    }
    for (; *vectors < wanted_vectors(s); ++*vectors) {
        msix_vector_use(pci, *vectors);
    }
    return true;
}

bool veu_interrupt_init(VeuState *s, Error **errp)
{
    int ret = event_notifier_init(&s->causes_notifier, 0);

    if (ret < 0) {
        error_setg_errno(errp, -ret, "veu: cannot create an event notifier");
        return false;
    }
    event_notifier_set_handler(&s->causes_notifier, post_causes);
    s->interrupt_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, time_is_up, s);
    return true;
}

void veu_interrupt_exit(VeuState *s)
{
    event_notifier_set_handler(&s->causes_notifier, NULL);
    timer_free(s->interrupt_timer);
    s->interrupt_timer = NULL;
}

void veu_interrupt_cleanup(VeuState *s)
{
    event_notifier_cleanup(&s->causes_notifier);
}
