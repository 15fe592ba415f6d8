/*
 * veu captures: timelines of a device's work, for trace viewers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A ring has two tracks: one for its states, one for its commands and the
 * kernels in them. Requests for pages overlap, so each has its own track, which
 * viewers create from two events with the same id.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include "hw/veu/capture/hash.h"
#include "hw/veu/capture/timeline.h"
#include "hw/veu/device/host/capture.h"
#include "veu/regs.h"
#include "veu/ring.h"

/* Text is written once this much has accumulated. */
#define BUFFER_BYTES 65536

/*
 * Requests beyond this number are not shown: each flush must end those that are
 * open.
 */
#define MAX_REQUESTS 1024

/* Numbers of tracks ("threads" of the format). */
#define TRACK_DEVICE      1
#define TRACK_INTERRUPTS  2
#define TRACK_RING(ring)  (10 + 2 * (ring))
#define TRACK_STATE(ring) (11 + 2 * (ring))

/*
 * The members of the events that have begun in a ring. Some viewers match an
 * end to its beginning by all of them.
 */
typedef struct Ring {
    bool named; /* its tracks have been named */
    char *command;
    char *kernel;
    char *state;
    GArray *requests; /* ids of open requests */
} Ring;

struct VeuTimeline {
    GMutex lock;
    int file;
    uint64_t at;     /* size of what has been written for good */
    GString *buffer; /* text that follows it */
    uint64_t now_ns; /* time of the newest event */
    int failed;      /* errno; EFBIG if there are too many events */
    char *kernel;
    VeuCaptureHashes hashes;
    Ring rings[VEU_MAX_RINGS];
};

/* --- The file ------------------------------------------------------------ */

static bool write_all(int file, const char *text, size_t bytes, uint64_t at)
{
    while (bytes) {
        ssize_t done = pwrite(file, text, bytes, at);

        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        text += done;
        bytes -= done;
        at += done;
    }
    return true;
}

/* Appends an event; @members is the rest of it. */
static void append_text(GString *to, char phase, unsigned track, uint64_t ns,
                        const char *members)
{
    g_string_append_printf(to,
                           ",\n{\"ph\":\"%c\",\"pid\":1,\"tid\":%u,"
                           "\"ts\":%" PRIu64 ".%03u%s}",
                           phase, track, ns / 1000, (unsigned)(ns % 1000),
                           members);
}

static void G_GNUC_PRINTF(5, 6) append(GString *to, char phase, unsigned track,
                                       uint64_t ns, const char *format, ...)
{
    g_autofree char *members = NULL;
    va_list args;

    va_start(args, format);
    members = g_strdup_vprintf(format, args);
    va_end(args);
    append_text(to, phase, track, ns, members);
}

static void end_slice(GString *to, unsigned track, const char *members,
                      uint64_t now_ns)
{
    if (members) {
        append_text(to, 'E', track, now_ns, members);
    }
}

static void end_request(GString *to, uint32_t ring, uint64_t id,
                        uint64_t now_ns, const char *args)
{
    append(to, 'e', TRACK_RING(ring), now_ns,
           ",\"cat\":\"request\",\"name\":\"request\",\"id\":\"%u:%" PRIu64
           "\"%s",
           ring, id, args);
}

static void end_requests(GString *to, const Ring *r, uint32_t ring,
                         uint64_t now_ns)
{
    for (unsigned i = 0; i < r->requests->len; i++) {
        end_request(to, ring, g_array_index(r->requests, uint64_t, i), now_ns,
                    "");
    }
}

/*
 * The end of a ring's command, and of what has begun in it. Requests without a
 * response are over: a fault has ended their command.
 */
static void close_command(GString *to, const Ring *r, uint32_t ring,
                          uint64_t now_ns)
{
    end_slice(to, TRACK_RING(ring), r->kernel, now_ns);
    end_slice(to, TRACK_RING(ring), r->command, now_ns);
    end_requests(to, r, ring, now_ns);
}

static char *make_tail(const VeuTimeline *t)
{
    GString *tail = g_string_new(NULL);

    for (unsigned i = 0; i < VEU_MAX_RINGS; i++) {
        close_command(tail, &t->rings[i], i, t->now_ns);
        end_slice(tail, TRACK_STATE(i), t->rings[i].state, t->now_ns);
    }
    g_string_append(tail, "\n]}\n");
    return g_string_free(tail, FALSE);
}

