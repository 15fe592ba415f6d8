/*
 * veu-bench: compiled kernels beside another implementation of OpenCL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <string.h>
#include "tools/veu-bench/kernels_work.h"

/*
 * Tolerances, relative to the element, and to the largest element for sums that
 * cancel.
 */
#define TOLERANCE          1e-3f
#define TOLERANCE_OF_LARGE 1e-4f

typedef struct Pair {
    const KernelCase *c;
    const KernelSuite *s;
    KernelWork work;
    KernelWork other; /* the same with one worker, for two_workers */
    char *source;     /* OpenCL C */
    KernelPeer *peer; /* NULL: not installed */
    KernelPeerRun *run;
    double (*now)(void); /* ns of processor time, or of elapsed time */
} Pair;

static unsigned launches(const KernelSuite *s)
{
    return MAX(s->launches, 1);
}

static double work_items(const KernelSuite *s)
{
    return (double)s->global[0] * s->global[1] * s->global[2];
}

/* --- The peer ------------------------------------------------------------ */

static bool build_peer(Pair *p)
{
    p->run = kernel_peer_build(p->peer, p->source, p->s->kernel);
    if (!p->run) {
        return false;
    }
    for (unsigned i = 0; i < p->work.arguments; i++) {
        const KernelArgument *a = &p->work.argument[i];

        if (!(a->address ? kernel_peer_buffer(p->run, i, a->data, a->bytes) :
                           kernel_peer_value(p->run, i, a->data, a->bytes))) {
            return false;
        }
    }
    return true;
}

static bool fill_peer(Pair *p)
{
    bool good = true;

    for (unsigned i = 0; i < p->work.arguments; i++) {
        const KernelArgument *a = &p->work.argument[i];

        good &= !a->address || kernel_peer_write(p->run, i, a->data, a->bytes);
    }
    return good;
}

static bool run_peer(Pair *p)
{
    return kernel_peer_run(p->run, p->s->global, p->s->local, launches(p->s));
}

/* --- comparison ---------------------------------------------------------- */

static float largest(const float *x, uint64_t count)
{
    float most = 0;

    for (uint64_t i = 0; i < count; i++) {
        most = MAX(most, fabsf(x[i]));
    }
    return most;
}

static bool near(const float *x, const float *y, uint64_t count)
{
    float margin = largest(x, count) * TOLERANCE_OF_LARGE;

    for (uint64_t i = 0; i < count; i++) {
        if (!(fabsf(x[i] - y[i]) <=
              margin + TOLERANCE * MAX(fabsf(x[i]), fabsf(y[i])))) {
            return false;
        }
    }
    return true;
}

static bool same_buffer(Pair *p, unsigned index)
{
    const KernelArgument *a = &p->work.argument[index];
    const void *ours = bench_ram_at(&p->work.guest.ram, a->address);
    g_autofree uint8_t *theirs = g_malloc(a->bytes);

    if (!kernel_peer_read(p->run, index, theirs, a->bytes)) {
        return false;
    }
    return !memcmp(ours, theirs, a->bytes) ||
           (p->s->is_rounded &&
            near(ours, (const float *)theirs, a->bytes / 4)) ||
           tool_error("%s: the device and %s have different results in "
                      "argument %u: please report this",
                      p->c->name, kernel_peer_name(p->s->peer), index);
}

/* Both have run once. */
static bool same(Pair *p)
{
    for (unsigned i = 0; i < p->work.arguments; i++) {
        if (p->work.argument[i].address && !same_buffer(p, i)) {
            return false;
        }
    }
    return true;
}

static bool compare(Pair *p)
{
    kernel_work_fill(&p->work);
    return kernel_work_run(&p->work, launches(p->s)) && run_peer(p) && same(p);
}

/* --- Samples ------------------------------------------------------------- */

static double sample_device(void *opaque)
{
    Pair *p = opaque;
    double begin;

    kernel_work_fill(&p->work);
    begin = p->now();
    return kernel_work_run(&p->work, launches(p->s)) ? p->now() - begin : -1;
}

static double sample_other(void *opaque)
{
    Pair *p = opaque;
    double begin;

    kernel_work_fill(&p->other);
    begin = p->now();
    return kernel_work_run(&p->other, 1) ? p->now() - begin : -1;
}

