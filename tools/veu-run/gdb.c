/*
 * veu-run: --gdb: gdb's remote protocol.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The run stops inside of the device model's event before an instruction, and
 * proceeds when gdb says so. EU threads run one after the other, so gdb sees
 * one thread at a time. gdb knows no such machine: to it, the target is an
 * x86-64 whose $rip is the offset of the next instruction in the code. The
 * registers of the EU thread have names of their own (gdb_registers.c).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "hw/veu/eu/instruction/run.h"
#include "hw/veu/eu/memory/mem.h"
#include "tools/lib/number.h"
#include "tools/veu-run/gdb.h"

#define MAX_READ         0x4000
#define MAX_BREAKS       1000
/* Events between two looks for Ctrl-C. A power of 2. */
#define INTERRUPT_EVENTS 256

enum {
    SIGNAL_INT = 2,
    SIGNAL_TRAP = 5,
    SIGNAL_SEGV = 11,
};

struct RunGdb {
    int fd; /* -1: gdb has disconnected */
    bool steps;
    bool begun;       /* it has stopped before */
    uint64_t stepped; /* EU thread that gdb steps */
    GArray *breaks;   /* of uint32_t, offsets */
    bool at_break;
    GArray *line_breaks; /* the same, of monitor break: unknown to gdb */
    uint32_t events;
    bool interrupted; /* gdb has sent Ctrl-C, and the run has not stopped yet */
    unsigned signal;
    Run *run;
    const VeuThread *eu; /* while the run is stopped */
    uint64_t thread;
    uint32_t offset;
};

/* --- Replies -------------------------------------------------------------- */

static void reply_stop(RunGdb *g)
{
    g_autofree char *text = g_strdup_printf("T%02x%sthread:%" PRIx64 ";",
                                            g->signal,
                                            g->at_break ? "swbreak:;" : "",
                                            g->thread + 1);

    gdb_send(&g->fd, text);
}

/* A register, or all of them for a @number of -1. */
static void reply_registers(RunGdb *g, int64_t number)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    if (run_gdb_registers(g->eu, g->offset, number, bytes)) {
        gdb_send_hex(&g->fd, bytes->data, bytes->len);
    } else {
        gdb_send(&g->fd, "E01");
    }
}

/* Returns what follows a hexadecimal number, or NULL if @text has none. */
static const char *parse_number(const char *text, uint64_t *number)
{
    size_t digits = strspn(text, "0123456789abcdefABCDEF");

    *number = g_ascii_strtoull(text, NULL, 16);
    return digits && digits <= 16 ? text + digits : NULL;
}

/* "NUMBER,NUMBER" */
static bool parse_range(const char *text, uint64_t *first, uint64_t *second,
                        const char **rest)
{
    text = parse_number(text, first);
    *rest = text && *text == ',' ? parse_number(text + 1, second) : NULL;
    return *rest;
}

/*
 * Accesses memory for gdb. The gate's misses remain those of the program: a
 * fault at which it has stopped takes its detail from them when it continues.
 */
static bool access_memory(VeuMem *mem, uint64_t address, uint8_t *data,
                          uint64_t bytes, enum veu_access access)
{
    unsigned count = mem->miss_count;
    VeuMemMiss miss[VEU_MEM_MISSES];
    uint64_t failed = 0;
    bool ok;

    memcpy(miss, mem->miss, sizeof(miss));
    ok = access == VEU_ACCESS_READ ?
             veu_mem_read(mem, address, data, bytes, &failed) :
             veu_mem_write(mem, address, data, bytes, &failed);
    memcpy(mem->miss, miss, sizeof(miss));
    mem->miss_count = count;
    return ok;
}

/* An empty reply means that the packet is unknown, so no bytes are an error. */
static void read_memory(RunGdb *g, const char *text)
{
    uint64_t address, bytes;
    g_autofree uint8_t *data = NULL;

    if (!parse_range(text, &address, &bytes, &text) || *text || !bytes ||
        bytes > MAX_READ) {
        gdb_send(&g->fd, "E01");
        return;
    }
    data = g_malloc(bytes);
    if (access_memory(g->eu->mem, address, data, bytes, VEU_ACCESS_READ)) {
        gdb_send_hex(&g->fd, data, bytes);
    } else {
        gdb_send(&g->fd, "E0e");
    }
}

/* Two digits for each byte. */
static bool parse_hex(const char *text, GByteArray *bytes)
{
    while (g_ascii_isxdigit(text[0]) && g_ascii_isxdigit(text[1])) {
        uint8_t byte = g_ascii_xdigit_value(text[0]) << 4 |
                       g_ascii_xdigit_value(text[1]);

        g_byte_array_append(bytes, &byte, 1);
        text += 2;
    }
    return !*text;
}

