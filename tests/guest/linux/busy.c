/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include "busy.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "memory.h"

#define BYTES      HUGE
#define FILE_BYTES (16 * PAGE)
/* Many pages, which come one by one, and go all the time. */
#define STORM_NS   (12 * TIMEOUT_NS)

#ifndef MADV_COLLAPSE /* Linux 6.1 */
#define MADV_COLLAPSE 25
#endif

typedef struct Busy {
    uint64_t *places[2]; /* each of a huge page */
    /* The area, in one of them, whose contents are checked. */
    uint64_t *volatile own;
    uint64_t *other;  /* anything may be here */
    uint64_t *shared; /* the file, as long as that happens to be */
    int file;
    pthread_mutex_t whole;   /* the area is one mapping: it can move */
    volatile unsigned fills; /* of the area */
    unsigned protected;      /* its value when mprotect() was called last */
    volatile bool stop;
} Busy;

/* --- Disturbances --------------------------------------------------------- */

/*
 * A fill that meets this faults and begins again, so each meets it once:
 * otherwise slow hosts would never end one.
 */
static void protect(Busy *busy, unsigned turn)
{
    (void)turn;
    if (busy->fills == busy->protected) {
        return;
    }
    pthread_mutex_lock(&busy->whole);
    busy->protected = busy->fills;
    mprotect(busy->own, BYTES, PROT_READ);
    mprotect(busy->own, BYTES, PROT_READ | PROT_WRITE);
    pthread_mutex_unlock(&busy->whole);
}

static void drop(Busy *busy, unsigned turn)
{
    madvise(busy->other, BYTES, turn % 2 ? MADV_DONTNEED : MADV_FREE);
    busy->other[turn % (BYTES / 8)] = turn;
}