/* A peer computes in a thread of its own. */
static double begin_peer(void)
{
    bench_settle_ns();
    return bench_cpu_ns();
}

static double end_peer(void)
{
    double settle_ns = bench_settle_ns();

    return bench_cpu_ns() - settle_ns;
}

static double sample_peer(void *opaque)
{
    Pair *p = opaque;
    double begin;

    if (!fill_peer(p)) {
        return -1;
    }
    begin = begin_peer();
    return run_peer(p) ? end_peer() - begin : -1;
}

/* Measures from the zebin's bytes to the end of the kernel. */
static double sample_first(void *opaque)
{
    Pair *p = opaque;
    double ns = bench_cpu_ns();
    bool good = kernel_work_load(&p->work) && kernel_work_run(&p->work, 1);

    ns = bench_cpu_ns() - ns;
    kernel_work_unload(&p->work);
    return good ? ns : -1;
}

/* Measures from the source, which is what the peer starts with. */
static double sample_peer_first(void *opaque)
{
    Pair *p = opaque;
    double ns = begin_peer();
    bool good = build_peer(p) && run_peer(p);

    ns = end_peer() - ns;
    g_clear_pointer(&p->run, kernel_peer_free);
    return good ? ns : -1;
}

/* --- Cases --------------------------------------------------------------- */

static bool pair_init(Pair *p, const KernelCase *c, unsigned workers)
{
    const KernelSuite *s = c->detail;
    g_autoptr(GBytes) file = kernel_work_file(s->kernel, "cl");
    size_t bytes;
    const char *text = g_bytes_get_data(file, &bytes);

    *p = (Pair){
        .c = c,
        .s = s,
        .peer = kernel_peer(s->peer),
        .now = workers > 1 ? bench_now_ns : bench_cpu_ns,
    };
    p->source = g_strndup(text, bytes);
    return kernel_work_init(&p->work, s, workers);
}

static void pair_free(Pair *p)
{
    kernel_peer_free(p->run);
    kernel_work_free(&p->work);
    kernel_work_free(&p->other);
    g_free(p->source);
}

static void add_peer(Pair *p, KernelMeter *m, KernelSample *sample,
                     double units)
{
    if (p->peer) {
        m->result->peer = kernel_peer_name(p->s->peer);
        kernel_meter_add(m, KERNEL_PEER, sample, p, units);
    }
}

bool kernel_measure_suite(const KernelCase *c, KernelMeter *m)
{
    const KernelSuite *s = c->detail;
    double units = s->launches ? s->launches : work_items(s);
    bool good;
    Pair p;

    good = pair_init(&p, c, 1) && kernel_work_load(&p.work) &&
           (!p.peer || (build_peer(&p) && compare(&p)));
    if (good) {
        kernel_meter_add(m, KERNEL_DEVICE, sample_device, &p, units);
        add_peer(&p, m, sample_peer, units);
        good = kernel_meter_run(m);
    }
    pair_free(&p);
    return good;
}

bool kernel_measure_first(const KernelCase *c, KernelMeter *m)
{
    bool good;
    Pair p;

    good = pair_init(&p, c, 1);
    if (good) {
        kernel_meter_add(m, KERNEL_DEVICE, sample_first, &p, 1);
        add_peer(&p, m, sample_peer_first, 1);
        good = kernel_meter_run(m);
    }
    pair_free(&p);
    return good;
}

/* Two workers, compared with the device with one. */
bool kernel_measure_workers(const KernelCase *c, KernelMeter *m)
{
    double units = work_items(c->detail);
    bool good;
    Pair p;

    good = pair_init(&p, c, 2) && kernel_work_load(&p.work) &&
           kernel_work_init(&p.other, c->detail, 1) &&
           kernel_work_load(&p.other);
    if (good) {
        m->result->peer = "1 worker";
        kernel_meter_add(m, KERNEL_DEVICE, sample_device, &p, units);
        kernel_meter_add(m, KERNEL_PEER, sample_other, &p, units);
        good = kernel_meter_run(m);
    }
    pair_free(&p);
    return good;
}
