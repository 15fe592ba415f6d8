/*
 * Shared virtual memory under work: processes that change their memory while
 * the device uses it, and that die.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

#define BYTES    (2u << 20)
#define PAGE     4096u
/* Many pages, which come one by one, and go all the time. */
#define STORM_NS (60 * VEU_CLIENT_SECOND)

#ifndef MADV_COLLAPSE /* Linux 6.1 */
#define MADV_COLLAPSE 25
#endif

static uint64_t *map_private(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

static bool holds(const volatile uint64_t *memory, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes / 8; i++) {
        if (memory[i] != value) {
            return false;
        }
    }
    return true;
}

/* --- A process that is busy with its memory ------------------------------- */

/*
 * The device's area is in one of two places, both of a huge page; the other
 * area changes beside it.
 */
typedef struct Busy {
    uint64_t *places[2];
    uint64_t *volatile own;
    uint64_t *other;
    pthread_mutex_t whole; /* the area is one mapping: it can move */
    volatile bool stop;
} Busy;

static void *huge_place(void)
{
    uintptr_t area = (uintptr_t)map_private(2 * BYTES);

    return (void *)((area + BYTES - 1) & -(uintptr_t)BYTES);
}

static void leave(Busy *busy)
{
    munmap(busy->places[0], BYTES);
    munmap(busy->places[1], BYTES);
    munmap(busy->other, BYTES);
}

/* The area with all it holds; its old place is memory again. */
static bool move(Busy *busy)
{
    uint64_t *from = busy->own;
    uint64_t *to = busy->places[from == busy->places[0]];
    bool good;

    pthread_mutex_lock(&busy->whole);
    good = mremap(from, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to;
    busy->own = to;
    pthread_mutex_unlock(&busy->whole);
    return mmap(from, BYTES, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == from &&
           good;
}

/* A process that shares pages until it or its parent writes. */
static void fork_beside(Busy *busy)
{
    pid_t child = fork();

    if (!child) {
        busy->own[0]++;
        busy->own[BYTES / 8 - 1]++;
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* A page of its own in the middle: a huge one is split. */
static void split(Busy *busy, unsigned page)
{
    uint64_t *at;

    pthread_mutex_lock(&busy->whole);
    at = busy->own + page * PAGE / 8;
    mprotect(at, PAGE, PROT_READ);
    mprotect(at, PAGE, PROT_READ | PROT_WRITE);
    pthread_mutex_unlock(&busy->whole);
}

/* The calls that reach notifiers, also of memory beside the device's. */
static void *disturb(void *opaque)
{
    Busy *busy = opaque;

    for (unsigned i = 0; !busy->stop; i++) {
        uint64_t *own = busy->own;

        mprotect(own, BYTES, PROT_READ);
        mprotect(own, BYTES, PROT_READ | PROT_WRITE);
        madvise(busy->other, BYTES, MADV_DONTNEED);
        busy->other[i % (BYTES / 8)] = i;
        madvise(own, BYTES, i % 8 < 6 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
        madvise(own, BYTES, MADV_COLLAPSE);
        split(busy, i % (BYTES / PAGE));
        madvise(own, BYTES, MADV_PAGEOUT);
        if (i % 16 == 0) {
            fork_beside(busy);
        }
        usleep(1000);
    }
    return NULL;
}

/* mprotect() may come between a page and its use: a fault, and again. */
static bool fills_all(Client *c, uint64_t *memory, uint64_t pattern)
{
    struct veu_linux_faults faults;
    int error;

    submit_fill(c, (uintptr_t)memory, pattern, BYTES);
    while ((error = veu_client_wait(c->veu, veu_client_tail(c->veu),
                                    STORM_NS)) == -EIO) {
        if (veu_client_faults(c->veu, &faults) || faults.count != 1 ||
            veu_client_resume(c->veu, faults.records[0].slot)) {
            return false;
        }
    }
    return error == 0 && holds(memory, pattern, BYTES);
}

/* The device writes it, it moves, the device writes it again. */
static bool does_round(Client *c, Busy *busy, uint64_t pattern)
{
    return fills_all(c, busy->own, pattern) && move(busy) &&
           holds(busy->own, pattern, BYTES) &&
           fills_all(c, busy->own, ~pattern);
}

/* @rounds, which others may read, counts up to @most. */
static bool works_while_disturbed(volatile unsigned *rounds, unsigned most)
{
    Busy busy = { { huge_place(), huge_place() },
                  NULL,
                  map_private(BYTES),
                  PTHREAD_MUTEX_INITIALIZER,
                  false };
    pthread_t thread;
    bool good;
    Client c;

    busy.own = busy.places[0];
    good = !open_svm(&c);
    pthread_create(&thread, NULL, disturb, &busy);
    while (good && *rounds < most) {
        good = does_round(&c, &busy, *rounds);
        ++*rounds;
    }
    busy.stop = true;
    pthread_join(thread, NULL);
    close_client(&c);
    leave(&busy);
    return good;
}

/* As many as the device has rings, all at once. */
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

/* The process's memory goes, and its file stays with a child. */
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
    /* The child is an orphan now: the first process inherits it. */
    return status == 0 && wait(NULL) > 0;
}

/* --- Pages that go -------------------------------------------------------- */

/* Reclaim takes pages that the device has written. */
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

typedef struct Worker {
    pid_t child;
    volatile unsigned rounds; /* shared with the child */
} Worker;

static void start(Worker *worker)
{
    worker->rounds = 0;
    worker->child = fork();
    if (!worker->child) {
        _exit(!works_while_disturbed(&worker->rounds, ~0u));
    }
}

/* Adds what it has done. */
static bool ends(Worker *worker, unsigned *rounds)
{
    int status = 0;

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

/* On a slow host, those that are left need more time. */
static void let_one_work(const Worker *workers, unsigned count)
{
    uint64_t end = now_ns() + STORM_NS;

    while (!has_progress(workers, count) && now_ns() < end) {
        usleep(10000);
    }
}

/* Until the time is up, one of them after the other dies and begins again. */
static bool rages(Worker *workers, unsigned count, Client *neighbour,
                  uint64_t end)
{
    unsigned rounds = 0, kills = 0;
    bool good = true;

    for (unsigned i = 0; i < count; i++) {
        start(&workers[i]);
    }
    for (; good && now_ns() < end; kills++) {
        Worker *worker = &workers[rand() % count];

        usleep(rand() % 1000000);
        good = fills(neighbour, kills) && ends(worker, &rounds);
        start(worker);
    }
    let_one_work(workers, count);
    for (unsigned i = 0; i < count; i++) {
        good = ends(&workers[i], &rounds) && good;
    }
    /* Children of those that were killed are the first process's now. */
    while (wait(NULL) > 0) {}
    printf("storm: %u processes, %u rounds, %u kills\n", count, rounds, kills);
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
    check("processes work, change their memory, and are killed",
          rages(workers, query.registers[4] - 1, &c, end));
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