/* With the lock. */
static void flush(VeuTimeline *t)
{
    uint64_t end = t->at + t->buffer->len;
    g_autofree char *tail = NULL;

    if (t->failed || !t->buffer->len) {
        return;
    }
    tail = make_tail(t);
    if (end + strlen(tail) > VEU_TIMELINE_MAX_BYTES) {
        t->failed = EFBIG;
    } else if (!write_all(t->file, t->buffer->str, t->buffer->len, t->at) ||
               !write_all(t->file, tail, strlen(tail), end) ||
               ftruncate(t->file, end + strlen(tail))) {
        t->failed = errno;
    }
    t->at = end;
    g_string_truncate(t->buffer, 0);
}

/* A name in JSON; characters that need an escape are replaced. */
static char *safe_name(const char *name)
{
    char *safe = g_strdup(name);

    return g_strcanon(safe,
                      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                      "0123456789_.-:+[]<>(),$ ",
                      '_');
}

static void name_track(VeuTimeline *t, unsigned track, const char *name)
{
    append(t->buffer, 'M', track, 0,
           ",\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}", name);
    append(t->buffer, 'M', track, 0,
           ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}",
           track);
}

static void begin_file(VeuTimeline *t, const char *name)
{
    g_autofree char *safe = safe_name(name);

    g_string_append_printf(t->buffer,
                           "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                           "{\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"ts\":0,"
                           "\"name\":\"process_name\","
                           "\"args\":{\"name\":\"%s\"}}",
                           TRACK_DEVICE, safe);
    name_track(t, TRACK_DEVICE, "device");
    name_track(t, TRACK_INTERRUPTS, "interrupts");
}

VeuTimeline *veu_timeline_new(const char *path, const char *name,
                              GError **error)
{
    VeuTimeline *t;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (file < 0) {
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
                    "%s: %s", path, g_strerror(errno));
        return NULL;
    }
    t = g_new0(VeuTimeline, 1);
    g_mutex_init(&t->lock);
    t->file = file;
    t->buffer = g_string_new(NULL);
    for (unsigned i = 0; i < VEU_MAX_RINGS; i++) {
        t->rings[i].requests = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    }
    begin_file(t, name);
    flush(t);
    return t;
}

static void set_error(GError **error, int code)
{
    if (code == EFBIG) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC,
                    "the file has %" PRIu64 "M of events: those that followed "
                    "are missing",
                    VEU_TIMELINE_MAX_BYTES >> 20);
    } else {
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s",
                    g_strerror(code));
    }
}

static void free_ring(Ring *r)
{
    g_free(r->command);
    g_free(r->kernel);
    g_free(r->state);
    g_array_unref(r->requests);
}

bool veu_timeline_free(VeuTimeline *t, GError **error)
{
    int failed;

    flush(t);
    failed = t->failed;
    if (close(t->file) && !failed) {
        failed = errno;
    }
    for (unsigned i = 0; i < VEU_MAX_RINGS; i++) {
        free_ring(&t->rings[i]);
    }
    g_string_free(t->buffer, TRUE);
    g_free(t->kernel);
    g_mutex_clear(&t->lock);
    g_free(t);
    if (failed) {
        set_error(error, failed);
    }
    return !failed;
}

void veu_timeline_flush(VeuTimeline *t)
{
    g_mutex_lock(&t->lock);
    flush(t);
    g_mutex_unlock(&t->lock);
}

void veu_timeline_set_kernel(VeuTimeline *t, const char *name)
{
    g_mutex_lock(&t->lock);
    g_free(t->kernel);
    t->kernel = name ? safe_name(name) : NULL;
    g_mutex_unlock(&t->lock);
}

/* --- Launches ------------------------------------------------------------ */

/* What capture-rules call the program; NULL: it is not copied yet. */
static char *program_of(VeuTimeline *t, const VeuLaunchView *view)
{
    return view->handle && view->code ?
               g_strdup_printf(",\"program\":\"0x%016" PRIx64 "\"",
                               veu_capture_hash_launch(&t->hashes, view)) :
               NULL;
}

static char *name_of(const VeuTimeline *t, const VeuLaunchView *view)
{
    return t->kernel    ? g_strdup(t->kernel) :
           view->handle ? g_strdup_printf("program %" PRIu32, view->handle) :
                          g_strdup("program");
}

