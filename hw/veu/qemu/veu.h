/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The QEMU device "veu".
 */
#ifndef HW_VEU_QEMU_VEU_H
#define HW_VEU_QEMU_VEU_H

#include "qemu/osdep.h"
#include "hw/veu/qemu/compat.h"

#define TYPE_VEU "veu"
OBJECT_DECLARE_SIMPLE_TYPE(VeuState, VEU)

struct VeuState {
    PCIDevice parent_obj;

    MemoryRegion regs;
};

/* Called once: by type_init in a QEMU source tree, by the plugin elsewhere. */
void veu_register_types(void);

#endif /* HW_VEU_QEMU_VEU_H */
