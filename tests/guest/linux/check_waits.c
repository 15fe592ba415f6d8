/*
 * Waits: how long they sleep, and which events end them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE /* for RUSAGE_THREAD */
#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
#include "guest.h"

/* The time after which the ring has fallen asleep in its WAIT. */
#define ASLEEP_US 100000

/* Returns how many times this thread has gone to sleep. */
static long sleeps(void)
{
    struct rusage usage;

    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

/* A WAIT of a second, which an interrupt ends. */
static void check_sleep_is_sound(void)
{
    long before, woken;
    int error;
    Client c;

    open_client(&c);
    submit_wait(&c, 1, VEU_CLIENT_SECOND);
    before = sleeps();
    error = wait_all(&c);
    woken = sleeps() - before;
    if (has_interrupts(&c)) {
        check("a wait of a second wakes 40 times at most",
              error == -EIO && woken <= 40);
    } else {
        check("without interrupts a wait looks by itself", error == -EIO);
    }
    close_client(&c);
}

/* Without the flag, no interrupt ends the wait. */
static void check_silent_command(void)
{
    struct veu_command_wait wait = {
        .header = { VEU_COMMAND_WAIT, 1 },
        .mask = ~0ull,
        .value = 1,
        .timeout_ns = VEU_CLIENT_SECOND / 2,
        .condition = VEU_CONDITION_EQUAL,
    };
    uint64_t before = now_ns();
    int error;
    Client c;

    open_skipping(&c);
    veu_client_buffer_create(c.veu, 4096, &c.buffer);
    wait.address = c.buffer.address;
    veu_client_put(c.veu, &wait.header);
    veu_client_submit(c.veu);
    error = veu_client_wait(c.veu, 1, TIMEOUT_NS);
    check("a command without an interrupt ends a wait, too",
          !error && now_ns() - before < 2 * VEU_CLIENT_SECOND);
    close_client(&c);
}

/* The ring sleeps in a WAIT, and this processor stores the word. */
static void check_store(void)
{
    uint64_t begin;
    int error;
    Client c;

    open_client(&c);
    submit_wait(&c, 5, 0);
    usleep(ASLEEP_US);
    begin = now_ns();
    c.memory[0] = 5;
    error = wait_all(&c);
    check("what was stored before a wait is seen by the ring",
          !error && now_ns() - begin < VEU_CLIENT_SECOND);
    close_client(&c);
}

static void *wait_in_thread(void *client)
{
    return (void *)(intptr_t)wait_all(client);
}

/* Like check_store(), but the wait begins first. */
static void check_notify(void)
{
    void *error = NULL;
    pthread_t thread;
    uint64_t begin;
    Client c;

    open_client(&c);
    submit_wait(&c, 6, 0);
    pthread_create(&thread, NULL, wait_in_thread, &c);
    usleep(ASLEEP_US);
    begin = now_ns();
    c.memory[0] = 6;
    check("a store is told to the ring", !veu_client_notify(c.veu));
    pthread_join(thread, &error);
    check("... which ends another thread's wait",
          !error && now_ns() - begin < VEU_CLIENT_SECOND);
    close_client(&c);
}

static void check_times(void)
{
    uint64_t begin, took;
    bool good = true;
    long before;
    int error;
    Client c;

    open_client(&c);
    submit_wait(&c, 1, 0);
    before = sleeps();
    for (unsigned i = 0; i < 20; i++) {
        good = good && veu_client_wait(c.veu, 1, 0) == -ETIME;
    }
    check("a wait without time does not sleep", good && sleeps() <= before + 2);
    begin = now_ns();
    error = veu_client_wait(c.veu, 1, VEU_CLIENT_SECOND / 10);
    took = now_ns() - begin;
    check("a wait ends when its time is up",
          error == -ETIME && took >= VEU_CLIENT_SECOND / 10 &&
              took < VEU_CLIENT_SECOND);
    close_client(&c);
}

void check_waits(void)
{
    check_sleep_is_sound();
    check_silent_command();
    check_store();
    check_notify();
    check_times();
}
