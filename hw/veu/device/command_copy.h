/*
 * veu device model: the commands COPY and FILL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_COPY_H
#define VEU_DEVICE_COMMAND_COPY_H

#include "hw/veu/device/model.h"

/* Pieces of COPY and FILL. */
VeuRun veu_copy_run(VeuRing *ring);
VeuRun veu_fill_run(VeuRing *ring);

#endif
