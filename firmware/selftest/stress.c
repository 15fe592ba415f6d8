/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The sleep protocol under stress: bursts of commands, random pauses, and a
 * search for a wake-up that was lost. One side submits, the other watches the
 * fences. With one processor both are the same loop; with two, each side has a
 * processor, and they change places halfway. Before that, one processor alone
 * aims at the race itself.
 */
#include "checks.h"

#define SLOTS          256
#define MOST_NOPS      6
#define LOST_NS        5000000000ull
/* Pauses around the time that the device takes to fall asleep. */
#define SHORT_PAUSE_US 8
#define LONG_PAUSE_US  120

/*
 * The search for the moment when the device falls asleep, in ticks of the
 * processor.
 */
#define AIM_FIRST_TICKS 20000
#define AIM_MOST_TICKS  1000000
#define AIM_LEAST_STEP  16
#define AIM_MOST_STEP   16384
#define AIM_SPINS       100000
#define AIMED_PER_BURST 10

struct stress {
    struct bench *b;
    struct veu_ring ring;
    volatile uint64_t *fence;
    uint64_t random;
    uint64_t first, last; /* first and last fence value of this half */
    bool separate;        /* another processor watches */
    uint64_t watched;     /* the newest value that the watcher has seen */
    uint64_t commands;
    uint64_t slowest_ns;
    uint64_t lost;  /* fence value that did not arrive, or 0 */
    bool revived;   /* by a kick */
    bool backwards; /* the watcher saw a fence value decrease */
    bool submitted; /* submit_all() has finished */
};

static uint32_t below(struct stress *s, uint32_t limit)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (s->random >> 16) % limit;
}

static uint64_t seen(struct stress *s)
{
    return s->separate ? __atomic_load_n(&s->watched, __ATOMIC_ACQUIRE) :
                         __atomic_load_n(s->fence, __ATOMIC_ACQUIRE);
}

/* Waits for what the device stores, whichever side watches. */
static bool wait_fence(struct stress *s, uint64_t value)
{
    uint64_t end = veu_time(&s->b->device) + LOST_NS;

    while (__atomic_load_n(s->fence, __ATOMIC_ACQUIRE) < value) {
        if (veu_time(&s->b->device) > end) {
            return false;
        }
        machine_pause();
    }
    return true;
}

static bool wait_seen(struct stress *s, uint64_t value)
{
    uint64_t start = veu_time(&s->b->device), passed = 0;

    while (seen(s) < value && passed < LOST_NS) {
        for (unsigned i = 0; i < 64 && seen(s) < value; i++) {
            machine_pause();
        }
        passed = veu_time(&s->b->device) - start;
    }
    if (passed > s->slowest_ns) {
        s->slowest_ns = passed;
    }
    return seen(s) >= value;
}

/*
 * Finds out whether only the wake-up was lost, in which case another kick
 * revives the ring.
 */
static void explain_loss(struct stress *s, uint64_t value)
{
    veu_ring_kick(&s->ring);
    s->revived = wait_fence(s, value);
    __atomic_store_n(&s->lost, value, __ATOMIC_RELEASE);
}

static void pause_a_little(struct stress *s)
{
    switch (below(s, 4)) {
    case 0:
        machine_delay_us(below(s, LONG_PAUSE_US));
        break;
    case 1:
        machine_delay_us(below(s, SHORT_PAUSE_US));
        break;
    case 2:
        for (unsigned n = below(s, 2000); n; n--) {
            machine_pause();
        }
        break;
    default:
        break;
    }
}

static void put_burst(struct stress *s, uint64_t value)
{
    struct veu_command_nop nop = veu_make_nop(value);
    struct veu_command_fence fence = veu_make_fence(value, s->fence, value);

    for (unsigned n = below(s, MOST_NOPS); n; n--) {
        veu_ring_put(&s->ring, &nop.header);
        if (below(s, 8) == 0) {
            veu_ring_submit(&s->ring);
            pause_a_little(s);
        }
        s->commands++;
    }
    veu_ring_put(&s->ring, &fence.header);
    veu_ring_submit(&s->ring);
    s->commands++;
}

static bool submit_one(struct stress *s, uint64_t value)
{
    uint64_t room = value > 16 ? value - 16 : 0;

    put_burst(s, value);
    /* often nothing follows, so that only the device can notice */
    if (!wait_seen(s, below(s, 3) && value != s->last ? room : value)) {
        explain_loss(s, value);
        return false;
    }
    pause_a_little(s);
    return true;
}

static void submit_all(void *opaque)
{
    struct stress *s = opaque;

    for (uint64_t value = s->first; value <= s->last; value++) {
        if (!submit_one(s, value)) {
            break;
        }
    }
    __atomic_store_n(&s->submitted, true, __ATOMIC_RELEASE);
}

static void watch_all(void *opaque)
{
    struct stress *s = opaque;
    uint64_t newest = s->first - 1;

    while (newest < s->last && !__atomic_load_n(&s->lost, __ATOMIC_RELAXED)) {
        uint64_t value = __atomic_load_n(s->fence, __ATOMIC_ACQUIRE);

        if (value < newest) {
            s->backwards = true;
        }
        newest = value;
        __atomic_store_n(&s->watched, newest, __ATOMIC_RELEASE);
        machine_pause();
    }
}

