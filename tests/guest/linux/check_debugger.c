/*
 * A debugger's view of a process's buffers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
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

/* Reads the last page of the buffer, and memory past its end. */
static bool reads_to_the_end(Client *c, pid_t child)
{
    static uint64_t words[2 * 512];
    off_t last = (uintptr_t)c->buffer.memory + BUFFER_BYTES - 4096;
    char path[32];
    ssize_t bytes;
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/mem", child);
    fd = open(path, O_RDONLY);
    bytes = pread(fd, words, sizeof(words), last);
    close(fd);
    return bytes >= 4096 && words[0] == 42 && words[511] == 42;
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
    close_client(&c);
}
