/*
 * A process does not notice when the ring of another one is paused, reset, or
 * halts: the test compares the time of its commands with and without such a
 * ring.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"
#include "veu/regs.h"

#define TIMES    64 /* number of commands whose median is used */
/* of each kind, alternating, because the host has other work */
#define BATCHES  5
/*
 * Each piece of the neighbour's work lasts this long; a command that waited for
 * it would take as long.
 */
#define LASTS_US 50000
#define MOST_NS  (LASTS_US * 1000 / 10)

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Returns the nanoseconds of a command, or 0 if one has failed. */
static uint64_t median(Client *c)
{
    uint64_t times[TIMES], begin;

    for (unsigned i = 0; i < TIMES; i++) {
        begin = now_ns();
        submit_fill(c, c->buffer.address, i, 64);
        if (wait_all(c)) {
            return UINT64_MAX;
        }
        times[i] = now_ns() - begin;
    }
    qsort(times, TIMES, sizeof(times[0]), compare);
    return times[TIMES / 2];
}

/* --- The neighbour -------------------------------------------------------- */

static volatile uint32_t *control_of(volatile uint32_t *registers, Client *c)
{
    struct veu_linux_query query;

    veu_client_query(c->veu, &query);
    return registers + (VEU_RING_BLOCK + query.ring * VEU_RING_BLOCK_STRIDE +
                        VEU_REG_RING_CONTROL) /
                           4;
}

static void pause_ring(Client *c)
{
    volatile uint32_t *registers = map_registers();
    volatile uint32_t *control = registers ? control_of(registers, c) : NULL;

    for (unsigned i = 1; control; i++) {
        *control = VEU_RING_ENABLE | VEU_RING_PAUSE;
        submit_fill(c, c->buffer.address, i, BUFFER_BYTES);
        usleep(LASTS_US);
        *control = VEU_RING_ENABLE;
        wait_all(c);
    }
}

/* Resets a ring with a command that does not end by itself. */
static void reset_ring(Client *c)
{
    for (;;) {
        submit_wait(c, 1, TIMEOUT_NS);
        usleep(LASTS_US);
        veu_client_reset(c->veu);
    }
}

static void fault_ring(Client *c)
{
    struct veu_linux_faults faults;

    for (;;) {
        submit_fill(c, 0, 1, 8);
        wait_all(c);
        usleep(LASTS_US);
        veu_client_faults(c->veu, &faults);
        veu_client_skip(c->veu, &faults.records[0]);
    }
}

static pid_t start(void (*disturb)(Client *c))
{
    pid_t child = fork();
    Client c;

    if (!child) {
        if (!open_client(&c)) {
            disturb(&c);
        }
        _exit(1);
    }
    usleep(LASTS_US / 2);
    return child;
}

/* --- The measurement ------------------------------------------------------ */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The lowest of the medians is the one that the host disturbs least. */
static bool is_quiet(Client *c, const char *what, void (*disturb)(Client *c))
{
    uint64_t alone = UINT64_MAX, beside = UINT64_MAX;
    bool lived = true;
    pid_t child;

    for (unsigned i = 0; i < BATCHES; i++) {
        alone = least(alone, median(c));
        child = start(disturb);
        beside = least(beside, median(c));
        kill(child, SIGKILL);
        lived = waitpid(child, NULL, 0) == child && lived;
    }
    printf("latency: %s: %llu us alone, %llu us beside\n", what,
           (unsigned long long)alone / 1000, (unsigned long long)beside / 1000);
    return lived && alone != UINT64_MAX && beside <= 2 * alone + MOST_NS;
}

void check_neighbours(void)
{
    Client c;

    open_client(&c);
    check("a paused ring does not slow its neighbour",
          is_quiet(&c, "paused", pause_ring));
    check("... nor one that is reset", is_quiet(&c, "reset", reset_ring));
    check("... nor one that halts and resumes",
          is_quiet(&c, "halted", fault_ring));
    close_client(&c);
}
