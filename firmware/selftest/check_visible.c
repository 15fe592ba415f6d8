/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory ordering, as another processor sees it: each word that the device
 * publishes, and what has to be visible by then.
 */
#include "checks.h"
#include "words.h"

#define ROUNDS            2000
#define INTERRUPT_ROUNDS  100
#define INTERRUPT_WAIT_US 2000000

struct watch {
    struct words *w;
    const struct veu_ring_shared *shared;
    uint32_t first;       /* ring index of the first round's first slot */
    uint32_t round_slots; /* slots of a round */
    uint64_t rounds;      /* that the watcher has seen */
    uint32_t looks;
    uint32_t fence_early; /* the fence was visible before the words */
    /* the head was visible before the words or the fence */
    uint32_t head_early;
    uint32_t tag;         /* of the newest fault record */
    uint32_t records_bad; /* fault_tail was visible before the record */
    bool stop, stopped;
};

static void look_at_fence(struct watch *s)
{
    uint64_t value = __atomic_load_n(s->w->b->fence, __ATOMIC_ACQUIRE);

    s->fence_early += words_lowest(s->w) < value;
    __atomic_store_n(&s->rounds, value, __ATOMIC_RELEASE);
}

static void look_at_head(struct watch *s)
{
    uint32_t head = __atomic_load_n(&s->shared->head, __ATOMIC_ACQUIRE);
    uint32_t done = (head - s->first) / s->round_slots;

    s->head_early += words_lowest(s->w) < done ||
                     __atomic_load_n(s->w->b->fence, __ATOMIC_RELAXED) < done;
}

/* Only the other processor watches. */
static void watch(void *opaque)
{
    struct watch *s = opaque;

    while (!__atomic_load_n(&s->stop, __ATOMIC_ACQUIRE)) {
        look_at_fence(s);
        look_at_head(s);
        s->looks++;
    }
    __atomic_store_n(&s->stopped, true, __ATOMIC_RELEASE);
}

static bool wait_rounds(const struct watch *s, uint64_t rounds)
{
    uint64_t end = veu_time(&s->w->b->device) + BENCH_TIMEOUT_NS;

    while (__atomic_load_n(&s->rounds, __ATOMIC_ACQUIRE) < rounds) {
        if (veu_time(&s->w->b->device) > end) {
            return false;
        }
        machine_pause();
    }
    return true;
}

static void stop(struct watch *s)
{
    __atomic_store_n(&s->stop, true, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&s->stopped, __ATOMIC_ACQUIRE)) {
        machine_pause();
    }
}

/* Submits all rounds; returns when the watcher has seen the last one. */
static bool submit_rounds(struct watch *s)
{
    struct bench *b = s->w->b;
    struct veu_command_fence fence = veu_make_fence(0, b->fence, 0);

    for (uint32_t value = 1; value <= ROUNDS; value++) {
        if (value > WORDS_DEEP && !wait_rounds(s, value - WORDS_DEEP)) {
            return false;
        }
        words_put(s->w, value);
        fence.value = value;
        bench_put(b, &fence.header);
        veu_ring_submit(&b->ring);
    }
    return wait_rounds(s, ROUNDS);
}

static void fence_and_head(struct words *w)
{
    struct watch s = {
        .w = w,
        .shared = w->b->config.shared,
        .round_slots = w->command.header.slots + 1,
    };
    bool done;

    report_begin("fence and head come after the data");
    bench_start_ring(w->b, VEU_POLICY_HALT);
    *w->b->fence = 0;
    s.first = w->b->ring.tail;
    if (!machine_start_processor(1, watch, &s)) {
        report_fail("the second processor did not start");
        return;
    }
    done = submit_rounds(&s);
    stop(&s);
    report_result(done && !s.fence_early && !s.head_early && s.looks,
                  "round %lu; of %u looks the fence was early in %u, the head "
                  "in %u",
                  s.rounds, s.looks, s.fence_early, s.head_early);
}

/* ---- fault records ---- */

static void read_records(struct watch *s)
{
    struct veu_fault_record record;

    while (veu_ring_read_fault(&s->w->b->ring, &record)) {
        s->records_bad += record.tag != s->tag + 1 ||
                          record.code != VEU_FAULT_COMMAND_OPCODE;
        s->tag = record.tag;
        __atomic_store_n(&s->rounds, s->tag, __ATOMIC_RELEASE);
    }
}

