/*
 * A file system in user space, FUSE_PATH, which answers on request.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TESTS_LINUX_FUSE_H
#define VEU_TESTS_LINUX_FUSE_H

#include <stdbool.h>
#include <stdint.h>

#define FUSE_PATH  "/fuse/file"
#define FUSE_BYTES 65536

/* Mounts it; returns false if the kernel has no FUSE. */
bool fuse_begin(void);

/* Waits, at most 5 s, until the kernel wants to read the file. */
bool fuse_is_awaited(void);

/* Provides the requested bytes: every word is @word. */
void fuse_answer(uint64_t word);

/* Unmounts it; processes that wait get an error. */
void fuse_end(void);

#endif /* VEU_TESTS_LINUX_FUSE_H */
