/*
 * veu captures: timelines of a device's work, for trace viewers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/profile.md, "Timelines". A timeline is a file in Chrome's Trace Event
 * Format (JSON), which ui.perfetto.dev and trace_processor read. A host of the
 * device model passes it all events and interrupts, with the time. The file is
 * always complete JSON, with an end for each beginning, because the closing
 * part is written again after each addition. All functions are thread-safe.
 */
#ifndef VEU_CAPTURE_TIMELINE_H
#define VEU_CAPTURE_TIMELINE_H

#include <glib.h>
#include "hw/veu/device/host/device.h"

/* A guest must not fill the host's disk. */
#define VEU_TIMELINE_MAX_BYTES (UINT64_C(256) << 20)

typedef struct VeuTimeline VeuTimeline;

/*
 * Creates or replaces the file @path; viewers show @name as the device's.
 * Returns NULL with an error for the user.
 */
VeuTimeline *veu_timeline_new(const char *path, const char *name,
                              GError **error);

/*
 * Writes the remaining events and closes the file. Returns false with an error
 * if events are missing.
 */
bool veu_timeline_free(VeuTimeline *timeline, GError **error);

/* Writes the accumulated events, after which the file is complete. */
void veu_timeline_flush(VeuTimeline *timeline);

/* Sets the kernel that subsequent launches run; NULL: not known. */
void veu_timeline_set_kernel(VeuTimeline *timeline, const char *name);

/*
 * Handles an event of @device at @now_ns. Ignores other kinds than those below.
 */
void veu_timeline_event(VeuTimeline *timeline, VeuDevice *device,
                        const VeuEvent *event, uint64_t now_ns);
/* Implements VeuHost.interrupt(). */
void veu_timeline_interrupt(VeuTimeline *timeline, uint32_t vector,
                            uint64_t now_ns);

/* The events that a host with a timeline must request. */
#define VEU_TIMELINE_EVENTS                                                    \
    (1u << VEU_EVENT_RESET | 1u << VEU_EVENT_STATE | 1u << VEU_EVENT_COMMAND | \
     1u << VEU_EVENT_FAULT | 1u << VEU_EVENT_FLIP | 1u << VEU_EVENT_INJECT |   \
     1u << VEU_EVENT_REQUEST | 1u << VEU_EVENT_RESPONSE |                      \
     1u << VEU_EVENT_COMMAND_END)

#endif
