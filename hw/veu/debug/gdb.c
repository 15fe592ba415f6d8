/*
 * veu debugging: gdb's remote protocol.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/debug/gdb.h"
#include "hw/veu/debug/gdb_packet.h"
#include "hw/veu/debug/gdb_watch.h"
#include "hw/veu/eu/instruction/run.h"

#define MAX_BREAKS 1000

struct VeuGdb {
    VeuGdbTarget target;
    GString *input; /* that was not performed yet */
    bool stopped;
    bool begun; /* it has stopped before */
    bool leaves;
    bool interrupted;
    bool steps;
    bool any_thread;     /* the one that gdb steps has ended, or is none */
    GArray *breaks;      /* of uint32_t, offsets */
    GArray *host_breaks; /* the same: veu_gdb_break() */
    VeuGdbWatches watches;
    bool at_break;
    bool at_watch; /* after an instruction that has hit one */
    unsigned signal;
    VeuGdbThread thread;
};

VeuGdb *veu_gdb_new(const VeuGdbTarget *target)
{
    VeuGdb *g = g_new0(VeuGdb, 1);

    g->target = *target;
    g->input = g_string_new(NULL);
    g->breaks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g->host_breaks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    veu_gdb_watches_init(&g->watches);
    veu_gdb_thread_init(&g->thread);
    return g;
}

void veu_gdb_free(VeuGdb *g)
{
    g_string_free(g->input, TRUE);
    g_array_unref(g->breaks);
    g_array_unref(g->host_breaks);
    veu_gdb_watches_free(&g->watches);
    veu_gdb_thread_free(&g->thread);
    g_free(g);
}

bool veu_gdb_is_stopped(const VeuGdb *g)
{
    return g->stopped;
}

bool veu_gdb_is_interrupted(const VeuGdb *g)
{
    return g->interrupted;
}

const VeuGdbThread *veu_gdb_thread(const VeuGdb *g)
{
    return &g->thread;
}

VeuObserver *veu_gdb_observer(VeuGdb *g, VeuObserver *next)
{
    g->watches.next = next;
    return &g->watches.observer;
}

/* --- Replies -------------------------------------------------------------- */

static void reply(VeuGdb *g, const char *text)
{
    g_autofree char *packet = veu_gdb_packet(text);

    g->target.send(g->target.opaque, packet, strlen(packet));
}

static void reply_hex(VeuGdb *g, const void *bytes, size_t count)
{
    GString *out = g_string_new(NULL);

    veu_gdb_append_hex(out, bytes, count);
    reply(g, out->str);
    g_string_free(out, TRUE);
}

/* At both, gdb finds the breakpoint by itself. */
static char *stop_reason(const VeuGdb *g)
{
    return g->at_watch ? veu_gdb_watch_text(&g->watches) :
                         g_strdup(g->at_break ? "swbreak:;" : "");
}

static void reply_stop(VeuGdb *g)
{
    g_autofree char *reason = stop_reason(g);
    g_autofree char *text = g_strdup_printf("T%02x%sthread:1;", g->signal,
                                            reason);

    reply(g, text);
}

/* A register, or all of them for a @number of -1. */
static void reply_registers(VeuGdb *g, int64_t number)
{
    GString *out = g_string_new(NULL);

    if (!veu_gdb_registers(&g->target.layout, &g->thread, number, out)) {
        g_string_assign(out, "E01");
    }
    reply(g, out->str);
    g_string_free(out, TRUE);
}

/* An empty reply means that the packet is unknown, so no bytes are an error. */
static void read_memory(VeuGdb *g, const char *text)
{
    uint64_t address, bytes;
    g_autofree uint8_t *data = NULL;

    text = veu_gdb_parse_range(text, &address, &bytes);
    if (!text || *text || !bytes) {
        reply(g, "E01");
        return;
    }
    /* gdb asks for the rest afterwards. */
    bytes = MIN(bytes, VEU_GDB_MEMORY_BYTES);
    data = g_malloc(bytes);
    if (g->target.access(g->target.opaque, g->thread.ring, address, data, bytes,
                         VEU_ACCESS_READ)) {
        reply_hex(g, data, bytes);
    } else {
        reply(g, "E0e");
    }
}

static void write_memory(VeuGdb *g, const char *text)
{
    g_autoptr(GByteArray) data = g_byte_array_new();
    uint64_t address, bytes;

    text = veu_gdb_parse_range(text, &address, &bytes);
    if (!text || *text != ':' || bytes > VEU_GDB_MEMORY_BYTES ||
        !veu_gdb_parse_hex(text + 1, data) || data->len != bytes) {
        reply(g, "E01");
        return;
    }
    reply(g, g->target.access(g->target.opaque, g->thread.ring, address,
                              data->data, bytes, VEU_ACCESS_WRITE) ?
                 "OK" :
                 "E0e");
}

/* --- Breakpoints and watchpoints ------------------------------------------ */

static int find_break(const GArray *breaks, uint32_t offset)
{
    for (unsigned i = 0; i < breaks->len; i++) {
        if (g_array_index(breaks, uint32_t, i) == offset) {
            return i;
        }
    }
    return -1;
}

