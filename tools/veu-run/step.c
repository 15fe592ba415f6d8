/*
 * veu-run: --trace of instructions, --break and --registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The device model reports the start of an EU thread, each executed
 * instruction, and the thread's end. An instruction is looked up by its code
 * offset in veu-run's own decoded program.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/instruction/run.h"
#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/program/type.h"
#include "tools/lib/number.h"
#include "tools/veu-run/veu-run.h"
#include "tools/visa/instruction.h"
#include "tools/visa/names.h"

/* The maximum number of EU threads whose registers are kept for --registers. */
#define MAX_STATES 1000
/* No number of an EU thread. */
#define ANY_THREAD UINT64_MAX

static void state_free(void *opaque)
{
    RunState *s = opaque;

    g_free(s->registers);
    g_free(s->predicates);
    g_free(s->addresses);
    g_free(s);
}

/* --- Instructions -------------------------------------------------------- */

static int compare_offset(const void *key, const void *element)
{
    uint32_t offset = *(const uint32_t *)key;
    const VeuInstruction *i = element;

    return offset < i->offset ? -1 : offset > i->offset;
}

const VeuInstruction *run_instruction(const Run *run, uint32_t offset)
{
    const VeuProgram *p = run->program.declared;

    return bsearch(&offset, p->instructions, p->instruction_count,
                   sizeof(p->instructions[0]), compare_offset);
}

/* Its text, or its mnemonic if the program does not have all names. */
static char *text_of(const Run *run, const VeuInstruction *i)
{
    const VeuProgram *p = run->program.declared;
    VisaError error = { 0 };
    VisaPrinter printer = {
        .out = g_string_new(NULL),
        .names = run->program.names,
        .routine = run_program_routine(&run->program),
        .error = &error,
    };
    uint32_t length;

    if (!visa_print_instruction(&printer, 0, p->code + i->offset,
                                p->code_bytes - i->offset, &length)) {
        g_string_assign(printer.out, i->info ?
                                         i->info->mnemonic :
                                         p->messages[i->target].info->mnemonic);
    }
    return g_string_free(printer.out, FALSE);
}

char *run_instruction_text(const Run *run, uint32_t offset)
{
    const VeuInstruction *i = run_instruction(run, offset);

    return i ? text_of(run, i) : NULL;
}

char *run_source(const Run *run, uint32_t offset)
{
    const VeuCaptureLine *line = veu_capture_line(run->lines, offset);
    g_autofree char *file = NULL;

    if (!line) {
        return NULL;
    }
    file = printable(g_ptr_array_index(run->files, line->file), "");
    return g_strdup_printf("%s:%" PRIu32, file, line->line);
}

void run_source_json(Run *run, uint32_t offset)
{
    g_autofree char *source = run_source(run, offset);

    if (source) {
        json_string(&run->json, "source", source);
    }
}

/* Prints a line with the source position, if it has changed. */
void run_trace_source(Run *run, uint32_t offset)
{
    const VeuCaptureLine *line = veu_capture_line(run->lines, offset);
    g_autofree char *source = run_source(run, offset);

    if (line && line->line != run->last_line) {
        g_printerr("%s\n", source);
        run->last_line = line->line;
    }
}

/* --- --trace: text ------------------------------------------------------- */

static void append_element(GString *out, const VeuOperand *o, uint64_t bits)
{
    bool number = o->class == VEU_OPERAND_GENERAL ||
                  o->class == VEU_OPERAND_INDIRECT;
    uint8_t type = number ? o->type : VEU_TYPE_UD;
    g_autofree char *text = run_value_text(type, (const uint8_t *)&bits);

    g_string_append(out, text);
}

