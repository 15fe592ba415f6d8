/*
 * veu-bench: drives the device model, as a driver and as its host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * There is one ring. For each turn, the host does what the QEMU device does.
 */
#include <stddef.h>
#include <string.h>
#include <time.h>
#include "tools/veu-bench/bench.h"

#define RING_SLOTS    4096
#define FAULT_RECORDS 64
#define PROGRAM_BYTES (64u << 20)
/* As in hw/veu/qemu/engine.h. */
#define STEP_BUDGET   1024
#define BATCH_TURNS   8
/* As in hw/veu/qemu/workers.c. */
#define SPIN_US       50
#define SPIN_LOOKS    64

typedef struct Worker {
    BenchGate gate; /* first member: this is the helper */
    BenchDevice *device;
    unsigned number;
    GThread *thread;
} Worker;

struct BenchDevice {
    BenchGate gate; /* first member: this is the host */
    VeuDevice *device;
    BenchRam *ram;
    uint64_t slots;
    uint64_t shared;
    uint32_t tail;
    uint64_t messages; /* messages submitted */
    Worker *workers;
    VeuHost **helpers;
    unsigned worker_count;
    bool may_spin;
    bool stop;
    void (*share)(void *opaque, unsigned n);
    void *opaque;
    GMutex lock;
    unsigned turn;
    GCond begins;
    unsigned left;
    GCond ends;
};

/* --- Workers, as in hw/veu/qemu/workers.c -------------------------------- */

static bool spin(const BenchDevice *d, const unsigned *word, unsigned wanted)
{
    gint64 end = g_get_monotonic_time() + SPIN_US;

    while (d->may_spin && g_get_monotonic_time() < end) {
        for (unsigned i = 0; i < SPIN_LOOKS; i++) {
            if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == wanted) {
                return true;
            }
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
    }
    return false;
}

static void wait_for(BenchDevice *d, GCond *changed, const unsigned *word,
                     unsigned wanted)
{
    if (!spin(d, word, wanted)) {
        g_mutex_lock(&d->lock);
        while (*word != wanted) {
            g_cond_wait(changed, &d->lock);
        }
        g_mutex_unlock(&d->lock);
    }
}

static void begin_turn(BenchDevice *d)
{
    g_mutex_lock(&d->lock);
    d->left = d->worker_count;
    __atomic_store_n(&d->turn, d->turn + 1, __ATOMIC_RELEASE);
    g_cond_broadcast(&d->begins);
    g_mutex_unlock(&d->lock);
}

static void end_share(BenchDevice *d)
{
    g_mutex_lock(&d->lock);
    __atomic_store_n(&d->left, d->left - 1, __ATOMIC_RELEASE);
    if (d->left == 0) {
        g_cond_signal(&d->ends);
    }
    g_mutex_unlock(&d->lock);
}

static void *worker_thread(void *opaque)
{
    Worker *w = opaque;
    BenchDevice *d = w->device;
    unsigned turn = 0;

    for (;;) {
        wait_for(d, &d->begins, &d->turn, ++turn);
        if (d->stop) {
            return NULL;
        }
        d->share(d->opaque, w->number);
        w->gate.host.flush(&w->gate.host);
        end_share(d);
    }
}

static void host_run_all(VeuHost *host, void (*share)(void *opaque, unsigned n),
                         void *opaque)
{
    BenchDevice *d = (BenchDevice *)host;

    d->share = share;
    d->opaque = opaque;
    begin_turn(d);
    share(opaque, 0);
    wait_for(d, &d->ends, &d->left, 0);
}

static void start_workers(BenchDevice *d)
{
    g_mutex_init(&d->lock);
    g_cond_init(&d->begins);
    g_cond_init(&d->ends);
    d->may_spin = g_get_num_processors() > d->worker_count;
    d->workers = g_new0(Worker, d->worker_count);
    d->helpers = g_new0(VeuHost *, d->worker_count);
    for (unsigned i = 0; i < d->worker_count; i++) {
        Worker *w = &d->workers[i];

        bench_gate_init(&w->gate, d->ram);
        d->helpers[i] = &w->gate.host;
        w->device = d;
        w->number = i + 1;
        w->thread = g_thread_new("worker", worker_thread, w);
    }
}

static void stop_workers(BenchDevice *d)
{
    d->stop = true;
    begin_turn(d);
    for (unsigned i = 0; i < d->worker_count; i++) {
        g_thread_join(d->workers[i].thread);
        bench_gate_cleanup(&d->workers[i].gate);
    }
    g_cond_clear(&d->begins);
    g_cond_clear(&d->ends);
    g_mutex_clear(&d->lock);
    g_free(d->workers);
    g_free(d->helpers);
}

