/*
 * veu-run: drives the device, as a driver and as its host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, sections 4 to 6: one ring, one command.
 */
#include <stddef.h>
#include <string.h>
#include "tools/veu-run/veu-run.h"

#define RING_SLOTS    4
#define FAULT_RECORDS 256
/* Messages of a step: no more faults than there are records. */
#define BUDGET        128
/* What is kept of what may happen once for each message. */
#define MAX_KEPT      1000

/* Where veu-run's own lies. */
typedef struct Places {
    uint64_t slots;
    uint64_t shared;
    uint64_t faults;
    uint64_t program;
    uint64_t surfaces;
    uint64_t payload;
    uint64_t results;
    uint32_t fault_head;
} Places;

/* --- The host ------------------------------------------------------------ */

static uint64_t result_stride(const Run *run)
{
    return MAX(run->program.declared->register_bytes, 1);
}

uint64_t run_thread_count(const Run *run)
{
    return (uint64_t)run->launch.threads * run->launch.groups;
}

/* The device stores the result of an EU thread that came to its end. */
static void note_result(Run *run, uint64_t address)
{
    uint64_t number = (address - run->launch.result_address) /
                      result_stride(run);

    if (run->stored && address >= run->launch.result_address &&
        number < run_thread_count(run)) {
        run->stored[number] = 1;
    }
}

static uint8_t *host_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                         enum veu_access access)
{
    Run *run = (Run *)host;

    if (access == VEU_ACCESS_WRITE) {
        note_result(run, iova);
    }
    return run_memory_map(&run->memory, iova, bytes, access);
}

static void host_flush(VeuHost *host)
{
}

static void host_fence(VeuHost *host)
{
}

static void host_interrupt(VeuHost *host, uint32_t vector)
{
}

/* Nothing depends on the host's time: two runs are alike. */
static uint64_t host_now_ns(VeuHost *host)
{
    return ((Run *)host)->now_ns;
}

static void contract_event(Run *run, const VeuEvent *event)
{
    RunContract contract = {
        .name = event->name,
        .message_offset = event->at,
        .thread = run->thread,
    };

    run->contract_count++;
    if (run->contracts->len < MAX_KEPT) {
        g_array_append_val(run->contracts, contract);
    }
}

static void host_event(VeuHost *host, const VeuEvent *event)
{
    Run *run = (Run *)host;

    if (event->kind == VEU_EVENT_MESSAGE) {
        run->thread = event->thread;
        if (run->trace) {
            run_trace_message(run->trace, event);
        }
    } else if (event->kind == VEU_EVENT_THREAD) {
        run_step_thread(run, event);
    } else if (event->kind == VEU_EVENT_INSTRUCTION) {
        run_step_instruction(run, event);
    } else {
        contract_event(run, event);
    }
}

/* A host that wants each instruction gets one after the other. */
static uint32_t events_of(const Run *run)
{
    uint32_t events = 1u << VEU_EVENT_MESSAGE | 1u << VEU_EVENT_CONTRACT;

    if (run->breaks || run->options.registers) {
        events |= 1u << VEU_EVENT_THREAD;
    }
    if (run->breaks || run->trace) {
        events |= 1u << VEU_EVENT_INSTRUCTION;
    }
    return events;
}

static void init_host(Run *run)
{
    run->host = (VeuHost){
        .map = host_map,
        .flush = host_flush,
        .fence = host_fence,
        .interrupt = host_interrupt,
        .now_ns = host_now_ns,
        .event = host_event,
        .events = events_of(run),
        .awaited = &run->awaited,
        .observer = run->trace ? run_trace_observer(run->trace) : NULL,
    };
}

/* --- What the driver puts into memory ------------------------------------ */

/* Own memory with a copy of @from; @address stays 0 where there is nothing. */
static bool place(Run *run, const void *from, uint64_t bytes, uint64_t *address)
{
    *address = 0;
    if (!bytes) {
        return true;
    }
    *address = run_memory_add_own(&run->memory, bytes);
    if (*address && from) {
        run_memory_write(&run->memory, *address, from, bytes);
    }
    return *address;
}

