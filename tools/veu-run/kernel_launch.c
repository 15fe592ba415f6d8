/*
 * veu-run: the memory of a kernel, and its runs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each launch of the range is a command KERNEL (docs/spec.md).
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/program/room.h"
#include "tools/veu-run/kernel.h"
#include "tools/veu-run/workers.h"

/* Units of work between two updates of the progress. */
#define BUDGET         (1u << 16)
/*
 * Scratch and private memory of all slots; beyond this, fewer groups are in
 * flight.
 */
#define MAX_POOL_BYTES (UINT64_C(256) << 20)
#define SCRATCH_UNIT   1024u
/* The program's handle in the device. */
#define HANDLE         1

G_STATIC_ASSERT(1 + 3 * VEU_KERNEL_MAX_LAUNCHES <= RUN_RING_SLOTS);
/* Before that, progress would only flicker. */
#define PROGRESS_AFTER (G_USEC_PER_SEC / 2)

/* --- Memory -------------------------------------------------------------- */

static bool fail(GError *error)
{
    tool_error("%s", error->message);
    g_error_free(error);
    return false;
}

static bool place_sections(RunKernel *k)
{
    GArray *sections = veu_zebin_sections(k->zebin);
    GError *error = NULL;

    for (unsigned i = 0; i < sections->len; i++) {
        VeuKernelSection *s = &g_array_index(sections, VeuKernelSection, i);

        s->address = run_memory_add_own(&k->run->memory, s->bytes);
        if (!s->address) {
            return false;
        }
    }
    if (!veu_zebin_relocate(k->zebin, &error)) {
        return fail(error);
    }
    for (unsigned i = 0; i < sections->len; i++) {
        VeuKernelSection *s = &g_array_index(sections, VeuKernelSection, i);

        run_memory_write(&k->run->memory, s->address, s->data, s->bytes);
    }
    return true;
}

static uint32_t scratch_bytes(const RunKernel *k)
{
    return (k->kernel->scratch_bytes + SCRATCH_UNIT - 1) / SCRATCH_UNIT *
           SCRATCH_UNIT;
}

/* As many groups as the device and the memory permit. */
static uint32_t groups_in_flight(const RunKernel *k, const VeuKernelLaunch *l)
{
    uint32_t groups = veu_kernel_groups_in_flight(k->program, l->threads,
                                                  l->slm_bytes,
                                                  VEU_LIMIT_LAUNCH_BYTES);
    uint64_t group_bytes = (uint64_t)l->threads *
                           MAX(scratch_bytes(k), k->kernel->private_bytes);

    return groups && group_bytes ?
               MAX(1, MIN(groups, MAX_POOL_BYTES / group_bytes)) :
               groups;
}

/* The first launch has the most EU threads. */
static bool count_slots(RunKernel *k, const VeuKernelLaunch *l)
{
    uint32_t groups = groups_in_flight(k, l);
    uint64_t bytes;

    k->slots = MAX(k->slots, groups * l->threads);
    bytes = (uint64_t)k->slots *
            MAX(scratch_bytes(k), k->kernel->private_bytes);
    if (!groups) {
        return tool_error("a group of kernel %s needs more memory than the "
                          "device has: choose a smaller --local",
                          k->kernel->name);
    }
    return bytes <= RUN_MAX_BYTES ||
           tool_error("a group of kernel %s needs more than 1G of private "
                      "memory: choose a smaller --local",
                      k->kernel->name);
}

static bool place_pools(RunKernel *k)
{
    uint64_t slots = k->slots;
    uint64_t scratch = slots * scratch_bytes(k);
    uint64_t private = slots * k->kernel->private_bytes;

    if (!run_place(k->run, NULL, scratch, &k->scratch) ||
        !run_place(k->run, NULL, private, &k->range.private_address)) {
        return false;
    }
    return !k->kernel->uses_printf ||
           run_place(k->run, NULL, VEU_KERNEL_PRINTF_BYTES,
                     &k->range.printf_address);
}

static bool make_launches(RunKernel *k)
{
    GError *error = NULL;

    if (k->launches) {
        g_array_unref(k->launches);
    }
    k->launches = veu_kernel_launch(k->kernel, &k->range, &error);
    return k->launches || fail(error);
}

