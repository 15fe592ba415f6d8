/*
 * The examples, as a user would run them. Their output, and the checksum of the
 * picture, are checked outside of the guest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "guest.h"

#define PICTURE "/picture.ppm"

/* The output is printed between two marker lines. */
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

/* Prints the CRC-32 that PNG and zlib use. */
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
