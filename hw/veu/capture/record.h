/*
 * veu captures: recording launches.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A host of the device model hands all events to a recorder. While a launch is
 * being recorded, its VeuHost.open refuses, so that the device asks
 * VeuHost.map for each page, and the host hands each page to the recorder
 * before the device accesses it: what map() returns must not reach beyond the
 * page (veu_recorder_clamp()). Launches of other rings that run meanwhile are
 * not recorded: one is at a time. Helpers must not take part.
 */
#ifndef VEU_CAPTURE_RECORD_H
#define VEU_CAPTURE_RECORD_H

#include "hw/veu/capture/rules.h"
#include "hw/veu/device/host/device.h"

typedef struct VeuRecorderHost {
    /* Where the host has these bytes, which it handed out before; or NULL. */
    const uint8_t *(*look)(void *opaque, uint64_t address, uint32_t bytes);
    /* A launch that the rules select has ended. */
    void (*done)(void *opaque, const VeuCapture *capture);
    /* A launch that the rules may select could not be recorded. */
    void (*lost)(void *opaque, const char *why);
    void *opaque;
} VeuRecorderHost;

typedef struct VeuRecorder VeuRecorder;

/* The recorder takes the rules. */
VeuRecorder *veu_recorder_new(VeuCaptureRules *rules,
                              const VeuRecorderHost *host);
void veu_recorder_free(VeuRecorder *recorder);

/* The name of the kernel that launches from now on run; NULL: not known. */
void veu_recorder_set_kernel(VeuRecorder *recorder, const char *name);

/*
 * The source of that kernel: VeuCaptureLine, char *; both are copied. A source
 * with more than a capture may have is omitted.
 */
void veu_recorder_set_source(VeuRecorder *recorder, const GArray *lines,
                             const GPtrArray *files);

/* Returns true while a launch is being recorded. */
bool veu_recorder_is_on(const VeuRecorder *recorder);

/*
 * The device is about to access a page: @data are the @bytes from @address on,
 * DMA addresses, all that the host has of the page.
 */
void veu_recorder_touch(VeuRecorder *recorder, uint64_t address,
                        const uint8_t *data, uint32_t bytes,
                        enum veu_access access);

/* Of @bytes from @address on, those that are in its page. */
static inline uint32_t veu_recorder_clamp(uint64_t address, uint32_t bytes)
{
    uint32_t left = VEU_CAPTURE_PAGE_BYTES - address % VEU_CAPTURE_PAGE_BYTES;

    return bytes < left ? bytes : left;
}

/* An event of @device, of any kind. */
void veu_recorder_event(VeuRecorder *recorder, VeuDevice *device,
                        const VeuEvent *event, uint64_t now_ns);

/* Events that a host with a recorder has to ask for. */
#define VEU_RECORDER_EVENTS                                                    \
    (1u << VEU_EVENT_RESET | 1u << VEU_EVENT_COMMAND | 1u << VEU_EVENT_FAULT | \
     1u << VEU_EVENT_COMMAND_END | 1u << VEU_EVENT_STATE)

#endif
