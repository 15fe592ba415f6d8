/*
 * veu captures: profiles of programs, summed over launches and threads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include "hw/veu/capture/hash.h"
#include "hw/veu/capture/profiler.h"
#include "hw/veu/device/host/capture.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "veu/regs.h"

/* The counts of the launch that runs in a ring: each runner has its own. */
typedef struct OpenLaunch {
    VeuProfile *place[VEU_MAX_SLICES];
    size_t bytes;  /* of them */
    bool left_out; /* memory for one of them was not available */
} OpenLaunch;

struct VeuProfiler {
    GPtrArray *programs; /* of VeuProfiledProgram */
    uint32_t row_count;  /* instructions of them */
    uint64_t left_out;   /* launches that are not in them */
    VeuCaptureHashes hashes;
    GMutex lock; /* of the places, which helpers make as well */
    size_t open_bytes;
    OpenLaunch open[VEU_MAX_RINGS];
};

static void free_program(void *program)
{
    g_free(((VeuProfiledProgram *)program)->instructions);
    g_free(program);
}

VeuProfiler *veu_profiler_new(void)
{
    VeuProfiler *p = g_new0(VeuProfiler, 1);

    p->programs = g_ptr_array_new_with_free_func(free_program);
    g_mutex_init(&p->lock);
    return p;
}

static void drop(VeuProfiler *p, uint32_t ring)
{
    OpenLaunch *open = &p->open[ring];

    g_mutex_lock(&p->lock);
    for (unsigned i = 0; i < VEU_MAX_SLICES; i++) {
        g_free(open->place[i]);
    }
    p->open_bytes -= open->bytes;
    *open = (OpenLaunch){ 0 };
    g_mutex_unlock(&p->lock);
}

void veu_profiler_free(VeuProfiler *p)
{
    for (unsigned i = 0; i < VEU_MAX_RINGS; i++) {
        drop(p, i);
    }
    g_ptr_array_unref(p->programs);
    g_mutex_clear(&p->lock);
    g_free(p);
}

static VeuProfile *make_place(VeuProfiler *p, uint32_t ring,
                              const VeuProgram *program)
{
    OpenLaunch *open = &p->open[ring];
    size_t bytes = veu_profile_bytes(program);
    void *memory = NULL;

    g_mutex_lock(&p->lock);
    if (!open->left_out &&
        bytes <= VEU_PROFILER_MAX_OPEN_BYTES - p->open_bytes) {
        memory = g_try_malloc0(bytes);
    }
    if (memory) {
        open->bytes += bytes;
        p->open_bytes += bytes;
    } else {
        open->left_out = true;
    }
    g_mutex_unlock(&p->lock);
    return memory ? veu_profile_place(memory, program) : NULL;
}

VeuProfile *veu_profiler_open(VeuProfiler *p, uint32_t ring, unsigned runner,
                              const VeuProgram *program)
{
    VeuProfile **place = &p->open[ring].place[runner];

    if (!*place) {
        *place = make_place(p, ring, program);
    }
    return *place;
}

const GPtrArray *veu_profiler_programs(const VeuProfiler *p)
{
    return p->programs;
}

/* --- Programs ------------------------------------------------------------ */

static VeuProfiledInstruction *make_rows(const VeuProgram *program)
{
    VeuProfiledInstruction *rows = g_try_new0(VeuProfiledInstruction,
                                              program->instruction_count);

    for (uint32_t n = 0; rows && n < program->instruction_count; n++) {
        const VeuInstruction *i = &program->instructions[n];

        rows[n].offset = i->offset;
        rows[n].name = i->info ? i->info->mnemonic :
                                 program->messages[i->target].info->mnemonic;
        rows[n].is_message = !i->info;
    }
    return rows;
}

static VeuProfiledProgram *add_program(VeuProfiler *p, uint64_t hash,
                                       const VeuLaunchView *view,
                                       const VeuProgram *program)
{
    uint32_t count = program->instruction_count;
    VeuProfiledInstruction *rows;
    VeuProfiledProgram *new;

    if (p->programs->len >= VEU_PROFILER_MAX_PROGRAMS ||
        count > VEU_PROFILER_MAX_ROWS - p->row_count) {
        return NULL;
    }
    rows = make_rows(program);
    if (!rows) {
        return NULL;
    }
    new = g_new0(VeuProfiledProgram, 1);
    new->hash = hash;
    new->simd = program->simd;
    new->code_bytes = view->code_bytes;
    new->instructions = rows;
    new->instruction_count = count;
    p->row_count += count;
    g_ptr_array_add(p->programs, new);
    return new;
}

static bool may_be(const VeuProfiledProgram *known, const VeuLaunchView *view,
                   const VeuProgram *program)
{
    return known->code_bytes == view->code_bytes &&
           known->simd == program->simd &&
           known->instruction_count == program->instruction_count;
}

