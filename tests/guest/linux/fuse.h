/*
 * A file system in user space, FUSE_PATH, which answers when it is told to.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TESTS_LINUX_FUSE_H
#define VEU_TESTS_LINUX_FUSE_H

#include <stdbool.h>
#include <stdint.h>

#define FUSE_PATH  "/fuse/file"
#define FUSE_BYTES 65536

/* Mounts it; false: the kernel has no FUSE. */
bool fuse_begin(void);

/* Waits until the kernel wants to read the file, for 5 s at most. */
bool fuse_is_awaited(void);

/* What was wanted comes: all of it is @word. */
void fuse_answer(uint64_t word);

/* Unmounts it; those who wait get an error. */
void fuse_end(void);

#endif /* VEU_TESTS_LINUX_FUSE_H */
