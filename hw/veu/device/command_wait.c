/*
 * veu device model: the command WAIT.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "WAIT". The word is read each time the host asks whether the
 * ring is ready, and is not kept.
 */
#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/command_row.h"
#include "hw/veu/device/command_wait.h"
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/rule.h"

typedef struct veu_command_wait Wait;

#define CONDITION(name, operator)                        \
    static bool is_##name(uint64_t word, uint64_t value) \
    {                                                    \
        return word operator value;                      \
    }
CONDITION(equal, ==)
CONDITION(not_equal, !=)
CONDITION(less, <)
CONDITION(less_equal, <=)
CONDITION(greater, >)
CONDITION(greater_equal, >=)
#undef CONDITION

static bool (*const conditions[])(uint64_t word, uint64_t value) = {
    [VEU_CONDITION_EQUAL] = is_equal,
    [VEU_CONDITION_NOT_EQUAL] = is_not_equal,
    [VEU_CONDITION_LESS] = is_less,
    [VEU_CONDITION_LESS_EQUAL] = is_less_equal,
    [VEU_CONDITION_GREATER] = is_greater,
    [VEU_CONDITION_GREATER_EQUAL] = is_greater_equal,
};

/* The result of reading the word. */
typedef enum Look {
    LOOK_PENDING,
    LOOK_FULFILLED,
    LOOK_LATE,
    LOOK_NO_MEMORY,
} Look;

/*
 * The store to the word follows all earlier stores of its thread, so this is an
 * acquire.
 */
static bool load_word(VeuRing *ring, uint64_t *word)
{
    VeuMem *mem = &ring->context.mem;
    uint32_t bytes = sizeof(*word);
    const uint8_t *from = mem->map(mem, ring->command.wait.address, &bytes,
                                   VEU_ACCESS_READ);

    if (!from || bytes != sizeof(*word)) {
        return false;
    }
    *word = __atomic_load_n((const uint64_t *)from, __ATOMIC_ACQUIRE);
    return true;
}

static bool is_late(const VeuRing *ring)
{
    uint64_t deadline = ring->command.deadline_ns;
    VeuHost *host = ring->device->host;

    return deadline != VEU_NO_DEADLINE && host->now_ns(host) >= deadline;
}

static Look look(VeuRing *ring)
{
    const Wait *wait = &ring->command.wait;
    uint64_t word;

    if (!load_word(ring, &word)) {
        return LOOK_NO_MEMORY;
    }
    if (conditions[wait->condition](word & wait->mask, wait->value)) {
        return LOOK_FULFILLED;
    }
    return is_late(ring) ? LOOK_LATE : LOOK_PENDING;
}

static bool bad_wait(const VeuRing *ring, uint32_t *at)
{
    const Wait *wait = &ring->command.wait;

    VEU_RULE(Wait, address, wait->address % sizeof(uint64_t));
    VEU_RULE(Wait, condition, wait->condition >= VEU_ARRAY_SIZE(conditions));
    return false;
}

/* A timeout that would end after the end of time is no timeout. */
static void set_deadline(VeuRing *ring)
{
    VeuHost *host = ring->device->host;
    uint64_t timeout = ring->command.wait.timeout_ns;
    uint64_t now = host->now_ns(host);
    bool is_endless = timeout == 0 || timeout > UINT64_MAX - now;

    ring->command.deadline_ns = is_endless ? VEU_NO_DEADLINE : now + timeout;
}

static VeuRun timeout_fault(VeuRing *ring)
{
    VeuFault fault;

    veu_fault_address(&fault, VEU_FAULT_WAIT_TIMEOUT,
                      ring->command.wait.address, sizeof(uint64_t),
                      VEU_ACCESS_READ);
    veu_fault_record(ring, &fault, NULL);
    return VEU_RUN_FAULT;
}

static VeuRun run_wait(VeuRing *ring)
{
    VeuCommand *c = &ring->command;

    if (!c->begun) {
        set_deadline(ring);
        c->begun = true;
    }
    switch (look(ring)) {
    case LOOK_PENDING:
        return VEU_RUN_WAIT;
    case LOOK_FULFILLED:
        return VEU_RUN_DONE;
    case LOOK_LATE:
        return timeout_fault(ring);
    default:
        return veu_command_memory_fault(ring, VEU_FAULT_COMMAND_MEMORY,
                                        c->wait.address, sizeof(uint64_t),
                                        VEU_ACCESS_READ);
    }
}

const VeuCommandInfo veu_command_row_wait = {
    VEU_COMMAND_ROW(WAIT, wait, reserved),
    .access = { VEU_COMMAND_WORD(wait, address, READ) },
    .progress = VEU_PROGRESS_WAIT,
    .faults = { VEU_COMMAND_FAULT_RANGE(WAIT_TIMEOUT, WAIT_TIMEOUT) },
    .bad_field = bad_wait,
    .run = run_wait,
    .summary = "Waits until a word in memory fulfils a condition.",
};

bool veu_wait_goes_on(VeuRing *ring)
{
    Look found;

    veu_device_begin_use(ring->device, &ring->context);
    found = look(ring);
    veu_device_end_use(ring->device);
    return found == LOOK_PENDING;
}