static VeuProfiledProgram *find_program(VeuProfiler *p,
                                        const VeuLaunchView *view,
                                        const VeuProgram *program)
{
    uint64_t hash = veu_capture_hash_launch(&p->hashes, view);

    for (unsigned i = 0; i < p->programs->len; i++) {
        VeuProfiledProgram *known = g_ptr_array_index(p->programs, i);

        if (known->hash == hash && may_be(known, view, program)) {
            return known;
        }
    }
    return add_program(p, hash, view, program);
}

static void add_counts(VeuProfiledProgram *to, const VeuProfile *from)
{
    for (uint32_t i = 0; i < to->instruction_count; i++) {
        VeuInstructionCounts *sum = &to->instructions[i].counts;
        const VeuInstructionCounts *c = &from->counts[i];

        if (!c->executions) {
            continue;
        }
        sum->executions += c->executions;
        sum->lanes += c->lanes;
        sum->divergent += c->divergent;
        sum->bytes += c->bytes;
        sum->lines += c->lines;
        sum->conflicts += c->conflicts;
    }
}

/*
 * Adds up the counts of one launch's runners. Returns NULL if there is no room
 * for its program.
 */
static VeuProfiledProgram *add_launch(VeuProfiler *p, const OpenLaunch *open,
                                      const VeuLaunchView *view)
{
    VeuProfiledProgram *to = NULL;

    for (unsigned i = 0; i < VEU_MAX_SLICES; i++) {
        VeuProfile *from = open->place[i];

        if (from && !to) {
            to = find_program(p, view, &from->program);
        }
        if (from && to) {
            veu_profile_finish(from);
            add_counts(to, from);
        }
    }
    return to;
}

static void end_launch(VeuProfiler *p, const OpenLaunch *open,
                       const VeuLaunchView *view)
{
    VeuProfiledProgram *to = open->left_out || !view->code ?
                                 NULL :
                                 add_launch(p, open, view);

    if (to) {
        to->launches++;
    } else if (open->left_out || open->bytes) {
        p->left_out++;
    }
}

static void end_command(VeuProfiler *p, VeuDevice *device, uint32_t ring)
{
    VeuLaunchView view;

    if (veu_device_view_launch(device, ring, &view)) {
        end_launch(p, &p->open[ring], &view);
    }
}

/* The device's other rings continue while one of them ends a launch. */
void veu_profiler_event(VeuProfiler *p, VeuDevice *device,
                        const VeuEvent *event)
{
    if (!(VEU_PROFILER_EVENTS & 1u << event->kind)) {
        return;
    }
    if (event->kind == VEU_EVENT_COMMAND_END) {
        end_command(p, device, event->ring);
    }
    if (event->ring != VEU_EVENT_NO_RING) {
        drop(p, event->ring);
        return;
    }
    for (unsigned i = 0; i < VEU_MAX_RINGS; i++) {
        drop(p, i);
    }
}

/* --- JSON ---------------------------------------------------------------- */

static void print_instruction(FILE *out, const VeuProfiledInstruction *i)
{
    const VeuInstructionCounts *c = &i->counts;

    fprintf(out,
            "{\"offset\": %" PRIu32 ", \"instruction\": \"%s\", "
            "\"executions\": %" PRIu64 ", \"lanes\": %" PRIu64
            ", \"divergent\": %" PRIu64,
            i->offset, i->name, c->executions, c->lanes, c->divergent);
    if (i->is_message) {
        fprintf(out,
                ", \"bytes\": %" PRIu64 ", \"cache_lines\": %" PRIu64
                ", \"bank_conflicts\": %" PRIu64,
                c->bytes, c->lines, c->conflicts);
    }
    fputc('}', out);
}

static void print_program(FILE *out, const VeuProfiledProgram *p)
{
    fprintf(out,
            "{\"program\": \"0x%016" PRIx64 "\", \"simd\": %" PRIu32
            ", \"code_bytes\": %" PRIu32 ", \"launches\": %" PRIu64
            ", \"profile\": [\n",
            p->hash, p->simd, p->code_bytes, p->launches);
    for (uint32_t i = 0; i < p->instruction_count; i++) {
        fputs(i ? ",\n" : "", out);
        print_instruction(out, &p->instructions[i]);
    }
    fputs("]}", out);
}

static void print_programs(FILE *out, const VeuProfiler *p)
{
    fprintf(out, "{\"launches_left_out\": %" PRIu64 ", \"programs\": [",
            p->left_out);
    for (unsigned i = 0; i < p->programs->len; i++) {
        fputs(i ? ",\n" : "\n", out);
        print_program(out, g_ptr_array_index(p->programs, i));
    }
    fputs("\n]}\n", out);
}

/* 0, or errno. */
static int write_file(const VeuProfiler *p, const char *path)
{
    FILE *out = fopen(path, "we");
    int code;

    if (!out) {
        return errno;
    }
    print_programs(out, p);
    code = ferror(out) ? EIO : 0;
    return fclose(out) ? errno : code;
}

bool veu_profiler_write(const VeuProfiler *p, const char *path, GError **error)
{
    int code = write_file(p, path);

    if (code) {
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code),
                    "%s: %s", path, g_strerror(code));
    }
    return !code;
}
