/*
 * The library's own part: addresses of pointers, and what it gives back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "memory.h"
#include "veu_port.h"

#define NOWHERE UINT64_MAX

/* All clients of this process are closed. */
static bool has_mappings(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    bool found = false;
    char line[512];

    while (maps && fgets(line, sizeof(line), maps)) {
        found = found || strstr(line, VEU_CLIENT_DEVICE);
    }
    if (maps) {
        fclose(maps);
    }
    return found;
}

static void check_addresses(void)
{
    uint8_t *bytes;
    uint8_t local = 0;
    Client a, b;

    check("a pointer outside of buffers has no address",
          veu_port_device_address(&local) == NOWHERE);
    open_client(&a);
    open_client(&b);
    bytes = b.buffer.memory;
    check("a pointer into a buffer has that of its byte",
          veu_port_device_address(bytes + BUFFER_BYTES - 1) ==
                  b.buffer.address + BUFFER_BYTES - 1 &&
              veu_port_device_address(a.buffer.memory) == a.buffer.address);
    check("a client frees its own buffers only",
          veu_client_buffer_destroy(a.veu, &b.buffer) == -EINVAL &&
              fills(&b, 1));
    check("... which are unmapped then",
          !veu_client_buffer_destroy(b.veu, &b.buffer) &&
              veu_port_device_address(bytes) == NOWHERE);
    close_client(&a);
    close_client(&b);
    check("a client that is closed leaves no mapping", !has_mappings());
}

static void check_files(void)
{
    Client c;

    open_client(&c);
    check("exec() closes the file of a client",
          fcntl(veu_client_fd(c.veu), F_GETFD) & FD_CLOEXEC);
    close_client(&c);
}

static void check_commands(void)
{
    struct veu_command_nop nop = { .header = { VEU_COMMAND_NOP, 1 } };
    const struct veu_command_header more = { VEU_COMMAND_NOP, SLOTS + 1, 0, 0 };
    struct veu_client *veu;

    veu_client_open(&veu, NULL);
    veu_client_ring_create(veu, NULL);
    check("a command that is run has an interrupt",
          !veu_client_run(veu, &nop.header, TIMEOUT_NS) &&
              nop.header.flags & VEU_COMMAND_INTERRUPT);
    check("a command is no longer than the ring",
          veu_client_put(veu, &more) == -EINVAL);
    veu_client_close(veu);
}

/* A client that shares its memory has buffers like others. */
static void check_svm_buffers(void)
{
    struct veu_client_buffer b;
    Client c;

    open_svm(&c);
    check("buffers of shared memory are whole pages, and zero",
          !veu_client_buffer_create(c.veu, 100, &b) && b.bytes == PAGE &&
              holds(b.memory, 0, PAGE) && b.address == address_of(b.memory));
    check("... and have legal sizes",
          veu_client_buffer_create(c.veu, 0, &b) == -EINVAL &&
              veu_client_buffer_create(c.veu, UINT64_MAX, &b) == -ENOMEM);
    close_client(&c);
}

/*
 * A child keeps the file open, but the client is closed: its ring, which waits
 * for a word of shared memory, must not continue.
 */
static void check_shared_close(void)
{
    uint64_t *words = map_private(PAGE);
    struct veu_command_wait wait = {
        .header = { VEU_COMMAND_WAIT, 1 },
        .address = address_of(words),
        .mask = ~0ull,
        .value = 1,
        .condition = VEU_CONDITION_EQUAL,
    };
    Client c, other;
    pid_t child;

    open_svm(&c);
    words[1] = 0;
    veu_client_put(c.veu, &wait.header);
    submit_fill(&c, address_of(&words[1]), 1, 8);
    child = fork();
    if (!child) {
        pause();
        _exit(0);
    }
    close_client(&c);
    words[0] = 1;
    /* A device that is busy also looks at rings that wait. */
    open_client(&other);
    usleep(100000);
    check("a client that is closed does no more, even if a child has its file",
          fills(&other, 1) && fills(&other, 2) && words[1] == 0);
    close_client(&other);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

void check_library(void)
{
    check_addresses();
    check_files();
    check_commands();
    if (has_tables()) {
        check_svm_buffers();
        check_shared_close();
    }
}
