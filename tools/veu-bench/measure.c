/*
 * veu-bench: measuring.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * In each round, the device and all loops have a turn, so that other work on
 * the machine affects all of them equally. A payload is used again only after
 * all payloads have had their turn, so that data in the cache does not help.
 */
#include <string.h>
#include "tools/veu-bench/bench.h"

/* Results are compared if they are in at most this many bytes. */
#define MAX_COMPARED (4u << 20)
/* The least number of messages submitted at a time. */
#define RUN_MESSAGES 1024
#define MAX_ROUNDS   64

typedef struct Trial {
    BenchRam *ram;
    BenchWork work;
    BenchDevice *device;
    uint64_t next_set;
    uint8_t *data; /* registers that loops write */
} Trial;

static unsigned take_set(Trial *t)
{
    return t->next_set++ % t->work.sets;
}

/* --- The device ---------------------------------------------------------- */

/* Nanoseconds for @sets sets; commands are written before the clock starts. */
static double time_device(Trial *t, unsigned sets)
{
    unsigned together = MAX(1, RUN_MESSAGES / bench_message_count(t->work.c));
    double ns = 0;

    for (unsigned done = 0; done < sets; done += together) {
        double start;

        for (unsigned i = done; i < sets && i < done + together; i++) {
            bench_device_fill(t->device, &t->work, take_set(t));
        }
        start = bench_now_ns();
        bench_device_run(t->device);
        ns += bench_now_ns() - start;
    }
    return ns;
}

/* --- The loops ----------------------------------------------------------- */

static BenchLoop make_loop(const Trial *t, unsigned set, uint32_t thread)
{
    const BenchWork *w = &t->work;
    uint64_t payload = w->payloads + (uint64_t)set * w->set_bytes +
                       (uint64_t)thread * w->payload_stride +
                       sizeof(struct veu_payload_header);
    uint8_t *registers = bench_ram_at(t->ram, payload);

    return (BenchLoop){
        .operands = registers,
        .operand_bytes = w->operand_bytes,
        .messages = w->c->messages,
        .lanes = w->c->lanes,
        .data = w->c->kind->takes ? registers + w->operands_bytes : t->data,
        .memory = bench_ram_at(t->ram, w->memory),
        .bytes = w->memory_bytes,
        .start = w->memory,
        .width = w->width,
        .height = w->height,
        .pitch = w->surface.pitch,
    };
}

static void run_loop(Trial *t, BenchRun *run, unsigned set)
{
    for (uint32_t thread = 0; thread < t->work.c->threads; thread++) {
        BenchLoop loop = make_loop(t, set, thread);

        run(&loop);
    }
}

static double time_loop(Trial *t, BenchRun *run, unsigned sets)
{
    double start = bench_now_ns();

    for (unsigned i = 0; i < sets; i++) {
        run_loop(t, run, take_set(t));
    }
    return bench_now_ns() - start;
}

/* --- comparison ---------------------------------------------------------- */

/*
 * Runs @run on set 0. Returns true if registers and memory are as the device
 * left them.
 */
static bool same_as_device(Trial *t, BenchRun *run, const uint8_t *memory,
                           const uint8_t *results)
{
    const BenchWork *w = &t->work;
    bool same = true;

    bench_work_fill(w, t->ram);
    for (uint32_t thread = 0; thread < w->c->threads; thread++) {
        BenchLoop loop = make_loop(t, 0, thread);

        run(&loop);
        same &= !loop.failed &&
                (!w->c->kind->gives ||
                 !memcmp(loop.data, results + thread * w->data_bytes,
                         w->data_bytes));
    }
    return same &&
           !memcmp(memory, bench_ram_at(t->ram, w->memory), w->memory_bytes);
}

/* With two workers, either thread may write last. */
static bool can_compare(const Trial *t)
{
    return t->work.memory_bytes <= MAX_COMPARED && t->work.c->workers == 1;
}