static void write_memory(RunGdb *g, const char *text)
{
    g_autoptr(GByteArray) data = g_byte_array_new();
    uint64_t address, bytes;

    if (!parse_range(text, &address, &bytes, &text) || *text != ':' ||
        bytes > MAX_READ || !parse_hex(text + 1, data) || data->len != bytes) {
        gdb_send(&g->fd, "E01");
        return;
    }
    gdb_send(&g->fd, access_memory(g->eu->mem, address, data->data, bytes,
                                   VEU_ACCESS_WRITE) ?
                         "OK" :
                         "E0e");
}

/* --- Breakpoints ---------------------------------------------------------- */

static int find_break(const GArray *breaks, uint32_t offset)
{
    for (unsigned i = 0; i < breaks->len; i++) {
        if (g_array_index(breaks, uint32_t, i) == offset) {
            return i;
        }
    }
    return -1;
}

/* "0,OFFSET,KIND"; hardware breakpoints are the same. */
static void change_break(RunGdb *g, const char *text, bool set)
{
    uint64_t at, kind;
    uint32_t offset;
    int found;

    if ((text[0] != '0' && text[0] != '1') || text[1] != ',') {
        gdb_send(&g->fd, ""); /* watchpoints are not supported */
        return;
    }
    if (!parse_range(text + 2, &at, &kind, &text) || *text) {
        gdb_send(&g->fd, "E01");
        return;
    }
    offset = at;
    found = find_break(g->breaks, offset);
    if (at > UINT32_MAX || !run_instruction(g->run, offset) ||
        (set && g->breaks->len >= MAX_BREAKS)) {
        gdb_send(&g->fd, "E01");
        return;
    }
    if (set && found < 0) {
        g_array_append_val(g->breaks, offset);
    } else if (!set && found >= 0) {
        g_array_remove_index_fast(g->breaks, found);
    }
    gdb_send(&g->fd, "OK");
}

/* --- monitor -------------------------------------------------------------- */

static void reply_text(RunGdb *g, const char *text)
{
    gdb_send_hex(&g->fd, text, strlen(text));
}

/* The instruction, its source, its lanes, and the variables that it names. */
static void tell_where(RunGdb *g)
{
    g_autofree char *text = run_instruction_text(g->run, g->offset);
    g_autofree char *source = run_source(g->run, g->offset);
    g_autofree char *named = NULL;
    g_autofree char *all = NULL;
    RunState state = {
        .offset = g->offset,
        .register_bytes = g->eu->program->register_bytes,
        .registers = g->eu->registers,
    };

    named = run_named_text(g->run, &state);
    all = g_strdup_printf("%s%sthread %" PRIu64 " +0x%" PRIx32 " %s 0x%" PRIx32
                          "\n%s",
                          source ? source : "", source ? "\n" : "", g->thread,
                          g->offset, text ? text : "", g->eu->flow->running,
                          named);
    reply_text(g, all);
}

static const VeuCaptureLine *line_at(const Run *run, unsigned i)
{
    return &g_array_index(run->lines, VeuCaptureLine, i);
}

/* Returns true if place @i is the first of its line: not where it continues. */
static bool begins_line(const Run *run, unsigned i, uint32_t last)
{
    const VeuCaptureLine *l = line_at(run, i);
    /* The last one of several places at one offset counts. */
    bool counts = i + 1 == run->lines->len ||
                  line_at(run, i + 1)->offset != l->offset;

    return counts && l->line && l->line != last;
}

/* The offset of the first instruction of each line of the source. */
static void tell_lines(RunGdb *g)
{
    GString *out = g_string_new(NULL);
    uint32_t last = 0;

    for (unsigned i = 0; i < g->run->lines->len; i++) {
        const VeuCaptureLine *l = line_at(g->run, i);

        if (begins_line(g->run, i, last)) {
            g_autofree char *source = run_source(g->run, l->offset);

            g_string_append_printf(out, "*0x%" PRIx32 " %s\n", l->offset,
                                   source);
            last = l->line;
        }
        if (out->len >= MAX_READ) {
            g_string_append(out, "The lines that follow are omitted.\n");
            break;
        }
    }
    reply_text(g, out->len ? out->str : "the program names no source\n");
    g_string_free(out, TRUE);
}

/* Returns true if @name is the whole path, or its last part. */
static bool is_file(const RunGdb *g, const VeuCaptureLine *l, const char *name)
{
    const char *path = g_ptr_array_index(g->run->files, l->file);
    g_autofree char *last = g_path_get_basename(path);

    return !strcmp(path, name) || !strcmp(last, name);
}

