/*
 * veu captures: timelines: when a device did what, for trace viewers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/profile.md, "Timelines". A timeline is a file in Chrome's Trace Event
 * Format (JSON), which ui.perfetto.dev and trace_processor read. A host of the
 * device model hands it all events and interrupts, with its clock. The file is
 * complete JSON, with an end for each beginning, whenever it was written: what
 * closes it is written again after each addition.
 *
 * All functions may be called from several threads.
 */
#ifndef VEU_CAPTURE_TIMELINE_H
#define VEU_CAPTURE_TIMELINE_H

#include <glib.h>
#include "hw/veu/device/host/device.h"

/* A guest must not fill the host's disk. */
#define VEU_TIMELINE_MAX_BYTES (UINT64_C(256) << 20)

typedef struct VeuTimeline VeuTimeline;

/*
 * Creates or replaces the file @path; @name is the device's, for its viewers.
 * NULL with an error that is for people.
 */
VeuTimeline *veu_timeline_new(const char *path, const char *name,
                              GError **error);

/*
 * Writes what is left, and closes the file. False with an error if not all of
 * the events are in it.
 */
bool veu_timeline_free(VeuTimeline *timeline, GError **error);

/* Writes what has come together: the file is complete then. */
void veu_timeline_flush(VeuTimeline *timeline);

/* The kernel that launches from now on run; NULL: not known. */
void veu_timeline_set_kernel(VeuTimeline *timeline, const char *name);

/* An event of @device, at @now_ns: ignored if its kind is not one of these. */
void veu_timeline_event(VeuTimeline *timeline, VeuDevice *device,
                        const VeuEvent *event, uint64_t now_ns);
/* VeuHost.interrupt(). */
void veu_timeline_interrupt(VeuTimeline *timeline, uint32_t vector,
                            uint64_t now_ns);

/* Events that a host with a timeline has to ask for. */
#define VEU_TIMELINE_EVENTS                                                    \
    (1u << VEU_EVENT_RESET | 1u << VEU_EVENT_STATE | 1u << VEU_EVENT_COMMAND | \
     1u << VEU_EVENT_FAULT | 1u << VEU_EVENT_FLIP | 1u << VEU_EVENT_INJECT |   \
     1u << VEU_EVENT_REQUEST | 1u << VEU_EVENT_RESPONSE |                      \
     1u << VEU_EVENT_COMMAND_END)

#endif