static bool place_ring(Run *run, Places *p)
{
    return place(run, NULL, RING_SLOTS * VEU_SLOT_BYTES, &p->slots) &&
           place(run, NULL, sizeof(struct veu_ring_shared), &p->shared) &&
           place(run, NULL, FAULT_RECORDS * sizeof(struct veu_fault_record),
                 &p->faults);
}

static bool place_input(Run *run, Places *p)
{
    return place(run, run->program.code.data, run->program.code.bytes,
                 &p->program) &&
           place(run, run->surfaces->data,
                 run->surfaces->len * sizeof(struct veu_surface),
                 &p->surfaces) &&
           place(run, run->payload.data, run->payload.bytes, &p->payload);
}

static bool place_results(Run *run, Places *p)
{
    uint64_t bytes = run_thread_count(run) * result_stride(run);

    if (bytes > RUN_MAX_BYTES) {
        return run_error("the registers of %" G_GUINT64_FORMAT " EU threads "
                         "are more than 1G: leave out --show and --save of "
                         "variables, or run fewer",
                         run_thread_count(run));
    }
    run->stored = g_try_malloc0(run_thread_count(run));
    return run->stored ? place(run, NULL, bytes, &p->results) :
                         run_error("the host has not enough memory");
}

/* A file of payloads holds one behind the other, a stride apart. */
static bool fill_payload(Run *run, const Places *p)
{
    struct veu_launch *l = &run->launch;
    uint64_t before = (run_thread_count(run) - 1) * run->numbers.payload_stride;

    if (before && before >= run->payload.bytes) {
        return run_error("--payload-stride %s: the file has no payload for "
                         "the last of %" G_GUINT64_FORMAT " EU threads",
                         run->options.payload_stride, run_thread_count(run));
    }
    l->payload_address = p->payload;
    l->payload_stride = run->numbers.payload_stride;
    if (before + UINT32_MAX < run->payload.bytes) {
        return run_error("--payload: a payload has less than 4G bytes");
    }
    l->payload_bytes = run->payload.bytes - before;
    return true;
}

static bool fill_launch(Run *run, const Places *p)
{
    struct veu_launch *l = &run->launch;
    const VeuProgram *declared = run->program.declared;

    l->code_bytes = run->program.code.bytes;
    l->simd = run->numbers.simd;
    l->surface_table = p->surfaces;
    l->surface_count = run->surfaces->len;
    if (run->stored) {
        l->result_address = p->results;
        l->result_stride = result_stride(run);
        l->result_bytes = declared->register_bytes;
    }
    if (run->program.is_message) {
        l->grf_bytes = declared->grf_bytes;
        l->variable_count = declared->variable_count;
        l->predicate_count = declared->predicate_count;
    } else {
        l->code_address = p->program;
    }
    return fill_payload(run, p);
}

static void write_dispatch(Run *run, const Places *p)
{
    struct veu_command_dispatch command = {
        .header = { .opcode = VEU_COMMAND_DISPATCH, .slots = 2 },
        .launch = run->launch,
    };

    run_memory_write(&run->memory, p->slots, &command, sizeof(command));
}

static void write_message(Run *run, const Places *p)
{
    const VeuProgram *declared = run->program.declared;
    struct veu_command_message command = {
        .header = { .opcode = VEU_COMMAND_MESSAGE, .slots = 4 },
        .launch = run->launch,
    };

    memcpy(command.variables, declared->variables,
           declared->variable_count * sizeof(command.variables[0]));
    memcpy(command.message, run->program.code.data, run->program.code.bytes);
    run_memory_write(&run->memory, p->slots, &command, sizeof(command));
}

/* --- The driver ---------------------------------------------------------- */

static void write_ring(VeuDevice *device, uint32_t offset, uint64_t value,
                       unsigned bytes)
{
    veu_device_write(device, VEU_RING_BLOCK + offset, value, bytes);
}

