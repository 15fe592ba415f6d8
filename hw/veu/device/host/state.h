/*
 * veu device model: its whole state as a stream of bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For migration and snapshots. A device can be saved between any two calls of
 * device.h, with work in flight: commands, programs and EU threads are
 * included. Loaded values are checked like those that a guest writes.
 */
#ifndef VEU_DEVICE_STATE_H
#define VEU_DEVICE_STATE_H

#include "hw/veu/device/host/device.h"

/*
 * Changes with the layout of the stream. 7: contexts of flips. 8: page tables.
 * 9: programs. 10: counters of rings and contexts, times of commands.
 */
#define VEU_STATE_VERSION  10
/*
 * The oldest version that can be loaded; others are refused. Devices without a
 * display save this version, so that older devices can load it.
 */
#define VEU_STATE_OLDEST   6
#define VEU_STATE_FLIPS    7
#define VEU_STATE_TABLES   8
#define VEU_STATE_PROGRAMS 9
#define VEU_STATE_COUNTERS 10

typedef struct VeuStream VeuStream;

struct VeuStream {
    bool loading;
    /* Saves or loads @data. Returns false if the stream has no more bytes. */
    bool (*move)(VeuStream *stream, void *data, uint32_t bytes);
    /* Version of the stream; set by veu_device_move(). */
    uint32_t version;
    uint32_t contexts; /* of the device; also set by it */
    /* Why loading failed, for the user; NULL: it has not. */
    const char *error;
    /* The subject of the error: a ring's number, or VEU_EVENT_NO_RING. */
    uint32_t ring;
};

/*
 * Saves the device, or loads it from the stream. Returns false with an error; a
 * device that could not be loaded is in its reset state. After loading, every
 * ring needs a step.
 */
bool veu_device_move(VeuDevice *device, VeuStream *stream);

#endif
