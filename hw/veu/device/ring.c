/*
 * veu device model: rings: states, fetching commands, steps.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Rings". Each command is copied out of its slots once, as a
 * whole; the slots are not read again.
 */
#include <stddef.h>
#include <sys/param.h>
#include "hw/veu/device/command.h"
#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/command_piece.h"
#include "hw/veu/device/counters.h"
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/inject_fire.h"
#include "hw/veu/device/launch.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/reset.h"
#include "hw/veu/device/ring.h"
#include "hw/veu/device/ring_publish.h"
#include "hw/veu/device/ring_ready.h"
#include "hw/veu/device/ring_shared.h"
#include "hw/veu/device/ring_start.h"
#include "hw/veu/device/ring_state.h"
#include "hw/veu/device/schedule.h"

#define SHARED_OFFSET(field) offsetof(struct veu_ring_shared, field)

/*
 * The context is copied here, for ENABLE and for RELOAD. Once the write has
 * taken effect, the driver may change the context's registers and its table.
 */
void veu_ring_control(VeuRing *ring, uint32_t control)
{
    bool enable = control & VEU_RING_ENABLE;
    bool reload = control & VEU_RING_RELOAD && veu_ring_is_at_work(ring);

    if (control & VEU_RING_RESET) {
        veu_ring_reset(ring);
        return;
    }
    if (enable && ring->state == VEU_RING_DISABLED) {
        veu_ring_set_state(ring, VEU_RING_RUNNING);
        veu_ring_enable(ring);
    } else if (!enable && (ring->state == VEU_RING_RUNNING ||
                           ring->state == VEU_RING_HALTED)) {
        veu_ring_set_state(ring, VEU_RING_DRAINING);
    } else if (enable && ring->state == VEU_RING_DRAINING) {
        /* the ring must end first, and the driver waits for that */
        enable = false;
    }
    veu_register_set(ring->reg, VEU_ROW_RING_CONTROL,
                     (enable ? VEU_RING_ENABLE : 0) |
                         (control & VEU_RING_PAUSE));
    if (reload) {
        veu_ring_reload_context(ring);
    }
    veu_register_set(ring->reg, VEU_ROW_RING_STATE, ring->state);
}

static void halt(VeuRing *ring, uint16_t code, uint32_t detail)
{
    VeuFault fault;

    veu_fault_form(&fault, code, detail);
    veu_ring_halt(ring, &fault);
}

/*
 * Makes progress visible, then interrupts for it. A driver that reads in
 * RING_STATE that the ring is disabled may free the ring's memory: so the
 * register changes after the last store.
 */
static void publish(VeuRing *ring)
{
    VeuHost *host = ring->device->host;
    uint32_t vector = veu_ring_get(ring, VEU_ROW_RING_VECTOR);

    if (ring->publish) {
        veu_shared_publish(ring);
    }
    ring->publish = false;
    veu_register_set(ring->reg, VEU_ROW_RING_STATE, ring->state);
    if (ring->interrupt && vector < ring->device->config.vectors) {
        host->interrupt(host, vector);
    }
    ring->interrupt = false;
}

/* Copies slots of the command, which are consecutive in memory. */
static bool copy_slots(VeuRing *ring, uint32_t first, uint32_t count,
                       uint64_t *failed)
{
    uint64_t slot = (ring->command.slot + first) &
                    (veu_ring_get(ring, VEU_ROW_RING_SLOTS) - 1);

    return veu_mem_read(veu_context_own(&ring->context),
                        veu_ring_get(ring, VEU_ROW_RING_BASE) +
                            slot * VEU_SLOT_BYTES,
                        ring->command.bytes + (size_t)first * VEU_SLOT_BYTES,
                        (uint64_t)count * VEU_SLOT_BYTES, failed);
}

/*
 * Copies the command's first slot, and as many more as a command can have. If
 * fewer are available, the others need not be part of it. Returns the number of
 * copied slots.
 */
