/*
 * veu execution unit: routines and their calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/decode/graph.h"
#include "hw/veu/eu/instruction/instruction.h"

void veu_graph_begin(VeuProgram *p)
{
    VeuGraph *g = &p->graph;

    /* The kernel, or a function, starts with the first instruction. */
    g->may_end = true;
    g->next_function = 0;
    g->seen_labels = 0;
    g->routine_count = 0;
    g->call_count = 0;
    memset(g->label_routine, 0, p->label_count * sizeof(g->label_routine[0]));
    memset(g->label_wanted, 0, p->label_count * sizeof(g->label_wanted[0]));
}

static bool bad_label(VeuFault *fault, uint32_t label)
{
    return veu_fault_form(fault, VEU_FAULT_PROGRAM_LABEL, label);
}

static bool bad_flow(VeuFault *fault, uint32_t offset)
{
    return veu_fault_form(fault, VEU_FAULT_PROGRAM_FLOW, offset);
}

static bool start_routine(VeuProgram *p, const VeuInstruction *i,
                          VeuFault *fault)
{
    VeuGraph *g = &p->graph;

    if (!g->may_end) {
        return bad_flow(fault, i->offset);
    }
    if (g->routine_count == p->room.routines) {
        return veu_fault_form(fault, VEU_FAULT_PROGRAM_MESSAGES, 0);
    }
    g->routines[g->routine_count++] = (VeuRoutine){ .offset = i->offset };
    g->may_end = false;
    return true;
}

static bool is_function_here(const VeuProgram *p, const VeuInstruction *i)
{
    return p->graph.next_function < p->function_count &&
           p->functions[p->graph.next_function].offset == i->offset;
}

/* Records what starts here: a function, a subroutine, or the code. */
static bool take_start(VeuProgram *p, const VeuInstruction *i, VeuFault *fault)
{
    VeuGraph *g = &p->graph;
    bool function = is_function_here(p, i);
    bool subroutine = i->info && i->info->opcode == VEU_OPCODE_SUBROUTINE;

    if ((function || subroutine || g->routine_count == 0) &&
        !start_routine(p, i, fault)) {
        return false;
    }
    if (function) {
        p->function_places[g->next_function] = i - p->instructions;
        g->function_routine[g->next_function++] = g->routine_count - 1;
    }
    return true;
}

static bool take_label(VeuProgram *p, const VeuInstruction *i, VeuFault *fault)
{
    VeuGraph *g = &p->graph;
    const struct veu_label *label = &p->labels[i->target];
    bool subroutine = i->info->opcode == VEU_OPCODE_SUBROUTINE;
    uint16_t routine = g->routine_count;

    if (label->offset != i->offset ||
        subroutine != (label->kind == VEU_LABEL_SUBROUTINE) ||
        (g->label_wanted[i->target] && g->label_wanted[i->target] != routine)) {
        return bad_label(fault, i->target);
    }
    g->label_routine[i->target] = routine;
    p->label_places[i->target] = i - p->instructions;
    g->seen_labels++;
    return true;
}

/* Checks that the label is in this routine, or remembers that it must be. */
static bool take_goto(VeuGraph *g, const VeuInstruction *i, VeuFault *fault)
{
    uint16_t routine = g->routine_count;
    uint16_t *wanted = &g->label_wanted[i->target];
    uint16_t defined = g->label_routine[i->target];

    if ((defined && defined != routine) || (*wanted && *wanted != routine)) {
        return bad_label(fault, i->target);
    }
    *wanted = routine;
    return true;
}

static bool take_call(VeuGraph *g, uint32_t callee)
{
    VeuRoutine *caller = &g->routines[g->routine_count - 1];

    g->calls[g->call_count++] = (VeuGraphCall){ callee, caller->calls };
    caller->calls = g->call_count;
    return true;
}

static bool take_operation(VeuProgram *p, const VeuInstruction *i,
                           VeuFault *fault)
{
    switch (i->info->operation) {
    case VEU_OPERATION_LABEL:
        return take_label(p, i, fault);
    case VEU_OPERATION_GOTO:
        return take_goto(&p->graph, i, fault);
    case VEU_OPERATION_CALL:
        return take_call(&p->graph, i->target);
    case VEU_OPERATION_FCALL:
        return take_call(&p->graph, i->target | VEU_GRAPH_FUNCTION);
    default:
        return true;
    }
}

/* Returns true if execution never proceeds to the next instruction. */
static bool ends_routine(const VeuInstruction *i)
{
    return i->info && !i->predication.used &&
           (i->info->operation == VEU_OPERATION_GOTO ||
            i->info->operation == VEU_OPERATION_RET);
}

static bool is_remark(const VeuInstruction *i)
{
    return i->info && (i->info->operation == VEU_OPERATION_NONE);
}

/* Returns true if lanes start here, fall through to here, or jump here. */
static bool is_reached(const VeuProgram *p, const VeuInstruction *i)
{
    const VeuGraph *g = &p->graph;
    bool label = i->info && i->info->operation == VEU_OPERATION_LABEL;

    return !g->may_end || i->offset == p->entry_offset ||
           (label && g->label_wanted[i->target]);
}

bool veu_graph_add(VeuProgram *p, const VeuInstruction *i, VeuFault *fault)
{
    VeuGraph *g = &p->graph;

    if (!take_start(p, i, fault) || (i->info && !take_operation(p, i, fault))) {
        return false;
    }
    if (!is_remark(i) && is_reached(p, i)) {
        g->may_end = ends_routine(i);
    }
    return true;
}

static VeuRoutine *callee_of(VeuGraph *g, const VeuGraphCall *call)
{
    uint32_t id = call->callee & ~VEU_GRAPH_FUNCTION;

    return call->callee & VEU_GRAPH_FUNCTION ?
               &g->routines[g->function_routine[id]] :
               &g->routines[g->label_routine[id] - 1];
}

/* Removes routines without callers until none is left, or finds a recursion. */
static uint32_t follow_calls(VeuGraph *g)
{
    uint32_t done = 0, found = 0;

    for (uint32_t i = 0; i < g->call_count; i++) {
        callee_of(g, &g->calls[i])->callers++;
    }
    for (uint32_t i = 0; i < g->routine_count; i++) {
        if (g->routines[i].callers == 0) {
            g->queue[found++] = i;
        }
    }
    for (; done < found; done++) {
        uint32_t at = g->routines[g->queue[done]].calls;

        for (; at; at = g->calls[at - 1].next) {
            VeuRoutine *callee = callee_of(g, &g->calls[at - 1]);

            if (--callee->callers == 0) {
                g->queue[found++] = callee - g->routines;
            }
        }
    }
    return done;
}

static uint32_t missing_label(const VeuProgram *p)
{
    uint32_t label = 0;

    while (p->graph.label_routine[label]) {
        label++;
    }
    return label;
}

static uint32_t recursive_routine(const VeuGraph *g)
{
    uint32_t routine = 0;

    while (!g->routines[routine].callers) {
        routine++;
    }
    return g->routines[routine].offset;
}

bool veu_graph_end(VeuProgram *p, VeuFault *fault)
{
    VeuGraph *g = &p->graph;

    if (g->seen_labels < p->label_count) {
        return bad_label(fault, missing_label(p));
    }
    if (g->next_function < p->function_count) {
        return bad_flow(fault, p->functions[g->next_function].offset);
    }
    if (!g->may_end) {
        return bad_flow(fault, p->code_bytes);
    }
    return follow_calls(g) == g->routine_count ||
           bad_flow(fault, recursive_routine(g));
}
