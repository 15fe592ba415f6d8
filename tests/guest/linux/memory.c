/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

uint64_t address_of(const volatile void *memory)
{
    return (uintptr_t)memory;
}

uint64_t *map_pages(size_t bytes, int flags, int fd)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

uint64_t *map_private(size_t bytes)
{
    return map_pages(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

uint64_t *map_aligned(size_t bytes)
{
    return (void *)((address_of(map_private(bytes + HUGE)) + HUGE - 1) & -HUGE);
}

bool holds(const volatile uint64_t *memory, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes / 8; i++) {
        if (memory[i] != value) {
            return false;
        }
    }
    return true;
}

int fill(Client *c, volatile void *memory, uint64_t pattern, uint32_t bytes)
{
    submit_fill(c, address_of(memory), pattern, bytes);
    return wait_all(c);
}

int copy(Client *c, volatile void *to, const volatile void *from,
         uint32_t bytes)
{
    const struct veu_command_copy command = {
        .header = { VEU_COMMAND_COPY, 1, VEU_COMMAND_INTERRUPT },
        .source = address_of(from),
        .destination = address_of(to),
        .bytes = bytes,
    };

    veu_client_put(c->veu, &command.header);
    veu_client_submit(c->veu);
    return wait_all(c);
}

bool faults_at(Client *c, int error, const volatile void *memory)
{
    struct veu_linux_faults faults;

    return error == -EIO && !veu_client_faults(c->veu, &faults) &&
           faults.count == 1 &&
           faults.records[0].code == VEU_FAULT_COMMAND_MEMORY &&
           faults.records[0].address - address_of(memory) < PAGE &&
           !veu_client_skip(c->veu, &faults.records[0]);
}

#define KSM "/sys/kernel/mm/ksm/"

bool merge_pages(bool on)
{
    return write_file(KSM "pages_to_scan", "10000") &&
           write_file(KSM "run", on ? "1" : "2");
}

unsigned long merged_pages(void)
{
    FILE *file = fopen(KSM "pages_sharing", "r");
    unsigned long number = 0;

    if (file && fscanf(file, "%lu", &number) != 1) {
        number = 0;
    }
    if (file) {
        fclose(file);
    }
    return number;
}

bool write_memory(const volatile void *to, uint64_t value)
{
    int fd = open("/proc/self/mem", O_RDWR);
    bool good = pwrite(fd, &value, 8, address_of(to)) == 8;

    close(fd);
    return good;
}

bool ends(pid_t child)
{
    uint64_t end = now_ns() + TIMEOUT_NS;
    pid_t ended;

    while (!(ended = waitpid(child, NULL, WNOHANG)) && now_ns() < end) {
        usleep(1000);
    }
    return ended == child;
}

bool is_sigbus(const volatile uint64_t *memory)
{
    int status = 0;
    pid_t child = fork();

    if (!child) {
        _exit(*memory == 0);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS;
}
