/*
 * veu device tests: the slot of a root port.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/device/slot.h"

/* Power indicator on / off, power controller off. */
#define INDICATOR_ON  0x0100
#define INDICATOR_OFF 0x0300
#define POWER_OFF     0x0400

static void set_slot_control(uint16_t value)
{
    unsigned at = veu_pci_capability(SLOT_BRIDGE, VEU_PCI_CAP_EXPRESS);

    veu_port_config_write(SLOT_BRIDGE, at + 0x18, 2, value);
}

void slot_power_on(Vm *vm)
{
    set_slot_control(INDICATOR_ON);
}

void slot_let_go(Vm *vm)
{
    set_slot_control(INDICATOR_OFF | POWER_OFF);
}

void slot_unplug(Vm *vm)
{
    qmp_do(&vm->qmp, "device_del", "{\"id\":\"veu0\"}");
    slot_let_go(vm);
    qmp_wait_event(&vm->qmp, "DEVICE_DELETED");
}
