/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * veu-paging-latency: what page tables cost those who share the device, and how
 * soon work restarts after a request for a page. Needs two processors: this one
 * measures, the other one is the driver that disturbs.
 *
 * All times are the device's: from TIME, and from the times of commands. Each
 * sample is so short that the host seldom takes a processor away within it, and
 * the states that are compared take turns. The command line: count=N samples of
 * each state.
 */
#include "veu_command.h"
#include "veu_encode.h"
#include "veu_guest.h"
#include "veu_program.h"
#include "veu_ring.h"
#include "veu_space.h"
#include "machine.h"
#include "samples.h"

#define SLOTS         64
#define RECORDS       128
#define LANES         8
#define DATA_PAGES    4
#define PAGE_BYTES    4096u
#define COPY_BYTES    (64u << 10)
#define COPIES        8 /* of a sample */
#define BLOCK         20
#define DEFAULT_COUNT 2000
#define MAX_COUNT     20000
#define MAX_STATES    3

/* Virtual addresses of context 1. */
#define LAUNCH UINT64_C(0x123400000000)
#define DATA   UINT64_C(0x123456789000)
#define BITS   (VEU_PAGE_READ | VEU_PAGE_WRITE)

struct paging {
    struct veu_device device;
    struct veu_ring near; /* ring 0, identity: it is measured */
    struct veu_ring far;  /* ring 1, page tables and requests */
    struct veu_space space;
    uint8_t *launch; /* a page: program, then a payload */
    uint8_t *data;   /* DATA_PAGES pages */
    uint8_t *from, *to;
    /* What the other processor does again and again, and how often it did. */
    void (*volatile other)(struct paging *p);
    volatile uint64_t turns;
    uint32_t count;
    uint64_t *samples[MAX_STATES];
};

/* ---- the other processor ---- */

static void be_quiet(struct paging *p)
{
    machine_pause();
}

static bool map_nothing(void *opaque, const struct veu_request *request)
{
    return true; /* the piece asks again */
}

/* A driver that responds and mends nothing, so that all ask again. */
static void respond(struct paging *p)
{
    p->turns += veu_space_serve(&p->space, map_nothing, p);
}

static void invalidate(struct paging *p)
{
    veu_space_invalidate(&p->space, DATA, 0);
    p->turns++;
}

/* As many accesses of registers as an invalidation is. */
static void read_registers(struct paging *p)
{
    veu_read32(&p->device, VEU_REG_MAGIC);
    veu_read32(&p->device, VEU_REG_MAGIC);
}

static void run_other(void *opaque)
{
    struct paging *p = opaque;

    for (;;) {
        p->other(p);
    }
}

/* ---- rings and work ---- */

static void check(enum veu_status status, const char *what)
{
    if (status) {
        machine_panic("paging: %s: %s\n", what, veu_status_text(status));
    }
}

static void start_ring(struct paging *p, struct veu_ring *ring, unsigned number)
{
    const struct veu_ring_config config = {
        .number = number,
        .context = number,
        .vector = number ? VEU_NO_VECTOR : 0,
        .slots = machine_alloc(SLOTS * VEU_SLOT_BYTES, 64),
        .slot_count = SLOTS,
        .shared = machine_alloc(sizeof(struct veu_ring_shared), 64),
        .times = machine_alloc(SLOTS * sizeof(struct veu_command_times), 64),
    };

    check(veu_ring_start(ring, &p->device, &config), "ring");
}

static void start_space(struct paging *p)
{
    const struct veu_space_config config = {
        .context = 1,
        .alloc = machine_alloc_page,
        .queue = machine_alloc(sizeof(struct veu_request_queue) +
                                   RECORDS * sizeof(struct veu_request),
                               64),
        .records = RECORDS,
        .vector = 1,
    };

    check(veu_space_start(&p->space, &p->device, &config), "space");
    check(veu_space_map(&p->space, LAUNCH, p->launch, PAGE_BYTES, BITS), "map");
}

static void set_message(struct paging *p, machine_handler *handler)
{
    struct machine_message message;

    if (!machine_set_message(handler, p, &message)) {
        machine_panic("paging: the machine takes no messages\n");
    }
    check(veu_msix_enable(&p->device), "MSI-X");
    for (unsigned vector = 0; vector < 2; vector++) {
        check(veu_msix_set(&p->device, vector, message.address, message.data),
              "MSI-X");
        veu_msix_mask(&p->device, vector, false);
    }
}

