/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses one of the broken functions that mutant_sources.py writes, by the
 * environment. VEU_MUTANT is its number; VEU_MUTANTS_REACHED names a file of
 * zeros, in which a byte becomes 1 for each function that was called. The file
 * is mapped, so that it is whole however the process ends.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST 65536

static unsigned char without_file[MOST];

int veu_mutant = -1;
unsigned char *veu_reached = without_file;

static void map_file(const char *path)
{
    int fd = open(path, O_RDWR);

    if (fd < 0 || ftruncate(fd, MOST) < 0) {
        abort();
    }
    veu_reached = mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (veu_reached == MAP_FAILED) {
        abort();
    }
    close(fd);
}

static void __attribute__((constructor)) choose(void)
{
    const char *number = getenv("VEU_MUTANT");
    const char *path = getenv("VEU_MUTANTS_REACHED");

    if (number) {
        veu_mutant = atoi(number);
    }
    if (path) {
        map_file(path);
    }
}