/* Polls without machine_pause(), which leaves TCG's loop and takes time. */
static bool spin_seen(struct stress *s, uint64_t value)
{
    for (unsigned i = 0; i < AIM_SPINS; i++) {
        if (seen(s) >= value) {
            return true;
        }
    }
    return wait_seen(s, value);
}

/*
 * The search takes smaller steps around the moment, and larger ones towards it.
 */
struct aim {
    uint64_t delay;
    uint64_t step;
    bool was_awake;
};

static void adjust(struct aim *a, bool awake)
{
    a->step = awake == a->was_awake ? a->step * 2 : a->step / 2;
    a->step = a->step < AIM_LEAST_STEP ? AIM_LEAST_STEP : a->step;
    a->step = a->step > AIM_MOST_STEP ? AIM_MOST_STEP : a->step;
    a->was_awake = awake;
    if (awake) {
        a->delay += a->delay < AIM_MOST_TICKS ? a->step : 0;
    } else {
        a->delay -= a->delay > a->step ? a->step : a->delay;
    }
}

static void submit_after(struct stress *s, uint64_t value, uint64_t ticks)
{
    struct veu_command_fence fence = veu_make_fence(value, s->fence, value);
    uint64_t start = machine_ticks();

    veu_ring_put(&s->ring, &fence.header);
    while (machine_ticks() - start < ticks) {
        continue;
    }
    veu_ring_submit(&s->ring);
    s->commands++;
}

/*
 * Submits just when the device falls asleep. It searches for that moment: later
 * after a submit that found the device awake, earlier after one that needed a
 * kick. This finds a missing fence, or a missing second read of the tail.
 */
static void aim_all(void *opaque)
{
    struct stress *s = opaque;
    struct aim aim = { .delay = AIM_FIRST_TICKS, .step = AIM_LEAST_STEP };

    for (uint64_t value = s->first; value <= s->last; value++) {
        uint64_t kicks = s->ring.kicks;

        submit_after(s, value, aim.delay + below(s, aim.step));
        adjust(&aim, s->ring.kicks == kicks);
        if (!spin_seen(s, value)) {
            explain_loss(s, value);
            break;
        }
    }
    __atomic_store_n(&s->submitted, true, __ATOMIC_RELEASE);
}

static bool start_ring(struct stress *s)
{
    struct veu_ring_config config = {
        .slots = machine_alloc(SLOTS * VEU_SLOT_BYTES, 4096),
        .slot_count = SLOTS,
        .shared = machine_alloc(sizeof(struct veu_ring_shared), 64),
        .vector = VEU_NO_VECTOR,
        .first = 0xfffff000,
    };

    return veu_ring_start(&s->ring, &s->b->device, &config) == VEU_OK;
}

/* Both sides have timeouts of their own. */
static void join(struct stress *s)
{
    while (!__atomic_load_n(&s->submitted, __ATOMIC_ACQUIRE)) {
        machine_pause();
    }
}

static const char *verdict(const struct stress *s)
{
    if (!s->lost) {
        return "a fence went back";
    }
    return s->revived ? "lost wake-up, a kick helped at fence" :
                        "a kick did not help at fence";
}

/*
 * A part of the stress test: @self runs here, @other on the second processor.
 */
static void part(struct stress *s, const char *name, uint64_t fences,
                 void (*other)(void *), void (*self)(void *))
{
    uint64_t submits = s->ring.submits, kicks = s->ring.kicks;
    uint64_t commands = s->commands;

    if (s->lost) {
        return;
    }
    report_begin("%lu %s", fences, name);
    s->first = s->last + 1;
    s->last += fences;
    s->watched = s->first - 1;
    s->separate = other != NULL;
    s->slowest_ns = 0;
    s->submitted = false;
    if (other && !machine_start_processor(1, other, s)) {
        report_fail("the second processor did not start");
        return;
    }
    self(s);
    join(s);
    report_result(!s->lost && !s->backwards, "%s %lu", verdict(s), s->lost);
    report_info("commands",
                "%lu in %lu submits, %lu kicks; the slowest wait %lu us",
                s->commands - commands, s->ring.submits - submits,
                s->ring.kicks - kicks, s->slowest_ns / 1000);
}

void stress(struct bench *b, uint32_t bursts)
{
    struct stress s = {
        .b = b,
        .fence = machine_alloc(sizeof(uint64_t), 64),
        .random = b->options.seed + 1,
    };

    report_section("sleep protocol");
    if (!start_ring(&s)) {
        report_begin("stress ring starts");
        report_fail("it does not");
        return;
    }
    part(&s, "fences aimed at the device's falling asleep",
         (uint64_t)bursts * AIMED_PER_BURST, NULL, aim_all);
    if (machine_processors() < 2) {
        part(&s, "bursts, one processor", bursts, NULL, submit_all);
        report_begin("stress with two processors");
        report_skip("the machine has one");
        return;
    }
    part(&s, "bursts, the second processor watches", bursts / 2, watch_all,
         submit_all);
    part(&s, "bursts, the second processor submits", bursts - bursts / 2,
         submit_all, watch_all);
}
