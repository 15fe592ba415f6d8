/*
 * A program whose word size differs from the kernel's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

void check_compat(void)
{
    int status = -1;
    pid_t child = fork();

    if (!child) {
        execl("/process32", "process32", NULL);
        _exit(255);
    }
    waitpid(child, &status, 0);
    check("a 32-bit process", status == 0);
    if (status) {
        printf("# it ended with %#x, of compat/process32.c\n", status);
    }
}