/* Returns false if there are too many. */
static bool add_break(GArray *breaks, uint32_t offset)
{
    if (find_break(breaks, offset) < 0) {
        if (breaks->len >= MAX_BREAKS) {
            return false;
        }
        g_array_append_val(breaks, offset);
    }
    return true;
}

static void remove_break(GArray *breaks, uint32_t offset)
{
    int found = find_break(breaks, offset);

    if (found >= 0) {
        g_array_remove_index_fast(breaks, found);
    }
}

bool veu_gdb_break(VeuGdb *g, uint32_t offset)
{
    return add_break(g->host_breaks, offset);
}

void veu_gdb_clear(VeuGdb *g)
{
    g_array_set_size(g->host_breaks, 0);
}

/* Returns false if it cannot be set. */
static bool change_break(VeuGdb *g, uint64_t offset, bool set)
{
    if (offset > UINT32_MAX || !g->target.may_break(g->target.opaque, offset) ||
        (set && !add_break(g->breaks, offset))) {
        return false;
    }
    if (!set) {
        remove_break(g->breaks, offset);
    }
    return true;
}

static bool change_watch(VeuGdb *g, const VeuGdbWatch *watch, bool set)
{
    if (set) {
        return veu_gdb_watch_add(&g->watches, watch);
    }
    veu_gdb_watch_remove(&g->watches, watch);
    return true;
}

/* "TYPE,ADDRESS,BYTES"; hardware breakpoints are the same as others. */
static void change_point(VeuGdb *g, const char *text, bool set)
{
    VeuGdbWatch watch = { .kind = text[0] };
    const char *rest;
    bool ok;

    if (text[0] < '0' || text[0] > VEU_GDB_WATCH_ACCESS || text[1] != ',') {
        reply(g, "");
        return;
    }
    rest = veu_gdb_parse_range(text + 2, &watch.address, &watch.bytes);
    ok = rest && !*rest &&
         (text[0] < VEU_GDB_WATCH_WRITE ? change_break(g, watch.address, set) :
                                          change_watch(g, &watch, set));
    reply(g, ok ? "OK" : "E01");
}

/* --- Queries -------------------------------------------------------------- */

static void monitor(VeuGdb *g, const char *hex)
{
    g_autoptr(GByteArray) command = g_byte_array_new();
    bool is_hex = veu_gdb_parse_hex(hex, command);
    g_autofree char *text = NULL;

    g_byte_array_append(command, (const uint8_t *)"", 1);
    text = g->target.monitor(g->target.opaque,
                             is_hex ? (const char *)command->data : "");
    reply_hex(g, text, strlen(text));
}

/* "OFFSET,BYTES" of the description of the target. */
static void reply_description(VeuGdb *g, const char *text)
{
    g_autofree char *xml = veu_gdb_description(&g->target.layout);
    g_autofree char *part = NULL;
    uint64_t offset, bytes;

    text = veu_gdb_parse_range(text, &offset, &bytes);
    if (!text || *text || offset > strlen(xml)) {
        reply(g, "E01");
        return;
    }
    part = g_strdup_printf("%c%.*s", bytes < strlen(xml) - offset ? 'm' : 'l',
                           (int)MIN(bytes, VEU_GDB_PACKET_BYTES), xml + offset);
    reply(g, part);
}

static void query(VeuGdb *g, const char *text)
{
    static const char description[] = "qXfer:features:read:target.xml:";

    if (g_str_has_prefix(text, "qSupported")) {
        g_autofree char *supported =
            g_strdup_printf("PacketSize=%x;swbreak+;qXfer:features:read+",
                            VEU_GDB_PACKET_BYTES);

        reply(g, supported);
    } else if (g_str_has_prefix(text, description)) {
        reply_description(g, text + strlen(description));
    } else if (g_str_has_prefix(text, "qRcmd,")) {
        monitor(g, text + strlen("qRcmd,"));
    } else if (!strcmp(text, "qfThreadInfo")) {
        reply(g, "m1");
    } else if (!strcmp(text, "qsThreadInfo")) {
        reply(g, "l");
    } else if (!strcmp(text, "qC")) {
        reply(g, "QC1");
    } else {
        reply(g, strcmp(text, "qAttached") ? "" : "1");
    }
}

/* --- Packets -------------------------------------------------------------- */

static void resume(VeuGdb *g, bool steps)
{
    g->steps = steps;
    g->at_break = false;
    g->at_watch = false;
    g->any_thread = !g->thread.registers->len;
    g->stopped = false;
    g->target.resume(g->target.opaque);
}

/* After this, nothing stops. */
static void leave(VeuGdb *g)
{
    g->leaves = true;
    resume(g, false);
}

static void kill_target(VeuGdb *g)
{
    if (g->target.kill) {
        g->target.kill(g->target.opaque);
    }
    leave(g);
}

