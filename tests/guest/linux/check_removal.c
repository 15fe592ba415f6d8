/*
 * The device is removed without notice while processes use it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/pci_regs.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

/* --- The slot ------------------------------------------------------------- */

/*
 * Opens configuration space of the port above the device; -1 if there is none.
 */
static int open_port(void)
{
    char path[128], link[512];
    ssize_t n;

    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s", bus_name());
    n = readlink(path, link, sizeof(link) - 1);
    if (n < 0) {
        return -1;
    }
    link[n] = 0;
    *strrchr(link, '/') = 0;
    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%.64s/config",
             strrchr(link, '/') + 1);
    return open(path, O_RDWR);
}

/*
 * Returns the offset of the slot's control register; 0 without the capability.
 */
static off_t find_slot_control(int port)
{
    uint8_t at = 0, id[2] = { 0 };

    pread(port, &at, 1, PCI_CAPABILITY_LIST);
    for (unsigned i = 0; at && i < 48; i++, at = id[1]) {
        if (pread(port, id, 2, at) == 2 && id[0] == PCI_CAP_ID_EXP) {
            return at + PCI_EXP_SLTCTL;
        }
    }
    return 0;
}

/*
 * QEMU removes the device from a slot without power. The slot driver then finds
 * an empty slot with power, as if the device had been pulled out by hand, and
 * is notified last.
 */
static bool pull_out(void)
{
    int port = open_port();
    off_t at = port < 0 ? 0 : find_slot_control(port);
    uint16_t before = 0, off;
    bool good = at && pread(port, &before, 2, at) == 2;

    off = (before & ~PCI_EXP_SLTCTL_HPIE) | PCI_EXP_SLTCTL_PIC |
          PCI_EXP_SLTCTL_PCC;
    good = good && pwrite(port, &off, 2, at) == 2 &&
           pwrite(port, &before, 2, at) == 2;
    close(port);
    return good;
}

/* --- The processes -------------------------------------------------------- */

static void on_sigbus(int number)
{
    (void)number;
    _exit(0);
}

static void work(int (*open_one)(Client *c))
{
    Client c;
    int error = open_one(&c);

    signal(SIGBUS, on_sigbus);
    for (uint64_t i = 0; !error; i++) {
        submit_fill(&c, c.buffer.address, i, BUFFER_BYTES);
        error = wait_all(&c);
    }
    _exit(error != -ENODEV);
}

static pid_t start(int (*open_one)(Client *c))
{
    pid_t child = fork();

    if (!child) {
        work(open_one);
    }
    return child;
}

/* Starts a wait for a word that is never stored. */
static pid_t start_waiting(void)
{
    pid_t child = fork();
    Client c;

    if (!child) {
        if (open_client(&c)) {
            _exit(1);
        }
        submit_wait(&c, 1, VEU_CLIENT_NO_LIMIT);
        _exit(veu_client_wait(c.veu, 1, VEU_CLIENT_NO_LIMIT) != -ENODEV);
    }
    return child;
}

static bool ends_well(pid_t child)
{
    int status = -1;

    for (unsigned t = 0; t < 10000; t++) {
        if (waitpid(child, &status, WNOHANG) == child) {
            return status == 0;
        }
        usleep(1000);
    }
    return false;
}

static bool goes(const char *path)
{
    for (unsigned t = 0; t < 10000 && !access(path, F_OK); t++) {
        usleep(1000);
    }
    return access(path, F_OK) && errno == ENOENT;
}

void check_removal(void)
{
    pid_t children[3];
    char path[128];
    Client c;

    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s", bus_name());
    children[0] = start(open_client);
    children[1] = start(has_tables() ? open_svm : open_client);
    children[2] = start_waiting();
    open_client(&c);
    usleep(200000);
    check("the device is pulled out of its slot", pull_out());
    check("... the device goes", goes(path) && goes("/dev/veu0"));
    check("processes at work are told",
          ends_well(children[0]) && ends_well(children[1]));
    check("... and so is one that waits", ends_well(children[2]));
    check("... by poll() as well", events_of(&c, 0) == (POLLHUP | POLLERR));
    check("a call says that it has gone",
          wait_all(&c) == -ENODEV && veu_client_reset(c.veu) == -ENODEV);
    close_client(&c);
    check("the module is unloaded", unload_module());
    check_leaks();
}
