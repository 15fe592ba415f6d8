/*
 * Memory at addresses that the process chooses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

#define BYTES 65536u
/*
 * These are no pointers of the process, and neighbours are in different tables.
 */
#define HERE  0x123456600000u
#define BOTH  (VEU_LINUX_READ | VEU_LINUX_WRITE)

static int map(Client *c, uint64_t address, const void *memory, uint32_t flags)
{
    struct veu_linux_map argument = {
        .address = address,
        .bytes = BYTES,
        .memory = (uintptr_t)memory,
        .flags = flags,
    };

    return call_driver(veu_client_fd(c->veu), VEU_IOC_MAP, &argument);
}

static int map_buffer(Client *c, uint64_t address, uint64_t offset)
{
    struct veu_linux_map argument = {
        .address = address,
        .bytes = BYTES / 2,
        .memory = offset,
        .handle = c->buffer.handle,
        .flags = BOTH,
    };

    return call_driver(veu_client_fd(c->veu), VEU_IOC_MAP, &argument);
}

static int unmap(Client *c, uint64_t address, uint64_t bytes)
{
    struct veu_linux_unmap argument = { address, bytes };

    return call_driver(veu_client_fd(c->veu), VEU_IOC_UNMAP, &argument);
}

static void *pages(int protection)
{
    return mmap(NULL, BYTES, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int fill(Client *c, uint64_t address, uint64_t pattern, uint32_t bytes)
{
    submit_fill(c, address, pattern, bytes);
    return wait_all(c);
}

static bool faults_at(Client *c, uint64_t address)
{
    struct veu_linux_faults faults;

    return fill(c, address, 0, 8) == -EIO &&
           !veu_client_faults(c->veu, &faults) && faults.count == 1 &&
           faults.records[0].address == address &&
           !veu_client_skip(c->veu, &faults.records[0]);
}

/* Memory that was not touched before it was mapped for reading. */
static bool reads_first_write(Client *c)
{
    const struct veu_command_copy copy = {
        .header = { VEU_COMMAND_COPY, 1, VEU_COMMAND_INTERRUPT },
        .source = HERE + 4 * BYTES,
        .destination = c->buffer.address,
        .bytes = 8,
    };
    volatile uint64_t *memory = pages(PROT_READ | PROT_WRITE);
    bool good = !map(c, HERE + 4 * BYTES, (void *)memory, VEU_LINUX_READ);

    memory[0] = 4711;
    veu_client_put(c->veu, &copy.header);
    veu_client_submit(c->veu);
    good = wait_all(c) == 0 && c->memory[0] == 4711 && good &&
           !unmap(c, HERE + 4 * BYTES, BYTES);
    munmap((void *)memory, BYTES);
    return good;
}

static void check_own(Client *c)
{
    uint64_t *memory = pages(PROT_READ | PROT_WRITE);

    check("a process maps its memory where it likes",
          !map(c, HERE, memory, BOTH) && !fill(c, HERE, 5, BYTES) &&
              memory[0] == 5 && memory[BYTES / 8 - 1] == 5);
    check("... also twice, and for reading only",
          !map(c, HERE + BYTES, memory, VEU_LINUX_READ) &&
              faults_at(c, HERE + BYTES) && memory[0] == 5);
    check("... and not where something is",
          map(c, HERE + BYTES / 2, memory, BOTH) == -EEXIST &&
              map(c, HERE - BYTES / 2, memory, BOTH) == -EEXIST);
    check("... and sees what is written there first after it",
          reads_first_write(c));
    munmap(memory, BYTES);
    check("what is mapped stays when the process unmaps it",
          !fill(c, HERE, 6, BYTES));
    check("a mapping goes whole, and once",
          unmap(c, HERE, BYTES / 2) == -EINVAL && !unmap(c, HERE, BYTES) &&
              unmap(c, HERE, BYTES) == -EINVAL && faults_at(c, HERE) &&
              !unmap(c, HERE + BYTES, BYTES));
}

static void check_part(Client *c)
{
    bool good = !map_buffer(c, HERE, BYTES / 2) && !fill(c, HERE, 7, 8) &&
                c->memory[BYTES / 16] == 7;

    check("a part of a buffer has a second address", good);
    veu_client_buffer_destroy(c->veu, &c->buffer);
    check("... which goes with the buffer",
          faults_at(c, HERE) && unmap(c, HERE, BYTES / 2) == -EINVAL);
}

static void check_refusals(Client *c)
{
    void *memory = pages(PROT_READ);

    check("wrong mappings are refused",
          map(c, HERE + 1, memory, BOTH) == -EINVAL &&
              map(c, HERE, memory, 0) == -EINVAL &&
              map(c, HERE, memory, 4) == -EINVAL &&
              map(c, 1ull << 47, memory, BOTH) == -EINVAL &&
              map(c, (1ull << 47) - 4096, memory, BOTH) == -EINVAL &&
              map_buffer(c, HERE, BYTES) == -EINVAL &&
              map_buffer(c, HERE, BYTES / 2 + 4096) == -EINVAL);
    check("... and what the driver has mapped is the driver's",
          unmap(c, c->buffer.address, BYTES) == -EINVAL && fills(c, 1));
    check("... memory that is not there, or not to be written",
          map(c, HERE, memory, BOTH) == -EFAULT && !munmap(memory, BYTES) &&
              map(c, HERE, memory, VEU_LINUX_READ) == -EFAULT);
}

/* Runs in a child without privileges that may lock one page. */
static void check_limit(Client *c)
{
    const struct rlimit one = { 4096, 4096 };
    void *memory = pages(PROT_READ | PROT_WRITE);
    int status = -1;
    pid_t child = fork();

    if (!child) {
        setrlimit(RLIMIT_MEMLOCK, &one);
        _exit(setuid(65534) || map(c, HERE, memory, BOTH) != -ENOMEM);
    }
    waitpid(child, &status, 0);
    check("RLIMIT_MEMLOCK limits what is mapped", status == 0);
    munmap(memory, BYTES);
}

/* Like check_limit(), with as many pages as one mapping has. */
static void check_return(Client *c)
{
    const struct rlimit all = { BYTES, BYTES };
    void *memory = pages(PROT_READ | PROT_WRITE);
    int status = -1;
    pid_t child = fork();

    if (!child) {
        setrlimit(RLIMIT_MEMLOCK, &all);
        _exit(setuid(65534) || map(c, HERE, memory, BOTH) ||
              map(c, HERE + BYTES, memory, BOTH) != -ENOMEM ||
              unmap(c, HERE, BYTES) || map(c, HERE + BYTES, memory, BOTH) ||
              unmap(c, HERE + BYTES, BYTES));
    }
    waitpid(child, &status, 0);
    check("... and an unmap gives back what it took", status == 0);
    munmap(memory, BYTES);
}

/* A file that shares all memory of its process. */
static void check_shared(void)
{
    struct veu_linux_buffer buffer = { .bytes = BYTES };
    void *memory = pages(PROT_READ | PROT_WRITE);
    Client c;

    open_svm(&c);
    check("a file that shares all memory has no other mappings and buffers",
          map(&c, HERE, memory, BOTH) == -EOPNOTSUPP &&
              call_driver(veu_client_fd(c.veu), VEU_IOC_BUFFER_CREATE,
                          &buffer) == -EINVAL);
    munmap(memory, BYTES);
    close_client(&c);
}

void check_map(void)
{
    Client c;

    open_client(&c);
    if (!has_tables()) {
        skip("the device has no page tables: nothing is mapped");
    } else {
        check_own(&c);
        check_refusals(&c);
        check_limit(&c);
        check_return(&c);
        check_part(&c);
        check_shared();
    }
    close_client(&c);
}
