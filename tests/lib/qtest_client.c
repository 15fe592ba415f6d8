/*
 * veu tests: QEMU's qtest protocol.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include "tests/lib/qtest_client.h"

void line_socket_init(LineSocket *s, int fd, const char *name)
{
    *s = (LineSocket){ .fd = fd, .name = name };
}

static G_NORETURN void fail(LineSocket *s, const char *what,
                            const char *awaited)
{
    if (s->on_failure) {
        s->on_failure(s->opaque);
    }
    g_error("%s: %s while waiting for %s", s->name, what, awaited);
}

void line_socket_send(LineSocket *s, const char *line)
{
    g_autofree char *all = g_strconcat(line, "\n", NULL);
    size_t left = strlen(all);
    const char *from = all;

    while (left) {
        ssize_t sent = send(s->fd, from, left, MSG_NOSIGNAL);

        if (sent < 0 && errno != EINTR) {
            fail(s, g_strerror(errno), line);
        }
        from += MAX(sent, 0);
        left -= MAX(sent, 0);
    }
}

/* Removes a line from the buffer; returns NULL if it holds none. */
static char *take_line(LineSocket *s)
{
    char *end = memchr(s->buffer, '\n', s->used);
    size_t bytes;
    char *line;

    if (!end) {
        return NULL;
    }
    bytes = end + 1 - s->buffer;
    line = g_strchomp(g_strndup(s->buffer, bytes));
    memmove(s->buffer, end + 1, s->used - bytes);
    s->used -= bytes;
    return line;
}

/* Returns false if no bytes arrive in time. */
static bool fill_buffer(LineSocket *s, int timeout_ms, const char *awaited)
{
    struct pollfd fd = { .fd = s->fd, .events = POLLIN };
    ssize_t got;

    if (poll(&fd, 1, timeout_ms) <= 0) {
        return false;
    }
    if (s->used == sizeof(s->buffer)) {
        fail(s, "line too long", awaited);
    }
    got = recv(s->fd, s->buffer + s->used, sizeof(s->buffer) - s->used, 0);
    if (got <= 0) {
        fail(s, "QEMU is gone", awaited);
    }
    s->used += got;
    return true;
}

char *line_socket_receive(LineSocket *s, const char *awaited)
{
    char *line;

    while (!(line = take_line(s))) {
        if (!fill_buffer(s, LINE_SOCKET_TIMEOUT_S * 1000, awaited)) {
            fail(s, "timed out", awaited);
        }
    }
    return line;
}

char *line_socket_poll(LineSocket *s)
{
    char *line = take_line(s);

    while (!line && fill_buffer(s, 0, "a line")) {
        line = take_line(s);
    }
    return line;
}

/*
 * Sends a command; returns what follows "OK". Ignores changes of interrupt
 * lines.
 */
static uint64_t command(LineSocket *s, const char *line)
{
    g_autofree char *answer = NULL;

    line_socket_send(s, line);
    do {
        g_free(answer);
        answer = line_socket_receive(s, line);
    } while (g_str_has_prefix(answer, "IRQ "));
    if (!g_str_has_prefix(answer, "OK")) {
        fail(s, answer, line);
    }
    return g_ascii_strtoull(answer + 2, NULL, 0);
}

static char suffix(unsigned bytes)
{
    switch (bytes) {
    case 1:
        return 'b';
    case 2:
        return 'w';
    case 4:
        return 'l';
    case 8:
        return 'q';
    default:
        g_error("no access has %u bytes", bytes);
    }
}

uint64_t qtest_read(LineSocket *s, uint64_t address, unsigned bytes)
{
    char line[64];

    g_snprintf(line, sizeof(line), "read%c 0x%" PRIx64, suffix(bytes), address);
    return command(s, line);
}

void qtest_write(LineSocket *s, uint64_t address, unsigned bytes,
                 uint64_t value)
{
    char line[64];

    g_snprintf(line, sizeof(line), "write%c 0x%" PRIx64 " 0x%" PRIx64,
               suffix(bytes), address, value);
    command(s, line);
}

void qtest_read_bytes(LineSocket *s, uint64_t address, unsigned bytes)
{
    char line[64];

    g_snprintf(line, sizeof(line), "read 0x%" PRIx64 " 0x%x", address, bytes);
    command(s, line);
}

void qtest_write_bytes(LineSocket *s, uint64_t address, const uint8_t *data,
                       unsigned bytes)
{
    g_autoptr(GString) line = g_string_new(NULL);

    g_string_printf(line, "write 0x%" PRIx64 " 0x%x 0x", address, bytes);
    for (unsigned i = 0; i < bytes; i++) {
        g_string_append_printf(line, "%02x", data[i]);
    }
    command(s, line->str);
}

uint32_t qtest_in(LineSocket *s, uint16_t port, unsigned bytes)
{
    char line[64];

    g_snprintf(line, sizeof(line), "in%c 0x%x", suffix(bytes), port);
    return command(s, line);
}

void qtest_out(LineSocket *s, uint16_t port, unsigned bytes, uint32_t value)
{
    char line[64];

    g_snprintf(line, sizeof(line), "out%c 0x%x 0x%x", suffix(bytes), port,
               value);
    command(s, line);
}
