/*
 * veu-run: --gdb: the packets of gdb's remote protocol, and the connection.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "tools/veu-run/gdb.h"

#define CTRL_C 3

/* --- Packets -------------------------------------------------------------- */

void gdb_disconnect(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

static void put_all(int *fd, const char *bytes, size_t count)
{
    while (count && *fd >= 0) {
        ssize_t done = send(*fd, bytes, count, MSG_NOSIGNAL);

        if (done < 0 && errno != EINTR) {
            gdb_disconnect(fd);
        }
        done = MAX(done, 0);
        bytes += done;
        count -= done;
    }
}

static int get_byte(int *fd)
{
    unsigned char byte;
    ssize_t got = -1;

    while (*fd >= 0 && got < 0) {
        got = read(*fd, &byte, 1);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            gdb_disconnect(fd);
        }
    }
    return got == 1 ? byte : -1;
}

/* Text of a reply never contains a character that the protocol escapes. */
void gdb_send(int *fd, const char *text)
{
    g_autofree char *packet = NULL;
    uint8_t sum = 0;

    for (const char *at = text; *at; at++) {
        sum += *at;
    }
    packet = g_strdup_printf("$%s#%02x", text, sum);
    put_all(fd, packet, strlen(packet));
}

void gdb_send_hex(int *fd, const void *bytes, size_t count)
{
    GString *hex = g_string_new(NULL);

    for (size_t i = 0; i < count; i++) {
        g_string_append_printf(hex, "%02x", ((const uint8_t *)bytes)[i]);
    }
    gdb_send(fd, hex->str);
    g_string_free(hex, TRUE);
}

/* Returns NULL if gdb has gone. */
char *gdb_receive(int *fd)
{
    GString *packet = g_string_new(NULL);
    int byte;

    while ((byte = get_byte(fd)) >= 0 && byte != '$') {}
    while ((byte = get_byte(fd)) >= 0 && byte != '#' &&
           packet->len < GDB_PACKET_BYTES) {
        g_string_append_c(packet, byte);
    }
    /* The sum is of no use on a connection that loses nothing. */
    if (byte != '#' || get_byte(fd) < 0 || get_byte(fd) < 0) {
        g_string_free(packet, TRUE);
        gdb_disconnect(fd);
        return NULL;
    }
    put_all(fd, "+", 1);
    return g_string_free(packet, FALSE);
}

/* Bytes other than Ctrl-C and acknowledgements begin a packet, and stay. */
bool gdb_interrupts(int *fd)
{
    char byte = '+';

    while (*fd >= 0 && byte == '+') {
        ssize_t got = recv(*fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

        if (got == 0) {
            gdb_disconnect(fd);
        }
        if (got <= 0 || (byte != '+' && byte != CTRL_C)) {
            return false;
        }
        get_byte(fd);
    }
    return byte == CTRL_C;
}

/* --- The connection ------------------------------------------------------- */

static int await_gdb(int listener)
{
    struct sockaddr_in address;
    socklen_t bytes = sizeof(address);

    if (listen(listener, 1) ||
        getsockname(listener, (struct sockaddr *)&address, &bytes)) {
        return -1;
    }
    g_printerr("veu-run: waiting for gdb: target remote :%u\n",
               ntohs(address.sin_port));
    return accept(listener, NULL, NULL);
}

/* Only programs of this host can connect. */
int gdb_accept(uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr = { htonl(INADDR_LOOPBACK) },
    };
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int fd = -1, one = 1;

    if (listener < 0) {
        return -1;
    }
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (!bind(listener, (struct sockaddr *)&address, sizeof(address))) {
        fd = await_gdb(listener);
    }
    close(listener);
    return fd;
}
