/*
 * veu device model: contexts, through which all addresses of a ring go.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_CONTEXT_H
#define VEU_DEVICE_CONTEXT_H

#include "hw/veu/device/host.h"
#include "hw/veu/eu/mem.h"

/* The memory that a ring sees. */
typedef struct VeuContext {
    VeuMem mem; /* first: the gate's callback finds the rest */
    VeuHost *host;
} VeuContext;

/* False where there are no contexts of this type. */
bool veu_context_bind(VeuContext *context, VeuHost *host, uint64_t type);

#endif
