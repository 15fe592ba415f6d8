/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The local APIC, memory mapped.
 */
#include "x86.h"

#define LAPIC    0xfee00000u
#define ID       0x020
#define EOI      0x0b0
#define SPURIOUS 0x0f0
#define ICR_LOW  0x300
#define ICR_HIGH 0x310

#define SOFTWARE_ENABLE 0x100
#define ICR_INIT        0x500
#define ICR_STARTUP     0x600
#define ICR_ASSERT      0x4000
#define ICR_BUSY        0x1000

static volatile uint32_t *reg(unsigned offset)
{
    return (volatile uint32_t *)(uintptr_t)(LAPIC + offset);
}

void x86_lapic_init(void)
{
    *reg(SPURIOUS) = SOFTWARE_ENABLE | X86_SPURIOUS_VECTOR;
}

uint32_t x86_lapic_id(void)
{
    return *reg(ID) >> 24;
}

void x86_lapic_end_of_interrupt(void)
{
    *reg(EOI) = 0;
}

uint64_t x86_msi_address(uint32_t apic_id)
{
    return LAPIC | apic_id << 12;
}

uint32_t x86_msi_data(unsigned vector)
{
    return vector; /* fixed delivery, edge */
}

static void send(uint32_t apic_id, uint32_t what)
{
    *reg(ICR_HIGH) = apic_id << 24;
    *reg(ICR_LOW) = what;
    while (*reg(ICR_LOW) & ICR_BUSY) {
        machine_pause();
    }
}

void x86_lapic_send_init(uint32_t apic_id)
{
    send(apic_id, ICR_INIT | ICR_ASSERT);
}

void x86_lapic_send_startup(uint32_t apic_id, uint8_t page)
{
    send(apic_id, ICR_STARTUP | ICR_ASSERT | page);
}
