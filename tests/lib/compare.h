/*
 * veu tests: the execution unit compared with the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers, guest memory, shared local memory and faults have to be the same
 * on both sides of a World. Each function returns NULL, or a text that
 * describes the difference.
 */
#ifndef VEU_TEST_COMPARE_H
#define VEU_TEST_COMPARE_H

#include "tests/lib/random_world.h"

/* Decodes a message; *@legal becomes true if neither side refuses it. */
char *compare_decode(World *world, const TestCode *code, RefMessage *ref,
                     bool *legal);
/* Compares faults; the text describes both. */
char *compare_faults(const VeuFault *mine, const RefFault *model);
/* Compares SLM and guest memory. */
/*
 * Between the device's execution and the model's: describes a page that has
 * changed and is not dirty.
 */
char *compare_notes(World *world);
char *compare_memory(World *world);
/* Executes what was decoded; with an observer, only the executor runs. */
char *compare_execute(World *world, const RefMessage *message);

#endif