/* The place of the line's first instruction; NULL if it has none. */
static const VeuCaptureLine *find_line(const RunGdb *g, const char *name,
                                       uint64_t line)
{
    for (unsigned i = 0; i < g->run->lines->len; i++) {
        const VeuCaptureLine *l = line_at(g->run, i);

        if (l->line == line && is_file(g, l, name) &&
            run_instruction(g->run, l->offset)) {
            return l;
        }
    }
    return NULL;
}

/* @text is "FILE:LINE". */
static void break_at_line(RunGdb *g, const char *text)
{
    const char *colon = strrchr(text, ':');
    g_autofree char *name = g_strndup(text, colon ? colon - text : 0);
    g_autofree char *reply = NULL;
    const VeuCaptureLine *l;
    uint64_t line;

    if (!colon || !number_parse(colon + 1, &line)) {
        reply_text(g, "write: monitor break FILE:LINE\n");
        return;
    }
    l = find_line(g, name, line);
    if (!l || g->line_breaks->len >= MAX_BREAKS) {
        reply_text(g, l ? "there are too many breakpoints\n" :
                          "this line has no instruction: see monitor lines\n");
        return;
    }
    if (find_break(g->line_breaks, l->offset) < 0) {
        g_array_append_val(g->line_breaks, l->offset);
    }
    reply = g_strdup_printf("stops at *0x%" PRIx32 "\n", l->offset);
    reply_text(g, reply);
}

static void monitor(RunGdb *g, const char *hex)
{
    g_autoptr(GByteArray) command = g_byte_array_new();
    bool is_hex = parse_hex(hex, command);
    const char *text;

    g_byte_array_append(command, (const uint8_t *)"", 1);
    text = is_hex ? (const char *)command->data : "";
    if (!strcmp(text, "where")) {
        tell_where(g);
    } else if (!strcmp(text, "lines")) {
        tell_lines(g);
    } else if (g_str_has_prefix(text, "break ")) {
        break_at_line(g, text + strlen("break "));
    } else if (!strcmp(text, "delete")) {
        g_array_set_size(g->line_breaks, 0);
        reply_text(g, "no line has a breakpoint\n");
    } else {
        reply_text(g, "write: monitor where, lines, break FILE:LINE, or "
                      "delete\n");
    }
}

/* --- Queries -------------------------------------------------------------- */

/* "OFFSET,BYTES" of the description of the target. */
static void reply_description(RunGdb *g, const char *text)
{
    g_autofree char *xml = run_gdb_description(g->eu);
    g_autofree char *part = NULL;
    uint64_t offset, bytes;

    if (!parse_range(text, &offset, &bytes, &text) || *text ||
        offset > strlen(xml)) {
        gdb_send(&g->fd, "E01");
        return;
    }
    part = g_strdup_printf("%c%.*s", bytes < strlen(xml) - offset ? 'm' : 'l',
                           (int)MIN(bytes, GDB_PACKET_BYTES), xml + offset);
    gdb_send(&g->fd, part);
}

static void query(RunGdb *g, const char *text)
{
    static const char description[] = "qXfer:features:read:target.xml:";
    g_autofree char *thread = g_strdup_printf("%" PRIx64, g->thread + 1);
    g_autofree char *first = g_strconcat("m", thread, NULL);
    g_autofree char *current = g_strconcat("QC", thread, NULL);

    if (g_str_has_prefix(text, "qSupported")) {
        g_autofree char *supported = g_strdup_printf(
            "PacketSize=%x;swbreak+;qXfer:features:read+", GDB_PACKET_BYTES);

        gdb_send(&g->fd, supported);
    } else if (g_str_has_prefix(text, description)) {
        reply_description(g, text + strlen(description));
    } else if (g_str_has_prefix(text, "qRcmd,")) {
        monitor(g, text + strlen("qRcmd,"));
    } else if (!strcmp(text, "qfThreadInfo")) {
        gdb_send(&g->fd, first);
    } else if (!strcmp(text, "qsThreadInfo")) {
        gdb_send(&g->fd, "l");
    } else if (!strcmp(text, "qC")) {
        gdb_send(&g->fd, current);
    } else {
        gdb_send(&g->fd, strcmp(text, "qAttached") ? "" : "1");
    }
}

/* --- Stops ---------------------------------------------------------------- */

