/*
 * veu-run: --trace: the accesses of each message's lanes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The data of a read is recorded while the message is planned, that of a write
 * after it was performed: if lanes collide, all show the final data.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "hw/veu/eu/message/media.h"
#include "tools/lib/names.h"
#include "tools/lib/number.h"
#include "tools/veu-run/veu-run.h"

/* A lane of a message, or contiguous bytes of a media block. */
#define MAX_ACCESSES VEU_MEDIA_MAX_BYTES

/* An offset in local memory follows, not an address. */
#define SLM_PREFIX "slm+"

typedef struct Lane {
    VeuLaneAccess access;
    VeuLanePlace place;
    VeuSpan span;
    uint8_t data[VEU_SPAN_MAX_BYTES];
} Lane;

struct RunTrace {
    VeuObserver observer; /* first */
    Run *run;
    /* --watch: only messages with a lane that accesses one of these bytes. */
    bool watches;
    bool watches_slm; /* first and last are offsets in local memory */
    uint64_t first;
    uint64_t last;
    unsigned count; /* accesses of the current message */
    Lane lanes[MAX_ACCESSES];
};

static bool has_data(const Lane *lane)
{
    return lane->place == VEU_LANE_MEMORY || lane->place == VEU_LANE_SLM;
}

static bool is_watched(const RunTrace *trace, const VeuLaneAccess *access,
                       VeuLanePlace place)
{
    bool has_address = trace->watches_slm ?
                           place == VEU_LANE_SLM :
                           place == VEU_LANE_MEMORY || place == VEU_LANE_FAULT;

    return !trace->watches ||
           (has_address && access->address <= trace->last &&
            access->address + (access->bytes - 1) >= trace->first);
}

static uint16_t observe_lane(VeuObserver *observer, const VeuLaneAccess *access,
                             VeuLanePlace place, VeuSpan *span)
{
    RunTrace *trace = (RunTrace *)observer;
    Lane *lane = &trace->lanes[trace->count];

    if (trace->count == MAX_ACCESSES || access->bytes > VEU_SPAN_MAX_BYTES ||
        !is_watched(trace, access, place)) {
        return VEU_FAULT_NONE;
    }
    trace->count++;
    lane->access = *access;
    lane->place = place;
    if (has_data(lane)) {
        lane->span = *span;
        veu_span_load(span, lane->data);
    }
    return VEU_FAULT_NONE;
}

RunTrace *run_trace_new(Run *run)
{
    RunTrace *trace = g_new0(RunTrace, 1);

    trace->observer.lane = observe_lane;
    trace->run = run;
    trace->watches = run->options.watch && !run->options.trace;
    trace->watches_slm = run->watch_slm;
    trace->first = run->watch_first;
    trace->last = run->watch_last;
    return trace;
}

bool run_watch_parse(Run *run)
{
    const char *text = run->options.watch;
    g_auto(GStrv) parts = g_strsplit(text ? text : "", ":", 2);
    const char *address = parts[0] ? parts[0] : "";
    uint64_t bytes = 4;

    if (!text) {
        return true;
    }
    run->watch_slm = g_str_has_prefix(address, SLM_PREFIX);
    address += run->watch_slm ? strlen(SLM_PREFIX) : 0;
    if (!number_parse(address, &run->watch_first) ||
        (parts[1] && !number_parse(parts[1], &bytes)) || !bytes ||
        run->watch_first + (bytes - 1) < run->watch_first) {
        return tool_error("--watch %s: write ADDRESS or ADDRESS:BYTES, "
                          "with slm+OFFSET as the ADDRESS of local memory",
                          text);
    }
    run->watch_last = run->watch_first + (bytes - 1);
    return !run->options.trace ||
           tool_error("--watch %s: omit --trace, which prints all accesses",
                      text);
}

void run_trace_free(RunTrace *trace)
{
    g_free(trace);
}

VeuObserver *run_trace_observer(RunTrace *trace)
{
    return &trace->observer;
}

/* --- Text ---------------------------------------------------------------- */

/* A block as a number: little endian, so the last byte comes first. */
static void append_number(GString *out, const uint8_t *data, unsigned bytes)
{
    while (bytes--) {
        g_string_append_printf(out, "%02x", data[bytes]);
    }
}