/* Groups without end, each of which counts in all pages of the data. */
static void put_endless(struct paging *p)
{
    struct veu_command_dispatch command;
    struct veu_program program;
    uint32_t addresses, bytes;
    uint8_t *payload = p->launch + PAGE_BYTES / 2;
    uint64_t *lanes;

    veu_program_begin(&program, p->launch, PAGE_BYTES / 2, 32);
    addresses = veu_program_variable(&program, VEU_TYPE_UQ, LANES);
    veu_encode_svm_atomic(&program.code, 0, VEU_ATOMIC_INC, 32, veu_m(1, LANES),
                          veu_v(addresses), VEU_NULL, VEU_NULL, VEU_NULL);
    bytes = veu_payload_bytes(&program);
    *(uint32_t *)payload = UINT32_MAX; /* exec_mask */
    lanes = (uint64_t *)veu_payload_registers(payload, &program);
    for (unsigned i = 0; i < LANES; i++) {
        lanes[i] = DATA + i % DATA_PAGES * PAGE_BYTES + i * 4;
    }
    command = veu_make_dispatch(1, (void *)LAUNCH, veu_program_end(&program),
                                LANES);
    veu_launch_payload(&command.launch, (void *)(LAUNCH + PAGE_BYTES / 2),
                       bytes);
    command.launch.payload_stride = 0;
    command.launch.threads = p->device.limits.threads;
    command.launch.groups = p->device.limits.groups;
    check(veu_ring_put(&p->far, &command.header), "dispatch");
    veu_ring_submit(&p->far);
}

static void pause_far(struct paging *p, bool pause)
{
    unsigned control = veu_ring_register(1, VEU_REG_RING_CONTROL);

    veu_write32(&p->device, control,
                VEU_RING_ENABLE | (pause ? VEU_RING_PAUSE : 0));
    veu_read32(&p->device, control);
}

static void wait_near(struct paging *p)
{
    while (veu_ring_head(&p->near) != p->near.tail) {
        machine_pause();
    }
}

/* ---- states of a measurement ---- */

struct state {
    const char *name;
    void (*enter)(struct paging *p);
};

struct measurement {
    const char *name;
    struct state states[MAX_STATES];
    uint64_t (*sample)(struct paging *p); /* ns */
};

static void enter_alone(struct paging *p)
{
    p->other = be_quiet;
    pause_far(p, true);
}

static void enter_beside_work(struct paging *p)
{
    check(veu_space_map(&p->space, DATA, p->data, DATA_PAGES * PAGE_BYTES,
                        BITS),
          "map");
    p->other = respond; /* to what was open; then there is nothing to do */
    pause_far(p, false);
    machine_delay_us(100);
}

static void enter_beside_storm(struct paging *p)
{
    p->other = respond;
    pause_far(p, false);
    veu_space_unmap(&p->space, DATA, DATA_PAGES * PAGE_BYTES);
    machine_delay_us(100);
}

static void enter_quiet(struct paging *p)
{
    p->other = be_quiet;
}

static void enter_reading(struct paging *p)
{
    p->other = read_registers;
}

static void enter_invalidating(struct paging *p)
{
    p->other = invalidate;
}

/* From before the submit until the device is done. */
static uint64_t sample_nop(struct paging *p)
{
    struct veu_command_nop nop = veu_make_nop(0);
    uint32_t slot = p->near.tail;
    uint64_t start;

    nop.header.flags = VEU_COMMAND_TIMES;
    check(veu_ring_put(&p->near, &nop.header), "nop");
    start = veu_time(&p->device);
    veu_ring_submit(&p->near);
    wait_near(p);
    return veu_ring_times(&p->near, slot)->end_ns - start;
}

/* From the begin of the first copy to the end of the last one. */
static uint64_t sample_copies(struct paging *p)
{
    struct veu_command_copy copy = veu_make_copy(0, p->to, p->from, COPY_BYTES);
    uint32_t first = p->near.tail;

    copy.header.flags = VEU_COMMAND_TIMES;
    for (unsigned i = 0; i < COPIES; i++) {
        check(veu_ring_put(&p->near, &copy.header), "copy");
    }
    veu_ring_submit(&p->near);
    wait_near(p);
    return veu_ring_times(&p->near, first + COPIES - 1)->end_ns -
           veu_ring_times(&p->near, first)->begin_ns;
}

/* ---- requests ---- */

static bool provide(void *opaque, const struct veu_request *request)
{
    struct paging *p = opaque;

    return veu_space_map(&p->space, request->address, p->data, PAGE_BYTES,
                         BITS) == VEU_OK;
}

/* A FENCE to a page that is not mapped: its time, with all that paging is. */
static uint64_t run_missing_fence(struct paging *p,
                                  void (*serve)(struct paging *))
{
    struct veu_command_fence fence = veu_make_fence(0, (void *)DATA, 1);
    uint32_t slot = p->far.tail;

    veu_space_unmap(&p->space, DATA, PAGE_BYTES);
    fence.header.flags = VEU_COMMAND_TIMES;
    check(veu_ring_put(&p->far, &fence.header), "fence");
    veu_ring_submit(&p->far);
    while (veu_ring_head(&p->far) != p->far.tail) {
        serve(p);
    }
    return veu_ring_times(&p->far, slot)->end_ns -
           veu_ring_times(&p->far, slot)->begin_ns;
}

static void serve_polling(struct paging *p)
{
    veu_space_serve(&p->space, provide, p);
}

