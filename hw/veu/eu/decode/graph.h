/*
 * veu execution unit: checks of routines and of their calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_DECODE_GRAPH_H
#define VEU_EU_DECODE_GRAPH_H

#include "hw/veu/eu/fault.h"
#include "hw/veu/eu/program/program.h"

void veu_graph_begin(VeuProgram *program);

/* Adds @instruction, the next in the code. Returns false with a fault. */
bool veu_graph_add(VeuProgram *program, const VeuInstruction *instruction,
                   VeuFault *fault);

/*
 * Completes the checks after the last instruction. Returns false with a fault.
 */
bool veu_graph_end(VeuProgram *program, VeuFault *fault);

#endif