static void enable_ring(VeuDevice *device, const Run *run, const Places *p)
{
    write_ring(device, VEU_REG_RING_BASE, p->slots, 8);
    write_ring(device, VEU_REG_RING_SHARED, p->shared, 8);
    write_ring(device, VEU_REG_RING_FAULTS, p->faults, 8);
    write_ring(device, VEU_REG_RING_SLOTS, RING_SLOTS, 4);
    write_ring(device, VEU_REG_RING_FAULT_RECORDS, FAULT_RECORDS, 4);
    write_ring(device, VEU_REG_RING_POLICY, run->numbers.policy, 4);
    write_ring(device, VEU_REG_RING_CONTROL, VEU_RING_ENABLE, 4);
}

static uint64_t shared_at(const Places *p, size_t field)
{
    return p->shared + field;
}

static uint32_t read_shared(const Run *run, const Places *p, size_t field)
{
    uint32_t value;

    run_memory_read(&run->memory, shared_at(p, field), &value, sizeof(value));
    return value;
}

static void write_shared(Run *run, const Places *p, size_t field,
                         uint32_t value)
{
    run_memory_write(&run->memory, shared_at(p, field), &value, sizeof(value));
}

static void take_record(Run *run, const Places *p)
{
    struct veu_fault_record record;
    uint64_t at = p->fault_head % FAULT_RECORDS;

    run_memory_read(&run->memory, p->faults + at * sizeof(record), &record,
                    sizeof(record));
    run->fault_count++;
    if (run->faults->len < MAX_KEPT) {
        g_array_append_val(run->faults, record);
    }
}

static void take_records(Run *run, Places *p)
{
    uint32_t tail = read_shared(run, p,
                                offsetof(struct veu_ring_shared, fault_tail));

    for (; p->fault_head != tail; p->fault_head++) {
        take_record(run, p);
    }
    write_shared(run, p, offsetof(struct veu_ring_shared, fault_head), tail);
}

static void submit(Run *run, const Places *p)
{
    bool is_message = run->program.is_message;

    if (is_message) {
        write_message(run, p);
    } else {
        write_dispatch(run, p);
    }
    write_shared(run, p, offsetof(struct veu_ring_shared, tail),
                 is_message ? 4 : 2);
}

/* Where a rule holds the program back, the time of its end comes at once. */
static bool goes_on(Run *run, VeuDevice *device, VeuStep step)
{
    if (step != VEU_STEP_WAIT) {
        return step == VEU_STEP_MORE;
    }
    run->now_ns = veu_device_deadline(device);
    run->hangs = run->now_ns == VEU_NO_DEADLINE;
    return !run->hangs;
}

static void run_to_end(Run *run, VeuDevice *device, Places *p)
{
    VeuStep step;

    do {
        step = veu_ring_step(device, 0, BUDGET);
        take_records(run, p);
    } while (!run->stopped && goes_on(run, device, step));
}

static VeuDevice *new_device(Run *run)
{
    VeuDeviceConfig config = {
        .rings = 1,
        .doorbell_stride_bytes = 4096,
        .eu = run->numbers.eu,
    };
    VeuDevice *device;

    init_host(run);
    device = veu_device_new(&config, &run->host);
    if (!device) {
        run_error("the host has not enough memory for the device");
    }
    return device;
}

bool run_device(Run *run, bool keep_registers)
{
    VeuDevice *device;
    Places p = { 0 };

    run_memory_place_own(&run->memory);
    if (!place_ring(run, &p) || !place_input(run, &p) ||
        (keep_registers && !place_results(run, &p)) || !fill_launch(run, &p)) {
        return false;
    }
    device = new_device(run);
    if (!device) {
        return false;
    }
    submit(run, &p);
    veu_device_inject(device, &run->rules);
    enable_ring(device, run, &p);
    run_to_end(run, device, &p);
    run_inject_take(device, &run->rules);
    veu_device_free(device);
    return true;
}

bool run_registers(const Run *run, uint64_t number, uint32_t offset, void *to,
                   uint32_t bytes)
{
    if (!run->stored || !run->stored[number]) {
        return run_stopped_registers(run, number, offset, to, bytes);
    }
    run_memory_read(&run->memory,
                    run->launch.result_address + number * result_stride(run) +
                        offset,
                    to, bytes);
    return true;
}
