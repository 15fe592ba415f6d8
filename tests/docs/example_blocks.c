/*
 * veu tests: finds the examples in docs/spec.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ```hex store ADDRESS NAME   lines "OFFSET: BYTE BYTE ...  # comment",
 *                             "BYTE * COUNT" among them
 * ```hex result ADDRESS NAME  the same
 * ```steps                    lines that spec_walk.c performs
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/docs/example.h"

#define FENCE "\n```"

static bool put_bytes(Block *b, unsigned long byte, unsigned long count)
{
    if (byte > 0xff || count > EXAMPLE_MAX_BYTES - b->bytes) {
        return false;
    }
    memset(b->content + b->bytes, byte, count);
    b->bytes += count;
    return true;
}

/* Reads the bytes of one line. Returns false if it is not such a line. */
static bool read_line(const char *line, Block *b)
{
    char *at;

    if (strtoul(line, &at, 16) != b->bytes || *at++ != ':') {
        return false;
    }
    for (;;) {
        unsigned long count = 1;
        unsigned long byte;
        char *end;

        at += strspn(at, " ");
        if (*at == '\n' || *at == '#') {
            return true;
        }
        byte = strtoul(at, &end, 16);
        if (end != at + 2) {
            return false;
        }
        if (!strncmp(end, " * ", 3)) {
            count = strtoul(end + 3, &end, 10);
        }
        if (!put_bytes(b, byte, count)) {
            return false;
        }
        at = end;
    }
}

static void read_bytes(const char *line, Block *b)
{
    b->bytes = 0;
    while (strncmp(line, "```", 3)) {
        if (!read_line(line, b)) {
            b->error = "a line is not 'OFFSET: BYTES'";
            return;
        }
        line = strchr(line, '\n') + 1;
    }
}

static const char *block_end(const char *start)
{
    const char *end = strstr(start, FENCE);

    return end ? end + strlen(FENCE) : NULL;
}

/* @info is what follows the opening fence. */
static bool read_info(const char *info, Block *b)
{
    char verb[8];

    if (!strncmp(info, "steps\n", 6)) {
        b->kind = BLOCK_STEPS;
        strcpy(b->name, "steps");
        return true;
    }
    if (sscanf(info, "hex %7s %" SCNx64 " %63s", verb, &b->address, b->name) !=
        3) {
        return false;
    }
    b->kind = strcmp(verb, "store") ? BLOCK_RESULT : BLOCK_STORE;
    return true;
}

const char *block_next(const char *text, Block *b)
{
    const char *start;

    while ((start = strstr(text, FENCE))) {
        const char *info = start + strlen(FENCE);
        const char *lines = strchr(info, '\n') + 1;
        const char *end = block_end(lines - 1);

        if (!end) {
            return NULL;
        }
        *b = (Block){ .lines = lines };
        if (read_info(info, b)) {
            if (b->kind != BLOCK_STEPS) {
                read_bytes(lines, b);
            }
            return end;
        }
        text = end;
    }
    return NULL;
}
