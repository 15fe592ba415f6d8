/*
 * veu device model: slices, which run EU threads of a launch one after another.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A slice changes nothing but itself and guest memory, so that slices of one
 * launch may run in parallel. launch.c collects its counts and the reason why
 * it stopped.
 */
#include <stddef.h>
#include <string.h>
#include <sys/param.h>
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/inject_fire.h"
#include "hw/veu/device/launch_args.h"
#include "hw/veu/device/launch_rules.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/slice.h"
#include "hw/veu/eu/program/payload.h"
#include "hw/veu/eu/zero.h"

static uint64_t thread_number(const VeuSlice *s)
{
    return (uint64_t)s->group * veu_launch_args(s->ring)->threads + s->thread;
}

/* Adds the gate's reason for refusing an access. */
static void explain(VeuFault *fault, const VeuMem *mem)
{
    if (fault->access && fault->code != VEU_FAULT_ALIGNMENT) {
        fault->detail = veu_mem_why(mem, fault->address);
    }
}

/*
 * Takes the misses, because another slice uses the gate next. A fault other
 * than one of memory does not wait for earlier misses.
 */
static void take_misses(VeuSlice *s)
{
    const VeuMem *mem = s->eu.mem;

    s->miss_count = s->fault.access && veu_mem_must_wait(mem) ?
                        mem->miss_count :
                        0;
    memcpy(s->miss, mem->miss, s->miss_count * sizeof(s->miss[0]));
}

/* Stops here, with s->fault set, and records the place. */
static void stop_at(VeuSlice *s, const VeuMessage *message)
{
    s->resume = s->state;
    s->state = VEU_SLICE_FAULTED;
    explain(&s->fault, s->eu.mem);
    take_misses(s);
    s->place = (VeuFaultPlace){
        .group = s->group,
        .thread = s->thread,
        .message_offset = VEU_FAULT_NOT_APPLICABLE,
    };
    if (message) {
        s->place.message_offset = message->offset;
        s->place.opcode = message->info->opcode;
        s->place.sub = message->info->sub;
    }
}

/* Stops at an instruction, which may be a message. */
static void stop_at_instruction(VeuSlice *s, const VeuInstruction *i)
{
    s->fault = s->eu.fault;
    stop_at(s, i->info ? NULL : &s->eu.program->messages[i->target]);
    s->place.message_offset = i->offset;
    if (i->info) {
        s->place.opcode = i->info->opcode;
    }
}

/* The EU thread's payload or result is not accessible. */
static void stop_at_memory(VeuSlice *s, uint16_t code, uint64_t address,
                           uint32_t bytes, enum veu_access access)
{
    veu_fault_address(&s->fault, code, address, bytes, access);
    stop_at(s, NULL);
}

/*
 * A memset() of zero bytes is not free: on untouched memory it takes longer
 * than a message.
 */
static void clear(void *at, int byte, uint32_t bytes)
{
    if (bytes) {
        memset(at, byte, bytes);
    }
}

static bool stop_at_reserved(VeuSlice *s,
                             const struct veu_payload_header *header)
{
    unsigned i = 0;

    while (!header->reserved[i]) {
        i++;
    }
    veu_fault_form(&s->fault, VEU_FAULT_PAYLOAD_FIELD,
                   offsetof(struct veu_payload_header, reserved[i]));
    stop_at(s, NULL);
    return false;
}

/* Without a header, all lanes run. */
static bool take_payload_header(VeuSlice *s)
{
    const struct veu_payload_header *header = (const void *)s->payload;

    if (veu_launch_args(s->ring)->payload_bytes == 0) {
        return true;
    }
    if (!veu_is_zero(header->reserved, sizeof(header->reserved))) {
        return stop_at_reserved(s, header);
    }
    s->eu.exec_mask &= header->exec_mask;
    return true;
}

bool veu_slice_ask_rules(VeuSlice *s, uint8_t point, uint64_t address,
                         uint32_t bytes, enum veu_access access)
{
    uint16_t code = bytes && veu_inject_is_on(s->ring) ?
                        veu_inject_at_thread(s->ring, point) :
                        VEU_FAULT_NONE;

    if (code == VEU_FAULT_PAYLOAD_FIELD) {
        veu_fault_form(&s->fault, code,
                       offsetof(struct veu_payload_header, reserved));
        stop_at(s, NULL);
    } else if (code) {
        stop_at_memory(s, code, address, bytes, access);
    }
    return !code;
}

