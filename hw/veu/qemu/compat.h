/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All differences between the QEMU versions that veu supports.
 *
 * The rest of hw/veu/qemu is written for the newest one, as far as a macro can
 * give an older one the same name. Include this after "qemu/osdep.h", in place
 * of the headers that it includes.
 */
#ifndef HW_VEU_QEMU_COMPAT_H
#define HW_VEU_QEMU_COMPAT_H

#define VEU_QEMU_VERSION (QEMU_VERSION_MAJOR * 100 + QEMU_VERSION_MINOR)

#if VEU_QEMU_VERSION < 702
#error "veu needs QEMU 7.2 or later"
#endif

/* 8.0 split the device out of hw/pci/pci.h. */
#if VEU_QEMU_VERSION >= 800
#include "hw/pci/pci_device.h"
#else
#include "hw/pci/pci.h"
#endif
#include "hw/pci/pci_bus.h"
#include "hw/pci/msix.h"

/* 10.0 renamed sysemu/ to system/, 10.1 moved exec/memory.h there as well. */
#if VEU_QEMU_VERSION >= 1001
#include "system/memory.h"
#else
#include "exec/memory.h"
#endif
#if VEU_QEMU_VERSION >= 1000
#include "system/replay.h"
#include "system/runstate.h"
#include "system/system.h"
#else
#include "sysemu/replay.h"
#include "sysemu/runstate.h"
#include "sysemu/sysemu.h"
#endif

/* 11.0 gave the core devices a directory. */
#if __has_include("hw/core/qdev-properties.h")
#include "hw/core/qdev-properties.h"
#else
#include "hw/qdev-properties.h"
#endif

#if __has_include("hw/core/qdev-properties-system.h")
#include "hw/core/qdev-properties-system.h"
#else
#include "hw/qdev-properties-system.h"
#endif

#include "chardev/char-fe.h"
#include "qemu/main-loop.h"

/* 10.2 renamed it. */
#if VEU_QEMU_VERSION < 1002
#define CharFrontend CharBackend
#endif

/*
 * 11.1 moved the header that plugins include; for "#include VEU_PLUGIN_HEADER".
 */
#if __has_include("plugins/qemu-plugin.h")
#define VEU_PLUGIN_HEADER "plugins/qemu-plugin.h"
#else
#define VEU_PLUGIN_HEADER "qemu/qemu-plugin.h"
#endif

/* 9.2 deprecated DeviceClass::reset. */
#if VEU_QEMU_VERSION < 902
static inline void device_class_set_legacy_reset(DeviceClass *dc,
                                                 void (*reset)(DeviceState *))
{
    dc->reset = reset;
}
#endif

/*
 * 10.0 made property arrays const and needs their length:
 *
 *     static VEU_PROPERTY_CONST Property veu_properties[] = { DEFINE_PROP_...,
 *         VEU_PROPERTIES_END
 *     };
 */
#if VEU_QEMU_VERSION >= 1000
#define VEU_PROPERTY_CONST const
#define VEU_PROPERTIES_END
#else
#define VEU_PROPERTY_CONST
#define VEU_PROPERTIES_END DEFINE_PROP_END_OF_LIST(),
#endif

/* 10.1 made class data and lists of interfaces const. */
#if VEU_QEMU_VERSION >= 1001
#define VEU_CLASS_CONST const
#else
#define VEU_CLASS_CONST
#endif

/* 8.1 takes a ROM's image from the migration source, not from a file. */
#define VEU_ROM_MOVES_WITHOUT_FILE (VEU_QEMU_VERSION >= 801)

/*
 * True if Intel's vIOMMU reports everything that invalidations concern. 7.2's
 * omits, in domain and global invalidations, pages mapped since its last walk.
 */
#define VEU_VTD_TELLS_ALL   (VEU_QEMU_VERSION >= 1000)
#define VEU_TYPE_VTD_REGION "intel-iommu-iommu-memory-region"
/* The name of its property for scalable mode. */
#define VEU_VTD_SCALABLE    "x-scalable-mode"

#endif /* HW_VEU_QEMU_COMPAT_H */
