/*
 * A debugger's view of a process's buffers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

/*
 * Starts a child that stops for its debugger; it succeeds if word 1 is then 7.
 */
static pid_t start_child(Client *c)
{
    pid_t child = fork();

    if (!child) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        _exit(c->memory[1] != 7);
    }
    waitpid(child, NULL, 0);
    return child;
}

/* Reads the last half of a page of the buffer, and memory past its end. */
static bool reads_to_the_end(Client *c, pid_t child)
{
    static uint64_t words[512];
    off_t last = (uintptr_t)c->buffer.memory + BUFFER_BYTES - 2048;
    char path[32];
    ssize_t bytes;
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/mem", child);
    fd = open(path, O_RDONLY);
    bytes = pread(fd, words, sizeof(words), last);
    close(fd);
    return bytes >= 2048 && words[0] == 42 && words[255] == 42;
}

/* A mapping of a buffer's second page. */
static bool reads_second_page(void)
{
    struct veu_linux_buffer buffer = { .bytes = 2 * 4096 };
    int fd = open(VEU_CLIENT_DEVICE, O_RDWR);
    uint64_t *both, *second;
    pid_t child;
    bool good;

    call_driver(fd, VEU_IOC_BUFFER_CREATE, &buffer);
    both = mmap(NULL, 2 * 4096, PROT_WRITE, MAP_SHARED, fd, buffer.offset);
    second = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, buffer.offset + 4096);
    both[1] = 1;
    both[512 + 1] = 2;
    child = start_child(&(Client){ .memory = both });
    good = ptrace(PTRACE_PEEKDATA, child, &second[1], NULL) == 2;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    munmap(both, 2 * 4096);
    munmap(second, 4096);
    close(fd);
    return good;
}

void check_debugger(void)
{
    int status = 1;
    pid_t child;
    Client c;
    bool good;

    open_client(&c);
    good = fills(&c, 42);
    child = start_child(&c);
    errno = 0;
    check("a debugger reads a buffer",
          good && ptrace(PTRACE_PEEKDATA, child, &c.memory[1], NULL) == 42 &&
              !errno);
    check("... writes it",
          !ptrace(PTRACE_POKEDATA, child, &c.memory[1], (void *)7) &&
              c.memory[1] == 7);
    check("... reads to its end", reads_to_the_end(&c, child));
    ptrace(PTRACE_CONT, child, NULL, NULL);
    waitpid(child, &status, 0);
    check("... and the process sees what was written",
          WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check("... a mapping shows its own part of a buffer", reads_second_page());
    close_client(&c);
}