/* Performs a packet. Returns true if the run proceeds. */
static bool perform(RunGdb *g, const char *text)
{
    bool alive = g_str_has_prefix(text, "H") || g_str_has_prefix(text, "T");

    switch (text[0]) {
    case '?':
        reply_stop(g);
        return false;
    case 'g':
        reply_registers(g, -1);
        return false;
    case 'p':
        reply_registers(g,
                        MIN(g_ascii_strtoull(text + 1, NULL, 16), INT32_MAX));
        return false;
    case 'm':
        read_memory(g, text + 1);
        return false;
    case 'M':
        write_memory(g, text + 1);
        return false;
    case 'Z':
    case 'z':
        change_break(g, text + 1, text[0] == 'Z');
        return false;
    case 'q':
        query(g, text);
        return false;
    case 'c':
    case 'C': /* with a signal, which gdb passes on after a fault */
    case 's':
    case 'S':
        g->steps = g_ascii_tolower(text[0]) == 's';
        return true;
    case 'D':
        gdb_send(&g->fd, "OK");
        gdb_disconnect(&g->fd);
        return true;
    case 'k':
        g->run->killed = true;
        g->run->awaited = 1;
        gdb_disconnect(&g->fd);
        return true;
    default:
        gdb_send(&g->fd, alive ? "OK" : "");
        return false;
    }
}

static void serve(RunGdb *g)
{
    bool proceeds = false;

    while (!proceeds && g->fd >= 0) {
        g_autofree char *packet = gdb_receive(&g->fd);

        proceeds = packet && perform(g, packet);
    }
    g->stepped = g->thread;
    if (g->fd < 0) {
        g->steps = false;
        g_array_set_size(g->breaks, 0);
        g_array_set_size(g->line_breaks, 0);
    }
}

/* gdb asks for the reason of the first stop itself. */
static void stop(RunGdb *g, const VeuEvent *event, uint32_t offset)
{
    g->eu = event->eu;
    g->thread = event->thread;
    g->offset = offset;
    if (g->begun) {
        reply_stop(g);
    }
    g->begun = true;
    g->interrupted = false;
    serve(g);
}

static void look_for_interrupt(RunGdb *g)
{
    if (g->begun && g->events++ % INTERRUPT_EVENTS == 0) {
        g->interrupted |= gdb_interrupts(&g->fd);
    }
}

static bool steps_thread(const RunGdb *g, uint64_t thread)
{
    return g->steps && (g->stepped == thread || g->stepped == UINT64_MAX);
}

/* Before the instruction at @offset, which does not fault. */
static bool must_stop(RunGdb *g, uint64_t thread, uint32_t offset)
{
    if (g->interrupted && !g->at_break) {
        g->signal = SIGNAL_INT;
        return true;
    }
    return g->at_break || !g->begun || steps_thread(g, thread) ||
           find_break(g->line_breaks, offset) >= 0;
}

void run_gdb_event(RunGdb *g, const VeuEvent *event)
{
    const VeuInstruction *next = veu_next_instruction(event->eu);
    bool faulted = event->eu->fault.code;
    bool ended = event->kind == VEU_EVENT_THREAD && event->value;
    uint32_t offset = faulted || !next ? event->at : next->offset;

    if (g->fd < 0) {
        return;
    }
    if (ended) {
        g->stepped = event->thread == g->stepped ? UINT64_MAX : g->stepped;
        return;
    }
    look_for_interrupt(g);
    g->at_break = !faulted && next && find_break(g->breaks, offset) >= 0;
    g->signal = faulted ? SIGNAL_SEGV : SIGNAL_TRAP;
    if (faulted || (next && must_stop(g, event->thread, offset))) {
        stop(g, event, offset);
    }
}

/* --- The run -------------------------------------------------------------- */

bool run_gdb_begin(Run *run)
{
    const VeuProgram *p = run->program.declared;
    uint64_t port;
    int fd;

    if (!run->options.gdb) {
        return true;
    }
    if (!number_parse(run->options.gdb, &port) || port > UINT16_MAX) {
        return tool_error("--gdb %s: write a port of TCP, or 0 for any that "
                          "is free",
                          run->options.gdb);
    }
    if (run->program.broken) {
        return true; /* the device reports why */
    }
    if (run->program.is_message || p->kind != VEU_PROGRAM_INSTRUCTIONS) {
        return tool_error("--gdb is for programs of instructions; this one "
                          "has messages only");
    }
    if (run->numbers.workers > 1) {
        return tool_error("--gdb: omit --workers; EU threads run one after "
                          "the other");
    }
    fd = gdb_accept(port);
    if (fd < 0) {
        return tool_error("--gdb %s: %s", run->options.gdb, g_strerror(errno));
    }
    run->gdb = g_new0(RunGdb, 1);
    run->gdb->fd = fd;
    run->gdb->run = run;
    run->gdb->breaks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    run->gdb->line_breaks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    return true;
}

void run_gdb_end(Run *run, unsigned status)
{
    g_autofree char *text = g_strdup_printf("W%02x", status);
    RunGdb *g = run->gdb;

    if (g) {
        gdb_send(&g->fd, text);
        gdb_disconnect(&g->fd);
        g_array_unref(g->breaks);
        g_array_unref(g->line_breaks);
        g_free(g);
        run->gdb = NULL;
    }
}
