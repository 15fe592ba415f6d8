/*
 * veu device tests: what a rogue driver, or another device, does to
 * configuration space, BARs and the tables in them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Interrupt messages and a foreign device's DMA go to RAM, to registers and
 * doorbells, and to configuration space in memory, of one veu or the other.
 * They do not go to other devices, which are not under test; but interrupts may
 * go to processors.
 */
#include "tests/device/storm.h"

#define ECAM       UINT64_C(0xb0000000)
#define PCIEXBAR   0x60 /* of the host bridge, function 0 */
#define TABLE      0xe000
#define ENTRY      16
#define PENDING    0xf000
#define REGS       0x10000
#define DOORBELLS  0x4000
#define BLOCK_SIZE 64

/* ---- addresses ---- */

static uint64_t regs(const Rig *r)
{
    return (uintptr_t)r->device.regs;
}

static uint64_t doorbells(const Rig *r)
{
    return (uintptr_t)r->device.doorbells;
}

/* the machine may have been reset since the last call */
static uint64_t ecam(const Rig *r)
{
    veu_port_config_write(0, PCIEXBAR, 4, ECAM | 1);
    return ECAM + ((uint64_t)r->device.function << 12);
}

uint64_t storm_bus_address(Storm *s)
{
    const Rig *r = s->peer && storm_below(2) ? s->peer : s->rig;

    switch (storm_below(8)) {
    case 0:
        return ecam(r) + storm_below(0x100);
    case 1:
        return doorbells(r) + storm_below(DOORBELLS);
    case 2:
        return regs(r) + TABLE + storm_below(ENTRY * STORM_RINGS);
    case 3:
    case 4:
        return regs(r) + storm_below(REGS);
    default:
        return veu_port_device_address(s->rig->slots) + storm_below(0x2000000);
    }
}

/* ---- configuration space ---- */

/* Command, BARs, ROM, interrupt line, and the registers of capabilities. */
static unsigned config_offset(const Rig *r)
{
    static const uint8_t fixed[] = { 0x04, 0x04, 0x10, 0x14, 0x18,
                                     0x1c, 0x24, 0x30, 0x3c };
    static const uint8_t capabilities[] = { 1, VEU_PCI_CAP_EXPRESS,
                                            VEU_PCI_CAP_MSIX };

    switch (storm_below(4)) {
    case 0:
        return storm_below(0x100);
    case 1:
        return fixed[storm_below(G_N_ELEMENTS(fixed))];
    default:
        return veu_pci_capability(r->device.function,
                                  capabilities[storm_below(3)]) +
               storm_below(16);
    }
}

void storm_write_config(Storm *s)
{
    const Rig *r = s->rig;
    unsigned bytes = 1u << storm_below(3);

    for (unsigned i = 1 + storm_below(4); i; i--) {
        unsigned offset = config_offset(r);

        veu_port_config_write(r->device.function, offset & 0xff, bytes,
                              storm_value());
        veu_port_config_read(r->device.function, storm_below(0x100), bytes);
    }
}

/* Accesses through memory reach all 4 KiB, in more sizes. */
void storm_write_ecam(Storm *s)
{
    uint64_t base = ecam(s->rig);
    uint64_t offset = storm_below(2) ? config_offset(s->rig) & 0xff :
                                       storm_below(0x1000);
    uint8_t data[BLOCK_SIZE];
    unsigned bytes = 1 + storm_below(16);

    storm_fill(data, sizeof(data));
    qtest_write_bytes(&s->rig->vm->qtest, base + offset, data, bytes);
    qtest_read_bytes(&s->rig->vm->qtest, base + storm_below(0x1000), bytes);
}

/* Any address, even one of RAM or of another device. */
static uint32_t bar_place(const Storm *s)
{
    switch (storm_below(4)) {
    case 0:
        return storm_random32();
    case 1:
        return regs(s->peer ? s->peer : s->rig) + storm_below(4) * 0x4000;
    default:
        return port_window() + storm_below(0x20) * 0x10000;
    }
}

void storm_move_bar(Storm *s)
{
    veu_port_config_write(s->rig->device.function, storm_below(2) ? 0x10 : 0x18,
                          4, bar_place(s));
}

/* ---- BARs ---- */

/* Makes accesses of sizes and at offsets that no driver uses. */
void storm_access_oddly(Storm *s)
{
    LineSocket *qtest = &s->rig->vm->qtest;
    uint64_t at = storm_below(4) ? regs(s->rig) + storm_below(REGS) :
                                   doorbells(s->rig) + storm_below(DOORBELLS);
    uint8_t data[BLOCK_SIZE];

    storm_fill(data, sizeof(data));
    qtest_write_bytes(qtest, at, data, 1 + storm_below(sizeof(data)));
    qtest_read_bytes(qtest, at, 1 + storm_below(sizeof(data)));
}

/* ---- MSI-X ---- */

#define APIC       UINT64_C(0xfee00000)
#define APIC_BYTES 0x100000

/* Data that have a meaning where a message may go. */
static uint32_t message_data(const Storm *s)
{
    return storm_below(4) ? storm_value() :
                            veu_port_device_address(s->rig->message);
}

/*
 * Data for interrupts of processors. A running processor gets only interrupts
 * that it has masked, and no SMI, NMI, INIT or start, which would make it
 * execute arbitrary memory.
 */
static uint32_t interrupt_data(const Storm *s)
{
    static const uint32_t harmless[] = { 0x000, 0x100, 0x300, 0x700 };
    uint32_t data = storm_random32(), mode = storm_below(4);

    return s->has_no_processor ? data : (data & ~0x700u) | harmless[mode];
}

static void aim_vector(Storm *s, volatile uint8_t *entry)
{
    uint64_t address = storm_bus_address(s);
    uint32_t data = message_data(s);

    if (storm_below(4) == 0) {
        address = APIC + storm_below(APIC_BYTES);
        data = interrupt_data(s);
    }
    port_write(entry, 8, address & ~UINT64_C(3));
    port_write(entry + 8, 4, data);
}

void storm_write_vector(Storm *s)
{
    volatile uint8_t *entry = s->rig->device.regs + TABLE +
                              ENTRY * storm_below(STORM_RINGS + 1);

    if (storm_below(2)) {
        aim_vector(s, entry);
    }
    port_write(entry + 12, 1u << storm_below(3), storm_below(2));
    port_write(s->rig->device.regs + PENDING + storm_below(16),
               1u << storm_below(4), storm_random32());
}

/*
 * Changes the address of a vector, whose message goes there if it is pending.
 */
void storm_mask_vector(Storm *s)
{
    port_write(s->rig->device.regs + TABLE + ENTRY * storm_below(STORM_RINGS) +
                   12,
               4, storm_below(2));
}
