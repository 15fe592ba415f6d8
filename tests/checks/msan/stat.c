/*
 * veu tests: stat() and its like, for MemorySanitizer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * That of clang 14 does not know that the functions of the GNU C library write
 * the status, which GLib reads. Each test program has these in their place.
 */
#include <fcntl.h>
#include <sanitizer/msan_interface.h>
#include <sys/stat.h>

static int get_status(int folder, const char *path, struct stat *status,
                      int flags)
{
    int result = fstatat(folder, path, status, flags);

    if (result == 0) {
        __msan_unpoison(status, sizeof(*status));
    }
    return result;
}

int fstat(int file, struct stat *status)
{
    return get_status(file, "", status, AT_EMPTY_PATH);
}

int stat(const char *restrict path, struct stat *restrict status)
{
    return get_status(AT_FDCWD, path, status, 0);
}

int lstat(const char *restrict path, struct stat *restrict status)
{
    return get_status(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}
