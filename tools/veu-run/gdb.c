/*
 * veu-run: --gdb: the connection, and what only veu-run knows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The run stops inside of the device model's event before an instruction, and
 * proceeds when gdb says so. EU threads run one after the other. The protocol
 * is in hw/veu/debug.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "hw/veu/debug/gdb.h"
#include "hw/veu/eu/memory/mem.h"
#include "tools/lib/number.h"
#include "tools/veu-run/veu-run.h"

/* Events between two looks for Ctrl-C. A power of 2. */
#define INTERRUPT_EVENTS 256

struct RunGdb {
    Run *run;
    VeuGdb *session;
    int fd; /* -1: gdb has disconnected */
    uint32_t events;
    bool has_stopped; /* before: gdb has been heard */
    VeuMem *mem;      /* while the run is stopped */
};

/* --- The connection ------------------------------------------------------- */

static void disconnect(RunGdb *g)
{
    if (g->fd >= 0) {
        close(g->fd);
    }
    g->fd = -1;
}

static void send_bytes(void *opaque, const char *bytes, size_t count)
{
    RunGdb *g = opaque;

    while (count && g->fd >= 0) {
        ssize_t done = send(g->fd, bytes, count, MSG_NOSIGNAL);

        if (done < 0 && errno != EINTR) {
            disconnect(g);
        }
        done = MAX(done, 0);
        bytes += done;
        count -= done;
    }
}

/* Passes on what has come, and with no @flags waits for it. */
static void receive(RunGdb *g, int flags)
{
    char bytes[4096];
    ssize_t got = recv(g->fd, bytes, sizeof(bytes), flags);

    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
        return;
    }
    if (got <= 0 || !veu_gdb_receive(g->session, bytes, got)) {
        disconnect(g);
    }
}

/*
 * Without TCP_NODELAY, a reply waits until the system of gdb has confirmed that
 * the acknowledgement before it has arrived, which takes 40 ms.
 */
static int await_gdb(int listener)
{
    struct sockaddr_in address = { 0 };
    socklen_t bytes = sizeof(address);
    int fd, one = 1;

    if (listen(listener, 1) ||
        getsockname(listener, (struct sockaddr *)&address, &bytes)) {
        return -1;
    }
    g_printerr("veu-run: waiting for gdb: target remote :%u\n",
               ntohs(address.sin_port));
    fd = accept(listener, NULL, NULL);
    if (fd >= 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    }
    return fd;
}

/*
 * Waits until a program of this host connects to a port of TCP; 0: any port,
 * which is printed. Returns the connection, or -1 with errno.
 */
static int accept_gdb(uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr = { htonl(INADDR_LOOPBACK) },
    };
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int fd = -1, one = 1;

    if (listener < 0) {
        return -1;
    }
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (!bind(listener, (struct sockaddr *)&address, sizeof(address))) {
        fd = await_gdb(listener);
    }
    close(listener);
    return fd;
}

/* --- Memory --------------------------------------------------------------- */

/*
 * Accesses memory for gdb. The gate's misses remain those of the program: a
 * fault at which it has stopped takes its detail from them when it continues.
 */
