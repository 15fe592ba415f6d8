/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Power states: PCI's D0 and D3hot, and the machine's sleep states.
 *
 * docs/spec.md, "Power". A sleeping device keeps nothing: its model is in the
 * reset state, so no ring can access memory. QEMU 10.0's own code for D3hot is
 * not used, because 7.2 has none.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/veu/qemu/trace.h"
#include "hw/veu/qemu/power.h"

#define D0    0
#define D3HOT 3

/* Version 1.2 of the specification; no D1, no D2, no PME. */
#define CAPABILITIES 3

static uint8_t *control(VeuState *s)
{
    return PCI_DEVICE(s)->config + s->power_capability + PCI_PM_CTRL;
}

static unsigned get_state(VeuState *s)
{
    return pci_get_word(control(s)) & PCI_PM_CTRL_STATE_MASK;
}

/* The other bits are 0: there is no PME, and D3hot keeps nothing. */
static void set_state(VeuState *s, unsigned state)
{
    pci_set_word(control(s), state);
}

static void set_asleep(VeuState *s, bool asleep)
{
    trace_veu_power(asleep ? "D3hot" : "D0");
    s->asleep = asleep;
    memory_region_set_enabled(&s->regs, !asleep);
    memory_region_set_enabled(&s->doorbells, !asleep);
}

void veu_power_reset(VeuState *s)
{
    set_state(s, D0);
    if (s->asleep) {
        set_asleep(s, false);
    }
}

/* A state that does not exist is ignored. */
void veu_power_update(VeuState *s)
{
    unsigned state = get_state(s);

    if (state == D3HOT && !s->asleep) {
        veu_engine_reset(s);
        set_asleep(s, true);
    } else if (state == D0 && s->asleep) {
        pci_device_reset(PCI_DEVICE(s));
    } else {
        set_state(s, s->asleep ? D3HOT : D0);
    }
}

void veu_power_loaded(VeuState *s)
{
    bool asleep = get_state(s) == D3HOT;

    if (asleep) {
        veu_engine_reset(s);
    }
    if (asleep != s->asleep) {
        set_asleep(s, asleep);
    }
    set_state(s, asleep ? D3HOT : D0);
}

/* The machine sleeps (S3): the slot has no power, but memory does. */
static void machine_sleeps(Notifier *notifier, void *data)
{
    veu_engine_reset(container_of(notifier, VeuState, machine_sleeps));
}

bool veu_power_init(VeuState *s, Error **errp)
{
    PCIDevice *pci = PCI_DEVICE(s);
    int at = pci_add_capability(pci, PCI_CAP_ID_PM, 0, PCI_PM_SIZEOF, errp);

    if (at < 0) {
        return false;
    }
    s->power_capability = at;
    pci_set_word(pci->config + at + PCI_PM_PMC, CAPABILITIES);
    pci_set_word(pci->wmask + at + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK);
    s->machine_sleeps.notify = machine_sleeps;
    qemu_register_suspend_notifier(&s->machine_sleeps);
    return true;
}

void veu_power_exit(VeuState *s)
{
    notifier_remove(&s->machine_sleeps);
}
