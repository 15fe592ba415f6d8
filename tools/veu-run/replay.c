/*
 * veu-run: --replay: runs a captured launch again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory consists of the capture's pieces, at their DMA addresses; everything
 * else is a hole. The ring is veu-run's own, in memory that the launch did not
 * access. A program that LOAD had loaded is loaded first, in a context of type
 * 0; its handle survives the change of context.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "hw/veu/capture/tables.h"
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/program/room.h"
#include "tools/veu-run/replay.h"

/* Units of work between two updates of the progress. */
#define BUDGET (1u << 16)

VeuCapture *run_capture_read(const char *option, const char *path)
{
    RunBytes content = { 0 };
    GError *error = NULL;
    VeuCapture *capture;

    if (!run_file_read(path, VEU_CAPTURE_MAX_BYTES, option, path,
                       "name a file that --capture has written", &content)) {
        return NULL;
    }
    capture = veu_capture_read(content.data, content.bytes, &error);
    g_free(content.data);
    if (!capture) {
        tool_error("%s%s: %s", option, path, error->message);
        g_error_free(error);
    }
    return capture;
}

/* --- The program --------------------------------------------------------- */

static const struct veu_command_message *message_of(const VeuCapture *c)
{
    const struct veu_command_message *m = (const void *)c->launch.command;

    return m->header.opcode == VEU_COMMAND_MESSAGE &&
                   c->launch.command_bytes == sizeof(*m) ?
               m :
               NULL;
}

static uint32_t simd_of(const VeuCapture *c)
{
    const struct veu_command_kernel *k = (const void *)c->launch.command;
    const struct veu_command_dispatch *d = (const void *)c->launch.command;

    if (c->launch.simd) {
        return c->launch.simd;
    }
    return k->header.opcode == VEU_COMMAND_KERNEL ? k->simd : d->launch.simd;
}

static bool is_legal_simd(uint32_t simd)
{
    return simd == 8 || simd == 16 || simd == 32;
}

/* The rules of struct veu_launch that veu_program_open_inline() relies on. */
static bool is_legal_message(const struct veu_launch *l)
{
    return is_legal_simd(l->simd) && l->code_bytes &&
           l->code_bytes <= VEU_INLINE_BYTES &&
           (l->grf_bytes == 32 || l->grf_bytes == 64) &&
           l->variable_count <= VEU_INLINE_VARIABLES &&
           l->predicate_count <= VEU_INLINE_PREDICATES;
}

static bool open_message(RunProgram *p, const struct veu_command_message *m)
{
    VeuFault fault;

    p->is_message = true;
    if (!is_legal_message(&m->launch)) {
        return false;
    }
    p->code.bytes = m->launch.code_bytes;
    p->code.data = g_memdup2(m->message, p->code.bytes);
    return veu_program_open_inline(p->declared, m->launch.simd,
                                   m->launch.grf_bytes, m->variables,
                                   m->launch.variable_count,
                                   m->launch.predicate_count, p->code.data,
                                   p->code.bytes, &fault);
}

static bool open_code(RunProgram *p, const VeuCapture *c)
{
    VeuFault fault;

    p->code.bytes = c->code_bytes;
    p->code.data = g_memdup2(c->code, c->code_bytes);
    return is_legal_simd(simd_of(c)) &&
           c->code_bytes >= sizeof(struct veu_program_header) &&
           veu_program_open(p->declared, p->code.data, p->code.bytes,
                            simd_of(c), &fault);
}

/* If the launch has no legal program, the device reports why. */
bool run_replay_program(Run *run, const VeuCapture *c)
{
    const struct veu_command_message *message = message_of(c);
    RunProgram *p = &run->program;

    run->has_tables = c->launch.context_type == VEU_CONTEXT_TABLES;
    g_array_append_vals(run->lines, c->lines->data, c->lines->len);
    for (unsigned i = 0; i < c->files->len; i++) {
        g_ptr_array_add(run->files, g_strdup(g_ptr_array_index(c->files, i)));
    }
    p->declared = veu_program_new_with(&veu_load_limits);
    if (!p->declared) {
        return tool_error("the host is out of memory");
    }
    p->broken = message ? !open_message(p, message) : !open_code(p, c);
    if (!message) {
        run_program_decode(p);
    }
    return true;
}

