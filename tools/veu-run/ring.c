/*
 * veu-run: a device with one ring, its host and its driver.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, sections 4 to 6.
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/capture/profiler.h"
#include "hw/veu/capture/record.h"
#include "hw/veu/capture/timeline.h"
#include "tools/veu-run/kernel.h"

#define FAULT_RECORDS 256
/* The limit for things that may happen once for each message. */
#define MAX_KEPT      1000

/* --- The host ------------------------------------------------------------ */

uint64_t run_result_stride(const Run *run)
{
    return MAX(run->program.declared->register_bytes, 1);
}

uint64_t run_thread_count(const Run *run)
{
    return (uint64_t)run->launch.threads * run->launch.groups;
}

/* The device stores the result of an EU thread that has ended normally. */
static void note_result(Run *run, uint64_t address)
{
    uint64_t number = (address - run->launch.result_address) /
                      run_result_stride(run);

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
    if (run_capture_is_on(run)) {
        run_capture_touch(run, iova, access);
        *bytes = veu_recorder_clamp(iova, *bytes);
    }
    return run_memory_map(&run->memory, iova, bytes, access);
}

static bool host_open(VeuHost *host, uint64_t iova, enum veu_access access,
                      VeuExtent *extent)
{
    Run *run = (Run *)host;

    return !run_capture_is_on(run) &&
           run_memory_open(&run->memory, iova, access, extent);
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

/*
 * The device's clock moves only while the program is held, so a timeline uses
 * the host's.
 */
static void timeline_event(Run *run, const VeuEvent *event)
{
    gint64 now_us = g_get_monotonic_time() - run->timeline_start_us;

    veu_timeline_event(run->timeline, run->device, event, now_us * 1000);
}

static bool begin_timeline(Run *run)
{
    const char *path = run->options.timeline;
    g_autoptr(GError) error = NULL;

    if (!path) {
        return true;
    }
    run->timeline_start_us = g_get_monotonic_time();
    run->timeline = veu_timeline_new(path, "veu-run", &error);
    if (!run->timeline) {
        return tool_error("--timeline %s", error->message);
    }
    if (run->kernel) {
        veu_timeline_set_kernel(run->timeline, run->kernel->kernel->name);
    }
    return true;
}

static void end_timeline(Run *run)
{
    g_autoptr(GError) error = NULL;

    if (run->timeline && !veu_timeline_free(run->timeline, &error)) {
        tool_error("--timeline %s: %s", run->options.timeline, error->message);
    }
    run->timeline = NULL;
}

/* Nothing depends on the host's time, so that two runs are alike. */
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

    if (run->capture) {
        run_capture_event(run, event);
    }
    if (run->timeline) {
        timeline_event(run, event);
    }
    if (run->profile) {
        run_profile_event(run, event);
    }
    if (run->gdb && (event->kind == VEU_EVENT_THREAD ||
                     event->kind == VEU_EVENT_INSTRUCTION)) {
        run_gdb_event(run->gdb, event);
    }
    if (event->kind == VEU_EVENT_MESSAGE) {
        run->thread = event->thread;
        if (run->trace) {
            run_trace_message(run->trace, event);
        }
    } else if (event->kind == VEU_EVENT_THREAD) {
        run_step_thread(run, event);
    } else if (event->kind == VEU_EVENT_INSTRUCTION) {
        run_step_instruction(run, event);
    } else if (event->kind == VEU_EVENT_CONTRACT) {
        contract_event(run, event);
    }
}

/*
 * A host that wants instructions gets each of them. Kernels have too many
 * messages to report them to a host that does not want them.
 */
static uint32_t events_of(const Run *run)
{
    uint32_t events = 0;

    if (!run->kernel || run->trace) {
        events = 1u << VEU_EVENT_MESSAGE | 1u << VEU_EVENT_CONTRACT;
    }
    if (run->breaks || run->options.registers || run->gdb) {
        events |= 1u << VEU_EVENT_THREAD;
    }
    if (run->breaks || run->options.trace || run->gdb) {
        events |= 1u << VEU_EVENT_INSTRUCTION;
    }
    if (run->capture) {
        events |= VEU_RECORDER_EVENTS;
    }
    if (run->timeline) {
        events |= VEU_TIMELINE_EVENTS;
    }
    if (run->profile) {
        events |= VEU_PROFILER_EVENTS;
    }
    return events;
}

static VeuObserver *observer_of(const Run *run)
{
    VeuObserver *trace = run->trace ? run_trace_observer(run->trace) : NULL;

    return run->gdb ? run_gdb_observer(run->gdb, trace) : trace;
}

static void init_host(Run *run)
{
    run->host = (VeuHost){
        .map = host_map,
        .open = run->kernel || run->replay ? host_open : NULL,
        .flush = host_flush,
        .fence = host_fence,
        .interrupt = host_interrupt,
        .now_ns = host_now_ns,
        .event = host_event,
        .events = events_of(run),
        .awaited = &run->awaited,
        .profile = run->profile ? run_profile_open : NULL,
        .observer = observer_of(run),
    };
}

/* --- The driver ---------------------------------------------------------- */

bool run_place(Run *run, const void *from, uint64_t bytes, uint64_t *address)
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

static bool place_ring(Run *run, RunRing *p)
{
    return run_place(run, NULL, RUN_RING_SLOTS * VEU_SLOT_BYTES, &p->slots) &&
           run_place(run, NULL, sizeof(struct veu_ring_shared), &p->shared) &&
           run_place(run, NULL, FAULT_RECORDS * sizeof(struct veu_fault_record),
                     &p->faults);
}

static void write_ring(VeuDevice *device, uint32_t offset, uint64_t value,
                       unsigned bytes)
{
    veu_device_write(device, VEU_RING_BLOCK + offset, value, bytes);
}