static char *describe_kernel(VeuTimeline *t, const VeuLaunchView *view)
{
    const struct veu_command_kernel *k = (const void *)view->command;
    const struct veu_command_dispatch *d = (const void *)view->command;
    bool is_kernel = k->header.opcode == VEU_COMMAND_KERNEL;
    uint64_t groups = is_kernel ? (uint64_t)k->group_count[0] *
                                      k->group_count[1] * k->group_count[2] :
                                  d->launch.groups;
    g_autofree char *name = name_of(t, view);
    g_autofree char *program = program_of(t, view);

    return g_strdup_printf(",\"cat\":\"kernel\",\"name\":\"%s\","
                           "\"args\":{\"groups\":%" PRIu64
                           ",\"threads\":%" PRIu32 ",\"simd\":%" PRIu32 "%s}",
                           name, groups,
                           is_kernel ? k->threads : d->launch.threads,
                           is_kernel ? k->simd : d->launch.simd,
                           program ? program : "");
}

/* An inline message has no program that could have a name. */
static bool view_kernel(VeuDevice *device, uint32_t ring, VeuLaunchView *view)
{
    const struct veu_command_header *header;

    if (!veu_device_view_launch(device, ring, view)) {
        return false;
    }
    header = (const void *)view->command;
    return header->opcode == VEU_COMMAND_KERNEL ||
           header->opcode == VEU_COMMAND_DISPATCH;
}

/* --- Events -------------------------------------------------------------- */

static void end_command(VeuTimeline *t, uint32_t ring)
{
    Ring *r = &t->rings[ring];

    close_command(t->buffer, r, ring, t->now_ns);
    g_clear_pointer(&r->kernel, g_free);
    g_clear_pointer(&r->command, g_free);
    g_array_set_size(r->requests, 0);
}

static void begin_command(VeuTimeline *t, VeuDevice *device, const VeuEvent *e)
{
    Ring *r = &t->rings[e->ring];
    VeuLaunchView view;

    end_command(t, e->ring);
    r->command = g_strdup_printf(",\"cat\":\"command\",\"name\":\"%s\","
                                 "\"args\":{\"slot\":%" PRIu64
                                 ",\"tag\":%" PRIu64 "}",
                                 e->name, e->at, e->value);
    append_text(t->buffer, 'B', TRACK_RING(e->ring), t->now_ns, r->command);
    if (view_kernel(device, e->ring, &view)) {
        r->kernel = describe_kernel(t, &view);
        append_text(t->buffer, 'B', TRACK_RING(e->ring), t->now_ns, r->kernel);
    }
}

static void end_state(VeuTimeline *t, uint32_t ring)
{
    Ring *r = &t->rings[ring];

    end_slice(t->buffer, TRACK_STATE(ring), r->state, t->now_ns);
    g_clear_pointer(&r->state, g_free);
}

static void set_state(VeuTimeline *t, const VeuEvent *e)
{
    Ring *r = &t->rings[e->ring];

    end_state(t, e->ring);
    if (strcmp(e->name, "disabled")) {
        r->state = g_strdup_printf(",\"cat\":\"state\",\"name\":\"%s\"",
                                   e->name);
        append_text(t->buffer, 'B', TRACK_STATE(e->ring), t->now_ns, r->state);
    }
}

static void begin_request(VeuTimeline *t, Ring *r, const VeuEvent *e)
{
    if (r->requests->len >= MAX_REQUESTS) {
        return;
    }
    append(t->buffer, 'b', TRACK_RING(e->ring), t->now_ns,
           ",\"cat\":\"request\",\"name\":\"request\",\"id\":\"%u:%" PRIu64
           "\",\"args\":{\"records\":%" PRIu64 "}",
           e->ring, e->at, e->value);
    g_array_append_val(r->requests, e->at);
}

static void take_response(VeuTimeline *t, Ring *r, const VeuEvent *e)
{
    for (unsigned i = 0; i < r->requests->len; i++) {
        if (g_array_index(r->requests, uint64_t, i) == e->at) {
            g_array_remove_index_fast(r->requests, i);
            end_request(t->buffer, e->ring, e->at, t->now_ns,
                        e->value ? ",\"args\":{\"refused\":true}" : "");
            return;
        }
    }
}

static void reset_ring(VeuTimeline *t, uint32_t ring)
{
    end_command(t, ring);
    end_state(t, ring);
}

