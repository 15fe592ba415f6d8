/*
 * veu execution unit: variables of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_EU_VARIABLE_H
#define VEU_EU_VARIABLE_H

#include "hw/veu/eu/program/program.h"

/* A variable by its id, predefined or not; NULL if there is none. */
const struct veu_variable *veu_variable_find(const VeuProgram *program,
                                             uint32_t id);

/*
 * Returns true if a declaration is illegal; *at is the offset of the field in
 * struct veu_variable.
 */
bool veu_variable_bad_field(const VeuProgram *program,
                            const struct veu_variable *variable, uint32_t *at);

#endif
