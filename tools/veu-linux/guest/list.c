/*
 * Lists of strings from the host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "guest.h"

/* Returns the whole file and a zero byte, or NULL if it cannot be read. */
static char *read_file(const char *path, size_t *bytes)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    char *data = NULL;
    ssize_t got = 0;

    *bytes = 0;
    if (fd >= 0 && !fstat(fd, &status)) {
        data = calloc(1, status.st_size + 1);
    }
    while (data && *bytes < (size_t)status.st_size &&
           (got = read(fd, data + *bytes, status.st_size - *bytes)) > 0) {
        *bytes += got;
    }
    close(fd);
    return data;
}

char **read_list(const char *path)
{
    size_t bytes, count = 0;
    char *data = read_file(path, &bytes);
    char **list;

    for (size_t i = 0; i < bytes; i++) {
        count += !data[i];
    }
    list = calloc(count + 1, sizeof(*list));
    for (size_t i = 0; list && i < count; i++) {
        list[i] = data;
        data += strlen(data) + 1;
    }
    return list;
}
