/*
 * The examples, as a user would run them. What they print is looked at outside
 * of the guest, and so is the checksum of the picture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

#define PICTURE "/picture.ppm"

/* Its output stands between two lines of ours. */
static void run_example(const char *path, const char *argument)
{
    int status = -1;
    pid_t child;

    printf("example: %s\n", path);
    child = fork();
    if (!child) {
        execl(path, path, argument, NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    printf("status: %d\n", status);
}

/* CRC-32 as in PNG and zlib. */
static void print_checksum(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint32_t crc = ~0u;

    for (int byte; file && (byte = getc(file)) != EOF;) {
        crc ^= byte;
        for (unsigned bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        }
    }
    printf("checksum: %08x\n", ~crc);
    if (file) {
        fclose(file);
    }
}

void check_examples(void)
{
    run_example("/first_gather", NULL);
    if (has_tables()) {
        run_example("/first_pointer", NULL);
        run_example("/first_kernel", "/first_kernel.veuk");
    }
    run_example("/picture", PICTURE);
    print_checksum(PICTURE);
    run_example("/fault", NULL);
}