/* --- The host ------------------------------------------------------------ */

static void host_fence(VeuHost *host)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void host_interrupt(VeuHost *host, uint32_t vector)
{
}

static uint64_t host_now_ns(VeuHost *host)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static void host_event(VeuHost *host, const VeuEvent *event)
{
}

static void init_host(BenchDevice *d)
{
    d->gate.host = (VeuHost){
        .fence = host_fence,
        .interrupt = host_interrupt,
        .now_ns = host_now_ns,
        .event = host_event,
        .helpers = d->helpers,
        .helper_count = d->worker_count,
        .run_all = host_run_all,
    };
    bench_gate_init(&d->gate, d->ram);
}

/* --- The driver ---------------------------------------------------------- */

static void write_ring(BenchDevice *d, uint32_t offset, uint64_t value,
                       unsigned bytes)
{
    veu_device_write(d->device, VEU_RING_BLOCK + offset, value, bytes);
}

static uint32_t read_ring(BenchDevice *d, uint32_t offset)
{
    return veu_device_read(d->device, VEU_RING_BLOCK + offset, 4);
}

static bool enable_ring(BenchDevice *d)
{
    uint64_t records =
        bench_ram_take(d->ram, FAULT_RECORDS * sizeof(struct veu_fault_record),
                       BENCH_PAGE_BYTES);

    d->slots = bench_ram_take(d->ram, RING_SLOTS * VEU_SLOT_BYTES,
                              BENCH_PAGE_BYTES);
    d->shared = bench_ram_take(d->ram, sizeof(struct veu_ring_shared),
                               BENCH_PAGE_BYTES);
    if (!records || !d->slots || !d->shared) {
        return false;
    }
    memset(bench_ram_at(d->ram, d->shared), 0, sizeof(struct veu_ring_shared));
    write_ring(d, VEU_REG_RING_BASE, d->slots, 8);
    write_ring(d, VEU_REG_RING_SHARED, d->shared, 8);
    write_ring(d, VEU_REG_RING_FAULTS, records, 8);
    write_ring(d, VEU_REG_RING_SLOTS, RING_SLOTS, 4);
    write_ring(d, VEU_REG_RING_FAULT_RECORDS, FAULT_RECORDS, 4);
    write_ring(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE, 4);
    return true;
}

BenchDevice *bench_device_new(BenchRam *ram, unsigned workers, bool jit)
{
    VeuDeviceConfig config = {
        .rings = 1,
        .doorbell_stride_bytes = 4096,
        .program_memory_bytes = PROGRAM_BYTES,
        .host_code_bytes = jit ? PROGRAM_BYTES / 4 : 0,
    };
    BenchDevice *d = g_new0(BenchDevice, 1);

    d->ram = ram;
    d->worker_count = workers - 1;
    start_workers(d);
    init_host(d);
    d->device = veu_device_new(&config, &d->gate.host);
    if (!d->device) {
        tool_error("the host is out of memory");
    }
    if (!d->device || !enable_ring(d)) {
        bench_device_free(d);
        return NULL;
    }
    return d;
}

void bench_device_set_context(BenchDevice *d, uint32_t offset, uint64_t value)
{
    bool is_wide = offset == VEU_REG_CONTEXT_ROOT ||
                   offset == VEU_REG_CONTEXT_INVALIDATE ||
                   offset == VEU_REG_CONTEXT_QUEUE ||
                   offset == VEU_REG_CONTEXT_RESPONSE;

    veu_device_write(d->device, VEU_CONTEXT_BLOCK + offset, value,
                     is_wide ? 8 : 4);
}

void bench_device_use_tables(BenchDevice *d, uint64_t root)
{
    bench_device_set_context(d, VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_TABLES);
    bench_device_set_context(d, VEU_REG_CONTEXT_ROOT, root);
    write_ring(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_RELOAD, 4);
}

void bench_device_free(BenchDevice *d)
{
    if (d) {
        stop_workers(d);
        veu_device_free(d->device);
        bench_gate_cleanup(&d->gate);
        g_free(d);
    }
}

static void fill_launch(const BenchWork *w, unsigned set, struct veu_launch *l)
{
    *l = (struct veu_launch){
        .simd = w->c->lanes < 8 ? 8 : w->c->lanes,
        .surface_table = w->surface_table,
        .surface_count = w->c->surfaces,
        .payload_address = w->payloads + (uint64_t)set * w->set_bytes,
        .payload_bytes = w->payload_bytes,
        .payload_stride = w->payload_stride,
        .exec_mask = UINT32_MAX,
        .threads = 1,
        .groups = w->c->threads,
    };
    if (w->c->kind->gives) {
        l->result_address = w->results;
        l->result_bytes = w->data_bytes;
        l->result_stride = w->data_bytes;
        l->result_offset = w->operands_bytes;
    }
}

