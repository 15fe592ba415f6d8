/*
 * Shared virtual memory under load: processes that change their memory while
 * the device uses it, and that die.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <unistd.h>
#include "busy.h"
#include "memory.h"

#define BYTES       HUGE
#define PROGRESS_NS (60 * VEU_CLIENT_SECOND)
/* The time for each worker that remains at the end. */
#define ROUND_NS    (12 * TIMEOUT_NS)

/* --- Processes at once ---------------------------------------------------- */

/* Runs as many processes as the device has rings, all at once. */
static bool all_work(unsigned processes)
{
    volatile unsigned rounds = 0;
    bool good = true;
    int status;

    for (unsigned i = 0; i < processes; i++) {
        if (!fork()) {
            _exit(!works_while_disturbed(&rounds, 3));
        }
    }
    for (unsigned i = 0; i < processes; i++) {
        good = wait(&status) > 0 && status == 0 && good;
    }
    return good;
}

/* --- Processes that die --------------------------------------------------- */

static void work_for_ever(void)
{
    uint64_t *memory = map_private(BYTES);
    Client c;

    if (open_svm(&c)) {
        _exit(1);
    }
    for (uint64_t i = 0;; i++) {
        submit_fill(&c, (uintptr_t)memory, i, BYTES);
        madvise(memory, BYTES, MADV_DONTNEED);
        wait_all(&c);
    }
}

static bool dies(Client *neighbour)
{
    bool good = true;

    for (unsigned i = 0; i < 20 && good; i++) {
        pid_t child = fork();

        if (!child) {
            work_for_ever();
        }
        usleep(rand() % 50000);
        good = fills(neighbour, i);
        kill(child, SIGKILL);
        good = waitpid(child, NULL, 0) == child && good;
    }
    return good && fills(neighbour, 100);
}

/* The process's memory goes away, but a child keeps its file. */
static bool leaves_file(void)
{
    int status = -1;
    pid_t parent = fork(), child;
    Client c;

    if (!parent) {
        if (open_svm(&c)) {
            _exit(1);
        }
        child = fork();
        if (!child) {
            usleep(100000);
            _exit(0);
        }
        submit_fill(&c, c.buffer.address, 1, BUFFER_BYTES);
        _exit(0);
    }
    waitpid(parent, &status, 0);
    /* the child is an orphan now, inherited by the first process */
    return status == 0 && wait(NULL) > 0;
}

/* --- Pages that are removed ----------------------------------------------- */

/* Reclaim evicts pages that the device has written. */
static bool swaps(void)
{
    uint64_t *memory = map_private(BYTES);
    bool good;
    Client c;

    good = !open_svm(&c);
    for (unsigned i = 1; i <= 8 && good; i++) {
        submit_fill(&c, (uintptr_t)memory, i, BYTES);
        good = wait_all(&c) == 0 && !madvise(memory, BYTES, MADV_PAGEOUT) &&
               holds(memory, i, BYTES);
    }
    close_client(&c);
    munmap(memory, BYTES);
    return good;
}

/* --- A long storm --------------------------------------------------------- */

/*
 * The number of turns, of about 0.5 s and more on slow hosts, from one
 * disturbance of the whole machine to the next.
 */
#define TURNS 16

/* In memory that is shared with the children. */
typedef struct Worker {
    pid_t child;
    volatile unsigned rounds; /* written by the child */
} Worker;

static void start(Worker *worker)
{
    pid_t child;

    worker->rounds = 0;
    child = fork();
    if (!child) {
        _exit(!works_while_disturbed(&worker->rounds, ~0u));
    }
    /* Not the result of fork() itself: the child would store its 0 here. */
    worker->child = child;
}

