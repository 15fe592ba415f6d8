/*
 * veu device tests: the slot of a root port.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/device/slot.h"

/* Power indicator on and off; power controller off. */
#define INDICATOR_ON  0x0100
#define INDICATOR_OFF 0x0300
#define POWER_OFF     0x0400

#define SLOT_CONFIG_SPACE 0xb0000000u

/* The address of the register in the configuration space of the port. */
static unsigned slot_control(void)
{
    return veu_pci_capability(SLOT_BRIDGE, VEU_PCI_CAP_EXPRESS) + 0x18;
}

static void set_slot_control(uint16_t value)
{
    veu_port_config_write(SLOT_BRIDGE, slot_control(), 2, value);
}

void slot_power_on(Vm *vm)
{
    set_slot_control(INDICATOR_ON);
}

void slot_let_go(Vm *vm)
{
    set_slot_control(INDICATOR_OFF | POWER_OFF);
}

uint64_t slot_config_address(uint16_t function, unsigned offset)
{
    /* PCIEXBAR of a q35 */
    veu_port_config_write(0, 0x60, 4, SLOT_CONFIG_SPACE | 1);
    return SLOT_CONFIG_SPACE + ((uint64_t)function << 12) + offset;
}

uint64_t slot_let_go_address(uint32_t *value)
{
    *value = INDICATOR_OFF | POWER_OFF;
    return slot_config_address(SLOT_BRIDGE, slot_control());
}

void slot_unplug(Vm *vm)
{
    qmp_do(&vm->qmp, "device_del", "{\"id\":\"veu0\"}");
    slot_let_go(vm);
    qmp_wait_event(&vm->qmp, "DEVICE_DELETED");
}
