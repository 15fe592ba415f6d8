/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The property gdb: gdb's remote protocol, over a chardev.
 *
 * The main loop serves gdb, in pauses of the engine, so that a session is never
 * used by two threads. An EU thread that must stop ends its batch before the
 * next instruction, and no batch begins until gdb continues. The launch waits
 * as in any pause, so a guest CPU, a reset, unplug and migration proceed.
 * Neither the property nor a session migrates.
 */
#include "qemu/osdep.h"
#include "hw/veu/debug/gdb.h"
#include "hw/veu/device/host/capture.h"
#include "hw/veu/device/host/debug.h"
#include "hw/veu/qemu/engine_pause.h"
#include "hw/veu/qemu/gdb.h"
#include "hw/veu/qemu/host_events.h"

/* Bytes that are taken at once. */
#define RECEIVE_BYTES 4096

typedef struct VeuGdbServer {
    VeuGdb *session; /* NULL: no gdb is connected */
    QEMUBH *stopped; /* makes the main loop report it */
    bool is_reported;
    bool is_busy;   /* a packet is being performed */
    bool is_closed; /* meanwhile, the connection was */
    bool is_gone;   /* meanwhile, the device was unplugged */
} VeuGdbServer;

/* --- Calls of the session ------------------------------------------------- */

static void send_bytes(void *opaque, const char *bytes, size_t count)
{
    VeuState *s = opaque;

    qemu_chr_fe_write_all(&s->gdb_chardev, (const uint8_t *)bytes, (int)count);
}

static void resume(void *opaque)
{
    veu_engine_halt(opaque, false);
}

static bool access_memory(void *opaque, uint32_t ring, uint64_t address,
                          void *data, uint32_t bytes, enum veu_access access)
{
    VeuState *s = opaque;

    return !s->gdb->is_gone &&
           veu_device_access(s->device, ring, address, data, bytes, access);
}

/* A guest loads other programs at any time. */
static bool may_break(void *opaque, uint64_t offset)
{
    return true;
}

static char *monitor(void *opaque, const char *command)
{
    VeuState *s = opaque;
    const VeuGdbThread *t = veu_gdb_thread(s->gdb->session);

    if (strcmp(command, "where")) {
        return g_strdup("write: monitor where\n");
    }
    if (!t->registers->len) {
        return g_strdup("no EU thread has stopped\n");
    }
    return g_strdup_printf("ring %" PRIu32 " thread %" PRIu64 " +0x%" PRIx32
                           " 0x%" PRIx32 "\n",
                           t->ring, t->number, t->offset, t->lanes);
}

/* --- Stops ---------------------------------------------------------------- */

typedef struct Find {
    VeuGdb *session;
    unsigned signal;
    uint32_t ring;
    bool found;
} Find;

static void stop_first(void *opaque, const VeuThreadView *view)
{
    Find *f = opaque;

    if (!f->found && view->eu->program->kind == VEU_PROGRAM_INSTRUCTIONS) {
        f->found = true;
        veu_gdb_stop(f->session, f->signal, f->ring, view->number, view->offset,
                     view->eu);
    }
}

/* Stops at an EU thread that has begun, if there is one. */
static void stop_now(VeuState *s, unsigned signal)
{
    Find f = { .session = s->gdb->session, .signal = signal };

    veu_engine_halt(s, true);
    for (; f.ring < s->rings && !f.found; f.ring++) {
        veu_device_view_threads(s->device, f.ring, stop_first, &f);
    }
    if (!f.found) {
        veu_gdb_stop(f.session, signal, 0, 0, 0, NULL);
    }
    s->gdb->is_reported = true;
    veu_gdb_report(f.session);
}

void veu_gdb_server_pass(VeuState *s, const VeuEvent *e)
{
    VeuGdb *session = s->gdb->session;
    bool is_reset = e->kind == VEU_EVENT_RESET && e->ring == VEU_EVENT_NO_RING;
    bool is_thread = e->kind == VEU_EVENT_THREAD ||
                     e->kind == VEU_EVENT_INSTRUCTION;

    if (session && is_reset) {
        veu_gdb_forget(session);
    } else if (session && is_thread && veu_gdb_event(session, e)) {
        veu_engine_halt(s, true);
        s->gdb->is_reported = false;
        qemu_bh_schedule(s->gdb->stopped);
    }
}

/* --- The connection ------------------------------------------------------- */

