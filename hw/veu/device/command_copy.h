/*
 * veu device model: the commands COPY and FILL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_COPY_H
#define VEU_DEVICE_COMMAND_COPY_H

#include "hw/veu/device/model.h"

/* VeuCommandInfo.bad_field of COPY and FILL: their ranges do not wrap. */
bool veu_copy_bad_field(const VeuRing *ring, uint32_t *at);
bool veu_fill_bad_field(const VeuRing *ring, uint32_t *at);

/* Pieces of COPY and FILL. */
VeuRun veu_copy_run(VeuRing *ring);
VeuRun veu_fill_run(VeuRing *ring);

#endif
