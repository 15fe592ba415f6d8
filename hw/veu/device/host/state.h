/*
 * veu device model: its whole state as a stream of bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For migration and snapshots. A device can be saved between any two calls of
 * device.h, with work in flight: commands, programs and EU threads go along.
 * What is loaded is checked as what a guest writes is.
 */
#ifndef VEU_DEVICE_STATE_H
#define VEU_DEVICE_STATE_H

#include "hw/veu/device/host/device.h"

/* Changes with the layout of the stream. 7: contexts of flips. 8: tables.
 * 9: programs. 10: counters of rings and contexts, times of commands. */
#define VEU_STATE_VERSION  10
/* The oldest one that is loaded; those before and after are refused. Devices
 * without a display save it, so that older ones load it. */
#define VEU_STATE_OLDEST   6
#define VEU_STATE_FLIPS    7
#define VEU_STATE_TABLES   8
#define VEU_STATE_PROGRAMS 9
#define VEU_STATE_COUNTERS 10

typedef struct VeuStream VeuStream;

struct VeuStream {
    bool loading;
    /* Saves @data, or loads it: false where the stream has no more bytes. */
    bool (*move)(VeuStream *stream, void *data, uint32_t bytes);
    /* Set by veu_device_move(): the version of the stream. */
    uint32_t version;
    uint32_t contexts; /* of the device; set by it, too */
    /* Why loading failed, for a person; NULL: it has not. */
    const char *error;
    /* What the error is about: a ring's number, or VEU_EVENT_NO_RING. */
    uint32_t ring;
};

/*
 * Saves the device, or loads it from the stream. Returns false with an error; a
 * device that could not be loaded is in its reset state. After loading, every
 * ring wants a step.
 */
bool veu_device_move(VeuDevice *device, VeuStream *stream);

#endif