void bench_device_push(BenchDevice *d, const void *command, uint32_t slots)
{
    const uint8_t *from = command;

    for (uint32_t i = 0; i < slots; i++) {
        uint64_t at = d->slots + d->tail++ % RING_SLOTS * VEU_SLOT_BYTES;

        memcpy(bench_ram_at(d->ram, at), from + i * VEU_SLOT_BYTES,
               VEU_SLOT_BYTES);
    }
}

static void push_dispatch(BenchDevice *d, const BenchWork *w, unsigned set)
{
    struct veu_command_dispatch command = {
        .header = { .opcode = VEU_COMMAND_DISPATCH, .slots = 2 },
    };

    fill_launch(w, set, &command.launch);
    command.launch.code_address = w->program;
    command.launch.code_bytes = w->program_bytes;
    bench_device_push(d, &command, 2);
}

static struct veu_variable variable(const BenchWork *w, bool is_data)
{
    BenchOperands operands = w->c->kind->operands;
    bool is_wide = is_data ?
                       strcmp(w->c->kind->data_type, "uq") == 0 :
                       operands == BENCH_ADDRESSES || operands == BENCH_ADDRESS;
    bool is_float = is_data && strcmp(w->c->kind->data_type, "f") == 0;

    return (struct veu_variable){
        .offset = is_data ? w->operands_bytes : 0,
        .elements = (is_data ? w->data_bytes : w->operand_bytes) /
                    (is_wide ? 8 : 4),
        .type = is_wide  ? VEU_TYPE_UQ :
                is_float ? VEU_TYPE_F :
                           VEU_TYPE_UD,
    };
}

static void push_messages(BenchDevice *d, const BenchWork *w, unsigned set)
{
    struct veu_command_message command = {
        .header = { .opcode = VEU_COMMAND_MESSAGE, .slots = 4 },
        .variables = { variable(w, false), variable(w, true) },
    };
    struct veu_launch *l = &command.launch;

    fill_launch(w, set, l);
    l->code_bytes = w->code->len;
    l->grf_bytes = 32;
    l->variable_count = 2;
    l->groups = 1;
    memcpy(command.message, w->code->data, w->code->len);
    for (uint32_t i = 0; i < w->c->threads; i++) {
        bench_device_push(d, &command, 4);
        l->payload_address += l->payload_stride;
        l->result_address += l->result_stride;
    }
}

void bench_device_fill(BenchDevice *d, const BenchWork *w, unsigned set)
{
    if (w->c->mode == BENCH_DISPATCH) {
        push_dispatch(d, w, set);
    } else {
        push_messages(d, w, set);
    }
    d->messages += bench_message_count(w->c);
}

static void run_batch(BenchDevice *d, uint64_t ready)
{
    for (unsigned turns = 0; ready && turns < BATCH_TURNS; turns++) {
        uint32_t ring = veu_device_pick(d->device, ready);

        if (veu_ring_step(d->device, ring, STEP_BUDGET) != VEU_STEP_MORE) {
            ready &= ~(UINT64_C(1) << ring);
        }
        bench_gate_end_turn(&d->gate);
    }
    d->gate.host.flush(&d->gate.host);
}

void bench_device_run(BenchDevice *d)
{
    struct veu_ring_shared *shared = bench_ram_at(d->ram, d->shared);
    uint64_t ready;

    __atomic_store_n(&shared->tail, d->tail, __ATOMIC_RELEASE);
    while ((ready = veu_device_ready(d->device))) {
        run_batch(d, ready);
    }
}

static uint64_t count_messages(BenchDevice *d)
{
    veu_device_write(d->device, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT,
                     4);
    return veu_device_read(d->device, VEU_REG_COUNTER_MESSAGES, 8);
}

bool bench_device_is_good(BenchDevice *d, const char *name)
{
    uint32_t code = read_ring(d, VEU_REG_RING_LAST_FAULT);
    const VeuFaultInfo *fault = code ? veu_fault_info(code) : NULL;

    return !code || tool_error("%s: the device reported fault %s, detail 0x%x",
                               name, fault ? fault->name : "?",
                               read_ring(d, VEU_REG_RING_LAST_DETAIL));
}

bool bench_device_check(BenchDevice *d, const BenchWork *w)
{
    g_autofree char *name = bench_case_name(w->c);
    uint64_t messages = count_messages(d);

    if (!bench_device_is_good(d, name)) {
        return false;
    }
    return messages == d->messages ||
           tool_error("%s: the device ran %" G_GUINT64_FORMAT
                      " messages, not %" G_GUINT64_FORMAT,
                      name, messages, d->messages);
}