/* --- Memory -------------------------------------------------------------- */

static bool is_writable(const VeuCapturePiece *p)
{
    return p->permissions & VEU_CAPTURE_WRITE;
}

static bool continues(const VeuCapturePiece *p, const VeuCapturePiece *next)
{
    return next->address == p->address + p->bytes &&
           is_writable(next) == is_writable(p);
}

/* Adjacent pieces form one area. */
static bool load_memory(Run *run, const VeuCapture *c)
{
    g_autoptr(GByteArray) data = g_byte_array_new();

    for (unsigned i = 0; i < c->before->len; i++) {
        const VeuCapturePiece *p = &g_array_index(c->before, VeuCapturePiece,
                                                  i);

        g_byte_array_append(data, p->data, p->bytes);
        if (i + 1 < c->before->len && continues(p, p + 1)) {
            continue;
        }
        if (!run_memory_add_copy(&run->memory,
                                 p->address + p->bytes - data->len, data->data,
                                 data->len, is_writable(p))) {
            return false;
        }
        g_byte_array_set_size(data, 0);
    }
    return true;
}

/* --- The context --------------------------------------------------------- */

/*
 * In a context of windows, the ring needs a window: an additional one contains
 * all of veu-run's memory from @own on.
 */
static bool place_windows(Run *run, const VeuCapture *c, uint64_t own,
                          RunContext *context)
{
    struct veu_window window = {
        .address = own,
        .permissions = VEU_WINDOW_READ | VEU_WINDOW_WRITE,
    };
    g_autoptr(GArray) windows = g_array_copy(c->windows);
    unsigned at = 0;

    while (at < windows->len &&
           g_array_index(windows, struct veu_window, at).address < own) {
        at++;
    }
    window.bytes = run->memory.next_own - own;
    g_array_insert_val(windows, at, window);
    context->window_count = windows->len;
    return run_place(run, windows->data, windows->len * sizeof(window),
                     &context->windows);
}

/*
 * No driver answers requests. Page tables have the pages that it has provided
 * from the beginning: see refresh_tables() in hw/veu/capture/record.c.
 */
static bool make_context(Run *run, const VeuCapture *c, uint64_t own,
                         RunContext *context)
{
    *context = (RunContext){
        .type = c->launch.context_type,
        .options = c->launch.context_options & ~VEU_CONTEXT_REQUESTS,
        .root = c->launch.root,
    };
    return context->type != VEU_CONTEXT_WINDOWS ||
           place_windows(run, c, own, context);
}

/* --- The run ------------------------------------------------------------- */

static bool load_program(Run *run, RunRing *ring, const VeuCapture *c)
{
    struct veu_command_load load = {
        .header = { .opcode = VEU_COMMAND_LOAD, .slots = 1 },
        .code_bytes = c->code_bytes,
        .program = c->launch.handle,
        .simd = c->launch.simd,
    };

    if (!c->launch.handle || !c->code) {
        return true;
    }
    if (!run_place(run, c->code, c->code_bytes, &load.code_address)) {
        return false;
    }
    run_ring_submit(run, ring, &load, 1);
    return true;
}

/* A replay has no array for the times of commands. */
static void submit_launch(Run *run, RunRing *ring,
                          const VeuCaptureLaunch *launch)
{
    uint8_t bytes[sizeof(launch->command)];
    struct veu_command_header header;

    memcpy(bytes, launch->command, sizeof(bytes));
    memcpy(&header, bytes, sizeof(header));
    header.flags &= ~VEU_COMMAND_TIMES;
    memcpy(bytes, &header, sizeof(header));
    run_ring_submit(run, ring, bytes, launch->command_bytes / VEU_SLOT_BYTES);
}