static uint32_t copy_first(VeuRing *ring, uint32_t offered)
{
    uint32_t all = veu_ring_get(ring, VEU_ROW_RING_SLOTS);
    uint32_t row = all - (ring->command.slot & (all - 1));
    uint32_t count = MIN(MIN(offered, row), VEU_COMMAND_MAX_SLOTS);
    uint64_t failed;

    if (copy_slots(ring, 0, count, &failed)) {
        return count;
    }
    if (copy_slots(ring, 0, 1, &failed)) {
        return 1;
    }
    veu_ring_halt_memory(ring, failed, VEU_SLOT_BYTES, VEU_ACCESS_READ);
    return 0;
}

static bool copy_rest(VeuRing *ring, uint32_t done, uint32_t slots)
{
    uint64_t failed;

    for (; done < slots; done++) {
        if (!copy_slots(ring, done, 1, &failed)) {
            veu_ring_halt_memory(ring, failed, VEU_SLOT_BYTES, VEU_ACCESS_READ);
            return false;
        }
    }
    return true;
}

static bool wants_times(const VeuRing *ring)
{
    return ring->command.header.flags & VEU_COMMAND_TIMES &&
           veu_ring_get(ring, VEU_ROW_RING_TIMES);
}

/* Checks the rules that all commands share. */
static VeuRun check_command(VeuRing *ring)
{
    VeuCommand *c = &ring->command;
    const VeuCommandInfo *info = veu_command_find(c->header.opcode);
    uint32_t field;

    if (wants_times(ring)) {
        c->begin_ns = ring->device->host->now_ns(ring->device->host);
    }
    if (!info ||
        (info->needs_identity && !veu_context_is_identity(&ring->context))) {
        return veu_command_fault(ring, VEU_FAULT_COMMAND_OPCODE, 0);
    }
    if (veu_command_bad_field(ring, info, &field)) {
        return veu_command_fault(ring, VEU_FAULT_COMMAND_FIELD, field);
    }
    c->info = info;
    c->begun = false;
    c->waits = false;
    c->loaded = NULL;
    c->bytes_done = 0;
    c->cost = 0;
    veu_emit(ring->device, &(VeuEvent){ .kind = VEU_EVENT_COMMAND,
                                        .ring = ring->number,
                                        .name = info->name,
                                        .at = c->slot,
                                        .value = c->header.tag });
    return __builtin_expect(ring->injects & VEU_INJECT_COMMAND, 0) ?
               veu_inject_at_command(ring) :
               VEU_RUN_MORE;
}

/*
 * If the times cannot be stored, the ring halts as it does without a shared
 * block. Kept out of line so that commands without times need no stack frame.
 */
static __attribute__((noinline)) void store_times(VeuRing *ring)
{
    struct veu_command_times times = {
        .begin_ns = ring->command.begin_ns,
        .end_ns = ring->device->host->now_ns(ring->device->host),
    };
    uint64_t slot = ring->command.slot &
                    (veu_ring_get(ring, VEU_ROW_RING_SLOTS) - 1);
    uint64_t failed;

    if (!veu_mem_write(veu_context_own(&ring->context),
                       veu_ring_get(ring, VEU_ROW_RING_TIMES) +
                           slot * sizeof(times),
                       &times, sizeof(times), &failed)) {
        veu_ring_halt_memory(ring, failed, sizeof(times), VEU_ACCESS_WRITE);
    }
}

static void end_command(VeuRing *ring)
{
    const VeuCommand *c = &ring->command;

    if (c->info) {
        veu_emit(ring->device, &(VeuEvent){ .kind = VEU_EVENT_COMMAND_END,
                                            .ring = ring->number,
                                            .name = c->info->name,
                                            .at = c->slot,
                                            .value = c->header.tag });
    }
    ring->command.info = NULL;
    ring->counted[VEU_COUNTER_COMMANDS]++;
    if (wants_times(ring)) {
        store_times(ring);
    }
}

