/*
 * The first process of a Linux guest: loads the driver, uses it, reports.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <unistd.h>
#include "guest.h"

/* Runs the checks that take long. */
static void check_storms(unsigned seconds)
{
    check_pages();
    check_neighbours();
    check_pressure();
    check_storm();
    check_long_storm(seconds);
    check("the module is unloaded", unload_module());
    check_leaks();
}

static void check_all(void)
{
    check_selftest();
    check_svm();
    check_process();
    check_map();
    check_storm();
    check_pages();
    check_sparse();
    check_programs();
    check_use();
    check_messages();
    check_isolation();
    check_buffers();
    check_errors();
    check_interface();
    check_library();
    check_users();
    check_examples();
    check_threads();
    check_waits();
    check_halts();
    check_poll();
    check_debugger();
    check_kills();
    check_windows();
    check_compat();
    /* "calls=N" on the kernel's command line arrives as a variable */
    if (getenv("calls")) {
        check_random(atoi(getenv("calls")));
    }
    if (getenv("disturbances")) {
        check_disturbed(atoi(getenv("disturbances")));
    }
    check_reset();
    check_sleep();
    check_unbind();
    if (getenv("failures")) {
        check_failures();
    }
    check("the module is unloaded", unload_module());
    check_leaks();
}

int main(int count, char **arguments)
{
    if (getpid() != 1 && count > 1) {
        return after_exec(atoi(arguments[1]));
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    mount("none", "/dev", "devtmpfs", 0, NULL);
    mount("none", "/proc", "proc", 0, NULL);
    mount("none", "/sys", "sysfs", 0, NULL);
    mount("none", "/sys/kernel/debug", "debugfs", 0, NULL);
    dup2(open("/dev/console", O_RDWR), 1);
    load_kernel_modules();
    check("the module loads", load_module());
    check("the driver has bound", bus_name());
    if (bus_name() && getenv("lies")) {
        check_lies();
    } else if (bus_name() && getenv("late")) {
        check_late();
    } else if (bus_name() && getenv("removal")) {
        check_removal();
    } else if (bus_name() && getenv("storm")) {
        check_storms(atoi(getenv("storm")));
    } else if (bus_name()) {
        check_all();
    }
    check_kernel();
    if (failures()) {
        print_kernel_log();
    }
    printf("result: %u failed\n", failures());
    sync();
    /* QEMU ends: this works on all machines, and after a sleep */
    reboot(RB_AUTOBOOT);
}