bool veu_slice_read_pieces(VeuSlice *s, uint64_t address, void *to,
                           uint32_t bytes)
{
    uint64_t failed;

    if (!veu_mem_read(s->eu.mem, address, to, bytes, &failed)) {
        veu_mem_probe(s->eu.mem, failed, address + bytes - failed,
                      VEU_ACCESS_READ);
        stop_at_memory(s, VEU_FAULT_PAYLOAD_MEMORY, failed, bytes,
                       VEU_ACCESS_READ);
        return false;
    }
    return true;
}

/*
 * Reads header, predicates, addresses and registers; the rest is 0. The result
 * is charged here, too, so that an EU thread's last piece costs one unit. Then
 * a command exceeds its budget exactly if it costs more.
 */
static bool read_payload(VeuSlice *s)
{
    const struct veu_launch *args = veu_launch_args(s->ring);
    uint64_t address = args->payload_address +
                       thread_number(s) * args->payload_stride;
    uint32_t bytes = args->payload_bytes;

    if (!veu_slice_pass_rules(s, VEU_INJECT_START, address, bytes,
                              VEU_ACCESS_READ) ||
        !veu_slice_read(s, address, s->payload, bytes)) {
        return false;
    }
    s->cost += bytes / VEU_COST_BYTES + args->result_bytes / VEU_COST_BYTES;
    clear(s->payload + bytes, 0,
          s->eu.registers + s->eu.program->register_bytes -
              (s->payload + bytes));
    return take_payload_header(s);
}

/*
 * Sets up the samplers of a KERNEL; other launches have samplers of zero bytes.
 */
static void set_up_samplers(VeuSlice *s, const VeuRing *ring)
{
    if (veu_launch_is_kernel(ring)) {
        memcpy(s->eu.samplers, ring->command.kernel.samplers,
               sizeof(s->eu.samplers));
    } else {
        memset(s->eu.samplers, 0, sizeof(s->eu.samplers));
    }
}

/*
 * Set member by member: clearing those that a message sets would take longer.
 */
static void set_up(VeuSlice *s, VeuRing *ring)
{
    const struct veu_launch *args = veu_launch_args(ring);
    const VeuProgram *program = ring->launch->program;
    uint8_t *predicates = s->payload + sizeof(struct veu_payload_header);
    uint8_t *addresses = predicates +
                         program->predicate_count * sizeof(uint32_t);

    s->ring = ring;
    s->state = VEU_SLICE_IDLE;
    s->request = (VeuRequest){ 0 };
    s->eu.config = &ring->device->config.eu;
    s->eu.program = program;
    s->eu.surfaces = &ring->launch->surfaces;
    set_up_samplers(s, ring);
    s->eu.registers = s->payload + veu_payload_registers_at(program);
    s->eu.predicates = (uint32_t *)predicates;
    s->eu.addresses = (uint16_t *)addresses;
    s->eu.exec_mask = args->exec_mask;
    s->eu.slm = s->slm;
    s->eu.slm_bytes = args->slm_bytes;
    s->eu.slm_wraps = program->kind == VEU_PROGRAM_INSTRUCTIONS;
    s->eu.flow = &s->flow;
    s->eu.stateless_base = args->stateless_base;
    s->eu.stateless_bytes = args->stateless_bytes;
}

/*
 * Touching a slice costs more than a message, so there are only as many as
 * needed.
 */
void veu_launch_set_up_slices(VeuRing *ring, unsigned least)
{
    VeuLaunch *l = ring->launch;
    unsigned runners = 1 + ring->device->host->helper_count;
    uint32_t count;

    if (ring->context.asks) {
        runners = MAX(runners, VEU_REQUEST_RUNNERS);
    }
    count = MIN(runners, veu_launch_args(ring)->groups);

    l->slice_count = MAX(count, least);
    for (unsigned n = 0; n < l->slice_count; n++) {
        set_up(&l->slice[n], ring);
    }
}

