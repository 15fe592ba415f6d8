/*
 * veu device model: what the words of a rule mean together.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_INJECT_RULE_H
#define VEU_DEVICE_INJECT_RULE_H

#include "hw/veu/device/host/inject.h"
#include "hw/veu/device/model.h"

/* The command of that name, or NULL. */
const VeuCommandInfo *veu_inject_command(const char *name);

/* VEU_INJECT_COMMAND, ...: where a fault belongs; 0: no rule can make it. */
uint8_t veu_inject_fault_points(uint16_t code);

/* A rule that looks at everything, before its words are known. */
void veu_inject_rule_init(VeuInjectRule *rule);
/* The name of a command, a message, or both; false: of none. */
bool veu_inject_take_opcode(VeuInjectRule *rule, const char *name);
/* Where it fires, from all its words. NULL, or why nowhere. */
const char *veu_inject_rule_finish(VeuInjectRule *rule);

#endif
