/*
 * veu-run: files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "tools/veu-run.h"

#define CHUNK_BYTES (64 * 1024)

/* Makes room for one byte more than @max at the most: it tells "too long". */
static bool grow(RunBytes *c, uint64_t *room, uint64_t max_bytes)
{
    uint64_t wanted = *room ? *room * 2 : CHUNK_BYTES;
    uint8_t *data;

    wanted = MIN(wanted, max_bytes + 1);
    data = g_try_realloc(c->data, wanted);
    if (!data) {
        errno = ENOMEM;
        return false;
    }
    c->data = data;
    *room = wanted;
    return true;
}

/* Up to the end of the file, or to one byte too many; false sets errno. */
static bool read_stream(FILE *file, uint64_t max_bytes, RunBytes *c)
{
    uint64_t room = 0;
    size_t got = 1;

    *c = (RunBytes){ 0 };
    while (got && c->bytes <= max_bytes) {
        if (c->bytes == room && !grow(c, &room, max_bytes)) {
            return false;
        }
        got = fread(c->data + c->bytes, 1, room - c->bytes, file);
        c->bytes += got;
    }
    return !ferror(file);
}

static const char *error_text(void)
{
    return errno == ENOENT ? "no such file" : g_strerror(errno);
}

bool run_file_read(const char *path, uint64_t max_bytes, const char *option,
                   const char *value, const char *advice, RunBytes *content)
{
    g_autofree char *end = advice ? g_strdup_printf("; %s", advice) :
                                    g_strdup("");
    FILE *file = fopen(path, "rb");
    bool ok;

    if (!file) {
        return run_error("%s%s: %s%s", option, value, error_text(), end);
    }
    ok = read_stream(file, max_bytes, content);
    if (!ok) {
        run_error("%s%s: %s%s", option, value, error_text(), end);
    } else if (content->bytes > max_bytes) {
        ok = run_error("%s%s: the file has more than %" G_GUINT64_FORMAT
                       " bytes",
                       option, value, max_bytes);
    }
    fclose(file);
    if (!ok) {
        g_free(content->data);
        *content = (RunBytes){ 0 };
    }
    return ok;
}

bool run_file_write(const char *path, const void *data, uint64_t bytes)
{
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(data, 1, bytes, file) == bytes;

    if (file && fclose(file)) {
        ok = false;
    }
    return ok || run_error("cannot write %s: %s", path, g_strerror(errno));
}
