/*
 * Pages that arrive late, or never: only the process that needs them waits.
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
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "fuse.h"
#include "memory.h"
#include "veu/regs.h"

#define LATE_US  100000
#define SHORT_NS (VEU_CLIENT_SECOND / 5)

/* --- userfaultfd ---------------------------------------------------------- */

typedef struct Handler {
    int fd;
    pthread_t thread;
    uint64_t *page; /* what comes */
} Handler;

/* Provides one page late. */
static void *answer(void *opaque)
{
    Handler *handler = opaque;
    struct uffdio_copy copy = { .src = (uintptr_t)handler->page, .len = PAGE };
    struct uffd_msg message;

    if (read(handler->fd, &message, sizeof(message)) == sizeof(message)) {
        usleep(LATE_US);
        copy.dst = message.arg.pagefault.address & -(uint64_t)PAGE;
        ioctl(handler->fd, UFFDIO_COPY, &copy);
    }
    return NULL;
}

static bool handle(Handler *handler, uint64_t *memory)
{
    struct uffdio_register range = {
        .range = { (uintptr_t)memory, PAGE },
        .mode = UFFDIO_REGISTER_MODE_MISSING,
    };
    struct uffdio_api api = { .api = UFFD_API };

    handler->fd = syscall(SYS_userfaultfd, O_CLOEXEC);
    handler->page = map_private(PAGE);
    handler->page[0] = 123;
    return !ioctl(handler->fd, UFFDIO_API, &api) &&
           !ioctl(handler->fd, UFFDIO_REGISTER, &range);
}

static bool forks(void)
{
    int status = -1;
    pid_t child = fork();

    if (!child) {
        _exit(0);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

/* While the device waits, the process can change its memory. */
static bool waits_for_handler(void)
{
    uint64_t *memory = map_private(PAGE);
    Handler handler;
    bool good;
    Client c;

    if (!handle(&handler, memory) || open_svm(&c)) {
        return false;
    }
    submit_fill(&c, (uintptr_t)(memory + 1), 5, 8);
    good = veu_client_wait(c.veu, 1, SHORT_NS) == -ETIME &&
           !munmap(map_private(PAGE), PAGE) && forks();
    pthread_create(&handler.thread, NULL, answer, &handler);
    good = wait_all(&c) == 0 && memory[0] == 123 && memory[1] == 5 && good;
    pthread_join(handler.thread, NULL);
    close_client(&c);
    close(handler.fd);
    munmap(memory, PAGE);
    munmap(handler.page, PAGE);
    return good;
}

/* --- A file system -------------------------------------------------------- */

static void copy_file(Client *c)
{
    int fd = open(FUSE_PATH, O_RDONLY);
    void *file = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
    const struct veu_command_copy copy = {
        .header = { VEU_COMMAND_COPY, 1, VEU_COMMAND_INTERRUPT },
        .source = (uintptr_t)file,
        .destination = c->buffer.address,
        .bytes = 8,
    };

    close(fd);
    veu_client_put(c->veu, &copy.header);
    veu_client_submit(c->veu);
}

static bool reads_late(void)
{
    bool good;
    Client c;

    if (open_svm(&c)) {
        return false;
    }
    copy_file(&c);
    /* Without interrupts, the driver looks for requests in waits. */
    good = veu_client_wait(c.veu, 1, SHORT_NS) == -ETIME && fuse_is_awaited() &&
           !munmap(map_private(PAGE), PAGE);
    fuse_answer(77);
    good = wait_all(&c) == 0 && c.memory[0] == 77 && good;
    close_client(&c);
    return good;
}

static pid_t start_reader(void)
{
    pid_t child = fork();
    Client c;

    if (child) {
        return child;
    }
    if (open_svm(&c)) {
        _exit(1);
    }
    copy_file(&c);
    while (wait_all(&c) != -ENODEV) {}
    pause();
    _exit(0);
}

/* Uses all rings of the device at once. */
static bool has_all_rings(void)
{
    Client c[VEU_MAX_RINGS];
    struct veu_linux_query query;
    unsigned n = 0;
    bool good;

    while (n < VEU_MAX_RINGS && !open_client(&c[n])) {
        n++;
    }
    good = n && !veu_client_query(c[0].veu, &query) &&
           n == query.registers[VEU_REG_CAP_RINGS / 4];
    while (n--) {
        close_client(&c[n]);
    }
    return good;
}

static void drop_caches(void)
{
    write_file("/proc/sys/vm/drop_caches", "3");
}

/* Runs in a child: an unbind that waited for the page would not end. */
static bool is_unbound(const char *name)
{
    pid_t child = fork();

    if (!child) {
        unbind_driver(name);
        _exit(0);
    }
    return ends(child);
}

/* The device goes away while it waits for a page. */
static void check_gone(void)
{
    Client other;
    char name[64];
    pid_t child;

    snprintf(name, sizeof(name), "%s", bus_name());
    drop_caches();
    child = start_reader();
    check("a page that never comes does not keep the device",
          fuse_is_awaited() && is_unbound(name));
    check("... which comes back, and works",
          bind_driver(name) && !open_client(&other) && fills(&other, 4));
    close_client(&other);
    kill(child, SIGKILL);
    check("... the process that waits can be killed", ends(child));
    fuse_answer(0);
}

static void check_file_system(void)
{
    Client neighbour;
    pid_t child;

    check("a page of a slow file system", reads_late());
    drop_caches();
    child = start_reader();
    check("a page that never comes is awaited", fuse_is_awaited());
    open_client(&neighbour);
    check("... and no other process waits", fills(&neighbour, 3));
    close_client(&neighbour);
    kill(child, SIGKILL);
    check("... the process that does can be killed", ends(child));
    check("... and its ring is free", has_all_rings());
    fuse_answer(0);
}

void check_pages(void)
{
    if (!has_tables()) {
        return;
    }
    check("the device waits for a handler of userfaultfd", waits_for_handler());
    if (!fuse_begin()) {
        skip("no file system in user space");
        return;
    }
    check_file_system();
    check_gone();
    fuse_end();
}