static void start(Run *run, RunRing *ring, const RunContext *context)
{
    run->numbers.budget = run->replay->capture->launch.budget;
    run_ring_start(run, ring);
    while (run_ring_advance(run, ring, BUDGET)) {}
    if (run->fault_count) {
        return; /* the program cannot be loaded */
    }
    run_ring_restart(run, ring, context);
    submit_launch(run, ring, &run->replay->capture->launch);
    while (run_ring_advance(run, ring, BUDGET)) {}
}

static bool perform(Run *run)
{
    const VeuCapture *c = run->replay->capture;
    RunContext context;
    RunRing ring;
    uint64_t own;

    if (!load_memory(run, c) || !run_memory_place_own(&run->memory, false)) {
        return false;
    }
    own = run->memory.next_own;
    if (!run_ring_open(run, &ring)) {
        return false;
    }
    if (load_program(run, &ring, c) && make_context(run, c, own, &context)) {
        start(run, &ring, &context);
        run_ring_close(run, &ring);
        return true;
    }
    run_ring_close(run, &ring);
    return false;
}

/* --- Results of the launch ----------------------------------------------- */

static void count_difference(RunReplay *r, uint64_t address)
{
    if (!r->differing_bytes++) {
        r->first_difference = address;
    }
}

static void compare_piece(Run *run, const VeuCapturePiece *p)
{
    const RunArea *area = run_memory_find_iova(&run->memory, p->address);
    const uint8_t *now = area->data + (p->address - area->iova);

    for (uint32_t i = 0; memcmp(now, p->data, p->bytes) && i < p->bytes; i++) {
        if (now[i] != p->data[i]) {
            count_difference(run->replay, p->address + i);
        }
    }
}

/* Pieces are in ascending order. */
static const VeuCapturePiece *find_piece(GArray *pieces, uint64_t address)
{
    VeuCapturePiece wanted = { .address = address };
    unsigned at;

    return g_array_binary_search(pieces, &wanted, veu_capture_compare_pieces,
                                 &at) ?
               &g_array_index(pieces, VeuCapturePiece, at) :
               NULL;
}

static const uint64_t *add_table(void *opaque, uint64_t address, unsigned level)
{
    RunReplay *r = opaque;
    const VeuCapturePiece *p = find_piece(r->capture->before, address);

    if (!p || p->bytes != VEU_CAPTURE_PAGE_BYTES) {
        return NULL;
    }
    g_hash_table_add(r->tables, g_memdup2(&address, sizeof(address)));
    return (const uint64_t *)p->data;
}

/* The driver may have changed page tables until the launch ended. */
static void find_tables(RunReplay *r)
{
    r->tables = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                      NULL);
    if (veu_capture_has_requests(&r->capture->launch)) {
        veu_capture_walk(r->capture->launch.root, add_table, r);
    }
}

/*
 * Pieces that the launch has changed are in @after, which may contain others.
 */
static void compare_memory(Run *run)
{
    const VeuCapture *c = run->replay->capture;
    unsigned after = 0;

    find_tables(run->replay);

    for (unsigned i = 0; i < c->before->len; i++) {
        const VeuCapturePiece *p = &g_array_index(c->before, VeuCapturePiece,
                                                  i);
        const VeuCapturePiece *changed = NULL;

        for (; after < c->after->len; after++) {
            changed = &g_array_index(c->after, VeuCapturePiece, after);
            if (changed->address >= p->address) {
                break;
            }
        }
        if (after < c->after->len && changed->address == p->address &&
            changed->bytes == p->bytes) {
            p = changed;
        }
        if (!g_hash_table_contains(run->replay->tables, &p->address)) {
            compare_piece(run, p);
        }
    }
    g_hash_table_unref(run->replay->tables);
}

/* Ring, slot and time may differ. */
static bool is_same_fault(struct veu_fault_record a, struct veu_fault_record b)
{
    a.ring = b.ring;
    a.slot = b.slot;
    a.time = b.time;
    return !memcmp(&a, &b, sizeof(a));
}