static void watch_records(void *opaque)
{
    struct watch *s = opaque;

    while (!__atomic_load_n(&s->stop, __ATOMIC_ACQUIRE)) {
        read_records(s);
        machine_pause();
    }
    __atomic_store_n(&s->stopped, true, __ATOMIC_RELEASE);
}

static bool submit_faults(struct watch *s)
{
    struct veu_command_nop unknown = { .header = { .opcode = 200,
                                                   .slots = 1 } };

    for (uint32_t tag = 1; tag <= ROUNDS; tag++) {
        if (tag > BENCH_FAULTS / 2 && !wait_rounds(s, tag - BENCH_FAULTS / 2)) {
            return false;
        }
        unknown.header.tag = tag;
        bench_put(s->w->b, &unknown.header);
        veu_ring_submit(&s->w->b->ring);
    }
    return wait_rounds(s, ROUNDS);
}

static void fault_records(struct words *w)
{
    struct watch s = { .w = w };
    bool done;

    report_begin("fault_tail comes after the record");
    bench_start_ring(w->b, VEU_POLICY_SKIP_COMMAND);
    if (!machine_start_processor(1, watch_records, &s)) {
        report_fail("the second processor did not start");
        return;
    }
    done = submit_faults(&s);
    stop(&s);
    report_result(done && !s.records_bad, "tag %u, %u records were wrong",
                  s.tag, s.records_bad);
}

/* ---- interrupts, on the processor that submits ---- */

struct alarm {
    struct words *w;
    uint32_t count;
    uint32_t head; /* what the handler saw */
    uint32_t lowest;
};

static void on_interrupt(void *opaque)
{
    struct alarm *a = opaque;

    a->head = __atomic_load_n(&a->w->b->config.shared->head, __ATOMIC_ACQUIRE);
    a->lowest = words_lowest(a->w);
    __atomic_fetch_add(&a->count, 1, __ATOMIC_RELEASE);
}

static bool wait_interrupt(struct alarm *a, uint32_t count)
{
    machine_interrupts_on();
    for (unsigned us = 0; us < INTERRUPT_WAIT_US && a->count < count;
         us += 10) {
        machine_delay_us(10);
    }
    machine_interrupts_off();
    return a->count == count;
}

static bool interrupt_round(struct alarm *a, uint32_t value)
{
    a->w->command.header.flags = VEU_COMMAND_INTERRUPT;
    words_put(a->w, value);
    veu_ring_submit(&a->w->b->ring);
    return wait_interrupt(a, value) && a->head == a->w->b->ring.tail &&
           a->lowest == value;
}

static void interrupts(struct words *w)
{
    struct alarm a = { .w = w };
    struct bench *b = w->b;
    struct machine_message message;
    uint32_t value = 1;

    report_begin("an interrupt's handler sees the head and the data");
    if (!machine_set_message(on_interrupt, &a, &message)) {
        report_skip("the machine takes no messages");
        return;
    }
    if (veu_msix_enable(&b->device) != VEU_OK ||
        veu_msix_set(&b->device, 0, message.address, message.data) != VEU_OK) {
        report_skip("the device has no vector 0");
        return;
    }
    b->config.vector = 0;
    bench_start_ring(b, VEU_POLICY_HALT);
    while (value <= INTERRUPT_ROUNDS && interrupt_round(&a, value)) {
        value++;
    }
    report_result(value > INTERRUPT_ROUNDS,
                  "round %u: %u interrupts, head 0x%x of 0x%x, data of round "
                  "%u",
                  value, a.count, a.head, b->ring.tail, a.lowest);
    b->config.vector = VEU_NO_VECTOR;
}

void check_visible(struct bench *b)
{
    static struct words w;

    report_section("memory ordering");
    words_init(&w, b);
    interrupts(&w);
    words_init(&w, b);
    if (machine_processors() < 2) {
        report_begin("what another processor sees");
        report_skip("the machine has one");
    } else {
        fence_and_head(&w);
        fault_records(&w);
    }
    bench_start_ring(b, VEU_POLICY_HALT);
}
