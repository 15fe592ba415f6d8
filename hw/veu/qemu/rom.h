/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The expansion ROM (firmware/rom), which a PC's BIOS runs.
 */
#ifndef HW_VEU_QEMU_ROM_H
#define HW_VEU_QEMU_ROM_H

/*
 * The size of its BAR, independent of the image: VMs migrate only between ROM
 * BARs of equal size, and images grow.
 */
#define VEU_ROM_BYTES 0x10000

#ifndef __ASSEMBLER__

#include "hw/veu/qemu/compat.h"

/* Sets the file with the ROM of devices without romfile=. */
void veu_rom_class_init(PCIDeviceClass *pc);

/* Pins the size; romsize= still changes it. */
void veu_rom_init(PCIDevice *pci);

/* Called when properties are set: without the file, there is no ROM. */
void veu_rom_choose(PCIDevice *pci);

#endif
#endif /* HW_VEU_QEMU_ROM_H */