/*
 * The launches determine the number of slots, and then the places of
 * everything.
 */
static bool place_slots(RunKernel *k)
{
    if (!make_launches(k)) {
        return false;
    }
    for (unsigned i = 0; i < k->launches->len; i++) {
        if (!count_slots(k, &g_array_index(k->launches, VeuKernelLaunch, i))) {
            return false;
        }
    }
    return place_pools(k) && make_launches(k);
}

G_STATIC_ASSERT(sizeof(VeuKernelLine) == sizeof(VeuCaptureLine));

/* The text is read again for source lines, only if they are shown. */
static void take_lines(RunKernel *k)
{
    const RunOptions *o = &k->run->options;

    if (o->trace || o->watch || o->break_at || o->gdb || o->capture ||
        o->budget || o->profile || o->fault_inject) {
        veu_kernel_lines(k->kernel, k->run->lines, k->run->files);
    }
}

static bool make_program(RunKernel *k)
{
    RunProgram *p = &k->run->program;
    GError *error = NULL;
    VeuFault fault;

    k->program = veu_kernel_program(k->kernel, k->run->options.one_place,
                                    &error);
    if (!k->program) {
        return fail(error);
    }
    take_lines(k);
    p->code.data = g_memdup2(k->program->data, k->program->len);
    p->code.bytes = k->program->len;
    p->declared = veu_program_new_with(&veu_load_limits);
    if (!p->declared) {
        return tool_error("the host is out of memory");
    }
    p->broken = !veu_program_open(p->declared, p->code.data, p->code.bytes,
                                  k->kernel->simd, &fault);
    run_program_decode(p);
    return run_break_parse(k->run) && run_watch_parse(k->run) &&
           run_profile_begin(k->run) && run_gdb_begin(k->run);
}

bool run_kernel_place(RunKernel *k)
{
    return place_sections(k) && make_program(k) && place_slots(k);
}

/* --- Commands ------------------------------------------------------------ */

static bool make_command(RunKernel *k, const VeuKernelLaunch *l,
                         struct veu_command_kernel *command)
{
    *command = (struct veu_command_kernel){
        .header = { .opcode = VEU_COMMAND_KERNEL, .slots = 3 },
        .program = HANDLE,
        .surface_count = l->surfaces->len,
        .slm_bytes = l->slm_bytes,
        .cross_thread_bytes = l->cross_thread->len,
        .local_id_bytes = l->local_id_bytes,
        .threads = l->threads,
        .last_exec_mask = l->last_exec_mask,
        .stateless_base = k->scratch,
        .stateless_bytes = (uint64_t)k->slots * scratch_bytes(k),
        .scratch_bytes = scratch_bytes(k),
        .groups_in_flight = groups_in_flight(k, l),
        .simd = k->kernel->simd,
    };
    memcpy(command->samplers, l->samplers, sizeof(l->samplers));
    memcpy(command->first_group, l->first_group, sizeof(l->first_group));
    memcpy(command->group_count, l->group_count, sizeof(l->group_count));
    return run_place(k->run, l->surfaces->data,
                     l->surfaces->len * sizeof(struct veu_surface),
                     &command->surface_table) &&
           run_place(k->run, l->cross_thread->data, l->cross_thread->len,
                     &command->cross_thread_address) &&
           run_place(k->run, l->local_ids->data, l->local_ids->len,
                     &command->local_id_address);
}

/*
 * The program is decoded once, for all runs, and may be larger than that of a
 * launch.
 */
static bool make_load(RunKernel *k, struct veu_command_load *load)
{
    *load = (struct veu_command_load){
        .header = { .opcode = VEU_COMMAND_LOAD, .slots = 1 },
        .code_bytes = k->program->len,
        .program = HANDLE,
        .simd = k->kernel->simd,
    };
    return run_place(k->run, k->program->data, k->program->len,
                     &load->code_address);
}