static volatile uint64_t handled_ns;

/* The handler of both vectors notes the time, and serves requests. */
static void handle(void *opaque)
{
    struct paging *p = opaque;

    handled_ns = veu_time(&p->device);
    veu_space_serve(&p->space, provide, p);
}

static void serve_by_interrupt(struct paging *p)
{
    machine_pause();
}

static uint64_t sample_polling(struct paging *p)
{
    return run_missing_fence(p, serve_polling);
}

static uint64_t sample_by_interrupt(struct paging *p)
{
    uint64_t ns;

    machine_interrupts_on();
    ns = run_missing_fence(p, serve_by_interrupt);
    machine_interrupts_off();
    return ns;
}

/* From the end of a command to its interrupt's handler: no driver is faster. */
static uint64_t sample_interrupt(struct paging *p)
{
    struct veu_command_nop nop = veu_make_nop(0);
    uint32_t slot = p->near.tail;

    nop.header.flags = VEU_COMMAND_TIMES | VEU_COMMAND_INTERRUPT;
    check(veu_ring_put(&p->near, &nop.header), "nop");
    handled_ns = 0;
    machine_interrupts_on();
    veu_ring_submit(&p->near);
    while (!handled_ns) {
        machine_pause();
    }
    machine_interrupts_off();
    return handled_ns - veu_ring_times(&p->near, slot)->end_ns;
}

/* ---- measuring ---- */

static const struct measurement neighbour = {
    "NOP",
    { { "alone", enter_alone },
      { "beside work", enter_beside_work },
      { "beside a storm of requests", enter_beside_storm } },
    sample_nop,
};

/* Ring 1 has no work of its own. */
static const struct measurement others[] = {
    { "8 copies of 64 KiB",
      { { "alone", enter_quiet },
        { "beside reads of registers", enter_reading },
        { "beside invalidations", enter_invalidating } },
      sample_copies },
    { "request to restart, polling", { { "", enter_quiet } }, sample_polling },
    { "command to interrupt", { { "", enter_quiet } }, sample_interrupt },
    { "request to restart, by interrupt",
      { { "", enter_quiet } },
      sample_by_interrupt },
};

static void report(struct paging *p, const struct measurement *m, unsigned n)
{
    uint64_t *ns = p->samples[n];

    samples_sort(ns, p->count);
    machine_print("paging: %s%s%s: 10%% %lu median %lu 90%% %lu 99%% %lu ns\n",
                  m->name, *m->states[n].name ? ", " : "", m->states[n].name,
                  ns[p->count / 10], ns[p->count / 2], ns[p->count * 9ul / 10],
                  ns[p->count * 99ul / 100]);
}

static void measure(struct paging *p, const struct measurement *m)
{
    for (uint32_t done = 0; done < p->count; done += BLOCK) {
        for (unsigned n = 0; n < MAX_STATES && m->states[n].name; n++) {
            m->states[n].enter(p);
            m->sample(p);
            for (uint32_t i = done; i < done + BLOCK; i++) {
                p->samples[n][i] = m->sample(p);
            }
        }
    }
    for (unsigned n = 0; n < MAX_STATES && m->states[n].name; n++) {
        report(p, m, n);
    }
}

static void start(struct paging *p)
{
    check(veu_open(&p->device, &(struct veu_open_options){ 0 }), "device");
    p->launch = machine_alloc(PAGE_BYTES, PAGE_BYTES);
    p->data = machine_alloc(DATA_PAGES * PAGE_BYTES, PAGE_BYTES);
    p->from = machine_alloc(COPY_BYTES, PAGE_BYTES);
    p->to = machine_alloc(COPY_BYTES, PAGE_BYTES);
    for (unsigned n = 0; n < MAX_STATES; n++) {
        p->samples[n] = machine_alloc(p->count * sizeof(uint64_t), 64);
    }
    set_message(p, handle);
    start_space(p);
    start_ring(p, &p->near, 0);
    start_ring(p, &p->far, 1);
    p->other = be_quiet;
    if (machine_processors() < 2 || !machine_start_processor(1, run_other, p)) {
        machine_panic("paging: there is no second processor\n");
    }
}

int program_main(const char *command_line)
{
    static struct paging p;

    p.count = samples_count(command_line, DEFAULT_COUNT, MAX_COUNT);
    p.count = (p.count + BLOCK - 1) / BLOCK * BLOCK;
    start(&p);
    put_endless(&p);
    measure(&p, &neighbour);
    machine_print("paging: %lu responses\n", p.turns);
    /* The endless dispatch ends; new entries need no invalidation. */
    p.other = be_quiet;
    p.turns = 0;
    machine_delay_us(1000);
    start_ring(&p, &p.far, 1);
    for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        measure(&p, &others[i]);
    }
    machine_print("paging: %lu invalidations\npaging: done, %u samples\n",
                  p.turns, p.count);
    return 0;
}