void veu_launch_reset_slices(VeuLaunch *l)
{
    for (unsigned n = 0; n < l->slice_count; n++) {
        l->slice[n].state = VEU_SLICE_IDLE;
        l->slice[n].request = (VeuRequest){ 0 };
    }
}

void veu_slice_emit(const VeuSlice *s, VeuEventKind kind, const char *name,
                    uint32_t at, uint32_t value)
{
    veu_emit(s->ring->device, &(VeuEvent){ .kind = kind,
                                           .ring = s->ring->number,
                                           .name = name,
                                           .at = at,
                                           .value = value,
                                           .thread = thread_number(s),
                                           .eu = &s->eu });
}

static void start_thread(VeuSlice *s)
{
    const struct veu_launch *args = veu_launch_args(s->ring);

    if (s->thread == 0) {
        clear(s->slm, s->eu.config->undefined, args->slm_bytes);
    }
    s->message = 0;
    s->eu.exec_mask = args->exec_mask;
    if (read_payload(s)) {
        s->state = VEU_SLICE_MESSAGE;
        if (s->eu.program->kind == VEU_PROGRAM_INSTRUCTIONS) {
            veu_flow_start(&s->eu,
                           s->eu.exec_mask & UINT32_MAX >> (32 - args->simd));
        }
        veu_slice_tell(s, VEU_EVENT_THREAD, "start", 0, 0);
    }
}

/* Writes the result, and proceeds to the group's next thread or to its end. */
static void end_thread(VeuSlice *s)
{
    const struct veu_launch *args = veu_launch_args(s->ring);
    uint64_t address = args->result_address +
                       thread_number(s) * args->result_stride;
    uint64_t failed;

    if (!veu_slice_pass_rules(s, VEU_INJECT_END, address, args->result_bytes,
                              VEU_ACCESS_WRITE)) {
        return;
    }
    veu_mem_forget_misses(s->eu.mem);
    if (!veu_mem_write(s->eu.mem, address,
                       s->eu.registers + args->result_offset,
                       args->result_bytes, &failed)) {
        veu_mem_probe(s->eu.mem, failed, address + args->result_bytes - failed,
                      VEU_ACCESS_WRITE);
        stop_at_memory(s, VEU_FAULT_RESULT_MEMORY, failed, args->result_bytes,
                       VEU_ACCESS_WRITE);
        return;
    }
    veu_slice_tell(s, VEU_EVENT_THREAD, "end", 0, 1);
    s->state = ++s->thread == args->threads ? VEU_SLICE_IDLE : VEU_SLICE_START;
}

static const char *contract_names[VEU_CONTRACT_COUNT] = {
    [VEU_CONTRACT_LANE_COLLISION] = "lane collision",
    [VEU_CONTRACT_REGISTER_TYPE] = "register type",
    [VEU_CONTRACT_UNUSED_OPERAND] = "unused operand",
    [VEU_CONTRACT_FEW_LANES] = "few lanes",
};

static void emit_contracts(const VeuSlice *s, const VeuMessage *message)
{
    for (unsigned i = 0; i < VEU_CONTRACT_COUNT; i++) {
        if (s->eu.contracts & (1u << i)) {
            veu_emit(s->ring->device, &(VeuEvent){ .kind = VEU_EVENT_CONTRACT,
                                                   .ring = s->ring->number,
                                                   .name = contract_names[i],
                                                   .at = message->offset });
        }
    }
}

/* Reports a message that was executed, if the host wants such events. */
static void tell_message(const VeuSlice *s, const VeuMessage *message)
{
    veu_emit(s->ring->device, &(VeuEvent){ .kind = VEU_EVENT_MESSAGE,
                                           .ring = s->ring->number,
                                           .name = message->info->mnemonic,
                                           .at = message->offset,
                                           .value = s->eu.active,
                                           .thread = thread_number(s) });
    emit_contracts(s, message);
}

/* A message that waits for pages is counted after it has run. */
static void uncount_message(VeuSlice *s)
{
    s->counts.messages--;
    s->counts.lanes -= veu_lane_count(s->eu.active);
    s->counts.moved_bytes -= s->eu.moved_bytes;
}

/*
 * Runs up to @limit messages, which is not 0, until one faults or another
 * thread waits. Returns their number, without one that waits for pages.
 */
