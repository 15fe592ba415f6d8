/*
 * Distant pages, each in a table of its own: one call removes them, and no
 * other thread waits long for the lock meanwhile.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include "guest.h"

#define PAGES    1024u
#define STRIDE   (2ull << 20) /* the range of a level-1 table */
#define BYTES    (PAGES * STRIDE)
#define MANY     8300u
#define SLEEP_US 200

/* --- The delay of a thread that should run at once ------------------------ */

typedef struct Watch {
    pthread_t thread;
    volatile bool stop;
    uint64_t most_ns;
} Watch;

static void *watch(void *opaque)
{
    const struct sched_param first = { .sched_priority = 50 };
    Watch *w = opaque;

    sched_setscheduler(0, SCHED_FIFO, &first);
    while (!w->stop) {
        uint64_t begin = now_ns(), took;

        usleep(SLEEP_US);
        took = now_ns() - begin - SLEEP_US * 1000;
        w->most_ns = took > w->most_ns ? took : w->most_ns;
    }
    return NULL;
}

/* --- The pages ------------------------------------------------------------ */

/* The device fills the first word of each page. */
static bool fills_each(Client *c, char *memory)
{
    bool good = true;

    for (unsigned i = 0; i < PAGES && good; i++) {
        submit_fill(c, (uintptr_t)memory + i * STRIDE, i, 8);
        good = i % (SLOTS / 2) || wait_all(c) == 0;
    }
    return good && wait_all(c) == 0;
}

static bool has_each(const char *memory)
{
    for (unsigned i = 0; i < PAGES; i++) {
        if (*(const uint64_t *)(memory + i * STRIDE) != i) {
            return false;
        }
    }
    return true;
}

/* Measures one call that removes them all. */
static bool goes(char *memory)
{
    Watch w = { .stop = false };
    uint64_t begin;
    bool good;

    pthread_create(&w.thread, NULL, watch, &w);
    usleep(10 * SLEEP_US);
    begin = now_ns();
    good = !munmap(memory, BYTES);
    begin = now_ns() - begin;
    w.stop = true;
    pthread_join(w.thread, NULL);
    printf("latency: a sparse area: %llu us to go, others late by %llu us\n",
           (unsigned long long)begin / 1000,
           (unsigned long long)w.most_ns / 1000);
    return good;
}

static bool is_fault(Client *c, char *memory)
{
    struct veu_linux_faults faults;

    submit_fill(c, (uintptr_t)memory, 1, 8);
    return wait_all(c) == -EIO && !veu_client_faults(c->veu, &faults) &&
           faults.count == 1 && !veu_client_skip(c->veu, &faults.records[0]);
}

/*
 * A space has at most 8192 tables: docs/linux.md, "Decisions". The pages are
 * read, so that all of them are the kernel's page of zeros.
 */
static bool reads_each_of(Client *c, char *memory, unsigned count)
{
    struct veu_command_copy copy = {
        .header = { VEU_COMMAND_COPY, 1, VEU_COMMAND_INTERRUPT },
        .destination = (uintptr_t)c->buffer.memory,
        .bytes = 8,
    };
    bool good = true;

    for (unsigned i = 0; i < count && good; i++) {
        copy.source = (uintptr_t)memory + i * STRIDE;
        veu_client_put(c->veu, &copy.header);
        veu_client_submit(c->veu);
        good = i % (SLOTS / 2) || wait_all(c) == 0;
    }
    return good && wait_all(c) == 0;
}

static void check_many_tables(Client *c)
{
    char *memory = mmap(NULL, MANY * STRIDE, PROT_READ,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    madvise(memory, MANY * STRIDE, MADV_NOHUGEPAGE);
    check("tables make room for others when there are too many",
          memory != MAP_FAILED && reads_each_of(c, memory, MANY) &&
              reads_each_of(c, memory, 1));
    munmap(memory, MANY * STRIDE);
}

void check_sparse(void)
{
    char *memory;
    Client c;

    if (!has_tables()) {
        return;
    }
    memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    madvise(memory, BYTES, MADV_NOHUGEPAGE);
    if (memory == MAP_FAILED || open_svm(&c)) {
        check("a sparse area", false);
        return;
    }
    check("the device writes pages far apart",
          fills_each(&c, memory) && has_each(memory));
    check("... they go in one call", goes(memory));
    check("... and the device reaches none of them",
          is_fault(&c, memory) && is_fault(&c, memory + BYTES - STRIDE));
    check("... its ring works", fills(&c, 5));
    check_many_tables(&c);
    close_client(&c);
}
