/*
 * veu-run: --profile: counts executions and lanes of each instruction, and the
 * memory that messages touch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdio.h>
#include "hw/veu/capture/profiler.h"
#include "tools/veu-run/veu-run.h"

bool run_profile_begin(Run *run)
{
    const VeuProgram *p = run->program.declared;

    if (!run->options.profile || run->program.broken) {
        return true; /* the device reports the program's error */
    }
    if (run->program.is_message || p->kind != VEU_PROGRAM_INSTRUCTIONS) {
        return tool_error("--profile is for programs of instructions; this one "
                          "has messages only");
    }
    run->profile = veu_profiler_new();
    return true;
}

void run_profile_free(Run *run)
{
    g_clear_pointer(&run->profile, veu_profiler_free);
}

VeuProfile *run_profile_open(VeuHost *host, uint32_t ring, unsigned runner,
                             const VeuProgram *program)
{
    return veu_profiler_open(((Run *)host)->profile, ring, runner, program);
}

void run_profile_event(Run *run, const VeuEvent *event)
{
    veu_profiler_event(run->profile, run->device, event);
}

/* All launches run one program. NULL: none has ended. */
static const VeuProfiledProgram *program_of(const Run *run)
{
    const GPtrArray *programs;

    if (!run->profile) {
        return NULL;
    }
    programs = veu_profiler_programs(run->profile);
    return programs->len ? g_ptr_array_index(programs, 0) : NULL;
}

static uint64_t all_executions(const VeuProfiledProgram *p)
{
    uint64_t all = 0;

    for (uint32_t n = 0; n < p->instruction_count; n++) {
        all += p->instructions[n].counts.executions;
    }
    return MAX(all, 1);
}

/* --- The listing --------------------------------------------------------- */

static void print_source(Run *run, uint32_t offset, uint32_t *last_line)
{
    const VeuCaptureLine *line = veu_capture_line(run->lines, offset);
    g_autofree char *source = run_source(run, offset);

    if (line && line->line != *last_line) {
        printf("%s\n", source);
        *last_line = line->line;
    }
}

static void print_counts(const Run *run, const VeuProfiledInstruction *i,
                         uint64_t all)
{
    g_autofree char *text = run_instruction_text(run, i->offset);
    const VeuInstructionCounts *c = &i->counts;

    printf("%10" PRIu64 " %5.1f%% %10" PRIu64 " %10" PRIu64, c->executions,
           100.0 * c->executions / all, c->lanes, c->divergent);
    if (i->is_message) {
        printf(" %10" PRIu64 " %8" PRIu64 " %9" PRIu64, c->bytes, c->lines,
               c->conflicts);
    } else {
        printf(" %10s %8s %9s", "", "", "");
    }
    printf("  +0x%" PRIx32 " %s\n", i->offset, text ? text : "");
}

void run_profile_print(Run *run)
{
    const VeuProfiledProgram *p = program_of(run);
    uint32_t last_line = 0;
    uint64_t all;

    if (!p) {
        return;
    }
    all = all_executions(p);
    printf("%10s %6s %10s %10s %10s %8s %9s  instruction\n", "executions",
           "share", "lanes", "divergent", "bytes", "lines", "conflicts");
    for (uint32_t n = 0; n < p->instruction_count; n++) {
        print_source(run, p->instructions[n].offset, &last_line);
        print_counts(run, &p->instructions[n], all);
    }
}

static void json_counts(Run *run, const VeuProfiledInstruction *i)
{
    g_autofree char *text = run_instruction_text(run, i->offset);
    const VeuInstructionCounts *c = &i->counts;
    Json *json = &run->json;

    json_row(json, NULL);
    json_uint(json, "offset", i->offset);
    json_string(json, "instruction", text ? text : "");
    run_source_json(run, i->offset);
    json_uint(json, "executions", c->executions);
    json_uint(json, "lanes", c->lanes);
    json_uint(json, "divergent", c->divergent);
    if (i->is_message) {
        json_uint(json, "bytes", c->bytes);
        json_uint(json, "cache_lines", c->lines);
        json_uint(json, "bank_conflicts", c->conflicts);
    }
    json_end(json);
}

void run_profile_json(Run *run)
{
    const VeuProfiledProgram *p = program_of(run);

    if (!p) {
        return;
    }
    json_array(&run->json, "profile");
    for (uint32_t n = 0; n < p->instruction_count; n++) {
        json_counts(run, &p->instructions[n]);
    }
    json_end(&run->json);
}