/* The current elements of the destination: "0:5 1:6", or "P1=0xff". */
static void append_destination(GString *out, VeuThread *t, const VeuOperand *o,
                               uint32_t active)
{
    if (o->null) {
        return;
    }
    if (o->class == VEU_OPERAND_PREDICATE) {
        g_string_append_printf(out, " P%u=0x%" PRIx32, o->at + 1,
                               t->predicates[o->at]);
        return;
    }
    if (o->class == VEU_OPERAND_STATE) {
        g_string_append_printf(out, " =%" PRIu32, t->flow->states[o->at]);
        return;
    }
    VEU_FOR_EACH_LANE(n, active) {
        uint64_t bits;

        if (veu_operand_load(t, o, n, &bits)) {
            g_string_append_printf(out, " %u:", n);
            append_element(out, o, bits);
        }
    }
}

/* The lanes for which it ran: all running ones if it has no size. */
static uint32_t lanes_of(const VeuEvent *event, const VeuInstruction *i)
{
    return veu_instruction_has(i->info, VEU_IFIELD_EXEC_SIZE) ?
               event->value :
               event->eu->flow->running;
}

static void print_instruction(const Run *run, const VeuEvent *event,
                              const VeuInstruction *i)
{
    g_autofree char *text = text_of(run, i);
    GString *out = g_string_new(NULL);
    VeuThread t = *event->eu;

    g_string_append_printf(out,
                           "thread %" PRIu64 " +0x%" PRIx64 " %s 0x%" PRIx32,
                           event->thread, event->at, text, lanes_of(event, i));
    if (t.fault.code) {
        g_string_append(out, " !fault");
    } else {
        append_destination(out, &t, &i->dst, event->value);
        append_destination(out, &t, &i->dst2, event->value);
    }
    g_printerr("%s\n", out->str);
    g_string_free(out, TRUE);
}

/* --- --trace: JSON ------------------------------------------------------- */

static void json_destination(Json *json, const char *key, VeuThread *t,
                             const VeuOperand *o, uint32_t active)
{
    if (o->null) {
        return;
    }
    if (o->class == VEU_OPERAND_PREDICATE) {
        json_uint(json, "predicate", t->predicates[o->at]);
        return;
    }
    if (o->class == VEU_OPERAND_STATE) {
        json_uint(json, "state", t->flow->states[o->at]);
        return;
    }
    json_list(json, key);
    VEU_FOR_EACH_LANE(n, active) {
        GString *text = g_string_new(NULL);
        uint64_t bits;

        if (veu_operand_load(t, o, n, &bits)) {
            append_element(text, o, bits);
        }
        json_row(json, NULL);
        json_uint(json, "lane", n);
        if (!text->len || strchr(text->str, 'n')) {
            json_string(json, "value", text->str);
        } else {
            json_raw(json, "value", text->str);
        }
        json_end(json);
        g_string_free(text, TRUE);
    }
    json_end(json);
}

static void json_instruction(Run *run, const VeuEvent *event,
                             const VeuInstruction *i)
{
    g_autofree char *text = text_of(run, i);
    VeuThread t = *event->eu;
    Json *json = &run->json;

    json_row(json, NULL);
    json_uint(json, "thread", event->thread);
    json_uint(json, "offset", event->at);
    json_string(json, "instruction", text);
    run_source_json(run, event->at);
    json_uint(json, "lanes", lanes_of(event, i));
    if (!t.fault.code) {
        json_destination(json, "values", &t, &i->dst, event->value);
        json_destination(json, "second_values", &t, &i->dst2, event->value);
    }
    json_end(json);
    json_flush(json, stdout);
}

/* --- States -------------------------------------------------------------- */

static RunState *take_state(const VeuEvent *event)
{
    const VeuThread *t = event->eu;
    const VeuProgram *p = t->program;
    const VeuInstruction *next = p->kind == VEU_PROGRAM_INSTRUCTIONS ?
                                     veu_next_instruction(t) :
                                     NULL;
    RunState *s = g_new0(RunState, 1);

    s->thread = event->thread;
    s->lanes = next ? t->flow->running : 0;
    s->offset = next ? next->offset : UINT32_MAX;
    s->register_bytes = p->register_bytes;
    s->predicate_count = p->predicate_count;
    s->address_count = p->address_element_count;
    s->registers = g_memdup2(t->registers, p->register_bytes);
    s->predicates = g_memdup2(t->predicates,
                              p->predicate_count * sizeof(uint32_t));
    s->addresses = g_memdup2(t->addresses,
                             p->address_element_count * sizeof(uint16_t));
    return s;
}

