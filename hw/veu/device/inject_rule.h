/*
 * veu device model: the combined meaning of a rule's words.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_INJECT_RULE_H
#define VEU_DEVICE_INJECT_RULE_H

#include "hw/veu/device/host/inject.h"
#include "hw/veu/device/model.h"

/* The command with this name, or NULL. */
const VeuCommandInfo *veu_inject_command(const char *name);

/* VEU_INJECT_COMMAND, ...: the point of a fault; 0: no rule can cause it. */
uint8_t veu_inject_fault_points(uint16_t code);

/* Makes a rule that matches everything, before its words are applied. */
void veu_inject_rule_init(VeuInjectRule *rule);
/*
 * Takes the name of a command, a message, or both. Returns false if it is the
 * name of neither.
 */
bool veu_inject_take_opcode(VeuInjectRule *rule, const char *name);
/*
 * Determines where the rule fires from all its words. Returns NULL, or why it
 * fires nowhere.
 */
const char *veu_inject_rule_finish(VeuInjectRule *rule);

#endif