static unsigned run_messages(VeuSlice *s, unsigned limit)
{
    const VeuMessage *first = &s->eu.program->messages[s->message];
    const VeuMessage *m = first;
    bool told = veu_wants(s->ring->device, 1u << VEU_EVENT_MESSAGE);
    uint32_t counted = 0;
    unsigned count = 0;
    bool ok;

    /* A host that wants events of messages gets one for each. */
    s->eu.end = told ? NULL : first + limit;
    do {
        ok = veu_execute(&s->eu, m);
        if (s->eu.active != counted) {
            counted = s->eu.active;
            count = veu_lane_count(counted);
        }
        s->counts.lanes += (uint64_t)count * (1 + s->eu.more);
        s->counts.moved_bytes += s->eu.moved_bytes;
        if (__builtin_expect(told || s->eu.contracts, 0)) {
            tell_message(s, m);
        }
        m += 1 + s->eu.more;
    } while (ok && m < first + limit && !veu_is_awaited(s->eu.awaited));
    s->counts.messages += m - first;
    s->message += m - first;
    if (!ok) {
        s->message--;
        s->fault = s->eu.fault;
        stop_at(s, m - 1);
    }
    if (veu_slice_waits(s)) {
        uncount_message(s);
        return m - first - 1;
    }
    return m - first;
}

/* Counts an executed message of a program of instructions. */
static void count_message(VeuSlice *s, const VeuMessage *m, bool ok)
{
    /* The refused piece is over; the next one may make requests. */
    if (__builtin_expect(ok && s->request.state == VEU_REQUEST_REFUSED, 0)) {
        s->request = (VeuRequest){ 0 };
        s->eu.mem->asks = s->asks;
    }
    s->counts.messages++;
    s->counts.lanes += veu_lane_count(s->eu.active);
    s->counts.moved_bytes += s->eu.moved_bytes;
    if (veu_wants(s->ring->device, 1u << VEU_EVENT_MESSAGE) ||
        s->eu.contracts) {
        tell_message(s, m);
    }
}

static bool run_one(VeuSlice *s)
{
    const VeuInstruction *i = veu_next_instruction(&s->eu);
    bool ok = s->one_by_one && !s->eu.profile ? veu_step(&s->eu, i) :
                                                veu_step_by_rules(&s->eu, i);

    if (!i->info) {
        count_message(s, &s->eu.program->messages[i->target], ok);
    }
    veu_slice_tell(s, VEU_EVENT_INSTRUCTION,
                   i->info ? i->info->mnemonic : "message", i->offset,
                   s->eu.active);
    if (!ok) {
        stop_at_instruction(s, i);
        if (veu_slice_waits(s) && !i->info) {
            uncount_message(s);
        }
    }
    return ok;
}

bool veu_slice_run_one(VeuSlice *s)
{
    return !s->host->halted && run_one(s);
}

/*
 * Returns true if messages must run one by one: for events, after a refusal, or
 * because fast paths report neither lanes nor broken contracts.
 */
static bool looks_at_messages(const VeuSlice *s)
{
    return s->ring->device->host->events &
               (1u << VEU_EVENT_MESSAGE | 1u << VEU_EVENT_INSTRUCTION) ||
           s->request.state == VEU_REQUEST_REFUSED || s->eu.observer ||
           s->eu.config->check;
}

void veu_slice_watch(VeuSlice *s)
{
    s->one_by_one = veu_wants(s->ring->device, 1u << VEU_EVENT_INSTRUCTION) ||
                    !veu_host_has_handlers();
    s->eu.end = NULL;
    s->eu.message_sum = looks_at_messages(s) ? NULL : &s->counts;
}

uint32_t veu_slice_started_lanes(const VeuSlice *s)
{
    const struct veu_launch *args = veu_launch_args(s->ring);
    const struct veu_payload_header *header = (const void *)s->payload;
    uint32_t mask = args->payload_bytes ? header->exec_mask : UINT32_MAX;

    return veu_launch_is_kernel(s->ring) ?
               veu_slice_kernel_lanes(s) :
               mask & args->exec_mask & UINT32_MAX >> (32 - args->simd);
}

/*
 * Runs up to @limit pieces of a program of instructions. In a dispatch with
 * barriers, each group has one EU thread, which waits for no other.
 */
