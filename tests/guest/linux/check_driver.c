/*
 * The administrator's view of the driver: self-test, reset, unbind.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"
#include "memory.h"

#define SELFTEST "/sys/class/misc/veu0/device/selftest"

void check_selftest(void)
{
    Client c[64];
    unsigned n = 0;

    check("the driver's self-test passes", write_file(SELFTEST, "1"));
    check("... and says so", kernel_has_said("self-test passed"));
    while (!open_client(&c[n])) {
        n++;
    }
    check("it takes a ring", n && !write_file(SELFTEST, "1") && errno == EBUSY);
    while (n--) {
        close_client(&c[n]);
    }
    check("... and gives it back", write_file(SELFTEST, "1"));
}

static bool selftest_fails(int error)
{
    return !write_file(SELFTEST, "1") && errno == error;
}

/* A ring whose work does not end, and a reset that cannot wait for it. */
static void check_lost(void)
{
    Client c;

    open_client(&c);
    submit_fill(&c, c.buffer.address, 1, 8);
    check("a function reset while a ring hangs", write_file(reset_path(), "1"));
    check("... what was in the ring is lost, and the client is told",
          wait_all(&c) == -ECANCELED && veu_client_resume(c.veu, 0) == -EIO);
    check("... its own reset makes it work again",
          !veu_client_reset(c.veu) && fills(&c, 2));
    close_client(&c);
}

static bool set_patience(const char *ms)
{
    return write_file("/sys/module/veu/parameters/patience_ms", ms);
}

/* A ring's first command, of the driver's own, does not end. */
static void check_unload(void)
{
    struct veu_command_nop nop = { .header = { VEU_COMMAND_NOP, 1 } };
    pid_t child;
    Client c;

    check("a ring that cannot be handed over is an error",
          set_patience("200") && open_client(&c) == -ETIMEDOUT);
    set_patience("3600000");
    child = fork();
    if (!child) {
        open_client(&c);
        _exit(0);
    }
    usleep(500000);
    check("... a process that waits for that can be killed",
          !waitpid(child, NULL, WNOHANG) && !kill(child, SIGKILL) &&
              ends(child));
    check("... and the ring is another one's afterwards",
          set_patience("2000") && !open_client(&c) &&
              !veu_client_run(c.veu, &nop.header, TIMEOUT_NS));
    close_client(&c);
}

/*
 * Runs on a device whose rules make the first two unloads, the first three
 * gathers and the first fill fail.
 */
void check_lies(void)
{
    check_unload();
    check("the self-test finds a wrong bit", selftest_fails(EBADMSG));
    check("... a fault", selftest_fails(EIO));
    check("... a ring that hangs", selftest_fails(ETIME));
    check("... and passes when it may", write_file(SELFTEST, "1"));
    check_lost();
}

/* A ring that a fault has halted. */
static void check_halted_reset(const char *path)
{
    struct veu_linux_faults faults;
    Client c;

    open_client(&c);
    submit_fill(&c, 8, 1, 8);
    check("a ring that has halted stays so in a function reset",
          wait_all(&c) == -EIO && write_file(path, "1") &&
              veu_client_wait(c.veu, 1, 0) == -EIO);
    check("... it keeps its records, and continues",
          !veu_client_faults(c.veu, &faults) && faults.count == 1 &&
              !veu_client_skip(c.veu, &faults.records[0]) && fills(&c, 2));
    close_client(&c);
}

/* Its tail halts also a ring that skips what faults. */
static void check_broken_reset(const char *path)
{
    Client c;

    open_skipping(&c);
    submit_tail(veu_client_fd(c.veu), 0x10000);
    check("... also one that its tail has halted",
          veu_client_wait(c.veu, 1, TIMEOUT_NS) == -EIO &&
              write_file(path, "1") && events_of(&c, 100) & POLLERR &&
              veu_client_resume(c.veu, 0) == 0);
    close_client(&c);
}

/* A child resets the function again and again, which takes 100 ms each time. */
static pid_t start_resets(const char *path)
{
    pid_t child = fork();

    if (!child) {
        for (unsigned i = 0; i < 5; i++) {
            write_file(path, "1");
            usleep(10000);
        }
        _exit(0);
    }
    return child;
}

static void check_use_in_resets(const char *path)
{
    pid_t child = start_resets(path);
    bool good = true;
    Client c;

    for (uint64_t i = 1; waitpid(child, NULL, WNOHANG) == 0; i++) {
        good = good && !open_client(&c) && fills(&c, i);
        if (good) {
            close_client(&c);
        }
    }
    check("clients come and go while the function is reset", good);
}

void check_reset(void)
{
    const char *path = reset_path();
    Client c;

    if (access(path, W_OK)) {
        skip("no reset of the function here");
        return;
    }
    open_client(&c);
    check("a function reset", fills(&c, 1) && write_file(path, "1"));
    check("... does not end what a file has", fills(&c, 2));
    close_client(&c);
    check_halted_reset(path);
    check_broken_reset(path);
    check_use_in_resets(path);
}

/* Maps the doorbell of a new ring; NULL if it has no page of its own. */
static volatile uint64_t *map_doorbell(int fd)
{
    struct veu_linux_ring ring = { .slots = 64 };
    void *page;

    call_driver(fd, VEU_IOC_RING_CREATE, &ring);
    if (ring.doorbell_offset == UINT64_MAX) {
        return NULL;
    }
    page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                ring.doorbell_offset);
    *(volatile uint32_t *)page = 1;
    return page;
}

/* A child polls a client without a ring, and is told at once. */
static pid_t start_poll(void)
{
    pid_t child = fork();
    uint64_t begin;
    Client c;

    if (!child) {
        veu_client_open(&c.veu, NULL);
        begin = now_ns();
        _exit(events_of(&c, 5000) != (POLLHUP | POLLERR) ||
              now_ns() - begin > 3 * VEU_CLIENT_SECOND);
    }
    return child;
}

void check_unbind(void)
{
    int fd = open(VEU_CLIENT_DEVICE, O_RDWR);
    volatile uint64_t *doorbell = map_doorbell(fd);
    char name[64];
    int status = -1;
    pid_t child;
    Client c;

    snprintf(name, sizeof(name), "%s", bus_name());
    open_client(&c);
    child = start_poll();
    usleep(100000);
    check("unbind while the device is open", unbind_driver(name));
    waitpid(child, &status, 0);
    check("... who polls is told, also without a ring", status == 0);
    check("... the file goes dead", wait_all(&c) == -ENODEV);
    check("... and poll() says so", events_of(&c, 0) == (POLLHUP | POLLERR));
    check("... and its memory, and its doorbell",
          is_sigbus(c.memory) && (!doorbell || is_sigbus(doorbell)));
    munmap((void *)doorbell, PAGE);
    close(fd);
    check("bind again", bind_driver(name));
    check_use();
    close_client(&c);
}