static void perform(VeuGdb *g, const char *text)
{
    bool alive = g_str_has_prefix(text, "H") || g_str_has_prefix(text, "T");

    switch (text[0]) {
    case '?':
        reply_stop(g);
        break;
    case 'g':
        reply_registers(g, -1);
        break;
    case 'p':
        reply_registers(g,
                        MIN(g_ascii_strtoull(text + 1, NULL, 16), INT32_MAX));
        break;
    case 'm':
        read_memory(g, text + 1);
        break;
    case 'M':
        write_memory(g, text + 1);
        break;
    case 'Z':
    case 'z':
        change_point(g, text + 1, text[0] == 'Z');
        break;
    case 'q':
        query(g, text);
        break;
    case 'c':
    case 'C': /* with a signal, which gdb passes on after a fault */
    case 's':
    case 'S':
        resume(g, g_ascii_tolower(text[0]) == 's');
        break;
    case 'D':
        reply(g, "OK");
        leave(g);
        break;
    case 'k':
        kill_target(g);
        break;
    default:
        reply(g, alive ? "OK" : "");
        break;
    }
}

/* Returns false if there is nothing more to perform. */
static bool perform_next(VeuGdb *g)
{
    g_autofree char *text = veu_gdb_packet_take(g->input);

    if (text) {
        g->target.send(g->target.opaque, "+", 1);
        perform(g, text);
    }
    return text;
}

/* While EU threads run, packets wait: gdb sends none, except to interrupt. */
bool veu_gdb_receive(VeuGdb *g, const char *bytes, size_t count)
{
    g_string_append_len(g->input, bytes, count);
    while (g->stopped && perform_next(g)) {}
    if (!g->stopped && !g->leaves) {
        g->interrupted |= veu_gdb_packet_take_interrupt(g->input);
    }
    return !g->leaves && g->input->len <= VEU_GDB_PACKET_BYTES;
}

/* --- Stops ---------------------------------------------------------------- */

void veu_gdb_stop(VeuGdb *g, unsigned signal, uint32_t ring, uint64_t thread,
                  uint32_t offset, const VeuThread *eu)
{
    g->signal = signal;
    g->thread.ring = ring;
    g->thread.number = thread;
    g->thread.offset = offset;
    veu_gdb_thread_copy(&g->thread, eu);
    g->stopped = true;
    g->interrupted = false;
}

void veu_gdb_report(VeuGdb *g)
{
    if (g->begun) {
        reply_stop(g);
    }
    g->begun = true;
    /* gdb may have sent packets before it was told. */
    while (g->stopped && perform_next(g)) {}
}

void veu_gdb_forget(VeuGdb *g)
{
    g->signal = VEU_GDB_SIGNAL_TRAP;
    g->at_break = false;
    g->at_watch = false;
    g->thread.number = 0;
    g->thread.offset = 0;
    veu_gdb_thread_copy(&g->thread, NULL);
}

static bool steps_thread(const VeuGdb *g, const VeuEvent *event)
{
    return g->steps && (g->any_thread || (g->thread.number == event->thread &&
                                          g->thread.ring == event->ring));
}

/* Before the instruction at @offset, which does not fault. */
static bool must_stop(const VeuGdb *g, const VeuEvent *event, uint32_t offset)
{
    return g->at_break || g->at_watch || !g->begun || g->interrupted ||
           steps_thread(g, event) || find_break(g->host_breaks, offset) >= 0;
}

/* A page that the thread waits for is no fault. */
static bool has_faulted(const VeuThread *eu)
{
    return eu->fault.code && !(eu->fault.access && veu_mem_must_wait(eu->mem));
}

bool veu_gdb_event(VeuGdb *g, const VeuEvent *event)
{
    const VeuInstruction *next = veu_next_instruction(event->eu);
    bool faulted = event->kind == VEU_EVENT_INSTRUCTION &&
                   event->eu->fault.code;
    uint32_t offset = faulted || !next ? event->at : next->offset;
    unsigned signal = VEU_GDB_SIGNAL_TRAP;

    if (g->stopped || g->leaves) {
        return false;
    }
    g->at_watch = veu_gdb_watches_take(&g->watches) && !faulted &&
                  event->kind == VEU_EVENT_INSTRUCTION;
    if (event->kind == VEU_EVENT_THREAD && event->value) {
        g->any_thread |= steps_thread(g, event);
        return false;
    }
    g->at_break = !faulted && next && find_break(g->breaks, offset) >= 0;
    if (faulted ? !has_faulted(event->eu) :
                  !next || !must_stop(g, event, offset)) {
        return false;
    }
    if (faulted) {
        signal = VEU_GDB_SIGNAL_SEGV;
    } else if (g->interrupted && !g->at_break && !g->at_watch) {
        signal = VEU_GDB_SIGNAL_INT;
    }
    veu_gdb_stop(g, signal, event->ring, event->thread, offset, event->eu);
    return true;
}

void veu_gdb_exit(VeuGdb *g, unsigned status)
{
    g_autofree char *text = g_strdup_printf("W%02x", status);

    if (!g->leaves) {
        reply(g, text);
    }
}
