/*
 * Shared virtual memory under work: processes that change their memory while
 * the device uses it, that die, and pages that never come.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

#define PAGE  4096u
#define BYTES (1u << 20)

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

/* Two areas; one is the device's, the other one changes. */
typedef struct Busy {
    uint64_t *own;
    uint64_t *other;
    volatile bool stop;
} Busy;

/* The calls that reach notifiers, also of memory beside the device's. */
static void *disturb(void *opaque)
{
    Busy *busy = opaque;
    pid_t child;

    for (unsigned i = 0; !busy->stop; i++) {
        mprotect(busy->own, BYTES, PROT_READ);
        mprotect(busy->own, BYTES, PROT_READ | PROT_WRITE);
        madvise(busy->other, BYTES, MADV_DONTNEED);
        busy->other[i % (BYTES / 8)] = i;
        madvise(busy->own, BYTES, i % 2 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
        madvise(busy->own, BYTES, MADV_PAGEOUT);
        if (i % 16 == 0) {
            child = fork();
            if (!child) {
                _exit(0);
            }
            waitpid(child, NULL, 0);
        }
    }
    return NULL;
}

/* mprotect() may come between a page and its use: a fault, and again. */
static bool fills_all(Client *c, uint64_t *memory, uint64_t pattern)
{
    struct veu_linux_faults faults;
    int error;

    submit_fill(c, (uintptr_t)memory, pattern, BYTES);
    while ((error = wait_all(c)) == -EIO) {
        if (veu_client_faults(c->veu, &faults) || faults.count != 1 ||
            veu_client_resume(c->veu, faults.records[0].slot)) {
            return false;
        }
    }
    return error == 0 && holds(memory, pattern, BYTES);
}

static bool works_while_disturbed(unsigned rounds)
{
    Busy busy = { map_private(BYTES), map_private(BYTES), false };
    pthread_t thread;
    bool good;
    Client c;

    good = !open_svm(&c);
    pthread_create(&thread, NULL, disturb, &busy);
    for (unsigned i = 1; i <= rounds && good; i++) {
        good = fills_all(&c, busy.own, i);
    }
    busy.stop = true;
    pthread_join(thread, NULL);
    close_client(&c);
    munmap(busy.own, BYTES);
    munmap(busy.other, BYTES);
    return good;
}

/* As many as the device has rings, all at once. */
static bool all_work(unsigned processes)
{
    bool good = true;
    int status;

    for (unsigned i = 0; i < processes; i++) {
        if (!fork()) {
            _exit(!works_while_disturbed(3));
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

/* --- Pages that are late, or never come ----------------------------------- */

/* The device has no thread that could wait for the handler. */
static bool refuses_userfaultfd(void)
{
    struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
    struct uffdio_api api = { .api = UFFD_API };
    int fd = syscall(SYS_userfaultfd, O_CLOEXEC);
    uint64_t *memory = map_private(PAGE);
    struct veu_linux_faults faults;
    bool good;
    Client c;

    range.range.start = (uintptr_t)memory;
    range.range.len = PAGE;
    if (ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &range)) {
        return false;
    }
    good = !open_svm(&c);
    submit_fill(&c, (uintptr_t)memory, 1, 8);
    good = good && wait_all(&c) == -EIO && !veu_client_faults(c.veu, &faults) &&
           faults.records[0].address == (uintptr_t)memory;
    close_client(&c);
    close(fd);
    munmap(memory, PAGE);
    return good;
}

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

void check_storm(void)
{
    struct veu_linux_query query;
    Client c;

    if (!has_tables()) {
        return;
    }
    open_client(&c);
    veu_client_query(c.veu, &query);
    check("a process changes its memory while the device uses it",
          works_while_disturbed(10));
    check("... and so do several at once", all_work(query.registers[4] - 1));
    check("others do not notice when one of them is killed", dies(&c));
    check("a process ends, and its file does not", leaves_file());
    check("userfaultfd is a fault", refuses_userfaultfd());
    check("pages that the kernel takes come again", swaps());
    check("... and the neighbour works", fills(&c, 7));
    close_client(&c);
}
