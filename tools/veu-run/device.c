/*
 * veu-run: one command, DISPATCH or MESSAGE.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, sections 4 to 6.
 */
#include <stddef.h>
#include <string.h>
#include "tools/veu-run/veu-run.h"

/* Messages of a step: at most as many faults as there are records. */
#define BUDGET 128

/* The addresses of veu-run's own memory. */
typedef struct Places {
    uint64_t program;
    uint64_t surfaces;
    uint64_t payload;
    uint64_t results;
} Places;

/* --- Memory that the driver fills ---------------------------------------- */

static bool place_input(Run *run, Places *p)
{
    return run_place(run, run->program.code.data, run->program.code.bytes,
                     &p->program) &&
           run_place(run, run->surfaces->data,
                     run->surfaces->len * sizeof(struct veu_surface),
                     &p->surfaces) &&
           run_place(run, run->payload.data, run->payload.bytes, &p->payload);
}

static bool place_results(Run *run, Places *p)
{
    uint64_t bytes = run_thread_count(run) * run_result_stride(run);

    if (bytes > RUN_MAX_BYTES) {
        return tool_error("the registers of %" G_GUINT64_FORMAT " EU threads "
                          "are more than 1G: omit --show and --save of "
                          "variables, or run fewer",
                          run_thread_count(run));
    }
    run->stored = g_try_malloc0(run_thread_count(run));
    return run->stored ? run_place(run, NULL, bytes, &p->results) :
                         tool_error("the host is out of memory");
}

/* A file of payloads has them in order, a stride apart. */
static bool fill_payload(Run *run, const Places *p)
{
    struct veu_launch *l = &run->launch;
    uint64_t before = (run_thread_count(run) - 1) * run->numbers.payload_stride;

    if (before && before >= run->payload.bytes) {
        return tool_error("--payload-stride %s: the file has no payload for "
                          "the last of %" G_GUINT64_FORMAT " EU threads",
                          run->options.payload_stride, run_thread_count(run));
    }
    l->payload_address = p->payload;
    l->payload_stride = run->numbers.payload_stride;
    if (before + UINT32_MAX < run->payload.bytes) {
        return tool_error("--payload: a payload has less than 4G bytes");
    }
    l->payload_bytes = run->payload.bytes - before;
    return true;
}

static bool fill_launch(Run *run, const Places *p)
{
    struct veu_launch *l = &run->launch;
    const VeuProgram *declared = run->program.declared;

    l->code_bytes = run->program.code.bytes;
    l->simd = run->numbers.simd;
    l->surface_table = p->surfaces;
    l->surface_count = run->surfaces->len;
    if (run->stored) {
        l->result_address = p->results;
        l->result_stride = run_result_stride(run);
        l->result_bytes = declared->register_bytes;
    }
    if (run->program.is_message) {
        l->grf_bytes = declared->grf_bytes;
        l->variable_count = declared->variable_count;
        l->predicate_count = declared->predicate_count;
    } else {
        l->code_address = p->program;
    }
    return fill_payload(run, p);
}

static void submit_dispatch(Run *run, RunRing *ring)
{
    struct veu_command_dispatch command = {
        .header = { .opcode = VEU_COMMAND_DISPATCH, .slots = 2 },
        .launch = run->launch,
    };

    run_ring_submit(run, ring, &command, 2);
}

static void submit_message(Run *run, RunRing *ring)
{
    const VeuProgram *declared = run->program.declared;
    struct veu_command_message command = {
        .header = { .opcode = VEU_COMMAND_MESSAGE, .slots = 4 },
        .launch = run->launch,
    };

    memcpy(command.variables, declared->variables,
           declared->variable_count * sizeof(command.variables[0]));
    memcpy(command.message, run->program.code.data, run->program.code.bytes);
    run_ring_submit(run, ring, &command, 4);
}

bool run_device(Run *run, bool keep_registers)
{
    RunRing ring;
    Places p = { 0 };

    if (!run_memory_place_own(&run->memory, run_tables_wanted(&run->options)) ||
        !place_input(run, &p) || (keep_registers && !place_results(run, &p)) ||
        !fill_launch(run, &p) || !run_ring_open(run, &ring)) {
        return false;
    }
    if (run->program.is_message) {
        submit_message(run, &ring);
    } else {
        submit_dispatch(run, &ring);
    }
    run_ring_start(run, &ring);
    while (run_ring_advance(run, &ring, BUDGET)) {}
    run_ring_close(run, &ring);
    return true;
}

bool run_registers(const Run *run, uint64_t number, uint32_t offset, void *to,
                   uint32_t bytes)
{
    if (!run->stored || !run->stored[number]) {
        return run_stopped_registers(run, number, offset, to, bytes);
    }
    run_memory_read(&run->memory,
                    run->launch.result_address +
                        number * run_result_stride(run) + offset,
                    to, bytes);
    return true;
}
