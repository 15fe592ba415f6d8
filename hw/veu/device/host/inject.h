/*
 * veu device model: faults and other trouble that the user injects.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/fault-inject.md. A rule selects commands, messages, lanes or EU threads,
 * and what happens to them. Rules belong to the host: guests neither see nor
 * reset them.
 */
#ifndef VEU_DEVICE_INJECT_H
#define VEU_DEVICE_INJECT_H

#include "hw/veu/device/host/inspect.h"

#define VEU_INJECT_MAX_RULES 16
#define VEU_INJECT_MAX_BYTES 2048 /* size of the text of all rules */
#define VEU_INJECT_MAX_NS    (UINT64_C(3600) * 1000000000)

/* Probabilities are in billionths. */
#define VEU_INJECT_ALWAYS 1000000000u

/* Where a rule fires; bits. */
enum {
    VEU_INJECT_COMMAND = 1, /* before a command, or at its end */
    VEU_INJECT_MESSAGE = 2, /* before a message with a running lane */
    VEU_INJECT_LANE = 4,    /* at lanes of a message that access memory */
    VEU_INJECT_START = 8,   /* where an EU thread's payload is read */
    VEU_INJECT_END = 16,    /* where its result is written */
};

typedef enum VeuInjectAction {
    VEU_INJECT_FAULT,
    VEU_INJECT_DELAY,
    VEU_INJECT_DROP,
    VEU_INJECT_CORRUPT,
    VEU_INJECT_HANG,
    VEU_INJECT_MISS,
} VeuInjectAction;

/* What happened to a command; bits of VeuCommand.injected. */
enum {
    VEU_INJECTED_HOLD = 1, /* until deadline_ns */
    VEU_INJECTED_DROP_STORE = 2,
    VEU_INJECTED_DROP_HEAD = 4,
    VEU_INJECTED_DROP_INTERRUPT = 8,
    VEU_INJECTED_CORRUPT = 16,
    VEU_INJECTED_MISS = 32, /* its first piece misses miss_address */
};

typedef struct VeuInjectRule {
    uint16_t text_at;              /* offset in VeuInjectRules.split */
    uint8_t points;                /* VEU_INJECT_COMMAND, ... */
    uint64_t rings;                /* bit n: ring n */
    uint32_t commands;             /* bit n: opcode n */
    const VeuMessageInfo *message; /* NULL: any */
    uint32_t lanes;                /* bit n: lane n */
    bool has_range;
    uint64_t first_address;
    uint64_t last_address;
    uint64_t nth;   /* 0: each */
    uint64_t every; /* 0: each */
    uint32_t probability;
    VeuInjectAction action;
    uint16_t fault; /* enum veu_fault_code */
    uint8_t drops;  /* VEU_INJECTED_DROP_* */
    /* How long the action holds the ring; VEU_NO_DEADLINE: until a reset. */
    uint64_t delay_ns;
    /* The state of the rule. */
    uint64_t random; /* initially the seed */
    uint64_t matched;
    uint64_t fired;
} VeuInjectRule;

typedef struct VeuInjectRules {
    unsigned count;
    VeuInjectRule rule[VEU_INJECT_MAX_RULES];
    char text[VEU_INJECT_MAX_BYTES + 1];  /* as the user wrote it */
    char split[VEU_INJECT_MAX_BYTES + 1]; /* a string for each rule */
} VeuInjectRules;

/* Why a text is not a list of rules, with a hint on what to write. */
typedef struct VeuInjectError {
    char text[256];
    char hint[1024];
} VeuInjectError;

/*
 * Parses @text for a device with @rings rings. If it returns false, @rules are
 * unchanged.
 */
bool veu_inject_parse(const char *text, unsigned rings, VeuInjectRules *rules,
                      VeuInjectError *error);

/*
 * Replaces the rules. The new ones have not matched anything. Effects of the
 * old ones on commands under way remain.
 */
void veu_device_inject(VeuDevice *device, const VeuInjectRules *rules);

/* Reports the rules, and how often each has matched and fired. */
void veu_inspect_inject(VeuDevice *device, VeuInspector *inspector);

/* "fault", "delay", ... */
const char *veu_inject_action_name(VeuInjectAction action);

#endif
