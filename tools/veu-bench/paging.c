/*
 * veu-bench: the command `paging`: walks, invalidations and requests.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Times are processor times of one thread that is driver and device in turns.
 * They include neither other work on the machine nor the time to wake a thread.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tools/lib/json.h"
#include "tools/veu-bench/bench.h"

static const char summary[] =
    "Measures walks of page tables, invalidations and requests for pages on\n"
    "the device model, without QEMU. The manual page veu-bench(1) says what\n"
    "each case is.";

#define PAGES     4000u /* one FENCE for each fits into the ring */
#define LANES     16
#define GROUPS    64
#define RECORDS   4096
#define RAM_BYTES (UINT64_C(256) << 20)
#define RUNS      31
#define BITS      (VEU_PAGE_VALID | VEU_PAGE_READ | VEU_PAGE_WRITE)

typedef struct Paging {
    BenchRam ram;
    BenchCase c;
    BenchWork work;
    BenchDevice *device;
    uint64_t root;
    uint64_t queue;
    uint32_t head;
    uint32_t groups;       /* that were served */
    uint32_t order[PAGES]; /* pages, shuffled */
} Paging;

static uint64_t address_of(const Paging *p, unsigned page)
{
    return p->work.memory + (uint64_t)page * BENCH_PAGE_BYTES;
}

/* ---- the driver ---- */

static void set_entry(const Paging *p, uint64_t address, uint64_t bits)
{
    uint64_t *entry = bench_tables_entry(&p->ram, p->root, address);

    __atomic_store_n(entry, address | bits, __ATOMIC_RELEASE);
}

static void invalidate_all(const Paging *p)
{
    bench_device_set_context(p->device, VEU_REG_CONTEXT_INVALIDATE,
                             VEU_INVALIDATE(0, VEU_INVALIDATE_ALL));
}

static void unmap_all(const Paging *p)
{
    for (unsigned page = 0; page < PAGES; page++) {
        set_entry(p, address_of(p, page), 0);
    }
    invalidate_all(p);
}

/* Maps the requested pages. */
static void serve(Paging *p)
{
    struct veu_request_queue *queue = bench_ram_at(&p->ram, p->queue);
    const struct veu_request *records = (const void *)(queue + 1);

    while (p->head != __atomic_load_n(&queue->tail, __ATOMIC_ACQUIRE)) {
        const struct veu_request *r = &records[p->head++ % RECORDS];

        set_entry(p, r->address, BITS);
        if (r->flags & VEU_REQUEST_LAST) {
            __atomic_store_n(&queue->head, p->head, __ATOMIC_RELEASE);
            bench_device_set_context(p->device, VEU_REG_CONTEXT_RESPONSE,
                                     r->id);
            p->groups++;
        }
    }
}

static bool is_asked(const Paging *p)
{
    const struct veu_request_queue *queue = bench_ram_at(&p->ram, p->queue);

    return p->head != queue->tail;
}

static void run_and_serve(Paging *p)
{
    do {
        bench_device_run(p->device);
        serve(p);
    } while (is_asked(p));
    bench_device_run(p->device);
}

static void push_fence(const Paging *p, unsigned page)
{
    const struct veu_command_fence fence = {
        .header = { .opcode = VEU_COMMAND_FENCE, .slots = 1 },
        .address = address_of(p, page),
    };

    bench_device_push(p->device, &fence, 1);
}

/* ---- what is measured: ns of one ---- */

/* Runs FENCEs to this many pages, in random order. */
static double run_fences(Paging *p)
{
    double start;

    for (unsigned i = 0; i < PAGES; i++) {
        push_fence(p, p->order[i]);
    }
    start = bench_cpu_ns();
    bench_device_run(p->device);
    return (bench_cpu_ns() - start) / PAGES;
}

/*
 * The tables of the pages take 32 KiB. Other work on the machine costs more
 * than a walk, so this takes the best of both runs.
 */
static double measure_walk(Paging *p)
{
    double warm = run_fences(p);
    double cold = HUGE_VAL;

    for (unsigned i = 0; i < RUNS; i++) {
        warm = MIN(warm, run_fences(p));
        invalidate_all(p);
        cold = MIN(cold, run_fences(p));
        run_fences(p);
    }
    return cold - warm;
}

static double measure_invalidation(Paging *p)
{
    double start;

    run_fences(p);
    start = bench_cpu_ns();
    for (unsigned i = 0; i < PAGES; i++) {
        bench_device_set_context(p->device, VEU_REG_CONTEXT_INVALIDATE,
                                 VEU_INVALIDATE(address_of(p, p->order[i]), 0));
    }
    return (bench_cpu_ns() - start) / PAGES;
}

/*
 * Measures from the miss of a FENCE, through record and response, to its
 * completion.
 */
