/*
 * veu tests: the execution unit held against the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers, guest memory, shared local memory and faults have to be the same
 * on both sides of a World. Each returns NULL, or what is not the same.
 */
#ifndef VEU_TEST_COMPARE_H
#define VEU_TEST_COMPARE_H

#include "tests/lib/random_world.h"

/* Decodes; *@legal: neither side refuses it. */
char *compare_decode(World *world, const TestCode *code, RefMessage *ref,
                     bool *legal);
/* NULL, or both faults as text. */
char *compare_faults(const VeuFault *mine, const RefFault *model);
/* SLM and guest memory. */
char *compare_memory(World *world);
/* Executes what was decoded: by the rules alone where an observer watches. */
char *compare_execute(World *world, const RefMessage *message);

#endif
