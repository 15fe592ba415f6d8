/*
 * veu tests: saved states in memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_STATE_BYTES_H
#define VEU_TEST_STATE_BYTES_H

#include <glib.h>
#include "hw/veu/device/host/device.h"

GByteArray *state_save(VeuDevice *device);
/*
 * Returns where in the saved bytes @field is, a part of the device that is
 * saved as it is in memory.
 */
guint state_place(VeuDevice *device, const void *field);
/* Returns NULL if it was loaded to its last byte, otherwise the reason. */
const char *state_load(VeuDevice *device, const GByteArray *state);
/* Stores the ring that the reason is about, or VEU_EVENT_NO_RING, as well. */
const char *state_load_of(VeuDevice *device, const GByteArray *state,
                          uint32_t *ring);
/* Saves and loads, without an error; what was loaded is saved alike. */
void state_move(VeuDevice *from, VeuDevice *to);
/*
 * Like state_move(), where what is saved next may differ: the destination has
 * more helpers, shows a picture, or restarts a launch.
 */
void state_move_changed(VeuDevice *from, VeuDevice *to);

#endif
