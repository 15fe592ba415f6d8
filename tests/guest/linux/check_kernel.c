/*
 * The findings of the kernel's own checks. debug/kernel builds a kernel that
 * has all of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "guest.h"

#define KMEMLEAK "/sys/kernel/debug/kmemleak"

/* The findings are printed. */
static bool finds_leaks(void)
{
    char text[4096];
    int fd = open(KMEMLEAK, O_RDONLY);
    bool found = false;

    for (ssize_t n; (n = read(fd, text, sizeof(text))) > 0; found = true) {
        printf("%.*s", (int)n, text);
    }
    close(fd);
    return found;
}

/* It reports objects that are older than 5 seconds, as of the previous scan. */
void check_leaks(void)
{
    if (access(KMEMLEAK, W_OK)) {
        return;
    }
    sleep(6);
    check("the kernel looks for leaks",
          write_file(KMEMLEAK, "scan") && write_file(KMEMLEAK, "scan"));
    check("... and finds none", !finds_leaks());
}

/* Complaints, and the messages of checks that have given up. */
void check_kernel(void)
{
    static const char *const words[] = {
        "BUG:",
        "UBSAN:",
        "INFO: task",
        "INFO: trying to register non-static key",
        "turning off the locking correctness validator",
        "ODEBUG disabled",
        "debugging out of memory",
    };
    bool good = !kernel_has_warned();

    if (!good) {
        printf("the kernel has warned\n");
    }
    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (kernel_has_said(words[i])) {
            printf("the kernel has said: %s\n", words[i]);
            good = false;
        }
    }
    check("the kernel has nothing to complain of", good);
}
