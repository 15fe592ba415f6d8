/*
 * veu device model: the state of loaded programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_STATE_PROGRAMS_H
#define VEU_DEVICE_STATE_PROGRAMS_H

#include "hw/veu/device/model.h"
#include "hw/veu/device/stream.h"

/*
 * Returns true if the device has any program, which a stream must then contain.
 */
bool veu_programs_are_any(VeuDevice *device);

/* Saves or loads all programs, before the rings, whose commands use them. */
bool veu_programs_move(VeuDevice *device, VeuStream *stream);

/* Saves or loads which of these the ring's command uses. */
bool veu_programs_move_use(VeuRing *ring, VeuStream *stream);

#endif
