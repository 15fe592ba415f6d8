/*
 * veu device model: memory as a debugger sees it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_DEBUG_H
#define VEU_DEVICE_DEBUG_H

#include "hw/veu/device/host/device.h"

/*
 * Reads or writes @bytes at @address of the context that ring @ring is bound
 * to, as its EU threads would; page tables note the access. Misses are neither
 * requested nor recorded. Returns false if any byte cannot be accessed; a write
 * has then stored those before it. To be called between steps.
 */
bool veu_device_access(VeuDevice *device, uint32_t ring, uint64_t address,
                       void *data, uint32_t bytes, enum veu_access access);

#endif