/* Ends the step if the thread is at the instruction of --break. */
static void look_for_break(Run *run, const VeuEvent *event)
{
    const VeuInstruction *next = veu_next_instruction(event->eu);
    bool is_wanted = run->break_thread == ANY_THREAD ||
                     run->break_thread == event->thread;

    if (next && run->breaks && is_wanted && next->offset == run->break_offset &&
        !run->stopped) {
        run->stopped = take_state(event);
        run->awaited = 1;
    }
}

void run_step_thread(Run *run, const VeuEvent *event)
{
    bool has_ended = event->value;

    if (!has_ended) {
        if (event->eu->program->kind == VEU_PROGRAM_INSTRUCTIONS) {
            look_for_break(run, event);
        }
    } else if (run->options.registers && run->states->len < MAX_STATES) {
        g_ptr_array_add(run->states, take_state(event));
    } else {
        run->more_states++;
    }
}

void run_step_instruction(Run *run, const VeuEvent *event)
{
    const VeuInstruction *i = run_instruction(run, event->at);

    if (run->options.trace && i && i->info) {
        if (run->options.json) {
            json_instruction(run, event, i);
        } else {
            run_trace_source(run, event->at);
            print_instruction(run, event, i);
        }
    }
    look_for_break(run, event);
}

/* --- --break ------------------------------------------------------------- */

/* "OFFSET" or "OFFSET@THREAD" */
static bool parse_place(const char *text, uint64_t *offset, uint64_t *thread)
{
    g_auto(GStrv) parts = g_strsplit(text, "@", 2);

    *thread = ANY_THREAD;
    return number_parse(parts[0], offset) && *offset <= UINT32_MAX &&
           (!parts[1] ||
            (number_parse(parts[1], thread) && *thread != ANY_THREAD));
}

bool run_break_parse(Run *run)
{
    const char *text = run->options.break_at;
    const VeuProgram *p = run->program.declared;
    uint64_t offset;

    run->states = g_ptr_array_new_with_free_func(state_free);
    if (!text) {
        return true;
    }
    if (!parse_place(text, &offset, &run->break_thread)) {
        return tool_error("--break %s: write the offset of an instruction in "
                          "the code, as --trace prints it, and the EU thread "
                          "if only one is to stop: 0x40, 0x40@3",
                          text);
    }
    if (run->program.broken) {
        return true; /* the device reports why */
    }
    if (run->program.is_message || p->kind != VEU_PROGRAM_INSTRUCTIONS) {
        return tool_error("--break is for programs of instructions; this one "
                          "has messages only");
    }
    if (!run_instruction(run, offset)) {
        return tool_error("--break %s: no instruction begins there; --trace "
                          "prints their offsets",
                          text);
    }
    run->breaks = true;
    run->break_offset = offset;
    return true;
}

void run_states_free(Run *run)
{
    g_clear_pointer(&run->states, g_ptr_array_unref);
    g_clear_pointer(&run->stopped, state_free);
}

bool run_stopped_registers(const Run *run, uint64_t thread, uint32_t offset,
                           void *to, uint32_t bytes)
{
    const RunState *s = run->stopped;

    if (!s || s->thread != thread || offset + bytes > s->register_bytes) {
        return false;
    }
    memcpy(to, s->registers + offset, bytes);
    return true;
}

static void print_place(const Run *run, const RunState *s)
{
    g_autofree char *text = run_instruction_text(run, s->offset);
    g_autofree char *source = run_source(run, s->offset);

    if (source) {
        g_printerr("%s\n", source);
    }
    g_printerr("thread %" PRIu64 " stopped at +0x%" PRIx32 " %s 0x%" PRIx32
               "\n",
               s->thread, s->offset, text ? text : "", s->lanes);
}

/* --- --registers --------------------------------------------------------- */

static bool is_zero(const uint8_t *bytes, uint32_t count)
{
    while (count && !*bytes) {
        bytes++;
        count--;
    }
    return !count;
}

