/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Polling the tails before the thread sleeps.
 */
#include "qemu/osdep.h"
#include "qemu/processor.h"
#include "qemu/timer.h"
#include "hw/veu/qemu/veu.h"

/*
 * How long to poll the tails before sleeping. After an unsuccessful poll (the
 * guest has nothing to do, or runs on the CPU that polls), the next sleeps
 * begin without polling: twice as many each time, up to a bound.
 */
#define POLL_NS        (50 * SCALE_US)
#define POLL_MAX_SKIPS 1024
/* Polls for each reading of the clock, which takes longer. */
#define POLL_LOOKS     64

void veu_poll_init(VeuPoll *p)
{
    p->has_cpu = g_get_num_processors() > 1;
}

bool veu_poll_may(VeuState *s)
{
    VeuPoll *p = &s->engine.poll;

    if (!p->has_cpu || veu_memory_needs_big_lock(&s->memory) ||
        !veu_device_is_enabled(s->device)) {
        return false;
    }
    if (p->skips_left) {
        p->skips_left--;
        return false;
    }
    return true;
}

static bool is_over(VeuPoll *p)
{
    int64_t now = get_clock();

    if (!p->end_ns) {
        p->end_ns = now + POLL_NS;
    }
    return now > p->end_ns;
}

static void end_in_vain(VeuPoll *p)
{
    p->end_ns = 0;
    p->skips = MIN(p->skips * 2 + 1, POLL_MAX_SKIPS);
    p->skips_left = p->skips;
}

static void end_well(VeuPoll *p)
{
    p->end_ns = 0;
    p->skips = 0;
}

uint64_t veu_poll(VeuState *s)
{
    VeuPoll *p = &s->engine.poll;
    VeuWatch watch;
    uint64_t ready = veu_device_watch(s->device, &watch);

    for (unsigned i = 1; !ready && !qatomic_read(&s->engine.pauses); i++) {
        if (i % POLL_LOOKS == 0 && is_over(p)) {
            end_in_vain(p);
            return 0;
        }
        cpu_relax();
        ready = veu_device_look(s->device, &watch);
    }
    if (ready) {
        end_well(p);
    }
    return ready;
}
