/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code that the device writes: a processor that has already executed it then
 * finds the new code.
 */
#include "checks.h"
#include "words.h"

#define ROUNDS 300
#define PAGE   4096

/* The word that the device writes is part of the code. */
#define CODE_AT (WORD_AT - MACHINE_CODE_WORD)

typedef uint32_t function(void);

static function *function_at(const struct words *w, unsigned n)
{
    return (function *)(uintptr_t)(w->pages + n * PAGE + CODE_AT);
}

static void write_functions(struct words *w)
{
    for (unsigned n = 0; n < WORDS; n++) {
        machine_write_code(w->pages + n * PAGE + CODE_AT);
    }
}

/* Returns how many of the functions return something else. */
static unsigned call_all(const struct words *w, uint32_t value)
{
    unsigned wrong = 0;

    machine_sync_code();
    for (unsigned n = 0; n < WORDS; n++) {
        wrong += function_at(w, n)() != value;
    }
    return wrong;
}

static void one_processor(struct words *w)
{
    unsigned wrong = 0;

    report_begin("%u rounds of code that the device writes", ROUNDS);
    for (uint32_t value = 1; value <= ROUNDS; value++) {
        words_put(w, machine_code_word(value));
        veu_ring_submit(&w->b->ring);
        wrong += veu_ring_wait(&w->b->ring, BENCH_TIMEOUT_NS) != VEU_OK;
        wrong += call_all(w, value);
    }
    report_result(!wrong, "%u calls returned something old", wrong);
}

struct runner {
    struct words *w;
    uint32_t calls;
    uint32_t old; /* calls that returned less than a fence had guaranteed */
    bool stop, stopped;
};

/* The other processor executes the code all the time. */
static void run(void *opaque)
{
    struct runner *r = opaque;

    while (!__atomic_load_n(&r->stop, __ATOMIC_ACQUIRE)) {
        uint64_t least = __atomic_load_n(r->w->b->fence, __ATOMIC_ACQUIRE);

        machine_sync_code();
        for (unsigned n = 0; n < WORDS; n++) {
            r->old += function_at(r->w, n)() < least;
        }
        __atomic_store_n(&r->calls, r->calls + WORDS, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&r->stopped, true, __ATOMIC_RELEASE);
}

/*
 * Waits until all code has been called again: TCG may keep old code that it was
 * translating when the device wrote the new code.
 */
static void wait_calls(const struct runner *r)
{
    uint32_t first = __atomic_load_n(&r->calls, __ATOMIC_ACQUIRE);

    while (__atomic_load_n(&r->calls, __ATOMIC_ACQUIRE) - first < 2 * WORDS) {
        machine_pause();
    }
}

static void two_processors(struct words *w)
{
    struct runner r = { .w = w };
    struct veu_command_fence fence = veu_make_fence(0, w->b->fence, 0);

    report_begin("%u rounds of it while another processor executes it", ROUNDS);
    *w->b->fence = 0;
    if (!machine_start_processor(1, run, &r)) {
        report_fail("the second processor did not start");
        return;
    }
    for (uint32_t value = ROUNDS + 1; value <= 2 * ROUNDS; value++) {
        words_put(w, machine_code_word(value));
        fence.value = value;
        bench_run(w->b, &fence.header);
        wait_calls(&r);
    }
    __atomic_store_n(&r.stop, true, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&r.stopped, __ATOMIC_ACQUIRE)) {
        machine_pause();
    }
    report_result(!r.old && !call_all(w, 2 * ROUNDS),
                  "%u of %u calls returned something old", r.old, r.calls);
}

void check_code(struct bench *b)
{
    static struct words w;

    report_section("code");
    words_init(&w, b);
    write_functions(&w);
    one_processor(&w);
    if (machine_processors() < 2) {
        report_begin("code that another processor executes");
        report_skip("the machine has one");
    } else {
        two_processors(&w);
    }
}
