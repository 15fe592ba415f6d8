/*
 * veu tools: whole files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include "tools/lib/file.h"

#define CHUNK_BYTES (64 * 1024)

typedef struct Content {
    uint8_t *data;
    uint64_t bytes;
    uint64_t room;
} Content;

/*
 * Makes room for one byte more than @max_bytes, which reveals that a file is
 * too long.
 */
static bool grow(Content *c, uint64_t max_bytes)
{
    uint64_t wanted = c->room ? c->room * 2 : CHUNK_BYTES;
    uint8_t *data;

    wanted = MIN(wanted, max_bytes + 1);
    data = g_try_realloc(c->data, wanted + 1);
    if (!data) {
        errno = ENOMEM;
        return false;
    }
    c->data = data;
    c->room = wanted;
    return true;
}

/*
 * Reads up to the end of the file, or one byte too many. Returns false with
 * errno set.
 */
static bool read_stream(FILE *file, uint64_t max_bytes, Content *c)
{
    size_t got = 1;

    while (got && c->bytes <= max_bytes) {
        if (c->bytes == c->room && !grow(c, max_bytes)) {
            return false;
        }
        got = fread(c->data + c->bytes, 1, c->room - c->bytes, file);
        c->bytes += got;
    }
    c->data[c->bytes] = 0;
    return !ferror(file);
}

/* Returns true for no name, or "-": standard input or output. */
static bool is_standard(const char *path)
{
    return !path || !strcmp(path, "-");
}

static char *error_text(void)
{
    return g_strdup(errno == ENOENT ? "no such file" : g_strerror(errno));
}

uint8_t *file_read(const char *path, uint64_t max_bytes, uint64_t *bytes,
                   char **why)
{
    FILE *file = is_standard(path) ? stdin : fopen(path, "rb");
    Content c = { 0 };

    *why = NULL;
    if (!file || !read_stream(file, max_bytes, &c)) {
        *why = error_text();
    } else if (c.bytes > max_bytes) {
        *why = g_strdup_printf("the file has more than %" G_GUINT64_FORMAT
                               " bytes",
                               max_bytes);
    }
    if (file && file != stdin) {
        fclose(file);
    }
    if (*why) {
        g_free(c.data);
        return NULL;
    }
    *bytes = c.bytes;
    return c.data;
}

bool file_write(const char *path, const void *data, uint64_t bytes, char **why)
{
    FILE *file = is_standard(path) ? stdout : fopen(path, "wb");
    bool good = file && fwrite(data, 1, bytes, file) == bytes;

    if (file && (file == stdout ? fflush(file) : fclose(file))) {
        good = false;
    }
    *why = good ? NULL : error_text();
    return good;
}