static bool compare(Trial *t)
{
    const BenchWork *w = &t->work;
    g_autofree uint8_t *memory = NULL;
    g_autofree uint8_t *results = NULL;

    bench_partners_swap(w, t->ram);
    bench_device_fill(t->device, w, 0);
    bench_device_run(t->device);
    bench_partners_swap(w, t->ram);
    memory = g_memdup2(bench_ram_at(t->ram, w->memory), w->memory_bytes);
    results = g_memdup2(bench_ram_at(t->ram, w->results),
                        (uint64_t)w->data_bytes * w->c->threads);
    for (unsigned i = 0; i < BENCH_FLAVOURS; i++) {
        BenchRun *run = bench_loop(i, w->c->kind->loop);

        if (run && !same_as_device(t, run, memory, results)) {
            g_autofree char *name = bench_case_name(w->c);

            return tool_error("%s: the device and the %s loop have different "
                              "results: please report this",
                              name, bench_flavours[i].name);
        }
    }
    bench_work_fill(w, t->ram);
    return true;
}

/* --- Rounds -------------------------------------------------------------- */

typedef struct Samples {
    double ns[MAX_ROUNDS];
    unsigned count;
} Samples;

static void run_rounds(Trial *t, unsigned rounds, unsigned sets,
                       Samples *device, Samples loops[BENCH_FLAVOURS])
{
    for (unsigned round = 0; round < rounds; round++) {
        device->ns[device->count++] = time_device(t, sets);
        for (unsigned i = 0; i < BENCH_FLAVOURS; i++) {
            BenchRun *run = bench_loop(i, t->work.c->kind->loop);

            if (run) {
                loops[i].ns[loops[i].count++] = time_loop(t, run, sets);
            }
        }
    }
}

static BenchFlavour fastest(const BenchResult *result)
{
    BenchFlavour best = BENCH_VECTOR;

    for (unsigned i = BENCH_VECTOR; i < BENCH_FLAVOURS; i++) {
        if (result->loop[i].best_ns > 0 &&
            result->loop[i].best_ns < result->loop[best].best_ns) {
            best = i;
        }
    }
    return best;
}

/* The number of sets that takes as long as a sample should; also warms up. */
static unsigned sample_sets(Trial *t, const BenchEffort *effort)
{
    unsigned sets = MAX(1, RUN_MESSAGES / bench_message_count(t->work.c));
    double ns;

    time_device(t, sets);
    ns = time_device(t, sets);
    return sets * CLAMP(effort->sample_ns / ns, 1, 1000);
}

static void measure(Trial *t, const BenchEffort *effort, BenchResult *result)
{
    g_autofree Samples *loops = g_new0(Samples, BENCH_FLAVOURS);
    g_autofree Samples *device = g_new0(Samples, 1);
    unsigned sets = sample_sets(t, effort);
    double messages = (double)sets * bench_message_count(t->work.c);

    run_rounds(t, MIN(effort->rounds, MAX_ROUNDS), sets, device, loops);
    result->device = bench_figure(device->ns, device->count, messages);
    for (unsigned i = 0; i < BENCH_FLAVOURS; i++) {
        result->loop[i] = bench_figure(loops[i].ns, loops[i].count, messages);
    }
    result->simd = fastest(result);
}

static bool use_tables(Trial *t)
{
    uint64_t root = bench_tables_make(&t->work, t->ram);

    if (root) {
        bench_device_use_tables(t->device, root);
    }
    return root;
}

static bool trial_init(Trial *t, BenchRam *ram, const BenchCase *c)
{
    *t = (Trial){ .ram = ram };
    bench_ram_clear(ram);
    t->device = bench_device_new(ram, c->workers, true);
    if (!t->device || !bench_work_init(&t->work, c, ram)) {
        return false;
    }
    t->data = g_malloc0(t->work.data_bytes);
    return !c->page_bytes || use_tables(t);
}

static void trial_free(Trial *t)
{
    bench_device_free(t->device);
    bench_work_free(&t->work);
    g_free(t->data);
}

bool bench_measure(BenchRam *ram, const BenchCase *c, const BenchEffort *effort,
                   BenchResult *result)
{
    Trial t;
    bool ok = trial_init(&t, ram, c) && (!can_compare(&t) || compare(&t));

    *result = (BenchResult){ .c = *c };
    if (ok) {
        measure(&t, effort, result);
        ok = bench_device_check(t.device, &t.work);
    }
    trial_free(&t);
    return ok;
}

bool bench_once(BenchRam *ram, const BenchCase *c)
{
    Trial t;
    bool ok = trial_init(&t, ram, c);

    if (ok) {
        bench_device_fill(t.device, &t.work, 0);
        bench_device_run(t.device);
        ok = bench_device_check(t.device, &t.work);
    }
    trial_free(&t);
    return ok;
}