/* By block; texels of more than 8 bytes by dword. */
static void append_data(GString *out, const Lane *lane)
{
    unsigned element = lane->access.element_bytes;
    unsigned step = element > 8 ? 4 : element;

    for (unsigned at = 0; at < lane->access.bytes; at += step) {
        if (at) {
            g_string_append_c(out, '_');
        }
        append_number(out, lane->data + at, MIN(step, lane->access.bytes - at));
    }
}

static void append_lane(GString *out, const Lane *lane)
{
    bool slm = lane->place == VEU_LANE_SLM;
    bool write = lane->access.access == VEU_ACCESS_WRITE;

    g_string_append_printf(out, " %u:", lane->access.lane);
    if (lane->place == VEU_LANE_OUTSIDE) {
        g_string_append(out, "outside");
        return;
    }
    g_string_append_printf(out, "%s0x%" PRIx64, slm ? SLM_PREFIX : "",
                           lane->access.address);
    if (lane->place == VEU_LANE_FAULT) {
        g_string_append(out, "!fault");
        return;
    }
    g_string_append(out, write ? "<-" : "->");
    append_data(out, lane);
}

static void print_message(const RunTrace *trace, const VeuEvent *event)
{
    g_autofree char *text = run_instruction_text(trace->run, event->at);
    GString *out = g_string_new(NULL);

    g_string_append_printf(out,
                           "thread %" PRIu64 " +0x%" PRIx64 " %s 0x%" PRIx64,
                           event->thread, event->at, text ? text : event->name,
                           event->value);
    for (unsigned i = 0; i < trace->count; i++) {
        append_lane(out, &trace->lanes[i]);
    }
    g_printerr("%s\n", out->str);
    g_string_free(out, TRUE);
}

/* --- JSON ---------------------------------------------------------------- */

static void json_data(Json *json, const Lane *lane)
{
    char hex[2 * VEU_SPAN_MAX_BYTES + 1] = "";

    for (unsigned i = 0; i < lane->access.bytes; i++) {
        g_snprintf(hex + 2 * i, 3, "%02x", lane->data[i]);
    }
    json_string(json, "data", hex);
}

static void json_lane(Json *json, const Lane *lane)
{
    static const char *const places[] = {
        [VEU_LANE_MEMORY] = "memory",
        [VEU_LANE_SLM] = "slm",
        [VEU_LANE_OUTSIDE] = "outside",
        [VEU_LANE_FAULT] = "fault",
    };

    json_row(json, NULL);
    json_uint(json, "lane", lane->access.lane);
    json_string(json, "place", places[lane->place]);
    if (lane->place != VEU_LANE_OUTSIDE) {
        json_uint(json, "address", lane->access.address);
    }
    json_uint(json, "bytes", lane->access.bytes);
    if (has_data(lane)) {
        json_data(json, lane);
    }
    json_end(json);
}

static void json_message(const RunTrace *trace, const VeuEvent *event)
{
    g_autofree char *text = run_instruction_text(trace->run, event->at);
    Json *json = &trace->run->json;

    json_row(json, NULL);
    json_uint(json, "thread", event->thread);
    json_uint(json, "message_offset", event->at);
    json_string(json, "message", event->name);
    if (text) {
        json_string(json, "instruction", text);
    }
    run_source_json(trace->run, event->at);
    json_uint(json, "lanes", event->value);
    if (trace->count) {
        json_string(json, "access",
                    name_of_access(trace->lanes[0].access.access));
    }
    json_list(json, "accesses");
    for (unsigned i = 0; i < trace->count; i++) {
        json_lane(json, &trace->lanes[i]);
    }
    json_end(json);
    json_end(json);
}

void run_trace_message(RunTrace *trace, const VeuEvent *event)
{
    for (unsigned i = 0; i < trace->count; i++) {
        Lane *lane = &trace->lanes[i];

        if (has_data(lane) && lane->access.access == VEU_ACCESS_WRITE) {
            veu_span_load(&lane->span, lane->data);
        }
    }
    if (trace->watches && !trace->count) {
        return;
    }
    if (trace->run->options.json) {
        json_message(trace, event);
        json_flush(&trace->run->json, stdout);
    } else {
        run_trace_source(trace->run, event->at);
        print_message(trace, event);
    }
    trace->count = 0;
}