static void change_size(Busy *busy, unsigned turn)
{
    madvise(busy->own, BYTES, turn % 8 < 6 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    madvise(busy->own, BYTES, MADV_COLLAPSE);
}

/* A page of its own in the middle: a huge one is split. */
static void split(Busy *busy, unsigned turn)
{
    uint64_t *at;

    pthread_mutex_lock(&busy->whole);
    at = busy->own + turn % (BYTES / PAGE) * PAGE / 8;
    mprotect(at, PAGE, PROT_READ);
    mprotect(at, PAGE, PROT_READ | PROT_WRITE);
    pthread_mutex_unlock(&busy->whole);
}

static void page_out(Busy *busy, unsigned turn)
{
    (void)turn;
    madvise(busy->own, BYTES, MADV_PAGEOUT);
}

/* A process that shares pages until it or its parent writes. */
static void fork_beside(Busy *busy, unsigned turn)
{
    pid_t child;

    madvise(busy->other, BYTES, turn % 32 ? MADV_DOFORK : MADV_DONTFORK);
    child = fork();
    if (!child) {
        busy->own[0]++;
        busy->own[BYTES / 8 - 1]++;
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void cut_file(Busy *busy, unsigned turn)
{
    if (turn % 8) {
        fallocate(busy->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                  FILE_BYTES / 2);
    } else if (!ftruncate(busy->file, turn % 3 * PAGE)) {
        turn = ftruncate(busy->file, FILE_BYTES);
    }
}

static void write_by_force(Busy *busy, unsigned turn)
{
    write_memory(busy->other + turn % (BYTES / 8), turn);
    write_memory(busy->shared, turn);
}

static void track(Busy *busy, unsigned turn)
{
    (void)turn;
    write_file("/proc/self/clear_refs", "4");
    madvise(busy->own, BYTES, MADV_MERGEABLE);
}

static void *end_at_once(void *opaque)
{
    return opaque;
}

/* A thread and a program that begin and end. */
static void run_others(Busy *busy, unsigned turn)
{
    char *arguments[] = { "init", "-1", NULL };
    pthread_t thread;
    pid_t child;

    (void)turn;
    if (!pthread_create(&thread, NULL, end_at_once, busy)) {
        pthread_join(thread, NULL);
    }
    if (!posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments,
                     environ)) {
        waitpid(child, NULL, 0);
    }
}

static const struct {
    void (*function)(Busy *busy, unsigned turn);
    unsigned every; /* turns */
} disturbances[] = {
    { protect, 1 },     { drop, 1 },           { change_size, 1 },
    { split, 1 },       { page_out, 1 },       { cut_file, 4 },
    { track, 8 },       { write_by_force, 8 }, { fork_beside, 16 },
    { run_others, 64 },
};

static void *disturb(void *opaque)
{
    Busy *busy = opaque;

    for (unsigned turn = 0; !busy->stop; turn++) {
        for (unsigned i = 0; i < sizeof(disturbances) / sizeof(*disturbances);
             i++) {
            if (turn % disturbances[i].every == 0) {
                disturbances[i].function(busy, turn);
            }
        }
        usleep(1000);
    }
    return NULL;
}

/* --- The device ----------------------------------------------------------- */

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

/* mprotect() may come between a page and its use: a fault, and again. */
static bool fills_all(Client *c, Busy *busy, uint64_t pattern)
{
    struct veu_linux_faults faults;
    int error;

    submit_fill(c, address_of(busy->own), pattern, BYTES);
    while ((error = veu_client_wait(c->veu, veu_client_tail(c->veu),
                                    STORM_NS)) == -EIO) {
        if (veu_client_faults(c->veu, &faults) || faults.count != 1 ||
            veu_client_resume(c->veu, faults.records[0].slot)) {
            return false;
        }
    }
    busy->fills++;
    if (error) {
        printf("storm: a fill ends with %d\n", error);
    }
    return error == 0;
}

/* Memory that may have gone: the command has its effect, or faults. */
static bool touches(Client *c, uint64_t *memory, uint32_t bytes)
{
    struct veu_linux_faults faults;
    int error;

    submit_fill(c, address_of(memory), 1, bytes);
    error = veu_client_wait(c->veu, veu_client_tail(c->veu), STORM_NS);
    if (error == -EIO) {
        return !veu_client_faults(c->veu, &faults) && faults.count == 1 &&
               !veu_client_skip(c->veu, &faults.records[0]);
    }
    return error == 0;
}

/* The device writes it, it moves, the device writes it again. */
static bool does_round(Client *c, Busy *busy, uint64_t pattern)
{
    return fills_all(c, busy, pattern) && holds(busy->own, pattern, BYTES) &&
           touches(c, busy->shared, FILE_BYTES) &&
           touches(c, busy->other, BYTES) && move(busy) &&
           holds(busy->own, pattern, BYTES) && fills_all(c, busy, ~pattern) &&
           holds(busy->own, ~pattern, BYTES);
}

static void enter(Busy *busy)
{
    busy->places[0] = map_aligned(BYTES);
    busy->places[1] = map_aligned(BYTES);
    busy->own = busy->places[0];
    busy->other = map_private(BYTES);
    busy->file = memfd_create("busy", MFD_CLOEXEC);
    busy->shared = map_pages(FILE_BYTES, MAP_SHARED, busy->file);
    pthread_mutex_init(&busy->whole, NULL);
}

static void leave(Busy *busy)
{
    munmap(busy->places[0], BYTES);
    munmap(busy->places[1], BYTES);
    munmap(busy->other, BYTES);
    munmap(busy->shared, FILE_BYTES);
    close(busy->file);
}

static bool does_rounds(Client *c, Busy *busy, volatile unsigned *rounds,
                        unsigned most)
{
    pthread_t thread;
    bool good = true;

    if (pthread_create(&thread, NULL, disturb, busy)) {
        return false;
    }
    while (good && *rounds < most) {
        good = does_round(c, busy, *rounds);
        ++*rounds;
    }
    busy->stop = true;
    pthread_join(thread, NULL);
    return good;
}

bool works_while_disturbed(volatile unsigned *rounds, unsigned most)
{
    Busy busy = { 0 };
    int error;
    bool good;
    Client c;

    if ((error = open_svm(&c))) {
        printf("storm: process %d gets no ring: %d\n", getpid(), error);
        return false;
    }
    enter(&busy);
    good = does_rounds(&c, &busy, rounds, most);
    if (!good) {
        printf("storm: process %d fails in round %u\n", getpid(), *rounds);
    }
    close_client(&c);
    leave(&busy);
    return good;
}
