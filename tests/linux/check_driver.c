/*
 * The driver as its administrator sees it: self-test, reset, unbind.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

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

/* On a device of which the boot's rules make the first three gathers fail. */
void check_lies(void)
{
    check("the self-test finds a wrong bit", selftest_fails(EBADMSG));
    check("... a fault", selftest_fails(EIO));
    check("... a ring that hangs", selftest_fails(ETIME));
    check("... and passes when it may", write_file(SELFTEST, "1"));
}

void check_reset(void)
{
    char path[128];
    Client c;

    snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", bus_name());
    if (access(path, W_OK)) {
        skip("no reset of the function here");
        return;
    }
    open_client(&c);
    check("a function reset", fills(&c, 1) && write_file(path, "1"));
    check("... does not end what a file has", fills(&c, 2));
    close_client(&c);
}

/* In a child: what was mapped is no memory any more. */
static bool is_sigbus(Client *c)
{
    int status = 0;
    pid_t child = fork();

    if (!child) {
        _exit(c->memory[0] == 0);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS;
}

void check_unbind(void)
{
    char name[64];
    Client c;

    snprintf(name, sizeof(name), "%s", bus_name());
    open_client(&c);
    check("unbind while the device is open",
          write_file("/sys/bus/pci/drivers/veu/unbind", name));
    check("... the file goes dead", wait_all(&c) == -ENODEV);
    check("... and its memory", is_sigbus(&c));
    close_client(&c);
    check("bind again", write_file("/sys/bus/pci/drivers/veu/bind", name));
    check_use();
}