/* A capture contains the first VEU_CAPTURE_MAX_FAULTS of a launch. */
static void compare_faults(Run *run)
{
    const GArray *then = run->replay->capture->faults;
    unsigned count = MIN(run->faults->len, VEU_CAPTURE_MAX_FAULTS);

    run->replay->faults_differ = count != then->len;
    for (unsigned i = 0; i < MIN(count, then->len); i++) {
        run->replay->faults_differ |= !is_same_fault(
            g_array_index(then, struct veu_fault_record, i),
            g_array_index(run->faults, struct veu_fault_record, i));
    }
}

static bool is_same(const RunReplay *r)
{
    return !r->differing_bytes && !r->faults_differ;
}

static void show_json(Run *run)
{
    const RunReplay *r = run->replay;

    json_row(&run->json, "replay");
    json_string(&run->json, "kernel", r->capture->launch.kernel);
    json_raw(&run->json, "same", is_same(r) ? "true" : "false");
    json_uint(&run->json, "differing_bytes", r->differing_bytes);
    if (r->differing_bytes) {
        json_uint(&run->json, "first_difference", r->first_difference);
    }
    json_raw(&run->json, "faults_differ", r->faults_differ ? "true" : "false");
    json_raw(&run->json, "pages_moved",
             r->capture->launch.pages_moved ? "true" : "false");
    json_end(&run->json);
}

/* Why a replay differs that need not be a defect: docs/capture.md. */
static void show_requests(const VeuCaptureLaunch *l)
{
    if (!l->pages_moved && veu_capture_has_requests(l)) {
        printf("replay: the launch could wait for pages; pages that the driver "
               "took away meanwhile are as they were first\n");
    }
}

void run_replay_show(Run *run)
{
    const RunReplay *r = run->replay;

    if (run->stopped || run->killed) {
        return;
    }
    compare_memory(run);
    compare_faults(run);
    if (!run->options.json && r->capture->launch.pages_moved) {
        printf("replay: while the launch waited, its driver took away pages "
               "that it had accessed, which a replay cannot repeat\n");
    }
    if (run->options.json) {
        show_json(run);
    } else if (is_same(r)) {
        printf("replay: memory and faults are as the captured launch left "
               "them\n");
    } else if (r->differing_bytes) {
        printf("replay: %" PRIu64 " bytes of memory differ from what the "
               "captured launch left, the first at 0x%" PRIx64 "\n",
               r->differing_bytes, r->first_difference);
    } else {
        printf("replay: the faults differ from those of the captured "
               "launch\n");
    }
    if (!run->options.json && !is_same(r)) {
        show_requests(&r->capture->launch);
    }
}

static bool take_numbers(Run *run, const VeuCaptureLaunch *l)
{
    if (!run_options_numbers(&run->options, &run->numbers, &run->launch)) {
        return false;
    }
    run->numbers.policy = l->policy;
    run->numbers.eu = (VeuConfig){
        .undefined = l->poison,
        .strict_types = l->strict_types,
        .check = l->trace_contracts,
    };
    return true;
}

static bool prepare(Run *run)
{
    const VeuCapture *c = run->replay->capture;

    return take_numbers(run, &c->launch) && run_replay_program(run, c) &&
           run_inject_parse(run->options.fault_inject, &run->rules) &&
           run_break_parse(run) && run_watch_parse(run) &&
           run_profile_begin(run) && run_shows_check(run) && run_gdb_begin(run);
}

int run_replay(Run *run)
{
    RunReplay replay = {
        .capture = run_capture_read("--replay ", run->options.replay),
    };
    bool good;

    if (!replay.capture) {
        return RUN_ERROR;
    }
    run->replay = &replay;
    good = prepare(run);
    if (good) {
        run_trace_begin(run);
        good = perform(run);
        run_tell(run, good);
    }
    veu_capture_free(replay.capture);
    run->replay = NULL;
    if (!good || !is_same(&replay)) {
        return RUN_ERROR;
    }
    return run->fault_count || run->hangs ? RUN_FAULT : RUN_OK;
}