static void add_instant(VeuTimeline *t, unsigned track, const char *category,
                        const char *name, const char *first, uint64_t at,
                        const char *second, uint64_t value)
{
    append(t->buffer, 'i', track, t->now_ns,
           ",\"s\":\"t\",\"cat\":\"%s\",\"name\":\"%s\",\"args\":{\"%s\":"
           "\"0x%" PRIx64 "\",\"%s\":\"0x%" PRIx64 "\"}",
           category, name, first, at, second, value);
}

static void add_device_event(VeuTimeline *t, const VeuEvent *e)
{
    if (e->kind == VEU_EVENT_RESET) {
        for (unsigned i = 0; i < VEU_MAX_RINGS; i++) {
            reset_ring(t, i);
        }
        append(t->buffer, 'i', TRACK_DEVICE, t->now_ns,
               ",\"s\":\"p\",\"cat\":\"reset\",\"name\":\"reset\"");
    } else if (e->kind == VEU_EVENT_FLIP) {
        append(t->buffer, 'i', TRACK_DEVICE, t->now_ns,
               ",\"s\":\"p\",\"cat\":\"flip\",\"name\":\"flip\","
               "\"args\":{\"number\":%" PRIu64 "}",
               e->at);
    }
}

static void add_ring_event(VeuTimeline *t, VeuDevice *device, const VeuEvent *e)
{
    Ring *r = &t->rings[e->ring];

    switch (e->kind) {
    case VEU_EVENT_RESET:
        reset_ring(t, e->ring);
        break;
    case VEU_EVENT_STATE:
        set_state(t, e);
        break;
    case VEU_EVENT_COMMAND:
        begin_command(t, device, e);
        break;
    case VEU_EVENT_COMMAND_END:
        end_command(t, e->ring);
        break;
    case VEU_EVENT_FAULT:
        add_instant(t, TRACK_RING(e->ring), "fault", e->name, "address", e->at,
                    "detail", e->value);
        break;
    case VEU_EVENT_INJECT:
        add_instant(t, TRACK_RING(e->ring), "inject", e->name, "rule", e->at,
                    "times", e->value);
        break;
    case VEU_EVENT_REQUEST:
        begin_request(t, r, e);
        break;
    case VEU_EVENT_RESPONSE:
        take_response(t, r, e);
        break;
    default:
        break;
    }
}

static void name_ring(VeuTimeline *t, uint32_t ring)
{
    g_autofree char *commands = g_strdup_printf("ring %u", ring);
    g_autofree char *state = g_strdup_printf("ring %u state", ring);

    if (!t->rings[ring].named) {
        t->rings[ring].named = true;
        name_track(t, TRACK_RING(ring), commands);
        name_track(t, TRACK_STATE(ring), state);
    }
}

/* Threads may have read their clocks in a different order. */
static void begin_event(VeuTimeline *t, uint64_t now_ns)
{
    g_mutex_lock(&t->lock);
    t->now_ns = MAX(t->now_ns, now_ns);
}

/* Rare events are written at once: a sleeping ring causes no further ones. */
static void end_event(VeuTimeline *t, bool at_once)
{
    if (t->failed) {
        g_string_truncate(t->buffer, 0);
    } else if (at_once || t->buffer->len > BUFFER_BYTES) {
        flush(t);
    }
    g_mutex_unlock(&t->lock);
}

void veu_timeline_event(VeuTimeline *t, VeuDevice *device, const VeuEvent *e,
                        uint64_t now_ns)
{
    if (!(VEU_TIMELINE_EVENTS & 1u << e->kind)) {
        return;
    }
    begin_event(t, now_ns);
    if (e->ring < VEU_MAX_RINGS && e->kind != VEU_EVENT_FLIP) {
        name_ring(t, e->ring);
        add_ring_event(t, device, e);
    } else {
        add_device_event(t, e);
    }
    end_event(t, e->kind == VEU_EVENT_STATE || e->kind == VEU_EVENT_FAULT ||
                     e->kind == VEU_EVENT_RESET);
}

void veu_timeline_interrupt(VeuTimeline *t, uint32_t vector, uint64_t now_ns)
{
    begin_event(t, now_ns);
    append(t->buffer, 'i', TRACK_INTERRUPTS, t->now_ns,
           ",\"s\":\"t\",\"cat\":\"interrupt\",\"name\":\"vector %" PRIu32 "\"",
           vector);
    end_event(t, true);
}