static bool access_memory(void *opaque, uint32_t ring, uint64_t address,
                          void *data, uint32_t bytes, enum veu_access access)
{
    VeuMem *mem = ((RunGdb *)opaque)->mem;
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

/* --- monitor -------------------------------------------------------------- */

/* The instruction, its source, its lanes, and the variables that it names. */
static char *tell_where(RunGdb *g)
{
    const VeuGdbThread *t = veu_gdb_thread(g->session);
    g_autofree char *text = run_instruction_text(g->run, t->offset);
    g_autofree char *source = run_source(g->run, t->offset);
    g_autofree char *named = NULL;
    RunState state = {
        .offset = t->offset,
        .register_bytes = t->registers->len,
        .registers = t->registers->data,
    };

    named = run_named_text(g->run, &state);
    return g_strdup_printf("%s%sthread %" PRIu64 " +0x%" PRIx32 " %s 0x%" PRIx32
                           "\n%s",
                           source ? source : "", source ? "\n" : "", t->number,
                           t->offset, text ? text : "", t->lanes, named);
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
static char *tell_lines(RunGdb *g)
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
        if (out->len >= VEU_GDB_MEMORY_BYTES) {
            g_string_append(out, "The lines that follow are omitted.\n");
            break;
        }
    }
    if (!out->len) {
        g_string_append(out, "the program names no source\n");
    }
    return g_string_free(out, FALSE);
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
static char *break_at_line(RunGdb *g, const char *text)
{
    const char *colon = strrchr(text, ':');
    g_autofree char *name = g_strndup(text, colon ? colon - text : 0);
    const VeuCaptureLine *l;
    uint64_t line;

    if (!colon || !number_parse(colon + 1, &line)) {
        return g_strdup("write: monitor break FILE:LINE\n");
    }
    l = find_line(g, name, line);
    if (!l) {
        return g_strdup("this line has no instruction: see monitor lines\n");
    }
    return veu_gdb_break(g->session, l->offset) ?
               g_strdup_printf("stops at *0x%" PRIx32 "\n", l->offset) :
               g_strdup("there are too many breakpoints\n");
}

static char *monitor(void *opaque, const char *text)
{
    RunGdb *g = opaque;

    if (!strcmp(text, "where")) {
        return tell_where(g);
    }
    if (!strcmp(text, "lines")) {
        return tell_lines(g);
    }
    if (g_str_has_prefix(text, "break ")) {
        return break_at_line(g, text + strlen("break "));
    }
    if (!strcmp(text, "delete")) {
        veu_gdb_clear(g->session);
        return g_strdup("no line has a breakpoint\n");
    }
    return g_strdup("write: monitor where, lines, break FILE:LINE, or "
                    "delete\n");
}

/* --- Stops ---------------------------------------------------------------- */

static void resume(void *opaque)
{
}

static void kill_run(void *opaque)
{
    Run *run = ((RunGdb *)opaque)->run;

    run->killed = true;
    run->awaited = 1;
}

static bool may_break(void *opaque, uint64_t offset)
{
    return run_instruction(((RunGdb *)opaque)->run, offset);
}

void run_gdb_event(RunGdb *g, const VeuEvent *event)
{
    if (g->fd >= 0 && g->has_stopped && g->events++ % INTERRUPT_EVENTS == 0) {
        receive(g, MSG_DONTWAIT);
    }
    if (g->fd < 0 || !veu_gdb_event(g->session, event)) {
        return;
    }
    g->mem = event->eu->mem;
    g->has_stopped = true;
    veu_gdb_report(g->session);
    while (g->fd >= 0 && veu_gdb_is_stopped(g->session)) {
        receive(g, 0);
    }
}

VeuObserver *run_gdb_observer(RunGdb *g, VeuObserver *next)
{
    return veu_gdb_observer(g->session, next);
}

/* --- The run -------------------------------------------------------------- */

static VeuGdb *new_session(RunGdb *g, const VeuProgram *p)
{
    const VeuGdbTarget target = {
        .layout = {
            .grf_bytes = p->grf_bytes,
            .grf_count = p->register_bytes / p->grf_bytes,
            .predicate_count = p->predicate_count,
            .address_count = p->address_element_count,
        },
        .send = send_bytes,
        .resume = resume,
        .kill = kill_run,
        .access = access_memory,
        .may_break = may_break,
        .monitor = monitor,
        .opaque = g,
    };

    return veu_gdb_new(&target);
}

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
    fd = accept_gdb(port);
    if (fd < 0) {
        return tool_error("--gdb %s: %s", run->options.gdb, g_strerror(errno));
    }
    run->gdb = g_new0(RunGdb, 1);
    run->gdb->fd = fd;
    run->gdb->run = run;
    run->gdb->session = new_session(run->gdb, p);
    return true;
}

void run_gdb_end(Run *run, unsigned status)
{
    RunGdb *g = run->gdb;

    if (g) {
        veu_gdb_exit(g->session, status);
        disconnect(g);
        veu_gdb_free(g->session);
        g_free(g);
        run->gdb = NULL;
    }
}
