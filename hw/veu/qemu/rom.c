/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The expansion ROM: which file has it, if any. QEMU does the rest: because it
 * is the ROM of a class, QEMU gives the image the device's ids and migrates it
 * with the VM.
 */
#include "qemu/osdep.h"
#include <dlfcn.h>
#include "qemu/datadir.h"
#include "qemu/error-report.h"
#include "hw/veu/qemu/rom.h"

#define ROM_NAME "veu.rom"

#ifdef VEU_PLUGIN
/* Next to the plugin, wherever that was moved or linked to */
static char *rom_file(void)
{
    g_autofree char *directory = NULL;
    char *plugin;
    Dl_info info;

    if (!dladdr(veu_rom_class_init, &info) ||
        !(plugin = realpath(info.dli_fname, NULL))) {
        return g_strdup(ROM_NAME);
    }
    directory = g_path_get_dirname(plugin);
    free(plugin);
    return g_build_filename(directory, ROM_NAME, NULL);
}
#else
/* Where QEMU has its firmware (-L) */
static char *rom_file(void)
{
    return g_strdup(ROM_NAME);
}
#endif

void veu_rom_class_init(PCIDeviceClass *pc)
{
    pc->romfile = rom_file();
}

void veu_rom_init(PCIDevice *pci)
{
    pci->romsize = VEU_ROM_BYTES;
}

/* Without the file, QEMU would refuse the device. */
static bool can_be_had(const char *name)
{
    g_autofree char *path = NULL;

    if (VEU_ROM_MOVES_WITHOUT_FILE && runstate_check(RUN_STATE_INMIGRATE)) {
        return true;
    }
    path = qemu_find_file(QEMU_FILE_TYPE_BIOS, name);
    if (!path) {
        warn_report_once("veu has no expansion ROM: %s cannot be read; with "
                         "romfile= (empty) it is to have none",
                         name);
    }
    return path;
}

/*
 * QEMU passes a ROM without a BAR to the BIOS with the ids in the file and
 * without the function number, and refuses a second one of the same name.
 */
void veu_rom_choose(PCIDevice *pci)
{
    const char *name = PCI_DEVICE_GET_CLASS(pci)->romfile;

    if (!pci->romfile && !(pci->rom_bar && can_be_had(name))) {
        pci->romfile = g_strdup("");
    }
}