/* Ends the command, successful or not; its slots are free. */
static void retire(VeuRing *ring, uint32_t slots, bool interrupt)
{
    uint8_t injected = ring->command.injected;

    end_command(ring);
    veu_register_set(ring->reg, VEU_ROW_RING_HEAD,
                     (uint32_t)(ring->command.slot + slots));
    ring->publish = true;
    ring->hides_head = injected & VEU_INJECTED_DROP_HEAD;
    if (interrupt && !(injected & VEU_INJECTED_DROP_INTERRUPT)) {
        ring->interrupt = true;
        publish(ring);
    }
}

/* The ring's policy determines what a fault stops. */
static void end_refused(VeuRing *ring, uint32_t slots)
{
    if (veu_ring_get(ring, VEU_ROW_RING_POLICY) == VEU_POLICY_HALT) {
        veu_ring_set_state(ring, VEU_RING_HALTED);
        end_command(ring);
    } else {
        retire(ring, slots, false);
    }
}

static bool load_tail(VeuRing *ring)
{
    if (!veu_shared_load(ring, SHARED_OFFSET(tail), &ring->tail)) {
        veu_ring_halt_memory(ring,
                             veu_ring_get(ring, VEU_ROW_RING_SHARED) +
                                 SHARED_OFFSET(tail),
                             sizeof(ring->tail), VEU_ACCESS_READ);
        return false;
    }
    return true;
}

/*
 * Publishes first, because the driver may be waiting for the last command.
 * Returns false if the ring has halted.
 */
static bool publish_first(VeuRing *ring)
{
    if (ring->publish) {
        publish(ring);
    }
    return ring->state == VEU_RING_RUNNING;
}

/*
 * Determines how many slots the driver offers. Returns false if the tail is
 * illegal. The tail is not read while earlier offers remain.
 */
static bool slots_offered(VeuRing *ring, uint32_t *offered)
{
    uint32_t head = veu_ring_get(ring, VEU_ROW_RING_HEAD);

    if (ring->tail == head && !publish_first(ring)) {
        return false;
    }
    if (ring->tail - head < VEU_COMMAND_MAX_SLOTS && !load_tail(ring)) {
        return false;
    }
    *offered = ring->tail - head;
    if (*offered > veu_ring_get(ring, VEU_ROW_RING_SLOTS)) {
        halt(ring, VEU_FAULT_RING_TAIL, 0);
        return false;
    }
    return true;
}

/* Takes the next command from the ring. Returns MORE if it has taken one. */
static VeuStep fetch(VeuRing *ring)
{
    VeuCommand *c = &ring->command;
    uint32_t offered;
    uint32_t copied;
    uint32_t slots;

    if (!slots_offered(ring, &offered)) {
        return VEU_STEP_STOPPED;
    }
    if (!offered) {
        return VEU_STEP_IDLE;
    }
    c->slot = veu_ring_get(ring, VEU_ROW_RING_HEAD);
    copied = copy_first(ring, offered);
    if (!copied) {
        return VEU_STEP_STOPPED;
    }
    slots = c->header.slots;
    if (slots > offered) {
        halt(ring, VEU_FAULT_RING_TAIL, 0);
        return VEU_STEP_STOPPED;
    }
    if (slots <= VEU_COMMAND_MAX_SLOTS && !copy_rest(ring, copied, slots)) {
        return VEU_STEP_STOPPED;
    }
    c->injected = 0;
    if (check_command(ring) == VEU_RUN_FAULT &&
        ring->state != VEU_RING_HALTED) {
        end_refused(ring, slots ? slots : 1);
    }
    return VEU_STEP_MORE;
}

/* A refused piece treats its misses as faults. */
static void begin_piece(VeuRing *ring)
{
    VeuMem *mem = &ring->context.mem;

    mem->asks = ring->context.asks &&
                ring->request.state != VEU_REQUEST_REFUSED;
    veu_mem_forget_misses(mem);
}

