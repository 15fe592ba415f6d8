/*
 * From the kernel's start to the program's end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <unistd.h>
#include "guest.h"

/* Strings of /veu/session, in this order. */
enum {
    SESSION_FOLDER,   /* where to start */
    SESSION_TERMINAL, /* "terminal", or something else */
    SESSION_MODULES,  /* the host's folder of modules, or "" */
    SESSION_HEADERS,  /* ... of headers, or "" */
    SESSION_COUNT,
};

static void wait_for_leave(void)
{
    const uint8_t *data;
    size_t bytes;
    int kind;

    do {
        kind = channel_receive(&data, &bytes);
    } while (kind >= 0 && kind != FRAME_LEAVE);
}

static int run(char **session)
{
    char **arguments = read_list("/veu/arguments");
    char **environment = read_list("/veu/environment");
    const char *failed = enter_host_root(session[SESSION_FOLDER]);

    if (failed) {
        channel_say("the guest cannot mount %s: %s", failed, strerror(errno));
        return 125;
    }
    link_modules(session[SESSION_MODULES], session[SESSION_HEADERS]);
    return run_session(arguments, environment, session[SESSION_FOLDER],
                       !strcmp(session[SESSION_TERMINAL], "terminal"));
}

/* QEMU exits on a reboot, which works on all machines. */
static void turn_off(void)
{
    sync();
    reboot(RB_AUTOBOOT);
}

int main(void)
{
    char **session = read_list("/veu/session");
    bool has_driver;
    uint8_t status;
    int error, result;

    mount_kernel_files("");
    has_driver = load_modules(read_list("/veu/modules"));
    error = errno;
    if (!session[0] || channel_open() < 0) {
        printf("veu-linux: the guest's kernel has no virtio console\n");
        turn_off();
    }
    if (!has_driver) {
        channel_say("the driver does not load: %s", strerror(error));
    }
    result = run(session);
    if (result >= 0) {
        status = result;
        sync();
        channel_send(FRAME_STATUS, &status, 1);
        wait_for_leave();
    }
    turn_off();
}
