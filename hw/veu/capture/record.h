/*
 * veu captures: recording launches.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A host of the device model forwards all events to a recorder. While a launch
 * is being recorded, its VeuHost.open refuses, so that the device asks
 * VeuHost.map for each page, and the host hands each page to the recorder
 * before the device accesses it: what map() returns must not reach beyond the
 * page (veu_recorder_clamp()). Only one launch is recorded at a time; launches
 * of other rings that run meanwhile are not. Helpers must not take part.
 */
#ifndef VEU_CAPTURE_RECORD_H
#define VEU_CAPTURE_RECORD_H

#include "hw/veu/capture/rules.h"
#include "hw/veu/device/host/device.h"

typedef struct VeuRecorderHost {
    /*
     * Returns where the host has these bytes, which it mapped before, or NULL.
     */
    const uint8_t *(*look)(void *opaque, uint64_t address, uint32_t bytes);
    /* Called when a launch that the rules select has ended. */
    void (*done)(void *opaque, const VeuCapture *capture);
    /* Called if a launch that the rules may select could not be recorded. */
    void (*lost)(void *opaque, const char *why);
    void *opaque;
} VeuRecorderHost;

typedef struct VeuRecorder VeuRecorder;

/* Takes ownership of the rules. */
VeuRecorder *veu_recorder_new(VeuCaptureRules *rules,
                              const VeuRecorderHost *host);
void veu_recorder_free(VeuRecorder *recorder);

/* Sets the name of the kernel that subsequent launches run; NULL: not known. */
void veu_recorder_set_kernel(VeuRecorder *recorder, const char *name);

/*
 * Sets the source of that kernel (VeuCaptureLine, char *), which is copied. A
 * source larger than a capture may have is omitted.
 */
void veu_recorder_set_source(VeuRecorder *recorder, const GArray *lines,
                             const GPtrArray *files);

/* Returns true while a launch is being recorded. */
bool veu_recorder_is_on(const VeuRecorder *recorder);

/*
 * Called before the device accesses a page. @data are the @bytes at DMA address
 * @address: everything that the host has of the page.
 */
void veu_recorder_touch(VeuRecorder *recorder, uint64_t address,
                        const uint8_t *data, uint32_t bytes,
                        enum veu_access access);

/* Returns the number of the @bytes from @address on that are in its page. */
static inline uint32_t veu_recorder_clamp(uint64_t address, uint32_t bytes)
{
    uint32_t left = VEU_CAPTURE_PAGE_BYTES - address % VEU_CAPTURE_PAGE_BYTES;

    return MIN(bytes, left);
}

/* Handles an event of @device, of any kind. */
void veu_recorder_event(VeuRecorder *recorder, VeuDevice *device,
                        const VeuEvent *event, uint64_t now_ns);

/* The events that a host with a recorder must request. */
#define VEU_RECORDER_EVENTS                                                    \
    (1u << VEU_EVENT_RESET | 1u << VEU_EVENT_COMMAND | 1u << VEU_EVENT_FAULT | \
     1u << VEU_EVENT_COMMAND_END | 1u << VEU_EVENT_STATE |                     \
     1u << VEU_EVENT_RESPONSE)

#endif
