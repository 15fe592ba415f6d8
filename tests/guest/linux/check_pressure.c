/*
 * Shared virtual memory under memory pressure: more memory than the machine
 * has, with swap, and more than a process may have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>
#include "memory.h"

#define PIECE      (1u << 20)
/* Pages of compressed swap; the control group of a process. */
#define SWAP_PAGES (256u << 8)
#define GROUP      "/cgroup/small"

/* The device fills memory piece after piece, each with its own number. */
static bool fills_pieces(Client *c, uint64_t *memory, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += PIECE) {
        submit_fill(c, (uintptr_t)memory + at, at, PIECE);
        if (wait_all(c)) {
            return false;
        }
    }
    return true;
}

/*
 * Reads a word of each page, and lets the device read the last one of each
 * piece.
 */
static bool holds_pieces(Client *c, volatile uint64_t *memory, size_t bytes)
{
    struct veu_command_copy copy = {
        .header = { VEU_COMMAND_COPY, 1, VEU_COMMAND_INTERRUPT },
        .destination = c->buffer.address,
        .bytes = 8,
    };
    bool good = true;

    for (size_t at = 0; at < bytes && good; at += PAGE) {
        good = memory[at / 8] == at / PIECE * PIECE;
    }
    for (size_t at = 0; at < bytes && good; at += PIECE) {
        copy.source = (uintptr_t)memory + at + PIECE - 8;
        good = !veu_client_run(c->veu, &copy.header, TIMEOUT_NS) &&
               c->memory[0] == at;
    }
    return good;
}

static bool works_with(size_t bytes)
{
    uint64_t *memory = map_private(bytes);
    bool good;
    Client c;

    if (!memory || open_svm(&c)) {
        return false;
    }
    good = fills_pieces(&c, memory, bytes) && holds_pieces(&c, memory, bytes);
    close_client(&c);
    munmap(memory, bytes);
    return good;
}

/* --- Swap ----------------------------------------------------------------- */

/*
 * Writes a swap header as Linux defines it: its version, its last page, a word.
 */
static bool make_swap(const char *device)
{
    static uint32_t header[PAGE / 4];
    int fd = open(device, O_WRONLY);
    bool good;

    header[256] = 1;
    header[257] = SWAP_PAGES - 1;
    memcpy((char *)header + PAGE - 10, "SWAPSPACE2", 10);
    good = write(fd, header, PAGE) == PAGE && !fsync(fd);
    close(fd);
    return good;
}

static bool begin_swap(void)
{
    char bytes[32];

    snprintf(bytes, sizeof(bytes), "%llu",
             (unsigned long long)SWAP_PAGES * PAGE);
    return write_file("/sys/block/zram0/disksize", bytes) &&
           make_swap(SWAP_DEVICE) && !swapon(SWAP_DEVICE, 0);
}

/* It takes seconds, and an hour on a slow host. */
static void check_machine(void)
{
    struct sysinfo info;

    if (slowness() > 1) {
        skip("a process works with more memory than there is: it takes long");
        return;
    }
    sysinfo(&info);
    check("a process works with more memory than there is",
          works_with(info.totalram / PIECE * PIECE + 16 * PIECE));
}

/* --- A limit -------------------------------------------------------------- */

static bool make_group(void)
{
    mkdir("/cgroup", 0755);
    return !mount("none", "/cgroup", "cgroup2", 0, NULL) &&
           write_file("/cgroup/cgroup.subtree_control", "+memory") &&
           !mkdir(GROUP, 0755) && write_file(GROUP "/memory.max", "33554432");
}

/* The pages count as its own, though a thread of the kernel faults them in. */
static int run_in_group(size_t bytes)
{
    int status = -1;
    pid_t child = fork();

    if (!child) {
        write_file(GROUP "/cgroup.procs", "0");
        _exit(!works_with(bytes));
    }
    waitpid(child, &status, 0);
    return status;
}

static void check_limit(void)
{
    int status = run_in_group(64 * PIECE);
    Client c;

    open_client(&c);
    check("a process whose device takes too much memory is killed",
          WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    check("... and no other one", fills(&c, 5));
    close_client(&c);
}

static void check_swap(bool has_group)
{
    if (!begin_swap()) {
        skip("no compressed swap");
        return;
    }
    if (has_group) {
        check("... with swap, it works with more than it may have",
              run_in_group(48 * PIECE) == 0);
    }
    check_machine();
    check("... and swap is empty afterwards", !swapoff(SWAP_DEVICE));
}

void check_pressure(void)
{
    bool has_group;

    if (!has_tables()) {
        return;
    }
    has_group = make_group();
    if (has_group) {
        check_limit();
    } else {
        skip("no control groups for memory");
    }
    check_swap(has_group);
    rmdir(GROUP);
    umount("/cgroup");
}
