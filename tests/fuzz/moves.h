/*
 * veu fuzzers: moves of a device's state.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_FUZZ_MOVES_H
#define VEU_FUZZ_MOVES_H

#include "hw/veu/device/host/device.h"

/*
 * Moves a state to another device and back. A saved state is legal, so it can
 * be loaded. A launch that was not loaded begins again, so a state may change
 * by the first move, but not by the second.
 */
void fuzz_move_and_back(VeuDevice *device, VeuDevice *other);

#endif
