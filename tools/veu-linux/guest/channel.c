/*
 * Frames through a port of a virtio console.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "guest.h"

#define PORTS        "/sys/class/virtio-ports"
#define HEADER_BYTES 5
/* The port appears some time after its driver was loaded. */
#define TRIES        1000
#define TRY_US       10000

static int port = -1;

/* The data that was read, and the part of it that is still to be handed out. */
static uint8_t buffer[4 * FRAME_MAX_BYTES];
static size_t begin, end;

/* Returns true if port @name of the system is the one that the host uses. */
static bool is_ours(const char *name)
{
    char path[512], text[16] = "";
    FILE *file;

    snprintf(path, sizeof(path), PORTS "/%s/name", name);
    file = fopen(path, "re");
    if (file) {
        if (!fgets(text, sizeof(text), file)) {
            text[0] = '\0';
        }
        fclose(file);
    }
    return !strcmp(text, "veu\n");
}

static int open_port(void)
{
    DIR *ports = opendir(PORTS);
    char path[512];
    int fd = -1;

    for (struct dirent *e; ports && fd < 0 && (e = readdir(ports));) {
        if (is_ours(e->d_name)) {
            snprintf(path, sizeof(path), "/dev/%s", e->d_name);
            fd = open(path, O_RDWR | O_CLOEXEC);
        }
    }
    if (ports) {
        closedir(ports);
    }
    return fd;
}

int channel_open(void)
{
    for (unsigned i = 0; port < 0 && i < TRIES; i++) {
        port = open_port();
        if (port < 0) {
            usleep(TRY_US);
        }
    }
    return port;
}

static bool write_all(const uint8_t *data, size_t bytes)
{
    while (bytes) {
        ssize_t done = write(port, data, bytes);

        if (done < 0 && errno != EINTR && errno != EAGAIN) {
            return false;
        }
        if (done > 0) {
            data += done;
            bytes -= done;
        }
    }
    return true;
}

void channel_send(enum Frame kind, const void *data, size_t bytes)
{
    uint8_t frame[HEADER_BYTES + FRAME_MAX_BYTES] = { kind };

    bytes = bytes < FRAME_MAX_BYTES ? bytes : FRAME_MAX_BYTES;
    for (unsigned i = 0; i < 4; i++) {
        frame[1 + i] = bytes >> (8 * i);
    }
    memcpy(frame + HEADER_BYTES, data, bytes);
    write_all(frame, HEADER_BYTES + bytes);
}

void channel_say(const char *format, ...)
{
    char text[512] = "veu-linux: ";
    size_t length = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + length, sizeof(text) - length - 1, format, arguments);
    va_end(arguments);
    strcat(text, "\n");
    channel_send(FRAME_ERROR, text, strlen(text));
}

/*
 * Finds the size of the data of the frame at @begin. Returns false if its
 * header is incomplete.
 */
static bool frame_bytes(size_t *bytes)
{
    const uint8_t *size = buffer + begin + 1;

    if (end - begin < HEADER_BYTES) {
        return false;
    }
    *bytes = size[0] | size[1] << 8 | size[2] << 16 | (size_t)size[3] << 24;
    return true;
}

bool channel_pending(void)
{
    size_t bytes;

    return frame_bytes(&bytes) && end - begin >= HEADER_BYTES + bytes;
}

/* Reads once; returns false if the host has closed the channel. */
static bool fill_buffer(void)
{
    ssize_t got;

    memmove(buffer, buffer + begin, end - begin);
    end -= begin;
    begin = 0;
    got = read(port, buffer + end, sizeof(buffer) - end);
    if (got > 0) {
        end += got;
    }
    return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

int channel_receive(const uint8_t **data, size_t *bytes)
{
    int kind;

    if (!channel_pending() && !fill_buffer()) {
        return -1;
    }
    if (frame_bytes(bytes) && *bytes > FRAME_MAX_BYTES) {
        return -1;
    }
    if (!channel_pending()) {
        return 0;
    }
    kind = buffer[begin];
    *data = buffer + begin + HEADER_BYTES;
    begin += HEADER_BYTES + *bytes;
    return kind;
}