/* Reports a command that exceeds its budget, and the place of a launch. */
static VeuRun report_overrun(VeuRing *ring)
{
    VeuFaultPlace place;
    VeuFault fault;
    bool has_place = ring->command.info->is_launch &&
                     veu_launch_place(ring, &place);

    veu_fault_form(&fault, VEU_FAULT_BUDGET, 0);
    fault.bytes_done = ring->command.bytes_done;
    veu_fault_record(ring, &fault, has_place ? &place : NULL);
    return VEU_RUN_FAULT;
}

/* Performs the next piece. Reading the word of a WAIT does not count as one. */
static VeuRun run_piece(VeuRing *ring)
{
    VeuCommand *c = &ring->command;
    VeuRun run;

    if (veu_request_waits(&ring->request)) {
        return VEU_RUN_BLOCKED;
    }
    if (!veu_command_budget_left(ring)) {
        return report_overrun(ring);
    }
    begin_piece(ring);
    run = __builtin_expect(c->injected, 0) ? veu_inject_run(ring) :
                                             veu_command_do_piece(ring);
    c->waits = run == VEU_RUN_WAIT;
    if (run != VEU_RUN_BLOCKED) {
        ring->request = (VeuRequest){ 0 };
    }
    return run;
}

/*
 * Performs a piece of the command. Returns WAIT if there was none to perform.
 */
static VeuStep run_command(VeuRing *ring)
{
    VeuCommand *c = &ring->command;
    VeuRun run = run_piece(ring);

    switch (run) {
    case VEU_RUN_DONE:
        retire(ring, c->info->slots, c->header.flags & VEU_COMMAND_INTERRUPT);
        break;
    case VEU_RUN_FAULT:
        end_refused(ring, c->info->slots);
        break;
    case VEU_RUN_BLOCKED:
        /* Without a usable queue, the request is refused at once. */
        ring->blocked = ring->request.state != VEU_REQUEST_REFUSED;
        break;
    default:
        break;
    }
    return run == VEU_RUN_WAIT || ring->blocked ? VEU_STEP_WAIT : VEU_STEP_MORE;
}

/* Returns true if the ring has finished, or given up, what it had begun. */
static bool has_drained(VeuRing *ring)
{
    if (veu_ring_gives_up(ring)) {
        ring->command.info = NULL;
        ring->request = (VeuRequest){ 0 };
        ring->blocked = false;
    }
    return !ring->command.info;
}

/* Performs one piece of work: continues a command, or takes the next one. */
static VeuStep step_once(VeuRing *ring)
{
    if (ring->state == VEU_RING_DRAINING && has_drained(ring)) {
        veu_ring_set_state(ring, VEU_RING_DISABLED);
        return VEU_STEP_STOPPED;
    }
    if (ring->command.info) {
        return run_command(ring);
    }
    return ring->state == VEU_RING_RUNNING ? fetch(ring) : VEU_STEP_STOPPED;
}

VeuStep veu_ring_step(VeuDevice *d, uint32_t number, unsigned budget)
{
    VeuRing *ring = &d->ring[number];
    uint64_t begin_ns;
    VeuStep step;

    if (veu_ring_is_paused(ring)) {
        return VEU_STEP_STOPPED;
    }
    begin_ns = d->host->now_ns(d->host);
    veu_counters_idle(d, false);
    veu_mem_forget(&ring->context.mem);
    if (ring->start) {
        veu_ring_begin(ring);
    }
    if (veu_ring_is_to_reload(ring)) {
        veu_ring_reload_context(ring);
    }
    if (ring->asleep && !d->host->wants_kicks) {
        veu_shared_wake(ring);
    }
    ring->budget = budget;
    ring->cost = 0;
    veu_device_begin_use(d, &ring->context);
    do {
        ring->cost++;
        step = step_once(ring);
    } while (step == VEU_STEP_MORE && ring->cost < budget &&
             !veu_is_awaited(d->host->awaited));
    veu_device_end_use(d);
    publish(ring);
    veu_schedule_charge(ring);
    ring->counted[VEU_WORK_BUSY_NS] += d->host->now_ns(d->host) - begin_ns;
    return step;
}
