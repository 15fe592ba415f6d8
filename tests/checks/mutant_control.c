/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses one of the broken functions and tables that mutant_sources.py writes,
 * by the environment. VEU_MUTANT is its number; VEU_MUTANTS_REACHED names a
 * file of zeros, in which a byte becomes 1 for each function that was called,
 * and for each table that exists. The file is mapped, so that it is complete
 * however the process ends.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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

/* Puts the broken table @from in place of @to, which may be constant. */
void veu_break(int mutant, const void *to, const void *from,
               unsigned long bytes);
void veu_break(int mutant, const void *to, const void *from,
               unsigned long bytes)
{
    uintptr_t page_bytes = sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)to / page_bytes * page_bytes;

    veu_reached[mutant] = 1;
    if (veu_mutant != mutant) {
        return;
    }
    if (mprotect((void *)start, (uintptr_t)to + bytes - start,
                 PROT_READ | PROT_WRITE)) {
        abort();
    }
    memcpy((void *)to, from, bytes);
}

/* It is the first: 101 is the highest priority that programs may use. */
static void __attribute__((constructor(101))) choose(void)
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