/* Prints a row for each register that is not 0, as dwords, the lowest first. */
static void print_registers(const RunState *s, uint32_t grf_bytes)
{
    for (uint32_t at = 0; at < s->register_bytes; at += grf_bytes) {
        uint32_t bytes = MIN(grf_bytes, s->register_bytes - at);

        if (is_zero(s->registers + at, bytes)) {
            continue;
        }
        printf("r%-5" PRIu32, at / grf_bytes);
        for (uint32_t i = 0; i + 4 <= bytes; i += 4) {
            uint32_t dword;

            memcpy(&dword, s->registers + at + i, sizeof(dword));
            printf(" %08" PRIx32, dword);
        }
        printf("\n");
    }
}

/* A capture may have registers without a legal program that sizes them. */
static uint32_t register_bytes_of(const VeuProgram *p)
{
    return p->grf_bytes == 64 ? 64 : 32;
}

void run_state_print(const Run *run, const RunState *s)
{
    g_autofree char *named = NULL;

    printf("registers of thread %" PRIu64 "; the others are 0\n", s->thread);
    print_registers(s, register_bytes_of(run->program.declared));
    for (uint32_t i = 0; i < s->predicate_count; i++) {
        printf("P%-5" PRIu32 " 0x%08" PRIx32 "\n", i + 1, s->predicates[i]);
    }
    if (s->address_count) {
        printf("A     ");
        for (uint32_t i = 0; i < s->address_count; i++) {
            printf(" %u", s->addresses[i]);
        }
        printf("\n");
    }
    named = run_named_text(run, s);
    fputs(named, stdout);
}

void run_hex_json(Json *json, const char *key, const uint8_t *bytes,
                  uint32_t count)
{
    GString *hex = g_string_new(NULL);

    for (uint32_t i = 0; i < count; i++) {
        g_string_append_printf(hex, "%02x", bytes[i]);
    }
    json_string(json, key, hex->str);
    g_string_free(hex, TRUE);
}

void run_state_json(Run *run, const RunState *s)
{
    Json *json = &run->json;

    run_hex_json(json, "registers", s->registers, s->register_bytes);
    json_list(json, "predicates");
    for (uint32_t i = 0; i < s->predicate_count; i++) {
        json_uint(json, NULL, s->predicates[i]);
    }
    json_end(json);
    json_list(json, "addresses");
    for (uint32_t i = 0; i < s->address_count; i++) {
        json_uint(json, NULL, s->addresses[i]);
    }
    json_end(json);
    run_named_json(run, s);
}

static void json_state(Run *run, const RunState *s)
{
    Json *json = &run->json;

    json_row(json, NULL);
    json_uint(json, "thread", s->thread);
    if (s->offset != UINT32_MAX) {
        json_uint(json, "offset", s->offset);
        json_uint(json, "lanes", s->lanes);
    }
    run_state_json(run, s);
    json_end(json);
}

void run_states_print(const Run *run)
{
    if (run->stopped) {
        print_place(run, run->stopped);
    } else if (run->breaks) {
        g_printerr("veu-run: --break %s: no EU thread came there\n",
                   run->options.break_at);
    }
    for (unsigned i = 0; i < run->states->len; i++) {
        run_state_print(run, g_ptr_array_index(run->states, i));
    }
    if (run->more_states && run->options.registers) {
        g_printerr("veu-run: and the registers of %" PRIu64
                   " more EU threads\n",
                   run->more_states);
    }
    if (run->stopped && run->options.registers) {
        run_state_print(run, run->stopped);
    }
}

void run_states_json(Run *run)
{
    Json *json = &run->json;

    if (run->breaks) {
        json_raw(json, "stopped", run->stopped ? "true" : "false");
    }
    if (!run->options.registers && !run->stopped) {
        return;
    }
    json_array(json, "states");
    for (unsigned i = 0; i < run->states->len; i++) {
        json_state(run, g_ptr_array_index(run->states, i));
    }
    if (run->stopped) {
        json_state(run, run->stopped);
    }
    json_end(json);
}