static void end_session(VeuState *s)
{
    s->host.observer = NULL;
    g_clear_pointer(&s->gdb->session, veu_gdb_free);
    s->gdb_is_attached = false;
    veu_engine_halt(s, false);
    veu_host_update_events(s);
}

/* EU threads stop while gdb connects, as those of other targets do. */
static void begin_session(VeuState *s)
{
    const VeuGdbTarget target = {
        .layout = {
            .grf_bytes = 32,
            .grf_count = VEU_LIMIT_REGISTER_BYTES / 32,
            .predicate_count = 32,
            .address_count = VEU_MAX_ADDRESS_ELEMENTS,
        },
        .send = send_bytes,
        .resume = resume,
        .access = access_memory,
        .may_break = may_break,
        .monitor = monitor,
        .opaque = s,
    };

    g_clear_pointer(&s->gdb->session, veu_gdb_free);
    s->gdb->session = veu_gdb_new(&target);
    s->host.observer = veu_gdb_observer(s->gdb->session, NULL);
    s->gdb_is_attached = true;
    veu_host_update_events(s);
    stop_now(s, VEU_GDB_SIGNAL_TRAP);
}

/*
 * Writing to a chardev may close it, and a vIOMMU that reports an access to the
 * guest may unplug the device.
 */
static void enter(VeuState *s)
{
    object_ref(OBJECT(s));
    veu_engine_enter(s);
    s->gdb->is_busy = true;
}

static void leave(VeuState *s, bool is_alive)
{
    VeuGdbServer *server = s->gdb;

    if (!is_alive && !server->is_closed && !server->is_gone) {
        qemu_chr_fe_disconnect(&s->gdb_chardev);
    }
    if (!is_alive || server->is_closed || server->is_gone) {
        end_session(s);
    }
    server->is_busy = false;
    server->is_closed = false;
    if (server->is_gone) {
        s->gdb = NULL;
        g_free(server);
    }
    veu_engine_leave(s);
    object_unref(OBJECT(s));
}

static int can_receive(void *opaque)
{
    return RECEIVE_BYTES;
}

/* After gdb has left, what it sends is dropped until it connects again. */
static void receive(void *opaque, const uint8_t *bytes, int count)
{
    VeuState *s = opaque;
    VeuGdb *session = s->gdb->session;
    bool is_alive = true;

    enter(s);
    if (session) {
        is_alive = veu_gdb_receive(session, (const char *)bytes, count);
        if (veu_gdb_is_interrupted(session)) {
            stop_now(s, VEU_GDB_SIGNAL_INT);
        }
    }
    leave(s, is_alive);
}

static void connection_changed(void *opaque, QEMUChrEvent event)
{
    VeuState *s = opaque;

    if (event == CHR_EVENT_CLOSED && s->gdb->is_busy) {
        s->gdb->is_closed = true;
    } else if (event == CHR_EVENT_OPENED || event == CHR_EVENT_CLOSED) {
        enter(s);
        s->gdb->is_closed = event == CHR_EVENT_CLOSED;
        if (event == CHR_EVENT_OPENED) {
            begin_session(s);
        }
        leave(s, true);
    }
}

static void report_stop(void *opaque)
{
    VeuState *s = opaque;

    enter(s);
    if (s->gdb->session && !s->gdb->is_reported) {
        s->gdb->is_reported = true;
        veu_gdb_report(s->gdb->session);
    }
    leave(s, true);
}

/* --- The device ----------------------------------------------------------- */

void veu_gdb_server_start(VeuState *s)
{
    if (!s->gdb_chardev.chr) {
        return;
    }
    s->gdb = g_new0(VeuGdbServer, 1);
    s->gdb->stopped = qemu_bh_new(report_stop, s);
    qemu_chr_fe_set_handlers(&s->gdb_chardev, can_receive, receive,
                             connection_changed, NULL, s, NULL, true);
}

void veu_gdb_server_stop(VeuState *s)
{
    VeuGdbServer *server = s->gdb;

    if (!server) {
        return;
    }
    qemu_chr_fe_set_handlers(&s->gdb_chardev, NULL, NULL, NULL, NULL, NULL,
                             NULL, true);
    qemu_bh_delete(server->stopped);
    if (server->is_busy) {
        server->is_gone = true; /* leave() ends it */
        return;
    }
    veu_engine_pause(&s->engine);
    if (server->session) {
        veu_gdb_exit(server->session, 0);
        end_session(s);
    }
    s->gdb = NULL;
    veu_engine_resume(&s->engine);
    g_free(server);
}
