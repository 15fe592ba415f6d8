/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The sleep protocol under stress: bursts of commands, random pauses, and a
 * look for the wake-up that never came.
 *
 * One side submits, the other watches the fences. With one processor both are
 * the same loop; with two, each is a processor, and they change places halfway.
 */
#include "checks.h"

#define SLOTS          256
#define MOST_NOPS      6
#define LOST_NS        5000000000ull
/* Pauses around the time that the device takes to fall asleep. */
#define SHORT_PAUSE_US 8
#define LONG_PAUSE_US  120

struct stress {
    struct bench *b;
    struct veu_ring ring;
    volatile uint64_t *fence;
    uint64_t random;
    uint64_t first, last; /* fence values of this half */
    bool separate;        /* another processor watches */
    uint64_t watched;     /* the newest value that the watcher has seen */
    uint64_t commands;
    uint64_t slowest_ns;
    uint64_t lost;  /* fence value that did not come; 0: none */
    bool revived;   /* by a kick */
    bool backwards; /* the watcher saw a fence fall */
    bool submitted; /* submit_all() is through */
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

/* What the device stored, whoever watches. */
static bool wait_fence(struct stress *s, uint64_t value)
{
    uint64_t end = veu_time(&s->b->device) + LOST_NS;

    while (__atomic_load_n(s->fence, __ATOMIC_ACQUIRE) < value) {
        if (veu_time(&s->b->device) > end) {
            return false;
        }
        x86_pause();
    }
    return true;
}

static bool wait_seen(struct stress *s, uint64_t value)
{
    uint64_t start = veu_time(&s->b->device), passed = 0;

    while (seen(s) < value && passed < LOST_NS) {
        for (unsigned i = 0; i < 64 && seen(s) < value; i++) {
            x86_pause();
        }
        passed = veu_time(&s->b->device) - start;
    }
    if (passed > s->slowest_ns) {
        s->slowest_ns = passed;
    }
    return seen(s) >= value;
}

/* Is it the wake-up that was lost, or more? */
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
        x86_delay_us(below(s, LONG_PAUSE_US));
        break;
    case 1:
        x86_delay_us(below(s, SHORT_PAUSE_US));
        break;
    case 2:
        for (unsigned n = below(s, 2000); n; n--) {
            x86_pause();
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
    /* Often nothing follows: then only the device can notice. */
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
        x86_pause();
    }
}

static bool start_ring(struct stress *s)
{
    struct veu_ring_config config = {
        .slots = x86_alloc(SLOTS * VEU_SLOT_BYTES, 4096),
        .slot_count = SLOTS,
        .shared = x86_alloc(sizeof(struct veu_ring_shared), 64),
        .vector = VEU_NO_VECTOR,
        .first = 0xfffff000,
    };

    return veu_ring_start(&s->ring, &s->b->device, &config) == VEU_OK;
}

/* Both sides have their own timeouts. */
static void join(struct stress *s)
{
    while (!__atomic_load_n(&s->submitted, __ATOMIC_ACQUIRE)) {
        x86_pause();
    }
}

static void half(struct stress *s, const char *name, uint64_t bursts,
                 void (*other)(void *), void (*self)(void *))
{
    uint64_t submits = s->ring.submits, kicks = s->ring.kicks;
    uint64_t commands = s->commands;

    report_begin("%lu bursts, %s", bursts, name);
    s->first = s->last + 1;
    s->last += bursts;
    s->watched = s->first - 1;
    s->separate = other != NULL;
    s->slowest_ns = 0;
    s->submitted = false;
    if (other && !x86_start_processor(1, other, s)) {
        report_fail("the second processor did not start");
        return;
    }
    self(s);
    join(s);
    report_result(!s->lost && !s->backwards, "%s%s at fence %lu",
                  s->lost ? "lost wake-up" : "a fence went back",
                  !s->lost   ? "" :
                  s->revived ? " (a kick helped)" :
                               " (a kick did not help)",
                  s->lost);
    report_info("commands",
                "%lu in %lu submits, %lu kicks; the slowest wait "
                "%lu us",
                s->commands - commands, s->ring.submits - submits,
                s->ring.kicks - kicks, s->slowest_ns / 1000);
}

void stress(struct bench *b, uint32_t bursts)
{
    struct stress s = {
        .b = b,
        .fence = x86_alloc(sizeof(uint64_t), 64),
        .random = b->options.seed + 1,
    };

    report_section("sleep protocol");
    if (!start_ring(&s)) {
        report_begin("stress ring starts");
        report_fail("it does not");
        return;
    }
    if (x86_processors() < 2) {
        half(&s, "one processor", bursts, NULL, submit_all);
        report_begin("stress with two processors");
        report_skip("the machine has one");
        return;
    }
    half(&s, "the second processor watches", bursts / 2, watch_all, submit_all);
    if (!s.lost) {
        half(&s, "the second processor submits", bursts - bursts / 2,
             submit_all, watch_all);
    }
}
