/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The expansion ROM (firmware/rom), which a PC's BIOS runs.
 */
#ifndef HW_VEU_QEMU_ROM_H
#define HW_VEU_QEMU_ROM_H

/*
 * The size of its BAR, whatever the image has: VMs move only between ROM
 * BARs of one size, and images grow.
 */
#define VEU_ROM_BYTES 0x10000

#ifndef __ASSEMBLER__

#include "hw/veu/qemu/compat.h"

/* Says which file has the ROM of devices that are given none by romfile=. */
void veu_rom_class_init(PCIDeviceClass *pc);

/* Pins the size; romsize= still changes it. */
void veu_rom_init(PCIDevice *pci);

/* To be called when properties are set: without that file there is no ROM. */
void veu_rom_choose(PCIDevice *pci);

#endif
#endif /* HW_VEU_QEMU_ROM_H */
