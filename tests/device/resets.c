/*
 * veu device tests: the ways to reset a device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/device/resets.h"

void reset_control(Rig *r)
{
    veu_reset(&r->device);
}

void reset_ring(Rig *r)
{
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET);
}

void reset_function(Rig *r)
{
    const uint16_t function = r->device.function;
    unsigned at = veu_pci_capability(function, VEU_PCI_CAP_EXPRESS);

    g_assert_cmphex(at, !=, 0);
    veu_port_config_write(function, at + 8, 2, 0x8000);
}

static unsigned power_control(const Rig *r)
{
    unsigned at = veu_pci_capability(r->device.function, 1);

    g_assert_cmpuint(at, !=, 0);
    return at + 4;
}

unsigned resets_power_state(const Rig *r)
{
    return veu_port_config_read(r->device.function, power_control(r), 2);
}

void resets_set_power_state(const Rig *r, unsigned state)
{
    veu_port_config_write(r->device.function, power_control(r), 2, state);
}

void reset_power(Rig *r)
{
    resets_set_power_state(r, RESETS_D3HOT);
    resets_set_power_state(r, 0);
}

void reset_system(Rig *r)
{
    vm_reset(r->vm);
}

void reset_bus(Rig *r)
{
    const uint16_t bridge = 2 << 3;

    veu_port_config_write(bridge, 0x3e, 2, 0x40);
    veu_port_config_write(bridge, 0x3e, 2, 0);
}
