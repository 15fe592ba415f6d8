/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The measurements, all of which run in ring 3.
 */
#include "latency.h"
#include "samples.h"

/* The two devices take turns, each with this many samples. */
#define BLOCKS  8
/* Submits before each block, so that the thread is awake. */
#define WARM_UP 32

#define CALIBRATE_NS 50000000ull

/* --- Samples: ticks from the submit -------------------------------------- */

static uint64_t veu_completion(struct latency *l)
{
    uint64_t start = machine_ticks();

    veu_ring_submit(&l->ring);
    while (veu_ring_head(&l->ring) != l->ring.tail) {}
    return machine_ticks() - start;
}

static uint64_t veu_nop(struct latency *l)
{
    struct veu_command_nop nop = veu_make_nop(0);

    veu_ring_put(&l->ring, &nop.header);
    return veu_completion(l);
}

static uint64_t veu_message(struct latency *l)
{
    veu_ring_put(&l->ring, &l->message.header);
    return veu_completion(l);
}

static uint64_t veu_interrupt(struct latency *l)
{
    struct veu_command_nop nop = veu_make_nop(0);
    uint32_t before = latency_interrupts;
    uint64_t start;

    nop.header.flags = VEU_COMMAND_INTERRUPT;
    veu_ring_put(&l->ring, &nop.header);
    start = machine_ticks();
    veu_ring_submit(&l->ring);
    while (latency_interrupts == before) {}
    return latency_interrupt_tsc - start;
}

static uint32_t floor_next(const struct latency *l)
{
    return l->floor.shared->tail + 1;
}

static void floor_store(struct latency *l, uint32_t tail)
{
    __atomic_store_n(&l->floor.shared->tail, tail, __ATOMIC_RELEASE);
}

static void floor_wait(struct latency *l, uint32_t tail)
{
    while (__atomic_load_n(&l->floor.shared->head, __ATOMIC_ACQUIRE) != tail) {}
}

static uint64_t floor_spin(struct latency *l)
{
    uint32_t tail = floor_next(l);
    uint64_t start = machine_ticks();

    floor_store(l, tail);
    floor_wait(l, tail);
    return machine_ticks() - start;
}

/*
 * The work of a ring's driver: store a command, store the tail, fence, read
 * asleep.
 */
static uint64_t floor_copy(struct latency *l)
{
    struct floor_shared *shared = l->floor.shared;
    struct veu_command_nop nop = veu_make_nop(0);
    uint32_t tail = floor_next(l);
    uint64_t start;

    __builtin_memcpy(shared->slots[(tail - 1) % FLOOR_SLOTS], &nop,
                     sizeof(nop));
    start = machine_ticks();
    floor_store(l, tail);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&shared->asleep, __ATOMIC_RELAXED)) {
        floor_wait(l, tail);
    }
    return machine_ticks() - start;
}

static uint64_t floor_wake(struct latency *l)
{
    uint32_t tail = floor_next(l);
    uint64_t start = machine_ticks();

    floor_store(l, tail);
    veu_port_write32(l->floor.regs + FLOOR_DOORBELL, 1);
    floor_wait(l, tail);
    return machine_ticks() - start;
}

static uint64_t floor_interrupt(struct latency *l)
{
    uint32_t tail = floor_next(l);
    uint32_t before = latency_interrupts;
    uint64_t start = machine_ticks();

    floor_store(l, tail);
    while (latency_interrupts == before) {}
    return latency_interrupt_tsc - start;
}

const struct latency_row latency_rows[] = {
    { "awake", FLOOR_SPIN, veu_nop, floor_spin, 0 },
    { "awake, floor copies", FLOOR_COPY, veu_nop, floor_copy, 0 },
    { "awake, message", FLOOR_SPIN, veu_message, floor_spin, 0 },
    { "asleep", FLOOR_SLEEP, veu_nop, floor_wake, 150 },
    { "interrupt", FLOOR_INTERRUPT, veu_interrupt, floor_interrupt, 0 },
};

const unsigned latency_row_count = sizeof(latency_rows) /
                                   sizeof(latency_rows[0]);

/* --- Blocks -------------------------------------------------------------- */

static void idle(const struct latency *l, uint32_t us)
{
    uint64_t end = machine_ticks() + us * l->tsc_per_ms / 1000;

    while (us && machine_ticks() < end) {
        machine_pause();
    }
}

static void take(struct latency *l, const struct latency_row *row,
                 uint64_t (*sample)(struct latency *l), uint64_t *ticks,
                 uint32_t count)
{
    for (uint32_t i = 0; i < WARM_UP; i++) {
        sample(l);
    }
    for (uint32_t i = 0; i < count; i++) {
        idle(l, row->idle_us);
        ticks[i] = sample(l);
    }
}

static void set_floor(struct latency *l, enum floor_mode mode)
{
    veu_port_write32(l->floor.regs + FLOOR_MODE, mode);
}

/* Only one thread spins at a time: the other one has gone to sleep. */
static void take_block(struct latency *l, const struct latency_row *row,
                       uint32_t from, uint32_t count)
{
    idle(l, 1000);
    set_floor(l, row->mode);
    take(l, row, row->floor, l->floor_ticks + from, count);
    set_floor(l, FLOOR_STOP);
    take(l, row, row->veu, l->veu_ticks + from, count);
}

/* --- Figures ------------------------------------------------------------- */

static uint32_t ns_of(const struct latency *l, uint64_t ticks)
{
    return ticks * 1000000 / l->tsc_per_ms;
}

static struct latency_figure figure(const struct latency *l, uint64_t *ticks)
{
    uint32_t quarter = l->count / 4;
    uint64_t sum = 0;

    samples_sort(ticks, l->count);
    for (uint32_t i = quarter; i < l->count - quarter; i++) {
        sum += ticks[i];
    }
    return (struct latency_figure){
        .middle_ns = ns_of(l, sum / (l->count - 2 * quarter)),
        .p99_ns = ns_of(l, ticks[l->count * 99ull / 100]),
    };
}

void latency_measure(struct latency *l, const struct latency_row *row,
                     struct latency_result *result)
{
    uint32_t block = l->count / BLOCKS;
    uint64_t kicks = l->ring.kicks;

    for (uint32_t i = 0; i < BLOCKS; i++) {
        take_block(l, row, i * block, block);
    }
    l->count = block * BLOCKS;
    result->kicks = l->ring.kicks - kicks;
    result->veu = figure(l, l->veu_ticks);
    result->floor = figure(l, l->floor_ticks);
}

void latency_calibrate(struct latency *l)
{
    uint64_t start_ns = veu_time(&l->veu);
    uint64_t start = machine_ticks();
    uint64_t ns;

    do {
        ns = veu_time(&l->veu) - start_ns;
    } while (ns < CALIBRATE_NS);
    l->tsc_per_ms = (machine_ticks() - start) * 1000000 / ns;
}