static unsigned run_program(VeuSlice *s, unsigned limit)
{
    bool ended;
    unsigned pieces = veu_slice_run_instructions(s, limit, &ended);

    s->flow.at_barrier = false;

    if (ended && pieces < limit) {
        end_thread(s);
        pieces += !veu_slice_waits(s);
    }
    return pieces;
}

/*
 * Runs up to @limit pieces. Returns their number, without one that waits for
 * pages, which RING_BUDGET is charged for after it has run.
 */
static unsigned run_pieces(VeuSlice *s, unsigned limit)
{
    uint32_t left = s->eu.program->message_count - s->message;

    if (s->state == VEU_SLICE_START) {
        start_thread(s);
    } else if (s->eu.program->kind == VEU_PROGRAM_INSTRUCTIONS) {
        return run_program(s, limit);
    } else if (left) {
        return run_messages(s, MIN(left, limit));
    } else {
        end_thread(s);
    }
    return !veu_slice_waits(s);
}

void veu_slice_begin_asked(VeuSlice *s)
{
    s->eu.mem->asks = s->asks && s->request.state != VEU_REQUEST_REFUSED;
    s->eu.mem->answered = true;
    veu_slice_watch(s);
}

void veu_slice_end_asked(VeuSlice *s)
{
    if (!veu_slice_waits(s)) {
        s->request = (VeuRequest){ 0 };
    }
    s->eu.mem->asks = s->asks;
    s->eu.mem->answered = false;
    veu_slice_watch(s);
}

/* Runs the piece that has requested pages again, and nothing after it. */
static unsigned run_asked(VeuSlice *s)
{
    unsigned done;

    veu_slice_begin_asked(s);
    done = run_pieces(s, 1);
    veu_slice_end_asked(s);
    return done;
}

/*
 * An atomic addition waits for all earlier stores, so a single slice avoids it.
 */
static uint32_t next_group(VeuLaunch *l)
{
    return l->parallel == 1 ?
               l->next_group++ :
               __atomic_fetch_add(&l->next_group, 1, __ATOMIC_RELAXED);
}

/* Groups are taken in order, by whichever slice is free. */
static bool take_group(VeuSlice *s)
{
    VeuLaunch *l = s->ring->launch;
    uint32_t groups = veu_launch_args(s->ring)->groups;

    if (__atomic_load_n(&l->next_group, __ATOMIC_RELAXED) >= groups) {
        return false;
    }
    s->group = next_group(l);
    s->thread = 0;
    if (s->group >= groups) {
        return false;
    }
    s->state = VEU_SLICE_START;
    return true;
}

void veu_slice_enter(VeuSlice *s, VeuHost *host, VeuMem *mem)
{
    s->host = host;
    s->eu.mem = mem;
    s->eu.observer = s->ring->launch->observer;
    s->eu.awaited = s->ring->device->host->awaited;
    s->asks = s->ring->context.asks;
    s->events = veu_wanted(s->ring->device);
    s->image.local_ids = NULL;
}

void veu_slice_run_only(VeuSlice *s)
{
    s->group = 0;
    s->thread = 0;
    s->state = VEU_SLICE_START; /* where it resumes if it must wait */
    s->cost = 1;
    start_thread(s);
    if (s->state == VEU_SLICE_MESSAGE) {
        s->cost++;
        run_messages(s, 1);
    }
    if (s->state == VEU_SLICE_MESSAGE) {
        s->cost++;
        end_thread(s);
    }
    s->cost -= veu_slice_waits(s);
}

void veu_slice_run(VeuSlice *s, uint32_t budget, bool takes_groups)
{
    unsigned pieces = 0; /* since the last flush */

    s->cost = 0;
    while (s->cost < budget && s->state != VEU_SLICE_FAULTED &&
           !veu_request_waits(&s->request) && !veu_slice_must_yield(s) &&
           (s->state != VEU_SLICE_IDLE || (takes_groups && take_group(s)))) {
        unsigned limit = VEU_FLUSH_PIECES - pieces;
        unsigned done = __builtin_expect(veu_request_was_made(&s->request), 0) ?
                            run_asked(s) :
                            run_pieces(s, MIN(limit, budget - s->cost));

        s->cost += done;
        pieces += done;
        veu_slice_flush(s, &pieces);
    }
}
