/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The events that the device model reports.
 */
#include "qemu/osdep.h"
#include "hw/veu/qemu/host_events.h"
#include "hw/veu/qemu/trace.h"

/*
 * Checking the trace state for each event would be expensive for frequent
 * events. A launch whose EU threads or instructions are watched uses neither
 * workers nor handlers, but only gdb wants these.
 */
void veu_host_update_events(VeuState *s)
{
    uint32_t events = ~(1u << VEU_EVENT_MESSAGE | 1u << VEU_EVENT_THREAD |
                        1u << VEU_EVENT_INSTRUCTION);

    if (trace_event_get_state_backends(TRACE_VEU_MESSAGE)) {
        events |= 1u << VEU_EVENT_MESSAGE;
    }
    if (s->gdb_is_attached) {
        events |= 1u << VEU_EVENT_THREAD | 1u << VEU_EVENT_INSTRUCTION;
    }
    /* A guest CPU may be reading a register. */
    qatomic_set(&s->host.events, events);
}
