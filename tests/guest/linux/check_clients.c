/*
 * Several clients at once: none notices what another one does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

void check_use(void)
{
    Client c;

    check("a process opens the device", !open_client(&c));
    check("the device fills its buffer", fills(&c, 0x123456789abcdef0));
    close_client(&c);
}

/* An address of another client faults, and then the ring continues. */
void check_isolation(void)
{
    struct veu_linux_faults faults;
    Client a, b;

    check("two files at once", !open_client(&a) && !open_client(&b));
    b.memory[0] = 42;
    submit_fill(&a, b.buffer.address, 1, 8);
    check("the ring halts at another file's buffer", wait_all(&a) == -EIO);
    check("... which is as it was", b.memory[0] == 42);
    check("the fault is told",
          !veu_client_faults(a.veu, &faults) && faults.count == 1 &&
              faults.records[0].code == VEU_FAULT_COMMAND_MEMORY &&
              faults.records[0].address == b.buffer.address);
    check("the ring continues", !veu_client_skip(a.veu, &faults.records[0]) &&
                                    fills(&a, 2) && fills(&b, 3));
    close_client(&a);
    close_client(&b);
}

static bool use_and_replace(Client *c, uint64_t pattern)
{
    return fills(c, pattern) &&
           !veu_client_buffer_destroy(c->veu, &c->buffer) &&
           !veu_client_buffer_create(c->veu, BUFFER_BYTES, &c->buffer) &&
           *(c->memory = c->buffer.memory) == 0;
}

/* Without page tables and an IOMMU, memory has to be contiguous. */
static bool takes_any_pages(void)
{
    char group[128];

    snprintf(group, sizeof(group), "/sys/bus/pci/devices/%s/iommu_group",
             bus_name());
    return has_tables() || !access(group, F_OK);
}

/*
 * The device finds all bytes of a large buffer, or the driver refuses to create
 * it.
 */
static bool has_large_buffers(Client *c)
{
    struct veu_client_buffer b;
    int error = veu_client_buffer_create(c->veu, 16 << 20, &b);
    bool good;

    if (!takes_any_pages()) {
        return error == -ENOMEM;
    }
    if (error) {
        return false;
    }
    submit_fill(c, b.address, 0x0101010101010101, b.bytes);
    good = wait_all(c) == 0 && !memchr(b.memory, 0, b.bytes);
    return !veu_client_buffer_destroy(c->veu, &b) && good;
}

/* The limit is half of the memory: one third of it fits, two do not. */
static void check_sum(void)
{
    struct veu_client_buffer first, second;
    struct sysinfo info;
    uint64_t bytes;
    Client c;

    if (!has_tables()) {
        skip("buffers are limited by what is contiguous");
        return;
    }
    sysinfo(&info);
    bytes = (uint64_t)info.totalram * info.mem_unit / 3;
    open_client(&c);
    check("the buffers of a file have a limit together",
          !veu_client_buffer_create(c.veu, bytes, &first) &&
              veu_client_buffer_create(c.veu, bytes, &second) == -ENOSPC);
    check("... to which those that are destroyed do not count",
          !veu_client_buffer_destroy(c.veu, &first) &&
              !veu_client_buffer_create(c.veu, bytes, &second));
    close_client(&c);
}

/* Consecutive buffers are not adjacent. */
static void check_end(void)
{
    struct veu_client_buffer next;
    Client c;

    open_client(&c);
    veu_client_buffer_create(c.veu, BUFFER_BYTES, &next);
    submit_fill(&c, c.buffer.address, 1, BUFFER_BYTES + 8);
    check("what runs over the end of a buffer is a fault",
          wait_all(&c) == -EIO);
    close_client(&c);
}

/* Rings that are asleep; no call but the submit itself wakes them. */
static void check_doorbells(void)
{
    uint64_t end;
    Client c[2];

    open_client(&c[0]);
    open_client(&c[1]);
    usleep(100000);
    submit_fill(&c[1], c[1].buffer.address, 5, 8);
    for (end = now_ns() + TIMEOUT_NS; now_ns() < end && c[1].memory[0] != 5;) {
        usleep(1000);
    }
    check("a submit wakes its own ring", c[1].memory[0] == 5);
    close_client(&c[0]);
    close_client(&c[1]);
}

/* Buffers are created and destroyed: freed pages and addresses are reused. */
void check_buffers(void)
{
    uint64_t old;
    bool good;
    Client c;

    open_client(&c);
    good = has_large_buffers(&c);
    check("buffers of more than 4 MiB, with page tables or an IOMMU", good);
    for (uint64_t i = 1; i <= 50; i++) {
        good = good && use_and_replace(&c, i);
    }
    check("buffers are created, used, freed, created again", good);
    old = c.buffer.address;
    veu_client_buffer_destroy(c.veu, &c.buffer);
    submit_fill(&c, old, 1, 8);
    check("what is freed is out of the device's reach", wait_all(&c) == -EIO);
    close_client(&c);
    check_sum();
    check_end();
    check_doorbells();
}

/* Waits for the end of all that the thread below puts. */
static void *wait_for_all(void *client)
{
    Client *c = client;

    return (void *)(intptr_t)veu_client_wait(c->veu, 1000, TIMEOUT_NS);
}

/* One thread puts and submits while others wait. */
void check_threads(void)
{
    void *results[2] = { NULL, NULL };
    pthread_t threads[2];
    bool good = true;
    Client c;

    open_client(&c);
    for (unsigned i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, wait_for_all, &c);
    }
    for (unsigned i = 0; i < 1000; i++) {
        submit_fill(&c, c.buffer.address, i, 8);
        good = good && (i % 10 || wait_all(&c) == 0);
    }
    for (unsigned i = 0; i < 2; i++) {
        good = !pthread_join(threads[i], &results[i]) && !results[i] && good;
    }
    check("threads wait while another one submits", good && c.memory[0] == 999);
    close_client(&c);
}

static void work_for_ever(void)
{
    Client c;

    for (open_client(&c);;) {
        if (veu_client_tail(c.veu) - veu_client_head(c.veu) < SLOTS) {
            submit_fill(&c, c.buffer.address, 1, BUFFER_BYTES);
        }
    }
}

void check_kills(void)
{
    /* "kills=N" on the kernel's command line arrives as a variable */
    const char *kills = getenv("kills");
    bool good = true;
    Client c;

    open_client(&c);
    for (int i = 0; i < (kills ? atoi(kills) : 10); i++) {
        pid_t child = fork();

        if (!child) {
            work_for_ever();
        }
        usleep(rand() % 20000);
        good = good && fills(&c, i + 1);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        good = good && fills(&c, i + 100);
    }
    check("others do not notice when a process is killed at work", good);
    close_client(&c);
}