static double measure_request(Paging *p)
{
    const unsigned count = 256;
    double start;

    unmap_all(p);
    start = bench_cpu_ns();
    for (unsigned i = 0; i < count; i++) {
        push_fence(p, p->order[i]);
        run_and_serve(p);
    }
    return (bench_cpu_ns() - start) / count;
}

/* A dispatch whose pages are all missing, in eight group runners. */
static double measure_groups(Paging *p)
{
    double start;

    unmap_all(p);
    p->groups = 0;
    bench_device_fill(p->device, &p->work, 0);
    start = bench_cpu_ns();
    run_and_serve(p);
    return (bench_cpu_ns() - start) / MAX(p->groups, 1);
}

static const struct {
    const char *name;
    double (*measure)(Paging *p);
} cases[] = {
    { "walk", measure_walk },
    { "invalidation", measure_invalidation },
    { "request", measure_request },
    { "request/runners", measure_groups },
};

/* ---- setting up ---- */

static void shuffle(Paging *p)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);

    for (unsigned i = 0; i < PAGES; i++) {
        unsigned at = g_rand_int_range(rand, 0, i + 1);

        p->order[i] = p->order[at];
        p->order[at] = i;
    }
}

static bool start(Paging *p)
{
    uint64_t bytes = sizeof(struct veu_request_queue) +
                     RECORDS * sizeof(struct veu_request);

    p->c = (BenchCase){
        .kind = bench_kind_find("svm_gather"),
        .lanes = LANES,
        .footprint = UINT64_C(16) << 20,
        .messages = 1,
        .threads = GROUPS,
        .page_bytes = BENCH_PAGE_BYTES,
        .workers = 1,
    };
    p->device = bench_device_new(&p->ram, 1, true);
    if (!p->device || !bench_work_init(&p->work, &p->c, &p->ram)) {
        return false;
    }
    /* pages are in their own places */
    g_clear_pointer(&p->work.partners, g_free);
    p->queue = bench_ram_take(&p->ram, bytes, BENCH_PAGE_BYTES);
    p->root = p->queue ? bench_tables_make(&p->work, &p->ram) : 0;
    if (!p->root) {
        return false;
    }
    memset(bench_ram_at(&p->ram, p->queue), 0, bytes);
    bench_device_set_context(p->device, VEU_REG_CONTEXT_QUEUE_RECORDS, RECORDS);
    bench_device_set_context(p->device, VEU_REG_CONTEXT_QUEUE, p->queue);
    bench_device_set_context(p->device, VEU_REG_CONTEXT_OPTIONS,
                             VEU_CONTEXT_REQUESTS);
    bench_device_use_tables(p->device, p->root);
    shuffle(p);
    return true;
}

/* The median. */
static double run_case(Paging *p, double (*measure)(Paging *p))
{
    double ns[RUNS];

    run_and_serve(p);
    measure(p);
    for (unsigned i = 0; i < RUNS; i++) {
        ns[i] = measure(p);
    }
    return bench_figure(ns, RUNS, 1).median_ns;
}

static void print_text(const double *ns)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        printf("%-16s %9.1f ns %12.0f a second\n", cases[i].name, ns[i],
               1e9 / ns[i]);
    }
}

static void print_json(const double *ns)
{
    g_autofree char *text = NULL;
    Json json;

    json_init(&json);
    json_object(&json, NULL);
    json_array(&json, "cases");
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_row(&json, NULL);
        json_string(&json, "case", cases[i].name);
        json_double(&json, "ns", ns[i]);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
    text = json_finish(&json);
    puts(text);
}

static bool run_cases(Paging *p, bool json)
{
    double ns[G_N_ELEMENTS(cases)];

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        ns[i] = run_case(p, cases[i].measure);
    }
    if (!bench_device_is_good(p->device, "paging")) {
        return false;
    }
    (json ? print_json : print_text)(ns);
    return true;
}

static bool run(bool json)
{
    Paging *p = g_new0(Paging, 1);
    bool good = bench_ram_init(&p->ram, RAM_BYTES) && start(p) &&
                run_cases(p, json);

    bench_device_free(p->device);
    bench_work_free(&p->work);
    bench_ram_free(&p->ram);
    g_free(p);
    return good;
}

int bench_paging(int argc, char **argv)
{
    gboolean json = false;
    const GOptionEntry entries[] = {
        { "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON", NULL },
        { NULL, 0, 0, 0, NULL, NULL, NULL },
    };
    GOptionContext *context = g_option_context_new(NULL);

    g_set_prgname("veu-bench paging");
    g_option_context_set_summary(context, summary);
    if (!tool_parse_options(context, entries, &argc, &argv)) {
        return 2;
    }
    if (argc > 1) {
        tool_error("'%s': only options are accepted", argv[1]);
        return 2;
    }
    return run(json) ? 0 : 1;
}