static bool make_commands(RunKernel *k, struct veu_command_kernel *commands)
{
    for (unsigned i = 0; i < k->launches->len; i++) {
        if (!make_command(k, &g_array_index(k->launches, VeuKernelLaunch, i),
                          &commands[i])) {
            return false;
        }
    }
    return true;
}

/* --- Runs ---------------------------------------------------------------- */

static void fill_buffers(RunKernel *k)
{
    for (unsigned i = 0; i < k->buffers->len; i++) {
        const RunBuffer *b = &g_array_index(k->buffers, RunBuffer, i);

        for (uint64_t n = 0; n < b->bytes / b->slice_bytes; n++) {
            run_memory_write(&k->run->memory, b->address + n * b->step_bytes,
                             b->initial + n * b->slice_bytes, b->slice_bytes);
        }
    }
}

/* --- printf() ------------------------------------------------------------ */

static void start_printf(RunKernel *k)
{
    const uint32_t start = VEU_KERNEL_PRINTF_START;

    if (k->kernel->uses_printf) {
        run_memory_write(&k->run->memory, k->range.printf_address, &start,
                         sizeof(start));
    }
}

static bool read_memory(void *opaque, uint64_t address, void *to,
                        uint32_t bytes)
{
    const RunArea *area = run_memory_find(opaque, address);

    if (!area || bytes > area->bytes - (address - area->start)) {
        return false;
    }
    memcpy(to, area->data + (address - area->start), bytes);
    return true;
}

static void take_printf(RunKernel *k)
{
    const VeuKernelMemory memory = { read_memory, &k->run->memory };

    if (k->kernel->uses_printf) {
        k->printf_is_cut |= !veu_kernel_printf(
            run_memory_find(&k->run->memory, k->range.printf_address)->data,
            VEU_KERNEL_PRINTF_BYTES, &memory, k->printed);
    }
}

/* On a terminal, shows a line that the next one replaces. */
static void show_progress(const RunKernel *k, uint64_t done, gint64 since)
{
    if (g_get_monotonic_time() - since > PROGRESS_AFTER &&
        !k->run->options.json && isatty(STDERR_FILENO)) {
        fprintf(stderr,
                "\r%s: run %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                ", %.0f s ",
                k->kernel->name, done + 1, k->repeat,
                (double)(g_get_monotonic_time() - since) / G_USEC_PER_SEC);
    }
}

static void end_progress(const RunKernel *k, gint64 since)
{
    if (g_get_monotonic_time() - since > PROGRESS_AFTER &&
        !k->run->options.json && isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%60s\r", "");
    }
}

static void run_once(RunKernel *k, RunRing *ring,
                     const struct veu_command_kernel *commands, uint64_t n,
                     gint64 since)
{
    gint64 start;
    double us;

    fill_buffers(k);
    start_printf(k);
    for (unsigned i = 0; i < k->launches->len; i++) {
        run_ring_submit(k->run, ring, &commands[i], 3);
    }
    start = g_get_monotonic_time();
    if (!n) {
        run_ring_start(k->run, ring);
    }
    while (run_ring_advance(k->run, ring, BUDGET)) {
        show_progress(k, n, since);
    }
    us = g_get_monotonic_time() - start;
    take_printf(k);
    k->times.first_us = n ? k->times.first_us : us;
    k->times.best_us = n ? MIN(k->times.best_us, us) : us;
}

bool run_kernel_perform(RunKernel *k)
{
    struct veu_command_kernel commands[VEU_KERNEL_MAX_LAUNCHES];
    struct veu_command_load load;
    gint64 since = g_get_monotonic_time();
    RunWorkers *workers;
    RunRing ring;

    if (!make_load(k, &load) || !make_commands(k, commands) ||
        !run_ring_open(k->run, &ring)) {
        return false;
    }
    run_ring_submit(k->run, &ring, &load, 1);
    workers = run_workers_start(k->run, k->run->numbers.workers);
    for (uint64_t n = 0; n < k->repeat && !k->run->fault_count &&
                         !k->run->hangs && !k->run->stopped && !k->run->killed;
         n++) {
        run_once(k, &ring, commands, n, since);
    }
    run_workers_stop(workers);
    end_progress(k, since);
    run_ring_close(k->run, &ring);
    return true;
}
