/*
 * veu-run: --profile: how often each instruction is executed, for how many
 * lanes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The device model reports each instruction after it was executed: the lanes
 * that it was executed for are those that ran before it.
 */
#include <inttypes.h>
#include <stdio.h>
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/message/execute.h"
#include "tools/veu-run/veu-run.h"

/* Counts of an instruction of the program. */
typedef struct Counts {
    uint64_t executions;
    uint64_t lanes; /* of all executions */
    /* Executions while some but not all lanes of the EU thread ran. */
    uint64_t divergent;
    uint64_t bytes; /* that messages moved */
} Counts;

/* An EU thread that has not ended. */
typedef struct Thread {
    uint64_t number; /* first: the key */
    uint32_t lanes;  /* that it started with */
    uint32_t running;
} Thread;

struct RunProfile {
    Counts *counts; /* in the order of the program's instructions */
    GHashTable *threads;
    uint64_t executions; /* of all instructions */
};

bool run_profile_begin(Run *run)
{
    const VeuProgram *p = run->program.declared;

    if (!run->options.profile || run->program.broken) {
        return true; /* the device reports what is wrong with a program */
    }
    if (run->program.is_message || p->kind != VEU_PROGRAM_INSTRUCTIONS) {
        return tool_error("--profile is for programs of instructions; this one "
                          "has messages only");
    }
    run->profile = g_new0(RunProfile, 1);
    run->profile->counts = g_new0(Counts, p->instruction_count);
    run->profile->threads = g_hash_table_new_full(g_int64_hash, g_int64_equal,
                                                  g_free, NULL);
    return true;
}

void run_profile_free(RunProfile *profile)
{
    if (profile) {
        g_hash_table_unref(profile->threads);
        g_free(profile->counts);
        g_free(profile);
    }
}

void run_profile_thread(RunProfile *profile, const VeuEvent *event)
{
    bool has_ended = event->value;
    Thread *thread;

    if (has_ended) {
        g_hash_table_remove(profile->threads, &event->thread);
        return;
    }
    thread = g_new0(Thread, 1);
    thread->number = event->thread;
    thread->lanes = thread->running = event->eu->flow->running;
    g_hash_table_replace(profile->threads, thread, thread);
}

/* As --trace: all that run, where an instruction has no size. */
static uint32_t lanes_of(const VeuEvent *event, const VeuInstruction *i,
                         const Thread *thread)
{
    return !i->info || veu_instruction_has(i->info, VEU_IFIELD_EXEC_SIZE) ?
               event->value :
               thread->running;
}

void run_profile_instruction(Run *run, const VeuEvent *event)
{
    RunProfile *profile = run->profile;
    const VeuInstruction *i = run_instruction(run, event->at);
    Thread *thread = g_hash_table_lookup(profile->threads, &event->thread);
    Counts *c;

    if (!i || !thread) {
        return;
    }
    c = &profile->counts[i - run->program.declared->instructions];
    profile->executions++;
    c->executions++;
    c->lanes += __builtin_popcount(lanes_of(event, i, thread));
    c->divergent += thread->running != thread->lanes;
    c->bytes += i->info ? 0 : event->eu->moved_bytes;
    thread->running = event->eu->flow->running;
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

static void print_counts(const Run *run, const VeuInstruction *i,
                         const Counts *c)
{
    g_autofree char *text = run_instruction_text(run, i->offset);
    uint64_t all = MAX(run->profile->executions, 1);

    printf("%10" PRIu64 " %5.1f%% %10" PRIu64 " %10" PRIu64, c->executions,
           100.0 * c->executions / all, c->lanes, c->divergent);
    if (i->info) {
        printf(" %10s", "");
    } else {
        printf(" %10" PRIu64, c->bytes);
    }
    printf("  +0x%" PRIx32 " %s\n", i->offset, text ? text : "");
}

void run_profile_print(Run *run)
{
    const VeuProgram *p = run->program.declared;
    uint32_t last_line = 0;

    if (!run->profile) {
        return;
    }
    printf("%10s %6s %10s %10s %10s  instruction\n", "executions", "share",
           "lanes", "divergent", "bytes");
    for (uint32_t n = 0; n < p->instruction_count; n++) {
        print_source(run, p->instructions[n].offset, &last_line);
        print_counts(run, &p->instructions[n], &run->profile->counts[n]);
    }
}

static void json_counts(Run *run, const VeuInstruction *i, const Counts *c)
{
    g_autofree char *text = run_instruction_text(run, i->offset);
    Json *json = &run->json;

    json_row(json, NULL);
    json_uint(json, "offset", i->offset);
    json_string(json, "instruction", text ? text : "");
    run_source_json(run, i->offset);
    json_uint(json, "executions", c->executions);
    json_uint(json, "lanes", c->lanes);
    json_uint(json, "divergent", c->divergent);
    if (!i->info) {
        json_uint(json, "bytes", c->bytes);
    }
    json_end(json);
}

void run_profile_json(Run *run)
{
    const VeuProgram *p = run->program.declared;

    if (!run->profile) {
        return;
    }
    json_array(&run->json, "profile");
    for (uint32_t n = 0; n < p->instruction_count; n++) {
        json_counts(run, &p->instructions[n], &run->profile->counts[n]);
    }
    json_end(&run->json);
}
