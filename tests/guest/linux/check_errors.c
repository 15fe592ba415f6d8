/*
 * Errors, and how the library reports them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"
#include "veu_command.h"

static void check_without_ring(void)
{
    const struct veu_command_nop nop = { .header = { VEU_COMMAND_NOP, 1 } };
    struct veu_linux_faults faults;
    struct veu_client *veu;

    check("a client without a ring cannot use one",
          !veu_client_open(&veu, "/dev/veu0") &&
              veu_client_put(veu, &nop.header) == -EINVAL &&
              veu_client_submit(veu) == -EINVAL &&
              veu_client_wait(veu, 0, 0) == -EINVAL &&
              veu_client_faults(veu, &faults) == -EINVAL &&
              veu_client_resume(veu, 0) == -EINVAL &&
              veu_client_reset(veu) == -EINVAL);
    veu_client_close(veu);
    check("a device that is not there",
          veu_client_open(&veu, "/dev/veu7") == -ENOENT && !veu &&
              strstr(veu_client_error(-ENOENT), "does not exist"));
}

static void check_limits(void)
{
    struct veu_linux_ring bad = { .slots = 3 };
    struct veu_client_buffer b;
    Client c;

    open_client(&c);
    check("one ring, of a legal size",
          veu_client_ring_create(c.veu, &bad) == -EINVAL &&
              veu_client_ring_create(c.veu, NULL) == -EEXIST);
    check("a buffer has bytes, and not too many",
          veu_client_buffer_create(c.veu, 0, &b) == -EINVAL &&
              veu_client_buffer_create(c.veu, 1ull << 40, &b) == -ENOSPC &&
              veu_client_buffer_create(c.veu, UINT64_MAX, &b) == -ENOSPC);
    check("what is no buffer cannot be destroyed",
          veu_client_buffer_destroy(c.veu, &b) == -EINVAL);
    check("after all this the ring works", fills(&c, 7));
    close_client(&c);
}

/* A ring stays full while the device waits for a word. */
static void check_full(void)
{
    struct veu_command_wait wait = {
        .header = { VEU_COMMAND_WAIT, 1 },
        .mask = ~0ull,
        .value = 5,
        .condition = VEU_CONDITION_EQUAL,
    };
    struct veu_linux_query query;
    bool good = true;
    Client c;

    open_client(&c);
    wait.address = c.buffer.address;
    for (unsigned i = 0; i < SLOTS; i++) {
        good = good && !veu_client_put(c.veu, &wait.header);
    }
    check("a ring is full",
          good && veu_client_put(c.veu, &wait.header) == -EAGAIN);
    veu_client_submit(c.veu);
    check("... a wait ends in time",
          veu_client_wait(c.veu, SLOTS, VEU_CLIENT_SECOND / 50) == -ETIME);
    check("... and a reset empties it",
          !veu_client_reset(c.veu) && veu_client_tail(c.veu) == 0 &&
              veu_client_head(c.veu) == 0 && fills(&c, 9));
    check("a query tells the device and the ring",
          !veu_client_query(c.veu, &query) &&
              query.version == VEU_LINUX_VERSION && query.ring < 64 &&
              query.registers[0] == 0x31554556);
    close_client(&c);
}

/* Calls without the library: the driver must refuse each of these arguments. */
static void check_wrong_arguments(void)
{
    struct veu_linux_buffer buffer = { .bytes = 4096, .reserved = 1 };
    struct veu_linux_destroy destroy = { .handle = 1 };
    struct veu_linux_ring ring = { .slots = 64, .priority = 9 };
    int fd = open(VEU_CLIENT_DEVICE, O_RDWR);

    check("the driver refuses wrong arguments",
          ioctl(fd, VEU_IOC_BUFFER_CREATE, &buffer) && errno == EINVAL &&
              ioctl(fd, VEU_IOC_BUFFER_DESTROY, &destroy) && errno == EINVAL &&
              ioctl(fd, VEU_IOC_RING_CREATE, &ring) && errno == EINVAL &&
              ioctl(fd, VEU_IOC_QUERY, NULL) && errno == EFAULT &&
              ioctl(fd, _IO('v', 0x99), NULL) && errno == ENOTTY);
    check("... and private mappings",
          mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED);
    close(fd);
}

static void on_alarm(int number)
{
    (void)number;
}

/* A wait can be interrupted, and started again. */
static void check_signals(void)
{
    const struct itimerval soon = { .it_value = { 0, 20000 } };
    struct sigaction alarm = { .sa_handler = on_alarm };
    int error;
    Client c;

    open_client(&c);
    sigaction(SIGALRM, &alarm, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    error = veu_client_wait(c.veu, 1, VEU_CLIENT_NO_LIMIT);
    check("a signal ends a wait, and nothing else",
          error == -EINTR && fills(&c, 1));
    close_client(&c);
}

/* The device cannot access the program's own memory. */
static void check_pointers(void)
{
    uint64_t local = 42;
    struct veu_command_fill fill = veu_make_fill(1, &local, 0, 8);
    Client c;

    open_client(&c);
    check("a pointer that is in no buffer is a fault",
          veu_client_run(c.veu, &fill.header, TIMEOUT_NS) == -EIO &&
              local == 42);
    close_client(&c);
}

void check_errors(void)
{
    check_pointers();
    check_signals();
    check_without_ring();
    check_limits();
    check_full();
    check_wrong_arguments();
}

/* Runs @works in a child without privileges; returns its result. */
static bool as_nobody(bool (*works)(void))
{
    int status = 1;
    pid_t child = fork();

    if (!child) {
        _exit(setgid(65534) || setuid(65534) || !works());
    }
    waitpid(child, &status, 0);
    return status == 0;
}

static bool is_refused(void)
{
    struct veu_client *veu;

    return veu_client_open(&veu, NULL) == -EACCES;
}

static bool works(void)
{
    struct veu_linux_ring high = { .slots = 64, .priority = 2 };
    struct veu_client *veu;
    bool good;
    Client c;

    good = !veu_client_open(&veu, NULL) &&
           veu_client_ring_create(veu, &high) == -EPERM;
    veu_client_close(veu);
    good = good && !open_client(&c) && fills(&c, 11);
    close_client(&c);
    return good;
}

void check_users(void)
{
    check("the device is root's", as_nobody(is_refused));
    chmod(VEU_CLIENT_DEVICE, 0666);
    check("others use it when they may, at normal priority", as_nobody(works));
    chmod(VEU_CLIENT_DEVICE, 0600);
}