static void write_context(VeuDevice *device, uint32_t offset, uint64_t value,
                          unsigned bytes)
{
    veu_device_write(device, VEU_CONTEXT_BLOCK + offset, value, bytes);
}

static void set_context(VeuDevice *device, const RunContext *context)
{
    write_context(device, VEU_REG_CONTEXT_TYPE, context->type, 4);
    write_context(device, VEU_REG_CONTEXT_ROOT, context->root, 8);
    write_context(device, VEU_REG_CONTEXT_OPTIONS, context->options, 4);
    write_context(device, VEU_REG_CONTEXT_WINDOWS, context->windows, 8);
    write_context(device, VEU_REG_CONTEXT_WINDOW_COUNT, context->window_count,
                  4);
}

static void enable_ring(VeuDevice *device, const Run *run, const RunRing *p)
{
    write_ring(device, VEU_REG_RING_BASE, p->slots, 8);
    write_ring(device, VEU_REG_RING_SHARED, p->shared, 8);
    write_ring(device, VEU_REG_RING_FAULTS, p->faults, 8);
    write_ring(device, VEU_REG_RING_SLOTS, RUN_RING_SLOTS, 4);
    write_ring(device, VEU_REG_RING_FAULT_RECORDS, FAULT_RECORDS, 4);
    write_ring(device, VEU_REG_RING_POLICY, run->numbers.policy, 4);
    write_ring(device, VEU_REG_RING_BUDGET, run->numbers.budget, 4);
    write_ring(device, VEU_REG_RING_CONTROL, VEU_RING_ENABLE, 4);
}

static uint64_t shared_at(const RunRing *p, size_t field)
{
    return p->shared + field;
}

static uint32_t read_shared(const Run *run, const RunRing *p, size_t field)
{
    uint32_t value;

    run_memory_read(&run->memory, shared_at(p, field), &value, sizeof(value));
    return value;
}

static void write_shared(Run *run, const RunRing *p, size_t field,
                         uint32_t value)
{
    run_memory_write(&run->memory, shared_at(p, field), &value, sizeof(value));
}

static void take_record(Run *run, const RunRing *p)
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

static void take_records(Run *run, RunRing *p)
{
    uint32_t tail = read_shared(run, p,
                                offsetof(struct veu_ring_shared, fault_tail));

    for (; p->fault_head != tail; p->fault_head++) {
        take_record(run, p);
    }
    write_shared(run, p, offsetof(struct veu_ring_shared, fault_head), tail);
}

/*
 * If a rule holds the program, the clock advances to the end of the hold at
 * once.
 */
static bool goes_on(Run *run, VeuDevice *device, VeuStep step)
{
    if (step != VEU_STEP_WAIT) {
        return step == VEU_STEP_MORE;
    }
    run->now_ns = veu_device_deadline(device);
    run->hangs = run->now_ns == VEU_NO_DEADLINE;
    return !run->hangs;
}

bool run_ring_advance(Run *run, RunRing *p, unsigned budget)
{
    VeuStep step = veu_ring_step(p->device, 0, budget);

    take_records(run, p);
    return !run->stopped && !run->killed && goes_on(run, p->device, step);
}

/* The largest program of a kernel fits. */
#define PROGRAM_MEMORY_BYTES (128u << 20)

static VeuDevice *new_device(Run *run)
{
    VeuDeviceConfig config = {
        .rings = 1,
        .doorbell_stride_bytes = 4096,
        .program_memory_bytes = PROGRAM_MEMORY_BYTES,
        .host_code_bytes = PROGRAM_MEMORY_BYTES / 4,
        .eu = run->numbers.eu,
    };
    VeuDevice *device;

    init_host(run);
    device = veu_device_new(&config, &run->host);
    if (!device) {
        tool_error("the host is out of memory");
    }
    return device;
}

bool run_ring_open(Run *run, RunRing *p)
{
    *p = (RunRing){ 0 };
    if (!place_ring(run, p) ||
        (run_tables_wanted(&run->options) && !run_tables_make(run))) {
        return false;
    }
    if (!run_capture_begin(run) || !begin_timeline(run)) {
        return false;
    }
    p->device = run->device = new_device(run);
    return p->device;
}

void run_ring_submit(Run *run, RunRing *p, const void *command, uint32_t slots)
{
    const uint8_t *from = command;

    for (uint32_t i = 0; i < slots; i++, p->tail++) {
        run_memory_write(&run->memory,
                         p->slots + p->tail % RUN_RING_SLOTS * VEU_SLOT_BYTES,
                         from + i * VEU_SLOT_BYTES, VEU_SLOT_BYTES);
    }
    write_shared(run, p, offsetof(struct veu_ring_shared, tail), p->tail);
}

void run_ring_start(Run *run, RunRing *p)
{
    veu_device_inject(p->device, &run->rules);
    set_context(p->device, &run->context);
    enable_ring(p->device, run, p);
}

void run_ring_restart(Run *run, RunRing *p, const RunContext *context)
{
    write_ring(p->device, VEU_REG_RING_CONTROL, 0, 4);
    while (veu_ring_step(p->device, 0, 1) == VEU_STEP_MORE) {}
    set_context(p->device, context);
    /* Empties the fault queue. */
    p->fault_head = 0;
    write_shared(run, p, offsetof(struct veu_ring_shared, fault_head), 0);
    write_ring(p->device, VEU_REG_RING_CONTROL, VEU_RING_ENABLE, 4);
}

void run_ring_close(Run *run, RunRing *p)
{
    run_gdb_end(run, run->fault_count != 0);
    run_inject_take(p->device, &run->rules);
    end_timeline(run);
    veu_device_free(p->device);
    run->device = NULL;
}
