/*
 * veu-format: from standard input to standard output.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/veu-format/veu-format.h"

#define FIRST_US (1000 * 1000)
#define EACH_US  (250 * 1000)

void fmt_stream_open(FmtStream *s, const char *command)
{
    struct stat status;

    *s = (FmtStream){ .command = command };
    if (!fstat(STDIN_FILENO, &status) && S_ISREG(status.st_mode)) {
        s->total = status.st_size;
    }
    if (isatty(STDERR_FILENO)) {
        s->next_us = g_get_monotonic_time() + FIRST_US;
    }
}

static void tell(FmtStream *s)
{
    double mib = s->in_bytes / 1048576.0;

    if (s->total) {
        fprintf(stderr, "\rveu-format: %s: %.0f of %.0f MiB (%d %%)",
                s->command, mib, s->total / 1048576.0,
                (int)(s->in_bytes * 100.0 / s->total));
    } else {
        fprintf(stderr, "\rveu-format: %s: %.0f MiB", s->command, mib);
    }
    s->told = true;
    s->next_us = g_get_monotonic_time() + EACH_US;
}

int64_t fmt_stream_read(FmtStream *s, void *to, size_t bytes)
{
    size_t got = fread(to, 1, bytes, stdin);

    if (got < bytes && ferror(stdin)) {
        tool_error("%s: cannot read: %s", s->command, g_strerror(errno));
        return -1;
    }
    s->in_bytes += got;
    if (s->next_us && g_get_monotonic_time() >= s->next_us) {
        tell(s);
    }
    return got;
}

/* Errors are remembered in the stream; fmt_stream_close() reports them. */
bool fmt_stream_write(const void *from, size_t bytes)
{
    return fwrite(from, 1, bytes, stdout) == bytes;
}

int fmt_stream_close(FmtStream *s, bool ok)
{
    if (s->told) {
        fputc('\n', stderr);
    }
    if (fflush(stdout) || ferror(stdout)) {
        tool_error("%s: cannot write: %s", s->command, g_strerror(errno));
        return FMT_FAILED;
    }
    return ok ? FMT_OK : FMT_FAILED;
}
