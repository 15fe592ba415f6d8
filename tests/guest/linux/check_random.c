/*
 * Processes that follow no rules: they make calls with arbitrary arguments, and
 * write arbitrary values to memory shared with the device and the driver.
 * Another process works meanwhile.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

#define PROCESSES 3
#define MAP_BYTES 16384

static unsigned state;
static sigjmp_buf no_memory;

static uint32_t below(uint32_t limit)
{
    state = state * 1664525 + 1013904223;
    return ((uint64_t)state >> 8) * limit >> 24;
}

/* Mostly small, so that it has a meaning. */
static uint64_t any_value(void)
{
    static const uint64_t special[] = { 0,        1,           4,
                                        0x80,     4096,        0x7fffffff,
                                        1u << 31, 0xffffffffu, UINT64_MAX };
    unsigned kind = below(4);

    if (kind == 0) {
        return special[below(sizeof(special) / sizeof(special[0]))];
    }
    return kind == 1 ? (uint64_t)below(1u << 24) << below(40) : below(8);
}

static void call(int fd)
{
    static const unsigned long requests[] = {
        VEU_IOC_QUERY,       VEU_IOC_BUFFER_CREATE, VEU_IOC_BUFFER_DESTROY,
        VEU_IOC_RING_CREATE, VEU_IOC_SUBMIT,        VEU_IOC_WAIT,
        VEU_IOC_FAULTS,      VEU_IOC_RESUME,        VEU_IOC_RESET,
        VEU_IOC_SVM,         VEU_IOC_MAP,           VEU_IOC_UNMAP,
    };
    unsigned long request = requests[below(12)];
    union {
        uint64_t words[80];
        uint32_t halves[160];
        struct veu_linux_buffer buffer;
        struct veu_linux_map map;
    } argument;

    for (unsigned i = 0; i < 160; i++) {
        argument.halves[i] = any_value();
    }
    if (request == VEU_IOC_BUFFER_CREATE) {
        argument.buffer.bytes = below(8) ? below(65536) : any_value() << 40;
        argument.buffer.reserved = !below(8);
    }
    if ((request == VEU_IOC_MAP || request == VEU_IOC_UNMAP) && below(4)) {
        argument.map.address = below(8) * 4096ull << below(20);
        argument.map.bytes = below(4) * 4096;
        argument.map.handle = below(4);
        argument.map.memory = below(2) ? below(4) * 4096ull :
                                         (uintptr_t)requests & -4096ull;
        argument.map.flags = below(4);
    }
    if (request == VEU_IOC_RING_CREATE && below(2)) {
        memset(&argument, 0, sizeof(argument));
        argument.halves[0] = 4u << below(6);
        argument.halves[1] = below(3);
    }
    ioctl(fd, request, below(32) ? &argument : (void *)any_value());
}

/* Writes to the ring, its doorbell, one of the first buffers, or nothing. */
static void scribble(int fd)
{
    uint64_t offset = ((uint64_t)below(8) << 32) + below(2) * 4096;
    volatile uint32_t *words;

    words = mmap(NULL, below(2) ? MAP_BYTES : 4096, PROT_READ | PROT_WRITE,
                 MAP_SHARED, fd, offset);
    if (words == MAP_FAILED) {
        return;
    }
    if (!sigsetjmp(no_memory, 1)) {
        for (unsigned i = 0; i < 8; i++) {
            words[below(1024)] = any_value();
            words[below(32)] = any_value();
        }
    }
    munmap((void *)words, MAP_BYTES);
}

static void on_sigbus(int number)
{
    (void)number;
    siglongjmp(no_memory, 1);
}

static void on_alarm(int number)
{
    (void)number;
}

/* Calls are not restarted, because a wait would last indefinitely. */
static void behave_badly(unsigned seed, unsigned calls)
{
    const struct itimerval often = { { 0, 5000 }, { 0, 5000 } };
    struct sigaction alarm = { .sa_handler = on_alarm };
    struct sigaction bus = { .sa_handler = on_sigbus };
    int fd = open(VEU_CLIENT_DEVICE, O_RDWR);

    state = seed;
    sigaction(SIGALRM, &alarm, NULL);
    sigaction(SIGBUS, &bus, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    while (calls--) {
        if (below(4)) {
            call(fd);
        } else {
            scribble(fd);
        }
        if (!below(200)) {
            close(fd);
            fd = open(VEU_CLIENT_DEVICE, O_RDWR);
        }
    }
    _exit(0);
}

static unsigned long free_kib(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    unsigned long kib = 0;
    char line[128];

    while (file && fgets(line, sizeof(line), file)) {
        sscanf(line, "MemFree: %lu kB", &kib);
    }
    if (file) {
        fclose(file);
    }
    return kib;
}

/* Waits for all that run; *@good becomes false if the client's work failed. */
static bool work_meanwhile(Client *c, unsigned running)
{
    bool good = true;
    int status;

    for (uint64_t i = 1; running; i++) {
        good = good && fills(c, i);
        if (waitpid(-1, &status, WNOHANG) > 0) {
            good = good && status == 0;
            running--;
        }
    }
    return good;
}

void check_random(unsigned calls)
{
    unsigned long before = free_kib();
    bool good;
    Client c;

    open_client(&c);
    for (unsigned i = 0; i < PROCESSES; i++) {
        if (!fork()) {
            behave_badly(i + 1, calls / PROCESSES);
        }
    }
    good = work_meanwhile(&c, PROCESSES);
    close_client(&c);
    check("processes that know no rules harm no other", good);
    printf("free memory: %lu KiB, then %lu KiB\n", before, free_kib());
    check("... and nothing of theirs stays", free_kib() + 8192 > before);
}