/* Waits for the worker's end, and adds its rounds. */
static bool finishes(Worker *worker, unsigned *rounds)
{
    int status = 0;

    if (worker->child < 0) {
        return false;
    }
    kill(worker->child, SIGKILL);
    waitpid(worker->child, &status, 0);
    *rounds += worker->rounds;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static bool has_progress(const Worker *workers, unsigned count)
{
    bool has = false;

    for (unsigned i = 0; i < count; i++) {
        has = has || workers[i].rounds;
    }
    return has;
}

/* On a slow host, the remaining ones need more time. */
static void let_one_work(const Worker *workers, unsigned count)
{
    uint64_t end = now_ns() + ROUND_NS;

    while (!has_progress(workers, count) && now_ns() < end) {
        usleep(10000);
    }
}

/* The swap is that of check_pressure(), if it could make any. */
static void disturb_all(void)
{
    swapoff(SWAP_DEVICE);
    swapon(SWAP_DEVICE, 0);
    write_file("/proc/sys/vm/compact_memory", "1");
    write_file("/proc/sys/vm/drop_caches", "3");
}

static bool is_good(bool good, const char *what)
{
    if (!good) {
        printf("storm: not so: %s\n", what);
    }
    return good;
}

/* One of them dies and starts again, and the neighbour notices nothing. */
static bool rages_once(Worker *worker, Client *neighbour, unsigned turn,
                       unsigned *rounds)
{
    bool good;

    usleep(rand() % (1000000 * slowness()));
    good = is_good(fills(neighbour, turn), "a neighbour's command ends") &&
           is_good(finishes(worker, rounds), "a process works until it dies");
    if (turn % TURNS == 0) {
        disturb_all();
    }
    start(worker);
    return good;
}

/* A storm may take an hour, and may be stopped before it ends. */
static void print_progress(const Worker *workers, unsigned count,
                           unsigned rounds, unsigned kills)
{
    for (unsigned i = 0; i < count; i++) {
        rounds += workers[i].rounds;
    }
    printf("storm: %llu s after boot: %u processes, %u rounds, %u kills\n",
           (unsigned long long)(now_ns() / VEU_CLIENT_SECOND), count, rounds,
           kills);
}

/* Until the time is up. */
static bool rages(Worker *workers, unsigned count, Client *neighbour,
                  uint64_t end)
{
    uint64_t next = now_ns() + PROGRESS_NS;
    unsigned rounds = 0, turn = 0;
    bool good = true;

    for (unsigned i = 0; i < count; i++) {
        start(&workers[i]);
    }
    for (; good && now_ns() < end; turn++) {
        good = rages_once(&workers[rand() % count], neighbour, turn, &rounds);
        if (now_ns() >= next) {
            print_progress(workers, count, rounds, turn + 1);
            next += PROGRESS_NS;
        }
    }
    let_one_work(workers, count);
    for (unsigned i = 0; i < count; i++) {
        good = finishes(&workers[i], &rounds) && good;
    }
    /* children of killed processes now belong to the first process */
    while (wait(NULL) > 0) {}
    printf("storm: %u processes, %u rounds, %u kills\n", count, rounds, turn);
    return good && rounds;
}

void check_long_storm(unsigned seconds)
{
    uint64_t end = now_ns() + seconds * VEU_CLIENT_SECOND;
    struct veu_linux_query query = { 0 };
    Worker *workers = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    Client c;

    open_client(&c);
    veu_client_query(c.veu, &query);
    merge_pages(true);
    check("processes work, change their memory, and are killed",
          rages(workers, query.registers[4] - 1, &c, end));
    merge_pages(false);
    close_client(&c);
    munmap(workers, PAGE);
}

void check_storm(void)
{
    struct veu_linux_query query;
    volatile unsigned rounds = 0;
    Client c;

    if (!has_tables()) {
        return;
    }
    open_client(&c);
    veu_client_query(c.veu, &query);
    check("a process changes its memory while the device uses it",
          works_while_disturbed(&rounds, 10));
    check("... and so do several at once", all_work(query.registers[4] - 1));
    check("others do not notice when one of them is killed", dies(&c));
    check("a process ends, and its file does not", leaves_file());
    check("pages that the kernel takes come again", swaps());
    check("... and the neighbour works", fills(&c, 7));
    close_client(&c);
}
