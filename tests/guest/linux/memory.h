/*
 * The common code of the checks of shared virtual memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TESTS_LINUX_MEMORY_H
#define VEU_TESTS_LINUX_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "guest.h"

#define PAGE 4096u
/* A huge page. */
#define HUGE ((uint64_t)2 << 20)

uint64_t address_of(const volatile void *memory);

/* Returns NULL if mmap() refuses. */
uint64_t *map_pages(size_t bytes, int flags, int fd);
uint64_t *map_private(size_t bytes);

/* Maps @bytes, a multiple of HUGE, at a multiple of HUGE; never unmapped. */
uint64_t *map_aligned(size_t bytes);

/* Returns true if all words of @memory are @value. */
bool holds(const volatile uint64_t *memory, uint64_t value, size_t bytes);

/*
 * Makes the device do it; both wait for the end and return 0, or a negative
 * errno.
 */
int fill(Client *c, volatile void *memory, uint64_t pattern, uint32_t bytes);
int copy(Client *c, volatile void *to, const volatile void *from,
         uint32_t bytes);

/*
 * Returns true if @error is that of a command that has faulted in the page at
 * @memory. The command is skipped.
 */
bool faults_at(Client *c, int error, const volatile void *memory);

/* Returns true if a child's load of the word at @memory raises SIGBUS. */
bool is_sigbus(const volatile uint64_t *memory);

/* A disk of compressed memory; check_pressure() makes it swap. */
#define SWAP_DEVICE "/dev/zram0"

/* Makes the kernel merge equal pages, or separate them all again, if it can. */
bool merge_pages(bool on);
/* Returns the number of pages that this has saved. */
unsigned long merged_pages(void);

/* Stores a word through /proc/self/mem, as ptrace() would. */
bool write_memory(const volatile void *to, uint64_t value);

/* Returns true if @child ends within 5 s, or within more on slow hosts. */
bool ends(pid_t child);

#endif /* VEU_TESTS_LINUX_MEMORY_H */
