/*
 * veu device model: the combined meaning of a rule's words.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A rule begins with all places where rules can fire. Each word excludes some
 * of them; if none is left at the end, the rule is refused.
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/message/message.h"
#include "hw/veu/device/command.h"
#include "hw/veu/device/inject_rule.h"

#define BIT(opcode)   (1u << VEU_COMMAND_##opcode)
#define DISPATCHES    (BIT(MESSAGE) | BIT(DISPATCH))
#define LAUNCHES      (DISPATCHES | BIT(KERNEL))
#define LAUNCH_POINTS (VEU_INJECT_START | VEU_INJECT_END)

/* ---- faults ---- */

/* Indexed by the third column of the table: the state before a fault. */
enum {
    POINT_RING = VEU_INJECT_COMMAND,
    POINT_COMMAND = VEU_INJECT_COMMAND,
    POINT_BYTES = VEU_INJECT_COMMAND,
    POINT_PIECES = VEU_INJECT_COMMAND,
    POINT_MESSAGE = VEU_INJECT_MESSAGE,
    POINT_LANES = VEU_INJECT_LANE,
    POINT_THREAD = VEU_INJECT_START,
    POINT_RESULT = VEU_INJECT_END,
    POINT_FLIP = 0,
};

uint8_t veu_inject_fault_points(uint16_t code)
{
#define ROW(name, code, effect, cause, advice) { (code), POINT_##effect },
    static const struct {
        uint16_t code;
        uint8_t point;
    } rows[] = { VEU_FAULTS(ROW) };
#undef ROW

    for (unsigned i = 0; i < VEU_ARRAY_SIZE(rows); i++) {
        if (rows[i].code == code) {
            return rows[i].point;
        }
    }
    return 0;
}

static uint32_t fault_commands(uint16_t code)
{
    uint32_t commands = 0;

    for (unsigned i = 0; i < veu_command_count; i++) {
        if (veu_command_may_fault(veu_commands[i], code)) {
            commands |= 1u << veu_commands[i]->opcode;
        }
    }
    return commands;
}

/* ---- commands ---- */

const VeuCommandInfo *veu_inject_command(const char *name)
{
    for (unsigned i = 0; i < veu_command_count; i++) {
        if (!strcmp(name, veu_commands[i]->name)) {
            return veu_commands[i];
        }
    }
    return NULL;
}

/*
 * Returns true if the command itself accesses memory, or writes it if @write is
 * set.
 */
static bool has_access(const VeuCommandInfo *info, bool write)
{
    for (unsigned i = 0; i < VEU_COMMAND_ACCESSES; i++) {
        if (write ? info->access[i].how == VEU_ACCESS_WRITE :
                    info->access[i].how != VEU_ACCESS_NONE) {
            return true;
        }
    }
    return false;
}

/* The opcodes of commands that access memory, or write it. */
static uint32_t commands_that(bool write)
{
    uint32_t commands = 0;

    for (unsigned i = 0; i < veu_command_count; i++) {
        if (has_access(veu_commands[i], write)) {
            commands |= 1u << veu_commands[i]->opcode;
        }
    }
    return commands;
}

/* ---- rules ---- */

void veu_inject_rule_init(VeuInjectRule *rule)
{
    *rule = (VeuInjectRule){
        .points = UINT8_MAX,
        .rings = UINT64_MAX,
        .commands = UINT32_MAX,
        .lanes = UINT32_MAX,
        .probability = VEU_INJECT_ALWAYS,
    };
}

static const VeuMessageInfo *find_message(const char *name)
{
    for (unsigned i = 0; i < veu_message_count; i++) {
        if (!strcmp(name, veu_messages[i].mnemonic)) {
            return &veu_messages[i];
        }
    }
    return NULL;
}

bool veu_inject_take_opcode(VeuInjectRule *rule, const char *name)
{
    const VeuCommandInfo *command = veu_inject_command(name);

    rule->message = find_message(name);
    rule->commands = command ? 1u << command->opcode : 0;
    if (!rule->message) {
        rule->points &= ~(VEU_INJECT_MESSAGE | VEU_INJECT_LANE);
    }
    return command || rule->message;
}

static const char *narrow(VeuInjectRule *rule, uint8_t points,
                          uint32_t commands, const char *why)
{
    rule->commands &= commands;
    rule->points &= points;
    if (!rule->commands) {
        rule->points &= ~VEU_INJECT_COMMAND;
    }
    if (!(rule->commands & LAUNCHES)) {
        rule->points &= ~LAUNCH_POINTS;
    }
    return rule->points ? NULL : why;
}

static const char *narrow_by_action(VeuInjectRule *rule)
{
    switch (rule->action) {
    case VEU_INJECT_FAULT:
        return narrow(rule, veu_inject_fault_points(rule->fault),
                      fault_commands(rule->fault),
                      "What opcode says cannot have this fault.");
    case VEU_INJECT_DROP:
        return narrow(rule, VEU_INJECT_COMMAND,
                      rule->drops == VEU_INJECTED_DROP_STORE ?
                          BIT(FENCE) | BIT(TIMESTAMP) :
                          UINT32_MAX,
                      "Drops are for commands; drop:store is for fence and "
                      "timestamp.");
    case VEU_INJECT_CORRUPT:
        return narrow(rule, VEU_INJECT_COMMAND | VEU_INJECT_LANE,
                      commands_that(true),
                      "Messages that access memory can be corrupted, and "
                      "commands that write it themselves.");
    case VEU_INJECT_MISS:
        return narrow(rule, VEU_INJECT_COMMAND | VEU_INJECT_LANE,
                      commands_that(false),
                      "Messages that access memory can miss a page, and "
                      "commands that access it themselves.");
    default:
        return narrow(rule, ~LAUNCH_POINTS, UINT32_MAX, NULL);
    }
}

static const char *narrow_by_lanes(VeuInjectRule *rule)
{
    const char *why = NULL;

    if (rule->lanes != UINT32_MAX) {
        why = narrow(rule, VEU_INJECT_LANE, UINT32_MAX,
                     "Lanes are of messages, and of faults that lanes have.");
    }
    if (!why && rule->has_range) {
        why = narrow(rule, VEU_INJECT_COMMAND | VEU_INJECT_LANE,
                     commands_that(false),
                     "Addresses are of lanes, and of commands that access "
                     "memory themselves.");
    }
    return why;
}

const char *veu_inject_rule_finish(VeuInjectRule *rule)
{
    const char *why = narrow_by_action(rule);

    if (!why) {
        why = narrow_by_lanes(rule);
    }
    if (rule->nth && rule->every) {
        why = "Use nth or every, not both.";
    }
    /* Rules that need no lanes fire before lanes are known. */
    if (rule->points & VEU_INJECT_MESSAGE) {
        rule->points &= ~VEU_INJECT_LANE;
    }
    return why;
}
